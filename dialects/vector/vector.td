// The `vector` dialect: vectors of any rank, and their traffic with memory.

#ifndef TEGULA_VECTOR_TD
#define TEGULA_VECTOR_TD

include "tegula/OpBase.td"

def Vector_Dialect : Dialect {
  let name = "vector";
  let summary = "Vectors of any rank, and their traffic with memory";
  let dependentDialects = ["arith", "ub"];
}

class Vector_Op<string mnemonic, list<Trait> traits = []> : Op<Vector_Dialect, mnemonic, traits>;
class Vector_PureOp<string mnemonic, list<Trait> traits = []>
    : Vector_Op<mnemonic, !listconcat(traits, [Pure])>;

// May stand in a `vector.mask`.
def MaskableOpInterface : OpInterface<"MaskableOpInterface">;

include "vector/attrs.td"
include "vector/memory.td"
include "vector/shape.td"
include "vector/compute.td"
include "vector/patterns.td"

#endif // TEGULA_VECTOR_TD
