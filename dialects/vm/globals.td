// Globals: registers of the module.

class VM_GlobalOp<string mnemonic, list<Trait> traits = []>
    : VM_Op<"global." # mnemonic,
            !listconcat(traits, [HasParent<"vm.module">, IsolatedFromAbove, Symbol,
                                 Util_GlobalOpInterface])>;

class VM_GlobalNumberOp<string width, Type type, Attr value>
    : VM_GlobalOp<width, VM_Needs<type>.traits> {
  let summary = "A number that lives as long as the module, zero at first or of a given value";
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    TypeAttr:$type,
    UnitAttr:$is_mutable,
    OptionalAttr<value>:$initial_value,
    OptionalAttr<Util_InliningPolicyAttr>:$inlining_policy,
    OptionalAttr<I32Attr>:$ordinal
  );
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) (`mutable` $is_mutable^)? $sym_name prop-dict attr-dict
    custom<TypeOrAttr>($type, $initial_value)
  }];
}

def VM_GlobalRefOp : VM_GlobalOp<"ref"> {
  let summary = "A reference that lives as long as the module, null at first";
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    TypeAttr:$type,
    UnitAttr:$is_mutable,
    OptionalAttr<Util_InliningPolicyAttr>:$inlining_policy,
    OptionalAttr<I32Attr>:$ordinal
  );
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) (`mutable` $is_mutable^)? $sym_name prop-dict attr-dict `:`
    $type
  }];
}

def VM_GlobalAddressOp : VM_PureOp<"global.address", [SymbolUserOpInterface]> {
  let summary = "The address of a global";
  let arguments = (ins FlatSymbolRefAttr:$global, UnitAttr:$is_immutable);
  let results = (outs VM_AddressOf<AnyType>:$result);
  let assemblyFormat = "(`immutable` $is_immutable^)? $global attr-dict `:` type($result)";
}

// Reading and writing a global of a type, by name and by address.
// The codes are four in a row; a reference is checked against its type.
multiclass VM_GlobalAccess<string what, TypeConstraint type, int opcode, list<Trait> needs = []> {
  defvar lower = !tolower(what);
  defvar value = !listconcat(!if(!eq(what, "Ref"), [VM_TypeOf<"value">], []<VM_Field>),
                             [VM_Reg<"value">]);
  def VM_GlobalLoad#what#Op
      : VM_Op<"global.load." # lower,
              !listconcat(needs, [MemoryEffects<[MemRead]>, SymbolUserOpInterface,
                                  VM_Code<opcode, !listconcat([VM_Sym<"global">], value)>])> {
    let summary = "Reads a global";
    let arguments = (ins FlatSymbolRefAttr:$global, UnitAttr:$is_immutable);
    let results = (outs type:$value);
    let assemblyFormat = "(`immutable` $is_immutable^)? $global attr-dict `:` type($value)";
    let resultNames = [NamedBy<"symbol">];
    let symbolVerifier = "global_load";
  }
  def VM_GlobalStore#what#Op
      : VM_Op<"global.store." # lower,
              !listconcat(needs, [MemoryEffects<[MemWrite]>, SymbolUserOpInterface,
                                  VM_TakesRefs<["value"]>,
                                  VM_Code<!add(opcode, 1),
                                          !listconcat([VM_Sym<"global">], value)>])> {
    let summary = "Writes a global";
    let arguments = (ins type:$value, FlatSymbolRefAttr:$global);
    let assemblyFormat = "$value `,` $global attr-dict `:` type($value)";
    let symbolVerifier = "global_store";
  }
  def VM_GlobalLoadIndirect#what#Op
      : VM_Op<"global.load.indirect." # lower,
              !listconcat(needs, [MemoryEffects<[MemRead]>,
                                  VM_Code<!add(opcode, 2),
                                          !listconcat([VM_Reg<"global">], value)>])> {
    let summary = "Reads the global at an address";
    let arguments = (ins VM_AddressOf<type>:$global, UnitAttr:$is_immutable);
    let results = (outs type:$value);
    let assemblyFormat = [{
      (`immutable` $is_immutable^)? $global attr-dict `:` type($global) `->` type($value)
    }];
    let resultNames = [NamedBy<"by_type">];
  }
  def VM_GlobalStoreIndirect#what#Op
      : VM_Op<"global.store.indirect." # lower,
              !listconcat(needs, [MemoryEffects<[MemWrite]>,
                                  VM_Code<!add(opcode, 3),
                                          !listconcat([VM_Reg<"global">], value)>])> {
    let summary = "Writes the global at an address";
    let arguments = (ins type:$value, VM_AddressOf<type>:$global);
    let assemblyFormat = [{
      $value `,` $global attr-dict `:` type($value) `->` type($global)
    }];
  }
}

multiclass VM_GlobalNumber<string what, Type type, Attr value, int opcode>
    : VM_GlobalAccess<what, type, opcode, VM_Needs<type>.traits> {
  def VM_Global#what#Op : VM_GlobalNumberOp<!tolower(what), type, value>;
}

defm "" : VM_GlobalNumber<"I32", I32, I32Attr, 0x00>;
defm "" : VM_GlobalNumber<"I64", I64, I64Attr, 0x04>;
defm "" : VM_GlobalNumber<"F32", F32, F32Attr, 0x00>;
defm "" : VM_GlobalNumber<"F64", F64, F64Attr, 0x00>;
defm "" : VM_GlobalAccess<"Ref", VM_AnyRef, 0x08>;
