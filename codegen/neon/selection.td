//===- selection.td: values of arith and vector become instructions ---------===//
//
// Control and addresses are machine ops already when these run; what is left
// are values: indices, singles and native vectors.
//
//===----------------------------------------------------------------------===//

#ifndef NEON_SELECTION_TD
#define NEON_SELECTION_TD

include "tegula/Patterns.td"
include "builtin/builtin.td"
include "arith/arith.td"
include "vector/vector.td"

// ---- Types ------------------------------------------------------------------

def NativeF32x4 : Type<IsTypeText<"vector<4xf32>">, "native vector of singles">,
                  BuildableType<"vector<4xf32>">;
// Integers of a whole register.
def Word : AnyTypeOf<[Index, I64], "index or 64-bit integer">;
def Integral : AnyTypeOf<[Index, I64, I1], "index, 64-bit integer or truth value">;

def NeonTypes : TypeConverter<"neon-types", [
  (becomes Index, (type "!neon.x")),
  (becomes I64, (type "!neon.x")),
  (becomes I1, (type "!neon.x")),
  (becomes F32, (type "!neon.s")),
  (becomes NativeF32x4, (type "!neon.v128"))
]> {
  let sourceCast = UnrealizedConversionCastOp;
  let targetCast = UnrealizedConversionCastOp;
}

class Select<dag source, list<dag> steps, list<dag> conditions = []>
    : ConversionPattern<"neon-select", source, steps, conditions>;

// ---- Constants ----------------------------------------------------------------

def SelectZeroVector
    : Select<(Arith_ConstantOp (attr "dense<0.000000e+00> : vector<4xf32>")),
             [(replace (Neon_Movi0))]> {
  let benefit = 2;
}
def SelectZeroSingle : Select<(Arith_ConstantOp (attr "0.000000e+00 : f32")),
                              [(replace (Neon_Movi0S))]> {
  let benefit = 2;
}
def SelectConstant : NativePattern<"neon-select", Arith_ConstantOp, "constant">;

// ---- Integers -------------------------------------------------------------------

class SelectInt<Op from, Op to>
    : Select<(from Integral:$a, Integral:$b, (rest)), [(replace (to $a, $b))]>;

def SelectAddI : SelectInt<Arith_AddIOp, Neon_AddX>;
def SelectSubI : SelectInt<Arith_SubIOp, Neon_SubX>;
def SelectMulI : SelectInt<Arith_MulIOp, Neon_MulX>;
def SelectAndI : SelectInt<Arith_AndIOp, Neon_AndX>;
def SelectOrI : SelectInt<Arith_OrIOp, Neon_OrrX>;
def SelectXOrI : SelectInt<Arith_XOrIOp, Neon_EorX>;
def SelectShLI : SelectInt<Arith_ShLIOp, Neon_LslX>;
def SelectShRUI : SelectInt<Arith_ShRUIOp, Neon_LsrX>;
def SelectShRSI : SelectInt<Arith_ShRSIOp, Neon_AsrX>;
def SelectDivSI : SelectInt<Arith_DivSIOp, Neon_SDivX>;
def SelectDivUI : SelectInt<Arith_DivUIOp, Neon_UDivX>;

def SelectRemSI : Select<(Arith_RemSIOp Word:$a, $b),
                         [(replace (Neon_MSubX (Neon_SDivX $a, $b), $b, $a))]>;
def SelectRemUI : Select<(Arith_RemUIOp Word:$a, $b),
                         [(replace (Neon_MSubX (Neon_UDivX $a, $b), $b, $a))]>;

// Comparisons. The flags are made right where they are read.
class SelectMinMax<Op from, string condition>
    : Select<(from Word:$a, $b),
             [(replace (Neon_Csel (Neon_CmpX $a, $b), $a, $b,
                                  (attr "\"" # condition # "\"")))]>;
def SelectMinSI : SelectMinMax<Arith_MinSIOp, "lt">;
def SelectMaxSI : SelectMinMax<Arith_MaxSIOp, "gt">;
def SelectMinUI : SelectMinMax<Arith_MinUIOp, "lo">;
def SelectMaxUI : SelectMinMax<Arith_MaxUIOp, "hi">;

def SelectCmpI
    : Select<(Arith_CmpIOp $predicate, Word:$a, $b),
             [(replace (Neon_Cset (Neon_CmpX $a, $b),
                                  (compute "condition", $predicate)))]>;
def SelectSelect
    : Select<(Arith_SelectOp I1:$c, Integral:$a, $b),
             [(replace (Neon_Csel (Neon_CmpImm $c, (attr "0 : i64")), $a, $b,
                                  (attr "\"ne\"")))]>;
def SelectSelectSingle
    : Select<(Arith_SelectOp I1:$c, F32:$a, $b),
             [(replace (Neon_FcselS (Neon_CmpImm $c, (attr "0 : i64")), $a, $b,
                                    (attr "\"ne\"")))]>;

def SelectIndexCast
    : Select<(Arith_IndexCastOp:$r Word:$a), [(replace $a)], [(Word $r)]>;
def SelectIndexCastUI
    : Select<(Arith_IndexCastUIOp:$r Word:$a), [(replace $a)], [(Word $r)]>;
def SelectExtUI : Select<(Arith_ExtUIOp:$r I1:$a), [(replace $a)], [(I64 $r)]>;

// ---- Singles ----------------------------------------------------------------------

class SelectSingle<Op from, Op to>
    : Select<(from F32:$a, $b, (rest)), [(replace (to $a, $b))]>;
def SelectAddF : SelectSingle<Arith_AddFOp, Neon_FAddS>;
def SelectSubF : SelectSingle<Arith_SubFOp, Neon_FSubS>;
def SelectMulF : SelectSingle<Arith_MulFOp, Neon_FMulS>;
def SelectDivF : SelectSingle<Arith_DivFOp, Neon_FDivS>;
def SelectMaximumF : SelectSingle<Arith_MaximumFOp, Neon_FMaxS>;
def SelectMinimumF : SelectSingle<Arith_MinimumFOp, Neon_FMinS>;
def SelectNegF : Select<(Arith_NegFOp F32:$a, (rest)), [(replace (Neon_FNegS $a))]>;

// ---- Vectors ------------------------------------------------------------------------

class SelectVector<Op from, Op to>
    : Select<(from NativeF32x4:$a, $b, (rest)), [(replace (to $a, $b))]>;
def SelectVectorAddF : SelectVector<Arith_AddFOp, Neon_FAdd4s>;
def SelectVectorSubF : SelectVector<Arith_SubFOp, Neon_FSub4s>;
def SelectVectorMulF : SelectVector<Arith_MulFOp, Neon_FMul4s>;
def SelectVectorDivF : SelectVector<Arith_DivFOp, Neon_FDiv4s>;
def SelectVectorMaximumF : SelectVector<Arith_MaximumFOp, Neon_FMax4s>;
def SelectVectorMinimumF : SelectVector<Arith_MinimumFOp, Neon_FMin4s>;
def SelectVectorNegF
    : Select<(Arith_NegFOp NativeF32x4:$a, (rest)), [(replace (Neon_FNeg4s $a))]>;

def SelectFma : Select<(Vector_FMAOp NativeF32x4:$a, $b, $acc),
                       [(replace (Neon_Fmla4s $acc, $a, $b))]>;
def SelectBroadcast : Select<(Vector_BroadcastOp:$r F32:$a),
                             [(replace (Neon_DupS4s $a))], [(NativeF32x4 $r)]>;

def SelectExtract : Select<(Vector_ExtractOp NativeF32x4:$v, (values), $position),
                           [(replace (Neon_DupLaneS $v, (compute "lane", $position)))]>;
def SelectInsert
    : Select<(Vector_InsertOp F32:$s, NativeF32x4:$v, (values), $position),
             [(replace (Neon_InsS $v, $s, (compute "lane", $position)))]>;

// Permutations by their mask; those of two vectors in the other order too.
multiclass SelectShuffle<Op to, string mask, string swapped> {
  def "" : Select<(Vector_ShuffleOp NativeF32x4:$a, NativeF32x4:$b,
                                    (attr "array<i64: " # mask # ">")),
                  [(replace (to $a, $b))]> {
    let benefit = 2;
  }
  def Swapped : Select<(Vector_ShuffleOp NativeF32x4:$a, NativeF32x4:$b,
                                         (attr "array<i64: " # swapped # ">")),
                       [(replace (to $b, $a))]> {
    let benefit = 2;
  }
}
defm SelectZip1 : SelectShuffle<Neon_Zip1_4s, "0, 4, 1, 5", "4, 0, 5, 1">;
defm SelectZip2 : SelectShuffle<Neon_Zip2_4s, "2, 6, 3, 7", "6, 2, 7, 3">;
defm SelectUzp1 : SelectShuffle<Neon_Uzp1_4s, "0, 2, 4, 6", "4, 6, 0, 2">;
defm SelectUzp2 : SelectShuffle<Neon_Uzp2_4s, "1, 3, 5, 7", "5, 7, 1, 3">;
defm SelectTrn1 : SelectShuffle<Neon_Trn1_4s, "0, 4, 2, 6", "4, 0, 6, 2">;
defm SelectTrn2 : SelectShuffle<Neon_Trn2_4s, "1, 5, 3, 7", "5, 1, 7, 3">;
defm SelectTrn1Halves : SelectShuffle<Neon_Trn1_2d, "0, 1, 4, 5", "4, 5, 0, 1">;
defm SelectTrn2Halves : SelectShuffle<Neon_Trn2_2d, "2, 3, 6, 7", "6, 7, 2, 3">;

class SelectExt<string mask, string offset>
    : Select<(Vector_ShuffleOp NativeF32x4:$a, NativeF32x4:$b,
                               (attr "array<i64: " # mask # ">")),
             [(replace (Neon_Ext $a, $b, (attr offset # " : i64")))]> {
  let benefit = 2;
}
def SelectExt1 : SelectExt<"1, 2, 3, 4", "4">;
def SelectExt2 : SelectExt<"2, 3, 4, 5", "8">;
def SelectExt3 : SelectExt<"3, 4, 5, 6", "12">;

// Any other mask, lane by lane.
def SelectAnyShuffle : NativePattern<"neon-select", Vector_ShuffleOp, "shuffle">;

#endif
