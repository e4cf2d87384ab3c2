// Byte buffers in host memory. Sizes, offsets and lengths are in bytes; each use of a buffer states
// the buffer's size.

class Util_BufferOp<string mnemonic, list<Trait> traits = []>
    : Util_Op<"buffer." # mnemonic, traits>;
class Util_PureBufferOp<string mnemonic, list<Trait> traits = []>
    : Util_BufferOp<mnemonic, !listconcat(traits, [Pure])>;

def Util_MinAlignmentAttr
    : ConfinedAttr<IndexAttr, [AttrConstraint<
        Or<[IntInRange<-9223372036854775807, 0>, Satisfies<IntPowerOf2>]>,
        "that is a power of two where it is positive"
      >]>;
def Util_BufferConstantOp : Util_PureOp<"buffer.constant", [ConstantLike]> {
  let summary = "A buffer with contents known to the compiler";
  let arguments = (ins
    OptionalAttr<StrAttr>:$name,
    Util_SerializableAttr:$value,
    OptionalAttr<Util_MinAlignmentAttr>:$alignment,
    OptionalAttr<StrAttr>:$mime_type
  );
  let results = (outs Util_BufferType:$result);
  let assemblyFormat = "($name^)? prop-dict attr-dict `:` type($result) `=` $value";
  let resultNames = [NamedBy<"buffer_constant">];
}

def Util_BufferAllocOp : Util_BufferOp<"alloc", [
  MemoryEffects<[MemAlloc]>, SizeOf<"result", "storage_size">
]> {
  let summary = "A new buffer without defined contents";
  let arguments = (ins Index:$storage_size, OptionalAttr<Util_MinAlignmentAttr>:$alignment);
  let results = (outs Util_BufferType:$result);
  let assemblyFormat = "`uninitialized` prop-dict attr-dict `:` type($result) `` `{` $storage_size `}`";
  let resultNames = [NamedAs<"result", "buffer">];
}

def Util_BufferDeallocOp : Util_BufferOp<"dealloc", [
  MemoryEffects<[MemFree]>, SizeOf<"operand", "operand_size">
]> {
  let summary = "Gives a buffer up";
  let arguments = (ins Util_BufferType:$operand, Index:$operand_size);
  let assemblyFormat = "$operand `:` type($operand) `{` $operand_size `}` attr-dict-with-keyword";
}

def Util_BufferSliceOp : Util_BufferOp<"slice", [
  Range<"source", "source_size", "source_offset", "result_size">,
  AllTypesMatch<["source", "result"]>, MemoryEffects<[MemAlloc, MemRead]>,
  SizeOf<"source", "source_size">, SizeOf<"result", "result_size">
]> {
  let summary = "A new buffer with a copy of a range of another";
  let arguments = (ins
    Util_BufferType:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$result_size,
    OptionalAttr<IndexAttr>:$alignment
  );
  let results = (outs Util_BufferType:$result);
  let assemblyFormat = [{
    $source `[` $source_offset `]` prop-dict attr-dict `:` type($source) `` `{` $source_size `}` `->`
    type($result) `` `{` $result_size `}`
  }];
  let resultNames = [NamedAs<"result", "buffer">];
}

def Util_BufferSubspanOp : Util_PureBufferOp<"subspan", [
  AllTypesMatch<["source", "result"]>, TiedResult<"result", "source">,
  SizeOf<"source", "source_size">, SizeOf<"result", "result_size">,
  Subrange<"result", "source", "source_size", "source_offset", "result_size">
]> {
  let summary = "A range of a buffer, in place";
  let arguments = (ins
    Util_BufferType:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$result_size
  );
  let results = (outs Util_BufferType:$result);
  let assemblyFormat = [{
    $source `[` $source_offset `]` `:` type($source) `` `{` $source_size `}` `->`
    type($result) `` `{` $result_size `}` attr-dict-with-keyword
  }];
  let resultNames = [NamedAs<"result", "buffer_span">];
}

def Util_BufferSizeOp : Util_PureBufferOp<"size", [SizeQuery]> {
  let summary = "The size of a buffer";
  let arguments = (ins Util_BufferType:$operand);
  let results = (outs Index:$result);
  let assemblyFormat = "$operand `:` type($operand) attr-dict-with-keyword";
  let resultNames = [NamedAs<"result", "buffer_size">];
}

def Util_BufferStorageOp : Util_PureBufferOp<"storage", [
  SizeOf<"operand", "operand_size">
]> {
  let summary = "The memory behind a buffer, and where in it the buffer begins";
  let arguments = (ins Util_BufferType:$operand, Index:$operand_size);
  let results = (outs AnyMemRef:$result, Index:$offset);
  let assemblyFormat = [{
    $operand `:` type($operand) `` `{` $operand_size `}` `->`
    `(` type($result) `,` type($offset) `)` attr-dict-with-keyword
  }];
  let resultNames = [NamedAs<"result", "buffer_storage">, NamedAs<"offset", "buffer_offset">];
}

def Util_BufferCopyOp : Util_BufferOp<"copy", [
  DisjointRanges, Range<"source", "source_size", "source_offset", "length">,
  Range<"target", "target_size", "target_offset", "length">,
  MemoryEffects<[MemRead, MemWrite]>, SizeOf<"source", "source_size">,
  SizeOf<"target", "target_size">
]> {
  let summary = "Copies a range";
  let arguments = (ins
    Util_BufferType:$source,
    Index:$source_size,
    Index:$source_offset,
    Util_BufferType:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$length
  );
  let assemblyFormat = [{
    $source `[` $source_offset `]` `,` $target `[` $target_offset `]` `,` $length `:`
    type($source) `` `{` $source_size `}` `->` type($target) `` `{` $target_size `}`
    attr-dict-with-keyword
  }];
}

def Util_BufferCompareOp : Util_BufferOp<"compare", [
  Range<"lhs", "lhs_size", "lhs_offset", "length">,
  Range<"rhs", "rhs_size", "rhs_offset", "length">,
  MemoryEffects<[MemRead]>, SizeOf<"lhs", "lhs_size">, SizeOf<"rhs", "rhs_size">
]> {
  let summary = "Whether two ranges hold the same bytes";
  let arguments = (ins
    Util_BufferType:$lhs,
    Index:$lhs_size,
    Index:$lhs_offset,
    Util_BufferType:$rhs,
    Index:$rhs_size,
    Index:$rhs_offset,
    Index:$length
  );
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $lhs `[` $lhs_offset `]` `,` $rhs `[` $rhs_offset `]` `,` $length `:`
    type($lhs) `` `{` $lhs_size `}` `,` type($rhs) `` `{` $rhs_size `}` attr-dict-with-keyword
  }];
}

def Util_BufferFillOp : Util_BufferOp<"fill", [
  Range<"target", "target_size", "target_offset", "length">,
  MemoryEffects<[MemWrite]>, SizeOf<"target", "target_size">
]> {
  let summary = "Fills a range with a repeated value";
  let arguments = (ins
    Util_FillPattern:$pattern,
    Util_BufferType:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$length
  );
  let assemblyFormat = [{
    $pattern `,` $target `[` $target_offset `for` $length `]` `:` type($pattern) `->`
    type($target) `` `{` $target_size `}` attr-dict-with-keyword
  }];
}

def Util_BufferLoadOp : Util_BufferOp<"load", [
  Range<"source", "source_size", "source_offset", "length">,
  MemoryEffects<[MemRead]>, SizeOf<"source", "source_size">
]> {
  let summary = "A number out of a buffer";
  let arguments = (ins
    Util_BufferType:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$length
  );
  let results = (outs Util_Primitive:$result);
  let assemblyFormat = [{
    $source `[` $source_offset `for` $length `]` `:` type($source) `` `{` $source_size `}` `->`
    type($result) attr-dict-with-keyword
  }];
}

def Util_BufferStoreOp : Util_BufferOp<"store", [
  Range<"target", "target_size", "target_offset", "length">,
  MemoryEffects<[MemWrite]>, SizeOf<"target", "target_size">
]> {
  let summary = "Puts a number into a buffer";
  let arguments = (ins
    Util_Primitive:$source,
    Util_BufferType:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$length
  );
  let assemblyFormat = [{
    $source `,` $target `[` $target_offset `for` $length `]` `:` type($source) `->`
    type($target) `` `{` $target_size `}` attr-dict-with-keyword
  }];
}

def Util_BufferHashOp : Util_BufferOp<"hash", [
  Range<"source", "source_size", "source_offset", "length">,
  MemoryEffects<[MemRead]>, SizeOf<"source", "source_size">
]> {
  let summary = "A hash of a range";
  let arguments = (ins
    Util_BufferType:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$length
  );
  let results = (outs I64:$result);
  let assemblyFormat = [{
    $source `[` $source_offset `for` $length `]` `:` type($source) `` `{` $source_size `}` `->`
    type($result) attr-dict-with-keyword
  }];
}
