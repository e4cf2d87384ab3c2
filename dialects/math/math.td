// The `math` dialect: functions of numbers beyond arithmetic, element by element on vectors and
// tensors.

#ifndef TEGULA_MATH_TD
#define TEGULA_MATH_TD

include "arith/arith.td"

def Math_Dialect : Dialect {
  let name = "math";
  let summary = "Functions of numbers beyond arithmetic";
  let description = [{
    What is exact, or rounded once, the evaluator computes; other results depend on the library that
    computes them.
  }];
  let dependentDialects = ["arith"];
}

class Math_Op<string mnemonic, list<Trait> traits = []>
    : Op<Math_Dialect, mnemonic, !listconcat(traits, [Pure, ElementwiseMappable])>;

class Math_IntegerUnaryOp<string mnemonic, string what>
    : Math_Op<mnemonic, [SameOperandsAndResultType]> {
  let summary = what;
  let arguments = (ins SignlessIntegerLike:$operand);
  let results = (outs SignlessIntegerLike:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

// A function of floats, whose operands are named in `operands`.
class Math_FloatOp<string mnemonic, string what, list<Trait> traits = [SameOperandsAndResultType]>
    : Math_Op<mnemonic, traits> {
  let summary = what;
  let results = (outs FloatLike:$result);
}
defvar Math_FastMath = DefaultValuedAttr<Arith_FastMathAttr, "#arith.fastmath<none>">;
class Math_FloatUnaryOp<string mnemonic, string what> : Math_FloatOp<mnemonic, what> {
  let arguments = (ins FloatLike:$operand, Math_FastMath:$fastmath);
  let assemblyFormat = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)";
}
class Math_FloatBinaryOp<string mnemonic, string what> : Math_FloatOp<mnemonic, what> {
  let arguments = (ins FloatLike:$lhs, FloatLike:$rhs, Math_FastMath:$fastmath);
  let assemblyFormat = [{
    $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)
  }];
}

//===-- Integers ----------------------------------------------------------------------------------

def Math_AbsIOp : Math_IntegerUnaryOp<"absi", "Absolute value">;
def Math_CountLeadingZerosOp : Math_IntegerUnaryOp<"ctlz", "How many zeros lead">;
def Math_CountTrailingZerosOp : Math_IntegerUnaryOp<"cttz", "How many zeros come last">;
def Math_CtPopOp : Math_IntegerUnaryOp<"ctpop", "How many bits are set">;
def Math_IPowIOp : Math_Op<"ipowi", [SameOperandsAndResultType]> {
  let summary = "Power of an integer";
  let arguments = (ins SignlessIntegerLike:$lhs, SignlessIntegerLike:$rhs);
  let results = (outs SignlessIntegerLike:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

//===-- Floats ------------------------------------------------------------------------------------

def Math_AbsFOp : Math_FloatUnaryOp<"absf", "Absolute value">;
def Math_AcosOp : Math_FloatUnaryOp<"acos", "Arc cosine">;
def Math_AcoshOp : Math_FloatUnaryOp<"acosh", "Inverse hyperbolic cosine">;
def Math_AsinOp : Math_FloatUnaryOp<"asin", "Arc sine">;
def Math_AsinhOp : Math_FloatUnaryOp<"asinh", "Inverse hyperbolic sine">;
def Math_AtanOp : Math_FloatUnaryOp<"atan", "Arc tangent">;
def Math_AtanhOp : Math_FloatUnaryOp<"atanh", "Inverse hyperbolic tangent">;
def Math_Atan2Op : Math_FloatBinaryOp<"atan2", "Arc tangent of a quotient, in its quadrant">;
def Math_CbrtOp : Math_FloatUnaryOp<"cbrt", "Cube root">;
def Math_CeilOp : Math_FloatUnaryOp<"ceil", "Rounded up">;
def Math_CopySignOp : Math_FloatBinaryOp<"copysign", "The first number with the second's sign">;
def Math_CosOp : Math_FloatUnaryOp<"cos", "Cosine">;
def Math_CoshOp : Math_FloatUnaryOp<"cosh", "Hyperbolic cosine">;
def Math_ErfOp : Math_FloatUnaryOp<"erf", "Error function">;
def Math_ErfcOp : Math_FloatUnaryOp<"erfc", "One less the error function">;
def Math_ExpOp : Math_FloatUnaryOp<"exp", "Power of e">;
def Math_Exp2Op : Math_FloatUnaryOp<"exp2", "Power of 2">;
def Math_ExpM1Op : Math_FloatUnaryOp<"expm1", "Power of e, less 1">;
def Math_FloorOp : Math_FloatUnaryOp<"floor", "Rounded down">;
def Math_LogOp : Math_FloatUnaryOp<"log", "Natural logarithm">;
def Math_Log10Op : Math_FloatUnaryOp<"log10", "Logarithm to base 10">;
def Math_Log1pOp : Math_FloatUnaryOp<"log1p", "Natural logarithm of 1 and the value">;
def Math_Log2Op : Math_FloatUnaryOp<"log2", "Logarithm to base 2">;
def Math_PowFOp : Math_FloatBinaryOp<"powf", "Power">;
def Math_RoundOp : Math_FloatUnaryOp<"round", "Rounded to the nearest, halves away from zero">;
def Math_RoundEvenOp : Math_FloatUnaryOp<"roundeven", "Rounded to the nearest, halves to even">;
def Math_RsqrtOp : Math_FloatUnaryOp<"rsqrt", "One over the square root">;
def Math_SinOp : Math_FloatUnaryOp<"sin", "Sine">;
def Math_SinhOp : Math_FloatUnaryOp<"sinh", "Hyperbolic sine">;
def Math_SqrtOp : Math_FloatUnaryOp<"sqrt", "Square root">;
def Math_TanOp : Math_FloatUnaryOp<"tan", "Tangent">;
def Math_TanhOp : Math_FloatUnaryOp<"tanh", "Hyperbolic tangent">;
def Math_TruncOp : Math_FloatUnaryOp<"trunc", "Rounded towards zero">;

def Math_FmaOp : Math_FloatOp<"fma", "Sum of a product and a value, rounded once"> {
  let arguments = (ins FloatLike:$a, FloatLike:$b, FloatLike:$c, Math_FastMath:$fastmath);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`fastmath` `` $fastmath^)? attr-dict `:` type($result)
  }];
}
def Math_FPowIOp
    : Math_FloatOp<"fpowi", "Power with a whole exponent", [
        AllTypesMatch<["lhs", "result"]>, SameOperandsAndResultShape
      ]> {
  let arguments = (ins FloatLike:$lhs, SignlessIntegerLike:$rhs, Math_FastMath:$fastmath);
  let assemblyFormat = [{
    $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs) `,` type($rhs)
  }];
}

#endif // TEGULA_MATH_TD
