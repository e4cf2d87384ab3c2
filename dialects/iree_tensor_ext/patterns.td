// Folds and canonicalizations of `iree_tensor_ext` ops.

include "tegula/Patterns.td"

//===-- Bitcasts ------------------------------------------------------------------------------------

def BitCastOfSame
    : Fold<(IREETensorExt_BitCastOp:$cast $x, $from, $to), [(fold $x)],
           [(same (elementType (typeOf $x)), (elementType (typeOf $cast))),
            (predicate "util_same_shape", (typeOf $x), $from, (typeOf $cast), $to)]>;
// Elements that nobody may look at have no bits.
def BitCastOfEmpty
    : Pattern<"canonicalize",
              (IREETensorExt_BitCastOp:$cast (Tensor_EmptyOp ?), ?, $dims),
              [(replace (Tensor_EmptyOp $dims, (types (typeOf $cast))))]>;
def BitCastOfBitCast
    : Pattern<"canonicalize",
              (IREETensorExt_BitCastOp:$cast (IREETensorExt_BitCastOp $x, $dims, ?), ?, $to),
              [(replace (IREETensorExt_BitCastOp $x, $dims, $to, (types (typeOf $cast))))]>;
// What a cast forgets of the shape is known behind the bitcast.
def BitCastOfCast
    : NativePattern<"canonicalize", IREETensorExt_BitCastOp, "tensor_ext_bitcast_of_cast">;

//===-- Slices of dispatch tensors ------------------------------------------------------------------

def LoadWithTiedDims
    : Pattern<"canonicalize", (IREETensorExt_DispatchTensorLoadOp:$load $source, $dims, (rest)),
              [(setOperand $load, "source_dims", $known)],
              [(bind (compute "util_dims_of", $source, $load):$known),
               (unless (same $known, $dims))]>;
def StoreWithTiedDims
    : Pattern<"canonicalize", (IREETensorExt_DispatchTensorStoreOp:$store ?, $target, $dims, (rest)),
              [(setOperand $store, "target_dims", $known)],
              [(bind (compute "util_dims_of", $target, $store):$known),
               (unless (same $known, $dims))]>;
def LoadAtConstants
    : NativePattern<"canonicalize", IREETensorExt_DispatchTensorLoadOp, "tensor_ext_load_constants">;
def StoreAtConstants
    : NativePattern<"canonicalize", IREETensorExt_DispatchTensorStoreOp,
                    "tensor_ext_store_constants">;
def StoreOfCast
    : Pattern<"canonicalize",
              (IREETensorExt_DispatchTensorStoreOp:$store (Tensor_CastOp $value):$cast, ?, ?, ?, ?, ?,
                                                          ?, $sizes, ?),
              [(setOperand $store, "value", $value)],
              [(predicate "tensor_ext_knows_more", (typeOf $value), (typeOf $cast), $sizes)]>;
// Dropped dimensions have a static size.
def DimOfLoad
    : Fold<(Tensor_DimOp (IREETensorExt_DispatchTensorLoadOp ?, ?, ?, $sizes, (rest)):$load,
                         (ConstantLike $index)),
           [(fold (item $sizes, (compute "util_dynamic_dim", (typeOf $load), $index)))],
           [(eq (count $sizes),
                (count (filter (each $size, (shape (typeOf $load))), (lt $size, 0))))]>;

//===-- Workloads -----------------------------------------------------------------------------------

// A constant is no part of the workload.
def OrdinalOfConstant
    : Fold<(IREETensorExt_DispatchWorkloadOrdinalOp (ConstantLike ?):$x, ?), [(fold $x)]>;
def OrdinalOfSame
    : Fold<(IREETensorExt_DispatchWorkloadOrdinalOp
              (IREETensorExt_DispatchWorkloadOrdinalOp $x, $ordinal), $ordinal), [(fold $x)]>;
def OrdinalOfArgument
    : NativePattern<"canonicalize", IREETensorExt_DispatchWorkloadOrdinalOp,
                    "tensor_ext_bubble_up_ordinal">;

//===-- Where computation begins and ends -----------------------------------------------------------

def StartOfStart
    : Fold<(IREETensorExt_ComputeBarrierStartOp (IREETensorExt_ComputeBarrierStartOp ?, ?):$x, ?),
           [(fold $x)]>;
def EndOfEnd
    : Fold<(IREETensorExt_ComputeBarrierEndOp (IREETensorExt_ComputeBarrierEndOp ?, ?):$x, ?),
           [(fold $x)]>;
