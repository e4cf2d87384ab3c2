// `stream.tensor.*`: work on resources that still knows the tensors in them.

def Stream_TensorImportOp : Stream_PureOp<"tensor.import"> {
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

def Stream_TensorExportOp : Stream_PureOp<"tensor.export"> {
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

def Stream_TensorSizeOfOp : Stream_PureOp<"tensor.sizeof"> {
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

def Stream_TensorEmptyOp : Stream_PureOp<"tensor.empty"> {
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

def Stream_TensorSplatOp : Stream_PureOp<"tensor.splat"> {
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

class Stream_TensorRecastOp<string mnemonic>
    : Stream_PureOp<mnemonic, [AttrSizedOperandSegments]> {
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

def Stream_TensorCloneOp : Stream_TensorRecastOp<"tensor.clone"> {
  let summary = "A copy of a tensor, in row-major order";
}

def Stream_TensorEncodeOp : Stream_TensorRecastOp<"tensor.encode"> {
  let summary = "The same elements in another encoding";
}

def Stream_TensorDispatchOp : Stream_PureOp<"tensor.dispatch", [AttrSizedOperandSegments]> {
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
    OptionalAttr<Stream_TiedOperandsAttr>:$tied_operands,
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
}
