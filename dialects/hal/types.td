// Types of the runtime's objects.

class HAL_ObjectType<string name, string keyword, string what, list<Trait> traits = []>
    : TypeDef<HAL_Dialect, name, !listconcat([Util_ReferenceType], traits)>, BuildableType<"!hal." # keyword> {
  let mnemonic = keyword;
  let summary = what;
}

def HAL_Allocator : HAL_ObjectType<"Allocator", "allocator", "Allocates device-visible memory">;
def HAL_Buffer
    : HAL_ObjectType<"Buffer", "buffer", "A range of device-visible bytes", [Util_SizeAwareType]>;
def HAL_BufferView
    : HAL_ObjectType<"BufferView", "buffer_view", "A buffer with a shape and an element type">;
def HAL_Channel : HAL_ObjectType<"Channel", "channel", "A group of participants in collective work">;
def HAL_CommandBuffer
    : HAL_ObjectType<"CommandBuffer", "command_buffer", "Recorded commands">;
def HAL_Device : HAL_ObjectType<"Device", "device", "A device that runs commands">;
def HAL_Executable : HAL_ObjectType<"Executable", "executable", "Loaded device code">;
def HAL_File : HAL_ObjectType<"File", "file", "Bytes that devices read and write in ranges">;
def HAL_Fence : HAL_ObjectType<"Fence", "fence", "Points in time of several timelines">;
def HAL_Semaphore : HAL_ObjectType<"Semaphore", "semaphore", "A timeline of points in time">;
