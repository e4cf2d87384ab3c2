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

multiclass VM_IntUnary<string name, string what, list<Trait> traits = [Pure]> {
  def I32Op : VM_UnaryOp<name # ".i32", I32, traits> { let summary = what; }
  def I64Op : VM_UnaryOp<name # ".i64", I64, traits> { let summary = what; }
}
multiclass VM_FloatUnary<string name, string what> {
  def F32Op : VM_UnaryOp<name # ".f32", F32, [Pure]> { let summary = what; }
  def F64Op : VM_UnaryOp<name # ".f64", F64, [Pure]> { let summary = what; }
}
multiclass VM_IntBinary<string name, string what, list<Trait> traits = []> {
  def I32Op : VM_BinaryOp<name # ".i32", I32, traits> { let summary = what; }
  def I64Op : VM_BinaryOp<name # ".i64", I64, traits> { let summary = what; }
}
// Of integers with a sign, and without one.
multiclass VM_SignedBinary<string name, string what, list<Trait> traits = []> {
  def I32SOp : VM_BinaryOp<name # ".i32.s", I32, traits> { let summary = what # ", signed"; }
  def I64SOp : VM_BinaryOp<name # ".i64.s", I64, traits> { let summary = what # ", signed"; }
  def I32UOp : VM_BinaryOp<name # ".i32.u", I32, traits> { let summary = what # ", unsigned"; }
  def I64UOp : VM_BinaryOp<name # ".i64.u", I64, traits> { let summary = what # ", unsigned"; }
}
multiclass VM_FloatBinary<string name, string what, list<Trait> traits = []> {
  def F32Op : VM_BinaryOp<name # ".f32", F32, !listconcat(traits, [Pure])> { let summary = what; }
  def F64Op : VM_BinaryOp<name # ".f64", F64, !listconcat(traits, [Pure])> { let summary = what; }
}

//===-- Integers ----------------------------------------------------------------------------------

defm VM_Add : VM_IntBinary<"add", "Sum", [Commutative]>;
defm VM_Sub : VM_IntBinary<"sub", "Difference">;
defm VM_Mul : VM_IntBinary<"mul", "Product", [Commutative]>;
defm VM_Div : VM_SignedBinary<"div", "Quotient">;
defm VM_Rem : VM_SignedBinary<"rem", "Remainder">;
defm VM_Min : VM_SignedBinary<"min", "The lesser of two", [Commutative]>;
defm VM_Max : VM_SignedBinary<"max", "The greater of two", [Commutative]>;
defm VM_Abs : VM_IntUnary<"abs", "Absolute value", []>;
defm VM_Not : VM_IntUnary<"not", "All bits the other way">;
defm VM_And : VM_IntBinary<"and", "Bitwise and", [Commutative, Pure]>;
defm VM_Or : VM_IntBinary<"or", "Bitwise or", [Commutative, Pure]>;
defm VM_Xor : VM_IntBinary<"xor", "Bitwise exclusive or", [Commutative, Pure]>;
defm VM_Ctlz : VM_IntUnary<"ctlz", "How many zeros lead">;
def VM_FMAI32Op : VM_TernaryOp<"fma.i32", I32> { let summary = "Sum of a product and a value"; }
def VM_FMAI64Op : VM_TernaryOp<"fma.i64", I64> { let summary = "Sum of a product and a value"; }

class VM_ShiftOp<string mnemonic, Type type, string what> : VM_NumberOp<mnemonic, type, []> {
  let summary = what;
  let arguments = (ins type:$operand, I32:$amount);
  let assemblyFormat = "$operand `,` $amount attr-dict `:` type($operand)";
}
def VM_ShlI32Op : VM_ShiftOp<"shl.i32", I32, "Shift to the left">;
def VM_ShlI64Op : VM_ShiftOp<"shl.i64", I64, "Shift to the left">;
def VM_ShrI32SOp : VM_ShiftOp<"shr.i32.s", I32, "Shift to the right, sign in">;
def VM_ShrI64SOp : VM_ShiftOp<"shr.i64.s", I64, "Shift to the right, sign in">;
def VM_ShrI32UOp : VM_ShiftOp<"shr.i32.u", I32, "Shift to the right, zeros in">;
def VM_ShrI64UOp : VM_ShiftOp<"shr.i64.u", I64, "Shift to the right, zeros in">;

//===-- Floats ------------------------------------------------------------------------------------

defm VM_Add : VM_FloatBinary<"add", "Sum", [Commutative]>;
defm VM_Sub : VM_FloatBinary<"sub", "Difference">;
defm VM_Mul : VM_FloatBinary<"mul", "Product", [Commutative]>;
defm VM_Div : VM_FloatBinary<"div", "Quotient">;
defm VM_Rem : VM_FloatBinary<"rem", "Remainder">;
defm VM_Min : VM_FloatBinary<"min", "The lesser of two", [Commutative]>;
defm VM_Max : VM_FloatBinary<"max", "The greater of two", [Commutative]>;
defm VM_Abs : VM_FloatUnary<"abs", "Absolute value">;
defm VM_Neg : VM_FloatUnary<"neg", "The value with the other sign">;
defm VM_Ceil : VM_FloatUnary<"ceil", "Rounded up">;
defm VM_Floor : VM_FloatUnary<"floor", "Rounded down">;
defm VM_Round : VM_FloatUnary<"round", "Rounded to the nearest, halves away from zero">;
def VM_RoundF32EvenOp : VM_UnaryOp<"round.f32.even", F32, [Pure]> {
  let summary = "Rounded to the nearest, halves to even";
}
def VM_RoundF64EvenOp : VM_UnaryOp<"round.f64.even", F64, [Pure]> {
  let summary = "Rounded to the nearest, halves to even";
}
def VM_FMAF32Op : VM_TernaryOp<"fma.f32", F32, [Pure]> {
  let summary = "Sum of a product and a value, rounded once";
}
def VM_FMAF64Op : VM_TernaryOp<"fma.f64", F64, [Pure]> {
  let summary = "Sum of a product and a value, rounded once";
}
defm VM_Sqrt : VM_FloatUnary<"sqrt", "Square root">;
defm VM_Rsqrt : VM_FloatUnary<"rsqrt", "One over the square root">;
defm VM_Exp : VM_FloatUnary<"exp", "Power of e">;
defm VM_Exp2 : VM_FloatUnary<"exp2", "Power of 2">;
defm VM_ExpM1 : VM_FloatUnary<"expm1", "Power of e, less 1">;
defm VM_Log : VM_FloatUnary<"log", "Natural logarithm">;
defm VM_Log2 : VM_FloatUnary<"log2", "Logarithm to base 2">;
defm VM_Log10 : VM_FloatUnary<"log10", "Logarithm to base 10">;
defm VM_Log1p : VM_FloatUnary<"log1p", "Natural logarithm of 1 and the value">;
defm VM_Sin : VM_FloatUnary<"sin", "Sine">;
defm VM_Cos : VM_FloatUnary<"cos", "Cosine">;
defm VM_Tanh : VM_FloatUnary<"tanh", "Hyperbolic tangent">;
defm VM_Atan : VM_FloatUnary<"atan", "Arc tangent">;
defm VM_Erf : VM_FloatUnary<"erf", "Error function">;
defm VM_Pow : VM_FloatBinary<"pow", "Power">;
defm VM_Atan2 : VM_FloatBinary<"atan2", "Arc tangent of a quotient, in its quadrant">;

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
multiclass VM_Choice<string what, TypeConstraint type, list<Trait> needs = []> {
  def VM_Select#what#Op : VM_SelectOp<!tolower(what), type, needs>;
  def VM_Switch#what#Op : VM_SwitchOp<!tolower(what), type, needs>;
}
defm "" : VM_Choice<"I32", I32>;
defm "" : VM_Choice<"I64", I64>;
defm "" : VM_Choice<"F32", F32, [VM_ExtF32]>;
defm "" : VM_Choice<"F64", F64, [VM_ExtF64]>;
defm "" : VM_Choice<"Ref", VM_AnyRef>;
