// The `affine` dialect: index arithmetic by affine maps.

#ifndef TEGULA_AFFINE_TD
#define TEGULA_AFFINE_TD

include "tegula/OpBase.td"

def Affine_Dialect : Dialect {
  let name = "affine";
  let summary = "Index arithmetic by affine maps";
  let dependentDialects = ["arith", "ub"];
}

class Affine_Op<string mnemonic, list<Trait> traits = []> : Op<Affine_Dialect, mnemonic, traits>;

def AffineApplyOp : Affine_Op<"apply", [Pure]> {
  let summary = "The value of a map with one result";
  let arguments = (ins AffineMapAttr:$map, Variadic<Index>:$mapOperands);
  let results = (outs Index:$result);
  let customFormat = "apply";
  let verifier = "apply";
  let folder = "apply";
}

class AffineMinMaxOp<string mnemonic> : Affine_Op<mnemonic, [Pure]> {
  let arguments = (ins AffineMapAttr:$map, Variadic<Index>:$operands);
  let results = (outs Index:$result);
  let customFormat = "min_max";
  let verifier = "min_max";
  let folder = mnemonic;
}
def AffineMinOp : AffineMinMaxOp<"min"> {
  let summary = "The least of a map's results";
}
def AffineMaxOp : AffineMinMaxOp<"max"> {
  let summary = "The greatest of a map's results";
}

def AffineForOp : Affine_Op<"for", [
  AttrSizedOperandSegments, AutomaticAllocationScope, ConditionallySpeculatable,
  LoopLikeOpInterface, RecursiveMemoryEffects, RegionBranchOpInterface,
  SingleBlockImplicitTerminator<"affine.yield">
]> {
  let summary = "A loop whose bounds are affine maps";
  let arguments = (ins Variadic<Index>:$lowerBoundOperands,
                       Variadic<Index>:$upperBoundOperands,
                       Variadic<AnyType>:$inits,
                       AffineMapAttr:$lowerBoundMap,
                       AffineMapAttr:$upperBoundMap,
                       IndexAttr:$step);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$region);
  let customFormat = "for";
}

def AffineYieldOp : Affine_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "Hands values to the op around";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

def AffineDelinearizeIndexOp : Affine_Op<"delinearize_index", [Pure]> {
  let summary = "Splits an index by a basis";
  let description = [{
    The basis has one entry fewer than there are results, or as many; then the first is a bound.
  }];
  let arguments = (ins Index:$linear_index,
                       Variadic<Index>:$dynamic_basis,
                       DenseI64ArrayAttr:$static_basis);
  let results = (outs Variadic<Index>:$multi_index);
  let assemblyFormat = [{
    $linear_index `into` custom<BasisList>($dynamic_basis, $static_basis)
    attr-dict `:` type($multi_index)
  }];
  let verifier = "delinearize_index";
}

def AffineLinearizeIndexOp
    : Affine_Op<"linearize_index", [AttrSizedOperandSegments, Pure]> {
  let summary = "Joins indices by a basis";
  let arguments = (ins Variadic<Index>:$multi_index,
                       Variadic<Index>:$dynamic_basis,
                       DenseI64ArrayAttr:$static_basis,
                       UnitAttr:$disjoint);
  let results = (outs Index:$linear_index);
  let assemblyFormat = [{
    (`disjoint` $disjoint^)? ` ` `[` $multi_index `]` `by`
    custom<BasisList>($dynamic_basis, $static_basis) attr-dict `:` type($linear_index)
  }];
  let verifier = "linearize_index";
}

include "affine/patterns.td"

#endif // TEGULA_AFFINE_TD
