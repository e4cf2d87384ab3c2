// Intrinsics: what LLVM knows by a name.

class LLVM_IntrOp<string mnemonic, list<Trait> traits = []>
    : LLVM_Op<"intr." # mnemonic, traits>;
// With one result.
class LLVM_ValueIntrOp<string mnemonic, list<Trait> traits = [Pure]>
    : LLVM_IntrOp<mnemonic, traits> {
  let results = (outs LLVM_Type:$res);
}
// Written like a call.
class LLVM_CallLikeIntrOp<string mnemonic, list<Trait> traits = [Pure]>
    : LLVM_ValueIntrOp<mnemonic, traits> {
  let assemblyFormat = "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}
class LLVM_FastmathIntrOp<string mnemonic, dag args, list<Trait> traits = []>
    : LLVM_ValueIntrOp<mnemonic, !listconcat([Pure], traits)> {
  let arguments = !con(args, (ins LLVM_FastmathArg:$fastmathFlags));
  let assemblyFormat = [{
    `(` operands `)` (`fastmath` `` $fastmathFlags^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

//===-- Floats ------------------------------------------------------------------------------------

class LLVM_UnaryFIntrOp<string mnemonic>
    : LLVM_FastmathIntrOp<mnemonic, (ins LLVM_FloatLike:$in), [SameOperandsAndResultType]>;
class LLVM_BinaryFIntrOp<string mnemonic>
    : LLVM_FastmathIntrOp<mnemonic, (ins LLVM_FloatLike:$a, LLVM_FloatLike:$b),
                          [SameOperandsAndResultType]>;
class LLVM_TernaryFIntrOp<string mnemonic>
    : LLVM_FastmathIntrOp<mnemonic, (ins LLVM_FloatLike:$a, LLVM_FloatLike:$b, LLVM_FloatLike:$c),
                          [SameOperandsAndResultType]>;
class LLVM_PowerIntrOp<string mnemonic>
    : LLVM_FastmathIntrOp<mnemonic, (ins LLVM_FloatLike:$val, AnySignlessInteger:$power)>;

foreach name = ["exp", "exp2", "exp10", "fabs", "ceil", "floor", "log", "log2", "log10",
                "roundeven", "round", "trunc", "sqrt", "rint", "nearbyint", "sin", "cos", "tan",
                "asin", "acos", "atan", "sinh", "cosh", "tanh", "canonicalize"] in {
  def LLVM_Intr_ # name # Op : LLVM_UnaryFIntrOp<name>;
}
foreach name = ["copysign", "pow", "maxnum", "minnum", "maximum", "minimum", "maximumnum",
                "minimumnum", "atan2"] in {
  def LLVM_Intr_ # name # Op : LLVM_BinaryFIntrOp<name>;
}
foreach name = ["fma", "fmuladd"] in {
  def LLVM_Intr_ # name # Op : LLVM_TernaryFIntrOp<name>;
}
foreach name = ["powi", "ldexp"] in {
  def LLVM_Intr_ # name # Op : LLVM_PowerIntrOp<name>;
}
foreach name = ["frexp", "sincos", "modf"] in {
  def LLVM_Intr_ # name # Op : LLVM_FastmathIntrOp<name, (ins LLVM_FloatLike:$val)>;
}
foreach name = ["lround", "llround", "lrint", "llrint"] in {
  def LLVM_Intr_ # name # Op : LLVM_CallLikeIntrOp<name> {
    let arguments = (ins LLVM_FloatLike:$val);
  }
}
def LLVM_IsFPClassOp : LLVM_ValueIntrOp<"is.fpclass"> {
  let summary = "Whether a float is of some kinds";
  let arguments = (ins LLVM_FloatLike:$in, I32Attr:$bit);
}

// Casts that keep floating-point exceptions.
class LLVM_ConstrainedIntrOp<string mnemonic, dag rounding, string format>
    : LLVM_ValueIntrOp<"experimental.constrained." # mnemonic> {
  let arguments = !con((ins LLVM_Type:$arg_0), rounding,
                       (ins LLVM_FPExceptionBehavior:$fpExceptionBehavior,
                            LLVM_FastmathArg:$fastmathFlags));
  let assemblyFormat = "$arg_0 " # format # [{
    $fpExceptionBehavior (`fastmath` `` $fastmathFlags^)? attr-dict
    `:` type($arg_0) `to` type(results)
  }];
}
foreach name = ["uitofp", "sitofp", "fptrunc"] in {
  def LLVM_Constrained_ # name # Op
      : LLVM_ConstrainedIntrOp<name, (ins LLVM_RoundingMode:$roundingmode), "$roundingmode">;
}
def LLVM_Constrained_fpextOp : LLVM_ConstrainedIntrOp<"fpext", (ins), "">;

//===-- Integers ----------------------------------------------------------------------------------

foreach name = ["bitreverse", "bswap", "ctpop"] in {
  def LLVM_Intr_ # name # Op : LLVM_CallLikeIntrOp<name, [Pure, SameOperandsAndResultType]> {
    let arguments = (ins LLVM_AnyInteger:$in);
  }
}
foreach name = ["smax", "smin", "umax", "umin", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat",
                "sshl.sat", "ushl.sat"] in {
  def LLVM_Intr_ # !subst(".", "_", name) # Op
      : LLVM_CallLikeIntrOp<name, [Pure, SameOperandsAndResultType]> {
    let arguments = (ins LLVM_AnyInteger:$a, LLVM_AnyInteger:$b);
  }
}
foreach name = ["fshl", "fshr"] in {
  def LLVM_Intr_ # name # Op : LLVM_CallLikeIntrOp<name, [Pure, SameOperandsAndResultType]> {
    let arguments = (ins LLVM_AnyInteger:$a, LLVM_AnyInteger:$b, LLVM_AnyInteger:$c);
  }
}
foreach name = ["scmp", "ucmp"] in {
  def LLVM_Intr_ # name # Op : LLVM_CallLikeIntrOp<name, [Pure, SameTypeOperands]> {
    let arguments = (ins LLVM_AnyInteger:$a, LLVM_AnyInteger:$b);
  }
}
foreach name = ["sadd", "uadd", "ssub", "usub", "smul", "umul"] in {
  def LLVM_Intr_ # name # _with_overflowOp
      : LLVM_ValueIntrOp<name # ".with.overflow", [Pure, SameTypeOperands]> {
    let arguments = (ins LLVM_AnyInteger:$a, LLVM_AnyInteger:$b);
  }
}
foreach name = ["ctlz", "cttz"] in {
  def LLVM_Intr_ # name # Op : LLVM_ValueIntrOp<name> {
    let arguments = (ins LLVM_AnyInteger:$in, I1Attr:$is_zero_poison);
  }
}
def LLVM_AbsOp : LLVM_ValueIntrOp<"abs"> {
  let summary = "The integer without its sign";
  let arguments = (ins LLVM_AnyInteger:$in, I1Attr:$is_int_min_poison);
}

//===-- Memory ------------------------------------------------------------------------------------

class LLVM_BulkIntrOp<string mnemonic, dag args> : LLVM_IntrOp<mnemonic> {
  let arguments = !con((ins Arg<LLVM_AnyPointer, "", [MemWrite]>:$dst), args,
                       (ins I1Attr:$isVolatile), LLVM_aliasArgs, LLVM_dictArgs);
}
class LLVM_CopyIntrOp<string mnemonic, dag length>
    : LLVM_BulkIntrOp<mnemonic, !con((ins Arg<LLVM_AnyPointer, "", [MemRead]>:$src), length)>;
class LLVM_FillIntrOp<string mnemonic, dag length>
    : LLVM_BulkIntrOp<mnemonic, !con((ins I8:$val), length)>;
def LLVM_MemcpyOp : LLVM_CopyIntrOp<"memcpy", (ins AnySignlessInteger:$len)>;
def LLVM_MemmoveOp : LLVM_CopyIntrOp<"memmove", (ins AnySignlessInteger:$len)>;
def LLVM_MemcpyInlineOp : LLVM_CopyIntrOp<"memcpy.inline", (ins APIntAttr:$len)>;
def LLVM_MemsetOp : LLVM_FillIntrOp<"memset", (ins AnySignlessInteger:$len)>;
def LLVM_MemsetInlineOp : LLVM_FillIntrOp<"memset.inline", (ins APIntAttr:$len)>;

def LLVM_PrefetchOp : LLVM_IntrOp<"prefetch"> {
  let summary = "Brings memory near";
  let arguments = (ins LLVM_AnyPointer:$addr, I32Attr:$rw, I32Attr:$hint, I32Attr:$cache);
}
def LLVM_NoAliasScopeDeclOp : LLVM_IntrOp<"experimental.noalias.scope.decl"> {
  let summary = "Where an alias scope begins";
  let arguments = (ins LLVM_AliasScopeAttr:$scope);
  let assemblyFormat = "$scope attr-dict";
}
def LLVM_PtrMaskOp : LLVM_ValueIntrOp<"ptrmask", [Pure, AllTypesMatch<["ptr", "res"]>]> {
  let summary = "The address with some bits cleared";
  let arguments = (ins LLVM_PointerLike:$ptr, LLVM_AnyInteger:$mask);
  let assemblyFormat = "$ptr `,` $mask attr-dict `:` functional-type(operands, results)";
}
class LLVM_PointerIntrOp<string mnemonic, string argument> : LLVM_IntrOp<mnemonic> {
  let arguments = !dag(ins, [LLVM_AnyPointer], [argument]);
  let assemblyFormat = "$" # argument # " attr-dict `:` type($" # argument # ")";
}
def LLVM_LifetimeStartOp : LLVM_PointerIntrOp<"lifetime.start", "ptr">;
def LLVM_LifetimeEndOp : LLVM_PointerIntrOp<"lifetime.end", "ptr">;
def LLVM_StackRestoreOp : LLVM_PointerIntrOp<"stackrestore", "ptr">;
def LLVM_VaStartOp : LLVM_PointerIntrOp<"vastart", "arg_list">;
def LLVM_VaEndOp : LLVM_PointerIntrOp<"vaend", "arg_list">;
def LLVM_VaCopyOp : LLVM_IntrOp<"vacopy"> {
  let summary = "Where an argument list stands";
  let arguments = (ins LLVM_AnyPointer:$dest_list, LLVM_AnyPointer:$src_list);
  let assemblyFormat = "$src_list `to` $dest_list attr-dict `:` type(operands)";
}
foreach name = ["launder", "strip"] in {
  def LLVM_Intr_ # name # _invariant_groupOp
      : LLVM_ValueIntrOp<name # ".invariant.group", [SameOperandsAndResultType]> {
    let arguments = (ins LLVM_AnyPointer:$ptr);
    let assemblyFormat = "$ptr attr-dict `:` type($ptr)";
  }
}
def LLVM_InvariantStartOp : LLVM_IntrOp<"invariant.start"> {
  let summary = "From here on memory does not change";
  let arguments = (ins I64Attr:$size, LLVM_AnyPointer:$ptr);
  let results = (outs LLVM_DefaultPointer:$res);
  let assemblyFormat = "$size `,` $ptr attr-dict `:` type($ptr)";
}
def LLVM_InvariantEndOp : LLVM_IntrOp<"invariant.end"> {
  let summary = "From here on memory may change again";
  let arguments = (ins LLVM_DefaultPointer:$start, I64Attr:$size, LLVM_AnyPointer:$ptr);
  let assemblyFormat = "$start `,` $size `,` $ptr attr-dict `:` type($ptr)";
}
def LLVM_StackSaveOp : LLVM_IntrOp<"stacksave"> {
  let summary = "Where the stack ends";
  let results = (outs LLVM_AnyPointer:$res);
  let assemblyFormat = "attr-dict `:` type($res)";
}
def LLVM_ThreadlocalAddressOp : LLVM_ValueIntrOp<"threadlocal.address"> {
  let summary = "The address of a global of this thread";
  let arguments = (ins LLVM_AnyPointer:$global);
}

//===-- Masked memory -----------------------------------------------------------------------------

def LLVM_Mask : LLVM_VectorOf<I1>;
def LLVM_VectorOfPointers : LLVM_VectorOf<LLVM_AnyPointer>;
def LLVM_MaskedLoadOp : LLVM_ValueIntrOp<"masked.load", []> {
  let summary = "Reads the elements of a vector that a mask names";
  let arguments = (ins LLVM_AnyPointer:$data, LLVM_Mask:$mask, Optional<LLVM_AnyVector>:$pass_thru,
                       I64Attr:$alignment, UnitAttr:$nontemporal);
  let assemblyFormat = [{
    `(` operands `)` `,` `alignment` `(` $alignment `)` prop-dict attr-dict `:`
    functional-type(operands, results)
  }];
}
def LLVM_MaskedStoreOp : LLVM_IntrOp<"masked.store"> {
  let summary = "Writes the elements of a vector that a mask names";
  let arguments = (ins LLVM_AnyVector:$value, LLVM_AnyPointer:$data, LLVM_Mask:$mask,
                       I64Attr:$alignment, UnitAttr:$nontemporal);
  let assemblyFormat = [{
    `(` operands `)` `,` `alignment` `(` $alignment `)` prop-dict attr-dict `:`
    type($value) `,` type($mask) `into` type($data)
  }];
}
def LLVM_MaskedGatherOp : LLVM_ValueIntrOp<"masked.gather", []> {
  let summary = "Reads the elements that a mask names, each from an address";
  let arguments = (ins LLVM_VectorOfPointers:$ptrs, LLVM_Mask:$mask,
                       Variadic<LLVM_AnyVector>:$pass_thru, I64Attr:$alignment);
  let assemblyFormat = [{
    `(` operands `)` `,` `alignment` `(` $alignment `)` attr-dict `:`
    functional-type(operands, results)
  }];
}
def LLVM_MaskedScatterOp : LLVM_IntrOp<"masked.scatter"> {
  let summary = "Writes the elements that a mask names, each to an address";
  let arguments = (ins LLVM_AnyVector:$value, LLVM_VectorOfPointers:$ptrs, LLVM_Mask:$mask,
                       I64Attr:$alignment);
  let assemblyFormat = [{
    `(` operands `)` `,` `alignment` `(` $alignment `)` attr-dict `:`
    type($value) `,` type($mask) `into` type($ptrs)
  }];
}
def LLVM_MaskedExpandloadOp : LLVM_ValueIntrOp<"masked.expandload", []> {
  let summary = "Reads elements that lie one after the other to where a mask names them";
  let arguments = !con((ins LLVM_AnyPointer:$ptr, LLVM_Mask:$mask, LLVM_AnyVector:$passthru),
                       LLVM_dictArgs);
}
def LLVM_MaskedCompressstoreOp : LLVM_IntrOp<"masked.compressstore"> {
  let summary = "Writes the elements that a mask names one after the other";
  let arguments = !con((ins LLVM_AnyVector:$value, LLVM_AnyPointer:$ptr, LLVM_Mask:$mask),
                       LLVM_dictArgs);
}

//===-- Vectors -----------------------------------------------------------------------------------

foreach name = ["add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin"] in {
  def LLVM_Reduce_ # name # Op
      : LLVM_ValueIntrOp<"vector.reduce." # name, [Pure, SameOperandsAndResultElementType]> {
    let arguments = (ins LLVM_VectorOf<AnySignlessInteger>:$in);
  }
}
foreach name = ["fmax", "fmin", "fmaximum", "fminimum"] in {
  def LLVM_Reduce_ # name # Op
      : LLVM_FastmathIntrOp<"vector.reduce." # name, (ins LLVM_VectorOf<LLVM_AnyFloat>:$in),
                            [SameOperandsAndResultElementType]>;
}
foreach name = ["fadd", "fmul"] in {
  def LLVM_Reduce_ # name # Op
      : LLVM_FastmathIntrOp<"vector.reduce." # name,
                            (ins LLVM_AnyFloat:$start_value, LLVM_VectorOf<LLVM_AnyFloat>:$input),
                            [SameOperandsAndResultElementType]>;
}
def LLVM_VectorInsertOp : LLVM_ValueIntrOp<"vector.insert", [Pure, AllTypesMatch<["dstvec", "res"]>]> {
  let summary = "The vector with another part";
  let arguments = (ins LLVM_AnyVector:$dstvec, LLVM_AnyVector:$srcvec, I64Attr:$pos);
  let assemblyFormat = [{
    $srcvec `,` $dstvec `[` $pos `]` attr-dict `:` type($srcvec) `into` type($res)
  }];
}
def LLVM_VectorExtractOp : LLVM_ValueIntrOp<"vector.extract"> {
  let summary = "A part of a vector";
  let arguments = (ins LLVM_AnyVector:$srcvec, I64Attr:$pos);
  let assemblyFormat = "$srcvec `[` $pos `]` attr-dict `:` type($res) `from` type($srcvec)";
}
def LLVM_VectorInterleaveOp
    : LLVM_ValueIntrOp<"vector.interleave2", [Pure, AllTypesMatch<["vec1", "vec2"]>]> {
  let summary = "The elements of two vectors by turns";
  let arguments = (ins LLVM_AnyVector:$vec1, LLVM_AnyVector:$vec2);
}
def LLVM_VectorDeinterleaveOp : LLVM_ValueIntrOp<"vector.deinterleave2"> {
  let summary = "The even and the odd elements of a vector";
  let arguments = (ins LLVM_AnyVector:$vec);
}
def LLVM_VScaleOp : LLVM_ValueIntrOp<"vscale", []> {
  let summary = "The factor of scalable vectors";
}
def LLVM_StepVectorOp : LLVM_IntrOp<"stepvector", [Pure]> {
  let summary = "0, 1, 2, …";
  let results = (outs LLVM_VectorOf<AnySignlessInteger>:$res);
  let assemblyFormat = "attr-dict `:` type($res)";
}
def LLVM_GetActiveLaneMaskOp : LLVM_ValueIntrOp<"get.active.lane.mask"> {
  let summary = "The elements whose numbers, counted from one integer, are below another";
  let arguments = (ins AnySignlessInteger:$base, AnySignlessInteger:$n);
  let assemblyFormat = [{
    $base `,` $n attr-dict `:` type($base) `,` type($n) `to` type($res)
  }];
}

//===-- Matrices in vectors -----------------------------------------------------------------------

def LLVM_MatrixMultiplyOp : LLVM_ValueIntrOp<"matrix.multiply", []> {
  let arguments = (ins LLVM_AnyVector:$lhs, LLVM_AnyVector:$rhs, I32Attr:$lhs_rows,
                       I32Attr:$lhs_columns, I32Attr:$rhs_columns);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` `lhs_rows` `=` $lhs_rows `,` `lhs_columns` `=` $lhs_columns `,`
    `rhs_columns` `=` $rhs_columns attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($res)
  }];
}
def LLVM_MatrixTransposeOp : LLVM_ValueIntrOp<"matrix.transpose", []> {
  let arguments = (ins LLVM_AnyVector:$matrix, I32Attr:$rows, I32Attr:$columns);
  let assemblyFormat = [{
    $matrix `,` `rows` `=` $rows `,` `columns` `=` $columns attr-dict `:`
    type($matrix) `into` type($res)
  }];
}
def LLVM_MatrixColumnMajorLoadOp : LLVM_ValueIntrOp<"matrix.column.major.load", []> {
  let arguments = (ins LLVM_AnyPointer:$data, AnySignlessInteger:$stride, I1Attr:$isVolatile,
                       I32Attr:$rows, I32Attr:$columns);
  let assemblyFormat = [{
    $data `,` `<` `stride` `=` $stride `>` `,` `is_volatile` `=` $isVolatile `,` `rows` `=` $rows
    `,` `columns` `=` $columns attr-dict `:` type($res) `from` type($data) `stride` type($stride)
  }];
}
def LLVM_MatrixColumnMajorStoreOp : LLVM_IntrOp<"matrix.column.major.store"> {
  let arguments = (ins LLVM_AnyVector:$matrix, LLVM_AnyPointer:$data, AnySignlessInteger:$stride,
                       I1Attr:$isVolatile, I32Attr:$rows, I32Attr:$columns);
  let assemblyFormat = [{
    $matrix `,` $data `,` `<` `stride` `=` $stride `>` `,` `is_volatile` `=` $isVolatile `,`
    `rows` `=` $rows `,` `columns` `=` $columns attr-dict `:`
    type($matrix) `to` type($data) `stride` type($stride)
  }];
}

//===-- What is known, and what must not happen ---------------------------------------------------

def LLVM_AssumeOp : LLVM_IntrOp<"assume", [SegmentsBy<"op_bundle_operands", "op_bundle_sizes">]> {
  let summary = "Promises that a condition holds";
  let description = [{
    What the tags of the bundles say of their values is promised, too.
  }];
  let arguments = !con((ins I1:$cond), LLVM_bundleArgs);
  let assemblyFormat = [{
    $cond (custom<OpBundles>($op_bundle_operands, type($op_bundle_operands), $op_bundle_sizes,
                             $op_bundle_tags)^)? `:` type($cond) attr-dict
  }];
  let verifier = "bundles";
}
def LLVM_ExpectOp : LLVM_ValueIntrOp<"expect", [Pure, SameOperandsAndResultType]> {
  let summary = "The value, which is likely another";
  let arguments = (ins AnySignlessInteger:$val, AnySignlessInteger:$expected);
  let assemblyFormat = "$val `,` $expected attr-dict `:` type($val)";
}
def LLVM_ExpectWithProbabilityOp
    : LLVM_ValueIntrOp<"expect.with.probability", [Pure, SameOperandsAndResultType]> {
  let summary = "The value, which is another this often";
  let arguments = (ins AnySignlessInteger:$val, AnySignlessInteger:$expected, F64Attr:$prob);
  let assemblyFormat = "$val `,` $expected `,` $prob attr-dict `:` type($val)";
}
def LLVM_SSACopyOp : LLVM_ValueIntrOp<"ssa.copy", [Pure, SameOperandsAndResultType]> {
  let summary = "The value under another name";
  let arguments = (ins LLVM_Type:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}
def LLVM_IsConstantOp : LLVM_IntrOp<"is.constant", [Pure]> {
  let summary = "Whether a value is known to be a constant";
  let arguments = (ins LLVM_Type:$val);
  let results = (outs I1:$res);
}
foreach name = ["trap", "debugtrap"] in {
  def LLVM_Intr_ # name # Op : LLVM_IntrOp<name> {
    let assemblyFormat = "attr-dict";
  }
}
def LLVM_UBSanTrapOp : LLVM_IntrOp<"ubsantrap"> {
  let summary = "Stops the program, and says why";
  let arguments = (ins I8Attr:$failureKind);
  let assemblyFormat = "`failureKind` `=` $failureKind attr-dict";
}
