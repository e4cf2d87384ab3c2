// Folds and canonicalizations.

include "tegula/Patterns.td"

// The op that makes a buffer says how long it is.
def LengthOfBuffer : Fold<(HALInline_BufferLengthOp $buffer), [(fold (sizeOf $buffer))]>;

// The storage of a new buffer came with it.
class HALInline_StorageOf<dag made>
    : Fold<(HALInline_BufferStorageOp (result made, 0)), [(fold (result $made, 1))]>;
def StorageOfAllocated : HALInline_StorageOf<(HALInline_BufferAllocateOp:$made (rest))>;
def StorageOfInitialized
    : HALInline_StorageOf<(HALInline_BufferAllocateInitializedOp:$made (rest))>;

// A view of a subspan is a view of the buffer, further on.
def ViewOfSubspan
    : Pattern<"canonicalize",
              (HALInline_BufferViewCreateOp:$view
                 (HALInline_BufferSubspanOp $buffer, $start, ?), $offset, (rest)),
              [(setOperand $view, "source_buffer", $buffer),
               (setOperand $view, "source_offset",
                           (createOrFold (Arith_AddIOp $start, $offset, ?)))]>;

// A view shows the buffer that it was made of.
def BufferOfView
    : Fold<(HALInline_BufferViewBufferOp (HALInline_BufferViewCreateOp $buffer, (rest))),
           [(fold $buffer)]>;
