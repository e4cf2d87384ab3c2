// `stream.resource.*`: allocation and addressing of resources.

def Stream_ResourceAllocOp : Stream_Op<"resource.alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "Allocates a resource that lives until nothing refers to it";
  let arguments = (ins
    Index:$storage_size,
    UnitAttr:$uninitialized,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyResource:$result);
  let assemblyFormat = [{
    (`uninitialized` $uninitialized^)? (`on` `(` $affinity^ `)`)? attr-dict `:`
    type($result) `{` $storage_size `}`
  }];
}

def Stream_ResourceAllocaOp : Stream_Op<"resource.alloca", [MemoryEffects<[MemAlloc]>]> {
  let summary = "Allocates a resource in stream order";
  let description = [{
    The memory may be used once `result_timepoint` is reached; its contents are not defined.
  }];
  let arguments = (ins
    Index:$storage_size,
    UnitAttr:$indeterminate_lifetime,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyResource:$result, Stream_Timepoint:$result_timepoint);
  let resultNames = [
    NamedAs<"result", "result">, NamedAs<"result_timepoint", "result_timepoint">
  ];
  let assemblyFormat = [{
    `uninitialized`
    (`indeterminate` $indeterminate_lifetime^)?
    (`on` `(` $affinity^ `)`)?
    (`await` `(` $await_timepoint^ `)` `=` `` `>`):(`:`)?
    attr-dict
    type($result) `{` $storage_size `}` `=` `` `>` type($result_timepoint)
  }];
}

def Stream_ResourceDeallocaOp : Stream_Op<"resource.dealloca", [MemoryEffects<[MemFree]>]> {
  let summary = "Frees a resource in stream order";
  let arguments = (ins
    Stream_AnyResource:$operand,
    Index:$operand_size,
    UnitAttr:$prefer_origin,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
  let assemblyFormat = [{
    (`origin` $prefer_origin^)?
    (`on` `(` $affinity^ `)`)?
    (`await` `(` $await_timepoint^ `)` `=` `` `>`)?
    $operand `:` type($operand) `{` $operand_size `}` `=` `` `>` type($result_timepoint) attr-dict
  }];
}

def Stream_ResourceSizeOp : Stream_PureOp<"resource.size"> {
  let summary = "The size of a resource in bytes";
  let arguments = (ins
    Stream_AnyResource:$operand,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Index:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Stream_ResourcePackOp : Stream_PureOp<"resource.pack", [AttrSizedOperandSegments]> {
  let summary = "Places slices with lifetimes into one allocation";
  let description = [{
    Slices whose lifetime intervals (both ends included) do not meet may share bytes. Gives the
    total length and the offset of each slice.
  }];
  let arguments = (ins
    Optional<Index>:$offset,
    IndexArrayAttr:$lifetime_intervals,
    Variadic<Index>:$dynamic_slice_sizes,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Index:$total_length, Variadic<Index>:$packed_offsets);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)?
    (`offset` `(` $offset^ `)`)?
    `slices` `(` `{`
    custom<PackSliceRanges>($lifetime_intervals, $dynamic_slice_sizes, type($packed_offsets))
    `}` `)` `:` type($total_length) attr-dict-with-keyword
  }];
  let verifier = "resource_pack";
}

def Stream_ResourceSubviewOp
    : Stream_PureOp<"resource.subview", [AllTypesMatch<["source", "result"]>]> {
  let summary = "A range of a resource, as an alias";
  let arguments = (ins
    Stream_AnyResource:$source,
    Index:$source_size,
    Index:$source_offset,
    Index:$result_size
  );
  let results = (outs Stream_AnyResource:$result);
  let assemblyFormat = [{
    $source `[` $source_offset `]` `:` type($source) `` `{` $source_size `}` `->`
    type($result) `` `{` $result_size `}` attr-dict-with-keyword
  }];
}
