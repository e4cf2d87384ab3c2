// Comparisons: 1 where the relation holds, else 0.

class VM_CompareOp<string mnemonic, TypeConstraint type, string what, list<Trait> traits,
                   string resultName = "">
    : VM_PureOp<"cmp." # mnemonic, traits> {
  let summary = what;
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs I32:$result);
  let assemblyFormat = "operands attr-dict `:` type($lhs)";
  let resultNames = !if(!empty(resultName), []<NameHint>, [NamedAs<"result", resultName>]);
}
class VM_NumberCompareOp<string mnemonic, Type type, string what, list<Trait> traits,
                         string resultName = "">
    : VM_CompareOp<mnemonic, type, what, !listconcat(VM_Needs<type>.traits, traits), resultName> {
  let folder = "evaluate";
}

multiclass VM_IntEquality<string name, string what> {
  def I32Op : VM_NumberCompareOp<name # ".i32", I32, what, [Commutative], name>;
  def I64Op : VM_NumberCompareOp<name # ".i64", I64, what, [Commutative], name>;
  def RefOp : VM_CompareOp<name # ".ref", VM_AnyRef, what,
                           [AllTypesMatch<["lhs", "rhs"]>, Commutative], "r" # name>;
}
defm VM_CmpEQ : VM_IntEquality<"eq", "Whether both are the same">;
defm VM_CmpNE : VM_IntEquality<"ne", "Whether both differ">;

// With a sign and without one. There are instructions for two of the four orders.
multiclass VM_IntOrder<string name, string what, list<Trait> traits = []> {
  def I32SOp : VM_NumberCompareOp<name # ".i32.s", I32, what, traits, "s" # name>;
  def I64SOp : VM_NumberCompareOp<name # ".i64.s", I64, what, traits, "s" # name>;
  def I32UOp : VM_NumberCompareOp<name # ".i32.u", I32, what, traits, "u" # name>;
  def I64UOp : VM_NumberCompareOp<name # ".i64.u", I64, what, traits, "u" # name>;
}
defm VM_CmpLT : VM_IntOrder<"lt", "Whether the first is less">;
defm VM_CmpLTE : VM_IntOrder<"lte", "Whether the first is not greater">;
defm VM_CmpGT : VM_IntOrder<"gt", "Whether the first is greater", [VM_PseudoOp]>;
defm VM_CmpGTE : VM_IntOrder<"gte", "Whether the first is not less", [VM_PseudoOp]>;

// Ordered comparisons fail on NaN, unordered ones hold.
multiclass VM_FloatCompare<string name, string what, list<Trait> traits = []> {
  def F32OOp : VM_NumberCompareOp<name # ".f32.o", F32, what # ", neither of them NaN", traits>;
  def F32UOp : VM_NumberCompareOp<name # ".f32.u", F32, what # ", or one is NaN", traits>;
  def F64OOp : VM_NumberCompareOp<name # ".f64.o", F64, what # ", neither of them NaN", traits>;
  def F64UOp : VM_NumberCompareOp<name # ".f64.u", F64, what # ", or one is NaN", traits>;
}
defm VM_CmpEQ : VM_FloatCompare<"eq", "Whether both are the same", [Commutative]>;
defm VM_CmpNE : VM_FloatCompare<"ne", "Whether both differ", [Commutative]>;
defm VM_CmpLT : VM_FloatCompare<"lt", "Whether the first is less">;
defm VM_CmpLTE : VM_FloatCompare<"lte", "Whether the first is not greater">;
defm VM_CmpGT : VM_FloatCompare<"gt", "Whether the first is greater", [VM_PseudoOp]>;
defm VM_CmpGTE : VM_FloatCompare<"gte", "Whether the first is not less", [VM_PseudoOp]>;
def VM_CmpEQF32NearOp
    : VM_CompareOp<"eq.f32.near", F32, "Whether both are nearly the same",
                   [VM_ExtF32, Commutative, VM_PseudoOp]>;
def VM_CmpEQF64NearOp
    : VM_CompareOp<"eq.f64.near", F64, "Whether both are nearly the same",
                   [VM_ExtF64, Commutative, VM_PseudoOp]>;

class VM_TestOp<string mnemonic, TypeConstraint type, string what, list<Trait> traits = [],
                string resultName = "">
    : VM_PureOp<"cmp." # mnemonic, traits> {
  let summary = what;
  let arguments = (ins type:$operand);
  let results = (outs I32:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
  let resultNames = !if(!empty(resultName), []<NameHint>, [NamedAs<"result", resultName>]);
}
class VM_NumberTestOp<string mnemonic, Type type, string what, list<Trait> traits = [],
                      string resultName = "">
    : VM_TestOp<mnemonic, type, what, !listconcat(VM_Needs<type>.traits, traits), resultName> {
  let folder = "evaluate";
}
def VM_CmpNZI32Op : VM_NumberTestOp<"nz.i32", I32, "Whether it is not zero", [], "nz">;
def VM_CmpNZI64Op : VM_NumberTestOp<"nz.i64", I64, "Whether it is not zero", [], "nz">;
def VM_CmpNZF32OOp
    : VM_NumberTestOp<"nz.f32.o", F32, "Whether it is neither zero nor NaN", [VM_PseudoOp]>;
def VM_CmpNZF32UOp
    : VM_NumberTestOp<"nz.f32.u", F32, "Whether it is not zero", [VM_PseudoOp]>;
def VM_CmpNZF64OOp
    : VM_NumberTestOp<"nz.f64.o", F64, "Whether it is neither zero nor NaN", [VM_PseudoOp]>;
def VM_CmpNZF64UOp
    : VM_NumberTestOp<"nz.f64.u", F64, "Whether it is not zero", [VM_PseudoOp]>;
def VM_CmpNaNF32Op : VM_NumberTestOp<"nan.f32", F32, "Whether it is NaN">;
def VM_CmpNaNF64Op : VM_NumberTestOp<"nan.f64", F64, "Whether it is NaN">;
def VM_CmpNZRefOp : VM_TestOp<"nz.ref", VM_AnyRef, "Whether it is not null", [], "rnz">;
