// Parameters: contents that the program finds by a scope and a key when it runs.

//===-- Tensors -----------------------------------------------------------------------------------

def Stream_TensorParameterLoadOp : Stream_PureOp<"tensor.parameter.load", [
  AttrSizedOperandSegments, SizeOf<"result", "result_size">
]> {
  let summary = "A tensor out of a parameter";
  let arguments = (ins
    Optional<Util_BufferType>:$source_scope,
    Util_BufferType:$source_key,
    I64:$source_offset,
    TypeAttr:$result_encoding,
    Variadic<Index>:$result_encoding_dims,
    Index:$result_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? custom<ParameterReference>($source_scope, $source_key) ``
    `[` $source_offset `]` `:` $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in`
    type($result) `` `{` $result_size `}` attr-dict-with-keyword
  }];
}

def Stream_TensorParameterWriteOp : Stream_Op<"tensor.parameter.write", [
  AllTypesMatch<["source", "result"]>, AttrSizedOperandSegments
]> {
  let summary = "Writes a tensor into a parameter";
  let arguments = (ins
    Stream_AnyStreamResource:$source,
    TypeAttr:$source_encoding,
    Variadic<Index>:$source_encoding_dims,
    Index:$source_size,
    Optional<Util_BufferType>:$target_scope,
    Util_BufferType:$target_key,
    I64:$target_offset,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $source `->`
    custom<ParameterReference>($target_scope, $target_key) `` `[` $target_offset `]` `:`
    $source_encoding (`` `{` $source_encoding_dims^ `}`)? `in`
    type($source) `` `{` $source_size `}` attr-dict-with-keyword
  }];
}

//===-- Resources ---------------------------------------------------------------------------------

def Stream_AsyncParameterLoadOp : Stream_PureOp<"async.parameter.load", [
  AttrSizedOperandSegments, Stream_TimelineOp<"await_timepoint">, SizeOf<"result", "result_size">,
  Stream_Uses<"result", ["constant", "transfer_write"]>
]> {
  let summary = "A resource out of a parameter";
  let arguments = (ins
    Optional<Stream_Timepoint>:$await_timepoint,
    Optional<Util_BufferType>:$source_scope,
    Util_BufferType:$source_key,
    I64:$source_offset,
    Index:$result_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result, Stream_Timepoint:$result_timepoint);
  let resultNames = [
    NamedAs<"result", "result">, NamedAs<"result_timepoint", "result_timepoint">
  ];
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)`)?
    custom<ParameterReference>($source_scope, $source_key) `` `[` $source_offset `]` `:`
    type($result) `` `{` $result_size `}` `=` `` `>` type($result_timepoint)
    attr-dict-with-keyword
  }];
}

def Stream_AsyncParameterReadOp : Stream_Op<"async.parameter.read", [
  AllTypesMatch<["target", "result"]>, AttrSizedOperandSegments,
  Stream_TimelineOp<"await_timepoint">, Stream_Uses<"target", ["mutated", "transfer_write"]>,
  Stream_Uses<"result", ["transfer_write"]>, SizeOf<"target", "target_size">,
  SizeOf<"result", "target_size">, TiedResult<"result", "target">,
  Stream_Span<"target", "target_offset", "target_end">,
  Stream_Span<"result", "target_offset", "target_end">
]> {
  let summary = "The resource after a part of a parameter was read into a range of it";
  let arguments = (ins
    Stream_AnyStreamResource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_end,
    Index:$target_length,
    Optional<Util_BufferType>:$source_scope,
    Util_BufferType:$source_key,
    I64:$source_offset,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result, Stream_Timepoint:$result_timepoint);
  let resultNames = [
    NamedAs<"result", "result">, NamedAs<"result_timepoint", "result_timepoint">
  ];
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)`)?
    custom<ParameterReference>($source_scope, $source_key) `` `[` $source_offset `]` `->`
    $target `` `[` $target_offset `to` $target_end `for` $target_length `]` `:`
    type($target) `` `{` $target_size `}` `=` `` `>` type($result_timepoint)
    attr-dict-with-keyword
  }];
}

def Stream_AsyncParameterWriteOp : Stream_Op<"async.parameter.write", [
  AllTypesMatch<["source", "result"]>, AttrSizedOperandSegments,
  Stream_TimelineOp<"await_timepoint">, Stream_Uses<"source", ["transfer_read"]>,
  SizeOf<"source", "source_size">, SizeOf<"result", "source_size">, TiedResult<"result", "source">,
  Stream_Span<"source", "source_offset", "source_end">,
  Stream_Span<"result", "source_offset", "source_end">
]> {
  let summary = "Writes a range of a resource into a parameter";
  let arguments = (ins
    Stream_AnyStreamResource:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$source_end,
    Index:$source_length,
    Optional<Util_BufferType>:$target_scope,
    Util_BufferType:$target_key,
    I64:$target_offset,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result, Stream_Timepoint:$result_timepoint);
  let resultNames = [
    NamedAs<"result", "result">, NamedAs<"result_timepoint", "result_timepoint">
  ];
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)`)?
    $source `` `[` $source_offset `to` $source_end `for` $source_length `]` `->`
    custom<ParameterReference>($target_scope, $target_key) `` `[` $target_offset `]` `:`
    type($source) `` `{` $source_size `}` `=` `` `>` type($result_timepoint)
    attr-dict-with-keyword
  }];
}

def Stream_AsyncParameterGatherOp : Stream_Op<"async.parameter.gather", [
  AttrSizedOperandSegments, Stream_TimelineOp<"await_timepoint">,
  Stream_Uses<"target", ["mutated", "transfer_write"]>, Stream_Uses<"result", ["transfer_write"]>,
  SizeOf<"target", "target_size">, SizeOf<"result", "target_size">, TiedResult<"result", "target">
]> {
  let summary = "The resource after parts of parameters were read into ranges of it";
  let arguments = (ins
    Optional<Util_BufferType>:$source_scope,
    Variadic<Util_BufferType>:$source_keys,
    Variadic<I64>:$source_offsets,
    Stream_AnyStreamResource:$target,
    Index:$target_size,
    Variadic<Index>:$target_offsets,
    Variadic<Index>:$target_ends,
    Variadic<Index>:$target_lengths,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result, Stream_Timepoint:$result_timepoint);
  let resultNames = [
    NamedAs<"result", "result">, NamedAs<"result_timepoint", "result_timepoint">
  ];
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)`)? `{`
    custom<ParameterGatherOperations>($source_scope, $source_keys, $source_offsets, $target,
                                      type($target), $target_size, $target_offsets,
                                      $target_lengths, $target_ends)
    `}` `:` type($result) `=` `` `>` type($result_timepoint) attr-dict-with-keyword
  }];
}

def Stream_AsyncParameterScatterOp : Stream_Op<"async.parameter.scatter", [
  AttrSizedOperandSegments, Stream_TimelineOp<"await_timepoint">,
  Stream_Uses<"source", ["transfer_read"]>,
  SizeOf<"source", "source_size">, SizeOf<"result", "source_size">, TiedResult<"result", "source">
]> {
  let summary = "Writes ranges of a resource into parameters";
  let arguments = (ins
    Stream_AnyStreamResource:$source,
    Index:$source_size,
    Variadic<Index>:$source_offsets,
    Variadic<Index>:$source_ends,
    Variadic<Index>:$source_lengths,
    Optional<Util_BufferType>:$target_scope,
    Variadic<Util_BufferType>:$target_keys,
    Variadic<I64>:$target_offsets,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result, Stream_Timepoint:$result_timepoint);
  let resultNames = [
    NamedAs<"result", "result">, NamedAs<"result_timepoint", "result_timepoint">
  ];
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)`)? `{`
    custom<ParameterScatterOperations>($target_scope, $target_keys, $target_offsets, $source,
                                       type($source), $source_size, $source_offsets,
                                       $source_lengths, $source_ends)
    `}` `:` type($result) `=` `` `>` type($result_timepoint) attr-dict-with-keyword
  }];
}

//===-- Memory ------------------------------------------------------------------------------------

def Stream_CmdParameterLoadOp : Stream_PureOp<"cmd.parameter.load", [
  AttrSizedOperandSegments, Stream_TimelineOp<"await_timepoint">
]> {
  let summary = "Resources out of parameters";
  let arguments = (ins
    Optional<Util_BufferType>:$source_scope,
    Variadic<Util_BufferType>:$source_keys,
    Variadic<I64>:$source_offsets,
    Variadic<Index>:$result_sizes,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs
    Variadic<Stream_AnyStreamResource>:$results,
    Stream_Timepoint:$result_timepoint
  );
  let resultNames = [
    NamedAs<"results", "results">, NamedAs<"result_timepoint", "result_timepoint">
  ];
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`)? `{`
    custom<ParameterLoadOperations>($source_scope, $source_keys, $source_offsets, type($results),
                                    $result_sizes)
    `}` `=` `` `>` type($result_timepoint) attr-dict-with-keyword
  }];
}

def Stream_CmdParameterReadOp : Stream_Op<"cmd.parameter.read", [
  AttrSizedOperandSegments, Stream_TimelineOp<"await_timepoint">
]> {
  let summary = "Reads a part of a parameter into a range";
  let arguments = (ins
    Optional<Util_BufferType>:$source_scope,
    Util_BufferType:$source_key,
    I64:$source_offset,
    Stream_AnyStreamResource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_length,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`)?
    custom<ParameterReference>($source_scope, $source_key) `` `[` $source_offset `]` `->`
    $target `[` $target_offset `for` $target_length `]` `:` type($target) `` `{` $target_size `}`
    `=` `` `>` type($result_timepoint) attr-dict-with-keyword
  }];
}

def Stream_CmdParameterWriteOp : Stream_Op<"cmd.parameter.write", [
  AttrSizedOperandSegments, Stream_TimelineOp<"await_timepoint">
]> {
  let summary = "Writes a range into a parameter";
  let arguments = (ins
    Stream_AnyStreamResource:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$source_length,
    Optional<Util_BufferType>:$target_scope,
    Util_BufferType:$target_key,
    I64:$target_offset,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`)?
    $source `[` $source_offset `for` $source_length `]` `:` type($source) `` `{` $source_size `}`
    `->` custom<ParameterReference>($target_scope, $target_key) `` `[` $target_offset `]`
    `=` `` `>` type($result_timepoint) attr-dict-with-keyword
  }];
}

def Stream_CmdParameterGatherOp : Stream_Op<"cmd.parameter.gather", [
  AttrSizedOperandSegments, Stream_TimelineOp<"await_timepoint">
]> {
  let summary = "Reads parts of parameters into ranges";
  let arguments = (ins
    Optional<Util_BufferType>:$source_scope,
    Variadic<Util_BufferType>:$source_keys,
    Variadic<I64>:$source_offsets,
    Stream_AnyStreamResource:$target,
    Index:$target_size,
    Variadic<Index>:$target_offsets,
    Variadic<Index>:$target_lengths,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`)? `{`
    custom<ParameterGatherOperations>($source_scope, $source_keys, $source_offsets, $target,
                                      type($target), $target_size, $target_offsets,
                                      $target_lengths)
    `}` `=` `` `>` type($result_timepoint) attr-dict-with-keyword
  }];
}

def Stream_CmdParameterScatterOp : Stream_Op<"cmd.parameter.scatter", [
  AttrSizedOperandSegments, Stream_TimelineOp<"await_timepoint">
]> {
  let summary = "Writes ranges into parameters";
  let arguments = (ins
    Stream_AnyStreamResource:$source,
    Index:$source_size,
    Variadic<Index>:$source_offsets,
    Variadic<Index>:$source_lengths,
    Optional<Util_BufferType>:$target_scope,
    Variadic<Util_BufferType>:$target_keys,
    Variadic<I64>:$target_offsets,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`)? `{`
    custom<ParameterScatterOperations>($target_scope, $target_keys, $target_offsets, $source,
                                       type($source), $source_size, $source_offsets,
                                       $source_lengths)
    `}` `=` `` `>` type($result_timepoint) attr-dict-with-keyword
  }];
}
