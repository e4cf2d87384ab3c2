// Dispatches of device code that objects hold.

def HAL_DispatchExternOp : HAL_PureOp<"dispatch.extern", [
  IsolatedFromAbove, AttrSizedOperandSegments, DimsOf<"arguments", "argument_dims">,
  DimsOf<"results", "result_dims">, TiedResultsBy<"tied_operands", "arguments">
]> {
  let summary = "Runs a function of objects that exist for several targets";
  let description = [{
    The first region computes the number of workgroups from the device and the workload. For each
    target there are an ordinal, objects, and a region that says whether a device can run them; an
    empty one where all can.
  }];
  let arguments = (ins
    StrAttr:$export_name,
    Variadic<Index>:$workload,
    Variadic<AnyType>:$arguments,
    Variadic<Index>:$argument_dims,
    Variadic<Index>:$result_dims,
    HAL_PipelineLayoutAttr:$layout,
    ArrayAttr:$targets,
    IndexArrayAttr:$target_ordinals,
    ArrayAttr:$target_objects,
    OptionalAttr<IndexArrayAttr>:$workgroup_size,
    OptionalAttr<IndexAttr>:$subgroup_size,
    OptionalAttr<IndexAttr>:$workgroup_local_memory,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands
  );
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region AnyRegion:$workgroup_count, VariadicRegion<AnyRegion>:$target_regions);
  let assemblyFormat = [{
    $export_name (`[` $workload^ `]`)? `` `(` $arguments `)` `:`
    custom<ShapedFunctionType>(ref($arguments), type($arguments), $argument_dims, type($results),
                               $result_dims, $tied_operands)
    `count` `` custom<WorkgroupCountRegion>($workgroup_count)
    `layout` `(` $layout `)`
    `objects` `(` `{`
    custom<TargetConditionObjects>($targets, $target_ordinals, $target_objects, $target_regions)
    `}` `)` attr-dict-with-keyword
  }];
}
