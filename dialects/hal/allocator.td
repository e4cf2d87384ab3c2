// Ops on allocators: memory that outlives what runs in order.

def HAL_AllocatorSelectOp
    : HAL_PureOp<"allocator.select", [SameVariadicOperandSize]> {
  let summary = "The device and queues, of several, that fit memory of these properties best";
  let arguments = (ins
    Variadic<HAL_Device>:$devices,
    Variadic<I64>:$queue_affinities,
    I32:$memory_types,
    I32:$buffer_usage
  );
  let results = (outs HAL_Device:$selected_device, I64:$selected_queue_affinity);
  let resultNames = [
    NamedAs<"selected_device", "device">, NamedAs<"selected_queue_affinity", "queue_affinity">
  ];
  let assemblyFormat = [{
    `from` `(` custom<DeviceQueueAffinityList>($devices, type($devices), $queue_affinities) `)`
    `type` `(` $memory_types `)`
    `usage` `(` $buffer_usage `)` `:`
    type($selected_device) `,` type($selected_queue_affinity) attr-dict-with-keyword
  }];
}

def HAL_AllocatorAllocateOp : HAL_Op<"allocator.allocate", [SizeOf<"result", "result_size">]> {
  let summary = "Memory from an allocator";
  let arguments = (ins
    HAL_Allocator:$allocator,
    I64:$queue_affinity,
    I32:$memory_types,
    I32:$buffer_usage,
    Index:$result_size
  );
  let results = (outs HAL_Buffer:$result);
  let resultNames = [NamedAs<"result", "buffer">];
  let assemblyFormat = [{
    `<` $allocator `:` type($allocator) `>`
    `affinity` `(` $queue_affinity `)`
    `type` `(` $memory_types `)`
    `usage` `(` $buffer_usage `)` `:`
    custom<SizeAwareType>(type($result), $result_size) attr-dict-with-keyword
  }];
}

def HAL_AllocatorImportOp : HAL_Op<"allocator.import", [SizeOf<"result", "length">]> {
  let summary = "Bytes of the host as a buffer, where the allocator can use them in place";
  let arguments = (ins
    HAL_Allocator:$allocator,
    I64:$queue_affinity,
    I32:$memory_types,
    I32:$buffer_usage,
    Util_BufferType:$source,
    Index:$offset,
    Index:$length
  );
  let results = (outs I1:$did_import, HAL_Buffer:$result);
  let resultNames = [NamedAs<"did_import", "did_import">, NamedAs<"result", "mapped">];
  let assemblyFormat = [{
    `<` $allocator `:` type($allocator) `>`
    `source` `(` $source `:` type($source) `)` `` `[` $offset `,` $length `]`
    `affinity` `(` $queue_affinity `)`
    `type` `(` $memory_types `)`
    `usage` `(` $buffer_usage `)` `:`
    type($did_import) `,` type($result) attr-dict-with-keyword
  }];
}

def HAL_AllocatorResolveMemoryPropertiesOp
    : HAL_PureOp<"allocator.resolve_memory_properties"> {
  let summary = "The memory type and the uses that a lifetime asks for where work runs";
  let arguments = (ins OptionalAttr<AnyAttr>:$affinity, HAL_Lifetime:$lifetime);
  let results = (outs I32:$memory_types, I32:$buffer_usage);
  let resultNames = [
    NamedAs<"memory_types", "memory_types">, NamedAs<"buffer_usage", "buffer_usage">
  ];
  let assemblyFormat = [{
    (`for` `(` $affinity^ `)`)?
    `lifetime` `(` $lifetime `)` `:` type($memory_types) `,` type($buffer_usage)
    attr-dict-with-keyword
  }];
}

//===-- Memory that was allocated -----------------------------------------------------------------

def HAL_BufferAssertOp : HAL_Op<"buffer.assert"> {
  let summary = "Fails unless a buffer has this size and may be used like this";
  let arguments = (ins
    HAL_Buffer:$buffer,
    StrAttr:$message,
    HAL_Allocator:$allocator,
    Index:$minimum_length,
    HAL_MemoryType:$memory_types,
    HAL_BufferUsage:$buffer_usage
  );
  let assemblyFormat = [{
    `<` $buffer `:` type($buffer) `>`
    `message` `(` $message `)`
    `allocator` `(` $allocator `:` type($allocator) `)`
    `minimum_length` `(` $minimum_length `)`
    `type` `(` $memory_types `)`
    `usage` `(` $buffer_usage `)`
    attr-dict-with-keyword
  }];
}

class HAL_BufferAllocationOp<string mnemonic, list<MemoryEffect> effects>
    : HAL_Op<"buffer.allocation." # mnemonic, [MemoryEffects<effects>]> {
  let arguments = (ins HAL_Buffer:$buffer);
}
def HAL_BufferAllocationPreserveOp
    : HAL_BufferAllocationOp<"preserve", [MemRead, MemWrite]> {
  let summary = "One more holds the memory of a buffer";
  let assemblyFormat = "`<` $buffer `:` type($buffer) `>` attr-dict-with-keyword";
}
def HAL_BufferAllocationDiscardOp : HAL_BufferAllocationOp<"discard", [MemRead, MemWrite]> {
  let summary = "One less holds the memory of a buffer; whether nobody does any more";
  let results = (outs I1:$result);
  let resultNames = [NamedAs<"result", "was_terminal">];
  let assemblyFormat = [{
    `<` $buffer `:` type($buffer) `>` `:` type($result) attr-dict-with-keyword
  }];
}
def HAL_BufferAllocationIsTerminalOp : HAL_BufferAllocationOp<"is_terminal", [MemRead]> {
  let summary = "Whether only one holds the memory of a buffer";
  let results = (outs I1:$result);
  let resultNames = [NamedAs<"result", "is_terminal">];
  let assemblyFormat = [{
    `<` $buffer `:` type($buffer) `>` `:` type($result) attr-dict-with-keyword
  }];
}
