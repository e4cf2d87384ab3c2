// Lists.

class VM_ListOp<string mnemonic, list<MemoryEffect> effects, list<Trait> traits = []>
    : VM_Op<"list." # mnemonic, !listconcat(traits, [MemoryEffects<effects>, VM_MayFail])>;

def VM_ListAllocOp : VM_ListOp<"alloc", [MemAlloc], [
  VM_Code<0x12, [VM_HeldType<"result">, VM_Reg<"initial_capacity">, VM_Reg<"result">]>
]> {
  let summary = "An empty list with room for some values";
  let arguments = (ins I32:$initial_capacity);
  let results = (outs VM_AnyList:$result);
  let assemblyFormat = [{
    operands attr-dict `:` `(` type($initial_capacity) `)` `->` type($result)
  }];
  let resultNames = [NamedBy<"by_type">];
}

def VM_ListReserveOp : VM_ListOp<"reserve", [MemRead, MemWrite], [VM_Code<0x13>]> {
  let summary = "Makes room for some values";
  let arguments = (ins VM_AnyList:$list, I32:$minimum_capacity);
  let assemblyFormat = "operands attr-dict `:` `(` type($list) `,` type($minimum_capacity) `)`";
}

def VM_ListSizeOp : VM_ListOp<"size", [MemRead], [VM_Code<0x14>]> {
  let summary = "How many values a list has";
  let arguments = (ins VM_AnyList:$list);
  let results = (outs I32:$result);
  let assemblyFormat = "operands attr-dict `:` `(` type($list) `)` `->` type($result)";
}

def VM_ListResizeOp : VM_ListOp<"resize", [MemWrite], [VM_Code<0x15>]> {
  let summary = "Gives a list another number of values";
  let arguments = (ins VM_AnyList:$list, I32:$new_size);
  let assemblyFormat = "operands attr-dict `:` `(` type($list) `,` type($new_size) `)`";
}

class VM_ListGetOp<string mnemonic, TypeConstraint list_, TypeConstraint type,
                   list<Trait> needs = []>
    : VM_ListOp<"get." # mnemonic, [MemRead], needs> {
  let summary = "The value at a place of a list";
  let arguments = (ins list_:$list, I32:$index);
  let results = (outs type:$result);
  let assemblyFormat = [{
    operands attr-dict `:` `(` type($list) `,` type($index) `)` `->` type($result)
  }];
  let resultNames = [NamedBy<"by_type">];
}
class VM_ListSetOp<string mnemonic, TypeConstraint list_, TypeConstraint type,
                   list<Trait> needs = []>
    : VM_ListOp<"set." # mnemonic, [MemWrite],
                !listconcat(needs, [VM_TakesRefs<["value"]>])> {
  let summary = "Puts a value at a place of a list";
  let arguments = (ins list_:$list, I32:$index, type:$value);
  let assemblyFormat = [{
    operands attr-dict `:` `(` type($list) `,` type($index) `,` type($value) `)`
  }];
}
multiclass VM_NumberListAccess<string what, Type type, int get, int set> {
  def VM_ListGet#what#Op
      : VM_ListGetOp<!tolower(what), VM_NumberList, type,
                     !listconcat(VM_Needs<type>.traits, [VM_Code<get>])>;
  def VM_ListSet#what#Op
      : VM_ListSetOp<!tolower(what), VM_NumberList, type,
                     !listconcat(VM_Needs<type>.traits, [VM_Code<set>])>;
}
defm "" : VM_NumberListAccess<"I32", I32, 0x16, 0x17>;
defm "" : VM_NumberListAccess<"I64", I64, 0x18, 0x19>;
defm "" : VM_NumberListAccess<"F32", F32, 0x06, 0x07>;
defm "" : VM_NumberListAccess<"F64", F64, 0x06, 0x07>;
def VM_ListGetRefOp : VM_ListGetOp<"ref", VM_AnyList, VM_AnyRef, [
  VM_Code<0x1A, [VM_Reg<"list">, VM_Reg<"index">, VM_TypeOf<"result">, VM_Reg<"result">]>
]> {
  let verifier = "list_access";
}
def VM_ListSetRefOp : VM_ListSetOp<"ref", VM_AnyList, VM_AnyRef, [VM_Code<0x1B>]> {
  let verifier = "list_access";
}
