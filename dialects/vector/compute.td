// Computation and masks.

def Vector_FMAOp : Vector_PureOp<"fma", [
  AllTypesMatch<["lhs", "rhs", "acc", "result"]>, ElementwiseMappable
]> {
  let summary = "Product and sum, rounded once";
  let arguments = (ins VectorOfAnyRankOf<[AnyFloat]>:$lhs,
                       VectorOfAnyRankOf<[AnyFloat]>:$rhs,
                       VectorOfAnyRankOf<[AnyFloat]>:$acc);
  let results = (outs VectorOfAnyRankOf<[AnyFloat]>:$result);
  let assemblyFormat = "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)";
}

def Vector_ContractionOp : Vector_PureOp<"contract", [MaskableOpInterface]> {
  let summary = "Sum of products over shared dimensions, added to an accumulator";
  let description = [{
    The indexing maps take the iteration space to the operands. The order of the sum is open; the
    evaluator adds in ascending order and does not fuse.
  }];
  let arguments = (ins AnyVector:$lhs,
                       AnyVector:$rhs,
                       AnyType:$acc,
                       ArrayAttr:$indexing_maps,
                       ArrayAttr:$iterator_types,
                       DefaultValuedAttr<Vector_CombiningKindAttr, "#vector.kind<add>">:$kind);
  let results = (outs AnyType:$result);
  let customFormat = "contract";
  let verifier = "contract";
}

def Vector_OuterProductOp : Vector_PureOp<"outerproduct", [MaskableOpInterface]> {
  let summary = "All products of two vectors' elements, combined with an accumulator";
  let arguments = (ins AnyVector:$lhs,
                       AnyType:$rhs,
                       Optional<AnyVector>:$acc,
                       DefaultValuedAttr<Vector_CombiningKindAttr, "#vector.kind<add>">:$kind);
  let results = (outs AnyVector:$result);
  let customFormat = "outerproduct";
  let verifier = "outerproduct";
}

def Vector_ReductionOp : Vector_PureOp<"reduction", [MaskableOpInterface]> {
  let summary = "Combines all elements of a vector";
  let arguments = (ins Vector_CombiningKindAttr:$kind,
                       AnyVectorOfAnyRank:$vector,
                       Optional<AnyType>:$acc,
                       DefaultValuedAttr<Vector_FastMathAttr, "#arith.fastmath<none>">:$fastmath);
  let results = (outs AnyType:$dest);
  let customFormat = "reduction";
  let verifier = "reduction";
}

def Vector_MultiDimReductionOp
    : Vector_PureOp<"multi_reduction", [AllTypesMatch<["dest", "acc"]>, MaskableOpInterface]> {
  let summary = "Combines the elements of a vector along some dimensions";
  let arguments = (ins Vector_CombiningKindAttr:$kind,
                       AnyVector:$source,
                       AnyType:$acc,
                       DenseI64ArrayAttr:$reduction_dims);
  let results = (outs AnyType:$dest);
  let assemblyFormat = [{
    $kind `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest)
  }];
  let verifier = "multi_reduction";
}

def Vector_CreateMaskOp : Vector_PureOp<"create_mask"> {
  let summary = "A mask whose bits are set below a bound in each dimension";
  let arguments = (ins Variadic<Index>:$operands);
  let results = (outs VectorOfAnyRankOf<[I1]>:$result);
  let assemblyFormat = "$operands attr-dict `:` type($result)";
  let verifier = "create_mask";
}

def Vector_ConstantMaskOp : Vector_PureOp<"constant_mask"> {
  let summary = "A mask whose bits are set below a constant in each dimension";
  let arguments = (ins DenseI64ArrayAttr:$mask_dim_sizes);
  let results = (outs VectorOfAnyRankOf<[I1]>:$result);
  let assemblyFormat = "$mask_dim_sizes attr-dict `:` type($result)";
  let verifier = "constant_mask";
}

def Vector_MaskOp : Vector_Op<"mask", [
  NoRegionArguments, RecursiveMemoryEffects, SingleBlockImplicitTerminator<"vector.yield">
]> {
  let summary = "Restricts an op to the lanes whose mask bit is set";
  let arguments = (ins VectorOf<[I1]>:$mask, Optional<AnyType>:$passthru);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$maskRegion);
  let customFormat = "mask";
  let verifier = "mask";
}

def Vector_StepOp : Vector_PureOp<"step"> {
  let summary = "0, 1, 2, …";
  let results = (outs VectorOfRankAndType<[1], [Index]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Vector_YieldOp : Vector_PureOp<"yield", [ReturnLike, Terminator]> {
  let summary = "Hands values to the op around";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}
