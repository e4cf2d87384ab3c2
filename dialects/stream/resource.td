// `stream.resource.*`: allocation and addressing of resources.

def Stream_ResourceAllocOp : Stream_Op<"resource.alloc", [MemoryEffects<[MemAlloc]>,
  SizeOf<"result", "storage_size">
]> {
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

def Stream_ResourceAllocaOp : Stream_Op<"resource.alloca", [
  MemoryEffects<[MemAlloc]>, SizeOf<"result", "storage_size">, Stream_TimelineOp<"await_timepoint">
]> {
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

def Stream_ResourceDeallocaOp : Stream_Op<"resource.dealloca", [
  MemoryEffects<[MemFree]>, SizeOf<"operand", "operand_size">, Stream_TimelineOp<"await_timepoint">
]> {
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

def Stream_ResourceSizeOp : Stream_PureOp<"resource.size", [SizeQuery]> {
  let summary = "The size of a resource in bytes";
  let arguments = (ins
    Stream_AnyResource:$operand,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Index:$result);
  let assemblyFormat = "$operand prop-dict attr-dict `:` type($operand)";
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
    : Stream_PureOp<"resource.subview", [AllTypesMatch<["source", "result"]>,
  TiedResult<"result", "source">,
  SizeOf<"source", "source_size">,
  SizeOf<"result", "result_size">,
  Subrange<"result", "source", "source_size", "source_offset", "result_size">
]> {
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

class Stream_ResourceReferenceOp<string mnemonic> : Stream_Op<"resource." # mnemonic> {
  let arguments = (ins Stream_AnyResource:$operand, Index:$operand_size);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `{` $operand_size `}`";
}
class Stream_ResourceLastReferenceOp<string mnemonic> : Stream_ResourceReferenceOp<mnemonic> {
  let results = (outs I1:$result);
  let resultNames = [NamedAs<"result", "is_terminal">];
}
def Stream_ResourceRetainOp : Stream_ResourceReferenceOp<"retain"> {
  let summary = "One more keeps a resource alive";
}
def Stream_ResourceReleaseOp : Stream_ResourceLastReferenceOp<"release"> {
  let summary = "One less keeps a resource alive; whether it was the last";
}
def Stream_ResourceIsTerminalOp : Stream_ResourceLastReferenceOp<"is_terminal"> {
  let summary = "Whether just one keeps a resource alive";
}

def Stream_ResourceTryMapOp : Stream_Op<"resource.try_map", [MemoryEffects<[MemAlloc]>,
  Range<"source", "", "source_offset", "result_size">, SizeOf<"result", "result_size">
]> {
  let summary = "A resource over a range of host memory, where the device can see that";
  let arguments = (ins
    Util_BufferType:$source,
    Index:$source_offset,
    Index:$result_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs I1:$did_map, Stream_AnyStreamResource:$result);
  let resultNames = [NamedAs<"did_map", "did_map">, NamedAs<"result", "result">];
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $source `[` $source_offset `]` `:` type($source) `->`
    type($did_map) `,` type($result) `` `{` $result_size `}` attr-dict-with-keyword
  }];
}

def Stream_ResourceLoadOp : Stream_Op<"resource.load", [
  ElementAt<"source", "source_size", "source_offset", "result">, SizeOf<"source", "source_size">
]> {
  let summary = "A value out of a staging resource, on the host";
  let arguments = (ins Stream_StagingResource:$source, Index:$source_size, Index:$source_offset);
  let results = (outs Stream_HostValue:$result);
  let assemblyFormat = [{
    $source `[` $source_offset `]` `:` type($source) `` `{` $source_size `}` `->` type($result)
    attr-dict-with-keyword
  }];
}

def Stream_ResourceStoreOp : Stream_Op<"resource.store", [MemoryEffects<[MemWrite]>,
  ElementAt<"target", "target_size", "target_offset", "value">, SizeOf<"target", "target_size">
]> {
  let summary = "Puts a value into a staging resource, on the host";
  let arguments = (ins
    Stream_StagingResource:$target,
    Index:$target_size,
    Index:$target_offset,
    Stream_HostValue:$value
  );
  let assemblyFormat = [{
    $value `,` $target `[` $target_offset `]` `:` type($value) `->`
    type($target) `{` $target_size `}` attr-dict-with-keyword
  }];
}

def Stream_ResourceConstantsOp : Stream_PureOp<"resource.constants", [
  SameVariadicResultSize, SizeOf<"results", "result_sizes">, Stream_TimelineOp<"await_timepoint">
]> {
  let summary = "Resources with contents known to the compiler";
  let arguments = (ins
    ArrayAttr:$values,
    Variadic<Index>:$result_sizes,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Variadic<Stream_AnyResource>:$results, Stream_Timepoint:$result_timepoint);
  let resultNames = [
    NamedAs<"results", "results">, NamedAs<"result_timepoint", "result_timepoint">
  ];
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? attr-dict `:`
    custom<ConstantValueList>(type($results), $result_sizes, $values)
    `\n` ` ` ` ` `=` `` `>` type($result_timepoint)
  }];
}

def Stream_ResourceTransientsOp : Stream_PureOp<"resource.transients", [
  AllTypesMatch<["resource", "result"]>, TiedResult<"result", "resource">,
  SizeOf<"resource", "resource_size">, SizeOf<"storage", "storage_size">,
  Stream_TimelineOp<"await_timepoint">
]> {
  let summary = "The same resource, made with transient memory out of a given storage";
  let arguments = (ins
    Stream_AnyStreamResource:$resource,
    Index:$resource_size,
    Stream_AnyResource:$storage,
    Index:$storage_size,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyStreamResource:$result, Stream_Timepoint:$result_timepoint);
  let resultNames = [
    NamedAs<"result", "result">, NamedAs<"result_timepoint", "result_timepoint">
  ];
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>` )?
    $resource `:` type($resource) `` `{` $resource_size `}` `from`
    $storage `:` type($storage) `` `{` $storage_size `}` `=` `` `>` type($result_timepoint)
    attr-dict-with-keyword
  }];
}

def Stream_ContextResolveOp : Stream_PureOp<"context.resolve"> {
  let summary = "What another dialect knows of the place of execution";
  let arguments = (ins OptionalAttr<Stream_AffinityAttr>:$affinity);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "(`on` `(` $affinity^ `)`)? attr-dict `:` type($results)";
}
