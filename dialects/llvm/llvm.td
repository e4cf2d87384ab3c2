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

include "llvm/enums.td"
include "llvm/types.td"
include "llvm/attrs.td"
include "llvm/loops.td"
include "llvm/arith.td"
include "llvm/values.td"
include "llvm/memory.td"
include "llvm/control.td"
include "llvm/calls.td"
include "llvm/symbols.td"
include "llvm/intrinsics.td"
include "llvm/vp.td"

#endif // TEGULA_LLVM_TD
