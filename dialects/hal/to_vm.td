// To `vm`: each op is a call of a function of the runtime's module `hal`. Commands and devices have
// files of their own.

include "vm/vm.td"

class HAL_Import<string name, dag source, list<VM_Argument> arguments, list<string> results = [],
                 bit pure = 0, int version = 0, list<dag> before = [], bit yields = 0>
    : VM_Import<"hal", name, source, arguments, results, pure, version, before, yields>;
class HAL_PureImport<string name, dag source, list<VM_Argument> arguments, list<string> results,
                     int version = 0, list<dag> before = []>
    : HAL_Import<name, source, arguments, results, 1, version, before>;
/// An import that no op stands for, or more than one way of doing so.
class HAL_Declaration<string name, list<VM_Argument> arguments, list<string> results = [],
                      bit pure = 0>
    : VM_Declaration<"hal." # name, arguments, results, pure, 0, 0>;
class HAL_Object<string name> {
  string type = "!vm.ref<!hal." # name # ">";
}
class HAL_Ref<string name, string object = name> : VM_Ref<name, HAL_Object<object>.type>;
/// What only a declaration needs to know of an argument.
class HAL_Taken<string name, string type> : VM_Argument<name, type, (absent)>;
/// Flags that nothing is defined for are passed as they are, zero or not.
class HAL_Flags<string name = "flags">
    : VM_Argument<name, "i64", (VM_ConstI64Op !con(!dag(toInt, ?, [name]), (toInt I64)))>;
defvar HAL_NoFlag = (VM_ConstI64ZeroOp);

//===-- Numbers -----------------------------------------------------------------------------------

def HAL_VMElementType
    : VM_Replaced<(HAL_ElementTypeOp $type), (VM_ConstI32Op (HAL_ElementNumber (typeOf $type)))>;
def HAL_VMEncodingType
    : VM_Replaced<(HAL_EncodingTypeOp (absent)), (VM_ConstI32Op HAL_RowMajor)>;
def HAL_VMMemoryType : VM_Replaced<(HAL_MemoryTypeOp $number), (VM_ConstI32Op $number)>;
def HAL_VMBufferUsage : VM_Replaced<(HAL_BufferUsageOp $number), (VM_ConstI32Op $number)>;

//===-- Allocators --------------------------------------------------------------------------------

def HAL_ImportFileFromMemory : HAL_Import<"ex.file.from_memory",
  (HAL_ExFileFromMemoryOp $device, $queue_affinity, $access, $buffer, $offset, $length, $flags),
  [HAL_Ref<"device">, VM_Int64<"queue_affinity">, VM_Number32<"access">, VM_Buffer<"buffer">,
   VM_Int64<"offset">, VM_Int64<"length">, VM_Int32<"flags">],
  [HAL_Object<"file">.type]>;
def HAL_ImportSelect : HAL_PureImport<"allocator.select",
  (HAL_AllocatorSelectOp $devices, $affinities, $memory_types, $buffer_usage),
  [VM_Int32<"memory_types">, VM_Int32<"buffer_usage">, VM_Argument<"flags", "i64", HAL_NoFlag>,
   VM_Argument<"from", "tuple<!vm.ref<!hal.device>, i64>",
               (map (each $device, $devices), (each $affinity, $affinities),
                    (values $device, $affinity)), [(values $devices)]>],
  [HAL_Object<"device">.type, "i64"]>;
def HAL_ImportAllocate : HAL_Import<"allocator.allocate",
  (HAL_AllocatorAllocateOp $allocator, $queue_affinity, $memory_types, $buffer_usage,
                           $allocation_size),
  [HAL_Ref<"allocator">, VM_Int64<"queue_affinity">, VM_Int32<"memory_types">,
   VM_Int32<"buffer_usage">, VM_Int64<"allocation_size">],
  [HAL_Object<"buffer">.type]>;
def HAL_DeclareAllocatorImport : HAL_Declaration<"allocator.import",
  [HAL_Taken<"allocator", HAL_Object<"allocator">.type>, HAL_Taken<"try", "i32">,
   HAL_Taken<"queue_affinity", "i64">, HAL_Taken<"memory_types", "i32">,
   HAL_Taken<"buffer_usage", "i32">, HAL_Taken<"source", "!vm.buffer">,
   HAL_Taken<"offset", "i64">, HAL_Taken<"length", "i64">],
  [HAL_Object<"buffer">.type]>;
// Null where the allocator cannot use the bytes in place.
def HAL_VMAllocatorImport
    : VM_Converted<(HAL_AllocatorImportOp $allocator, $affinity, $types, $usage, $source, $offset,
                                          $length),
        [(VM_ConstI32Op:$try 1),
         (VM_CallOp:$call (symbol "hal.allocator.import"),
            (values $allocator, $try, (VM_ToI64S $affinity), (VM_ToI32 $types),
                    (VM_ToI32 $usage), $source, (VM_ToI64S $offset), (VM_ToI64S $length)),
            ?, ?, ?, (types (type HAL_Object<"buffer">.type))),
         (bind (item (values $call), 0):$made),
         (replace (VM_CmpNZRefOp $made), $made)]>;

//===-- Buffers -----------------------------------------------------------------------------------

def HAL_ImportAssert : HAL_Import<"buffer.assert",
  (HAL_BufferAssertOp $buffer, $message, $allocator, $minimum_length, $memory_types,
                      $buffer_usage),
  [HAL_Ref<"buffer">, VM_Text<"message">, HAL_Ref<"allocator">, VM_Int64<"minimum_length">,
   VM_Number32<"memory_types">, VM_Number32<"buffer_usage">]>;
def HAL_ImportPreserve : HAL_Import<"buffer.allocation.preserve",
  (HAL_BufferAllocationPreserveOp $buffer), [HAL_Ref<"buffer">]>;
def HAL_ImportDiscard : HAL_Import<"buffer.allocation.discard",
  (HAL_BufferAllocationDiscardOp $buffer), [HAL_Ref<"buffer">], ["i32"]>;
def HAL_ImportIsTerminal : HAL_Import<"buffer.allocation.is_terminal",
  (HAL_BufferAllocationIsTerminalOp $buffer), [HAL_Ref<"buffer">], ["i32"]>;
def HAL_ImportSubspan : HAL_PureImport<"buffer.subspan",
  (HAL_BufferSubspanOp $source_buffer, $source_offset, $length),
  [HAL_Ref<"source_buffer", "buffer">, VM_Int64<"source_offset">, VM_Int64<"length">],
  [HAL_Object<"buffer">.type]>;
def HAL_ImportLength : HAL_PureImport<"buffer.length",
  (HAL_BufferLengthOp $buffer), [HAL_Ref<"buffer">], ["i64"]>;

// Numbers are read and written by up to 32 bits.
def HAL_DeclareLoad : HAL_Declaration<"buffer.load",
  [HAL_Taken<"source_buffer", HAL_Object<"buffer">.type>, HAL_Taken<"source_offset", "i64">,
   HAL_Taken<"length", "i32">], ["i32"]>;
def HAL_DeclareStore : HAL_Declaration<"buffer.store",
  [HAL_Taken<"value", "i32">, HAL_Taken<"target_buffer", HAL_Object<"buffer">.type>,
   HAL_Taken<"target_offset", "i64">, HAL_Taken<"length", "i32">]>;
def HAL_CallLoad : Function<(params $buffer, $at, $bytes),
    (VM_CallOp (symbol "hal.buffer.load"), (values $buffer, $at, $bytes), ?, ?, ?, (types I32))>;
def HAL_HalfAbove : Function<(params $at),
    (createOrFold (VM_AddI64Op $at, (VM_ConstI64Op 4)))>;
class HAL_VMLoad<TypeConstraint type, string bytes, dag value>
    : VM_Converted<(HAL_BufferLoadOp:$load $buffer, $offset),
        [(bind (VM_ToI64S $offset):$at),
         (Arith_ConstantOp:$bytes (attr bytes # " : i32")),
         (bind (HAL_CallLoad $buffer, $at, $bytes):$read),
         (replace value)], [(type $load)]>;
def HAL_VMLoadByte : HAL_VMLoad<AnyTypeOf<[I1, I8, SI8, UI8]>, "1", (values $read)>;
def HAL_VMLoadPair : HAL_VMLoad<AnyTypeOf<[I16, SI16, UI16]>, "2", (values $read)>;
def HAL_VMLoadWord : HAL_VMLoad<AnyIntOfWidths<[32]>, "4", (values $read)>;
def HAL_VMLoadFloat : HAL_VMLoad<F32, "4", (Arith_BitcastOp $read, (types F32))>;
class HAL_VMLoadWide<TypeConstraint type, list<dag> conditions, dag value>
    : VM_Converted<(HAL_BufferLoadOp:$load $buffer, $offset),
        !listconcat([(bind (VM_ToI64S $offset):$at),
         (Arith_ConstantOp:$bytes (attr "4 : i32")),
         (bind (HAL_HalfAbove $at):$above),
         (bind (HAL_CallLoad $buffer, $above, $bytes):$high),
         (bind (VM_ShlI64Op (VM_ExtI32I64UOp $high), (VM_ConstI32Op 32)):$shifted),
         (bind (HAL_CallLoad $buffer, $at, $bytes):$low),
         (bind (VM_OrI64Op (VM_ExtI32I64UOp $low), $shifted):$whole)], [(replace value)]),
        !listconcat([(type $load)], conditions)>;
def HAL_VMLoadDouble : HAL_VMLoadWide<F64, [], (Arith_BitcastOp $whole, (types F64))>;
def HAL_VMLoadLong : HAL_VMLoadWide<AnyIntOfWidths<[64]>, [], (values $whole)>;
def HAL_VMLoadIndex
    : HAL_VMLoadWide<Index, [(same (convertType (typeOf $load)), I64)], (values $whole)>;

class HAL_VMStore<TypeConstraint type, string bytes, dag stored>
    : VM_Converted<(HAL_BufferStoreOp type:$value, $buffer, $offset),
        [(bind (VM_ToI64S $offset):$at), (bind stored:$number),
         (Arith_ConstantOp:$bytes (attr bytes # " : i32")),
         (VM_CallOp (symbol "hal.buffer.store"), (values $number, $buffer, $at, $bytes), ?, ?, ?,
            (types)),
         (erase)]>;
def HAL_VMStoreByte : HAL_VMStore<AnyTypeOf<[I1, I8, SI8, UI8]>, "1", (values $value)>;
def HAL_VMStorePair : HAL_VMStore<AnyTypeOf<[I16, SI16, UI16]>, "2", (values $value)>;
def HAL_VMStoreWord : HAL_VMStore<AnyIntOfWidths<[32]>, "4", (values $value)>;
def HAL_VMStoreFloat
    : HAL_VMStore<F32, "4", (createOrFold (VM_BitcastF32I32Op $value))>;
class HAL_VMStoreWide<TypeConstraint type, list<dag> conditions, dag stored>
    : VM_Converted<(HAL_BufferStoreOp type:$value, $buffer, $offset),
        [(bind (VM_ToI64S $offset):$at), (bind stored:$number),
         (Arith_ConstantOp:$bytes (attr "4 : i32")),
         (bind (createOrFold (VM_TruncI64I32Op $number)):$low),
         (VM_CallOp (symbol "hal.buffer.store"), (values $low, $buffer, $at, $bytes), ?, ?, ?,
            (types)),
         (bind (createOrFold (VM_TruncI64I32Op
            (createOrFold (VM_ShrI64UOp $number, (VM_ConstI32Op 32))))):$high),
         (bind (HAL_HalfAbove $at):$above),
         (VM_CallOp (symbol "hal.buffer.store"), (values $high, $buffer, $above, $bytes), ?, ?, ?,
            (types)),
         (erase)], conditions>;
def HAL_VMStoreDouble
    : HAL_VMStoreWide<F64, [], (createOrFold (VM_BitcastF64I64Op $value))>;
def HAL_VMStoreLong : HAL_VMStoreWide<AnyIntOfWidths<[64]>, [], (values $value)>;
def HAL_VMStoreIndex
    : HAL_VMStoreWide<Index, [(same (convertType (typeOf $value)), I64)], (values $value)>;

//===-- Buffer views ------------------------------------------------------------------------------

def HAL_ImportViewCreate : HAL_PureImport<"buffer_view.create",
  (HAL_BufferViewCreateOp $buffer, $source_offset, $source_length, $element_type, $encoding_type,
                          $shape),
  [HAL_Ref<"buffer">, VM_Int64<"source_offset">, VM_Int64<"source_length">,
   VM_Int32<"element_type">, VM_Int32<"encoding_type">, VM_Ints64<"shape">],
  [HAL_Object<"buffer_view">.type]>;
def HAL_ImportViewAssert : HAL_Import<"buffer_view.assert",
  (HAL_BufferViewAssertOp $buffer_view, $message, $element_type, $encoding_type, $shape),
  [HAL_Ref<"buffer_view">, VM_Text<"message">, VM_Int32<"element_type">,
   VM_Int32<"encoding_type">, VM_Ints64<"shape">]>;
class HAL_ImportViewQuery<string what, Op query, string result>
    : HAL_PureImport<"buffer_view." # what, (query $buffer_view), [HAL_Ref<"buffer_view">],
                     [result]>;
def HAL_ImportViewBuffer
    : HAL_ImportViewQuery<"buffer", HAL_BufferViewBufferOp, HAL_Object<"buffer">.type>;
def HAL_ImportViewElementType
    : HAL_ImportViewQuery<"element_type", HAL_BufferViewElementTypeOp, "i32">;
def HAL_ImportViewEncodingType
    : HAL_ImportViewQuery<"encoding_type", HAL_BufferViewEncodingTypeOp, "i32">;
def HAL_ImportViewRank : HAL_ImportViewQuery<"rank", HAL_BufferViewRankOp, "i32">;
def HAL_ImportViewDim : HAL_PureImport<"buffer_view.dim",
  (HAL_BufferViewDimOp $buffer_view, $index), [HAL_Ref<"buffer_view">, VM_Number32<"index">],
  ["i64"]>;
def HAL_ImportViewTrace : HAL_Import<"buffer_view.trace",
  (HAL_BufferViewTraceOp $key, $operands),
  [VM_Text<"key">, VM_Refs<"operands", HAL_Object<"buffer_view">.type>]>;

//===-- Channels ----------------------------------------------------------------------------------

def HAL_ImportChannelCreate : HAL_PureImport<"channel.create",
  (HAL_ChannelCreateOp $device, $queue_affinity, $flags, $id, $group, $rank, $count),
  [HAL_Ref<"device">, VM_Int64<"queue_affinity">, VM_Number64<"flags">, VM_Buffer<"id">,
   VM_Buffer<"group">, VM_Int32<"rank">, VM_Int32<"count">],
  [HAL_Object<"channel">.type]>;
def HAL_ImportChannelSplit : HAL_PureImport<"channel.split",
  (HAL_ChannelSplitOp $channel, $color, $key, $flags),
  [HAL_Ref<"channel">, VM_Int32<"color">, VM_Int32<"key">, VM_Number64<"flags">],
  [HAL_Object<"channel">.type]>;
def HAL_ImportChannelRankAndCount : HAL_PureImport<"channel.rank_and_count",
  (HAL_ChannelRankAndCountOp $channel), [HAL_Ref<"channel">], ["i32", "i32"]>;
