// The `linalg` dialect: structured ops on tensors and memrefs.

#ifndef TEGULA_LINALG_TD
#define TEGULA_LINALG_TD

include "tegula/OpBase.td"
include "tegula/Passes.td"
include "tegula/Patterns.td"
include "arith/arith.td"
include "tensor/tensor.td"

def Linalg_Dialect : Dialect {
  let name = "linalg";
  let summary = "Structured ops on tensors and memrefs";
  let description = [{
    A structured op is a perfect loop nest: indexing maps take its iteration space to its operands,
    iterator types say which dimensions are parallel, and a region computes one iteration. Named ops
    know all three from their name; `linalg.generic` spells them out.
  }];
  let dependentDialects = ["affine", "arith", "memref", "tensor"];
}

include "linalg/attrs.td"
include "linalg/structured.td"
include "linalg/relayout.td"
include "linalg/patterns.td"
include "linalg/unit_dims.td"
include "linalg/operands.td"
include "linalg/passes.td"

#endif // TEGULA_LINALG_TD
