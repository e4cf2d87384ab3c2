// Types and the constraints on them.

def VM_BufferType : TypeDef<VM_Dialect, "Buffer">, BuildableType<"!vm.buffer"> {
  let mnemonic = "buffer";
  let summary = "A reference to bytes";
}
def VM_OpaqueType : TypeDef<VM_Dialect, "Opaque">, BuildableType<"!vm.opaque"> {
  let mnemonic = "opaque";
  let summary = "A value of any type";
}

/// `<type>`, or `<?>` for any type, which the parameter's absence stands for.
class VM_HolderType<string name, string keyword> : TypeDef<VM_Dialect, name> {
  let mnemonic = keyword;
  let parameters = (ins OptionalParameter<"type">:$held);
  let assemblyFormat = "`<` ($held^) : (`` `?`)? `>`";
}
def VM_RefType : VM_HolderType<"Ref", "ref"> {
  let summary = "A counted reference to an object";
}
def VM_ListType : VM_HolderType<"List", "list"> {
  let summary = "A reference to a growing sequence of values of one type, or of any";
}

def VM_AnyRef : AnyTypeOf<[VM_RefType, VM_BufferType, VM_ListType], "ref">;
def VM_AnyList : AnyTypeOf<[VM_ListType], "list">;
def VM_Any : AnyTypeOf<[I32, I64, F32, F64, VM_AnyRef]>;

def VM_HeldNumber : AnyTypeOf<[I8, I16, I32, I64, F16, F32, F64]>;
/// A list that may hold numbers.
def VM_NumberList
    : Type<Or<[ParamIs<"held", Satisfies<VM_HeldNumber>>, IsTypeText<"!vm.list<?>">]>,
           "list<8/16/32/64-bit integer or 16/32/64-bit float>">;

/// A number that is no reference: `T` itself, or a narrow one in an `i32`.
class VM_Held<Type type> : AnyTypeOf<[type, I32]>;
/// The address of a global of a type.
class VM_AddressOf<TypeConstraint type>
    : Type<Or<[Satisfies<I32>, ParamIs<"target_type", Satisfies<type>>]>,
           "32-bit signless integer or ptr<" # type.summary # ">">;
