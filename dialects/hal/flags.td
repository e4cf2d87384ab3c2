// Flags of what is allocated, recorded, submitted and waited for.

// A set of flags of the runtime that nothing is defined for yet.
class HAL_NoFlags<string name, string what> : I64BitEnumAttr<name, what, [
  I32BitEnumCase<"None", 0x0>, I32BitEnumCase<"Reserved", 0x1>
]>;

def HAL_AllocaFlags : I64BitEnumAttr<"AllocaFlagBitfield", "how memory is allocated in order", [
  I32BitEnumCase<"None", 0x0>, I32BitEnumCase<"IndeterminateLifetime", 0x1>
]>;
def HAL_DeallocaFlags : I64BitEnumAttr<"DeallocaFlagBitfield", "how memory is freed in order", [
  I32BitEnumCase<"None", 0x0>, I32BitEnumCase<"PreferOrigin", 0x1>
]>;
def HAL_ChannelFlags : HAL_NoFlags<"ChannelFlagBitfield", "how a channel is used">;
def HAL_CopyFlags : HAL_NoFlags<"CopyFlagBitfield", "how bytes are copied">;
def HAL_DispatchFlags : HAL_NoFlags<"DispatchFlags", "how device code is run">;
def HAL_ExecuteFlags : HAL_NoFlags<"ExecuteFlagBitfield", "how work is submitted">;
def HAL_ExecutionBarrierFlags
    : HAL_NoFlags<"ExecutionBarrierFlagBitfield", "how commands are kept apart">;
def HAL_FenceFlags : HAL_NoFlags<"FenceFlagBitfield", "how a fence is used">;
def HAL_FillFlags : HAL_NoFlags<"FillFlagBitfield", "how bytes are filled">;
def HAL_ReadFlags : HAL_NoFlags<"ReadFlagBitfield", "how a file is read">;
def HAL_UpdateFlags : HAL_NoFlags<"UpdateFlagBitfield", "how bytes of the host are uploaded">;
def HAL_WaitFlags : HAL_NoFlags<"WaitFlagBitfield", "how the host waits">;
def HAL_WriteFlags : HAL_NoFlags<"WriteFlagBitfield", "how a file is written">;

def HAL_CommandBufferMode
    : I32BitEnumAttr<"CommandBufferModeBitfield", "how a command buffer is used", [
  I32BitEnumCase<"None", 0x0>, I32BitEnumCase<"OneShot", 0x1>,
  I32BitEnumCase<"AllowInlineExecution", 0x10>
]>;
def HAL_CommandCategory
    : I32BitEnumAttr<"CommandCategoryBitfield", "what a command buffer holds", [
  I32BitEnumCase<"None", 0x0>, I32BitEnumCase<"Transfer", 0x1>, I32BitEnumCase<"Dispatch", 0x2>
]>;
def HAL_ExecutionStage
    : I32BitEnumAttr<"ExecutionStageBitfield", "a stage that commands go through", [
  I32BitEnumCase<"None", 0x0>, I32BitEnumCase<"CommandIssue", 0x1>,
  I32BitEnumCase<"CommandProcess", 0x2>, I32BitEnumCase<"Dispatch", 0x4>,
  I32BitEnumCase<"Transfer", 0x8>, I32BitEnumCase<"CommandRetire", 0x10>,
  I32BitEnumCase<"Host", 0x20>
]>;
def HAL_MemoryAccess : I32BitEnumAttr<"MemoryAccessBitfield", "what may be done to memory", [
  I32BitEnumCase<"None", 0x0>, I32BitEnumCase<"Read", 0x1>, I32BitEnumCase<"Write", 0x2>,
  I32BitEnumCase<"Discard", 0x4>, I32BitEnumCase<"MayAlias", 0x8>,
  I32BitEnumCase<"Unaligned", 0x10>, I32BitEnumCase<"Any", 0x20>
]>;

def HAL_Lifetime : I32EnumAttr<"Lifetime", "how long memory is needed and who sees it", [
  I32EnumAttrCase<"Unknown", 0, "*">, I32EnumAttrCase<"External", 1, "external">,
  I32EnumAttrCase<"Staging", 2, "staging">, I32EnumAttrCase<"Transient", 3, "transient">,
  I32EnumAttrCase<"Variable", 4, "variable">, I32EnumAttrCase<"Constant", 5, "constant">
]>;
