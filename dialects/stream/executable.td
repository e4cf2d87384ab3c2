// Executables: device code and what it sees of its resources.

def Stream_ExecutableOp : Stream_Op<"executable", [
  IsolatedFromAbove, SingleBlockImplicitTerminator<"stream.executable.end">, Symbol, SymbolTable
]> {
  let summary = "A module of device code with its entry points";
  let arguments = (ins OptionalAttr<StrAttr>:$sym_visibility, SymbolNameAttr:$sym_name);
  let regions = (region AnyRegion:$body);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) $sym_name attr-dict-with-keyword regions
  }];
}

def Stream_ExecutableEndOp
    : Stream_Op<"executable.end", [HasParent<"stream.executable">, Terminator]> {
  let summary = "Ends an executable";
  let assemblyFormat = "attr-dict";
}

def Stream_ExecutableExportOp : Stream_Op<"executable.export", [
  HasParent<"stream.executable">, Symbol, IsolatedFromAbove
]> {
  let summary = "An entry point of an executable";
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    FlatSymbolRefAttr:$function_ref
  );
  let regions = (region AnyRegion:$workgroup_count);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) custom<SymbolAlias>($sym_name, $function_ref)
    custom<WorkgroupCountRegion>($workgroup_count) attr-dict-with-keyword
  }];
  let verifier = "workgroup_count";
}

def Stream_BindingSubspanOp : Stream_PureOp<"binding.subspan"> {
  let summary = "What lies in a binding from an offset on";
  let arguments = (ins
    Stream_Binding:$binding,
    Index:$byte_offset,
    Variadic<Index>:$dynamic_dims
  );
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $binding `` `[` $byte_offset `]` attr-dict `:` type($binding) `->`
    type($result) (`{` $dynamic_dims^ `}`)?
  }];
}

def Stream_ReturnOp : Stream_Op<"return", [
  HasParent<"stream.executable.export">, Pure, ReturnLike, Terminator
]> {
  let summary = "Gives the workgroup count of an entry point";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict $operands `:` type($operands)";
}

def Stream_YieldOp : Stream_Op<"yield", [
  ParentOneOf<["stream.async.execute", "stream.async.concurrent", "stream.cmd.execute",
               "stream.cmd.serial", "stream.cmd.concurrent"]>,
  Pure, ReturnLike, Terminator, SameVariadicOperandSize,
  SizeOf<"resource_operands", "resource_operand_sizes">, PassesOn<"resource_operands">
]> {
  let summary = "Ends an execution region with its results";
  let arguments = (ins
    Variadic<Stream_AnyResource>:$resource_operands,
    Variadic<Index>:$resource_operand_sizes
  );
  let assemblyFormat = [{
    attr-dict
    ($resource_operands^ `:`
     custom<ShapedTypeList>(type($resource_operands), $resource_operand_sizes))?
  }];
}

class Stream_DispatchWorkgroupOp<string what> : Stream_PureOp<"dispatch.workgroup." # what> {
  let arguments = (ins ConfinedAttr<IndexAttr, [IntRange<0, 2>]>:$dimension);
  let results = (outs Index:$result);
  let assemblyFormat = "`[` $dimension `]` attr-dict `:` type($result)";
  let resultNames = [NamedBy<"dispatch_workgroup">];
}
def Stream_DispatchWorkgroupIDOp : Stream_DispatchWorkgroupOp<"id"> {
  let summary = "The position of the running workgroup in one dimension";
}
def Stream_DispatchWorkgroupCountOp : Stream_DispatchWorkgroupOp<"count"> {
  let summary = "The number of workgroups in one dimension";
}
def Stream_DispatchWorkgroupSizeOp : Stream_DispatchWorkgroupOp<"size"> {
  let summary = "The number of invocations in a workgroup in one dimension";
}
