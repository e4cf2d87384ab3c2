// Types of the runtime's objects.

class HAL_ObjectType<string name, string keyword, string what>
    : TypeDef<HAL_Dialect, name>, BuildableType<"!hal." # keyword> {
  let mnemonic = keyword;
  let summary = what;
}

def HAL_Allocator : HAL_ObjectType<"Allocator", "allocator", "Allocates device-visible memory">;
def HAL_Buffer : HAL_ObjectType<"Buffer", "buffer", "A range of device-visible bytes">;
def HAL_BufferView
    : HAL_ObjectType<"BufferView", "buffer_view", "A buffer with a shape and an element type">;
def HAL_CommandBuffer
    : HAL_ObjectType<"CommandBuffer", "command_buffer", "Recorded commands">;
def HAL_Device : HAL_ObjectType<"Device", "device", "A device that runs commands">;
def HAL_Executable : HAL_ObjectType<"Executable", "executable", "Loaded device code">;
def HAL_Fence : HAL_ObjectType<"Fence", "fence", "Points in time of several timelines">;
