// Casts. Shapes stay.

class Arith_CastOp<string mnemonic, TypeConstraint from, TypeConstraint to>
    : Arith_Op<mnemonic, [Pure, SameOperandsAndResultShape]> {
  let arguments = (ins from:$in);
  let results = (outs to:$out);
  let assemblyFormat = "$in attr-dict `:` type($in) `to` type($out)";
  let folder = "elementwise";
  let verifier = "cast";
}

def Arith_ExtUIOp
    : Arith_CastOp<"extui", SignlessFixedWidthIntegerLike, SignlessFixedWidthIntegerLike> {
  let summary = "Widens with zeros";
  let verifier = "widens";
}
def Arith_ExtSIOp
    : Arith_CastOp<"extsi", SignlessFixedWidthIntegerLike, SignlessFixedWidthIntegerLike> {
  let summary = "Widens with the sign";
  let verifier = "widens";
}
def Arith_ExtFOp : Arith_CastOp<"extf", FloatLike, FloatLike> {
  let summary = "Widens a float, exactly";
  let arguments = (ins FloatLike:$in, OptionalAttr<Arith_FastMathAttr>:$fastmath);
  let assemblyFormat = [{
    $in (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)
  }];
  let verifier = "widens";
}
def Arith_TruncIOp
    : Arith_CastOp<"trunci", SignlessFixedWidthIntegerLike, SignlessFixedWidthIntegerLike> {
  let summary = "Keeps the low bits";
  let arguments = (ins SignlessFixedWidthIntegerLike:$in,
                       DefaultValuedAttr<Arith_IntegerOverflowAttr,
                                         "#arith.overflow<none>">:$overflowFlags);
  let assemblyFormat = [{
    $in (`overflow` `` $overflowFlags^)? attr-dict `:` type($in) `to` type($out)
  }];
  let verifier = "narrows";
}
def Arith_TruncFOp : Arith_CastOp<"truncf", FloatLike, FloatLike> {
  let summary = "Rounds to a narrower float";
  let arguments = (ins FloatLike:$in,
                       OptionalAttr<Arith_RoundingModeAttr>:$roundingmode,
                       OptionalAttr<Arith_FastMathAttr>:$fastmath);
  let assemblyFormat = [{
    $in ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)
  }];
  let verifier = "narrows";
}
def Arith_UIToFPOp : Arith_CastOp<"uitofp", SignlessFixedWidthIntegerLike, FloatLike> {
  let summary = "Rounds an unsigned integer to a float";
}
def Arith_SIToFPOp : Arith_CastOp<"sitofp", SignlessFixedWidthIntegerLike, FloatLike> {
  let summary = "Rounds a signed integer to a float";
}
def Arith_FPToUIOp : Arith_CastOp<"fptoui", FloatLike, SignlessFixedWidthIntegerLike> {
  let summary = "Integer part of a float as unsigned; undefined when it does not fit";
}
def Arith_FPToSIOp : Arith_CastOp<"fptosi", FloatLike, SignlessFixedWidthIntegerLike> {
  let summary = "Integer part of a float as signed; undefined when it does not fit";
}
def Arith_IndexCastable
    : AnyTypeOf<[SignlessIntegerOrIndexLike, MemRefOf<[AnySignlessInteger, Index]>],
                "signless-integer-like or memref of signless-integer">;
def Arith_IndexCastOp : Arith_CastOp<"index_cast", Arith_IndexCastable, Arith_IndexCastable> {
  let summary = "Between an index and a signed integer";
  let verifier = "index_cast";
}
def Arith_IndexCastUIOp
    : Arith_CastOp<"index_castui", Arith_IndexCastable, Arith_IndexCastable> {
  let summary = "Between an index and an unsigned integer";
  let verifier = "index_cast";
}
def Arith_Bits
    : AnyTypeOf<[SignlessFixedWidthIntegerLike, FloatLike,
                 MemRefOf<[AnySignlessInteger, AnyFloat]>],
                "signless-integer-or-float-like or memref of signless integer or float">;
def Arith_BitcastOp : Arith_CastOp<"bitcast", Arith_Bits, Arith_Bits> {
  let summary = "The same bits as another type of the same width";
  let verifier = "bitcast";
}

// A float in pieces: narrow floats that share a scale. They are only described; nothing here
// computes on them.
class Arith_ScalingOp<string mnemonic> : Arith_Op<mnemonic, [Pure, SameOperandsAndResultShape]> {
  let results = (outs FloatLike:$out);
}
def Arith_ScalingExtFOp : Arith_ScalingOp<"scaling_extf"> {
  let summary = "Widens a float and multiplies it by a scale";
  let arguments = (ins FloatLike:$in, FloatLike:$scale,
                       OptionalAttr<Arith_FastMathAttr>:$fastmath);
  let assemblyFormat = [{
    $in `,` $scale (`fastmath` `` $fastmath^)? attr-dict
    `:` type($in) `,` type($scale) `to` type($out)
  }];
  let verifier = "widens";
}
def Arith_ScalingTruncFOp : Arith_ScalingOp<"scaling_truncf"> {
  let summary = "Divides a float by a scale and rounds it to a narrower one";
  let arguments = (ins FloatLike:$in, FloatLike:$scale,
                       OptionalAttr<Arith_RoundingModeAttr>:$roundingmode,
                       OptionalAttr<Arith_FastMathAttr>:$fastmath);
  let assemblyFormat = [{
    $in `,` $scale ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict
    `:` type($in) `,` type($scale) `to` type($out)
  }];
  let verifier = "narrows";
}
