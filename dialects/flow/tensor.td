// `flow.tensor.*`: tensors between dispatches. Dynamic dimensions stand in braces after a type.

//===-- Contents that are known ---------------------------------------------------------------------

def Flow_TensorConstantOp
    : Flow_PureOp<"tensor.constant", [ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "A tensor whose elements the compiler knows, or that is a parameter";
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "attr-dict $value";
}

def Flow_TensorDynamicConstantOp : Flow_Op<"tensor.dynamic_constant"> {
  let summary = "A constant whose sizes are treated as if nobody knew them";
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "attr-dict $value `->` type($result)";
}

def Flow_TensorAllocaOp : Flow_Op<"tensor.alloca", [
  DimsOf<"result", "result_dims">, MemoryEffects<[MemAlloc]>
]> {
  let summary = "Storage of a tensor, with contents that are not defined";
  let arguments = (ins Variadic<Index>:$result_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "`:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword";
}

def Flow_TensorEmptyOp : Flow_PureOp<"tensor.empty", [DimsOf<"result", "result_dims">]> {
  let summary = "A tensor whose elements are not defined";
  let arguments = (ins Variadic<Index>:$result_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "`:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword";
}

def Flow_TensorSplatOp : Flow_PureOp<"tensor.splat", [
  DimsOf<"result", "result_dims">,
  TypesMatchWith<"value type matches element type of result", "result", "value", ElementTypeOf>
]> {
  let summary = "A tensor all of whose elements are one value";
  let arguments = (ins AnyType:$value, Variadic<Index>:$result_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $value `:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword
  }];
}

//===-- The same elements ---------------------------------------------------------------------------

def Flow_TensorTieShapeOp : Flow_PureOp<"tensor.tie_shape", [
  AllTypesMatch<["operand", "result"]>, DimsOf<"operand", "dynamic_dims">,
  DimsOf<"result", "dynamic_dims">
]> {
  let summary = "Says which values are the dynamic dimensions of a tensor";
  let arguments = (ins AnyRankedTensor:$operand, Variadic<Index>:$dynamic_dims);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result) (`{` $dynamic_dims^ `}`)?";
}

class Flow_TensorCastOp<string mnemonic, list<Trait> traits>
    : Flow_PureOp<mnemonic, !listconcat(traits, [
  AttrSizedOperandSegments, DimsOf<"source", "source_dims">, DimsOf<"result", "result_dims">,
  TiedResult<"result", "source">
])> {
  let arguments = (ins
    AnyRankedTensor:$source,
    Variadic<Index>:$source_dims,
    Variadic<Index>:$result_dims
  );
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `:` type($source) (`{` $source_dims^ `}`)? `->` type($result)
    (`{` $result_dims^ `}`)? attr-dict-with-keyword
  }];
}
def Flow_TensorReshapeOp
    : Flow_TensorCastOp<"tensor.reshape", [AllElementTypesMatch<["source", "result"]>]> {
  let summary = "Reads the same elements in row-major order with another shape";
}
def Flow_TensorBitCastOp : Flow_TensorCastOp<"tensor.bitcast", []> {
  let summary = "Reads the same bits as elements of another type";
}

def Flow_TensorEncodeOp : Flow_PureOp<"tensor.encode", [
  AttrSizedOperandSegments, DimsOf<"operand", "operand_dims">, DimsOf<"result", "result_dims">
]> {
  let summary = "Changes the encoding of a tensor";
  let description = [{
    The result holds the same elements; only the encoding in its type differs.
  }];
  let arguments = (ins
    AnyRankedTensor:$operand,
    Variadic<Index>:$operand_dims,
    Variadic<Index>:$result_dims
  );
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $operand `:` type($operand) (`{` $operand_dims^ `}`)? `->` type($result)
    (`{` $result_dims^ `}`)? attr-dict-with-keyword
  }];
  let verifier = "tensor_encode";
}

class Flow_TensorCopyOp<string mnemonic, list<Trait> traits = []>
    : Flow_PureOp<mnemonic, !listconcat(traits, [
  AllTypesMatch<["operand", "result"]>, DimsOf<"operand", "operand_dims">,
  DimsOf<"result", "operand_dims">
])> {
  let arguments = (ins AnyRankedTensor:$operand, Variadic<Index>:$operand_dims);
  let results = (outs AnyRankedTensor:$result);
}
def Flow_TensorCloneOp : Flow_TensorCopyOp<"tensor.clone"> {
  let summary = "A copy of a tensor";
  let assemblyFormat = [{
    $operand `:` type($result) (`{` $operand_dims^ `}`)? attr-dict-with-keyword
  }];
}
def Flow_TensorBarrierOp
    : Flow_TensorCopyOp<"tensor.barrier", [TiedResult<"result", "operand">]> {
  let summary = "The tensor where it has to be";
  let arguments = (ins AnyRankedTensor:$operand, Variadic<Index>:$operand_dims, AnyAttr:$target);
  let assemblyFormat = [{
    $operand `:` type($result) (`{` $operand_dims^ `}`)? `on` $target attr-dict-with-keyword
  }];
}
def Flow_TensorTransferOp : Flow_TensorCopyOp<"tensor.transfer"> {
  let summary = "The tensor in another place, copied where that is needed";
  let arguments = (ins AnyRankedTensor:$operand, Variadic<Index>:$operand_dims, AnyAttr:$target);
  let assemblyFormat = [{
    $operand `:` type($result) (`{` $operand_dims^ `}`)? `to` $target attr-dict-with-keyword
  }];
}

//===-- Parts of tensors ----------------------------------------------------------------------------

def Flow_TensorSliceOp : Flow_PureOp<"tensor.slice", [
  AllElementTypesMatch<["source", "result"]>, AttrSizedOperandSegments,
  DimsOf<"source", "source_dims">, DimsOf<"result", "result_dims">
]> {
  let summary = "A copy of a part of a tensor";
  let arguments = (ins
    AnyRankedTensor:$source,
    Variadic<Index>:$source_dims,
    Variadic<Index>:$start_indices,
    Variadic<Index>:$lengths,
    Variadic<Index>:$result_dims
  );
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `[` $start_indices `for` $lengths `]` `:` type($source) (`{` $source_dims^ `}`)? `->`
    type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword
  }];
  let folder = "tensor_slice";
}

def Flow_TensorUpdateOp : Flow_PureOp<"tensor.update", [
  AllElementTypesMatch<["update", "target"]>, AllTypesMatch<["target", "result"]>,
  AttrSizedOperandSegments, DimsOf<"target", "target_dims">, DimsOf<"update", "update_dims">,
  DimsOf<"result", "target_dims">, TiedResult<"result", "target">
]> {
  let summary = "The tensor after another one was written over a part of it";
  let arguments = (ins
    AnyRankedTensor:$target,
    Variadic<Index>:$target_dims,
    Variadic<Index>:$start_indices,
    AnyRankedTensor:$update,
    Variadic<Index>:$update_dims
  );
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $update `,` $target `[` $start_indices `]` `:` type($update) (`{` $update_dims^ `}`)? `->`
    custom<ShapedTiedResult>(ref($target), type($target), $target_dims) attr-dict-with-keyword
  }];
  let folder = "tensor_update";
}

def Flow_TensorLoadOp : Flow_PureOp<"tensor.load", [
  TypesMatchWith<"value type matches element type of source", "source", "result", ElementTypeOf>,
  AttrSizedOperandSegments, DimsOf<"source", "source_dims">
]> {
  let summary = "An element of a tensor";
  let arguments = (ins
    AnyRankedTensor:$source,
    Variadic<Index>:$source_dims,
    Variadic<Index>:$indices
  );
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $source (`[` $indices^ `]`)? `:` type($source) (`{` $source_dims^ `}`)? attr-dict-with-keyword
  }];
  let folder = "tensor_load";
  let verifier = "tensor_element";
}

def Flow_TensorStoreOp : Flow_PureOp<"tensor.store", [
  AllTypesMatch<["target", "result"]>,
  TypesMatchWith<"value type matches element type of target", "target", "value", ElementTypeOf>,
  AttrSizedOperandSegments, DimsOf<"target", "target_dims">, DimsOf<"result", "target_dims">
]> {
  let summary = "The tensor after an element was set";
  let arguments = (ins
    AnyType:$value,
    AnyRankedTensor:$target,
    Variadic<Index>:$target_dims,
    Variadic<Index>:$indices
  );
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $value `,` $target (`[` $indices^ `]`)? `:` type($target) (`{` $target_dims^ `}`)?
    attr-dict-with-keyword
  }];
  let folder = "tensor_store";
  let verifier = "tensor_element";
}

def Flow_TensorTraceOp : Flow_Op<"tensor.trace", [
  AttrSizedOperandSegments, DimsOf<"values", "value_dims">
]> {
  let summary = "Shows tensors to whoever watches the program, under a title";
  let arguments = (ins
    StrAttr:$key,
    Variadic<AnyRankedTensor>:$values,
    Variadic<Index>:$value_dims
  );
  let assemblyFormat = [{
    $key `=` `[` custom<ShapedOperandList>($values, type($values), $value_dims) `]`
    attr-dict-with-keyword
  }];
}
