// `stream.file.*`: bytes that live longer than the program.

def Stream_FileConstantOp : Stream_Op<"file.constant", [
  MemoryEffects<[MemAlloc]>, Range<"source", "source_size", "source_offset", "source_length">
]> {
  let summary = "A range of host memory as a file";
  let arguments = (ins
    Util_BufferType:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$source_length,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_File:$result);
  let resultNames = [NamedAs<"result", "file">];
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $source `[` $source_offset `for` $source_length `]` `:`
    type($source) `` `{` $source_size `}` `->` type($result) attr-dict-with-keyword
  }];
}

def Stream_FileReadOp : Stream_Op<"file.read", [
  Range<"target", "target_size", "target_offset", "length">, Stream_TimelineOp<"await_timepoint">
]> {
  let summary = "Reads a range of a file into a resource";
  let arguments = (ins
    Stream_File:$source,
    I64:$source_offset,
    Stream_AnyStreamResource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$length,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`):(`:`)?
    $source `[` $source_offset `]` `,` $target `[` $target_offset `]` `,` $length `:`
    type($source) `->` type($target) `` `{` $target_size `}` `=` `` `>` type($result_timepoint)
    attr-dict-with-keyword
  }];
}

def Stream_FileWriteOp : Stream_Op<"file.write", [
  Range<"source", "source_size", "source_offset", "length">, Stream_TimelineOp<"await_timepoint">
]> {
  let summary = "Writes a range of a resource into a file";
  let arguments = (ins
    Stream_AnyStreamResource:$source,
    Index:$source_size,
    Index:$source_offset,
    Stream_File:$target,
    I64:$target_offset,
    Index:$length,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`):(`:`)?
    $source `[` $source_offset `]` `,` $target `[` $target_offset `]` `,` $length `:`
    type($source) `` `{` $source_size `}` `->` type($target) `=` `` `>` type($result_timepoint)
    attr-dict-with-keyword
  }];
}
