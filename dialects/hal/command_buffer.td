// Ops that record commands.

// A buffer, or the number of the slot in which one comes when the commands are submitted.
def HAL_BufferOrSlot : AnyTypeOf<[Index, HAL_Buffer]>;

def HAL_CommandBufferCreateOp : HAL_Op<"command_buffer.create"> {
  let summary = "An empty command buffer";
  let arguments = (ins
    HAL_Device:$device,
    HAL_CommandBufferMode:$modes,
    HAL_CommandCategory:$command_categories,
    I64:$queue_affinity,
    Optional<Index>:$binding_capacity
  );
  let results = (outs HAL_CommandBuffer:$result);
  let resultNames = [NamedAs<"result", "cmd">];
  let assemblyFormat = [{
    `device` `(` $device `:` type($device) `)`
    `mode` `(` $modes `)`
    `categories` `(` $command_categories `)`
    `affinity` `(` $queue_affinity `)`
    (`bindings` `(` $binding_capacity^ `)`)? `:` type($result) attr-dict-with-keyword
  }];
}

class HAL_CommandOp<string mnemonic, list<Trait> traits = []>
    : HAL_Op<"command_buffer." # mnemonic, traits>;

def HAL_CommandBufferFinalizeOp : HAL_CommandOp<"finalize"> {
  let summary = "Ends a recording";
  let arguments = (ins HAL_CommandBuffer:$command_buffer);
  let assemblyFormat = [{
    `<` $command_buffer `:` type($command_buffer) `>` attr-dict-with-keyword
  }];
}

def HAL_CommandBufferDeviceOp : HAL_PureOp<"command_buffer.device"> {
  let summary = "The device that a command buffer is for";
  let arguments = (ins HAL_CommandBuffer:$command_buffer);
  let results = (outs HAL_Device:$device);
  let assemblyFormat = [{
    `<` $command_buffer `:` type($command_buffer) `>` `:` type($device) attr-dict-with-keyword
  }];
}

def HAL_CommandBufferBeginDebugGroupOp : HAL_CommandOp<"begin_debug_group"> {
  let summary = "What follows has a title for whoever watches";
  let arguments = (ins HAL_CommandBuffer:$command_buffer, StrAttr:$label);
  let assemblyFormat = [{
    `<` $command_buffer `:` type($command_buffer) `>` `label` `(` $label `)`
    attr-dict-with-keyword
  }];
}
def HAL_CommandBufferEndDebugGroupOp : HAL_CommandOp<"end_debug_group"> {
  let summary = "Ends what the last open title is for";
  let arguments = (ins HAL_CommandBuffer:$command_buffer);
  let assemblyFormat = [{
    `<` $command_buffer `:` type($command_buffer) `>` attr-dict-with-keyword
  }];
}

def HAL_CommandBufferExecutionBarrierOp : HAL_CommandOp<"execution_barrier"> {
  let summary = "What follows waits for what came before";
  let arguments = (ins
    HAL_CommandBuffer:$command_buffer,
    HAL_ExecutionStage:$source_stage_mask,
    HAL_ExecutionStage:$target_stage_mask,
    HAL_ExecutionBarrierFlags:$flags
  );
  let assemblyFormat = [{
    `<` $command_buffer `:` type($command_buffer) `>`
    `source` `(` $source_stage_mask `)`
    `target` `(` $target_stage_mask `)`
    `flags` `(` $flags `)`
    attr-dict-with-keyword
  }];
}

def HAL_CommandBufferFillBufferOp : HAL_CommandOp<"fill_buffer"> {
  let summary = "Fills a range with a repeated value";
  let arguments = (ins
    HAL_CommandBuffer:$command_buffer,
    HAL_BufferOrSlot:$target_buffer,
    Index:$target_offset,
    Index:$length,
    AnyTypeOf<[I8, I16, I32]>:$pattern,
    HAL_FillFlags:$flags
  );
  let assemblyFormat = [{
    `<` $command_buffer `:` type($command_buffer) `>`
    `target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `,` $length `]`
    `pattern` `(` $pattern `:` type($pattern) `)`
    `flags` `(` $flags `)`
    attr-dict-with-keyword
  }];
}

def HAL_CommandBufferUpdateBufferOp
    : HAL_CommandOp<"update_buffer", [
  MemoryEffects<[MemRead, MemWrite]>, SizeOf<"source_buffer", "source_size">
]> {
  let summary = "Uploads bytes of the host";
  let arguments = (ins
    HAL_CommandBuffer:$command_buffer,
    Util_BufferType:$source_buffer,
    Index:$source_size,
    Index:$source_offset,
    HAL_BufferOrSlot:$target_buffer,
    Index:$target_offset,
    Index:$length,
    HAL_UpdateFlags:$flags
  );
  let assemblyFormat = [{
    `<` $command_buffer `:` type($command_buffer) `>`
    `source` `(` $source_buffer `:` type($source_buffer) `{` $source_size `}` `)` ``
    `[` $source_offset `]`
    `target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]`
    `length` `(` $length `)`
    `flags` `(` $flags `)`
    attr-dict-with-keyword
  }];
}

def HAL_CommandBufferCopyBufferOp : HAL_CommandOp<"copy_buffer"> {
  let summary = "Copies a range";
  let arguments = (ins
    HAL_CommandBuffer:$command_buffer,
    HAL_BufferOrSlot:$source_buffer,
    Index:$source_offset,
    HAL_BufferOrSlot:$target_buffer,
    Index:$target_offset,
    Index:$length,
    HAL_CopyFlags:$flags
  );
  let assemblyFormat = [{
    `<` $command_buffer `:` type($command_buffer) `>`
    `source` `(` $source_buffer `:` type($source_buffer) `)` `` `[` $source_offset `]`
    `target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]`
    `length` `(` $length `)`
    `flags` `(` $flags `)`
    attr-dict-with-keyword
  }];
}

def HAL_CommandBufferCollectiveOp : HAL_CommandOp<"collective", [AttrSizedOperandSegments]> {
  let summary = "A collective operation";
  let arguments = (ins
    HAL_CommandBuffer:$command_buffer,
    HAL_Channel:$channel,
    HAL_CollectiveAttr:$op,
    Index:$element_count,
    Optional<I32>:$param,
    Optional<HAL_BufferOrSlot>:$send_buffer,
    Optional<Index>:$send_offset,
    Optional<Index>:$send_length,
    Optional<HAL_BufferOrSlot>:$recv_buffer,
    Optional<Index>:$recv_offset,
    Optional<Index>:$recv_length
  );
  let assemblyFormat = [{
    `<` $command_buffer `:` type($command_buffer) `>`
    `channel` `(` $channel `:` type($channel) `)`
    `op` `(` $op `)`
    (`param` `(` $param^ `:` type($param) `)`)?
    (`send` `(` $send_buffer^ `:` type($send_buffer) `)` `` `[` $send_offset `,` $send_length `]`)?
    (`recv` `(` $recv_buffer^ `:` type($recv_buffer) `)` `` `[` $recv_offset `,` $recv_length `]`)?
    `count` `(` $element_count `)`
    attr-dict-with-keyword
  }];
}

def HAL_CommandBufferDispatchOp : HAL_CommandOp<"dispatch", [AttrSizedOperandSegments]> {
  let summary = "Runs device code for a number of workgroups";
  let arguments = (ins
    HAL_CommandBuffer:$command_buffer,
    HAL_Executable:$executable,
    I64:$entry_point,
    Index:$workgroup_x,
    Index:$workgroup_y,
    Index:$workgroup_z,
    Variadic<I32>:$constants,
    Variadic<HAL_BufferOrSlot>:$binding_buffers,
    Variadic<Index>:$binding_offsets,
    Variadic<Index>:$binding_lengths,
    HAL_DispatchFlags:$flags
  );
  let assemblyFormat = [{
    `<` $command_buffer `:` type($command_buffer) `>`
    `target` `(` $executable `:` type($executable) `)` `` `[` $entry_point `]`
    `workgroups` `(` `[` $workgroup_x `,` $workgroup_y `,` $workgroup_z `]` `)`
    (`constants` `(` `[` $constants^ `]` `)`)?
    `bindings` `(` `[`
    custom<Bindings>($binding_buffers, type($binding_buffers), $binding_offsets, $binding_lengths)
    `]` `)`
    `flags` `(` $flags `)`
    attr-dict-with-keyword
  }];
  let verifier = "bindings";
}

def HAL_CommandBufferDispatchIndirectOp
    : HAL_CommandOp<"dispatch.indirect", [AttrSizedOperandSegments]> {
  let summary = "Runs device code for a number of workgroups that the device reads from memory";
  let arguments = (ins
    HAL_CommandBuffer:$command_buffer,
    HAL_Executable:$executable,
    I64:$entry_point,
    HAL_BufferOrSlot:$workgroups_buffer,
    Index:$workgroups_offset,
    Variadic<I32>:$constants,
    Variadic<HAL_BufferOrSlot>:$binding_buffers,
    Variadic<Index>:$binding_offsets,
    Variadic<Index>:$binding_lengths,
    HAL_DispatchFlags:$flags
  );
  let assemblyFormat = [{
    `<` $command_buffer `:` type($command_buffer) `>`
    `target` `(` $executable `:` type($executable) `)` `` `[` $entry_point `]`
    `workgroups` `(` $workgroups_buffer `:` type($workgroups_buffer) `)` ``
    `[` $workgroups_offset `]`
    (`constants` `(` `[` $constants^ `]` `)`)?
    `bindings` `(` `[`
    custom<Bindings>($binding_buffers, type($binding_buffers), $binding_offsets, $binding_lengths)
    `]` `)`
    `flags` `(` $flags `)`
    attr-dict-with-keyword
  }];
  let verifier = "bindings";
}
