// The `flow` dialect: the program as a graph of dispatches over tensors.

#ifndef TEGULA_FLOW_TD
#define TEGULA_FLOW_TD

include "tegula/OpBase.td"
include "tegula/Patterns.td"
include "tensor/tensor.td"
include "linalg/linalg.td"
include "iree_tensor_ext/iree_tensor_ext.td"
include "util/util.td"

def Flow_Dialect : Dialect {
  let name = "flow";
  let summary = "Dispatches over tensors";
  let description = [{
    Splits a program into the dispatches that a device runs and the host code around them. Regions
    are formed first with implicit captures, made explicit, and then outlined into executables.
  }];
}

class Flow_Op<string mnemonic, list<Trait> traits = []> : Op<Flow_Dialect, mnemonic, traits>;
class Flow_PureOp<string mnemonic, list<Trait> traits = []>
    : Flow_Op<mnemonic, !listconcat(traits, [Pure])>;

//===-- Regions -----------------------------------------------------------------------------------

def Flow_DispatchRegionOp : Flow_PureOp<"dispatch.region", [
  AttrSizedOperandSegments, DimsOf<"result", "result_dims">
]> {
  let summary = "Ops that run as one dispatch, with implicit captures";
  let description = [{
    The body may use any value that dominates the op. `result_dims` holds the dynamic dimensions of
    all results in order; the second region, when it is there, computes the number of workgroups
    from the workload.
  }];
  let arguments = (ins Variadic<Index>:$result_dims, Variadic<Index>:$workload);
  let results = (outs Variadic<AnyType>:$result);
  let regions = (region AnyRegion:$body, AnyRegion:$workgroup_count);
  let customFormat = "dispatch_region";
}

def Flow_DispatchWorkgroupsOp : Flow_PureOp<"dispatch.workgroups", [
  IsolatedFromAbove, AttrSizedOperandSegments, DimsOf<"arguments", "argument_dims">,
  DimsOf<"results", "result_dims">, TiedResultsBy<"tied_operands", "arguments">
]> {
  let summary = "Ops that run as one dispatch, with explicit captures";
  let description = [{
    Tensors enter and leave the body as dispatch tensors, which are loaded from and stored to; the
    body's last arguments are the results that are not tied to an operand.
  }];
  let arguments = (ins
    Variadic<Index>:$workload,
    Variadic<AnyType>:$arguments,
    Variadic<Index>:$argument_dims,
    Variadic<Index>:$result_dims,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands
  );
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region AnyRegion:$workgroup_body, AnyRegion:$workgroup_count);
  let assemblyFormat = [{
    (`[` $workload^ `]`)? `` `(` $arguments `)` `:`
    custom<ShapedFunctionType>(ref($arguments), type($arguments), $argument_dims, type($results),
                               $result_dims, $tied_operands)
    attr-dict-with-keyword
    `=` `\n` ` ` ` ` ` `
    custom<DispatchWorkgroupBody>(ref(type($arguments)), ref(type($results)), $workgroup_body)
    `` custom<DispatchWorkgroupsCountRegion>($workgroup_count)
  }];
  let verifier = "dispatch_workgroups";
}

class Flow_DispatchWorkgroupOp<string what> : Flow_PureOp<"dispatch.workgroup." # what> {
  let arguments = (ins ConfinedAttr<IndexAttr, [IntRange<0, 2>]>:$dimension);
  let results = (outs Index:$result);
  let assemblyFormat = "`[` $dimension `]` attr-dict `:` type($result)";
  let resultNames = [NamedBy<"dispatch_workgroup">];
}
def Flow_DispatchWorkgroupIDOp : Flow_DispatchWorkgroupOp<"id"> {
  let summary = "The position of the running workgroup in one dimension";
}
def Flow_DispatchWorkgroupCountOp : Flow_DispatchWorkgroupOp<"count"> {
  let summary = "The number of workgroups in one dimension";
}
def Flow_DispatchWorkgroupSizeOp : Flow_DispatchWorkgroupOp<"size"> {
  let summary = "The number of invocations in a workgroup in one dimension";
}

def Flow_DispatchTieShapeOp : Flow_PureOp<"dispatch.tie_shape", [
  AllTypesMatch<["operand", "result"]>, DimsOf<"operand", "dynamic_dims">,
  DimsOf<"result", "dynamic_dims">
]> {
  let summary = "Says which values are the dynamic dimensions of a dispatch tensor";
  let arguments = (ins IREETensorExt_DispatchTensor:$operand, Variadic<Index>:$dynamic_dims);
  let results = (outs IREETensorExt_DispatchTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result) (`{` $dynamic_dims^ `}`)?";
}

def Flow_ReturnOp : Flow_Op<"return", [Pure, ReturnLike, Terminator]> {
  let summary = "Ends a region of this dialect";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let verifier = "return";
}

//===-- Executables -------------------------------------------------------------------------------

def Flow_ExecutableOp : Flow_Op<"executable", [
  IsolatedFromAbove, SingleBlockImplicitTerminator<"flow.executable_end">, Symbol, SymbolTable
]> {
  let summary = "A module of device code with its entry points";
  let arguments = (ins OptionalAttr<StrAttr>:$sym_visibility, SymbolNameAttr:$sym_name);
  let regions = (region AnyRegion:$body);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) $sym_name attr-dict-with-keyword regions
  }];
}

def Flow_ExecutableEndOp : Flow_Op<"executable_end", [HasParent<"flow.executable">, Terminator]> {
  let summary = "Ends an executable";
  let assemblyFormat = "attr-dict";
}

def Flow_ExecutableExportOp : Flow_Op<"executable.export", [
  HasParent<"flow.executable">, Symbol, IsolatedFromAbove
]> {
  let summary = "An entry point of an executable";
  let description = [{
    The region computes the number of workgroups in three dimensions from the workload.
  }];
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

def Flow_DispatchOp : Flow_PureOp<"dispatch", [
  AttrSizedOperandSegments, DimsOf<"arguments", "argument_dims">, DimsOf<"results", "result_dims">,
  SymbolUserOpInterface, TiedResultsBy<"tied_operands", "arguments">
]> {
  let summary = "Runs an entry point of an executable";
  let arguments = (ins
    Variadic<Index>:$workload,
    SymbolRefArrayAttr:$entry_points,
    Variadic<AnyType>:$arguments,
    Variadic<Index>:$argument_dims,
    Variadic<Index>:$result_dims,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands
  );
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    custom<DispatchEntryPoints>($entry_points) (`[` $workload^ `]`)? `` `(` $arguments `)` attr-dict
    `:`
    custom<ShapedFunctionType>(ref($arguments), type($arguments), $argument_dims, type($results),
                               $result_dims, $tied_operands)
  }];
  let symbolVerifier = "dispatch";
}

include "flow/calls.td"
include "flow/tensor.td"
include "flow/parameter.td"
include "flow/collective.td"
include "flow/dispatch_patterns.td"
include "flow/tensor_patterns.td"
include "flow/unit_dims.td"
include "flow/to_flow.td"
include "flow/passes.td"

#endif // TEGULA_FLOW_TD
