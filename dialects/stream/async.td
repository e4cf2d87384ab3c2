// `stream.async.*`: work on ranges of resources, with value semantics.

def Stream_AsyncAllocaOp : Stream_Op<"async.alloca", [
  MemoryEffects<[MemAlloc]>, StreamableOpInterface, Stream_Metadata, SizeOf<"result", "storage_size">,
  PrefersClones, Stream_Uses<"result", ["mutated"]>
]> {
  let summary = "A resource whose contents are not defined";
  let arguments = (ins Index:$storage_size, OptionalAttr<Stream_AffinityAttr>:$affinity);
  let results = (outs Stream_AnyStreamResource:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? attr-dict `:` type($result) `{` $storage_size `}`
  }];
}

def Stream_AsyncSplatOp : Stream_Op<"async.splat", [
  StreamableOpInterface, SizeOf<"result", "result_size">, Stream_TimelineOp<"await_timepoint">,
  PrefersClones, Stream_Uses<"result", ["transfer_write"]>
]> {
  let summary = "A resource filled with a repeated value";
  let arguments = (ins
    Optional<Stream_Timepoint>:$await_timepoint,
    AnyTypeOf<[I8, I16, I32, I64]>:$value,
    Index:$result_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)`)?
    $value `:` type($value) `->` type($result) `` `{` $result_size `}` attr-dict-with-keyword
  }];
}

def Stream_AsyncCloneOp : Stream_Op<"async.clone", [
  StreamableOpInterface, SizeOf<"source", "source_size">, SizeOf<"result", "result_size">,
  PrefersClones, Stream_Uses<"source", ["transfer_read"]>
]> {
  let summary = "A copy of a resource";
  let arguments = (ins
    Stream_AnyStreamResource:$source,
    Index:$source_size,
    Index:$result_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $source `:` type($source) `` `{` $source_size `}` `->`
    type($result) `` `{` $result_size `}` attr-dict-with-keyword
  }];
}

def Stream_AsyncSliceOp : Stream_PureOp<"async.slice", [
  AllTypesMatch<["source", "result"]>, StreamableOpInterface, SizeOf<"source", "source_size">,
  SizeOf<"result", "result_size">, Stream_Uses<"source", ["transfer_read"]>,
  Stream_Uses<"result", ["transfer_write"]>, Stream_Span<"source", "source_offset", "source_end">
]> {
  let summary = "A copy of a range of a resource";
  let arguments = (ins
    Stream_AnyStreamResource:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$source_end,
    Index:$result_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $source `[` $source_offset `to` $source_end `]` `:`
    type($source) `` `{` $source_size `}` `->` type($result) `` `{` $result_size `}`
    attr-dict-with-keyword
  }];
}

def Stream_AsyncTransferOp : Stream_PureOp<"async.transfer", [
  StreamableOpInterface, SizeOf<"source", "source_size">, SizeOf<"result", "result_size">,
  Stream_Uses<"source", ["transfer_read"]>, Stream_Uses<"result", ["transfer_write"]>
]> {
  let summary = "A copy of a resource in another place or with another lifetime";
  let arguments = (ins
    Stream_AnyResource:$source,
    Index:$source_size,
    Index:$result_size,
    OptionalAttr<Stream_AffinityAttr>:$source_affinity,
    OptionalAttr<Stream_AffinityAttr>:$target_affinity,
    OptionalAttr<Stream_AffinityAttr>:$execution_affinity
  );
  let results = (outs Stream_AnyResource:$result);
  let assemblyFormat = [{
    (`on` `(` $execution_affinity^ `)`)? $source `:` type($source) `` `{` $source_size `}`
    (`from` `(` $source_affinity^ `)`)? `->` (`to` `(` $target_affinity^ `)`)?
    type($result) `` `{` $result_size `}` attr-dict-with-keyword
  }];
}

def Stream_AsyncCastOp : Stream_PureOp<"async.cast", [
  TiedResult<"result", "source">,
  SizeOf<"source", "source_size">,
  SizeOf<"result", "result_size">
]> {
  let summary = "The same resource with another lifetime";
  let arguments = (ins
    Stream_AnyStreamResource:$source,
    Index:$source_size,
    Index:$result_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $source `:` type($source) `{` $source_size `}` `->`
    type($result) `{` $result_size `}` attr-dict
  }];
}

def Stream_AsyncDispatchOp : Stream_PureOp<"async.dispatch", [
  AttrSizedOperandSegments, StreamableOpInterface,
  SizeOf<"resource_operands", "resource_operand_sizes">, SizeOf<"results", "result_sizes">,
  TiedResultsBy<"tied_operands", "resource_operands">,
  Stream_Uses<"resource_operands", ["dispatch_read"]>, Stream_Uses<"results", ["dispatch_write"]>,
  Stream_UsesTied<["mutated", "dispatch_write"]>,
  Stream_Span<"resource_operands", "resource_operand_offsets", "resource_operand_ends">
]> {
  let summary = "Runs device code on ranges of resources";
  let description = [{
    Each resource operand is used from its offset to its end, which is its length. Results are new
    resources or, when tied, the operand's storage after the dispatch.
  }];
  let arguments = (ins
    Variadic<Index>:$workload,
    SymbolRefArrayAttr:$entry_points,
    Variadic<AnyType>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    Variadic<Index>:$resource_operand_offsets,
    Variadic<Index>:$resource_operand_ends,
    Variadic<Index>:$resource_operand_lengths,
    Variadic<Index>:$result_sizes,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Variadic<Stream_AnyStreamResource>:$results);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)?
    custom<DispatchEntryPoints>($entry_points) (`[` $workload^ `]`)? ``
    custom<DispatchOperands>($resource_operands, $resource_operand_offsets, $resource_operand_ends,
                             $resource_operand_lengths)
    attr-dict `:`
    custom<ShapedFunctionType>(ref($resource_operands), type($resource_operands),
                               $resource_operand_sizes, type($results), $result_sizes,
                               $tied_operands)
  }];
  let verifier = "async_dispatch";
  let symbolVerifier = "dispatch";
}

class Stream_AsyncRegionOp<string mnemonic, list<Trait> traits = []>
    : Stream_Op<mnemonic, !listconcat(traits, [
  AttrSizedOperandSegments, RecursiveMemoryEffects, SingleBlock,
  SingleBlockImplicitTerminator<"stream.yield">
])> {
  let regions = (region AnyRegion:$body);
}

def Stream_AsyncExecuteOp : Stream_AsyncRegionOp<"async.execute", [
  Stream_TimelineOp<"await_timepoint">, SizeOf<"resource_operands", "resource_operand_sizes">,
  SizeOf<"results", "result_sizes">, TiedResultsBy<"tied_operands", "resource_operands">,
  PassesValues<"resource_operands", "body">, PassesValues<"body", "results">,
  ExplicitCaptures<"resource_operands", "body", "stream.resource">
]> {
  let summary = "Runs a region as one submission";
  let description = [{
    The region sees its resources through its arguments only. Its results may be used once
    `result_timepoint` is reached.
  }];
  let arguments = (ins
    Variadic<Stream_AnyResource>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    Variadic<Index>:$result_sizes,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs
    Variadic<Stream_AnyResource>:$results,
    Stream_Timepoint:$result_timepoint
  );
  let resultNames = [
    NamedAs<"results", "results">, NamedAs<"result_timepoint", "result_timepoint">
  ];
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`)? `with` ``
    custom<ResourceRegion>($resource_operands, type($resource_operands), $resource_operand_sizes,
                           type($results), $result_sizes, $tied_operands, $body)
    `=` `` `>` type($result_timepoint) attr-dict-with-keyword
  }];
}

def Stream_AsyncConcurrentOp : Stream_AsyncRegionOp<"async.concurrent", [
  SizeOf<"resource_operands", "resource_operand_sizes">, SizeOf<"results", "result_sizes">,
  TiedResultsBy<"tied_operands", "resource_operands">, PassesValues<"resource_operands", "body">,
  PassesValues<"body", "results">, ExplicitCaptures<"resource_operands", "body", "stream.resource">
]> {
  let summary = "Ops of a submission that may run at the same time";
  let arguments = (ins
    Variadic<Stream_AnyResource>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    Variadic<Index>:$result_sizes,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Variadic<Stream_AnyResource>:$results);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? `with` ``
    custom<ResourceRegion>($resource_operands, type($resource_operands), $resource_operand_sizes,
                           type($results), $result_sizes, $tied_operands, $body)
    attr-dict-with-keyword
  }];
}

def Stream_AsyncConstantOp : Stream_PureOp<"async.constant", [
  StreamableOpInterface, Stream_Metadata, SizeOf<"result", "result_size">,
  Stream_TimelineOp<"await_timepoint">, Stream_Uses<"result", ["constant", "transfer_write"]>
]> {
  let summary = "A resource with contents known to the compiler";
  let arguments = (ins
    Optional<Stream_Timepoint>:$await_timepoint,
    AnyAttr:$value,
    Index:$result_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result);
  let resultNames = [NamedAs<"result", "cst">];
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)`)? `:`
    type($result) `` `{` $result_size `}` `=` $value attr-dict-with-keyword
  }];
}

class Stream_AsyncInPlaceOp<string mnemonic, list<Trait> traits = []>
    : Stream_Op<mnemonic, !listconcat(traits, [
  AllTypesMatch<["target", "result"]>, SizeOf<"result", "target_size">,
  SizeOf<"target", "target_size">, StreamableOpInterface, TiedResult<"result", "target">
])> {
  let results = (outs Stream_AnyStreamResource:$result);
}

def Stream_AsyncFillOp : Stream_AsyncInPlaceOp<"async.fill", [
  Stream_Uses<"target", ["mutated", "transfer_write"]>, Stream_Uses<"result", ["transfer_write"]>,
  Stream_Span<"target", "target_offset", "target_end">,
  Stream_Span<"result", "target_offset", "target_end">
]> {
  let summary = "The resource after a range of it was filled with a repeated value";
  let arguments = (ins
    Stream_AnyStreamResource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_end,
    Index:$target_length,
    Stream_FillPatternType:$value,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)?
    $value `,` $target `[` $target_offset `to` $target_end `for` $target_length `]` `:`
    type($value) `->` custom<ShapedTiedResult>(ref($target), type($target), $target_size)
    attr-dict-with-keyword
  }];
}

def Stream_AsyncUpdateOp : Stream_AsyncInPlaceOp<"async.update", [
  SizeOf<"update", "update_size">, Stream_Uses<"target", ["mutated", "transfer_write"]>,
  Stream_Uses<"update", ["transfer_read"]>, Stream_Uses<"result", ["transfer_write"]>,
  Stream_Span<"target", "target_offset", "target_end">,
  Stream_Span<"result", "target_offset", "target_end">
]> {
  let summary = "The resource after another one was written over a range of it";
  let arguments = (ins
    Stream_AnyStreamResource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_end,
    Stream_AnyStreamResource:$update,
    Index:$update_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $update `,` $target `[` $target_offset `to` $target_end `]` `:`
    type($update) `` `{` $update_size `}` `->`
    custom<ShapedTiedResult>(ref($target), type($target), $target_size) attr-dict-with-keyword
  }];
}

def Stream_AsyncCopyOp : Stream_AsyncInPlaceOp<"async.copy", [
  SizeOf<"source", "source_size">, Stream_Uses<"target", ["mutated", "transfer_write"]>,
  Stream_Uses<"source", ["transfer_read"]>, Stream_Uses<"result", ["transfer_write"]>,
  Stream_Span<"source", "source_offset", "source_end">,
  Stream_Span<"target", "target_offset", "target_end">,
  Stream_Span<"result", "target_offset", "target_end">
]> {
  let summary = "The resource after a range of another one was written over a range of it";
  let arguments = (ins
    Stream_AnyStreamResource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_end,
    Stream_AnyStreamResource:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$source_end,
    Index:$length,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $source `[` $source_offset `to` $source_end `]` `,`
    $target `[` $target_offset `to` $target_end `]` `,` $length `:`
    type($source) `` `{` $source_size `}` `->`
    custom<ShapedTiedResult>(ref($target), type($target), $target_size) attr-dict-with-keyword
  }];
}

def Stream_AsyncCollectiveOp : Stream_AsyncInPlaceOp<"async.collective", [
  SizeOf<"source", "source_size">,
  Stream_Uses<"target", ["mutated", "transfer_write", "dispatch_write"]>,
  Stream_Uses<"source", ["transfer_read", "dispatch_read"]>,
  Stream_Uses<"result", ["transfer_write", "dispatch_write"]>,
  Stream_Span<"source", "source_offset", "source_end">,
  Stream_Span<"target", "target_offset", "target_end">,
  Stream_Span<"result", "target_offset", "target_end">
]> {
  let summary = "The resource after what it got from the participants of a channel";
  let arguments = (ins
    Stream_CollectiveAttr:$op,
    Stream_AnyStreamResource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_end,
    Index:$target_length,
    Stream_AnyStreamResource:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$source_end,
    Index:$source_length,
    Index:$element_count,
    Stream_Channel:$channel,
    Optional<I32>:$param,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let assemblyFormat = [{
    `` $op `` `[` $element_count `]` (`on` `(` $affinity^ `)`)? `channel` `(` $channel `)`
    custom<CollectiveParam>(ref($op), $param) ``
    $source `[` $source_offset `to` $source_end `for` $source_length `]` `,`
    $target `[` $target_offset `to` $target_end `for` $target_length `]` `:`
    type($source) `` `{` $source_size `}` `->`
    custom<ShapedTiedResult>(ref($target), type($target), $target_size) attr-dict-with-keyword
  }];
}

def Stream_AsyncBarrierOp : Stream_Op<"async.barrier", [
  AllTypesMatch<["source", "result"]>, StreamableOpInterface, Stream_Metadata,
  SizeOf<"source", "size">, SizeOf<"result", "size">, TiedResult<"result", "source">
]> {
  let summary = "The same resource, which what comes before and after orders itself by";
  let arguments = (ins
    Stream_AnyResource:$source,
    Index:$size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyResource:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $source `:` type($source) `` `{` $size `}` attr-dict-with-keyword
  }];
}

def Stream_AsyncLoadOp : Stream_PureOp<"async.load", [
  SizeOf<"source", "source_size">, Stream_Uses<"source", ["staging_read"]>
]> {
  let summary = "A value out of a staging resource, on the host";
  let arguments = (ins Stream_StagingResource:$source, Index:$source_size, Index:$source_offset);
  let results = (outs Stream_HostValue:$result);
  let assemblyFormat = [{
    $source `[` $source_offset `]` `:` type($source) `` `{` $source_size `}` `->` type($result)
    attr-dict-with-keyword
  }];
}

def Stream_AsyncStoreOp : Stream_PureOp<"async.store", [
  AllTypesMatch<["target", "result"]>, SizeOf<"target", "target_size">,
  TiedResult<"result", "target">, Stream_Uses<"target", ["mutated", "staging_write"]>,
  Stream_Uses<"result", ["staging_write"]>
]> {
  let summary = "The staging resource after a value was put into it, on the host";
  let arguments = (ins
    Stream_StagingResource:$target,
    Index:$target_size,
    Index:$target_offset,
    Stream_HostValue:$value
  );
  let results = (outs Stream_StagingResource:$result);
  let assemblyFormat = [{
    $value `,` $target `[` $target_offset `]` `:` type($value) `->`
    custom<ShapedTiedResult>(ref($target), type($target), $target_size) attr-dict-with-keyword
  }];
}

def Stream_AsyncFuncOp
    : Stream_Op<"async.func", [FunctionOpInterface, IsolatedFromAbove, Symbol]> {
  let summary = "A function outside of the program that works on resources";
  let description = [{
    Results are resources; those that are tied to arguments take their storage. There is no body. A
    lifetime of `*` stands for any.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
  let customFormat = "async_func";
}

def Stream_AsyncCallOp : Stream_Op<"async.call", [
  AttrSizedOperandSegments, StreamableOpInterface, SymbolUserOpInterface,
  SizeOf<"resource_operands", "resource_operand_sizes">, SizeOf<"results", "result_sizes">,
  TiedResultsBy<"tied_operands", "resource_operands">,
  Stream_Uses<"resource_operands", ["transfer_read", "dispatch_read"]>,
  Stream_Uses<"results", ["transfer_write", "dispatch_write"]>,
  Stream_UsesTied<["mutated", "dispatch_write"]>,
  Stream_Span<"resource_operands", "resource_operand_offsets", "resource_operand_ends">
]> {
  let summary = "Calls a function on ranges of resources";
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    Variadic<Index>:$resource_operand_offsets,
    Variadic<Index>:$resource_operand_ends,
    Variadic<Index>:$resource_operand_lengths,
    Variadic<Index>:$result_sizes,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $callee ``
    custom<DispatchOperands>($resource_operands, $resource_operand_offsets, $resource_operand_ends,
                             $resource_operand_lengths)
    prop-dict attr-dict `:`
    custom<ShapedFunctionType>(ref($resource_operands), type($resource_operands),
                               $resource_operand_sizes, type($results), $result_sizes,
                               $tied_operands)
  }];
  let symbolVerifier = "async_call";
}
