// The `ub` dialect: undefined behaviour made explicit.

#ifndef TEGULA_UB_TD
#define TEGULA_UB_TD

include "tegula/OpBase.td"

def UB_Dialect : Dialect {
  let name = "ub";
  let summary = "Undefined behaviour made explicit";
}

def UB_PoisonAttr : AttrDef<UB_Dialect, "Poison"> {
  let mnemonic = "poison";
  let summary = "The value of an erroneous computation";
}

def UB_PoisonOp : Op<UB_Dialect, "poison", [ConstantLike, Pure]> {
  let summary = "A value that no correct program looks at";
  let description = [{
    Each use may see another value. The evaluator gives zero.
  }];
  let arguments = (ins DefaultValuedAttr<UB_PoisonAttr, "#ub.poison">:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict (`<` $value^ `>`)? `:` type($result)";
  let folder = "poison";
}

def UB_UnreachableOp : Op<UB_Dialect, "unreachable", [Terminator]> {
  let summary = "Control never arrives here";
  let assemblyFormat = "attr-dict";
}

#endif // TEGULA_UB_TD
