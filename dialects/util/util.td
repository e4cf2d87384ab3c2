// The `util` dialect: what the other host-side dialects share. Functions, calls and globals of the
// program itself, and statements about values that no target knows.

#ifndef TEGULA_UTIL_TD
#define TEGULA_UTIL_TD

include "tegula/OpBase.td"
include "arith/arith.td"

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

include "util/attrs.td"

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
    OptionalAttr<Util_InliningPolicyAttr>:$inlining_policy
  );
  let regions = (region AnyRegion:$body);
  let customFormat = "func";
  let verifier = "func";
}

def Util_ReturnOp : Util_Op<"return", [Pure, ReturnLike, FunctionReturn, Terminator]> {
  let summary = "Returns from a function or ends an initializer";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

def Util_CallOp : Util_Op<"call", [CallOpInterface, SymbolUserOpInterface]> {
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
    $callee `(` $operands `)` prop-dict attr-dict `:`
    custom<OperandTypeList>(type($operands)) `->`
    custom<TiedFunctionResultList>(ref($operands), ref(type($operands)), type($results),
                                   $tied_operands)
  }];
}

def Util_NoArgsFunctionType
    : Attr<TypeAttrIs<IsTypeText<"() -> ()">>, "type of a function without arguments and results"> {
  let bare = "type";
}
def Util_InitializerOp : Util_Op<"initializer", [FunctionOpInterface, IsolatedFromAbove]> {
  let summary = "Code that runs once when the module is loaded";
  let description = [{
    Initializers run in the order in which they and the globals with values stand in the module.
  }];
  let arguments = (ins
    Util_NoArgsFunctionType:$function_type,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
  let customFormat = "initializer";
}

def Util_UnreachableLike : NativeTrait<"UnreachableLike">;

def Util_UnreachableOp
    : Util_Op<"unreachable", [NoMemoryEffect, ReturnLike, Terminator, Util_UnreachableLike]> {
  let summary = "Ends a block that is never reached";
  let arguments = (ins OptionalAttr<StrAttr>:$message);
  let assemblyFormat = "($message^)? attr-dict";
}

def Util_SCFUnreachableOp : Util_Op<"scf.unreachable", [Util_UnreachableLike]> {
  let summary = "Says that this point is never reached, where a region needs its own terminator";
  let arguments = (ins OptionalAttr<StrAttr>:$message);
  let assemblyFormat = "($message^)? attr-dict";
}

//===-- Globals -----------------------------------------------------------------------------------

// What the ops that read and write globals name.
def Util_GlobalOpInterface : OpInterface<"GlobalOpInterface">;

def Util_GlobalOp : Util_Op<"global", [Symbol, Util_GlobalOpInterface]> {
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
    OptionalAttr<Util_InliningPolicyAttr>:$inlining_policy
  );
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) (`mutable` $is_mutable^)? $sym_name prop-dict
    attr-dict custom<TypeOrAttr>($type, $initial_value)
  }];
  let verifier = "global";
}

def Util_GlobalLoadOp
    : Util_Op<"global.load", [MemoryEffects<[MemRead]>, PureWhen<"is_immutable">]> {
  let summary = "Reads a global";
  let arguments = (ins FlatSymbolRefAttr:$global, UnitAttr:$is_immutable);
  let results = (outs AnyType:$result);
  let assemblyFormat = "(`immutable` $is_immutable^)? $global attr-dict `:` type($result)";
  let resultNames = [NamedBy<"global_load">];
  let hasSymbolVerifier = 1;
}

def Util_GlobalStoreOp : Util_Op<"global.store", [MemoryEffects<[MemWrite]>]> {
  let summary = "Writes a global";
  let arguments = (ins AnyType:$value, FlatSymbolRefAttr:$global);
  let assemblyFormat = "$value `,` $global attr-dict `:` type($value)";
  let hasSymbolVerifier = 1;
}

class Util_GlobalAccessIndirect<string mnemonic, list<Trait> traits>
    : Util_Op<"global." # mnemonic # ".indirect", traits> {
  let verifier = "global_indirect";
}

def Util_GlobalAddressOp : Util_PureOp<"global.address"> {
  let summary = "The address of a global";
  let arguments = (ins FlatSymbolRefAttr:$global, UnitAttr:$is_immutable);
  let results = (outs Util_PtrType:$result);
  let assemblyFormat = [{
    (`immutable` $is_immutable^)? $global attr-dict `:` qualified(type($result))
  }];
  let resultNames = [NamedBy<"global_address">];
  let hasSymbolVerifier = 1;
}

def Util_GlobalLoadIndirectOp
    : Util_GlobalAccessIndirect<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "Reads the global at an address";
  let arguments = (ins Util_PtrType:$global, UnitAttr:$is_immutable);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    (`immutable` $is_immutable^)? $global attr-dict `:` qualified(type($global)) `->`
    type($result)
  }];
}

def Util_GlobalStoreIndirectOp
    : Util_GlobalAccessIndirect<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "Writes the global at an address";
  let arguments = (ins AnyType:$value, Util_PtrType:$global);
  let assemblyFormat = [{
    $value `,` $global attr-dict `:` type($value) `->` qualified(type($global))
  }];
}

include "util/values.td"
include "util/list.td"
include "util/buffer.td"
include "util/patterns.td"
include "util/unreachable.td"
include "util/passes.td"

#endif // TEGULA_UTIL_TD
