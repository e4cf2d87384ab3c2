// The `util` dialect: what the other host-side dialects share. Functions, calls and globals of the
// program itself, and statements about values that no target knows.

#ifndef TEGULA_UTIL_TD
#define TEGULA_UTIL_TD

include "tegula/OpBase.td"

def Util_Dialect : Dialect {
  let name = "util";
  let summary = "Functions, calls, globals and value assumptions of the host program";
  let description = [{
    Structure that every level of the host program has, whatever its types: functions with tied
    results, calls, module-level globals with their initializers, and ops that record what is known
    of a value.
  }];
}

class Util_Op<string mnemonic, list<Trait> traits = []> : Op<Util_Dialect, mnemonic, traits>;
class Util_PureOp<string mnemonic, list<Trait> traits = []>
    : Util_Op<mnemonic, !listconcat(traits, [Pure])>;

//===-- Attributes and types ----------------------------------------------------------------------

/// For each result the index of the operand whose storage it shares, or -1.
def Util_TiedOperandsAttr : TypedArrayAttrBase<IndexAttr, "64-bit integer array attribute">;

/// Bounds and divisibility of one integer value.
def Util_IntAssumptionAttr : AttrDef<Util_Dialect, "IntAssumption"> {
  let mnemonic = "int.assumption";
  let summary = "Bounds and divisibility of an integer";
  let description = [{
    States that a value lies in `[umin, umax]`, read as unsigned, and is a multiple of `udiv`. What
    is absent is not known.
  }];
  let parameters = (ins
    OptionalParameter<"of:integer">:$umin,
    OptionalParameter<"of:integer">:$umax,
    OptionalParameter<"of:integer">:$udiv
  );
  let customFormat = "int_assumption";
}

def Util_BufferType : TypeDef<Util_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "A byte buffer in host memory";
}

def Util_UnusedType : TypeDef<Util_Dialect, "Unused"> {
  let mnemonic = "unused";
  let summary = "Stands where a type is required and none is meant";
}

//===-- Structure ---------------------------------------------------------------------------------

def Util_FuncOp : Util_Op<"func", [
  AffineScope, AutomaticAllocationScope, FunctionOpInterface, IsolatedFromAbove, Symbol
]> {
  let summary = "A function of the host program";
  let description = [{
    Like `func.func`, with results that may be tied to arguments: the result then lives in the
    storage of that argument. The visibility is always written.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    OptionalAttr<AnyAttr>:$inlining_policy
  );
  let regions = (region AnyRegion:$body);
  let customFormat = "func";
  let verifier = "func";
}

def Util_ReturnOp : Util_Op<"return", [Pure, ReturnLike, Terminator]> {
  let summary = "Returns from a function or ends an initializer";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

def Util_CallOp : Util_Op<"call", [CallOpInterface]> {
  let summary = "Calls a function of the host program";
  let description = [{
    Results may be tied to operands, as the callee's are to its arguments.
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$operands,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $operands `)` attr-dict `:`
    custom<OperandTypeList>(type($operands)) `->`
    custom<TiedFunctionResultList>(ref($operands), ref(type($operands)), type($results),
                                   $tied_operands)
  }];
}

def Util_InitializerOp : Util_Op<"initializer", [FunctionOpInterface, IsolatedFromAbove]> {
  let summary = "Code that runs once when the module is loaded";
  let description = [{
    Initializers run in the order in which they and the globals with values stand in the module.
  }];
  let arguments = (ins
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
  let customFormat = "initializer";
}

//===-- Globals -----------------------------------------------------------------------------------

def Util_GlobalOp : Util_Op<"global", [Symbol]> {
  let summary = "A value that lives as long as the module";
  let description = [{
    An immutable global is set by its value or by one initializer; a mutable one at any time.
  }];
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    TypeAttr:$type,
    UnitAttr:$is_mutable,
    OptionalAttr<AnyAttr>:$initial_value,
    OptionalAttr<AnyAttr>:$inlining_policy
  );
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) (`mutable` $is_mutable^)? $sym_name attr-dict
    custom<TypeOrAttr>($type, $initial_value)
  }];
}

def Util_GlobalLoadOp : Util_Op<"global.load", [MemoryEffects<[MemRead]>]> {
  let summary = "Reads a global";
  let arguments = (ins FlatSymbolRefAttr:$global, UnitAttr:$is_immutable);
  let results = (outs AnyType:$result);
  let assemblyFormat = "(`immutable` $is_immutable^)? $global attr-dict `:` type($result)";
  let resultNames = [NamedBy<"global_load">];
}

def Util_GlobalStoreOp : Util_Op<"global.store", [MemoryEffects<[MemWrite]>]> {
  let summary = "Writes a global";
  let arguments = (ins AnyType:$value, FlatSymbolRefAttr:$global);
  let assemblyFormat = "$value `,` $global attr-dict `:` type($value)";
}

//===-- Values ------------------------------------------------------------------------------------

def Util_AssumeIntOp : Util_PureOp<"assume.int", [AllTypesMatch<["operands", "results"]>]> {
  let summary = "Records what is known of integer values";
  let description = [{
    Each result is its operand. For each operand there is one list of assumptions, one for each
    place that the value comes from; the value satisfies at least one of them.
  }];
  let arguments = (ins
    Variadic<AnySignlessIntegerOrIndex>:$operands,
    ArrayAttr:$assumptions
  );
  let results = (outs Variadic<AnySignlessIntegerOrIndex>:$results);
  let customFormat = "assume_int";
  let verifier = "assume_int";
}

def Util_AlignOp : Util_PureOp<"align", [SameOperandsAndResultType]> {
  let summary = "The least multiple of the alignment that is not below the value";
  let arguments = (ins AnySignlessIntegerOrIndex:$value, AnySignlessIntegerOrIndex:$alignment);
  let results = (outs AnySignlessIntegerOrIndex:$result);
  let assemblyFormat = "$value `,` $alignment attr-dict `:` type($result)";
  let folder = "align";
}

def Util_NullOp : Util_PureOp<"null"> {
  let summary = "The null value of a reference type";
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Util_OptimizationBarrierOp
    : Util_Op<"optimization_barrier", [AllTypesMatch<["operands", "results"]>]> {
  let summary = "Passes values on and hides where they come from";
  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

include "patterns.td"
include "passes.td"

#endif // TEGULA_UTIL_TD
