//===- passes.td: the way from loops and native vectors to instructions -----===//

#ifndef NEON_PASSES_TD
#define NEON_PASSES_TD

include "tegula/Passes.td"

def NeonLowerStructurePass : Pass<"tegula-neon-lower-structure", "func.func"> {
  let summary = "Loops become blocks and branches, memrefs become addresses";
  let description = [{
    Addresses are linear forms of loop counters; those that differ by a constant
    share a pointer, which the loop carries. Values stay as they are, behind
    casts.
  }];
}
def NeonSelectPass : Pass<"tegula-neon-select", "func.func"> {
  let summary = "Selects instructions for the remaining values by patterns";
  let body = Conversion<["neon-select"], legal = ["neon", "func", "builtin"],
                        illegal = ["arith", "vector"], converter = "neon-types">;
}
def NeonCombinePass : Pass<"tegula-neon-combine", "func.func"> {
  let summary = "Takes instructions that do the work of several";
  let body = GreedyRewrite<["neon-combine"]>;
}
def NeonFinishPass : Pass<"tegula-neon-finish", "func.func"> {
  let summary = "Removes dead values, counts loops down, pairs loads and stores";
}

#endif
