// The `llvm` dialect: LLVM IR as MLIR writes it.

#ifndef TEGULA_LLVM_TD
#define TEGULA_LLVM_TD

include "tegula/OpBase.td"

def LLVM_Dialect : Dialect {
  let name = "llvm";
  let summary = "LLVM IR";
  let description = [{
    Programs of other compilers in the form that is next to LLVM IR. They are read, verified and
    printed here, and simplified as far as their traits say; nothing is lowered to them or from
    them.
  }];
}

class LLVM_Op<string mnemonic, list<Trait> traits = []> : Op<LLVM_Dialect, mnemonic, traits>;

include "enums.td"
include "types.td"
include "attrs.td"
include "loops.td"
include "arith.td"
include "values.td"
include "memory.td"
include "control.td"
include "calls.td"
include "symbols.td"
include "intrinsics.td"
include "vp.td"

#endif // TEGULA_LLVM_TD
