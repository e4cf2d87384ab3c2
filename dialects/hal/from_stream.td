// From `stream`: resources become buffers, timepoints fences, and regions of commands what a command
// buffer records.

def HAL_TypeConverter : TypeConverter<"hal", [
  (becomes Stream_AnyResource, HAL_Buffer),
  (becomes Stream_Timepoint, HAL_Fence),
  (becomes Stream_File, HAL_File),
  (becomes Stream_Channel, HAL_Channel),
  (becomes AnyRankedTensor, HAL_BufferView)
]> {
  let casts = [
    (cast (HAL_BufferViewBufferOp $view), HAL_BufferView, $view),
    (cast (typed $view, HAL_BufferView), HAL_Buffer, (HAL_BufferViewBufferOp $view))
  ];
}

class HAL_FromStream<dag source, list<dag> steps, list<dag> conditions = []>
    : ConversionPattern<"stream-to-hal", source, steps, conditions>;

//===-- Places ------------------------------------------------------------------------------------

// Where an op runs, as it says or what is around it.
def HAL_Affinity : Function<(params $op), (compute "hal_affinity", $op)>;

// A device, and its queues that may be used.
def HAL_Queue : Function<(params $op),
    (Stream_ContextResolveOp (HAL_Affinity $op), (types HAL_Device, I64))>;
def HAL_AllocatorOf : Function<(params $op),
    (Stream_ContextResolveOp (HAL_Affinity $op), (types HAL_Allocator))>;

// One of several devices with its queues, which come in pairs.
def HAL_Selected : Function<(params $queues, $types, $usage), (switch
    (case (eq (count $queues), 2), $queues),
    (default (HAL_AllocatorSelectOp (filter (each $q, $queues), (HAL_Device $q)),
                                    (filter (each $q, $queues), (I64 $q)), $types, $usage)))>;

// The same for new memory, of which the program says on several devices that it may lie there.
def HAL_QueueForMemory : Function<(params $op, $types, $usage), (switch
    (case (bind (param HAL_DeviceOptimalAttr, "affinities", (HAL_Affinity $op)):$all),
          (bind (map (each $one, $all),
                     (Stream_ContextResolveOp $one, (types HAL_Device, I64))):$queues),
          (HAL_Selected $queues, $types, $usage)),
    (default (HAL_Queue $op)))>;

//===-- Fences ------------------------------------------------------------------------------------

// The fence that work waits for; null when it waits for nothing.
def HAL_WaitFence : Function<(params $await), (switch
    (case (present (original $await)), $await),
    (default (Util_NullOp (types HAL_Fence))))>;

// The op that only passes a timepoint on to a fence of the caller, which is there already; none when
// somebody else waits for the timepoint.
def HAL_Chains : Function<(params $op, $timepoint),
    (filter (each $user, (users $timepoint)), (oneUse $timepoint),
            (matches $user, (Stream_TimepointChainExternalOp ?, (values (typed $fence, HAL_Fence)),
                                                             ?)),
            (precedes $fence, $op))>;

// The fence that an op reaches with one of its results: null when nobody waits for it, that of the
// caller when it is only passed on, else a new one.
def HAL_SignalFence : Function<(params $timepoint, $chains, $device), (switch
    (case (noUse $timepoint), (Util_NullOp (types HAL_Fence))),
    (case (some (each $chain, $chains),
                (matches $chain, (Stream_TimepointChainExternalOp ?, $fences, ?))),
          (item (original $fences), 0)),
    (default (HAL_FenceCreateOp $device, "None")))>;

//===-- Memory ------------------------------------------------------------------------------------

def HAL_LifetimeOf : Function<(params $type), (typeswitch $type,
    (case (Stream_Resource "external"), (attr "1 : i32")),
    (case (Stream_Resource "staging"), (attr "2 : i32")),
    (case (Stream_Resource "transient"), (attr "3 : i32")),
    (case (Stream_Resource "variable"), (attr "4 : i32")),
    (case (Stream_Resource "constant"), (attr "5 : i32")),
    (default (attr "0 : i32")))>;
// What memory that comes from outside has to be: `DeviceVisible`, `HostLocal|DeviceVisible` or
// `DeviceLocal`, for transfers and dispatches, and what the lifetime needs beside that.
def HAL_RequiredType : Function<(params $type), (typeswitch $type,
    (case (Stream_Resource "external"), (attr "16 : i32")),
    (case (Stream_Resource "staging"), (attr "86 : i32")),
    (case (Stream_Resource (anyOf "transient", "variable", "constant")), (attr "48 : i32")))>;
def HAL_RequiredUsage : Function<(params $type), (typeswitch $type,
    (case (Stream_Resource "staging"), (attr "150998019 : i32")),
    (case (Stream_Resource "constant"), (attr "527363 : i32")),
    (case (Stream_Resource (anyOf "external", "transient", "variable")), (attr "3075 : i32")))>;

def HAL_ConvertAlloc
    : HAL_FromStream<(Stream_ResourceAllocOp:$alloc $size, ?, $affinity),
        [(HAL_AllocatorResolveMemoryPropertiesOp:$memory
            $affinity, (HAL_LifetimeOf (typeOf (result $alloc, 0)))),
         (bind (HAL_QueueForMemory $alloc, (result $memory, 0), (result $memory, 1)):$queue),
         (replace (HAL_AllocatorAllocateOp
            (HAL_DeviceAllocatorOp (item $queue, 0)), (item $queue, 1), (result $memory, 0),
            (result $memory, 1), $size))]>;
def HAL_ConvertAlloca
    : HAL_FromStream<(Stream_ResourceAllocaOp:$alloca $size, $indeterminate, $await, $affinity),
        [(HAL_AllocatorResolveMemoryPropertiesOp:$memory
            $affinity, (HAL_LifetimeOf (typeOf (result $alloca, 0)))),
         (bind (HAL_QueueForMemory $alloca, (result $memory, 0), (result $memory, 1)):$queue),
         (bind (HAL_WaitFence $await):$wait),
         (bind (HAL_SignalFence (result $alloca, 1), $chains, (item $queue, 0)):$signal),
         (bind (Arith_ConstantOp (attr "0 : i64")):$pool),
         (forEach (each $chain, $chains), (erase $chain)),
         (replace (HAL_DeviceQueueAllocaOp
                     (item $queue, 0), (item $queue, 1), $wait, $signal, $pool,
                     (result $memory, 0), (result $memory, 1), $size,
                     (switch (case (present $indeterminate), (attr "1 : i64")),
                             (default (attr "0 : i64")))),
                  $signal)],
        [(bind (HAL_Chains $alloca, (result $alloca, 1)):$chains)]>;
def HAL_ConvertDealloca
    : HAL_FromStream<(Stream_ResourceDeallocaOp:$dealloca $buffer, ?, $origin, $await, $affinity),
        [(HAL_AllocatorResolveMemoryPropertiesOp:$memory
            $affinity, (HAL_LifetimeOf (typeOf (original $buffer)))),
         (bind (HAL_QueueForMemory $dealloca, (result $memory, 0), (result $memory, 1)):$queue),
         (bind (HAL_WaitFence $await):$wait),
         (bind (HAL_SignalFence (result $dealloca, 0), $chains, (item $queue, 0)):$signal),
         (HAL_DeviceQueueDeallocaOp
            (item $queue, 0), (item $queue, 1), $wait, $signal, $buffer,
            (switch (case (present $origin), (attr "1 : i64")), (default (attr "0 : i64")))),
         (forEach (each $chain, $chains), (erase $chain)),
         (replace $signal)],
        [(bind (HAL_Chains $dealloca, (result $dealloca, 0)):$chains)]>;
def HAL_ConvertRetain
    : HAL_FromStream<(Stream_ResourceRetainOp $buffer, (rest)),
                     [(HAL_BufferAllocationPreserveOp $buffer), (erase)]>;
def HAL_ConvertRelease
    : HAL_FromStream<(Stream_ResourceReleaseOp $buffer, (rest)),
                     [(replace (HAL_BufferAllocationDiscardOp $buffer))]>;
def HAL_ConvertIsTerminal
    : HAL_FromStream<(Stream_ResourceIsTerminalOp $buffer, (rest)),
                     [(replace (HAL_BufferAllocationIsTerminalOp $buffer))]>;
def HAL_ConvertSize
    : HAL_FromStream<(Stream_ResourceSizeOp $buffer, ?), [(replace (HAL_BufferLengthOp $buffer))]>;
def HAL_ConvertLoad
    : HAL_FromStream<(Stream_ResourceLoadOp:$load $buffer, ?, $offset),
                     [(replace (HAL_BufferLoadOp $buffer, $offset, (types (typeOf $load))))]>;
def HAL_ConvertStore
    : HAL_FromStream<(Stream_ResourceStoreOp $buffer, ?, $offset, $value),
                     [(HAL_BufferStoreOp $value, $buffer, $offset), (erase)]>;
def HAL_ConvertSubview
    : HAL_FromStream<(Stream_ResourceSubviewOp $buffer, ?, $offset, $length),
                     [(replace (HAL_BufferSubspanOp $buffer, $offset, $length))]>;

// Bytes of the host may be used in place where the device sees them as it would its own.
def HAL_ConvertTryMap
    : HAL_FromStream<(Stream_ResourceTryMapOp:$map $source, $offset, $length, ?),
        [(HAL_BufferUsageOp:$usage (typeswitch $type,
            (case (Stream_Resource "constant"), (attr "527363 : i32")),
            (case (Stream_Resource "variable"), (attr "3075 : i32")),
            (case (Stream_Resource "staging"), (attr "1 : i32")))),
         (HAL_MemoryTypeOp:$memory (typeswitch $type,
            (case (Stream_Resource (anyOf "constant", "variable")), (attr "48 : i32")),
            (case (Stream_Resource "staging"), (attr "18 : i32")))),
         (bind (HAL_QueueForMemory $map, $memory, $usage):$queue),
         (HAL_AllocatorImportOp:$import
            (HAL_DeviceAllocatorOp (item $queue, 0)), (item $queue, 1), $memory, $usage, $source,
            $offset, $length),
         (replace (result $import, 0), (result $import, 1))],
        [(bind (typeOf (result $map, 1)):$type)]>;

//===-- Files -------------------------------------------------------------------------------------

def HAL_ConvertFileConstant
    : HAL_FromStream<(Stream_FileConstantOp:$file $source, ?, $offset, $length, ?),
        [(bind (HAL_Queue $file):$queue),
         (bind (Arith_ConstantOp (attr "0 : i32")):$flags),
         (replace (HAL_ExFileFromMemoryOp (item $queue, 0), (item $queue, 1), "Read", $source,
                                          $offset, $length, $flags))]>;
def HAL_ConvertFileRead
    : HAL_FromStream<
        (Stream_FileReadOp:$read $source, $from, $target, ?, $to, $length, $await, ?),
        [(bind (HAL_Queue $read):$queue),
         (bind (HAL_WaitFence $await):$wait),
         (bind (HAL_SignalFence (result $read, 0), $chains, (item $queue, 0)):$signal),
         (HAL_DeviceQueueReadOp (item $queue, 0), (item $queue, 1), $wait, $signal, $source, $from,
                                $target, $to, $length, "None"),
         (forEach (each $chain, $chains), (erase $chain)),
         (replace $signal)],
        [(bind (HAL_Chains $read, (result $read, 0)):$chains)]>;
def HAL_ConvertFileWrite
    : HAL_FromStream<
        (Stream_FileWriteOp:$write $source, ?, $from, $target, $to, $length, $await, ?),
        [(bind (HAL_Queue $write):$queue),
         (bind (HAL_WaitFence $await):$wait),
         (bind (HAL_SignalFence (result $write, 0), $chains, (item $queue, 0)):$signal),
         (HAL_DeviceQueueWriteOp (item $queue, 0), (item $queue, 1), $wait, $signal, $source,
                                 $from, $target, $to, $length, "None"),
         (forEach (each $chain, $chains), (erase $chain)),
         (replace $signal)],
        [(bind (HAL_Chains $write, (result $write, 0)):$chains)]>;

//===-- The border of the program -----------------------------------------------------------------

// What comes in has to be of use for the device that works on it.
class HAL_ConvertImport<dag source, dag taken>
    : HAL_FromStream<(Stream_TensorImportOp:$import source, ?, ?, $size, (rest)),
        [(bind taken:$buffer),
         (HAL_BufferAssertOp $buffer, "tensor", (HAL_AllocatorOf $import), $size,
                             (HAL_RequiredType $type), (HAL_RequiredUsage $type)),
         (replace $buffer)],
        [(bind (typeOf (result $import, 0)):$type)]>;
def HAL_ImportOfBuffer
    : HAL_ConvertImport<(typed $source, HAL_Buffer), (values $source)>;
def HAL_ImportOfView
    : HAL_ConvertImport<(typed $source, (anyOf HAL_BufferView, AnyTensor)),
                        (HAL_BufferViewBufferOp $source)>;

def HAL_ExportOfBuffer
    : HAL_FromStream<(Stream_TensorExportOp:$export $buffer, (rest)), [(replace $buffer)],
                     [(HAL_Buffer $export)]>;
def HAL_ExportOfView
    : HAL_FromStream<(Stream_TensorExportOp:$export $buffer, $encoding, $dims, $size, ?),
        [(bind (HAL_EncodingTypeOp ?):$layout),
         (bind (HAL_ElementTypeOp (typeAttr (elementType (typeOf $encoding)))):$element),
         (bind (dims (typeOf $encoding), $dims, Arith_ConstantOp):$shape),
         (bind (Arith_ConstantOp (attr "0 : index")):$zero),
         (replace (HAL_BufferViewCreateOp $buffer, $zero, $size, $element, $layout, $shape))],
        [(anyOf (HAL_BufferView $export), (AnyTensor $export))]>;
def HAL_ConvertTrace
    : HAL_FromStream<
        (Stream_TensorTraceOp $key, $resources, $sizes, $encodings, $dims),
        [(HAL_BufferViewTraceOp $key,
            (map (each $r, $resources), (each $s, $sizes), (each $e, $encodings),
                 (take $d, $dims, (count (filter (each $size, (shape (typeOf $e))), (lt $size, 0)))),
                 (Stream_TensorExportOp (original $r), $e, $d, $s, ?, (types HAL_BufferView)))),
         (erase)]>;

//===-- Timepoints --------------------------------------------------------------------------------

def HAL_ConvertImmediate
    : HAL_FromStream<(Stream_TimepointImmediateOp),
                     [(replace (Util_NullOp (types HAL_Fence)))]>;
def HAL_ConvertTimepointImport
    : HAL_FromStream<(Stream_TimepointImportOp (values (typed $fence, HAL_Fence)), ?),
                     [(replace $fence)]>;
def HAL_ConvertTimepointExport
    : HAL_FromStream<(Stream_TimepointExportOp:$export $timepoint, ?), [(replace $timepoint)],
                     [(HAL_Fence $export)]>;
def HAL_ConvertChainExternal
    : HAL_FromStream<
        (Stream_TimepointChainExternalOp:$chain $timepoint, (values (typed $fence, HAL_Fence)), ?),
        [(bind (HAL_Queue $chain):$queue),
         (HAL_DeviceQueueBarrierOp (item $queue, 0), (item $queue, 1), $timepoint, $fence, "None"),
         (erase)]>;
def HAL_ConvertJoin
    : HAL_FromStream<(Stream_TimepointJoinOp $timepoints),
                     [(replace (HAL_FenceJoinOp "None", $timepoints))]>;
// What may be used here and now is there.
def HAL_ConvertBarrier
    : HAL_FromStream<(Stream_TimepointBarrierOp $resource, ?, ?),
                     [(replace $resource, (Util_NullOp (types HAL_Fence)))]>;
def HAL_ConvertAwait
    : HAL_FromStream<(Stream_TimepointAwaitOp $resources, ?, $timepoint, ?),
        [(HAL_FenceAwaitOp:$status (Arith_ConstantOp (attr "-1 : i32")), "None", $timepoint),
         (Util_StatusCheckOkOp $status, "failed to wait on timepoint"),
         (replace $resources)]>;
def HAL_ConvertGlobalTimepoint
    : HAL_FromStream<(Util_GlobalOp:$global ?, ?, ?, ?, (Stream_TimepointAttr), ?),
                     [(setAttr $global, "type", (typeAttr HAL_Fence)),
                      (removeAttr $global, "initial_value")]>;

//===-- Channels ----------------------------------------------------------------------------------

def HAL_ConvertChannelCreate
    : HAL_FromStream<(Stream_ChannelCreateOp:$create $id, $group, $rank, $count, ?),
        [(bind (HAL_Queue $create):$queue),
         (bind (switch (case (present (original $id)), $id),
                       (default (Util_NullOp (types Util_BufferType)))):$own),
         (bind (switch (case (present $group), (Util_BufferConstantOp ?, $group, ?, ?)),
                       (default (Util_NullOp (types Util_BufferType)))):$name),
         (bind (switch (case (present (original $rank)), (Arith_IndexCastOp $rank, (types I32))),
                       (default (Arith_ConstantOp (attr "-1 : i32")))):$which),
         (bind (switch (case (present (original $count)), (Arith_IndexCastOp $count, (types I32))),
                       (case (present (original $rank)), (Arith_ConstantOp (attr "-1 : i32"))),
                       (default $which)):$all),
         (replace (HAL_ChannelCreateOp (item $queue, 0), (item $queue, 1), "None", $own, $name,
                                       $which, $all))]>;
def HAL_ConvertChannelSplit
    : HAL_FromStream<(Stream_ChannelSplitOp $channel, $color, $key),
        [(replace (HAL_ChannelSplitOp $channel, (Arith_IndexCastOp $color, (types I32)),
                                      (Arith_IndexCastOp $key, (types I32)), "None"))]>;
class HAL_ConvertChannelQuery<dag source, int which>
    : HAL_FromStream<source,
        [(HAL_ChannelRankAndCountOp:$both $channel),
         (replace (Arith_IndexCastOp (result $both, which), (types Index)))]>;
def HAL_ConvertChannelRank : HAL_ConvertChannelQuery<(Stream_ChannelRankOp $channel), 0>;
def HAL_ConvertChannelCount : HAL_ConvertChannelQuery<(Stream_ChannelCountOp $channel), 1>;
