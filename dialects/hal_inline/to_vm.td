// To `vm`: each op is a call of a function of the runtime's module `hal_inline`.

include "vm/vm.td"

class HALInline_Import<string name, dag source, list<VM_Argument> arguments,
                       list<string> results = [], bit pure = 1>
    : VM_Import<"hal_inline", name, source, arguments, results, pure>;
class HALInline_BufferRef<string name> : VM_Ref<name, "!vm.ref<!hal.buffer>">;
class HALInline_ViewRef<string name> : VM_Ref<name, "!vm.ref<!hal.buffer_view>">;

//===-- Buffers -----------------------------------------------------------------------------------

def HALInline_ImportAllocate : HALInline_Import<"buffer.allocate",
  (HALInline_BufferAllocateOp $minimum_alignment, $allocation_size),
  [VM_Int32<"minimum_alignment">, VM_Int64<"allocation_size">],
  ["!vm.ref<!hal.buffer>", "!vm.buffer"]>;
def HALInline_ImportAllocateInitialized : HALInline_Import<"buffer.allocate.initialized",
  (HALInline_BufferAllocateInitializedOp $minimum_alignment, $source, $offset, $length),
  [VM_Int32<"minimum_alignment">, VM_Buffer<"source">, VM_Int64<"offset">, VM_Int64<"length">],
  ["!vm.ref<!hal.buffer>", "!vm.buffer"]>;
def HALInline_ImportWrap : HALInline_Import<"buffer.wrap",
  (HALInline_BufferWrapOp $source, $offset, $length),
  [VM_Buffer<"source">, VM_Int64<"offset">, VM_Int64<"length">], ["!vm.ref<!hal.buffer>"]>;
def HALInline_ImportSubspan : HALInline_Import<"buffer.subspan",
  (HALInline_BufferSubspanOp $source_buffer, $source_offset, $length),
  [HALInline_BufferRef<"source_buffer">, VM_Int64<"source_offset">, VM_Int64<"length">],
  ["!vm.ref<!hal.buffer>"]>;
def HALInline_ImportLength : HALInline_Import<"buffer.length",
  (HALInline_BufferLengthOp $buffer), [HALInline_BufferRef<"buffer">], ["i64"]>;
def HALInline_ImportStorage : HALInline_Import<"buffer.storage",
  (HALInline_BufferStorageOp $buffer), [HALInline_BufferRef<"buffer">], ["!vm.buffer"]>;

//===-- Buffer views ------------------------------------------------------------------------------

def HALInline_ImportViewCreate : HALInline_Import<"buffer_view.create",
  (HALInline_BufferViewCreateOp $source_buffer, $source_offset, $source_length, $element_type,
                                $encoding_type, $shape),
  [HALInline_BufferRef<"source_buffer">, VM_Int64<"source_offset">, VM_Int64<"source_length">,
   VM_Int32<"element_type">, VM_Int32<"encoding_type">, VM_Ints64<"shape">],
  ["!vm.ref<!hal.buffer_view>"]>;
def HALInline_ImportViewAssert : HALInline_Import<"buffer_view.assert",
  (HALInline_BufferViewAssertOp $buffer_view, $message, $element_type, $encoding_type, $shape),
  [HALInline_ViewRef<"buffer_view">, VM_Text<"message">, VM_Int32<"element_type">,
   VM_Int32<"encoding_type">, VM_Ints64<"shape">], [], 0>;
def HALInline_ImportViewBuffer : HALInline_Import<"buffer_view.buffer",
  (HALInline_BufferViewBufferOp $buffer_view), [HALInline_ViewRef<"buffer_view">],
  ["!vm.ref<!hal.buffer>"]>;
def HALInline_ImportViewElementType : HALInline_Import<"buffer_view.element_type",
  (HALInline_BufferViewElementTypeOp $buffer_view), [HALInline_ViewRef<"buffer_view">], ["i32"]>;
def HALInline_ImportViewEncodingType : HALInline_Import<"buffer_view.encoding_type",
  (HALInline_BufferViewEncodingTypeOp $buffer_view), [HALInline_ViewRef<"buffer_view">], ["i32"]>;
def HALInline_ImportViewRank : HALInline_Import<"buffer_view.rank",
  (HALInline_BufferViewRankOp $buffer_view), [HALInline_ViewRef<"buffer_view">], ["i32"]>;
def HALInline_ImportViewDim : HALInline_Import<"buffer_view.dim",
  (HALInline_BufferViewDimOp $buffer_view, $index),
  [HALInline_ViewRef<"buffer_view">, VM_Number32<"index">], ["i64"]>;
def HALInline_ImportViewTrace : HALInline_Import<"buffer_view.trace",
  (HALInline_BufferViewTraceOp $key, $operands),
  [VM_Text<"key">, VM_Refs<"operands", "!vm.ref<!hal.buffer_view>">], [], 0>;

//===-- Settings ----------------------------------------------------------------------------------

def HALInline_ImportDeviceQuery : HALInline_Import<"device.query.i64",
  (HALInline_DeviceQueryOp $category, $key, ?), [VM_Text<"category">, VM_Text<"key">],
  ["i32", "i64"]>;

def HALInline_Imports : VM_ImportModule<"hal_inline", [
  HALInline_ImportAllocate, HALInline_ImportAllocateInitialized, HALInline_ImportWrap,
  HALInline_ImportSubspan, HALInline_ImportLength, HALInline_ImportStorage,
  HALInline_ImportViewCreate, HALInline_ImportViewAssert, HALInline_ImportViewBuffer,
  HALInline_ImportViewElementType, HALInline_ImportViewEncodingType, HALInline_ImportViewRank,
  HALInline_ImportViewDim, HALInline_ImportViewTrace, HALInline_ImportDeviceQuery
]>;
