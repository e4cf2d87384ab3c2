// From `memref`: accesses to flat memory are accesses to a buffer, in bytes.

class VMVX_FromMemRef<dag source, list<dag> steps, list<dag> conditions = []>
    : ConversionPattern<"memref-to-util", source, steps, conditions>;

// The bytes of a value of a type, and of so many of them.
def VMVX_Bytes : Function<(params $type), (createOrFold (Util_SizeOfOp (typeAttr $type)))>;
def VMVX_BytesOf : Function<(params $type, $count),
    (createOrFold (Arith_MulIOp (VMVX_Bytes $type), $count))>;
def VMVX_SizeOf : Function<(params $buffer), (createOrFold (Util_BufferSizeOp $buffer))>;
// The bytes of all of a memref, and before an element of it.
def VMVX_SizeOfMemRef : Function<(params $type, $dynamic), (switch
    (case (VMVX_Element $type), (VMVX_Bytes (elementType $type))),
    (default (VMVX_BytesOf (elementType $type),
                           (item (dims $type, $dynamic, Arith_ConstantOp), 0))))>;
def VMVX_OffsetOf : Function<(params $type, $indices), (switch
    (case (VMVX_Element $type), (Arith_ConstantOp (attr "0 : index"))),
    (default (VMVX_BytesOf (elementType $type), (item $indices, 0))))>;

class VMVX_ConvertAlloc<Op op>
    : VMVX_FromMemRef<(op:$alloc $dynamic, (values), ?),
                      [(replace (Util_BufferAllocOp (VMVX_SizeOfMemRef $type, $dynamic), ?))],
                      [(bind (typeOf $alloc):$type), (VMVX_FlatMemRef $type)]>;
def ConvertAlloc : VMVX_ConvertAlloc<MemRef_AllocOp>;
def ConvertAlloca : VMVX_ConvertAlloc<MemRef_AllocaOp>;
def ConvertDealloc
    : VMVX_FromMemRef<(MemRef_DeallocOp (typed $memref, VMVX_FlatMemRef)),
                      [(Util_BufferDeallocOp $memref, (VMVX_SizeOf $memref)), (erase)]>;

def ConvertLoad
    : VMVX_FromMemRef<(MemRef_LoadOp:$load (typed $memref, VMVX_FlatMemRef:$type), $indices, (rest)),
                      [(replace (Util_BufferLoadOp
                          $memref, (VMVX_SizeOf $memref), (VMVX_OffsetOf $type, $indices),
                          (VMVX_Bytes (elementType $type)), (types (typeOf $load))))]>;
def ConvertStore
    : VMVX_FromMemRef<(MemRef_StoreOp $value, (typed $memref, VMVX_FlatMemRef:$type), $indices,
                                      (rest)),
                      [(Util_BufferStoreOp
                          $value, $memref, (VMVX_SizeOf $memref), (VMVX_OffsetOf $type, $indices),
                          (VMVX_Bytes (elementType $type))),
                       (erase)]>;
def ConvertDim
    : VMVX_FromMemRef<(MemRef_DimOp (typed $memref, VMVX_FlatMemRef:$type), ?),
                      [(replace (Arith_FloorDivSIOp (Util_BufferSizeOp $memref),
                                                    (VMVX_Bytes (elementType $type))))]>;

// What only tells of memory.
def ConvertAssumeAlignment
    : VMVX_FromMemRef<(MemRef_AssumeAlignmentOp $memref, ?), [(replace $memref)]>;
def ConvertCast : VMVX_FromMemRef<(MemRef_CastOp $memref), [(replace $memref)]>;
