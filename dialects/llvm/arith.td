// Arithmetic, comparisons and casts.

// Ops whose operands and results have one type.
class LLVM_SameTypeOp<string mnemonic, list<Trait> traits = []>
    : LLVM_Op<mnemonic, !listconcat([SameOperandsAndResultType], traits)>;

//===-- Integers ----------------------------------------------------------------------------------

class LLVM_IntBinaryOp<string mnemonic, dag flags, string before, string after, list<Trait> traits>
    : LLVM_SameTypeOp<mnemonic, traits> {
  let arguments = !con((ins LLVM_AnyInteger:$lhs, LLVM_AnyInteger:$rhs), flags);
  let results = (outs LLVM_AnyInteger:$res);
  let assemblyFormat = before # "$lhs `,` $rhs" # after # " attr-dict `:` type($res)";
}
class LLVM_IntOp<string mnemonic, list<Trait> traits = [Pure]>
    : LLVM_IntBinaryOp<mnemonic, (ins), "", "", traits>;
def LLVM_OverflowArg : DefaultValuedAttr<LLVM_IntegerOverflowFlags, "none">;
class LLVM_OverflowOp<string mnemonic, list<Trait> traits = []>
    : LLVM_IntBinaryOp<mnemonic, (ins LLVM_OverflowArg:$overflowFlags), "",
                       " (custom<Overflow>($overflowFlags)^)?", !listconcat(traits, [Pure])>;
class LLVM_ExactOp<string mnemonic, list<Trait> traits = [Pure]>
    : LLVM_IntBinaryOp<mnemonic, (ins UnitAttr:$isExact), "(`exact` $isExact^)? ", "", traits>;

def LLVM_AddOp : LLVM_OverflowOp<"add", [Commutative]> { let summary = "Sum"; }
def LLVM_SubOp : LLVM_OverflowOp<"sub"> { let summary = "Difference"; }
def LLVM_MulOp : LLVM_OverflowOp<"mul", [Commutative]> { let summary = "Product"; }
def LLVM_ShlOp : LLVM_OverflowOp<"shl"> { let summary = "Bits moved up"; }
// Of zero there is no quotient, so that these do not run where they did not.
def LLVM_UDivOp : LLVM_ExactOp<"udiv", [NoMemoryEffect]> { let summary = "Quotient, unsigned"; }
def LLVM_SDivOp : LLVM_ExactOp<"sdiv", [NoMemoryEffect]> { let summary = "Quotient, signed"; }
def LLVM_LShrOp : LLVM_ExactOp<"lshr"> { let summary = "Bits moved down, zeros behind"; }
def LLVM_AShrOp : LLVM_ExactOp<"ashr"> { let summary = "Bits moved down, the sign behind"; }
def LLVM_URemOp : LLVM_IntOp<"urem"> { let summary = "Remainder, unsigned"; }
def LLVM_SRemOp : LLVM_IntOp<"srem"> { let summary = "Remainder, signed"; }
def LLVM_AndOp : LLVM_IntOp<"and"> { let summary = "Bits that both have"; }
def LLVM_XOrOp : LLVM_IntOp<"xor"> { let summary = "Bits that just one has"; }
def LLVM_OrOp : LLVM_IntBinaryOp<"or", (ins UnitAttr:$isDisjoint), "(`disjoint` $isDisjoint^)? ", "",
                                 [Pure]> {
  let summary = "Bits that one has at least";
}

//===-- Floats ------------------------------------------------------------------------------------

class LLVM_FloatBinaryOp<string mnemonic, string what> : LLVM_SameTypeOp<mnemonic, [Pure]> {
  let summary = what;
  let arguments = (ins LLVM_FloatLike:$lhs, LLVM_FloatLike:$rhs, LLVM_FastmathArg:$fastmathFlags);
  let results = (outs LLVM_FloatLike:$res);
  let assemblyFormat = [{
    $lhs `,` $rhs (`fastmath` `` $fastmathFlags^)? attr-dict `:` type($res)
  }];
}
def LLVM_FAddOp : LLVM_FloatBinaryOp<"fadd", "Sum">;
def LLVM_FSubOp : LLVM_FloatBinaryOp<"fsub", "Difference">;
def LLVM_FMulOp : LLVM_FloatBinaryOp<"fmul", "Product">;
def LLVM_FDivOp : LLVM_FloatBinaryOp<"fdiv", "Quotient">;
def LLVM_FRemOp : LLVM_FloatBinaryOp<"frem", "Remainder">;
def LLVM_FNegOp : LLVM_SameTypeOp<"fneg", [Pure]> {
  let summary = "The opposite number";
  let arguments = (ins LLVM_FloatLike:$operand, LLVM_FastmathArg:$fastmathFlags);
  let results = (outs LLVM_FloatLike:$res);
  let assemblyFormat = "$operand (`fastmath` `` $fastmathFlags^)? attr-dict `:` type($res)";
}

//===-- Comparisons -------------------------------------------------------------------------------

class LLVM_CompareOp<string mnemonic>
    : LLVM_Op<mnemonic, [
  Pure, SameTypeOperands, TypesMatchWith<"the result has a bit for each element", "lhs", "res", BoolOf>
]> {
  let results = (outs LLVM_ScalarOrVectorOf<I1>:$res);
}
def LLVM_ComparedType
    : AnyTypeOf<[LLVM_AnyInteger, LLVM_PointerLike], "integer, pointer, or vector of these">;
def LLVM_ICmpOp : LLVM_CompareOp<"icmp"> {
  let summary = "Compares integers or addresses";
  let arguments = (ins LLVM_ICmpPredicate:$predicate, LLVM_ComparedType:$lhs,
                       LLVM_ComparedType:$rhs);
  let assemblyFormat = [{
    custom<ICmpPredicate>($predicate) $lhs `,` $rhs attr-dict `:` type($lhs)
  }];
}
def LLVM_FCmpOp : LLVM_CompareOp<"fcmp"> {
  let summary = "Compares floats";
  let arguments = (ins LLVM_FCmpPredicate:$predicate, LLVM_FloatLike:$lhs, LLVM_FloatLike:$rhs,
                       LLVM_FastmathArg:$fastmathFlags);
  let assemblyFormat = [{
    custom<FCmpPredicate>($predicate) $lhs `,` $rhs (`fastmath` `` $fastmathFlags^)? attr-dict
    `:` type($lhs)
  }];
}

//===-- Casts -------------------------------------------------------------------------------------

class LLVM_FlaggedCastOp<string mnemonic, Type from, Type to, dag flags, string before, string after>
    : LLVM_Op<mnemonic, [Pure]> {
  let arguments = !con((ins from:$arg), flags);
  let results = (outs to:$res);
  let assemblyFormat = before # "$arg" # after # " attr-dict `:` type($arg) `to` type($res)";
}
class LLVM_CastOp<string mnemonic, Type from, Type to>
    : LLVM_FlaggedCastOp<mnemonic, from, to, (ins), "", "">;
class LLVM_NonNegCastOp<string mnemonic, Type to>
    : LLVM_FlaggedCastOp<mnemonic, LLVM_AnyInteger, to, (ins UnitAttr:$nonNeg),
                         "(`nneg` $nonNeg^)? ", "">;
class LLVM_FastmathCastOp<string mnemonic>
    : LLVM_FlaggedCastOp<mnemonic, LLVM_FloatLike, LLVM_FloatLike,
                         (ins LLVM_FastmathArg:$fastmathFlags), "",
                         " (`fastmath` `` $fastmathFlags^)?">;

def LLVM_BitcastOp : LLVM_CastOp<"bitcast", LLVM_AnyNonAggregate, LLVM_AnyNonAggregate> {
  let summary = "The same bits as another type";
}
def LLVM_AddrSpaceCastOp : LLVM_CastOp<"addrspacecast", LLVM_PointerLike, LLVM_PointerLike> {
  let summary = "The address in another address space";
}
def LLVM_IntToPtrOp
    : LLVM_FlaggedCastOp<"inttoptr", LLVM_AnyInteger, LLVM_PointerLike,
                         (ins OptionalAttr<LLVM_DereferenceableAttr>:$dereferenceable), "",
                         " (`dereferenceable` `` $dereferenceable^)?"> {
  let summary = "The address of a number";
}
def LLVM_PtrToIntOp : LLVM_CastOp<"ptrtoint", LLVM_PointerLike, LLVM_AnyInteger> {
  let summary = "The number of an address";
}
def LLVM_PtrToAddrOp : LLVM_CastOp<"ptrtoaddr", LLVM_PointerLike, LLVM_AnyInteger> {
  let summary = "The part of a pointer that is its address";
}
def LLVM_SExtOp : LLVM_CastOp<"sext", LLVM_AnyInteger, LLVM_AnyInteger> {
  let summary = "More bits, copies of the sign";
  let verifier = "widening";
}
def LLVM_ZExtOp : LLVM_NonNegCastOp<"zext", LLVM_AnyInteger> {
  let summary = "More bits, zeros";
  let verifier = "widening";
}
def LLVM_TruncOp
    : LLVM_FlaggedCastOp<"trunc", LLVM_AnyInteger, LLVM_AnyInteger,
                         (ins LLVM_OverflowArg:$overflowFlags), "",
                         " (custom<Overflow>($overflowFlags)^)?"> {
  let summary = "Fewer bits";
}
def LLVM_SIToFPOp : LLVM_CastOp<"sitofp", LLVM_AnyInteger, LLVM_FloatLike> {
  let summary = "The float of a signed integer";
}
def LLVM_UIToFPOp : LLVM_NonNegCastOp<"uitofp", LLVM_FloatLike> {
  let summary = "The float of an unsigned integer";
}
def LLVM_FPToSIOp : LLVM_CastOp<"fptosi", LLVM_FloatLike, LLVM_AnyInteger> {
  let summary = "The signed integer of a float";
}
def LLVM_FPToUIOp : LLVM_CastOp<"fptoui", LLVM_FloatLike, LLVM_AnyInteger> {
  let summary = "The unsigned integer of a float";
}
def LLVM_FPExtOp : LLVM_FastmathCastOp<"fpext"> { let summary = "More digits"; }
def LLVM_FPTruncOp : LLVM_FastmathCastOp<"fptrunc"> { let summary = "Fewer digits"; }
