// `stream.tensor.*`: work on resources that still knows the tensors in them.

def Stream_TensorImportOp : Stream_PureOp<"tensor.import", [
  SizeOf<"result", "result_size">,
  DimsOf<"result_encoding", "result_encoding_dims">
]> {
  let summary = "Takes a value of another dialect as a resource";
  let arguments = (ins
    AnyType:$source,
    TypeAttr:$result_encoding,
    Variadic<Index>:$result_encoding_dims,
    Index:$result_size,
    UnitAttr:$consume,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyResource:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`consume` $consume^)? $source `:` type($source) `->`
    $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in`
    type($result) `{` $result_size `}` attr-dict-with-keyword
  }];
}

def Stream_TensorExportOp : Stream_PureOp<"tensor.export", [
  SizeOf<"source", "source_size">,
  DimsOf<"source_encoding", "source_encoding_dims">
]> {
  let summary = "Gives a resource out as a value of another dialect";
  let arguments = (ins
    Stream_AnyResource:$source,
    TypeAttr:$source_encoding,
    Variadic<Index>:$source_encoding_dims,
    Index:$source_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $source `:`
    $source_encoding (`` `{` $source_encoding_dims^ `}`)? `in`
    type($source) `` `{` $source_size `}` `->` type($result) attr-dict-with-keyword
  }];
}

def Stream_TensorSizeOfOp : Stream_PureOp<"tensor.sizeof", [Stream_TakesLayouts<["encoding"]>,
  DimsOf<"encoding", "encoding_dims">
]> {
  let summary = "The bytes that a tensor of this type takes, padding included";
  let arguments = (ins
    TypeAttr:$encoding,
    Variadic<Index>:$encoding_dims,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Index:$storage_size);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $encoding (`{` $encoding_dims^ `}`)? attr-dict `:`
    type($storage_size)
  }];
}

def Stream_TensorEmptyOp : Stream_PureOp<"tensor.empty", [
  SizeOf<"result", "result_size">, PrefersClones, Stream_TakesLayouts<["result_encoding"]>,
  DimsOf<"result_encoding", "result_encoding_dims">
]> {
  let summary = "A tensor whose elements are not defined";
  let arguments = (ins
    TypeAttr:$result_encoding,
    Variadic<Index>:$result_encoding_dims,
    Index:$result_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? `:`
    $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in`
    type($result) `` `{` $result_size `}` attr-dict-with-keyword
  }];
  let resultNames = [NamedAs<"result", "empty">];
}

def Stream_TensorSplatOp : Stream_PureOp<"tensor.splat", [
  SizeOf<"result", "result_size">, PrefersClones, Stream_TakesLayouts<["result_encoding"]>,
  DimsOf<"result_encoding", "result_encoding_dims">
]> {
  let summary = "A tensor all of whose elements are one value";
  let arguments = (ins
    Stream_PrimitiveType:$value,
    TypeAttr:$result_encoding,
    Variadic<Index>:$result_encoding_dims,
    Index:$result_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $value `:` type($value) `->`
    $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in`
    type($result) `` `{` $result_size `}` attr-dict-with-keyword
  }];
}

class Stream_TensorRecastOp<string mnemonic, list<Trait> traits = []>
    : Stream_PureOp<mnemonic, !listconcat(traits, [
  AttrSizedOperandSegments, DimsOf<"source_encoding", "source_encoding_dims">,
  DimsOf<"result_encoding", "result_encoding_dims">
])> {
  let arguments = (ins
    Stream_AnyStreamResource:$source,
    TypeAttr:$source_encoding,
    Variadic<Index>:$source_encoding_dims,
    Index:$source_size,
    TypeAttr:$result_encoding,
    Variadic<Index>:$result_encoding_dims,
    Index:$result_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $source `:`
    $source_encoding (`` `{` $source_encoding_dims^ `}`)? `in`
    type($source) `` `{` $source_size `}` `->`
    $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in`
    type($result) `` `{` $result_size `}` attr-dict-with-keyword
  }];
}

def Stream_TensorCloneOp : Stream_TensorRecastOp<"tensor.clone", [
  PrefersClones, Stream_NeedsLayouts<["source_encoding", "result_encoding"]>
]> {
  let summary = "A copy of a tensor, in row-major order";
}

def Stream_TensorEncodeOp : Stream_TensorRecastOp<"tensor.encode", [
  Stream_TakesLayouts<["source_encoding", "result_encoding"]>
]> {
  let summary = "The same elements in another encoding";
}

def Stream_TensorDispatchOp : Stream_PureOp<"tensor.dispatch", [
  AttrSizedOperandSegments, TiedResultsBy<"tied_operands", "mixed_operands">,
  DimsOf<"operand_encodings", "operand_encoding_dims">,
  DimsOf<"result_encodings", "result_encoding_dims">
]> {
  let summary = "Runs device code on tensors";
  let description = [{
    Operands are resources or values; for each there is an encoding, `!util.unused` for values.
  }];
  let arguments = (ins
    Variadic<Index>:$workload,
    SymbolRefArrayAttr:$entry_points,
    Variadic<AnyType>:$mixed_operands,
    Variadic<Index>:$operand_sizes,
    TypeArrayAttr:$operand_encodings,
    Variadic<Index>:$operand_encoding_dims,
    Variadic<Index>:$result_sizes,
    TypeArrayAttr:$result_encodings,
    Variadic<Index>:$result_encoding_dims,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Variadic<Stream_AnyStreamResource>:$results);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)?
    custom<DispatchEntryPoints>($entry_points) (`[` $workload^ `]`)? `` `(` $mixed_operands `)`
    attr-dict `:`
    custom<EncodedShapedFunctionType>(ref($mixed_operands), type($mixed_operands), $operand_sizes,
                                      $operand_encodings, $operand_encoding_dims, type($results),
                                      $result_sizes, $result_encodings, $result_encoding_dims,
                                      $tied_operands)
  }];
  let verifier = "tensor_dispatch";
  let symbolVerifier = "dispatch";
}

def Stream_TensorConstantOp : Stream_PureOp<"tensor.constant", [
  SizeOf<"result", "result_size">, Stream_NeedsLayouts<["result_encoding"]>,
  DimsOf<"result_encoding", "result_encoding_dims">
]> {
  let summary = "A tensor whose elements the compiler knows";
  let arguments = (ins
    AnyAttr:$value,
    TypeAttr:$result_encoding,
    Variadic<Index>:$result_encoding_dims,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result);
  let resultNames = [NamedAs<"result", "cst">];
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? `:`
    $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in`
    type($result) `=` $value attr-dict-with-keyword
  }];
}

def Stream_TensorSliceOp : Stream_PureOp<"tensor.slice", [
  AttrSizedOperandSegments, Stream_NeedsLayouts<["source_encoding", "result_encoding"]>,
  DimsOf<"source_encoding", "source_encoding_dims">,
  DimsOf<"result_encoding", "result_encoding_dims">
]> {
  let summary = "A copy of a part of a tensor";
  let arguments = (ins
    Stream_AnyStreamResource:$source,
    TypeAttr:$source_encoding,
    Variadic<Index>:$source_encoding_dims,
    Index:$source_size,
    Variadic<Index>:$start_indices,
    Variadic<Index>:$lengths,
    TypeAttr:$result_encoding,
    Variadic<Index>:$result_encoding_dims,
    Index:$result_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $source `[` $start_indices `for` $lengths `]` `:`
    $source_encoding (`` `{` $source_encoding_dims^ `}`)? `in`
    type($source) `` `{` $source_size `}` `->`
    $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in`
    type($result) `` `{` $result_size `}` attr-dict-with-keyword
  }];
}

def Stream_TensorFillOp : Stream_Op<"tensor.fill", [
  AllTypesMatch<["target", "result"]>, AttrSizedOperandSegments,
  Stream_TakesLayouts<["target_encoding"]>,
  DimsOf<"target_encoding", "target_encoding_dims">
]> {
  let summary = "The tensor after a part of it, or all, was set to a value";
  let arguments = (ins
    Stream_AnyStreamResource:$target,
    TypeAttr:$target_encoding,
    Variadic<Index>:$target_encoding_dims,
    Index:$target_size,
    Variadic<Index>:$start_indices,
    Variadic<Index>:$lengths,
    Stream_PrimitiveType:$value,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)?
    $value `,` $target (`[` $start_indices `for` $lengths^ `]`)? `:` type($value) `->`
    $target_encoding (`` `{` $target_encoding_dims^ `}`)? `in`
    custom<ShapedTiedResult>(ref($target), type($target), $target_size) attr-dict-with-keyword
  }];
}

def Stream_TensorUpdateOp : Stream_Op<"tensor.update", [
  AllTypesMatch<["target", "result"]>, AttrSizedOperandSegments,
  Stream_NeedsLayouts<["target_encoding", "update_encoding"]>,
  DimsOf<"target_encoding", "target_encoding_dims">,
  DimsOf<"update_encoding", "update_encoding_dims">
]> {
  let summary = "The tensor after another one was written over a part of it";
  let arguments = (ins
    Stream_AnyStreamResource:$target,
    TypeAttr:$target_encoding,
    Variadic<Index>:$target_encoding_dims,
    Index:$target_size,
    Variadic<Index>:$start_indices,
    Stream_AnyStreamResource:$update,
    TypeAttr:$update_encoding,
    Variadic<Index>:$update_encoding_dims,
    Index:$update_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $update `,` $target `[` $start_indices `]` `:`
    $update_encoding (`` `{` $update_encoding_dims^ `}`)? `in`
    type($update) `` `{` $update_size `}` `->`
    $target_encoding (`` `{` $target_encoding_dims^ `}`)? `in`
    custom<ShapedTiedResult>(ref($target), type($target), $target_size) attr-dict-with-keyword
  }];
}

def Stream_TensorLoadOp : Stream_PureOp<"tensor.load", [AttrSizedOperandSegments,
  DimsOf<"source_encoding", "source_encoding_dims">
]> {
  let summary = "An element of a staged tensor, on the host";
  let arguments = (ins
    Stream_StagingResource:$source,
    TypeAttr:$source_encoding,
    Variadic<Index>:$source_encoding_dims,
    Index:$source_size,
    Variadic<Index>:$indices
  );
  let results = (outs Stream_HostValue:$result);
  let assemblyFormat = [{
    $source (`[` $indices^ `]`)? `:`
    $source_encoding (`` `{` $source_encoding_dims^ `}`)? `in`
    type($source) `` `{` $source_size `}` `->` type($result) attr-dict-with-keyword
  }];
}

def Stream_TensorStoreOp : Stream_PureOp<"tensor.store", [
  AllTypesMatch<["target", "result"]>, AttrSizedOperandSegments,
  DimsOf<"target_encoding", "target_encoding_dims">
]> {
  let summary = "The staged tensor after an element was set, on the host";
  let arguments = (ins
    Stream_StagingResource:$target,
    TypeAttr:$target_encoding,
    Variadic<Index>:$target_encoding_dims,
    Index:$target_size,
    Variadic<Index>:$indices,
    Stream_HostValue:$value
  );
  let results = (outs Stream_StagingResource:$result);
  let assemblyFormat = [{
    $value `,` $target (`[` $indices^ `]`)? `:` type($value) `->`
    $target_encoding (`` `{` $target_encoding_dims^ `}`)? `in`
    custom<ShapedTiedResult>(ref($target), type($target), $target_size) attr-dict-with-keyword
  }];
}

def Stream_TensorTraceOp : Stream_Op<"tensor.trace", [
  AttrSizedOperandSegments, Stream_Uses<"resources", ["staging_read"]>,
  DimsOf<"resource_encodings", "resource_encoding_dims">
]> {
  let summary = "Shows staged tensors to whoever watches the program, under a title";
  let arguments = (ins
    StrAttr:$key,
    Variadic<Stream_StagingResource>:$resources,
    Variadic<Index>:$resource_sizes,
    TypeArrayAttr:$resource_encodings,
    Variadic<Index>:$resource_encoding_dims
  );
  let assemblyFormat = [{
    $key `=` `[`
    custom<EncodedResourceOperands>($resources, type($resources), $resource_sizes,
                                    $resource_encodings, $resource_encoding_dims)
    `]` attr-dict-with-keyword
  }];
}
