//===- combine.td: instructions that do the work of several ----------------===//
//
// Selection makes one instruction of each op; these look at what stands
// together and take the form that the machine has for it.
//
//===----------------------------------------------------------------------===//

#ifndef NEON_COMBINE_TD
#define NEON_COMBINE_TD

include "tegula/Patterns.td"

class Combine<dag source, list<dag> steps, list<dag> conditions = []>
    : Pattern<"neon-combine", source, steps, conditions>;

// ---- A factor that is the same in all lanes ---------------------------------------

def CombineDupOfLane : Combine<(Neon_DupS4s (Neon_DupLaneS $v, $lane)),
                               [(replace (Neon_DupLane4s $v, $lane))]>;
def CombineFmlaLane
    : Combine<(Neon_Fmla4s $acc, (either (Neon_DupLane4s $v, $lane), $b)),
              [(replace (Neon_FmlaLane4s $acc, $b, $v, $lane))]>;
def CombineFmlaSingle : Combine<(Neon_Fmla4s $acc, (either (Neon_DupS4s $s), $b)),
                                [(replace (Neon_FmlaS4s $acc, $b, $s))]>;
def CombineMulLane : Combine<(Neon_FMul4s (either (Neon_DupLane4s $v, $lane), $b)),
                             [(replace (Neon_FMulLane4s $b, $v, $lane))]>;
def CombineMulSingle : Combine<(Neon_FMul4s (either (Neon_DupS4s $s), $b)),
                               [(replace (Neon_FMulS4s $b, $s))]>;
def CombineInsertLane : Combine<(Neon_InsS $v, (Neon_DupLaneS $a, $from), $lane),
                                [(replace (Neon_InsLane $v, $a, $lane, $from))]>;

// ---- Integers with an immediate -----------------------------------------------------

// What an addition or comparison takes.
def Imm12 : ConfinedAttr<I64Attr, [IntRange<0, 4095>]>;
def Shift6 : ConfinedAttr<I64Attr, [IntRange<0, 63>]>;

def CombineAddImm
    : Combine<(Neon_AddX (either (Neon_MovzX Imm12:$c, (attr "0 : i64")), $a)),
              [(replace (Neon_AddImm $a, $c))]>;
def CombineSubImm : Combine<(Neon_SubX $a, (Neon_MovzX Imm12:$c, (attr "0 : i64"))),
                            [(replace (Neon_SubImm $a, $c))]>;
def CombineCmpImm : Combine<(Neon_CmpX $a, (Neon_MovzX Imm12:$c, (attr "0 : i64"))),
                            [(replace (Neon_CmpImm $a, $c))]>;
def CombineLslImm : Combine<(Neon_LslX $a, (Neon_MovzX Shift6:$c, (attr "0 : i64"))),
                            [(replace (Neon_LslImm $a, $c))]>;
def CombineMulPower
    : Combine<(Neon_MulX (either (Neon_MovzX $c, $shift), $a)),
              [(replace (Neon_LslImm $a, $by))],
              [(bind (compute "log2", $c, $shift):$by)]>;
// An addition of the complement of a small number.
def CombineAddNegative
    : Combine<(Neon_AddX (either (Neon_MovnX $c, (attr "0 : i64")), $a)),
              [(replace (Neon_SubImm $a, $by))],
              [(bind (compute "successor", $c):$by), (Imm12 $by)]>;

// ---- Two operations in one ------------------------------------------------------------

def CombineAddShifted : Combine<(Neon_AddX (either (oneUse (Neon_LslImm $b, $by)), $a)),
                                [(replace (Neon_AddShifted $a, $b, $by))]>;
def CombineMulAdd : Combine<(Neon_AddX (either (oneUse (Neon_MulX $a, $b)), $c)),
                            [(replace (Neon_MAddX $a, $b, $c))]>;
def CombineMulSub : Combine<(Neon_SubX $c, (oneUse (Neon_MulX $a, $b))),
                            [(replace (Neon_MSubX $a, $b, $c))]>;

// ---- Comparisons ------------------------------------------------------------------------

// Choosing by a truth value that a comparison made is choosing by the
// comparison, which is made again where it is read.
class CombineChoice<Op choice, Op compare>
    : Combine<(choice (Neon_CmpImm (Neon_Cset (compare $l, $r), $cond), (attr "0 : i64")),
                      $a, $b, (attr "\"ne\"")),
              [(replace (choice (compare $l, $r), $a, $b, $cond))]>;
def CombineCsel : CombineChoice<Neon_Csel, Neon_CmpX>;
def CombineCselImm : CombineChoice<Neon_Csel, Neon_CmpImm>;
def CombineFcsel : CombineChoice<Neon_FcselS, Neon_CmpX>;
def CombineFcselImm : CombineChoice<Neon_FcselS, Neon_CmpImm>;

#endif
