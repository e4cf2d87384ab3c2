// Buffers: ranges of bytes. Offsets and lengths are in elements of the op's type, else in bytes.

class VM_BufferOp<string mnemonic, list<MemoryEffect> effects, list<Trait> traits = []>
    : VM_Op<"buffer." # mnemonic, !listconcat(traits, [MemoryEffects<effects>, VM_MayFail])>;

def VM_BufferAllocOp : VM_BufferOp<"alloc", [MemAlloc], [VM_Code<0x6C>]> {
  let summary = "A new buffer of zeros";
  let arguments = (ins I64:$length, I32:$alignment);
  let results = (outs VM_BufferType:$result);
  let assemblyFormat = "operands attr-dict `:` type($result)";
  let resultNames = [NamedBy<"by_type">];
}

def VM_BufferCloneOp : VM_BufferOp<"clone", [MemAlloc, MemRead], [VM_Code<0x6D>]> {
  let summary = "A new buffer with a copy of a range of another";
  let arguments = (ins
    VM_BufferType:$source_buffer,
    I64:$source_offset,
    I64:$length,
    I32:$alignment
  );
  let results = (outs VM_BufferType:$result);
  let assemblyFormat = "operands attr-dict `:` type($source_buffer) `->` type($result)";
  let resultNames = [NamedBy<"by_type">];
}

def VM_BufferLengthOp : VM_PureOp<"buffer.length", [VM_Code<0x6E>]> {
  let summary = "The bytes of a buffer";
  let arguments = (ins VM_BufferType:$buffer);
  let results = (outs I64:$result);
  let assemblyFormat = "operands attr-dict `:` type($buffer) `->` type($result)";
}

def VM_BufferCopyOp : VM_BufferOp<"copy", [MemRead, MemWrite], [VM_Code<0x6F>]> {
  let summary = "Copies a range";
  let arguments = (ins
    VM_BufferType:$source_buffer,
    I64:$source_offset,
    VM_BufferType:$target_buffer,
    I64:$target_offset,
    I64:$length
  );
  let assemblyFormat = "operands attr-dict `:` type($source_buffer) `->` type($target_buffer)";
}

def VM_BufferCompareOp : VM_BufferOp<"compare", [MemRead], [VM_Code<0x70>]> {
  let summary = "Whether two ranges hold the same bytes";
  let arguments = (ins
    VM_BufferType:$lhs_buffer,
    I64:$lhs_offset,
    VM_BufferType:$rhs_buffer,
    I64:$rhs_offset,
    I64:$length
  );
  let results = (outs I32:$result);
  let assemblyFormat = "operands attr-dict `:` type($lhs_buffer) `,` type($rhs_buffer)";
}

def VM_BufferHashOp : VM_BufferOp<"hash", [MemRead], [VM_Code<0x84>]> {
  let summary = "A hash of a range";
  let arguments = (ins VM_BufferType:$source_buffer, I64:$source_offset, I64:$length);
  let results = (outs I64:$result);
  let assemblyFormat = [{
    $source_buffer `,` $source_offset `,` $length attr-dict `:` type($source_buffer) `->`
    type($result)
  }];
}

class VM_BufferFillOp<string mnemonic, Type type, list<Trait> needs = []>
    : VM_BufferOp<"fill." # mnemonic, [MemWrite], needs> {
  let summary = "Fills a range with a repeated number";
  let arguments = (ins
    VM_BufferType:$target_buffer,
    I64:$target_offset,
    I64:$length,
    VM_Held<type>:$value
  );
  let assemblyFormat = [{
    $target_buffer `,` $target_offset `,` $length `,` $value attr-dict `:` type($value) `->`
    type($target_buffer)
  }];
}
class VM_BufferLoadOp<string mnemonic, Type type, list<Trait> needs = []>
    : VM_BufferOp<"load." # mnemonic, [MemRead], needs> {
  let summary = "A number out of a buffer";
  let arguments = (ins VM_BufferType:$source_buffer, I64:$source_offset);
  let results = (outs VM_Held<type>:$result);
  let assemblyFormat = [{
    $source_buffer `[` $source_offset `]` attr-dict `:` type($source_buffer) `->` type($result)
  }];
}
class VM_BufferStoreOp<string mnemonic, Type type, list<Trait> needs = []>
    : VM_BufferOp<"store." # mnemonic, [MemWrite], needs> {
  let summary = "Puts a number into a buffer";
  let arguments = (ins VM_BufferType:$target_buffer, I64:$target_offset, VM_Held<type>:$value);
  let assemblyFormat = [{
    $value `,` $target_buffer `[` $target_offset `]` attr-dict `:` type($value) `->`
    type($target_buffer)
  }];
}

multiclass VM_BufferWrite<string what, Type type, int fill, int store> {
  def VM_BufferFill#what#Op
      : VM_BufferFillOp<!tolower(what), type,
                        !listconcat(VM_Needs<type>.traits, [VM_Code<fill>])>;
  def VM_BufferStore#what#Op
      : VM_BufferStoreOp<!tolower(what), type,
                         !listconcat(VM_Needs<type>.traits, [VM_Code<store>])>;
}
// A narrow integer is read with its sign or with zeros before it.
multiclass VM_NarrowBufferAccess<string what, Type type, int fill, int store, int unsigned>
    : VM_BufferWrite<what, type, fill, store> {
  def VM_BufferLoad#what#SOp
      : VM_BufferLoadOp<!tolower(what) # ".s", I32, [VM_Code<!add(unsigned, 1)>]>;
  def VM_BufferLoad#what#UOp : VM_BufferLoadOp<!tolower(what) # ".u", I32, [VM_Code<unsigned>]>;
}
multiclass VM_WideBufferAccess<string what, Type type, int fill, int store, int load>
    : VM_BufferWrite<what, type, fill, store> {
  def VM_BufferLoad#what#Op
      : VM_BufferLoadOp<!tolower(what), type,
                        !listconcat(VM_Needs<type>.traits, [VM_Code<load>])>;
}
defm "" : VM_NarrowBufferAccess<"I8", I8, 0x71, 0x68, 0x62>;
defm "" : VM_NarrowBufferAccess<"I16", I16, 0x72, 0x69, 0x64>;
defm "" : VM_WideBufferAccess<"I32", I32, 0x73, 0x6A, 0x66>;
defm "" : VM_WideBufferAccess<"I64", I64, 0x74, 0x6B, 0x67>;
defm "" : VM_WideBufferAccess<"F32", F32, 0x35, 0x34, 0x33>;
defm "" : VM_WideBufferAccess<"F64", F64, 0x3B, 0x3A, 0x39>;
