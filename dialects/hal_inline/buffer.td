// Buffers: a handle that callers may see, and its storage in host memory. Offsets and lengths are
// in bytes.

def HALInline_BufferAllocateOp
    : HALInline_Op<"buffer.allocate", [
  SizeOf<"result", "allocation_size">, SizeOf<"storage", "allocation_size">
]> {
  let summary = "A new buffer of at least a size, and its storage";
  let arguments = (ins Index:$minimum_alignment, Index:$allocation_size);
  let results = (outs HAL_Buffer:$result, Util_BufferType:$storage);
  let resultNames = [NamedAs<"result", "buffer">, NamedAs<"storage", "storage">];
  let assemblyFormat = [{
    `alignment` `(` $minimum_alignment `)` `:`
    type($result) `` `{` $allocation_size `}` `in` type($storage) attr-dict-with-keyword
  }];
}

def HALInline_BufferAllocateInitializedOp
    : HALInline_Op<"buffer.allocate.initialized", [
  Range<"source", "", "offset", "length">, SizeOf<"result", "length">,
  SizeOf<"storage", "length">
]> {
  let summary = "A new buffer with a copy of a range of host memory, and its storage";
  let arguments = (ins
    Index:$minimum_alignment,
    Util_BufferType:$source,
    Index:$offset,
    Index:$length
  );
  let results = (outs HAL_Buffer:$result, Util_BufferType:$storage);
  let resultNames = [NamedAs<"result", "buffer">, NamedAs<"storage", "storage">];
  let assemblyFormat = [{
    `source` `(` $source `:` type($source) `)` `` `[` $offset `,` $length `]`
    `alignment` `(` $minimum_alignment `)` `:`
    custom<SizeAwareType>(type($result), ref($length)) `in` type($storage)
    attr-dict-with-keyword
  }];
}

def HALInline_BufferWrapOp : HALInline_Op<"buffer.wrap", [
  Range<"source", "", "offset", "length">, SizeOf<"result", "length">
]> {
  let summary = "A buffer over a range of host memory, in place";
  let arguments = (ins Util_BufferType:$source, Index:$offset, Index:$length);
  let results = (outs HAL_Buffer:$result);
  let resultNames = [NamedAs<"result", "mapped">];
  let assemblyFormat = [{
    `source` `(` $source `:` type($source) `)` `` `[` $offset `,` $length `]` `:`
    type($result) attr-dict-with-keyword
  }];
}

def HALInline_BufferSubspanOp : HALInline_PureOp<"buffer.subspan", [
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

class HALInline_BufferQueryOp<string mnemonic> : HALInline_PureOp<"buffer." # mnemonic> {
  let arguments = (ins HAL_Buffer:$buffer);
}

def HALInline_BufferLengthOp : HALInline_BufferQueryOp<"length"> {
  let summary = "The bytes that a buffer covers";
  let description = [{
    The length of a subspan is that of the subspan, whatever was allocated.
  }];
  let results = (outs Index:$result);
  let resultNames = [NamedAs<"result", "length">];
  let assemblyFormat = [{
    `<` $buffer `:` type($buffer) `>` `:` type($result) attr-dict-with-keyword
  }];
}

def HALInline_BufferStorageOp : HALInline_BufferQueryOp<"storage"> {
  let summary = "The host memory behind a buffer";
  let description = [{
    Byte 0 of the storage is byte 0 of the buffer, of a subspan as well.
  }];
  let results = (outs Util_BufferType:$storage);
  let resultNames = [NamedAs<"storage", "storage">];
  let assemblyFormat = [{
    `<` $buffer `:` type($buffer) `>` `:` type($storage) attr-dict-with-keyword
  }];
}
