// Constants and sums, folded by a pattern or, under another name, by a hook.

include "tegula/OpBase.td"
include "tegula/Traits.td"
include "tegula/Patterns.td"

def B : Dialect { let name = "b"; }
class BOp<string mnemonic, list<Trait> traits = []> : Op<B, mnemonic, traits>;

def B_Func : BOp<"func", [IsolatedFromAbove, Symbol, NoTerminator, SingleBlock]> {
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region AnyRegion:$body);
}
def B_Const : BOp<"const", [Pure, ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs AnyType:$result);
}
class Sum<string mnemonic> : BOp<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs AnyType:$result);
}
def B_Add : Sum<"add">;
def B_HookedAdd : Sum<"hooked_add"> { let folder = "sum"; }
def B_Use : BOp<"use"> { let arguments = (ins Variadic<AnyType>:$values); }

def AddConstants : Fold<(B_Add (ConstantLike $a), (ConstantLike $b)), [(fold (add $a, $b))]>;
