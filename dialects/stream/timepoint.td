// `stream.timepoint.*`: the order of execution as values.

def Stream_TimepointImmediateOp : Stream_PureOp<"timepoint.immediate", [
  ConstantLike, Stream_TimelineOp<"await_timepoint">
]> {
  let summary = "The timepoint that has always been reached";
  let results = (outs Stream_Timepoint:$result_timepoint);
  let assemblyFormat = "attr-dict `=` `` `>` type($result_timepoint)";
}

def Stream_TimepointJoinOp : Stream_PureOp<"timepoint.join", [
  Stream_TimelineOp<"await_timepoints">
]> {
  let summary = "The timepoint at which all of these are reached";
  let arguments = (ins Variadic<Stream_Timepoint>:$await_timepoints);
  let results = (outs Stream_Timepoint:$result_timepoint);
  let assemblyFormat = [{
    `max` `(` $await_timepoints `)` `=` `` `>` type($result_timepoint) attr-dict-with-keyword
  }];
}

def Stream_TimepointBarrierOp : Stream_PureOp<"timepoint.barrier", [
  AllTypesMatch<["resource", "result"]>, TiedResult<"result", "resource">,
  SizeOf<"resource", "resource_size">, Stream_TimelineOp<"await_timepoint">
]> {
  let summary = "The timepoint at which a resource may be used";
  let arguments = (ins
    Stream_AnyResource:$resource,
    Index:$resource_size,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Stream_AnyResource:$result, Stream_Timepoint:$result_timepoint);
  let resultNames = [
    NamedAs<"result", "result">, NamedAs<"result_timepoint", "result_timepoint">
  ];
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $resource `:` type($resource) `` `{` $resource_size `}`
    `=` `` `>` type($result_timepoint) attr-dict-with-keyword
  }];
}

def Stream_TimepointAwaitOp : Stream_PureOp<"timepoint.await", [
  AttrSizedOperandSegments, TiedResult<"results", "resource_operands">,
  SizeOf<"resource_operands", "resource_operand_sizes">,
  SizeOf<"results", "resource_operand_sizes">, Stream_TimelineOp<"await_timepoint">
]> {
  let summary = "The same resources once the timepoint is reached";
  let arguments = (ins
    Variadic<Stream_AnyResource>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    Stream_Timepoint:$await_timepoint,
    UnitAttr:$sync
  );
  let results = (outs Variadic<Stream_AnyResource>:$results);
  let assemblyFormat = [{
    (`sync` $sync^)? $await_timepoint `=` `` `>` $resource_operands `:`
    custom<ShapedTypeList>(type($resource_operands), type($results), $resource_operand_sizes)
    attr-dict-with-keyword
  }];
}

def Stream_TimepointImportOp : Stream_PureOp<"timepoint.import"> {
  let summary = "Takes values of another dialect as a timepoint";
  let arguments = (ins Variadic<AnyType>:$operands, OptionalAttr<Stream_AffinityAttr>:$affinity);
  let results = (outs Stream_Timepoint:$result_timepoint);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $operands `:` `(` type($operands) `)` `=` `` `>`
    type($result_timepoint) attr-dict-with-keyword
  }];
}

def Stream_TimepointExportOp : Stream_PureOp<"timepoint.export"> {
  let summary = "Gives a timepoint out as values of another dialect";
  let arguments = (ins
    Stream_Timepoint:$await_timepoint,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $await_timepoint `=` `` `>` `(` type($results) `)`
    attr-dict-with-keyword
  }];
}

def Stream_TimepointChainExternalOp : Stream_Op<"timepoint.chain_external"> {
  let summary = "Values of another dialect are reached when the timepoint is";
  let arguments = (ins
    Stream_Timepoint:$await_timepoint,
    Variadic<AnyType>:$external_values,
    OptionalAttr<Stream_AffinityAttr>:$affinity
  );
  let assemblyFormat = [{
    (`on` `(` $affinity^ `)`)? $await_timepoint `=` `` `>`
    `(` $external_values `:` type($external_values) `)` attr-dict-with-keyword
  }];
}
