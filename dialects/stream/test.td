// Ops that mean nothing: what stands for others in tests of passes.

def Stream_TestTimelineOp : Stream_PureOp<"test.timeline_op", [AttrSizedOperandSegments]> {
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
