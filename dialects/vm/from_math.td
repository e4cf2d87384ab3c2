// From `math`: what the machine has an instruction for.

include "math/math.td"

multiclass VM_FromUnary<Op from, Op narrow, Op wide, Type narrowType = F32, Type wideType = F64> {
  def "32" : VM_Replaced<(from (converted narrowType):$x, (rest)), (narrow $x)>;
  def "64" : VM_Replaced<(from (converted wideType):$x, (rest)), (wide $x)>;
}
defm VM_FromAbsF : VM_FromUnary<Math_AbsFOp, VM_AbsF32Op, VM_AbsF64Op>;
defm VM_FromAtan : VM_FromUnary<Math_AtanOp, VM_AtanF32Op, VM_AtanF64Op>;
defm VM_FromCeil : VM_FromUnary<Math_CeilOp, VM_CeilF32Op, VM_CeilF64Op>;
defm VM_FromCos : VM_FromUnary<Math_CosOp, VM_CosF32Op, VM_CosF64Op>;
defm VM_FromErf : VM_FromUnary<Math_ErfOp, VM_ErfF32Op, VM_ErfF64Op>;
defm VM_FromExp : VM_FromUnary<Math_ExpOp, VM_ExpF32Op, VM_ExpF64Op>;
defm VM_FromExp2 : VM_FromUnary<Math_Exp2Op, VM_Exp2F32Op, VM_Exp2F64Op>;
defm VM_FromExpM1 : VM_FromUnary<Math_ExpM1Op, VM_ExpM1F32Op, VM_ExpM1F64Op>;
defm VM_FromFloor : VM_FromUnary<Math_FloorOp, VM_FloorF32Op, VM_FloorF64Op>;
defm VM_FromLog : VM_FromUnary<Math_LogOp, VM_LogF32Op, VM_LogF64Op>;
defm VM_FromLog10 : VM_FromUnary<Math_Log10Op, VM_Log10F32Op, VM_Log10F64Op>;
defm VM_FromLog1p : VM_FromUnary<Math_Log1pOp, VM_Log1pF32Op, VM_Log1pF64Op>;
defm VM_FromLog2 : VM_FromUnary<Math_Log2Op, VM_Log2F32Op, VM_Log2F64Op>;
defm VM_FromRound : VM_FromUnary<Math_RoundOp, VM_RoundF32Op, VM_RoundF64Op>;
defm VM_FromRoundEven : VM_FromUnary<Math_RoundEvenOp, VM_RoundF32EvenOp, VM_RoundF64EvenOp>;
defm VM_FromRsqrt : VM_FromUnary<Math_RsqrtOp, VM_RsqrtF32Op, VM_RsqrtF64Op>;
defm VM_FromSin : VM_FromUnary<Math_SinOp, VM_SinF32Op, VM_SinF64Op>;
defm VM_FromSqrt : VM_FromUnary<Math_SqrtOp, VM_SqrtF32Op, VM_SqrtF64Op>;
defm VM_FromTanh : VM_FromUnary<Math_TanhOp, VM_TanhF32Op, VM_TanhF64Op>;
defm VM_FromAtan2 : VM_FromBinary<Math_Atan2Op, VM_Atan2F32Op, VM_Atan2F64Op, F32, F64>;
defm VM_FromPowF : VM_FromBinary<Math_PowFOp, VM_PowF32Op, VM_PowF64Op, F32, F64>;
def VM_FromFma32
    : VM_Replaced<(Math_FmaOp F32:$a, $b, $c, ?), (VM_FMAF32Op $a, $b, $c)>;
def VM_FromFma64
    : VM_Replaced<(Math_FmaOp F64:$a, $b, $c, ?), (VM_FMAF64Op $a, $b, $c)>;

// Of a narrow integer the bits above its own say nothing.
multiclass VM_FromWhole<Op from, Op narrow, Op wide> {
  def "32" : VM_Replaced<(from (converted I32):$x), (narrow $x), [(anyOf (I32 $x), (Index $x))]>;
  def "64" : VM_Replaced<(from (converted I64):$x), (wide $x)>;
}
defm VM_FromAbsI : VM_FromWhole<Math_AbsIOp, VM_AbsI32Op, VM_AbsI64Op>;
defm VM_FromCtlz : VM_FromWhole<Math_CountLeadingZerosOp, VM_CtlzI32Op, VM_CtlzI64Op>;
