// Arithmetic, choices and shifts.

class VM_NumberOp<string mnemonic, Type type, list<Trait> traits>
    : VM_Op<mnemonic, !listconcat(VM_Needs<type>.traits, traits, [NoMemoryEffect])> {
  let results = (outs type:$result);
  let folder = "evaluate";
}
class VM_UnaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : VM_NumberOp<mnemonic, type, traits> {
  let arguments = (ins type:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}
class VM_BinaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : VM_NumberOp<mnemonic, type, traits> {
  let arguments = (ins type:$lhs, type:$rhs);
  let assemblyFormat = "operands attr-dict `:` type($result)";
}
class VM_TernaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : VM_NumberOp<mnemonic, type, traits> {
  let arguments = (ins type:$a, type:$b, type:$c);
  let assemblyFormat = "operands attr-dict `:` type($result)";
}

multiclass VM_IntUnary<string name, string what, int i32, int i64, list<Trait> traits = [Pure]> {
  let summary = what in {
    def I32Op : VM_UnaryOp<name # ".i32", I32, !listconcat(traits, [VM_Code<i32>])>;
    def I64Op : VM_UnaryOp<name # ".i64", I64, !listconcat(traits, [VM_Code<i64>])>;
  }
}
multiclass VM_FloatUnary<string name, string what, int f32, int f64> {
  let summary = what in {
    def F32Op : VM_UnaryOp<name # ".f32", F32, [Pure, VM_Code<f32>]>;
    def F64Op : VM_UnaryOp<name # ".f64", F64, [Pure, VM_Code<f64>]>;
  }
}
multiclass VM_IntBinary<string name, string what, int i32, int i64, list<Trait> traits = []> {
  let summary = what in {
    def I32Op : VM_BinaryOp<name # ".i32", I32, !listconcat(traits, [VM_Code<i32>])>;
    def I64Op : VM_BinaryOp<name # ".i64", I64, !listconcat(traits, [VM_Code<i64>])>;
  }
}
// Of integers with a sign, and without one: two codes in a row.
multiclass VM_SignedBinary<string name, string what, int i32, int i64, list<Trait> traits = []> {
  let summary = what # ", signed" in {
    def I32SOp : VM_BinaryOp<name # ".i32.s", I32, !listconcat(traits, [VM_Code<i32>])>;
    def I64SOp : VM_BinaryOp<name # ".i64.s", I64, !listconcat(traits, [VM_Code<i64>])>;
  }
  let summary = what # ", unsigned" in {
    def I32UOp : VM_BinaryOp<name # ".i32.u", I32, !listconcat(traits, [VM_Code<!add(i32, 1)>])>;
    def I64UOp : VM_BinaryOp<name # ".i64.u", I64, !listconcat(traits, [VM_Code<!add(i64, 1)>])>;
  }
}
multiclass VM_FloatBinary<string name, string what, int f32, int f64, list<Trait> traits = []> {
  let summary = what in {
    def F32Op : VM_BinaryOp<name # ".f32", F32, !listconcat(traits, [Pure, VM_Code<f32>])>;
    def F64Op : VM_BinaryOp<name # ".f64", F64, !listconcat(traits, [Pure, VM_Code<f64>])>;
  }
}

//===-- Integers ----------------------------------------------------------------------------------

defm VM_Add : VM_IntBinary<"add", "Sum", 0x22, 0x2A, [Commutative]>;
defm VM_Sub : VM_IntBinary<"sub", "Difference", 0x23, 0x2B>;
defm VM_Mul : VM_IntBinary<"mul", "Product", 0x24, 0x2C, [Commutative]>;
defm VM_Div : VM_SignedBinary<"div", "Quotient", 0x25, 0x2D>;
defm VM_Rem : VM_SignedBinary<"rem", "Remainder", 0x27, 0x2F>;
defm VM_Min : VM_SignedBinary<"min", "The lesser of two", 0x7A, 0x7E, [Commutative]>;
defm VM_Max : VM_SignedBinary<"max", "The greater of two", 0x7C, 0x80, [Commutative]>;
defm VM_Abs : VM_IntUnary<"abs", "Absolute value", 0x77, 0x78, []>;
defm VM_Not : VM_IntUnary<"not", "All bits the other way", 0x32, 0x36>;
defm VM_And : VM_IntBinary<"and", "Bitwise and", 0x33, 0x37, [Commutative, Pure]>;
defm VM_Or : VM_IntBinary<"or", "Bitwise or", 0x34, 0x38, [Commutative, Pure]>;
defm VM_Xor : VM_IntBinary<"xor", "Bitwise exclusive or", 0x35, 0x39, [Commutative, Pure]>;
defm VM_Ctlz : VM_IntUnary<"ctlz", "How many zeros lead", 0x75, 0x76>;
def VM_FMAI32Op : VM_TernaryOp<"fma.i32", I32, [VM_Code<0x29>]> { let summary = "Sum of a product and a value"; }
def VM_FMAI64Op : VM_TernaryOp<"fma.i64", I64, [VM_Code<0x31>]> { let summary = "Sum of a product and a value"; }

class VM_ShiftOp<string mnemonic, Type type, int opcode, string what>
    : VM_NumberOp<mnemonic, type, [VM_Code<opcode>]> {
  let summary = what;
  let arguments = (ins type:$operand, I32:$amount);
  let assemblyFormat = "$operand `,` $amount attr-dict `:` type($operand)";
}
def VM_ShlI32Op : VM_ShiftOp<"shl.i32", I32, 0x3A, "Shift to the left">;
def VM_ShlI64Op : VM_ShiftOp<"shl.i64", I64, 0x3D, "Shift to the left">;
def VM_ShrI32SOp : VM_ShiftOp<"shr.i32.s", I32, 0x3B, "Shift to the right, sign in">;
def VM_ShrI64SOp : VM_ShiftOp<"shr.i64.s", I64, 0x3E, "Shift to the right, sign in">;
def VM_ShrI32UOp : VM_ShiftOp<"shr.i32.u", I32, 0x3C, "Shift to the right, zeros in">;
def VM_ShrI64UOp : VM_ShiftOp<"shr.i64.u", I64, 0x3F, "Shift to the right, zeros in">;

//===-- Floats ------------------------------------------------------------------------------------

defm VM_Add : VM_FloatBinary<"add", "Sum", 0x0A, 0x0A, [Commutative]>;
defm VM_Sub : VM_FloatBinary<"sub", "Difference", 0x0B, 0x0B>;
defm VM_Mul : VM_FloatBinary<"mul", "Product", 0x0C, 0x0C, [Commutative]>;
defm VM_Div : VM_FloatBinary<"div", "Quotient", 0x0D, 0x0D>;
defm VM_Rem : VM_FloatBinary<"rem", "Remainder", 0x0E, 0x0E>;
defm VM_Min : VM_FloatBinary<"min", "The lesser of two", 0x37, 0x3D, [Commutative]>;
defm VM_Max : VM_FloatBinary<"max", "The greater of two", 0x38, 0x3E, [Commutative]>;
defm VM_Abs : VM_FloatUnary<"abs", "Absolute value", 0x10, 0x10>;
defm VM_Neg : VM_FloatUnary<"neg", "The value with the other sign", 0x11, 0x11>;
defm VM_Ceil : VM_FloatUnary<"ceil", "Rounded up", 0x12, 0x12>;
defm VM_Floor : VM_FloatUnary<"floor", "Rounded down", 0x13, 0x13>;
defm VM_Round : VM_FloatUnary<"round", "Rounded to the nearest, halves away from zero", 0x36, 0x3C>;
def VM_RoundF32EvenOp : VM_UnaryOp<"round.f32.even", F32, [Pure, VM_Code<0x39>]> {
  let summary = "Rounded to the nearest, halves to even";
}
def VM_RoundF64EvenOp : VM_UnaryOp<"round.f64.even", F64, [Pure, VM_Code<0x3F>]> {
  let summary = "Rounded to the nearest, halves to even";
}
def VM_FMAF32Op : VM_TernaryOp<"fma.f32", F32, [Pure, VM_Code<0x0F>]> {
  let summary = "Sum of a product and a value, rounded once";
}
def VM_FMAF64Op : VM_TernaryOp<"fma.f64", F64, [Pure, VM_Code<0x0F>]> {
  let summary = "Sum of a product and a value, rounded once";
}
defm VM_Sqrt : VM_FloatUnary<"sqrt", "Square root", 0x27, 0x2D>;
defm VM_Rsqrt : VM_FloatUnary<"rsqrt", "One over the square root", 0x26, 0x2C>;
defm VM_Exp : VM_FloatUnary<"exp", "Power of e", 0x1E, 0x24>;
defm VM_Exp2 : VM_FloatUnary<"exp2", "Power of 2", 0x1F, 0x25>;
defm VM_ExpM1 : VM_FloatUnary<"expm1", "Power of e, less 1", 0x20, 0x26>;
defm VM_Log : VM_FloatUnary<"log", "Natural logarithm", 0x21, 0x27>;
defm VM_Log2 : VM_FloatUnary<"log2", "Logarithm to base 2", 0x24, 0x2A>;
defm VM_Log10 : VM_FloatUnary<"log10", "Logarithm to base 10", 0x22, 0x28>;
defm VM_Log1p : VM_FloatUnary<"log1p", "Natural logarithm of 1 and the value", 0x23, 0x29>;
defm VM_Sin : VM_FloatUnary<"sin", "Sine", 0x1D, 0x23>;
defm VM_Cos : VM_FloatUnary<"cos", "Cosine", 0x1C, 0x22>;
defm VM_Tanh : VM_FloatUnary<"tanh", "Hyperbolic tangent", 0x28, 0x2E>;
defm VM_Atan : VM_FloatUnary<"atan", "Arc tangent", 0x1A, 0x20>;
defm VM_Erf : VM_FloatUnary<"erf", "Error function", 0x29, 0x2F>;
defm VM_Pow : VM_FloatBinary<"pow", "Power", 0x25, 0x2B>;
defm VM_Atan2 : VM_FloatBinary<"atan2", "Arc tangent of a quotient, in its quadrant", 0x1B, 0x21>;

//===-- Choices -----------------------------------------------------------------------------------

class VM_SelectOp<string mnemonic, TypeConstraint type, list<Trait> needs = []>
    : VM_PureOp<"select." # mnemonic,
                !listconcat(needs, [AllTypesMatch<["true_value", "false_value", "result"]>,
                                    VM_TakesRefs<["true_value", "false_value"]>])> {
  let summary = "The first of two where a condition holds, else the second";
  let arguments = (ins I32:$condition, type:$true_value, type:$false_value);
  let results = (outs type:$result);
  let assemblyFormat = "operands attr-dict `:` type($result)";
  let resultNames = [NamedBy<"by_type">];
}
class VM_SwitchOp<string mnemonic, TypeConstraint type, list<Trait> needs = []>
    : VM_PureOp<"switch." # mnemonic,
                !listconcat(needs, [AllTypesMatch<["default_value", "values", "result"]>,
                                    VM_TakesRefs<["default_value", "values"]>])> {
  let summary = "The value at an index, or the default";
  let arguments = (ins I32:$index, type:$default_value, Variadic<type>:$values);
  let results = (outs type:$result);
  let assemblyFormat = [{
    $index `` `[` $values `]` `else` $default_value attr-dict `:` type($result)
  }];
  let resultNames = [NamedBy<"by_type">];
}
// A reference is checked against its type.
multiclass VM_Choice<string what, TypeConstraint type, int select, int switch,
                     list<Trait> needs = []> {
  defvar checked = !if(!eq(what, "Ref"), [VM_TypeOf<"result">], []<VM_Field>);
  def VM_Select#what#Op
      : VM_SelectOp<!tolower(what), type, !listconcat(needs, [
    VM_Code<select, !listconcat([VM_Reg<"condition">], checked,
                                [VM_Reg<"true_value">, VM_Reg<"false_value">, VM_Reg<"result">])>
  ])>;
  def VM_Switch#what#Op
      : VM_SwitchOp<!tolower(what), type, !listconcat(needs, [
    VM_Code<switch, !listconcat([VM_Reg<"index">], checked,
                                [VM_Reg<"default_value">, VM_Regs<"values">, VM_Reg<"result">])>
  ])>;
}
defm "" : VM_Choice<"I32", I32, 0x1C, 0x1F>;
defm "" : VM_Choice<"I64", I64, 0x1D, 0x20>;
defm "" : VM_Choice<"F32", F32, 0x08, 0x09, [VM_ExtF32]>;
defm "" : VM_Choice<"F64", F64, 0x08, 0x09, [VM_ExtF64]>;
defm "" : VM_Choice<"Ref", VM_AnyRef, 0x1E, 0x21>;
