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
// What earlier passes take apart, and what no dispatch needs so far.
class NotSelected {
  list<string> names = [
    "arith.addui_extended", "arith.bitcast", "arith.ceildivsi", "arith.ceildivui", "arith.cmpf",
    "arith.extf", "arith.extsi", "arith.floordivsi", "arith.fptosi", "arith.fptoui",
    "arith.maxnumf", "arith.minnumf", "arith.mulsi_extended", "arith.mului_extended",
    "arith.remf", "arith.scaling_extf", "arith.scaling_truncf", "arith.sitofp", "arith.truncf",
    "arith.trunci", "arith.uitofp",
    "vector.bitcast", "vector.constant_mask", "vector.contract", "vector.create_mask",
    "vector.extract_strided_slice", "vector.from_elements", "vector.insert_strided_slice",
    "vector.interleave", "vector.load", "vector.mask", "vector.maskedload", "vector.maskedstore",
    "vector.multi_reduction", "vector.outerproduct", "vector.reduction", "vector.shape_cast",
    "vector.step", "vector.store", "vector.to_elements", "vector.transfer_read",
    "vector.transfer_write", "vector.transpose", "vector.yield"
  ];
}
def NeonSelectPass : Pass<"tegula-neon-select", "func.func"> {
  let summary = "Selects instructions for the remaining values by patterns";
  let body = Conversion<["neon-select"], legal = ["neon", "func", "builtin"],
                        illegal = ["arith", "vector"], converter = "neon-types",
                        unconverted = NotSelected<>.names>;
}
def NeonCombinePass : Pass<"tegula-neon-combine", "func.func"> {
  let summary = "Takes instructions that do the work of several";
  let body = GreedyRewrite<["neon-combine"]>;
}
def NeonFinishPass : Pass<"tegula-neon-finish", "func.func"> {
  let summary = "Removes dead values, counts loops down, pairs loads and stores";
}

#endif
