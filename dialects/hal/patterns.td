// Canonicalizations that know both `hal` and `stream`.

include "tegula/Patterns.td"

// A fence that only says when another one is reached is that one.
def ChainOfImportedFence
    : Pattern<"canonicalize",
              (Stream_TimepointChainExternalOp
                 (Stream_TimepointImportOp (values (typed $fence, HAL_Fence)), ?),
                 (values (HAL_FenceCreateOp:$chained ?, ?)), ?),
              [(replaceOp $chained, $fence), (erase)]>;
