// Enums and flags.

class LLVM_EnumCase<string keyword, int value> : I64EnumAttrCase<keyword, value>;

def LLVM_AsmDialect : I64EnumAttr<"AsmDialect", "syntax of assembly", [
  LLVM_EnumCase<"att", 0>, LLVM_EnumCase<"intel", 1>
]>;

def LLVM_AtomicBinOp : I64EnumAttr<"AtomicBinOp", "what an atomic update computes", [
  LLVM_EnumCase<"xchg", 0>, LLVM_EnumCase<"add", 1>, LLVM_EnumCase<"sub", 2>,
  LLVM_EnumCase<"_and", 3>, LLVM_EnumCase<"nand", 4>, LLVM_EnumCase<"_or", 5>,
  LLVM_EnumCase<"_xor", 6>, LLVM_EnumCase<"max", 7>, LLVM_EnumCase<"min", 8>,
  LLVM_EnumCase<"umax", 9>, LLVM_EnumCase<"umin", 10>, LLVM_EnumCase<"fadd", 11>,
  LLVM_EnumCase<"fsub", 12>, LLVM_EnumCase<"fmax", 13>, LLVM_EnumCase<"fmin", 14>,
  LLVM_EnumCase<"uinc_wrap", 15>, LLVM_EnumCase<"udec_wrap", 16>, LLVM_EnumCase<"usub_cond", 17>,
  LLVM_EnumCase<"usub_sat", 18>, LLVM_EnumCase<"fmaximum", 19>, LLVM_EnumCase<"fminimum", 20>
]>;

def LLVM_AtomicOrdering : I64EnumAttr<"AtomicOrdering", "order that an atomic access keeps", [
  LLVM_EnumCase<"not_atomic", 0>, LLVM_EnumCase<"unordered", 1>, LLVM_EnumCase<"monotonic", 2>,
  LLVM_EnumCase<"acquire", 4>, LLVM_EnumCase<"release", 5>, LLVM_EnumCase<"acq_rel", 6>,
  LLVM_EnumCase<"seq_cst", 7>
]>;

def LLVM_CConv : I64EnumAttr<"CConv", "calling convention", [
  LLVM_EnumCase<"ccc", 0>, LLVM_EnumCase<"fastcc", 8>, LLVM_EnumCase<"coldcc", 9>,
  LLVM_EnumCase<"cc_10", 10>, LLVM_EnumCase<"cc_11", 11>, LLVM_EnumCase<"anyregcc", 13>,
  LLVM_EnumCase<"preserve_mostcc", 14>, LLVM_EnumCase<"preserve_allcc", 15>,
  LLVM_EnumCase<"swiftcc", 16>, LLVM_EnumCase<"cxx_fast_tlscc", 17>, LLVM_EnumCase<"tailcc", 18>,
  LLVM_EnumCase<"cfguard_checkcc", 19>, LLVM_EnumCase<"swifttailcc", 20>,
  LLVM_EnumCase<"x86_stdcallcc", 64>, LLVM_EnumCase<"x86_fastcallcc", 65>,
  LLVM_EnumCase<"arm_apcscc", 66>, LLVM_EnumCase<"arm_aapcscc", 67>,
  LLVM_EnumCase<"arm_aapcs_vfpcc", 68>, LLVM_EnumCase<"msp430_intrcc", 69>,
  LLVM_EnumCase<"x86_thiscallcc", 70>, LLVM_EnumCase<"ptx_kernelcc", 71>,
  LLVM_EnumCase<"ptx_devicecc", 72>, LLVM_EnumCase<"spir_funccc", 75>,
  LLVM_EnumCase<"spir_kernelcc", 76>, LLVM_EnumCase<"intel_ocl_bicc", 77>,
  LLVM_EnumCase<"x86_64_sysvcc", 78>, LLVM_EnumCase<"win64cc", 79>,
  LLVM_EnumCase<"x86_vectorcallcc", 80>, LLVM_EnumCase<"hhvmcc", 81>,
  LLVM_EnumCase<"hhvm_ccc", 82>, LLVM_EnumCase<"x86_intrcc", 83>,
  LLVM_EnumCase<"avr_intrcc", 84>, LLVM_EnumCase<"avr_builtincc", 86>,
  LLVM_EnumCase<"amdgpu_vscc", 87>, LLVM_EnumCase<"amdgpu_gscc", 88>,
  LLVM_EnumCase<"amdgpu_cscc", 90>, LLVM_EnumCase<"amdgpu_kernelcc", 91>,
  LLVM_EnumCase<"x86_regcallcc", 92>, LLVM_EnumCase<"amdgpu_hscc", 93>,
  LLVM_EnumCase<"msp430_builtincc", 94>, LLVM_EnumCase<"amdgpu_lscc", 95>,
  LLVM_EnumCase<"amdgpu_escc", 96>, LLVM_EnumCase<"aarch64_vectorcallcc", 97>,
  LLVM_EnumCase<"aarch64_sve_vectorcallcc", 98>, LLVM_EnumCase<"wasm_emscripten_invokecc", 99>,
  LLVM_EnumCase<"amdgpu_gfxcc", 100>, LLVM_EnumCase<"m68k_intrcc", 101>
]>;

def LLVM_TailCallKind : I64EnumAttr<"TailCallKind", "whether a call ends its function", [
  LLVM_EnumCase<"none", 0>, LLVM_EnumCase<"tail", 1>, LLVM_EnumCase<"musttail", 2>,
  LLVM_EnumCase<"notail", 3>
]>;

def LLVM_Overflow_none : I32BitEnumAttrCaseNone<"none">;
def LLVM_Overflow_nsw : I32BitEnumAttrCaseBit<"nsw", 0>;
def LLVM_Overflow_nuw : I32BitEnumAttrCaseBit<"nuw", 1>;
class LLVM_OverflowEnum<string name>
    : I32BitEnumAttr<name, "promise that a result does not wrap", [
  LLVM_Overflow_none, LLVM_Overflow_nsw, LLVM_Overflow_nuw
]> {
  let separator = ", ";
}
// Ops hold the bits; the attribute is for what is said beside them.
def LLVM_IntegerOverflowFlags : LLVM_OverflowEnum<"LLVMIntegerOverflowFlags">;
def LLVM_IntegerOverflow : LLVM_OverflowEnum<"LLVMIntegerOverflow">;

def LLVM_Fastmath_none : I32BitEnumAttrCaseNone<"none">;
def LLVM_Fastmath_nnan : I32BitEnumAttrCaseBit<"nnan", 0>;
def LLVM_Fastmath_ninf : I32BitEnumAttrCaseBit<"ninf", 1>;
def LLVM_Fastmath_nsz : I32BitEnumAttrCaseBit<"nsz", 2>;
def LLVM_Fastmath_arcp : I32BitEnumAttrCaseBit<"arcp", 3>;
def LLVM_Fastmath_contract : I32BitEnumAttrCaseBit<"contract", 4>;
def LLVM_Fastmath_afn : I32BitEnumAttrCaseBit<"afn", 5>;
def LLVM_Fastmath_reassoc : I32BitEnumAttrCaseBit<"reassoc", 6>;
def LLVM_Fastmath_fast : I32BitEnumAttrCaseGroup<"fast", [
  LLVM_Fastmath_nnan, LLVM_Fastmath_ninf, LLVM_Fastmath_nsz, LLVM_Fastmath_arcp,
  LLVM_Fastmath_contract, LLVM_Fastmath_afn, LLVM_Fastmath_reassoc
]>;
def LLVM_FastmathFlags : I32BitEnumAttr<"FastmathFlags", "licence to deviate from IEEE 754", [
  LLVM_Fastmath_none, LLVM_Fastmath_nnan, LLVM_Fastmath_ninf, LLVM_Fastmath_nsz,
  LLVM_Fastmath_arcp, LLVM_Fastmath_contract, LLVM_Fastmath_afn, LLVM_Fastmath_reassoc,
  LLVM_Fastmath_fast
]> {
  let separator = ", ";
  let printBitEnumPrimaryGroups = 1;
}

def LLVM_GEP_none : I32BitEnumAttrCaseNone<"none">;
def LLVM_GEP_inboundsFlag : I32BitEnumAttrCaseBit<"inboundsFlag", 0, "inbounds_flag">;
def LLVM_GEP_nusw : I32BitEnumAttrCaseBit<"nusw", 1>;
def LLVM_GEP_nuw : I32BitEnumAttrCaseBit<"nuw", 2>;
def LLVM_GEP_inbounds
    : I32BitEnumAttrCaseGroup<"inbounds", [LLVM_GEP_inboundsFlag, LLVM_GEP_nusw]>;
def LLVM_GEPNoWrapFlags : I32BitEnumAttr<"GEPNoWrapFlags", "promise that an address is in range", [
  LLVM_GEP_none, LLVM_GEP_inboundsFlag, LLVM_GEP_nusw, LLVM_GEP_nuw, LLVM_GEP_inbounds
]> {
  let printBitEnumPrimaryGroups = 1;
}

def LLVM_ICmpPredicate : I64EnumAttr<"ICmpPredicate", "comparison of integers or addresses", [
  LLVM_EnumCase<"eq", 0>, LLVM_EnumCase<"ne", 1>, LLVM_EnumCase<"slt", 2>, LLVM_EnumCase<"sle", 3>,
  LLVM_EnumCase<"sgt", 4>, LLVM_EnumCase<"sge", 5>, LLVM_EnumCase<"ult", 6>,
  LLVM_EnumCase<"ule", 7>, LLVM_EnumCase<"ugt", 8>, LLVM_EnumCase<"uge", 9>
]>;
def LLVM_FCmpPredicate : I64EnumAttr<"FCmpPredicate", "comparison of floats", [
  LLVM_EnumCase<"_false", 0>, LLVM_EnumCase<"oeq", 1>, LLVM_EnumCase<"ogt", 2>,
  LLVM_EnumCase<"oge", 3>, LLVM_EnumCase<"olt", 4>, LLVM_EnumCase<"ole", 5>,
  LLVM_EnumCase<"one", 6>, LLVM_EnumCase<"ord", 7>, LLVM_EnumCase<"ueq", 8>,
  LLVM_EnumCase<"ugt", 9>, LLVM_EnumCase<"uge", 10>, LLVM_EnumCase<"ult", 11>,
  LLVM_EnumCase<"ule", 12>, LLVM_EnumCase<"une", 13>, LLVM_EnumCase<"uno", 14>,
  LLVM_EnumCase<"_true", 15>
]>;

def LLVM_Linkage : I64EnumAttr<"Linkage", "how symbols of one name become one", [
  LLVM_EnumCase<"external", 0>, LLVM_EnumCase<"available_externally", 1>,
  LLVM_EnumCase<"linkonce", 2>, LLVM_EnumCase<"linkonce_odr", 3>, LLVM_EnumCase<"weak", 4>,
  LLVM_EnumCase<"weak_odr", 5>, LLVM_EnumCase<"appending", 6>, LLVM_EnumCase<"internal", 7>,
  LLVM_EnumCase<"private", 8>, LLVM_EnumCase<"extern_weak", 9>, LLVM_EnumCase<"common", 10>
]>;
def LLVM_Comdat : I64EnumAttr<"Comdat", "which of several definitions is kept", [
  LLVM_EnumCase<"any", 0>, LLVM_EnumCase<"exactmatch", 1>, LLVM_EnumCase<"largest", 2>,
  LLVM_EnumCase<"nodeduplicate", 3>, LLVM_EnumCase<"samesize", 4>
]>;
// The first case of these is not written.
def LLVM_UnnamedAddr : I64EnumAttr<"UnnamedAddr", "whether an address matters", [
  LLVM_EnumCase<"none", 0>, LLVM_EnumCase<"local_unnamed_addr", 1>,
  LLVM_EnumCase<"unnamed_addr", 2>
]>;
def LLVM_Visibility : I64EnumAttr<"Visibility", "who sees a symbol", [
  LLVM_EnumCase<"default", 0>, LLVM_EnumCase<"hidden", 1>, LLVM_EnumCase<"protected", 2>
]>;

def LLVM_ModRefInfo : I64EnumAttr<"ModRefInfo", "what is done to memory", [
  LLVM_EnumCase<"none", 0>, LLVM_EnumCase<"read", 1>, LLVM_EnumCase<"write", 2>,
  LLVM_EnumCase<"readwrite", 3>
]>;
def LLVM_FramePointerKind : I64EnumAttr<"FramePointerKind", "which functions keep a frame pointer", [
  LLVM_EnumCase<"none", 0>, LLVM_EnumCase<"non-leaf", 1>, LLVM_EnumCase<"all", 2>,
  LLVM_EnumCase<"reserved", 3>, LLVM_EnumCase<"non-leaf-no-reserve", 4>
]>;
def LLVM_UWTableKind : I64EnumAttr<"UWTableKind", "how a stack is unwound", [
  LLVM_EnumCase<"none", 0>, LLVM_EnumCase<"sync", 1>, LLVM_EnumCase<"async", 2>
]>;
def LLVM_ModFlagBehavior : I64EnumAttr<"ModFlagBehavior", "how flags of two modules become one", [
  LLVM_EnumCase<"error", 1>, LLVM_EnumCase<"warning", 2>, LLVM_EnumCase<"require", 3>,
  LLVM_EnumCase<"override", 4>, LLVM_EnumCase<"append", 5>, LLVM_EnumCase<"append_unique", 6>,
  LLVM_EnumCase<"max", 7>, LLVM_EnumCase<"min", 8>
]>;

def LLVM_RoundingMode : I64EnumAttr<"LLVMRoundingMode", "rounding of floats", [
  LLVM_EnumCase<"towardzero", 0>, LLVM_EnumCase<"tonearest", 1>, LLVM_EnumCase<"upward", 2>,
  LLVM_EnumCase<"downward", 3>, LLVM_EnumCase<"tonearestaway", 4>, LLVM_EnumCase<"dynamic", 7>,
  LLVM_EnumCase<"invalid", -1>
]>;
def LLVM_FPExceptionBehavior
    : I64EnumAttr<"FPExceptionBehavior", "what is kept of floating-point exceptions", [
  LLVM_EnumCase<"ignore", 0>, LLVM_EnumCase<"maytrap", 1>, LLVM_EnumCase<"strict", 2>
]>;
