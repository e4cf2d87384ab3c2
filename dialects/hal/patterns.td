// Canonicalizations of `hal` ops, and those that know both `hal` and `stream`.

include "tegula/Patterns.td"
include "memref/memref.td"

//===-- The border of the program -----------------------------------------------------------------

// What an import waits for, takes over or cuts out would be lost.
def TensorExportOfTensorImport
    : Fold<(HAL_TensorExportOp:$export
              (HAL_TensorImportOp $view, $encoding, ?, (absent), (absent), (absent), ?, ?),
              $encoding, ?, ?, ?),
           [(fold $view)], [(same (typeOf $view), (typeOf $export))]>;
def TensorImportOfTensorExport
    : Fold<(HAL_TensorImportOp:$import
              (HAL_TensorExportOp $tensor, $encoding, ?, ?, ?),
              $encoding, ?, (absent), (absent), (absent), ?, ?),
           [(fold $tensor)], [(same (typeOf $tensor), (typeOf $import))]>;

// Only the last of several storages is used.
def TensorTransientsTwice
    : Pattern<"canonicalize",
              (HAL_TensorTransientsOp:$op (HAL_TensorTransientsOp $x, $dims, ?, ?), ?, ?, ?),
              [(setOperand $op, "source", $x), (setOperand $op, "source_dims", $dims)]>;

// What is joined twice is joined once.
def BarrierOfSameTensors
    : Pattern<"canonicalize", (HAL_TensorBarrierOp $sources, $fence),
              [(bind (unique $sources):$once),
               (bind (HAL_TensorBarrierOp $once, $fence, (types (typeOf $once))):$joined),
               (replace (map (each $s, $sources), (item (map (each $o, $once), (each $j, $joined),
                  (switch (case (same $s, $o), $j), (default (values)))), 0)))],
              [(unless (same (unique $sources), $sources))]>;

// Sizes that all who use the tensor in the same block say are constants.
def ImportOfKnownDims : NativePattern<"canonicalize", HAL_TensorImportOp, "hal_import_dims">;

//===-- Interfaces --------------------------------------------------------------------------------

def DimOfMemory
    : Pattern<"canonicalize", (MemRef_DimOp:$dim $x, (ConstantLike $index)),
              [(replace (item $dims, $at))],
              [(bind (compute "util_dims_of", $x, $dim):$dims),
               (bind (compute "util_dynamic_dim", (typeOf $x), $index):$at)]>;

//===-- Memory ------------------------------------------------------------------------------------

// Devices and queues that are the same wherever the memory comes from.
def SelectOfSame
    : Pattern<"canonicalize", (HAL_AllocatorSelectOp $devices, $queues, (rest)),
              [(replace (item $devices, 0), (item $queues, 0))],
              [(eq (count (unique $devices)), 1), (eq (count (unique $queues)), 1)]>;
class HAL_SelectOfCommon<int at, dag group>
    : Pattern<"canonicalize", (HAL_AllocatorSelectOp:$op $devices, $queues, (rest)),
              [(replaceUses (result $op, at), (item group, 0))],
              [(eq (count (unique group)), 1), (unless (noUse (result $op, at)))]> {
  let benefit = 0;
}
def SelectOfSameDevice : HAL_SelectOfCommon<0, (values $devices)>;
def SelectOfSameQueues : HAL_SelectOfCommon<1, (values $queues)>;

// What is done to a subspan is done to the buffer, further on. `use` matches the op with an operand
// that is the subspan and its offset as `$offset`; these are the operands' names.
class HAL_UseOfSubspan<dag use, string buffer, string offset>
    : Pattern<"canonicalize", use,
              [(setOperand $op, buffer, $whole),
               (setOperand $op, offset, (createOrFold (Arith_AddIOp $start, $offset, ?)))]>;
defvar HAL_Subspan = (HAL_BufferSubspanOp $whole, $start, ?);
def ViewOfDeviceSubspan
    : HAL_UseOfSubspan<(HAL_BufferViewCreateOp:$op HAL_Subspan, $offset, (rest)),
                       "source_buffer", "source_offset">;
def FillOfDeviceSubspan
    : HAL_UseOfSubspan<(HAL_CommandBufferFillBufferOp:$op ?, HAL_Subspan, $offset, (rest)),
                       "target_buffer", "target_offset">;
def UpdateOfDeviceSubspan
    : HAL_UseOfSubspan<(HAL_CommandBufferUpdateBufferOp:$op ?, ?, ?, ?, HAL_Subspan, $offset,
                                                            (rest)),
                       "target_buffer", "target_offset">;
def UpdateFromSubspan
    : Pattern<"canonicalize",
              (HAL_CommandBufferUpdateBufferOp:$op
                 ?, (Util_BufferSubspanOp $whole, $size, $start, ?), ?, $offset, (rest)),
              [(setOperand $op, "source_buffer", $whole), (setOperand $op, "source_size", $size),
               (setOperand $op, "source_offset",
                  (createOrFold (Arith_AddIOp $start, $offset, ?)))]>;
def CopyFromDeviceSubspan
    : HAL_UseOfSubspan<(HAL_CommandBufferCopyBufferOp:$op ?, HAL_Subspan, $offset, (rest)),
                       "source_buffer", "source_offset">;
def CopyToDeviceSubspan
    : HAL_UseOfSubspan<(HAL_CommandBufferCopyBufferOp:$op ?, ?, ?, HAL_Subspan, $offset, (rest)),
                       "target_buffer", "target_offset">;
def CountsInSubspan
    : HAL_UseOfSubspan<(HAL_CommandBufferDispatchIndirectOp:$op ?, ?, ?, HAL_Subspan, $offset,
                                                                (rest)),
                       "workgroups_buffer", "workgroups_offset">;

class HAL_BindingsInSubspans<dag dispatch>
    : Pattern<"canonicalize", dispatch,
              [(setOperand $op, "binding_offsets", (map (each $b, $buffers), (each $o, $offsets),
                  (switch (case (matches $b, HAL_Subspan),
                             (createOrFold (Arith_AddIOp $start, $o, ?))),
                          (default $o)))),
               (setOperand $op, "binding_buffers", (map (each $b, $buffers),
                  (switch (case (matches $b, HAL_Subspan), $whole), (default $b))))],
              [(some (each $b, $buffers), (matches $b, (HAL_BufferSubspanOp (rest))))]>;
def DispatchOnSubspans
    : HAL_BindingsInSubspans<(HAL_CommandBufferDispatchOp:$op
                                ?, ?, ?, ?, ?, ?, ?, $buffers, $offsets, (rest))>;
def DispatchIndirectOnSubspans
    : HAL_BindingsInSubspans<(HAL_CommandBufferDispatchIndirectOp:$op
                                ?, ?, ?, ?, ?, ?, $buffers, $offsets, (rest))>;

//===-- Fences ------------------------------------------------------------------------------------

def UnusedFence
    : Pattern<"canonicalize", (HAL_FenceCreateOp:$fence ?, ?), [(erase)], [(noUse $fence)]>;
def UnusedDeviceChannel
    : Pattern<"canonicalize", (HAL_ChannelCreateOp:$channel (rest)), [(erase)], [(noUse $channel)]>;
def UnusedPartOfChannel
    : Pattern<"canonicalize", (HAL_ChannelSplitOp:$channel (rest)), [(erase)], [(noUse $channel)]>;

def FenceJoinOfOne : Fold<(HAL_FenceJoinOp ?, (values $fence)), [(fold $fence)]>;
// What has always been reached is null.
def FenceJoinOfNone
    : Pattern<"canonicalize", (HAL_FenceJoinOp:$join ?, (values)),
              [(replace (Util_NullOp (types (typeOf $join))))]>;
def FenceAwaitOfNone
    : Pattern<"canonicalize", (HAL_FenceAwaitOp ?, ?, (values)),
              [(replace (Arith_ConstantOp (attr "0 : i32")))]>;
class HAL_PendingFences<dag op>
    : Pattern<"canonicalize", op, [(setOperand $op, "fences", $pending)],
              [(bind (filter (each $fence, (unique $fences)),
                  (unless (matches $fence, (Util_NullOp)))):$pending),
               (unless (same $pending, $fences))]>;
def FenceJoinOfPending : HAL_PendingFences<(HAL_FenceJoinOp:$op ?, $fences)>;
def FenceAwaitOfPending : HAL_PendingFences<(HAL_FenceAwaitOp:$op ?, ?, $fences)>;

// A fence that nobody sees before it is reached has always been.
def SignalOfUnseen
    : Pattern<"canonicalize", (HAL_FenceSignalOp:$signal (HAL_FenceCreateOp:$create ?, ?)),
              [(replaceOp $create, (Util_NullOp (types HAL_Fence))), (erase)],
              [(predicate "hal_unseen_before", $create, $signal)]>;

// Queues wait for nothing that has always been reached, and not for what only says when something
// else is reached.
def QueueBarrierOfNull
    : Pattern<"canonicalize", (HAL_DeviceQueueBarrierOp ?, ?, (Util_NullOp), $signal, ?),
              [(HAL_FenceSignalOp $signal), (erase)]>;
def QueueBarrierOfOwnFence
    : NativePattern<"canonicalize", HAL_DeviceQueueBarrierOp, "hal_queue_barrier_of_own_fence">;
def QueueBarrierAfterWork
    : NativePattern<"canonicalize", HAL_DeviceQueueBarrierOp, "hal_queue_barrier_after_work">;

// A fence that only says when another one is reached is that one.
def ChainOfImportedFence
    : Pattern<"canonicalize",
              (Stream_TimepointChainExternalOp
                 (Stream_TimepointImportOp (values (typed $fence, HAL_Fence)), ?),
                 (values (HAL_FenceCreateOp:$chained ?, ?)), ?),
              [(replaceOp $chained, $fence), (erase)]>;

//===-- Command buffers ---------------------------------------------------------------------------

def DeviceOfCreatedCommandBuffer
    : Pattern<"canonicalize",
              (HAL_CommandBufferDeviceOp (HAL_CommandBufferCreateOp $device, (rest))),
              [(replace $device)]>;
