// Passes.

def GeneralizeLinalgNamedOpsPass : Pass<"iree-global-opt-generalize-linalg-named-ops"> {
  let summary = "Rewrites named structured ops as `linalg.generic`";
}
