// Float arithmetic.

class Arith_FloatBinaryOp<string mnemonic, list<Trait> traits = []>
    : Arith_Op<mnemonic, !listconcat(traits, [Pure, SameOperandsAndResultType])> {
  let arguments = (ins FloatLike:$lhs,
                       FloatLike:$rhs,
                       DefaultValuedAttr<Arith_FastMathAttr, "#arith.fastmath<none>">:$fastmath);
  let results = (outs FloatLike:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)
  }];
  let folder = "elementwise";
}

def Arith_NegFOp : Arith_Op<"negf", [Pure, SameOperandsAndResultType]> {
  let summary = "The number with the opposite sign, NaN included";
  let arguments = (ins FloatLike:$operand,
                       DefaultValuedAttr<Arith_FastMathAttr, "#arith.fastmath<none>">:$fastmath);
  let results = (outs FloatLike:$result);
  let assemblyFormat = [{
    $operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)
  }];
  let folder = "elementwise";
}

def Arith_AddFOp : Arith_FloatBinaryOp<"addf", [Commutative]> {
  let summary = "Sum, rounded once";
}
def Arith_SubFOp : Arith_FloatBinaryOp<"subf"> {
  let summary = "Difference, rounded once";
}
def Arith_MulFOp : Arith_FloatBinaryOp<"mulf", [Commutative]> {
  let summary = "Product, rounded once";
}
def Arith_DivFOp : Arith_FloatBinaryOp<"divf"> {
  let summary = "Quotient, rounded once";
}
def Arith_RemFOp : Arith_FloatBinaryOp<"remf"> {
  let summary = "Remainder of the quotient towards zero, with the sign of the dividend";
}
def Arith_MaximumFOp : Arith_FloatBinaryOp<"maximumf", [Commutative]> {
  let summary = "Greater number; NaN when one is, +0 above -0";
}
def Arith_MaxNumFOp : Arith_FloatBinaryOp<"maxnumf", [Commutative]> {
  let summary = "Greater number; the other one when one is NaN";
}
def Arith_MinimumFOp : Arith_FloatBinaryOp<"minimumf", [Commutative]> {
  let summary = "Smaller number; NaN when one is, -0 below +0";
}
def Arith_MinNumFOp : Arith_FloatBinaryOp<"minnumf", [Commutative]> {
  let summary = "Smaller number; the other one when one is NaN";
}
