// To `vm`: devices, their queues, and fences.

//===-- Devices -----------------------------------------------------------------------------------

def HAL_ImportDeviceAllocator : HAL_PureImport<"device.allocator",
  (HAL_DeviceAllocatorOp $device), [HAL_Ref<"device">], [HAL_Object<"allocator">.type]>;
def HAL_DeclareQuery : HAL_Declaration<"device.query.i64",
  [HAL_Ref<"device">, HAL_Taken<"category", "!vm.buffer">, HAL_Taken<"key", "!vm.buffer">],
  ["i32", "i64"], 1>;
// The runtime answers with 64 bits. An answer takes the place of what is given for none, and then
// there is always one.
class HAL_VMQuery<list<dag> made, dag ok, dag value, list<dag> conditions>
    : VM_Converted<(HAL_DeviceQueryOp:$query $device, $category, $key, $default),
        !listconcat([
         (VM_CallOp:$call (symbol "hal.device.query.i64"),
            (values $device, (VM_TextData $category), (VM_TextData $key)), ?, ?, (attr "unit"),
            (types I32, I64)),
         (bind (item (values $call), 0):$known), (bind (item (values $call), 1):$answer)],
         made, [(replace ok, value)]), conditions>;
multiclass HAL_VMQueryOf<list<dag> conditions, dag narrowed, Op select, dag other> {
  defvar now = [(bind narrowed:$value)];
  def Only : HAL_VMQuery<now, (values $known), (values $value),
                         !listconcat(conditions, [(absent $default)])>;
  def Default
      : HAL_VMQuery<
          !listconcat(now, [(bind other:$other),
                            (bind (createOrFold (select $known, $value, $other)):$chosen)]),
          (VM_ConstI32Op 1), (values $chosen),
          !listconcat(conditions, [(present $default)])>;
}
defvar HAL_BitConstant = (switch
    (case (eq $default, 0), (VM_ConstI32ZeroOp)), (default (VM_ConstI32Op 1)));
class HAL_AnswerIs<dag type> {
  list<dag> conditions = [(same (typeOf (result $query, 1)), type)];
}
defm HAL_VMQueryI64
    : HAL_VMQueryOf<HAL_AnswerIs<(type "i64")>.conditions, (values $answer), VM_SelectI64Op,
                    (Arith_ConstantOp $default)>;
defm HAL_VMQueryI32
    : HAL_VMQueryOf<HAL_AnswerIs<(type "i32")>.conditions, (VM_TruncI64I32Op $answer),
                    VM_SelectI32Op,
                    (Arith_ConstantOp $default)>;
defm HAL_VMQueryI16
    : HAL_VMQueryOf<HAL_AnswerIs<(type "i16")>.conditions, (VM_TruncI64I16Op $answer),
                    VM_SelectI32Op,
                    (Arith_ConstantOp (toInt $default, I32))>;
defm HAL_VMQueryI8
    : HAL_VMQueryOf<HAL_AnswerIs<(type "i8")>.conditions, (VM_TruncI64I8Op $answer),
                    VM_SelectI32Op,
                    (Arith_ConstantOp (toInt $default, I32))>;
defm HAL_VMQueryI1
    : HAL_VMQueryOf<HAL_AnswerIs<(type "i1")>.conditions, (VM_CmpNZI64Op $answer),
                    VM_SelectI32Op,
                    HAL_BitConstant>;
defm HAL_VMQueryIndex64
    : HAL_VMQueryOf<!listconcat(HAL_AnswerIs<(type "index")>.conditions,
                                [(same (convertType (type "index")), I64)]),
                    (values $answer), VM_SelectI64Op,
                    (Arith_ConstantOp (toInt $default, I64))>;
defm HAL_VMQueryIndex32
    : HAL_VMQueryOf<!listconcat(HAL_AnswerIs<(type "index")>.conditions,
                                [(same (convertType (type "index")), I32)]),
                    (VM_TruncI64I32Op $answer), VM_SelectI32Op,
                    (Arith_ConstantOp (toInt $default, I32))>;

def HAL_ImportDevicesCount
    : HAL_PureImport<"devices.count", (HAL_DevicesCountOp), [], ["i32"]>;
def HAL_ImportDevicesGet : HAL_PureImport<"devices.get",
  (HAL_DevicesGetOp $index), [VM_Int32<"index">], [HAL_Object<"device">.type]>;

//===-- Queues ------------------------------------------------------------------------------------

// What every op on a queue takes first.
defvar HAL_QueueArguments = [
  HAL_Ref<"device">, VM_Int64<"queue_affinity">, HAL_Ref<"wait_fence", "fence">,
  HAL_Ref<"signal_fence", "fence">
];
class HAL_QueueImport<string name, dag source, list<VM_Argument> arguments,
                      list<string> results = [], list<dag> before = []>
    : HAL_Import<"device.queue." # name, source, !listconcat(HAL_QueueArguments, arguments),
                 results, 0, 0, before>;
defvar HAL_TargetArguments = [
  HAL_Ref<"target_buffer", "buffer">, VM_Int64<"target_offset">, VM_Int64<"length">
];
defvar HAL_SourceArguments = [HAL_Ref<"source_buffer", "buffer">, VM_Int64<"source_offset">];

def HAL_ImportQueueAlloca : HAL_QueueImport<"alloca",
  (HAL_DeviceQueueAllocaOp $device, $queue_affinity, $wait_fence, $signal_fence, $pool,
                           $memory_types, $buffer_usage, $allocation_size, $flags),
  [VM_Int64<"pool">, VM_Int32<"memory_types">, VM_Int32<"buffer_usage">,
   VM_Int64<"allocation_size">, VM_Number64<"flags">],
  [HAL_Object<"buffer">.type]>;
def HAL_ImportQueueDealloca : HAL_QueueImport<"dealloca",
  (HAL_DeviceQueueDeallocaOp $device, $queue_affinity, $wait_fence, $signal_fence, $buffer,
                             $flags),
  [HAL_Ref<"buffer">, VM_Number64<"flags">]>;
def HAL_ImportQueueFill : HAL_QueueImport<"fill",
  (HAL_DeviceQueueFillOp $device, $queue_affinity, $wait_fence, $signal_fence, $target_buffer,
                         $target_offset, $length, $pattern, $flags),
  !listconcat(HAL_TargetArguments,
              [VM_Int64<"pattern">, HAL_Named<"pattern_length", "i32", "bytes">, HAL_Flags<>]),
  [], [(VM_ConstI32Op:$bytes HAL_PatternBytes)]>;
def HAL_ImportQueueUpdate : HAL_QueueImport<"update",
  (HAL_DeviceQueueUpdateOp $device, $queue_affinity, $wait_fence, $signal_fence, $source_buffer,
                           $source_offset, $target_buffer, $target_offset, $length, $flags),
  !listconcat([VM_Buffer<"source_buffer">, VM_Int64<"source_offset">], HAL_TargetArguments,
              [VM_Number64<"flags">])>;
def HAL_ImportQueueCopy : HAL_QueueImport<"copy",
  (HAL_DeviceQueueCopyOp $device, $queue_affinity, $wait_fence, $signal_fence, $source_buffer,
                         $source_offset, $target_buffer, $target_offset, $length, $flags),
  !listconcat(HAL_SourceArguments, HAL_TargetArguments, [VM_Number64<"flags">])>;
def HAL_ImportQueueRead : HAL_QueueImport<"read",
  (HAL_DeviceQueueReadOp $device, $queue_affinity, $wait_fence, $signal_fence, $source_file,
                         $source_offset, $target_buffer, $target_offset, $length, $flags),
  !listconcat([HAL_Ref<"source_file", "file">, VM_Int64<"source_offset">], HAL_TargetArguments,
              [VM_Number64<"flags">])>;
def HAL_ImportQueueWrite : HAL_QueueImport<"write",
  (HAL_DeviceQueueWriteOp $device, $queue_affinity, $wait_fence, $signal_fence, $source_buffer,
                          $source_offset, $target_file, $target_offset, $length, $flags),
  !listconcat(HAL_SourceArguments,
              [HAL_Ref<"target_file", "file">, VM_Int64<"target_offset">, VM_Int64<"length">,
               VM_Number64<"flags">])>;
def HAL_ImportQueueBarrier : HAL_QueueImport<"barrier",
  (HAL_DeviceQueueBarrierOp $device, $queue_affinity, $wait_fence, $signal_fence, $flags),
  [VM_Number64<"flags">]>;
def HAL_ImportQueueExecute : HAL_QueueImport<"execute",
  (HAL_DeviceQueueExecuteOp $device, $queue_affinity, $wait_fence, $signal_fence,
                            $command_buffer, $flags),
  [HAL_Command<>, VM_Number64<"flags">]>;
def HAL_ImportQueueExecuteIndirect : HAL_QueueImport<"execute.indirect",
  (HAL_DeviceQueueExecuteIndirectOp $device, $queue_affinity, $wait_fence, $signal_fence,
                                    $command_buffer, $buffers, $offsets, $lengths, $flags),
  [HAL_Command<>, HAL_Flags<>,
   VM_Argument<"binding_table", "tuple<!vm.ref<!hal.buffer>, i64, i64>",
               (map (each $buffer, $buffers), (each $offset, $offsets), (each $length, $lengths),
                    (values $buffer, (VM_ToI64S $offset), (VM_ToI64S $length))),
               [(values $buffers)]>]>;
def HAL_ImportQueueFlush : HAL_Import<"device.queue.flush",
  (HAL_DeviceQueueFlushOp $device, $queue_affinity),
  [HAL_Ref<"device">, VM_Int64<"queue_affinity">]>;

//===-- Fences ------------------------------------------------------------------------------------

class HAL_FencesArgument : VM_Refs<"fences", HAL_Object<"fence">.type>;
def HAL_ImportFenceCreate : HAL_Import<"fence.create",
  (HAL_FenceCreateOp $device, $flags), [HAL_Ref<"device">, VM_Number64<"flags">],
  [HAL_Object<"fence">.type]>;
def HAL_ImportFenceJoin : HAL_PureImport<"fence.join",
  (HAL_FenceJoinOp $flags, $fences), [VM_Number64<"flags">, HAL_FencesArgument<>],
  [HAL_Object<"fence">.type]>;
def HAL_ImportFenceQuery
    : HAL_Import<"fence.query", (HAL_FenceQueryOp $fence), [HAL_Ref<"fence">], ["i32"]>;
def HAL_ImportFenceSignal
    : HAL_Import<"fence.signal", (HAL_FenceSignalOp $fence), [HAL_Ref<"fence">]>;
def HAL_ImportFenceFail : HAL_Import<"fence.fail",
  (HAL_FenceFailOp $fence, $status), [HAL_Ref<"fence">, VM_Int32<"status">]>;
def HAL_ImportFenceAwait : HAL_Import<"fence.await",
  (HAL_FenceAwaitOp $timeout_millis, $flags, $fences),
  [VM_Int32<"timeout_millis">, VM_Number64<"flags">, HAL_FencesArgument<>], ["i32"], 0, 0, [], 1>;

//===-- All of them -------------------------------------------------------------------------------

def HAL_Imports : VM_ImportModule<"hal", [
  HAL_ImportFileFromMemory, HAL_ImportSelect, HAL_ImportAllocate, HAL_DeclareAllocatorImport,
  HAL_ImportAssert, HAL_ImportPreserve, HAL_ImportDiscard, HAL_ImportIsTerminal,
  HAL_ImportSubspan, HAL_ImportLength, HAL_DeclareLoad, HAL_DeclareStore, HAL_ImportViewCreate,
  HAL_ImportViewAssert, HAL_ImportViewBuffer, HAL_ImportViewElementType,
  HAL_ImportViewEncodingType, HAL_ImportViewRank, HAL_ImportViewDim, HAL_ImportViewTrace,
  HAL_ImportChannelCreate, HAL_ImportChannelSplit, HAL_ImportChannelRankAndCount,
  HAL_ImportCommandBufferCreate, HAL_ImportFinalize, HAL_ImportBeginDebugGroup,
  HAL_ImportEndDebugGroup, HAL_ImportExecutionBarrier, HAL_DeclareAdviseBuffer,
  HAL_DeclareFlushBuffer, HAL_DeclareInvalidateBuffer, HAL_ImportFillBuffer,
  HAL_ImportUpdateBuffer, HAL_ImportCopyBuffer, HAL_ImportCollective, HAL_ImportDispatch,
  HAL_ImportDispatchIndirect, HAL_ImportDeviceAllocator, HAL_DeclareQuery, HAL_ImportQueueAlloca,
  HAL_ImportQueueDealloca, HAL_ImportQueueFill, HAL_ImportQueueUpdate, HAL_ImportQueueCopy,
  HAL_ImportQueueRead, HAL_ImportQueueWrite, HAL_ImportQueueBarrier, HAL_ImportQueueExecute,
  HAL_ImportQueueExecuteIndirect, HAL_ImportQueueFlush, HAL_ImportDevicesCount,
  HAL_ImportDevicesGet, HAL_ImportExecutableCreate, HAL_ImportLookupFunction,
  HAL_ImportFenceCreate, HAL_ImportFenceJoin, HAL_ImportFenceQuery, HAL_ImportFenceSignal,
  HAL_ImportFenceFail, HAL_ImportFenceAwait
]>;
