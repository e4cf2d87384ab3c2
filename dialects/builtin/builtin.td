// The `builtin` dialect: modules, and casts between types that no dialect relates.

#ifndef TEGULA_BUILTIN_TD
#define TEGULA_BUILTIN_TD

include "tegula/OpBase.td"

def Builtin_Dialect : Dialect {
  let name = "builtin";
  let summary = "Modules and unresolved casts";
}

class Builtin_Op<string mnemonic, list<Trait> traits = []>
    : Op<Builtin_Dialect, mnemonic, traits>;

def ModuleOp : Builtin_Op<"module", [
  AffineScope, DefaultDialect<"builtin">, IsolatedFromAbove, HasOnlyGraphRegion, NoRegionArguments,
  NoTerminator, SingleBlock, Symbol, SymbolTable
]> {
  let summary = "A list of symbols";
  let description = [{
    Holds top-level definitions in one block without a terminator. A name is optional; without one
    the module cannot be referred to, and look-ups from outside see through it.
  }];
  let arguments = (ins OptionalAttr<SymbolNameAttr>:$sym_name,
                       OptionalAttr<StrAttr>:$sym_visibility);
  let regions = (region SizedRegion<1>:$bodyRegion);
  let assemblyFormat = "($sym_name^)? prop-dict attr-dict-with-keyword $bodyRegion";
}

def UnrealizedConversionCastOp : Builtin_Op<"unrealized_conversion_cast", [Pure]> {
  let summary = "Relates values of types whose conversion is not finished";
  let description = [{
    Stands between a value that has been converted and a use that has not, in any number on both
    sides. A finished lowering leaves none.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    ($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict
  }];
  let folder = "unrealized_conversion_cast";
}

#endif // TEGULA_BUILTIN_TD
