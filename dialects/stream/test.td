// Ops that mean nothing: what stands for others in tests of passes.

def Stream_TestTimelineOp : Stream_PureOp<"test.timeline_op", [
  AttrSizedOperandSegments, Stream_TimelineOp<"await_operands">,
  SizeOf<"resource_operands", "resource_operand_sizes">, SizeOf<"results", "result_sizes">,
  TiedResultsBy<"tied_operands", "resource_operands">
]> {
  let summary = "Waits for timepoints, takes resources and gives others at a timepoint";
  let arguments = (ins
    Variadic<Stream_AnyResource>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes,
    Variadic<Index>:$result_sizes,
    Variadic<Stream_Timepoint>:$await_operands,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands,
    OptionalAttr<I64Attr>:$await_limit
  );
  let results = (outs
    Variadic<Stream_AnyResource>:$results,
    Stream_Timepoint:$result_timepoint
  );
  let resultNames = [
    NamedAs<"results", "results">, NamedAs<"result_timepoint", "result_timepoint">
  ];
  let assemblyFormat = [{
    (`await_limit` `(` $await_limit^ `)`)? (`await` `(` $await_operands^ `)` `=` `` `>`)?
    `with` `(` $resource_operands `)` attr-dict `:`
    custom<ShapedFunctionType>(ref($resource_operands), type($resource_operands),
                               $resource_operand_sizes, type($results), $result_sizes,
                               $tied_operands)
    `=` `` `>` type($result_timepoint)
  }];
}

def Stream_TestFence : TypeDef<Stream_Dialect, "TestFence"> {
  let mnemonic = "test.fence";
  let summary = "What another dialect waits for and signals";
}

def Stream_TestTimelineAwareOp : Stream_PureOp<"test.timeline_aware", [
  AttrSizedOperandSegments, Stream_TimelineAwareOp<"wait_fence_likes", "signal_fence_like">
]> {
  let summary = "Work of another dialect between fences";
  let arguments = (ins
    Variadic<AnyType>:$args,
    Variadic<Stream_TestFence>:$wait_fence_likes,
    Stream_TestFence:$signal_fence_like
  );
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    `(` $args `)` `waits` `(` $wait_fence_likes `)` `signals` `(` $signal_fence_like `)`
    attr-dict `:` functional-type($args, $results)
  }];
}
