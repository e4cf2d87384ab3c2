// Constants.

multiclass VM_Const<string what, Type type, Attr kind, int zero, int opcode,
                    list<NameHint> names = []> {
  defvar lower = !tolower(what);
  def VM_Const#what#Op
      : VM_PureOp<"const." # lower,
                  !listconcat(VM_Needs<type>.traits,
                              [ConstantLike, VM_Code<opcode, [VM_Imm<"value">, VM_Reg<"result">]>])> {
    let summary = "A constant";
    let arguments = (ins kind:$value);
    let results = (outs type:$result);
    let assemblyFormat = "$value attr-dict";
    let resultNames = names;
  }
  // The value is not written and not there.
  def VM_Const#what#ZeroOp
      : VM_PureOp<"const." # lower # ".zero",
                  !listconcat(VM_Needs<type>.traits,
                              [ConstantLike, ConstantZero, VM_Code<zero>])> {
    let summary = "Zero";
    let results = (outs type:$result);
    let assemblyFormat = "attr-dict";
    let resultNames = [NamedAs<"result", "zero">];
  }
}
defm "" : VM_Const<"I32", I32, I32Attr, 0x0C, 0x0D, [NamedBy<"number">]>;
defm "" : VM_Const<"I64", I64, I64Attr, 0x0E, 0x0F, [NamedBy<"number">]>;
defm "" : VM_Const<"F32", F32, F32Attr, 0x04, 0x05>;
defm "" : VM_Const<"F64", F64, F64Attr, 0x04, 0x05>;

def VM_ConstRefZeroOp : VM_PureOp<"const.ref.zero", [ConstantLike, VM_Code<0x10>]> {
  let summary = "The null reference";
  let results = (outs VM_AnyRef:$result);
  let assemblyFormat = "`:` type($result) attr-dict";
  let resultNames = [NamedAs<"result", "null">];
}
