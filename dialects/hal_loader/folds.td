// Canonicalizations.

include "tegula/Patterns.td"

// A dispatch on subspans is one on ranges of what the subspans are of.
def DispatchOfSubspans
    : Pattern<"canonicalize",
        (HALLoader_ExecutableDispatchOp:$dispatch ?, ?, ?, ?, ?, ?, $buffers, $offsets, ?),
        [(setOperand $dispatch, "binding_offsets", (map (each $b, $buffers), (each $o, $offsets),
           (switch (case (matches $b, (Util_BufferSubspanOp ?, ?, $start, ?)),
                         (createOrFold (Arith_AddIOp $start, $o, ?))),
                   (default $o)))),
         (setOperand $dispatch, "binding_buffers", (map (each $b, $buffers),
           (switch (case (matches $b, (Util_BufferSubspanOp $whole, (rest))), $whole),
                   (default $b))))],
        [(some (each $b, $buffers), (matches $b, (Util_BufferSubspanOp (rest))))]>;
