// Passes.

def GeneralizeLinalgNamedOpsPass : Pass<"iree-global-opt-generalize-linalg-named-ops"> {
  let summary = "Rewrites named structured ops as `linalg.generic`";
  let description = [{
    Contractions, copies, transpositions and broadcasts. `linalg.fill` stays, for later passes look
    for it.
  }];
  let body = GreedyRewrite<["linalg-generalize"]>;
}
