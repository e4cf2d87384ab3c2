// Ops that a device does in the order of its fences.

// Starts once the first fence is reached and reaches the second; either may be null.
class HAL_DeviceQueueOp<string mnemonic, list<Trait> traits = []>
    : HAL_Op<"device.queue." # mnemonic, traits> {
  let verifier = "device_queue";
}

def HAL_DeviceQueueAllocaOp : HAL_DeviceQueueOp<"alloca", [SizeOf<"result", "result_size">]> {
  let summary = "Memory that may be used once the signal fence is reached";
  let arguments = (ins
    HAL_Device:$device,
    I64:$queue_affinity,
    HAL_Fence:$wait_fence,
    HAL_Fence:$signal_fence,
    I64:$pool,
    I32:$memory_types,
    I32:$buffer_usage,
    Index:$result_size,
    HAL_AllocaFlags:$flags
  );
  let results = (outs HAL_Buffer:$result);
  let resultNames = [NamedAs<"result", "transient_buffer">];
  let assemblyFormat = [{
    `<` $device `:` type($device) `>`
    `affinity` `(` $queue_affinity `)`
    `wait` `(` $wait_fence `)`
    `signal` `(` $signal_fence `)`
    `pool` `(` $pool `)`
    `type` `(` $memory_types `)`
    `usage` `(` $buffer_usage `)`
    `flags` `(` $flags `)` `:`
    custom<SizeAwareType>(type($result), $result_size)
    attr-dict-with-keyword
  }];
}

def HAL_DeviceQueueDeallocaOp : HAL_DeviceQueueOp<"dealloca"> {
  let summary = "Frees memory that was allocated in order";
  let arguments = (ins
    HAL_Device:$device,
    I64:$queue_affinity,
    HAL_Fence:$wait_fence,
    HAL_Fence:$signal_fence,
    HAL_Buffer:$buffer,
    HAL_DeallocaFlags:$flags
  );
  let assemblyFormat = [{
    `<` $device `:` type($device) `>`
    `affinity` `(` $queue_affinity `)`
    `wait` `(` $wait_fence `)`
    `signal` `(` $signal_fence `)`
    `buffer` `(` $buffer `:` type($buffer) `)`
    `flags` `(` $flags `)`
    attr-dict-with-keyword
  }];
}

def HAL_DeviceQueueFillOp : HAL_DeviceQueueOp<"fill"> {
  let summary = "Fills a range with a repeated value";
  let arguments = (ins
    HAL_Device:$device,
    I64:$queue_affinity,
    HAL_Fence:$wait_fence,
    HAL_Fence:$signal_fence,
    HAL_Buffer:$target_buffer,
    Index:$target_offset,
    Index:$length,
    AnyTypeOf<[I8, I16, I32, I64]>:$pattern,
    HAL_FillFlags:$flags
  );
  let assemblyFormat = [{
    `<` $device `:` type($device) `>`
    `affinity` `(` $queue_affinity `)`
    `wait` `(` $wait_fence `)`
    `signal` `(` $signal_fence `)`
    `target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]`
    `length` `(` $length `)`
    `pattern` `(` $pattern `:` type($pattern) `)`
    `flags` `(` $flags `)`
    attr-dict-with-keyword
  }];
}

def HAL_DeviceQueueUpdateOp : HAL_DeviceQueueOp<"update"> {
  let summary = "Uploads bytes of the host";
  let arguments = (ins
    HAL_Device:$device,
    I64:$queue_affinity,
    HAL_Fence:$wait_fence,
    HAL_Fence:$signal_fence,
    Util_BufferType:$source_buffer,
    Index:$source_offset,
    HAL_Buffer:$target_buffer,
    Index:$target_offset,
    Index:$length,
    HAL_UpdateFlags:$flags
  );
  let assemblyFormat = [{
    `<` $device `:` type($device) `>`
    `affinity` `(` $queue_affinity `)`
    `wait` `(` $wait_fence `)`
    `signal` `(` $signal_fence `)`
    `source` `(` $source_buffer `:` type($source_buffer) `)` `` `[` $source_offset `]`
    `target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]`
    `length` `(` $length `)`
    `flags` `(` $flags `)`
    attr-dict-with-keyword
  }];
}

def HAL_DeviceQueueCopyOp : HAL_DeviceQueueOp<"copy"> {
  let summary = "Copies a range";
  let arguments = (ins
    HAL_Device:$device,
    I64:$queue_affinity,
    HAL_Fence:$wait_fence,
    HAL_Fence:$signal_fence,
    HAL_Buffer:$source_buffer,
    Index:$source_offset,
    HAL_Buffer:$target_buffer,
    Index:$target_offset,
    Index:$length,
    HAL_CopyFlags:$flags
  );
  let assemblyFormat = [{
    `<` $device `:` type($device) `>`
    `affinity` `(` $queue_affinity `)`
    `wait` `(` $wait_fence `)`
    `signal` `(` $signal_fence `)`
    `source` `(` $source_buffer `:` type($source_buffer) `)` `` `[` $source_offset `]`
    `target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]`
    `length` `(` $length `)`
    `flags` `(` $flags `)`
    attr-dict-with-keyword
  }];
}

def HAL_DeviceQueueReadOp : HAL_DeviceQueueOp<"read"> {
  let summary = "Reads a range of a file";
  let arguments = (ins
    HAL_Device:$device,
    I64:$queue_affinity,
    HAL_Fence:$wait_fence,
    HAL_Fence:$signal_fence,
    HAL_File:$source_file,
    I64:$source_offset,
    HAL_Buffer:$target_buffer,
    Index:$target_offset,
    Index:$length,
    HAL_ReadFlags:$flags
  );
  let assemblyFormat = [{
    `<` $device `:` type($device) `>`
    `affinity` `(` $queue_affinity `)`
    `wait` `(` $wait_fence `)`
    `signal` `(` $signal_fence `)`
    `source` `(` $source_file `:` type($source_file) `)` `` `[` $source_offset `]`
    `target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]`
    `length` `(` $length `)`
    `flags` `(` $flags `)`
    attr-dict-with-keyword
  }];
}

def HAL_DeviceQueueWriteOp : HAL_DeviceQueueOp<"write"> {
  let summary = "Writes a range of a file";
  let arguments = (ins
    HAL_Device:$device,
    I64:$queue_affinity,
    HAL_Fence:$wait_fence,
    HAL_Fence:$signal_fence,
    HAL_Buffer:$source_buffer,
    Index:$source_offset,
    HAL_File:$target_file,
    I64:$target_offset,
    Index:$length,
    HAL_WriteFlags:$flags
  );
  let assemblyFormat = [{
    `<` $device `:` type($device) `>`
    `affinity` `(` $queue_affinity `)`
    `wait` `(` $wait_fence `)`
    `signal` `(` $signal_fence `)`
    `source` `(` $source_buffer `:` type($source_buffer) `)` `` `[` $source_offset `]`
    `target` `(` $target_file `:` type($target_file) `)` `` `[` $target_offset `]`
    `length` `(` $length `)`
    `flags` `(` $flags `)`
    attr-dict-with-keyword
  }];
}

def HAL_DeviceQueueBarrierOp : HAL_DeviceQueueOp<"barrier"> {
  let summary = "Does nothing in between";
  let arguments = (ins
    HAL_Device:$device,
    I64:$queue_affinity,
    HAL_Fence:$wait_fence,
    HAL_Fence:$signal_fence,
    HAL_ExecuteFlags:$flags
  );
  let assemblyFormat = [{
    `<` $device `:` type($device) `>`
    `affinity` `(` $queue_affinity `)`
    `wait` `(` $wait_fence `)`
    `signal` `(` $signal_fence `)`
    `flags` `(` $flags `)`
    attr-dict-with-keyword
  }];
}

def HAL_DeviceQueueExecuteOp : HAL_DeviceQueueOp<"execute"> {
  let summary = "Runs recorded commands";
  let arguments = (ins
    HAL_Device:$device,
    I64:$queue_affinity,
    HAL_Fence:$wait_fence,
    HAL_Fence:$signal_fence,
    HAL_CommandBuffer:$command_buffer,
    HAL_ExecuteFlags:$flags
  );
  let assemblyFormat = [{
    `<` $device `:` type($device) `>`
    `affinity` `(` $queue_affinity `)`
    `wait` `(` $wait_fence `)`
    `signal` `(` $signal_fence `)`
    `commands` `(` $command_buffer `)`
    `flags` `(` $flags `)`
    attr-dict-with-keyword
  }];
}

def HAL_DeviceQueueExecuteIndirectOp : HAL_DeviceQueueOp<"execute.indirect", [SameVariadicOperandSize]> {
  let summary = "Runs recorded commands with a buffer for each of their slots";
  let arguments = (ins
    HAL_Device:$device,
    I64:$queue_affinity,
    HAL_Fence:$wait_fence,
    HAL_Fence:$signal_fence,
    HAL_CommandBuffer:$command_buffer,
    Variadic<HAL_Buffer>:$binding_buffers,
    Variadic<Index>:$binding_offsets,
    Variadic<Index>:$binding_lengths,
    HAL_ExecuteFlags:$flags
  );
  let assemblyFormat = [{
    `<` $device `:` type($device) `>`
    `affinity` `(` $queue_affinity `)`
    `wait` `(` $wait_fence `)`
    `signal` `(` $signal_fence `)`
    `commands` `(` $command_buffer `)`
    `bindings` `(` `[`
    custom<Bindings>($binding_buffers, type($binding_buffers), $binding_offsets, $binding_lengths)
    `]` `)`
    `flags` `(` $flags `)`
    attr-dict-with-keyword
  }];
}

def HAL_DeviceQueueFlushOp : HAL_Op<"device.queue.flush"> {
  let summary = "Submits what has been gathered for the queues so far";
  let arguments = (ins HAL_Device:$device, I64:$queue_affinity);
  let assemblyFormat = [{
    `<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` attr-dict-with-keyword
  }];
}
