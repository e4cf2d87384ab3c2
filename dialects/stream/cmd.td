// `stream.cmd.*`: commands on allocated memory.

def Stream_CmdFillOp : Stream_Op<"cmd.fill", [
  Range<"target", "target_size", "target_offset", "target_length">
]> {
  let summary = "Fills a range with a repeated value";
  let arguments = (ins
    Stream_AnyStreamResource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_length,
    AnyTypeOf<[I8, I16, I32]>:$value
  );
  let assemblyFormat = [{
    $value `,` $target `[` $target_offset `for` $target_length `]` `:` type($value) `->`
    type($target) `` `{` $target_size `}` attr-dict-with-keyword
  }];
}

def Stream_CmdCopyOp : Stream_Op<"cmd.copy", [
  DisjointRanges, Range<"source", "source_size", "source_offset", "length">,
  Range<"target", "target_size", "target_offset", "length">
]> {
  let summary = "Copies a range of one resource to another";
  let arguments = (ins
    Stream_AnyResource:$source,
    Index:$source_size,
    Index:$source_offset,
    Stream_AnyResource:$target,
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

def Stream_CmdDispatchOp : Stream_Op<"cmd.dispatch", [
  AttrSizedOperandSegments,
  Range<"resources", "resource_sizes", "resource_offsets", "resource_lengths">
]> {
  let summary = "Runs device code on ranges of memory";
  let arguments = (ins
    Variadic<Index>:$workload,
    SymbolRefArrayAttr:$entry_points,
    Variadic<Stream_PrimitiveType>:$uniform_operands,
    Variadic<Stream_AnyStreamResource>:$resources,
    Variadic<Index>:$resource_sizes,
    Variadic<Index>:$resource_offsets,
    Variadic<Index>:$resource_lengths,
    ArrayAttr:$resource_accesses
  );
  let assemblyFormat = [{
    custom<DispatchEntryPoints>($entry_points) (`[` $workload^ `]`)? ``
    (`(` $uniform_operands^ `:` type($uniform_operands) `)`)? `{`
    custom<DispatchResources>($resources, type($resources), $resource_sizes, $resource_offsets,
                              $resource_lengths, $resource_accesses)
    `\n` `}` attr-dict-with-keyword
  }];
  let verifier = "cmd_dispatch";
  let symbolVerifier = "cmd_dispatch";
}

// Work on ranges of memory, what gives names to ranges, and numbers.
def Stream_HoldsCommands : HoldsOnly<[
  "stream.cmd.*", "stream.async.*", "stream.file.*", "stream.resource.is_terminal",
  "stream.resource.release", "stream.resource.retain", "stream.resource.subview", "stream.yield",
  "util.optimization_barrier"
]>;

def Stream_CmdExecuteOp : Stream_Op<"cmd.execute", [
  AttrSizedOperandSegments, RecursiveMemoryEffects, SingleBlock,
  SingleBlockImplicitTerminator<"stream.yield">, Stream_TimelineOp<"await_timepoint">,
  SizeOf<"resource_operands", "resource_operand_sizes">, PassesValues<"resource_operands", "body">,
  ExplicitCaptures<"resource_operands", "body", "stream.resource">, Stream_HoldsCommands
]> {
  let summary = "Runs a region of commands as one submission";
  let arguments = (ins
    Variadic<Stream_AnyResource>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    UnitAttr:$once,
    Optional<Stream_Timepoint>:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_Timepoint:$result_timepoint);
  let regions = (region AnyRegion:$body);
  let assemblyFormat = [{
    (`once` $once^)? (`on` `(` $affinity^ `)`)?
    (`await` `(` $await_timepoint^ `)` `=` `` `>`)? `with` ``
    custom<ExplicitResourceRegion>($resource_operands, type($resource_operands),
                                   $resource_operand_sizes, $body)
    `=` `` `>` type($result_timepoint) attr-dict-with-keyword
  }];
}

class Stream_CmdGroupOp<string mnemonic> : Stream_Op<mnemonic, [
  ParentOneOf<["stream.cmd.execute", "stream.cmd.serial", "stream.cmd.concurrent"]>,
  RecursiveMemoryEffects, SingleBlock, SingleBlockImplicitTerminator<"stream.yield">,
  Stream_HoldsCommands
]> {
  let regions = (region AnyRegion:$body);
  let assemblyFormat = "$body attr-dict-with-keyword";
}

def Stream_CmdSerialOp : Stream_CmdGroupOp<"cmd.serial"> {
  let summary = "Commands that run one after another";
}

def Stream_CmdConcurrentOp : Stream_CmdGroupOp<"cmd.concurrent"> {
  let summary = "Commands that may run at the same time";
}

class Stream_CmdVisibilityOp<string mnemonic> : Stream_Op<"cmd." # mnemonic, [
  Range<"target", "target_size", "target_offset", "target_length">
]> {
  let arguments = (ins
    Stream_AnyResource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_length,
    OptionalAttr<Stream_AffinityAttr>:$source_affinity
  );
}
def Stream_CmdFlushOp : Stream_CmdVisibilityOp<"flush"> {
  let summary = "Makes what was written to a range visible elsewhere";
  let assemblyFormat = [{
    (`to` `(` $source_affinity^ `)`)? $target `[` $target_offset `for` $target_length `]` `:`
    type($target) `` `{` $target_size `}` attr-dict-with-keyword
  }];
}
def Stream_CmdInvalidateOp : Stream_CmdVisibilityOp<"invalidate"> {
  let summary = "Makes what was written to a range elsewhere visible here";
  let assemblyFormat = [{
    (`from` `(` $source_affinity^ `)`)? $target `[` $target_offset `for` $target_length `]` `:`
    type($target) `` `{` $target_size `}` attr-dict-with-keyword
  }];
}

def Stream_CmdDiscardOp : Stream_Op<"cmd.discard", [
  Range<"target", "target_size", "target_offset", "target_length">
]> {
  let summary = "The contents of a range are needed no more";
  let arguments = (ins
    Stream_AnyResource:$target,
    Index:$target_size,
    Index:$target_offset,
    Index:$target_length
  );
  let assemblyFormat = [{
    $target `[` $target_offset `for` $target_length `]` `:` type($target) `` `{` $target_size `}`
    attr-dict-with-keyword
  }];
}

def Stream_CmdCollectiveOp : Stream_Op<"cmd.collective", [AttrSizedOperandSegments]> {
  let summary = "A collective operation on ranges of memory";
  let arguments = (ins
    Stream_CollectiveAttr:$op,
    Stream_Channel:$channel,
    Index:$element_count,
    Optional<I32>:$param,
    Variadic<Stream_AnyStreamResource>:$resources,
    Variadic<Index>:$resource_sizes,
    Variadic<Index>:$resource_offsets,
    Variadic<Index>:$resource_lengths,
    ArrayAttr:$resource_accesses
  );
  let assemblyFormat = [{
    `` $op `` `[` $element_count `]` `channel` `(` $channel `)`
    (`param` `(` $param^ `:` type($param) `)`)? `{`
    custom<DispatchResources>($resources, type($resources), $resource_sizes, $resource_offsets,
                              $resource_lengths, $resource_accesses)
    `\n` `}` attr-dict-with-keyword
  }];
}

def Stream_CmdFuncOp
    : Stream_Op<"cmd.func", [FunctionOpInterface, IsolatedFromAbove, Symbol]> {
  let summary = "A function outside of the program that commands may call";
  let description = [{
    Each resource is passed with the range of it that the function may use, as an offset and a
    length. There is no body.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) $sym_name ``
    custom<DispatchFunctionSignature>($function_type, $arg_attrs, $res_attrs)
    attr-dict-with-keyword ($body^)?
  }];
}

def Stream_CmdCallOp : Stream_Op<"cmd.call", [AttrSizedOperandSegments, SymbolUserOpInterface]> {
  let summary = "Calls a function on ranges of memory";
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    Variadic<Index>:$resource_operand_offsets,
    Variadic<Index>:$resource_operand_lengths,
    Variadic<Index>:$result_sizes,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    ArrayAttr:$resource_operand_accesses
  );
  let results = (outs Variadic<Stream_PrimitiveType>:$results);
  let assemblyFormat = [{
    $callee ``
    custom<CmdCallOperands>($resource_operands, $resource_operand_offsets,
                            $resource_operand_lengths, $resource_operand_accesses)
    prop-dict attr-dict `:`
    custom<ShapedFunctionType>(ref($resource_operands), type($resource_operands),
                               $resource_operand_sizes, type($results), $result_sizes,
                               $tied_operands)
  }];
  let symbolVerifier = "cmd_call";
}
