// To `vm`: ops that record commands, and those by which the host finds device code.

//===-- Buffers and slots -------------------------------------------------------------------------

// A buffer goes with slot 0, the number of a slot with no buffer; nothing goes with both.
def HAL_Slot : Function<(params $at), (typeswitch $at,
    (case VM_AnyRef, (VM_ConstI32ZeroOp)), (default (VM_ToI32 $at)))>;
def HAL_InSlot : Function<(params $at), (typeswitch $at,
    (case VM_AnyRef, $at),
    (default (VM_ConstRefZeroOp (types (type HAL_Object<"buffer">.type)))))>;
class HAL_BufferRef<string name> : HAL_Ref<name, "buffer">;
/// What was named before.
class HAL_Named<string name, string type, string bound>
    : VM_Argument<name, type, !dag(values, ?, [bound])>;
class HAL_NamedSlot<string name> : HAL_Named<name # "_slot", "i32", name # "_slot">;
class HAL_NamedBuffer<string name> : HAL_Named<name, HAL_Object<"buffer">.type, name # "_in_slot">;
class HAL_SplitSlot<string name> {
  list<dag> steps = [
    !dag(bind, [!dag(HAL_Slot, ?, [name])], [name # "_slot"]),
    !dag(bind, [!dag(HAL_InSlot, ?, [name])], [name # "_in_slot"])
  ];
}
class HAL_Command : HAL_Ref<"command_buffer">;

//===-- Recordings --------------------------------------------------------------------------------

def HAL_ImportCommandBufferCreate : HAL_Import<"command_buffer.create",
  (HAL_CommandBufferCreateOp $device, $modes, $command_categories, $queue_affinity, $capacity),
  [HAL_Ref<"device">, VM_Number32<"modes">, VM_Number32<"command_categories">,
   VM_Int64<"queue_affinity">,
   VM_Argument<"binding_capacity", "i32",
               (switch (case (present (original $capacity)), (VM_ToI32 $capacity)),
                       (default (VM_ConstI32ZeroOp)))>],
  [HAL_Object<"command_buffer">.type], 0, 6>;
def HAL_ImportFinalize : HAL_Import<"command_buffer.finalize",
  (HAL_CommandBufferFinalizeOp $command_buffer), [HAL_Command<>]>;
def HAL_ImportBeginDebugGroup : HAL_Import<"command_buffer.begin_debug_group",
  (HAL_CommandBufferBeginDebugGroupOp $command_buffer, $label), [HAL_Command<>, VM_Text<"label">]>;
def HAL_ImportEndDebugGroup : HAL_Import<"command_buffer.end_debug_group",
  (HAL_CommandBufferEndDebugGroupOp $command_buffer), [HAL_Command<>]>;
def HAL_ImportExecutionBarrier : HAL_Import<"command_buffer.execution_barrier",
  (HAL_CommandBufferExecutionBarrierOp $command_buffer, $source_stage_mask, $target_stage_mask,
                                       $flags),
  [HAL_Command<>, VM_Number32<"source_stage_mask">, VM_Number32<"target_stage_mask">,
   VM_Number64<"flags">]>;

// No op stands for these.
def HAL_DeclareAdviseBuffer : HAL_Declaration<"command_buffer.advise_buffer",
  [HAL_Command<>, HAL_Ref<"buffer">, HAL_Taken<"flags", "i64">, HAL_Taken<"arg0", "i64">,
   HAL_Taken<"arg1", "i64">, HAL_Taken<"buffer_slot", "i32">]>;
class HAL_DeclareCacheControl<string what> : HAL_Declaration<"command_buffer." # what,
  [HAL_Command<>, HAL_Taken<"target_buffer_slot", "i32">, HAL_BufferRef<"target_buffer">,
   HAL_Taken<"target_offset", "i64">, HAL_Taken<"length", "i64">]>;
def HAL_DeclareFlushBuffer : HAL_DeclareCacheControl<"flush_buffer">;
def HAL_DeclareInvalidateBuffer : HAL_DeclareCacheControl<"invalidate_buffer">;

//===-- Transfers ---------------------------------------------------------------------------------

defvar HAL_PatternBytes = (typeswitch (typeOf (original $pattern)),
    (case I8, (attr "1 : i32")), (case I16, (attr "2 : i32")),
    (case I32, (attr "4 : i32")), (case I64, (attr "8 : i32")));
def HAL_ImportFillBuffer : HAL_Import<"command_buffer.fill_buffer",
  (HAL_CommandBufferFillBufferOp $command_buffer, $target_buffer, $target_offset, $length,
                                 $pattern, $flags),
  [HAL_Command<>, HAL_NamedBuffer<"target_buffer">, VM_Int64<"target_offset">, VM_Int64<"length">,
   HAL_NamedSlot<"target_buffer">, HAL_Named<"pattern", "i64", "wide">,
   HAL_Named<"pattern_length", "i32", "bytes">, HAL_Flags<>],
  [], 0, 0,
  !listconcat(HAL_SplitSlot<"target_buffer">.steps, [
    (Arith_ConstantOp:$bytes HAL_PatternBytes),
    (bind (Arith_ExtUIOp (original $pattern), (types I64)):$wide)
  ])>;
def HAL_ImportUpdateBuffer : HAL_Import<"command_buffer.update_buffer",
  (HAL_CommandBufferUpdateBufferOp $command_buffer, $source_buffer, ?, $source_offset,
                                   $target_buffer, $target_offset, $length, $flags),
  [HAL_Command<>, VM_Buffer<"source_buffer">, VM_Int64<"source_offset">,
   HAL_NamedBuffer<"target_buffer">, VM_Int64<"target_offset">, VM_Int64<"length">,
   HAL_NamedSlot<"target_buffer">, HAL_Flags<>],
  [], 0, 0, HAL_SplitSlot<"target_buffer">.steps>;
def HAL_ImportCopyBuffer : HAL_Import<"command_buffer.copy_buffer",
  (HAL_CommandBufferCopyBufferOp $command_buffer, $source_buffer, $source_offset, $target_buffer,
                                 $target_offset, $length, $flags),
  [HAL_Command<>, HAL_NamedSlot<"source_buffer">, HAL_NamedSlot<"target_buffer">,
   HAL_NamedBuffer<"source_buffer">, VM_Int64<"source_offset">, HAL_NamedBuffer<"target_buffer">,
   VM_Int64<"target_offset">, VM_Int64<"length">, HAL_Flags<>],
  [], 0, 0, !listconcat(HAL_SplitSlot<"source_buffer">.steps, HAL_SplitSlot<"target_buffer">.steps)>;

//===-- Collective work ---------------------------------------------------------------------------

class HAL_OrZero<string name>
    : VM_Argument<name, "i64", (switch (case (present !dag(original, ?, [name])),
                                             !dag(VM_ToI64S, ?, [name])),
                                       (default (values $zero)))>;
class HAL_OptionalSlot<string name> {
  list<dag> steps = [
    !dag(bind, [(switch (case (present !dag(original, ?, [name])), !dag(HAL_Slot, ?, [name])),
                        (default (VM_ConstI32ZeroOp)))], [name # "_slot"]),
    !dag(bind, [(switch (case (present !dag(original, ?, [name])), !dag(HAL_InSlot, ?, [name])),
                        (default (VM_ConstRefZeroOp
                                    (types (type HAL_Object<"buffer">.type)))))],
         [name # "_in_slot"])
  ];
}
def HAL_ImportCollective : HAL_Import<"command_buffer.collective",
  (HAL_CommandBufferCollectiveOp $command_buffer, $channel, $kind, $element_count, $factor,
                                 $send_buffer, $send_offset, $send_length, $recv_buffer,
                                 $recv_offset, $recv_length),
  [HAL_Command<>, HAL_Ref<"channel">, HAL_Named<"op", "i32", "number">,
   HAL_Named<"param", "i32", "given">, HAL_NamedSlot<"send_buffer">,
   HAL_NamedSlot<"recv_buffer">, HAL_NamedBuffer<"send_buffer">, HAL_NamedBuffer<"recv_buffer">,
   HAL_OrZero<"send_offset">, HAL_OrZero<"send_length">, HAL_OrZero<"recv_offset">,
   HAL_OrZero<"recv_length">, VM_Int64<"element_count">],
  [], 0, 0,
  !listconcat([
    (bind (VM_ConstI32Op (compute "hal_collective_number", $kind)):$number),
    (bind (switch (case (present (original $factor)), (VM_ToI32 $factor)),
                  (default (VM_ConstI32ZeroOp))):$given)],
    HAL_OptionalSlot<"send_buffer">.steps, HAL_OptionalSlot<"recv_buffer">.steps,
    [(VM_ConstI64ZeroOp:$zero)])>;

//===-- Dispatches --------------------------------------------------------------------------------

class HAL_DispatchConstants
    : VM_Argument<"constants", "i32", (values $constants), [(values $constants)]>;
class HAL_DispatchBindings
    : VM_Argument<"bindings", "tuple<i32, i32, !vm.ref<!hal.buffer>, i64, i64>",
                  (map (each $buffer, $buffers), (each $offset, $offsets),
                       (each $length, $lengths),
                       (values $reserved, (HAL_Slot $buffer), (HAL_InSlot $buffer),
                               (VM_ToI64S $offset), (VM_ToI64S $length))),
                  [(values $buffers)]>;
class HAL_FunctionId : VM_Argument<"function_id", "i64", (VM_ToI64S $entry_point)>;
def HAL_ImportDispatch : HAL_Import<"command_buffer.dispatch",
  (HAL_CommandBufferDispatchOp $command_buffer, $executable, $entry_point, $workgroup_x,
                               $workgroup_y, $workgroup_z, $constants, $buffers, $offsets,
                               $lengths, $flags),
  [HAL_Command<>, HAL_Ref<"executable">, HAL_FunctionId<>, VM_Int32<"workgroup_x">,
   VM_Int32<"workgroup_y">, VM_Int32<"workgroup_z">, HAL_Flags<>, HAL_DispatchConstants<>,
   HAL_DispatchBindings<>],
  [], 0, 7, [(VM_ConstI32ZeroOp:$reserved)]>;
def HAL_ImportDispatchIndirect : HAL_Import<"command_buffer.dispatch.indirect",
  (HAL_CommandBufferDispatchIndirectOp $command_buffer, $executable, $entry_point,
                                       $workgroups_buffer, $workgroups_offset, $constants,
                                       $buffers, $offsets, $lengths, $flags),
  [HAL_Command<>, HAL_Ref<"executable">, HAL_FunctionId<>, HAL_NamedSlot<"workgroups_buffer">,
   HAL_NamedBuffer<"workgroups_buffer">, VM_Int64<"workgroups_offset">, HAL_Flags<>,
   HAL_DispatchConstants<>, HAL_DispatchBindings<>],
  [], 0, 7,
  !listconcat([(VM_ConstI32ZeroOp:$reserved)], HAL_SplitSlot<"workgroups_buffer">.steps)>;

//===-- Executables -------------------------------------------------------------------------------

// The code is data of the module; that of executables which nothing loads is forgotten with them.
def HAL_ImportExecutableCreate : HAL_PureImport<"executable.create",
  (HAL_ExecutableCreateOp $device, $queue_affinity, ?, $constants),
  [HAL_Ref<"device">, VM_Int64<"queue_affinity">,
   HAL_Named<"executable_format", "!vm.buffer", "format">,
   HAL_Named<"executable_data", "!vm.buffer", "code">,
   VM_Argument<"constants", "!vm.buffer", (VM_PackedConstants $constants)>],
  [HAL_Object<"executable">.type], 0, [
    (bind (compute "hal_binary", $op):$binary),
    (bind (VM_RodataInlineOp (item $binary, 0), (item $binary, 1), (attr "16 : i64"),
                             (switch (case (eq (count $binary), 4), (item $binary, 3)),
                                     (default (absent)))):$code),
    (bind (VM_TextData (item $binary, 2)):$format)
  ]>;
def HAL_ImportLookupFunction : HAL_PureImport<"executable.lookup.function",
  (HAL_ExecutableLookupFunctionOp $executable, (symbol (rest), $function_name)),
  [HAL_Ref<"executable">, VM_Text<"function_name">], ["i64"], 7>;
def HAL_ForgetExecutable
    : ConversionPattern<"converted-to-vm", (HAL_ExecutableOp (rest)), [(erase)]>;
