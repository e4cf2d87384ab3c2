// The `arith` dialect: arithmetic on integers, indices and floats, and element by element on
// vectors and tensors of them.

#ifndef TEGULA_ARITH_TD
#define TEGULA_ARITH_TD

include "tegula/OpBase.td"

def Arith_Dialect : Dialect {
  let name = "arith";
  let summary = "Arithmetic on integers, indices and floats";
  let description = [{
    Integers carry no sign; ops whose result depends on one come in a signed and an unsigned
    version. What an op leaves undefined (a division by zero, a signed division that overflows) is
    never folded. Floats follow IEEE 754 with rounding to nearest even.
  }];
  let dependentDialects = ["ub"];
}

include "arith/enums.td"
include "arith/integer.td"
include "arith/float.td"
include "arith/cast.td"
include "arith/compare.td"
include "arith/patterns.td"

#endif // TEGULA_ARITH_TD
