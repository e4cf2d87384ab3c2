// Constants and integer arithmetic.

class Arith_Op<string mnemonic, list<Trait> traits = []>
    : Op<Arith_Dialect, mnemonic,
         !listconcat(traits, [NoMemoryEffect, ElementwiseMappable])>;

def Arith_ConstantOp : Op<Arith_Dialect, "constant", [
  AllTypesMatch<["value", "result"]>, ConstantLike, Pure
]> {
  let summary = "A constant";
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict $value";
  let resultNames = [NamedBy<"constant">];
  let folder = "constant";
  let verifier = "constant";
}

class Arith_IntBinaryOp<string mnemonic, list<Trait> traits = []>
    : Arith_Op<mnemonic, !listconcat(traits, [SameOperandsAndResultType])> {
  let arguments = (ins SignlessIntegerOrIndexLike:$lhs, SignlessIntegerOrIndexLike:$rhs);
  let results = (outs SignlessIntegerOrIndexLike:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let folder = "elementwise";
}

// Defined for all operands.
class Arith_TotalIntBinaryOp<string mnemonic, list<Trait> traits = []>
    : Arith_IntBinaryOp<mnemonic, !listconcat(traits, [Pure])>;

// May promise that the result does not wrap.
class Arith_WrappingOp<string mnemonic, list<Trait> traits = []>
    : Arith_TotalIntBinaryOp<mnemonic, traits> {
  let arguments = (ins SignlessIntegerOrIndexLike:$lhs,
                       SignlessIntegerOrIndexLike:$rhs,
                       DefaultValuedAttr<Arith_IntegerOverflowAttr,
                                         "#arith.overflow<none>">:$overflowFlags);
  let assemblyFormat = [{
    $lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)
  }];
}

// May promise that nothing is lost.
class Arith_ExactOp<string mnemonic, list<Trait> traits = []>
    : Arith_IntBinaryOp<mnemonic, traits> {
  let arguments = (ins SignlessIntegerOrIndexLike:$lhs,
                       SignlessIntegerOrIndexLike:$rhs,
                       UnitAttr:$isExact);
  let assemblyFormat = [{
    $lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)
  }];
}

def Arith_AddIOp : Arith_WrappingOp<"addi", [Commutative]> {
  let summary = "Sum modulo the width";
}
def Arith_SubIOp : Arith_WrappingOp<"subi"> {
  let summary = "Difference modulo the width";
}
def Arith_MulIOp : Arith_WrappingOp<"muli", [Commutative]> {
  let summary = "Product modulo the width";
}
def Arith_ShLIOp : Arith_WrappingOp<"shli"> {
  let summary = "Shift to the left; poison from the width on";
}
def Arith_ShRUIOp : Arith_ExactOp<"shrui", [Pure]> {
  let summary = "Shift to the right, zeros in; poison from the width on";
}
def Arith_ShRSIOp : Arith_ExactOp<"shrsi", [Pure]> {
  let summary = "Shift to the right, sign in; poison from the width on";
}
def Arith_DivUIOp : Arith_ExactOp<"divui", [ConditionallySpeculatable]> {
  let summary = "Unsigned quotient; undefined for a divisor of zero";
}
def Arith_DivSIOp : Arith_ExactOp<"divsi", [ConditionallySpeculatable]> {
  let summary = "Signed quotient towards zero; undefined for a divisor of zero and on overflow";
}
def Arith_CeilDivUIOp : Arith_IntBinaryOp<"ceildivui", [ConditionallySpeculatable]> {
  let summary = "Unsigned quotient, rounded up";
}
def Arith_CeilDivSIOp : Arith_IntBinaryOp<"ceildivsi", [ConditionallySpeculatable]> {
  let summary = "Signed quotient, rounded up";
}
def Arith_FloorDivSIOp : Arith_IntBinaryOp<"floordivsi", [ConditionallySpeculatable]> {
  let summary = "Signed quotient, rounded down";
}
def Arith_RemUIOp : Arith_IntBinaryOp<"remui", [ConditionallySpeculatable]> {
  let summary = "Unsigned remainder";
}
def Arith_RemSIOp : Arith_IntBinaryOp<"remsi", [ConditionallySpeculatable]> {
  let summary = "Signed remainder, with the sign of the dividend";
}
def Arith_AndIOp : Arith_TotalIntBinaryOp<"andi", [Commutative, Idempotent]> {
  let summary = "Bitwise and";
}
def Arith_OrIOp : Arith_TotalIntBinaryOp<"ori", [Commutative, Idempotent]> {
  let summary = "Bitwise or";
}
def Arith_XOrIOp : Arith_TotalIntBinaryOp<"xori", [Commutative]> {
  let summary = "Bitwise exclusive or";
}
def Arith_MaxSIOp : Arith_TotalIntBinaryOp<"maxsi", [Commutative]> {
  let summary = "Greater of two signed integers";
}
def Arith_MaxUIOp : Arith_TotalIntBinaryOp<"maxui", [Commutative]> {
  let summary = "Greater of two unsigned integers";
}
def Arith_MinSIOp : Arith_TotalIntBinaryOp<"minsi", [Commutative]> {
  let summary = "Smaller of two signed integers";
}
def Arith_MinUIOp : Arith_TotalIntBinaryOp<"minui", [Commutative]> {
  let summary = "Smaller of two unsigned integers";
}

def Arith_AddUIExtendedOp : Arith_Op<"addui_extended", [
  AllTypesMatch<["lhs", "rhs", "sum"]>, Commutative, Pure
]> {
  let summary = "Unsigned sum and whether it wrapped";
  let arguments = (ins SignlessIntegerOrIndexLike:$lhs, SignlessIntegerOrIndexLike:$rhs);
  let results = (outs SignlessIntegerOrIndexLike:$sum, BoolLike:$overflow);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)";
  let resultNames = [NamedAs<"sum", "sum">, NamedAs<"overflow", "overflow">];
  let folder = "elementwise";
}

class Arith_MulExtendedOp<string mnemonic> : Arith_Op<mnemonic, [
  AllTypesMatch<["lhs", "rhs", "low", "high"]>, Commutative, Pure
]> {
  let arguments = (ins SignlessIntegerOrIndexLike:$lhs, SignlessIntegerOrIndexLike:$rhs);
  let results = (outs SignlessIntegerOrIndexLike:$low, SignlessIntegerOrIndexLike:$high);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
  let resultNames = [NamedAs<"low", "low">, NamedAs<"high", "high">];
  let folder = "elementwise";
}
def Arith_MulSIExtendedOp : Arith_MulExtendedOp<"mulsi_extended"> {
  let summary = "Both halves of a signed product";
}
def Arith_MulUIExtendedOp : Arith_MulExtendedOp<"mului_extended"> {
  let summary = "Both halves of an unsigned product";
}
