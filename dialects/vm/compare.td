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

multiclass VM_IntEquality<string name, string what, int i32, int i64, int ref> {
  def I32Op : VM_NumberCompareOp<name # ".i32", I32, what, [Commutative, VM_Code<i32>], name>;
  def I64Op : VM_NumberCompareOp<name # ".i64", I64, what, [Commutative, VM_Code<i64>], name>;
  def RefOp : VM_CompareOp<name # ".ref", VM_AnyRef, what,
                           [AllTypesMatch<["lhs", "rhs"]>, Commutative, VM_Code<ref>], "r" # name>;
}
defm VM_CmpEQ : VM_IntEquality<"eq", "Whether both are the same", 0x49, 0x4E, 0x53>;
defm VM_CmpNE : VM_IntEquality<"ne", "Whether both differ", 0x4A, 0x4F, 0x54>;

// With a sign and without one. There are instructions for one of the four orders.
multiclass VM_IntOrder<string name, string what, list<Trait> i32S = [VM_PseudoOp],
                       list<Trait> i32U = [VM_PseudoOp], list<Trait> i64S = [VM_PseudoOp],
                       list<Trait> i64U = [VM_PseudoOp]> {
  def I32SOp : VM_NumberCompareOp<name # ".i32.s", I32, what, i32S, "s" # name>;
  def I64SOp : VM_NumberCompareOp<name # ".i64.s", I64, what, i64S, "s" # name>;
  def I32UOp : VM_NumberCompareOp<name # ".i32.u", I32, what, i32U, "u" # name>;
  def I64UOp : VM_NumberCompareOp<name # ".i64.u", I64, what, i64U, "u" # name>;
}
defm VM_CmpLT : VM_IntOrder<"lt", "Whether the first is less", [VM_Code<0x4B>], [VM_Code<0x4C>],
                            [VM_Code<0x50>], [VM_Code<0x51>]>;
defm VM_CmpLTE : VM_IntOrder<"lte", "Whether the first is not greater">;
defm VM_CmpGT : VM_IntOrder<"gt", "Whether the first is greater">;
defm VM_CmpGTE : VM_IntOrder<"gte", "Whether the first is not less">;

// Ordered comparisons fail on NaN, unordered ones hold.
// The codes of a pair are two in a row.
multiclass VM_FloatCompare<string name, string what, list<Trait> traits, list<Trait> f32O,
                           list<Trait> f32U, list<Trait> f64O, list<Trait> f64U> {
  def F32OOp : VM_NumberCompareOp<name # ".f32.o", F32, what # ", neither of them NaN",
                                  !listconcat(traits, f32O)>;
  def F32UOp : VM_NumberCompareOp<name # ".f32.u", F32, what # ", or one is NaN",
                                  !listconcat(traits, f32U)>;
  def F64OOp : VM_NumberCompareOp<name # ".f64.o", F64, what # ", neither of them NaN",
                                  !listconcat(traits, f64O)>;
  def F64UOp : VM_NumberCompareOp<name # ".f64.u", F64, what # ", or one is NaN",
                                  !listconcat(traits, f64U)>;
}
multiclass VM_CodedFloatCompare<string name, string what, int f32, int f64,
                                list<Trait> traits = []>
    : VM_FloatCompare<name, what, traits, [VM_Code<f32>], [VM_Code<!add(f32, 1)>],
                      [VM_Code<f64>], [VM_Code<!add(f64, 1)>]>;
multiclass VM_PseudoFloatCompare<string name, string what>
    : VM_FloatCompare<name, what, [VM_PseudoOp], [], [], [], []>;
defm VM_CmpEQ : VM_CodedFloatCompare<"eq", "Whether both are the same", 0x2A, 0x30, [Commutative]>;
defm VM_CmpNE : VM_CodedFloatCompare<"ne", "Whether both differ", 0x2C, 0x32, [Commutative]>;
defm VM_CmpLT : VM_CodedFloatCompare<"lt", "Whether the first is less", 0x2E, 0x34>;
defm VM_CmpLTE : VM_CodedFloatCompare<"lte", "Whether the first is not greater", 0x30, 0x36>;
defm VM_CmpGT : VM_PseudoFloatCompare<"gt", "Whether the first is greater">;
defm VM_CmpGTE : VM_PseudoFloatCompare<"gte", "Whether the first is not less">;
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
def VM_CmpNZI32Op : VM_NumberTestOp<"nz.i32", I32, "Whether it is not zero", [VM_Code<0x4D>], "nz">;
def VM_CmpNZI64Op : VM_NumberTestOp<"nz.i64", I64, "Whether it is not zero", [VM_Code<0x52>], "nz">;
def VM_CmpNZF32OOp
    : VM_NumberTestOp<"nz.f32.o", F32, "Whether it is neither zero nor NaN", [VM_PseudoOp]>;
def VM_CmpNZF32UOp
    : VM_NumberTestOp<"nz.f32.u", F32, "Whether it is not zero", [VM_PseudoOp]>;
def VM_CmpNZF64OOp
    : VM_NumberTestOp<"nz.f64.o", F64, "Whether it is neither zero nor NaN", [VM_PseudoOp]>;
def VM_CmpNZF64UOp
    : VM_NumberTestOp<"nz.f64.u", F64, "Whether it is not zero", [VM_PseudoOp]>;
def VM_CmpNaNF32Op : VM_NumberTestOp<"nan.f32", F32, "Whether it is NaN", [VM_Code<0x32>]>;
def VM_CmpNaNF64Op : VM_NumberTestOp<"nan.f64", F64, "Whether it is NaN", [VM_Code<0x38>]>;
def VM_CmpNZRefOp
    : VM_TestOp<"nz.ref", VM_AnyRef, "Whether it is not null", [VM_Code<0x55>], "rnz">;
