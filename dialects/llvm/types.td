// Types, and the constraints on them.

class LLVM_TypeDef<string name, string keyword> : TypeDef<LLVM_Dialect, name> {
  let mnemonic = keyword;
}

def LLVM_VoidType : LLVM_TypeDef<"Void", "void"> {
  let summary = "What a function without a result gives";
}
def LLVM_LabelType : LLVM_TypeDef<"Label", "label"> {
  let summary = "A block as a value";
}
def LLVM_MetadataType : LLVM_TypeDef<"Metadata", "metadata"> {
  let summary = "Metadata as a value";
}
def LLVM_PPCFP128Type : LLVM_TypeDef<"PPCFP128", "ppc_fp128"> {
  let summary = "A float of two doubles";
}
def LLVM_X86AMXType : LLVM_TypeDef<"X86AMX", "x86_amx"> {
  let summary = "A tile register of x86";
}
def LLVM_PointerType : LLVM_TypeDef<"Pointer", "ptr"> {
  let summary = "An address in an address space";
  let parameters = (ins DefaultValuedParameter<"int", "0">:$addressSpace);
  let assemblyFormat = "(`<` $addressSpace^ `>`)?";
}

// Types of the dialect that stand within one another are written without `!llvm.`.
def LLVM_ArrayType : LLVM_TypeDef<"Array", "array"> {
  let summary = "A number of values of one type";
  let parameters = (ins TypeParameter<>:$elementType, IntParameter<>:$numElements);
  let assemblyFormat = "`<` $numElements `x` custom<NestedType>($elementType) `>`";
  let verifier = "array";
}
def LLVM_StructType : LLVM_TypeDef<"Struct", "struct"> {
  let summary = "Values of several types";
  let description = [{
    A struct without a name is what it holds. One with a name is that name: where it holds itself
    the body is left out, and an opaque one never has any.
  }];
  let parameters = (ins OptionalParameter<"string">:$name, OptionalParameter<"list:type">:$body,
                        BoolParameter<>:$packed, BoolParameter<>:$opaque);
  let customFormat = "struct";
  let verifier = "struct";
}
def LLVM_FuncType : LLVM_TypeDef<"Func", "func"> {
  let summary = "The type of a function";
  let parameters = (ins TypeParameter<>:$returnType, ArrayRefParameter<"type">:$params,
                        BoolParameter<>:$varArg);
  let customFormat = "func";
  let verifier = "func";
}
def LLVM_TargetExtType : LLVM_TypeDef<"TargetExt", "target"> {
  let summary = "A type that a target knows by its name";
  let parameters = (ins StringRefParameter<>:$extTypeName, ArrayRefParameter<"type">:$typeParams,
                        ArrayRefParameter<"int">:$intParams);
  let customFormat = "target";
}

//===-- Constraints -------------------------------------------------------------------------------

def LLVM_AnyPointer : Type<IsTypeKind<"llvm.ptr">, "pointer">;
def LLVM_DefaultPointer : Type<IsTypeText<"!llvm.ptr">, "pointer to the default address space">,
                          BuildableType<"!llvm.ptr">;
def LLVM_AnyStruct : Type<IsTypeKind<"llvm.struct">, "struct">;
def LLVM_AnyAggregate
    : Type<Or<[IsTypeKind<"llvm.struct">, IsTypeKind<"llvm.array">]>, "struct or array">;
def LLVM_AnyFloat
    : Type<Or<[IsFloat<16>, IsFloat<32>, IsFloat<64>, IsFloat<80>, IsFloat<128>,
               IsTypeKind<"llvm.ppc_fp128">]>, "floating-point">;
def LLVM_Scalar : AnyTypeOf<[AnySignlessInteger, LLVM_AnyFloat, LLVM_AnyPointer], "scalar">;

class LLVM_VectorOf<Type element>
    : Type<And<[IsVectorPred, HasRankOf<[1]>, ElementTypeIs<Satisfies<element>>]>,
           "vector of " # element.summary> {
  Type elementType = element;
}
def LLVM_AnyVector : LLVM_VectorOf<LLVM_Scalar>;

class LLVM_ScalarOrVectorOf<Type scalar>
    : AnyTypeOf<[scalar, LLVM_VectorOf<scalar>], scalar.summary # " or vector of it">;

class LLVM_OpaqueKinds<list<string> kinds, string desc>
    : Type<Or<!foreach(kind, kinds, IsTypeKind<kind>)>, desc>;
def LLVM_TypeOfNothing : LLVM_OpaqueKinds<["llvm.void", "llvm.func"], "type that no value has">;
def LLVM_OtherType
    : LLVM_OpaqueKinds<["token", "llvm.label", "llvm.metadata", "llvm.x86_amx", "llvm.target"],
                       "type without elements">;

// Whatever LLVM knows.
def LLVM_Type
    : AnyTypeOf<[LLVM_Scalar, LLVM_AnyVector, LLVM_AnyAggregate, LLVM_OtherType,
                 LLVM_TypeOfNothing], "type that LLVM knows">;
def LLVM_FunctionType
    : Type<And<[IsTypeKind<"llvm.func">, ParamIs<"returnType", Satisfies<LLVM_Type>>,
                ParamIs<"params", EachElement<Satisfies<LLVM_Type>>>]>,
           "function type of types that LLVM knows">;
// What a value may have.
def LLVM_PrimitiveType
    : AnyTypeOf<[LLVM_Scalar, LLVM_AnyVector, LLVM_AnyAggregate, LLVM_OtherType],
                "type of LLVM values">;
def LLVM_AnyNonAggregate
    : AnyTypeOf<[LLVM_Scalar, LLVM_AnyVector, LLVM_OtherType, LLVM_TypeOfNothing],
                "type that is no aggregate">;
// What memory may hold.
def LLVM_LoadableType
    : AnyTypeOf<[LLVM_Scalar, LLVM_AnyVector, LLVM_AnyAggregate,
                 LLVM_OpaqueKinds<["llvm.target"], "target type">], "type that memory holds">;

def LLVM_AnyInteger : LLVM_ScalarOrVectorOf<AnySignlessInteger>;
def LLVM_FloatLike : LLVM_ScalarOrVectorOf<LLVM_AnyFloat>;
def LLVM_PointerLike : LLVM_ScalarOrVectorOf<LLVM_AnyPointer>;
