// Tensors whose rows have different lengths.

def IREETensorExt_RaggedShapeAttr
    : AttrDef<IREETensorExt_Dialect, "RaggedShape", [
        NativeAttrTrait<"MemRefLayoutAttrInterface">, NativeAttrTrait<"SparseShapeAttrInterface">
      ]> {
  let mnemonic = "ragged_shape";
  let summary = "Dimension `raggedRow + 1` is as long as the row says, which `raggedRow` counts";
  let parameters = (ins AttrParameter<"int">:$raggedRow);
  let assemblyFormat = "`<` $raggedRow `>`";
  let encodingVerifier = "ragged_shape";
}

def IREETensorExt_SparseIterationDimsAttr
    : AttrDef<IREETensorExt_Dialect, "SparseIterationDims"> {
  let mnemonic = "sparse_iteration_dims";
  let summary = "The dimensions of a loop that go through sparse dimensions";
  let parameters = (ins ArrayRefParameter<"int">:$sparseIterationDims);
  let assemblyFormat = "`<` `[` $sparseIterationDims `]` `>`";
}

def IREETensorExt_Shaped : AnyTypeOf<[AnyRankedTensor, AnyMemRef]>;

def IREETensorExt_CastToRaggedShapeOp
    : IREETensorExt_PureOp<"cast_to_ragged_shape", [AttrSizedOperandSegments]> {
  let summary = "Reads a dimension as rows of different lengths";
  let description = [{
    Row `i` holds what `raggedDim` of the source has from `columnLengths[i]` to
    `columnLengths[i + 1]`. The number of rows is `numRaggedRows`, or follows from the static shape
    of `columnLengths`.
  }];
  let arguments = (ins
    IREETensorExt_Shaped:$source,
    IndexAttr:$raggedDim,
    IREETensorExt_Shaped:$columnLengths,
    Optional<Index>:$numRaggedRows,
    Variadic<Index>:$sourceDynamicDims
  );
  let results = (outs IREETensorExt_Shaped:$result);
  let assemblyFormat = [{
    $source `ragged_dim` `(` $raggedDim `)` `column_lengths` `(` $columnLengths `)`
    (`num_ragged_rows` `(` $numRaggedRows^ `)`)? attr-dict `:`
    `(` type($source) (`{` $sourceDynamicDims^ `}`)? `,` type($columnLengths) `)` `->` type($result)
  }];
  let verifier = "cast_to_ragged_shape";
}

def IREETensorExt_LinearizeRaggedDimsOp
    : IREETensorExt_PureOp<"linearize_ragged_dims"> {
  let summary = "Reads rows of different lengths one after the other as one dimension";
  let arguments = (ins IREETensorExt_Shaped:$source, Variadic<Index>:$resultDynamicDims);
  let results = (outs IREETensorExt_Shaped:$result);
  let assemblyFormat = [{
    $source attr-dict `:` type($source) `->` type($result) (`{` $resultDynamicDims^ `}`)?
  }];
  let verifier = "linearize_ragged_dims";
}
