// Rewrites of `arith` ops.
//
// Identities that hold for every operand, NaN and signed zeros included; there is no licence from
// fast-math flags here. Constants stand on the right of commutative ops: the driver moves them.

include "tegula/Patterns.td"

// ---- Integers: neutral and absorbing elements ---------------------------------------------------

def AddIZero : Fold<(Arith_AddIOp $x, (ConstantLike $c), ?), [(fold $x)],
           [(predicate "arith_is_zero", $c)]>;
def SubIZero : Fold<(Arith_SubIOp $x, (ConstantLike $c), ?), [(fold $x)],
           [(predicate "arith_is_zero", $c)]>;
def MulIOne : Fold<(Arith_MulIOp $x, (ConstantLike $c), ?), [(fold $x)],
           [(predicate "arith_is_one", $c)]>;
def MulIZero : Fold<(Arith_MulIOp $x, (ConstantLike $zero), ?), [(fold $zero)],
           [(predicate "arith_is_zero", $zero)]>;
def DivUIOne : Fold<(Arith_DivUIOp $x, (ConstantLike $c), ?), [(fold $x)],
           [(predicate "arith_is_one", $c)]>;
def DivSIOne : Fold<(Arith_DivSIOp $x, (ConstantLike $c), ?), [(fold $x)],
           [(predicate "arith_is_one", $c)]>;
def CeilDivUIOne : Fold<(Arith_CeilDivUIOp $x, (ConstantLike $c)), [(fold $x)],
           [(predicate "arith_is_one", $c)]>;
def CeilDivSIOne : Fold<(Arith_CeilDivSIOp $x, (ConstantLike $c)), [(fold $x)],
           [(predicate "arith_is_one", $c)]>;
def FloorDivSIOne : Fold<(Arith_FloorDivSIOp $x, (ConstantLike $c)), [(fold $x)],
           [(predicate "arith_is_one", $c)]>;
def AndIZero : Fold<(Arith_AndIOp $x, (ConstantLike $zero)), [(fold $zero)],
           [(predicate "arith_is_zero", $zero)]>;
def AndIOnes : Fold<(Arith_AndIOp $x, (ConstantLike $c)), [(fold $x)],
           [(predicate "arith_is_all_ones", $c)]>;
def AndISelf : Fold<(Arith_AndIOp $x, $x), [(fold $x)]>;
def OrIZero : Fold<(Arith_OrIOp $x, (ConstantLike $c)), [(fold $x)],
           [(predicate "arith_is_zero", $c)]>;
def OrIOnes : Fold<(Arith_OrIOp $x, (ConstantLike $ones)), [(fold $ones)],
           [(predicate "arith_is_all_ones", $ones)]>;
def OrISelf : Fold<(Arith_OrIOp $x, $x), [(fold $x)]>;
def XOrIZero : Fold<(Arith_XOrIOp $x, (ConstantLike $c)), [(fold $x)],
           [(predicate "arith_is_zero", $c)]>;
def ShLIZero : Fold<(Arith_ShLIOp $x, (ConstantLike $c), ?), [(fold $x)],
           [(predicate "arith_is_zero", $c)]>;
def ShRUIZero : Fold<(Arith_ShRUIOp $x, (ConstantLike $c), ?), [(fold $x)],
           [(predicate "arith_is_zero", $c)]>;
def ShRSIZero : Fold<(Arith_ShRSIOp $x, (ConstantLike $c), ?), [(fold $x)],
           [(predicate "arith_is_zero", $c)]>;
def MaxSISelf : Fold<(Arith_MaxSIOp $x, $x), [(fold $x)]>;
def MaxUISelf : Fold<(Arith_MaxUIOp $x, $x), [(fold $x)]>;
def MinSISelf : Fold<(Arith_MinSIOp $x, $x), [(fold $x)]>;
def MinUISelf : Fold<(Arith_MinUIOp $x, $x), [(fold $x)]>;

// ---- Integers: what undoes what ------------------------------------------------------------------

def SubIOfAddI : Fold<(Arith_SubIOp (Arith_AddIOp $x, $y, ?), $y, ?), [(fold $x)]>;
def SubIOfAddILeft : Fold<(Arith_SubIOp (Arith_AddIOp $x, $y, ?), $x, ?), [(fold $y)]>;
def AddIOfSubI : Fold<(Arith_AddIOp (either (Arith_SubIOp $x, $y, ?), $y), ?), [(fold $x)]>;

// ---- Integers: two constants become one ----------------------------------------------------------

def AddIConstants
    : Pattern<"canonicalize",
              (Arith_AddIOp (Arith_AddIOp $x, (ConstantLike ?):$a, ?), (ConstantLike ?):$b, ?),
              [(replace (Arith_AddIOp $x, (Arith_AddIOp $a, $b, ?), ?))]>;

// ---- Floats --------------------------------------------------------------------------------------

// x + -0.0 is x for every x; x + 0.0 is not, when x is -0.0.
def AddFNegZero : Fold<(Arith_AddFOp $x, (ConstantLike $c), ?), [(fold $x)],
           [(predicate "arith_is_negative_zero", $c)]>;
def SubFZero : Fold<(Arith_SubFOp $x, (ConstantLike $c), ?), [(fold $x)],
           [(predicate "arith_is_positive_zero", $c)]>;
def MulFOne : Fold<(Arith_MulFOp $x, (ConstantLike $c), ?), [(fold $x)],
           [(predicate "arith_is_float_one", $c)]>;
def DivFOne : Fold<(Arith_DivFOp $x, (ConstantLike $c), ?), [(fold $x)],
           [(predicate "arith_is_float_one", $c)]>;
def NegFNegF : Fold<(Arith_NegFOp (Arith_NegFOp $x, ?), ?), [(fold $x)]>;
def MaxNumFSelf : Fold<(Arith_MaxNumFOp $x, $x, ?), [(fold $x)]>;
def MinNumFSelf : Fold<(Arith_MinNumFOp $x, $x, ?), [(fold $x)]>;
def MaximumFSelf : Fold<(Arith_MaximumFOp $x, $x, ?), [(fold $x)]>;
def MinimumFSelf : Fold<(Arith_MinimumFOp $x, $x, ?), [(fold $x)]>;
// NaN is the neutral element of the extrema that ignore it.
def MaxNumFNaN : Fold<(Arith_MaxNumFOp $x, (ConstantLike $c), ?), [(fold $x)],
           [(predicate "arith_is_nan", $c)]>;
def MinNumFNaN : Fold<(Arith_MinNumFOp $x, (ConstantLike $c), ?), [(fold $x)],
           [(predicate "arith_is_nan", $c)]>;

// ---- Casts that undo each other ------------------------------------------------------------------

def TruncIExtUI
    : Fold<(Arith_TruncIOp:$t (Arith_ExtUIOp $x), ?), [(fold $x)],
           [(same (typeOf $x), (typeOf $t))]>;
def TruncIExtSI
    : Fold<(Arith_TruncIOp:$t (Arith_ExtSIOp $x), ?), [(fold $x)],
           [(same (typeOf $x), (typeOf $t))]>;
def BitcastBitcast
    : Fold<(Arith_BitcastOp:$b (Arith_BitcastOp $x)), [(fold $x)],
           [(same (typeOf $x), (typeOf $b))]>;
// Through an index no bit is lost when the integer is no wider than 64 bits.
def Index64 : AnyTypeOf<[I8, I16, I32, I64], "integer of at most 64 bits">;
def IndexCastBack
    : Fold<(Arith_IndexCastOp:$c (Arith_IndexCastOp Index64:$x)), [(fold $x)],
           [(same (typeOf $x), (typeOf $c))]>;
def IndexCastUIBack
    : Fold<(Arith_IndexCastUIOp:$c (Arith_IndexCastUIOp Index64:$x)), [(fold $x)],
           [(same (typeOf $x), (typeOf $c))]>;
// What is widened by its sign, or by zeros, is the same index before.
def IndexCastOfExtSI : Pattern<"canonicalize", (Arith_IndexCastOp (Arith_ExtSIOp $x)),
                               [(replace (Arith_IndexCastOp $x))]>;
def IndexCastUIOfExtUI : Pattern<"canonicalize", (Arith_IndexCastUIOp (Arith_ExtUIOp $x)),
                                 [(replace (Arith_IndexCastUIOp $x))]>;
