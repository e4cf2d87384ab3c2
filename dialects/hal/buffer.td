// Ops: buffers and their views.

//===-- Buffers -----------------------------------------------------------------------------------

def HAL_BufferUsage : I32BitEnumAttr<"BufferUsageBitfield", "what a buffer may be used for", [
  I32BitEnumCase<"None", 0x0>, I32BitEnumCase<"TransferSource", 0x1>,
  I32BitEnumCase<"TransferTarget", 0x2>, I32BitEnumCase<"Transfer", 0x3>,
  I32BitEnumCase<"DispatchIndirectParameters", 0x100>,
  I32BitEnumCase<"DispatchUniformRead", 0x200>, I32BitEnumCase<"DispatchStorageRead", 0x400>,
  I32BitEnumCase<"DispatchStorageWrite", 0x800>, I32BitEnumCase<"DispatchStorage", 0xC00>,
  I32BitEnumCase<"DispatchImageRead", 0x1000>, I32BitEnumCase<"DispatchImageWrite", 0x2000>,
  I32BitEnumCase<"DispatchImage", 0x3000>, I32BitEnumCase<"SharingExport", 0x10000>,
  I32BitEnumCase<"SharingReplicate", 0x20000>, I32BitEnumCase<"SharingConcurrent", 0x40000>,
  I32BitEnumCase<"SharingImmutable", 0x80000>, I32BitEnumCase<"MappingScoped", 0x1000000>,
  I32BitEnumCase<"MappingPersistent", 0x2000000>, I32BitEnumCase<"MappingOptional", 0x4000000>,
  I32BitEnumCase<"MappingAccessRandom", 0x8000000>,
  I32BitEnumCase<"MappingAccessSequentialWrite", 0x10000000>,
  I32BitEnumCase<"Mapping", 0x9000000>
]>;
def HAL_MemoryType : I32BitEnumAttr<"MemoryTypeBitfield", "where memory is and who sees it", [
  I32BitEnumCase<"None", 0x0>, I32BitEnumCase<"Optimal", 0x1>,
  I32BitEnumCase<"HostVisible", 0x2>, I32BitEnumCase<"HostCoherent", 0x4>,
  I32BitEnumCase<"HostCached", 0x8>, I32BitEnumCase<"HostLocal", 0x46>,
  I32BitEnumCase<"DeviceVisible", 0x10>, I32BitEnumCase<"DeviceLocal", 0x30>
]>;

def HAL_BufferUsageOp : HAL_PureOp<"buffer_usage", [ConstantLike]> {
  let summary = "The runtime's number for uses of a buffer";
  let arguments = (ins HAL_BufferUsage:$usage);
  let results = (outs I32:$result);
  let assemblyFormat = "`<` $usage `>` attr-dict `:` type($result)";
  let resultNames = [NamedAs<"result", "buffer_usage">];
}
def HAL_MemoryTypeOp : HAL_PureOp<"memory_type", [ConstantLike]> {
  let summary = "The runtime's number for a type of memory";
  let arguments = (ins HAL_MemoryType:$type);
  let results = (outs I32:$result);
  let assemblyFormat = "`<` $type `>` attr-dict `:` type($result)";
  let resultNames = [NamedAs<"result", "memory_type">];
}

def HAL_BufferSubspanOp : HAL_PureOp<"buffer.subspan", [
  Range<"source_buffer", "", "source_offset", "length">, SizeOf<"result", "length">
]> {
  let summary = "A buffer over a range of another, in place";
  let arguments = (ins HAL_Buffer:$source_buffer, Index:$source_offset, Index:$length);
  let results = (outs HAL_Buffer:$result);
  let resultNames = [NamedAs<"result", "buffer">];
  let assemblyFormat = [{
    `<` $source_buffer `:` type($source_buffer) `>` `` `[` $source_offset `,` $length `]` `:`
    type($result) attr-dict-with-keyword
  }];
}

def HAL_BufferLengthOp : HAL_PureOp<"buffer.length"> {
  let summary = "The bytes that a buffer covers";
  let arguments = (ins HAL_Buffer:$buffer);
  let results = (outs Index:$result);
  let resultNames = [NamedAs<"result", "length">];
  let assemblyFormat = [{
    `<` $buffer `:` type($buffer) `>` `:` type($result) attr-dict-with-keyword
  }];
}

def HAL_HostValue
    : AnyTypeOf<[Index, AnyInteger, AnyFloat, AnyComplex, AnyVectorOfNonZeroRank]>;

def HAL_BufferLoadOp : HAL_Op<"buffer.load", [
  ElementAt<"source_buffer", "", "source_offset", "result">, MemoryEffects<[MemRead]>
]> {
  let summary = "A value out of a buffer";
  let arguments = (ins HAL_Buffer:$source_buffer, Index:$source_offset);
  let results = (outs HAL_HostValue:$result);
  let assemblyFormat = [{
    `<` $source_buffer `:` type($source_buffer) `>` `` `[` $source_offset `]` `:` type($result)
    attr-dict-with-keyword
  }];
}

def HAL_BufferStoreOp : HAL_Op<"buffer.store", [
  ElementAt<"target_buffer", "", "target_offset", "value">, MemoryEffects<[MemWrite]>
]> {
  let summary = "Puts a value into a buffer";
  let arguments = (ins HAL_HostValue:$value, HAL_Buffer:$target_buffer, Index:$target_offset);
  let assemblyFormat = [{
    `<` $target_buffer `:` type($target_buffer) `>` `` `[` $target_offset `]`
    `value` `(` $value `:` type($value) `)` attr-dict-with-keyword
  }];
}

//===-- Buffer views ------------------------------------------------------------------------------

def HAL_BufferViewCreateOp : HAL_PureOp<"buffer_view.create"> {
  let summary = "A view of a range of a buffer";
  let arguments = (ins
    HAL_Buffer:$source_buffer,
    Index:$source_offset,
    Index:$source_length,
    I32:$element_type,
    I32:$encoding_type,
    Variadic<Index>:$shape
  );
  let results = (outs HAL_BufferView:$result);
  let resultNames = [NamedAs<"result", "view">];
  let assemblyFormat = [{
    `buffer` `(` $source_buffer `:` type($source_buffer) `)` ``
    `[` $source_offset `,` $source_length `]`
    `shape` `(` `[` $shape `]` `)`
    `type` `(` $element_type `)`
    `encoding` `(` $encoding_type `)`
    `:` type($result) attr-dict-with-keyword
  }];
}

class HAL_BufferViewQueryOp<string mnemonic, Type answer>
    : HAL_PureOp<"buffer_view." # mnemonic> {
  let arguments = (ins HAL_BufferView:$buffer_view);
  let results = (outs answer:$result);
  let assemblyFormat = [{
    `<` $buffer_view `:` type($buffer_view) `>` `:` type($result) attr-dict-with-keyword
  }];
}
def HAL_BufferViewBufferOp : HAL_BufferViewQueryOp<"buffer", HAL_Buffer> {
  let summary = "The buffer that a view is of";
  let resultNames = [NamedAs<"result", "buffer">];
}
def HAL_BufferViewElementTypeOp : HAL_BufferViewQueryOp<"element_type", I32> {
  let summary = "The number of a view's element type";
}
def HAL_BufferViewEncodingTypeOp : HAL_BufferViewQueryOp<"encoding_type", I32> {
  let summary = "The number of a view's encoding";
}
def HAL_BufferViewRankOp : HAL_BufferViewQueryOp<"rank", Index> {
  let summary = "The number of dimensions of a view";
}
def HAL_BufferViewDimOp : HAL_BufferViewQueryOp<"dim", Index> {
  let summary = "One dimension of a view";
  let arguments = (ins HAL_BufferView:$buffer_view, IndexAttr:$index);
  let assemblyFormat = [{
    `<` $buffer_view `:` type($buffer_view) `>` `` `[` $index `]` `:` type($result)
    attr-dict-with-keyword
  }];
}

def HAL_BufferViewTraceOp : HAL_Op<"buffer_view.trace"> {
  let summary = "Shows views to whoever watches the program, under a title";
  let arguments = (ins StrAttr:$key, Variadic<HAL_BufferView>:$operands);
  let assemblyFormat = "$key `=` $operands `:` type($operands) attr-dict-with-keyword";
}

//===-- Executables in binary form ----------------------------------------------------------------

def HAL_ExecutableBinaryOp
    : HAL_Op<"executable.binary", [HasParent<"hal.executable">, Symbol]> {
  let summary = "Device code for one target, as the runtime loads it";
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    StrAttr:$format,
    AnyAttr:$data,
    OptionalAttr<StrAttr>:$mime_type
  );
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) $sym_name prop-dict attr-dict-with-keyword
  }];
}
