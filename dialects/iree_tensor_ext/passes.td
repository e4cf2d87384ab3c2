// Passes on the ops that dispatches share.

include "tegula/Passes.td"

def TestSparseOpInterfaceMethodsPass
    : Pass<"iree-tensor-ext-test-sparse-op-interface-methods"> {
  let summary = "Shows what loops over ragged rows and accesses to them become";
  let description = [{
    Each option shows one thing. Loops are the dimensions of an `scf.forall` that are listed as
    sparse; the range of an access stands in a `test.range`, offset, size and stride of each
    dimension after the other.
  }];
  let options = [
    Option<"testLowerLoopRange", "test-lower-loop-range", "bool", "false",
           "loops over just the rows and columns that are there">,
    Option<"testGetEstimatedLoopRange", "test-get-estimated-loop-range", "bool", "false",
           "loops over as many columns as rows have on average">,
    Option<"testResolveRange", "test-resolve-range", "bool", "false",
           "the range in what is read as rows">,
    Option<"testGetDistributionInfo", "test-get-distribution-info", "bool", "false",
           "which sparse dimensions workgroups may share">
  ];
}
