// Intrinsics on the first elements of vectors, of these where a mask is set. Text has them in
// generic form only.

class LLVM_VPOp<string mnemonic, dag args> : LLVM_ValueIntrOp<"vp." # mnemonic> {
  let arguments = !con(args, (ins LLVM_Mask:$mask, I32:$evl));
}
defvar LLVM_vpIntegers = ["add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "ashr", "lshr",
                          "shl", "or", "and", "xor", "smax", "smin", "umax", "umin"];
foreach name = LLVM_vpIntegers in {
  def LLVM_VP_ # name # Op
      : LLVM_VPOp<name, (ins LLVM_VectorOf<AnySignlessInteger>:$lhs,
                             LLVM_VectorOf<AnySignlessInteger>:$rhs)>;
}
foreach name = ["fadd", "fsub", "fmul", "fdiv", "frem"] in {
  def LLVM_VP_ # name # Op
      : LLVM_VPOp<name, (ins LLVM_VectorOf<LLVM_AnyFloat>:$lhs,
                             LLVM_VectorOf<LLVM_AnyFloat>:$rhs)>;
}
def LLVM_VP_fnegOp : LLVM_VPOp<"fneg", (ins LLVM_VectorOf<LLVM_AnyFloat>:$op)>;
foreach name = ["fma", "fmuladd"] in {
  def LLVM_VP_ # name # Op
      : LLVM_VPOp<name, (ins LLVM_VectorOf<LLVM_AnyFloat>:$op1, LLVM_VectorOf<LLVM_AnyFloat>:$op2,
                             LLVM_VectorOf<LLVM_AnyFloat>:$op3)>;
}
foreach name = ["add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin"] in {
  def LLVM_VP_reduce_ # name # Op
      : LLVM_VPOp<"reduce." # name, (ins AnySignlessInteger:$start_value,
                                         LLVM_VectorOf<AnySignlessInteger>:$val)>;
}
foreach name = ["fadd", "fmul", "fmax", "fmin"] in {
  def LLVM_VP_reduce_ # name # Op
      : LLVM_VPOp<"reduce." # name, (ins LLVM_AnyFloat:$start_value,
                                         LLVM_VectorOf<LLVM_AnyFloat>:$val)>;
}
foreach name = ["trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp",
                "sitofp", "ptrtoint", "inttoptr"] in {
  def LLVM_VP_ # name # Op : LLVM_VPOp<name, (ins LLVM_AnyVector:$src)>;
}
foreach name = ["select", "merge"] in {
  def LLVM_VP_ # name # Op : LLVM_ValueIntrOp<"vp." # name> {
    let arguments = (ins LLVM_Mask:$cond, LLVM_AnyVector:$true_val, LLVM_AnyVector:$false_val,
                         I32:$evl);
  }
}
// These access memory.
def LLVM_VPLoadOp : LLVM_ValueIntrOp<"vp.load", []> {
  let arguments = (ins LLVM_AnyPointer:$ptr, LLVM_Mask:$mask, I32:$evl);
}
def LLVM_VPStoreOp : LLVM_IntrOp<"vp.store"> {
  let arguments = (ins LLVM_AnyVector:$val, LLVM_AnyPointer:$ptr, LLVM_Mask:$mask, I32:$evl);
}
def LLVM_VPStridedLoadOp : LLVM_ValueIntrOp<"experimental.vp.strided.load", []> {
  let arguments = (ins LLVM_AnyPointer:$ptr, AnySignlessInteger:$stride, LLVM_Mask:$mask, I32:$evl);
}
def LLVM_VPStridedStoreOp : LLVM_IntrOp<"experimental.vp.strided.store"> {
  let arguments = (ins LLVM_AnyVector:$val, LLVM_AnyPointer:$ptr, AnySignlessInteger:$stride,
                       LLVM_Mask:$mask, I32:$evl);
}
