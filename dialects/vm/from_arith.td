// From `arith`. A narrow integer lives in an `i32`, whose upper bits are anybody's until they count.

//===-- Constants ---------------------------------------------------------------------------------

class VM_Known<dag value, dag made> : VM_Replaced<(Arith_ConstantOp value), made>;
let benefit = 2 in {
def VM_FromTrue : VM_Known<(attr "true"), (VM_ConstI32Op 1)>;
def VM_FromFalse : VM_Known<(attr "false"), (VM_ConstI32ZeroOp)>;
def VM_FromZeroF32 : VM_Known<(attr "0.0 : f32"), (VM_ConstF32ZeroOp)>;
def VM_FromZeroF64 : VM_Known<(attr "0.0 : f64"), (VM_ConstF64ZeroOp)>;
}
class VM_FromInteger<Type width, dag zero, Op other>
    : VM_Replaced<(Arith_ConstantOp:$constant APIntAttr:$value),
                  (switch (case (eq $value, 0), zero),
                          (default (other (toInt $value, width)))),
                  [(same (convertType (typeOf $constant)), width)]>;
def VM_FromInt32 : VM_FromInteger<I32, (VM_ConstI32ZeroOp), VM_ConstI32Op>;
def VM_FromInt64 : VM_FromInteger<I64, (VM_ConstI64ZeroOp), VM_ConstI64Op>;
def VM_FromFloat32 : VM_Replaced<(Arith_ConstantOp F32Attr:$value), (VM_ConstF32Op $value)>;
def VM_FromFloat64 : VM_Replaced<(Arith_ConstantOp F64Attr:$value), (VM_ConstF64Op $value)>;

//===-- Arithmetic --------------------------------------------------------------------------------

multiclass VM_FromBinary<Op from, Op narrow, Op wide, Type narrowType = I32, Type wideType = I64> {
  def "32" : VM_Replaced<(from (converted narrowType):$a, $b, (rest)), (narrow $a, $b)>;
  def "64" : VM_Replaced<(from (converted wideType):$a, $b, (rest)), (wide $a, $b)>;
}
defm VM_FromAddI : VM_FromBinary<Arith_AddIOp, VM_AddI32Op, VM_AddI64Op>;
defm VM_FromSubI : VM_FromBinary<Arith_SubIOp, VM_SubI32Op, VM_SubI64Op>;
defm VM_FromMulI : VM_FromBinary<Arith_MulIOp, VM_MulI32Op, VM_MulI64Op>;
defm VM_FromDivSI : VM_FromBinary<Arith_DivSIOp, VM_DivI32SOp, VM_DivI64SOp>;
defm VM_FromDivUI : VM_FromBinary<Arith_DivUIOp, VM_DivI32UOp, VM_DivI64UOp>;
defm VM_FromRemSI : VM_FromBinary<Arith_RemSIOp, VM_RemI32SOp, VM_RemI64SOp>;
defm VM_FromRemUI : VM_FromBinary<Arith_RemUIOp, VM_RemI32UOp, VM_RemI64UOp>;
defm VM_FromMinSI : VM_FromBinary<Arith_MinSIOp, VM_MinI32SOp, VM_MinI64SOp>;
defm VM_FromMinUI : VM_FromBinary<Arith_MinUIOp, VM_MinI32UOp, VM_MinI64UOp>;
defm VM_FromMaxSI : VM_FromBinary<Arith_MaxSIOp, VM_MaxI32SOp, VM_MaxI64SOp>;
defm VM_FromMaxUI : VM_FromBinary<Arith_MaxUIOp, VM_MaxI32UOp, VM_MaxI64UOp>;
defm VM_FromAndI : VM_FromBinary<Arith_AndIOp, VM_AndI32Op, VM_AndI64Op>;
defm VM_FromOrI : VM_FromBinary<Arith_OrIOp, VM_OrI32Op, VM_OrI64Op>;
defm VM_FromXOrI : VM_FromBinary<Arith_XOrIOp, VM_XorI32Op, VM_XorI64Op>;
defm VM_FromAddF : VM_FromBinary<Arith_AddFOp, VM_AddF32Op, VM_AddF64Op, F32, F64>;
defm VM_FromSubF : VM_FromBinary<Arith_SubFOp, VM_SubF32Op, VM_SubF64Op, F32, F64>;
defm VM_FromMulF : VM_FromBinary<Arith_MulFOp, VM_MulF32Op, VM_MulF64Op, F32, F64>;
defm VM_FromDivF : VM_FromBinary<Arith_DivFOp, VM_DivF32Op, VM_DivF64Op, F32, F64>;
defm VM_FromRemF : VM_FromBinary<Arith_RemFOp, VM_RemF32Op, VM_RemF64Op, F32, F64>;
defm VM_FromMinimumF : VM_FromBinary<Arith_MinimumFOp, VM_MinF32Op, VM_MinF64Op, F32, F64>;
defm VM_FromMaximumF : VM_FromBinary<Arith_MaximumFOp, VM_MaxF32Op, VM_MaxF64Op, F32, F64>;
def VM_FromNegF32 : VM_Replaced<(Arith_NegFOp F32:$x, ?), (VM_NegF32Op $x)>;
def VM_FromNegF64 : VM_Replaced<(Arith_NegFOp F64:$x, ?), (VM_NegF64Op $x)>;

// Quotients that are not cut off: where there is a rest, one more or one less.
class VM_NumberLike<int number> {
  dag made = (Arith_ConstantOp (toInt (attr number # " : i64"), (typeOf $a)));
}
// What constants come first, what before the signs, and what before the sum, is as IREE has it.
class VM_FromRoundedDiv<dag source, string signs, list<dag> first, list<dag> second,
                        list<dag> last>
    : VM_Converted<source, !listconcat(
        first,
        [(Arith_DivSIOp:$quotient $a, $b), (Arith_MulIOp:$product $quotient, $b),
         (Arith_CmpIOp:$inexact "ne", $a, $product)],
        second,
        [(Arith_CmpIOp:$aNegative "slt", $a, $zero), (Arith_CmpIOp:$bNegative "slt", $b, $zero),
         (Arith_CmpIOp:$signs signs, $aNegative, $bNegative),
         (Arith_AndIOp:$apart $inexact, $signs)],
        last,
        [(Arith_AddIOp:$next $quotient, $number),
         (replace (Arith_SelectOp $apart, $next, $quotient))])>;
defvar VM_BindZero = (bind VM_NumberLike<0>.made:$zero);
def VM_FromCeilDivSI
    : VM_FromRoundedDiv<(Arith_CeilDivSIOp $a, $b, (rest)), "eq",
                        [VM_BindZero, (bind VM_NumberLike<1>.made:$number)], [], []>;
def VM_FromFloorDivSI
    : VM_FromRoundedDiv<(Arith_FloorDivSIOp $a, $b, (rest)), "ne", [], [VM_BindZero],
                        [(bind VM_NumberLike<-1>.made:$number)]>;
def VM_FromCeilDivUI
    : VM_Converted<(Arith_CeilDivUIOp $a, $b, (rest)),
        [(bind VM_NumberLike<0>.made:$zero), (Arith_CmpIOp:$none "eq", $a, $zero),
         (bind VM_NumberLike<1>.made:$one), (Arith_SubIOp:$less $a, $one),
         (Arith_DivUIOp:$quotient $less, $b), (Arith_AddIOp:$next $quotient, $one),
         (replace (Arith_SelectOp $none, $zero, $next))]>;

// The machine takes amounts of 32 bits.
multiclass VM_FromShift<Op from, Op narrow, Op wide> {
  def "32" : VM_Replaced<(from (converted I32):$x, $by, ?), (narrow $x, (VM_ToI32 $by))>;
  def "64" : VM_Replaced<(from (converted I64):$x, $by, ?), (wide $x, (VM_ToI32 $by))>;
}
defm VM_FromShLI : VM_FromShift<Arith_ShLIOp, VM_ShlI32Op, VM_ShlI64Op>;
defm VM_FromShRSI : VM_FromShift<Arith_ShRSIOp, VM_ShrI32SOp, VM_ShrI64SOp>;
defm VM_FromShRUI : VM_FromShift<Arith_ShRUIOp, VM_ShrI32UOp, VM_ShrI64UOp>;

multiclass VM_FromSelect<Op made, TypeConstraint type> {
  def "" : VM_Replaced<(Arith_SelectOp $condition, (converted type):$a, $b),
                       (made $condition, $a, $b)>;
}
defm VM_FromSelectI32 : VM_FromSelect<VM_SelectI32Op, I32>;
defm VM_FromSelectI64 : VM_FromSelect<VM_SelectI64Op, I64>;
defm VM_FromSelectF32 : VM_FromSelect<VM_SelectF32Op, F32>;
defm VM_FromSelectF64 : VM_FromSelect<VM_SelectF64Op, F64>;
defm VM_FromSelectRef : VM_FromSelect<VM_SelectRefOp, VM_AnyRef>;

//===-- Comparisons -------------------------------------------------------------------------------

multiclass VM_FromCmpI<string predicate, Op narrow, Op wide> {
  def _32 : VM_Replaced<(Arith_CmpIOp predicate, (converted I32):$a, $b), (narrow $a, $b)>;
  def _64 : VM_Replaced<(Arith_CmpIOp predicate, (converted I64):$a, $b), (wide $a, $b)>;
}
defm VM_FromEq : VM_FromCmpI<"eq", VM_CmpEQI32Op, VM_CmpEQI64Op>;
defm VM_FromNe : VM_FromCmpI<"ne", VM_CmpNEI32Op, VM_CmpNEI64Op>;
defm VM_FromSlt : VM_FromCmpI<"slt", VM_CmpLTI32SOp, VM_CmpLTI64SOp>;
defm VM_FromSle : VM_FromCmpI<"sle", VM_CmpLTEI32SOp, VM_CmpLTEI64SOp>;
defm VM_FromSgt : VM_FromCmpI<"sgt", VM_CmpGTI32SOp, VM_CmpGTI64SOp>;
defm VM_FromSge : VM_FromCmpI<"sge", VM_CmpGTEI32SOp, VM_CmpGTEI64SOp>;
defm VM_FromUlt : VM_FromCmpI<"ult", VM_CmpLTI32UOp, VM_CmpLTI64UOp>;
defm VM_FromUle : VM_FromCmpI<"ule", VM_CmpLTEI32UOp, VM_CmpLTEI64UOp>;
defm VM_FromUgt : VM_FromCmpI<"ugt", VM_CmpGTI32UOp, VM_CmpGTI64UOp>;
defm VM_FromUge : VM_FromCmpI<"uge", VM_CmpGTEI32UOp, VM_CmpGTEI64UOp>;

multiclass VM_FromCmpF<string predicate, Op narrow, Op wide> {
  def _32 : VM_Replaced<(Arith_CmpFOp predicate, F32:$a, $b, ?), (narrow $a, $b)>;
  def _64 : VM_Replaced<(Arith_CmpFOp predicate, F64:$a, $b, ?), (wide $a, $b)>;
}
defm VM_FromOeq : VM_FromCmpF<"oeq", VM_CmpEQF32OOp, VM_CmpEQF64OOp>;
defm VM_FromOne : VM_FromCmpF<"one", VM_CmpNEF32OOp, VM_CmpNEF64OOp>;
defm VM_FromOlt : VM_FromCmpF<"olt", VM_CmpLTF32OOp, VM_CmpLTF64OOp>;
defm VM_FromOle : VM_FromCmpF<"ole", VM_CmpLTEF32OOp, VM_CmpLTEF64OOp>;
defm VM_FromOgt : VM_FromCmpF<"ogt", VM_CmpGTF32OOp, VM_CmpGTF64OOp>;
defm VM_FromOge : VM_FromCmpF<"oge", VM_CmpGTEF32OOp, VM_CmpGTEF64OOp>;
defm VM_FromUeq : VM_FromCmpF<"ueq", VM_CmpEQF32UOp, VM_CmpEQF64UOp>;
defm VM_FromUne : VM_FromCmpF<"une", VM_CmpNEF32UOp, VM_CmpNEF64UOp>;
defm VM_FromFUlt : VM_FromCmpF<"ult", VM_CmpLTF32UOp, VM_CmpLTF64UOp>;
defm VM_FromFUle : VM_FromCmpF<"ule", VM_CmpLTEF32UOp, VM_CmpLTEF64UOp>;
defm VM_FromFUgt : VM_FromCmpF<"ugt", VM_CmpGTF32UOp, VM_CmpGTF64UOp>;
defm VM_FromFUge : VM_FromCmpF<"uge", VM_CmpGTEF32UOp, VM_CmpGTEF64UOp>;
def VM_FromNever : VM_Replaced<(Arith_CmpFOp "false", (rest)), (VM_ConstI32ZeroOp)>;
def VM_FromAlways : VM_Replaced<(Arith_CmpFOp "true", (rest)), (VM_ConstI32Op 1)>;
multiclass VM_FromNaN<Type type, Op isNaN> {
  defvar unordered = (VM_OrI32Op (createOrFold (isNaN $a)), (createOrFold (isNaN $b)));
  def Uno : VM_Replaced<(Arith_CmpFOp "uno", type:$a, $b, ?), unordered>;
  def Ord : VM_Replaced<(Arith_CmpFOp "ord", type:$a, $b, ?),
                        (VM_XorI32Op (VM_ConstI32Op 1), unordered)>;
}
defm VM_FromNaN32 : VM_FromNaN<F32, VM_CmpNaNF32Op>;
defm VM_FromNaN64 : VM_FromNaN<F64, VM_CmpNaNF64Op>;

//===-- Integers as others ------------------------------------------------------------------------

// The type that the root's result becomes.
defvar VM_Into = (convertType (typeOf $cast));

class VM_FromIndexCast<Op from, Function widened>
    : VM_Replaced<(from:$cast $x), (typeswitch VM_Into, (case I32, (VM_ToI32 $x)),
                                                       (case I64, (widened $x)))>;
def VM_FromIndexCastS : VM_FromIndexCast<Arith_IndexCastOp, VM_ToI64S>;
def VM_FromIndexCastU : VM_FromIndexCast<Arith_IndexCastUIOp, VM_ToI64U>;

class VM_FromExt<Op from, Type type, dag narrow, dag wide>
    : VM_Replaced<(from:$cast type:$x),
                  (typeswitch VM_Into, (case I32, narrow), (case I64, wide))>;
def VM_FromExtSI8 : VM_FromExt<Arith_ExtSIOp, I8, (VM_ExtI8I32SOp $x), (VM_ExtI8I64SOp $x)>;
def VM_FromExtSI16 : VM_FromExt<Arith_ExtSIOp, I16, (VM_ExtI16I32SOp $x), (VM_ExtI16I64SOp $x)>;
def VM_FromExtSI32 : VM_Replaced<(Arith_ExtSIOp I32:$x), (VM_ExtI32I64SOp $x)>;
def VM_FromExtUI8 : VM_FromExt<Arith_ExtUIOp, I8, (VM_ExtI8I32UOp $x), (VM_ExtI8I64UOp $x)>;
def VM_FromExtUI16 : VM_FromExt<Arith_ExtUIOp, I16, (VM_ExtI16I32UOp $x), (VM_ExtI16I64UOp $x)>;
def VM_FromExtUI32 : VM_Replaced<(Arith_ExtUIOp I32:$x), (VM_ExtI32I64UOp $x)>;

def VM_FromExtSI1
    : VM_FromExt<Arith_ExtSIOp, I1,
                 (VM_SelectI32Op $x, (VM_ConstI32Op -1), (VM_ConstI32ZeroOp)),
                 (VM_SelectI64Op $x, (VM_ConstI64Op -1), (VM_ConstI64ZeroOp))>;

// Less than a byte: a mask keeps the low bits, a shift there and back repeats their sign.
multiclass VM_FromBits<int width, int mask> {
  defvar kept = (createOrFold (VM_AndI32Op $x, (VM_ConstI32Op mask)));
  def ExtU : VM_FromExt<Arith_ExtUIOp, I<width>, kept, (VM_ExtI32I64UOp kept)>;
  def Trunc
      : VM_Replaced<(Arith_TruncIOp:$cast $x, ?),
                    (VM_AndI32Op (VM_ToI32 $x), (VM_ConstI32Op mask)), [(I<width> $cast)]>;
}
multiclass VM_FromSignedBits<int width, int mask, int others>
    : VM_FromBits<width, mask> {
  defvar signed = (VM_ShrI32SOp (createOrFold (VM_ShlI32Op $x, (VM_ConstI32Op others))),
                                (VM_ConstI32Op others));
  def ExtS : VM_FromExt<Arith_ExtSIOp, I<width>, signed, (VM_ExtI32I64SOp signed)>;
}
defm VM_FromBits1 : VM_FromBits<1, 1>;
defm VM_FromBits2 : VM_FromSignedBits<2, 3, 30>;
defm VM_FromBits4 : VM_FromSignedBits<4, 15, 28>;

class VM_FromTrunc<Type from, Type to, dag made>
    : VM_Replaced<(Arith_TruncIOp:$cast from:$x, ?), made, [(to $cast)]>;
def VM_FromTrunc16To8 : VM_FromTrunc<I16, I8, (VM_TruncI16I8Op $x)>;
def VM_FromTrunc32To8 : VM_FromTrunc<I32, I8, (VM_TruncI32I8Op $x)>;
def VM_FromTrunc64To8 : VM_FromTrunc<I64, I8, (VM_TruncI64I8Op $x)>;
def VM_FromTrunc32To16 : VM_FromTrunc<I32, I16, (VM_TruncI32I16Op $x)>;
def VM_FromTrunc64To16 : VM_FromTrunc<I64, I16, (VM_TruncI64I16Op $x)>;
def VM_FromTrunc64To32 : VM_FromTrunc<I64, I32, (VM_TruncI64I32Op $x)>;

//===-- Floats as others --------------------------------------------------------------------------

def VM_FromExtF : VM_Replaced<(Arith_ExtFOp F32:$x, ?), (VM_ExtF32F64Op $x)>;
def VM_FromTruncF
    : VM_Replaced<(Arith_TruncFOp:$cast F64:$x, ?, ?), (VM_TruncF64F32Op $x), [(F32 $cast)]>;

class VM_FromNumber<dag source, Type to, dag made> : VM_Replaced<source, made, [(to $cast)]>;
def VM_FromSI32 : VM_FromNumber<(Arith_SIToFPOp:$cast I32:$x), F32, (VM_CastSI32F32Op $x)>;
def VM_FromSI64 : VM_FromNumber<(Arith_SIToFPOp:$cast I64:$x), F32, (VM_CastSI64F32Op $x)>;
def VM_FromSI64Wide : VM_FromNumber<(Arith_SIToFPOp:$cast I64:$x), F64, (VM_CastSI64F64Op $x)>;
def VM_FromUI32 : VM_FromNumber<(Arith_UIToFPOp:$cast I32:$x), F32, (VM_CastUI32F32Op $x)>;
def VM_FromUI64 : VM_FromNumber<(Arith_UIToFPOp:$cast I64:$x), F32, (VM_CastUI64F32Op $x)>;
def VM_FromUI64Wide : VM_FromNumber<(Arith_UIToFPOp:$cast I64:$x), F64, (VM_CastUI64F64Op $x)>;
def VM_FromSI8
    : VM_FromNumber<(Arith_SIToFPOp:$cast I8:$x), F32, (VM_CastSI32F32Op (VM_ExtI8I32SOp $x))>;
def VM_FromSI16
    : VM_FromNumber<(Arith_SIToFPOp:$cast I16:$x), F32, (VM_CastSI32F32Op (VM_ExtI16I32SOp $x))>;
def VM_FromUI8
    : VM_FromNumber<(Arith_UIToFPOp:$cast I8:$x), F32, (VM_CastUI32F32Op (VM_ExtI8I32UOp $x))>;
def VM_FromUI16
    : VM_FromNumber<(Arith_UIToFPOp:$cast I16:$x), F32, (VM_CastUI32F32Op (VM_ExtI16I32UOp $x))>;

// What does not fit a narrow integer is undefined, so the register may hold it. As IREE does, this
// leaves to the machine what lies between two integers: it rounds where `arith` cuts off.
def VM_FromFPToSI
    : VM_Replaced<(Arith_FPToSIOp:$cast F32:$x),
                  (typeswitch VM_Into, (case I32, (VM_CastF32SI32Op $x)),
                                       (case I64, (VM_CastF32SI64Op $x)))>;
def VM_FromFPToUI
    : VM_Replaced<(Arith_FPToUIOp:$cast F32:$x),
                  (typeswitch VM_Into, (case I32, (VM_CastF32UI32Op $x)),
                                       (case I64, (VM_CastF32UI64Op $x)))>;

class VM_FromBitcast<Type from, Type to, dag made>
    : VM_Replaced<(Arith_BitcastOp:$cast from:$x), made, [(to $cast)]>;
def VM_FromBitsF32 : VM_FromBitcast<F32, I32, (VM_BitcastF32I32Op $x)>;
def VM_FromBitsI32 : VM_FromBitcast<I32, F32, (VM_BitcastI32F32Op $x)>;
def VM_FromBitsF64 : VM_FromBitcast<F64, I64, (VM_BitcastF64I64Op $x)>;
def VM_FromBitsI64 : VM_FromBitcast<I64, F64, (VM_BitcastI64F64Op $x)>;
def VM_FromSameBits
    : VM_Converted<(Arith_BitcastOp:$cast $x), [(replace $x)],
                  [(same (convertType (typeOf $x)), (convertType (typeOf $cast)))]>;
