// Enums and flags.

def Arith_CmpFPredicateAttr : I64EnumAttr<"CmpFPredicate", "comparison of floats", [
  I64EnumAttrCase<"AlwaysFalse", 0, "false">,
  I64EnumAttrCase<"OEQ", 1, "oeq">,
  I64EnumAttrCase<"OGT", 2, "ogt">,
  I64EnumAttrCase<"OGE", 3, "oge">,
  I64EnumAttrCase<"OLT", 4, "olt">,
  I64EnumAttrCase<"OLE", 5, "ole">,
  I64EnumAttrCase<"ONE", 6, "one">,
  I64EnumAttrCase<"ORD", 7, "ord">,
  I64EnumAttrCase<"UEQ", 8, "ueq">,
  I64EnumAttrCase<"UGT", 9, "ugt">,
  I64EnumAttrCase<"UGE", 10, "uge">,
  I64EnumAttrCase<"ULT", 11, "ult">,
  I64EnumAttrCase<"ULE", 12, "ule">,
  I64EnumAttrCase<"UNE", 13, "une">,
  I64EnumAttrCase<"UNO", 14, "uno">,
  I64EnumAttrCase<"AlwaysTrue", 15, "true">
]>;

def Arith_CmpIPredicateAttr : I64EnumAttr<"CmpIPredicate", "comparison of integers", [
  I64EnumAttrCase<"eq", 0>,
  I64EnumAttrCase<"ne", 1>,
  I64EnumAttrCase<"slt", 2>,
  I64EnumAttrCase<"sle", 3>,
  I64EnumAttrCase<"sgt", 4>,
  I64EnumAttrCase<"sge", 5>,
  I64EnumAttrCase<"ult", 6>,
  I64EnumAttrCase<"ule", 7>,
  I64EnumAttrCase<"ugt", 8>,
  I64EnumAttrCase<"uge", 9>
]>;

def FastMath_none : I32BitEnumAttrCaseNone<"none">;
def FastMath_reassoc : I32BitEnumAttrCaseBit<"reassoc", 0>;
def FastMath_nnan : I32BitEnumAttrCaseBit<"nnan", 1>;
def FastMath_ninf : I32BitEnumAttrCaseBit<"ninf", 2>;
def FastMath_nsz : I32BitEnumAttrCaseBit<"nsz", 3>;
def FastMath_arcp : I32BitEnumAttrCaseBit<"arcp", 4>;
def FastMath_contract : I32BitEnumAttrCaseBit<"contract", 5>;
def FastMath_afn : I32BitEnumAttrCaseBit<"afn", 6>;
def FastMath_fast : I32BitEnumAttrCaseGroup<"fast", [
  FastMath_reassoc, FastMath_nnan, FastMath_ninf, FastMath_nsz, FastMath_arcp, FastMath_contract,
  FastMath_afn
]>;

def FastMathFlags : I32BitEnumAttr<"FastMathFlags", "licence to deviate from IEEE 754", [
  FastMath_none, FastMath_reassoc, FastMath_nnan, FastMath_ninf, FastMath_nsz, FastMath_arcp,
  FastMath_contract, FastMath_afn, FastMath_fast
]> {
  let separator = ",";
  let printBitEnumPrimaryGroups = 1;
}

def Arith_FastMathAttr : EnumAttr<Arith_Dialect, FastMathFlags, "fastmath"> {
  let assemblyFormat = "`<` $value `>`";
}

def Overflow_none : I32BitEnumAttrCaseNone<"none">;
def Overflow_nsw : I32BitEnumAttrCaseBit<"nsw", 0>;
def Overflow_nuw : I32BitEnumAttrCaseBit<"nuw", 1>;

def Arith_IntegerOverflowFlags : I32BitEnumAttr<
    "IntegerOverflowFlags", "promise that a result does not wrap", [
  Overflow_none, Overflow_nsw, Overflow_nuw
]> {
  let separator = ", ";
}

def Arith_IntegerOverflowAttr
    : EnumAttr<Arith_Dialect, Arith_IntegerOverflowFlags, "overflow"> {
  let assemblyFormat = "`<` $value `>`";
}

def Arith_RoundingModeAttr : I32EnumAttr<"RoundingMode", "rounding of floats", [
  I32EnumAttrCase<"to_nearest_even", 0>,
  I32EnumAttrCase<"downward", 1>,
  I32EnumAttrCase<"upward", 2>,
  I32EnumAttrCase<"toward_zero", 3>,
  I32EnumAttrCase<"to_nearest_away", 4>
]>;
