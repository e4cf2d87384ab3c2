// Attributes and types.

/// For each result the index of the operand whose storage it shares, or -1.
def Util_TiedOperandsAttr : TypedArrayAttrBase<IndexAttr, "64-bit integer array attribute">;

//===-- What is known of values -------------------------------------------------------------------

/// Bounds and divisibility of one integer value.
def Util_IntAssumptionAttr : AttrDef<Util_Dialect, "IntAssumption"> {
  let mnemonic = "int.assumption";
  let summary = "Bounds and divisibility of an integer";
  let description = [{
    States that a value lies in `[umin, umax]`, read as unsigned, and is a multiple of `udiv`. What
    is absent is not known.
  }];
  let parameters = (ins
    OptionalParameter<"of:integer">:$umin,
    OptionalParameter<"of:integer">:$umax,
    OptionalParameter<"of:integer">:$udiv
  );
  let customFormat = "int_assumption";
}
/// For each operand the places that it comes from, and for each of these one assumption.
def Util_IntAssumptionsAttr
    : TypedArrayAttrBase<TypedArrayAttrBase<Util_IntAssumptionAttr, "assumptions">,
                         "array of arrays of assumptions">;

//===-- Contents ----------------------------------------------------------------------------------

/// The attribute has a type of its own, which text writes after it.
def Util_TypeIsParam : NativeAttrTrait<"TypedBy type">;
class Util_TypedContentAttr<string name, string keyword>
    : AttrDef<Util_Dialect, name, [Util_TypeIsParam]> {
  let mnemonic = keyword;
  let parameters = (ins TypeParameter<>:$type);
  let customFormat = "typed";
}
def Util_NullAttr : Util_TypedContentAttr<"Null", "null"> {
  let summary = "The null value of a reference type";
}
def Util_UninitializedAttr : Util_TypedContentAttr<"Uninitialized", "uninitialized"> {
  let summary = "Contents that nobody may rely on";
}
def Util_BytePatternAttr : AttrDef<Util_Dialect, "BytePattern", [Util_TypeIsParam]> {
  let mnemonic = "byte_pattern";
  let summary = "A value whose bytes follow from a seed";
  let parameters = (ins IntParameter<>:$pattern, TypeParameter<>:$type);
  let customFormat = "byte_pattern";
}
def Util_ByteRangeAttr : AttrDef<Util_Dialect, "ByteRange"> {
  let mnemonic = "byte_range";
  let summary = "An offset and a length in bytes";
  let parameters = (ins IntParameter<>:$offset, IntParameter<>:$length);
  let assemblyFormat = "`<` $offset `,` $length `>`";
}
def Util_CompositeAttr : AttrDef<Util_Dialect, "Composite"> {
  let mnemonic = "composite";
  let summary = "Values that lie one after the other in one piece of storage";
  let parameters = (ins IntParameter<>:$totalLength, AttrParameter<"of:array">:$values);
  let customFormat = "composite";
  let alias = "composite_of_$totalLengthb";
}

// What buffers may be filled with.
def Util_SerializableAttr
    : Attr<Or<[IsAttrKind<"elements">, IsAttrKind<"string">, IsAttrKind<"util.byte_pattern">,
               IsAttrKind<"util.composite">]>,
           "buffer-like constant attribute values">;

//===-- Policies ----------------------------------------------------------------------------------

def Util_InlineNeverAttr : AttrDef<Util_Dialect, "InlineNever"> {
  let mnemonic = "inline.never";
  let summary = "Calls stay calls, and globals are not replaced by their values";
}
def Util_InlineAlwaysAttr : AttrDef<Util_Dialect, "InlineAlways"> {
  let mnemonic = "inline.always";
  let summary = "Calls are replaced by what they call";
}
def Util_InliningPolicyAttr
    : Attr<Or<[IsAttrKind<"util.inline.never">, IsAttrKind<"util.inline.always">]>,
           "inlining policy">;
def Util_PreprocessingPipelineAttr : AttrDef<Util_Dialect, "PreprocessingPassPipeline"> {
  let mnemonic = "preprocessing_pipeline";
  let summary = "A pipeline that runs on a function before anything else";
  let parameters = (ins AttrParameter<"of:string">:$pipelineString);
  let assemblyFormat = "`<` $pipelineString `>`";
}

//===-- Types -------------------------------------------------------------------------------------

/// In text the size of the value stands in braces after the type.
def Util_SizeAwareType : NativeTypeTrait<"SizeAwareType">;
/// Values refer to something that lives on: they are not what a definition says.
def Util_ReferenceType : NativeTypeTrait<"ReferenceType">;
def Util_BufferType
    : TypeDef<Util_Dialect, "Buffer", [Util_SizeAwareType, Util_ReferenceType]>, BuildableType<"!util.buffer"> {
  let mnemonic = "buffer";
  let summary = "A byte buffer in host memory";
}
def Util_ListType : TypeDef<Util_Dialect, "List"> {
  let mnemonic = "list";
  let summary = "A growing sequence of values of one type, or of any (`?`)";
  let parameters = (ins TypeParameter<>:$element_type);
  let customFormat = "list";
}
def Util_PtrType : TypeDef<Util_Dialect, "Ptr"> {
  let mnemonic = "ptr";
  let summary = "The address of a global";
  let parameters = (ins TypeParameter<>:$target_type);
  let assemblyFormat = "`<` $target_type `>`";
}
def Util_ObjectType : TypeDef<Util_Dialect, "Object"> {
  let mnemonic = "object";
  let summary = "A reference to an object of any kind";
}
def Util_VariantType : TypeDef<Util_Dialect, "Variant"> {
  let mnemonic = "variant";
  let summary = "A value of any type";
}
def Util_UnusedType : TypeDef<Util_Dialect, "Unused"> {
  let mnemonic = "unused";
  let summary = "Stands where a type is required and none is meant";
}

def Util_Element : AnyTypeOf<[AnySignlessInteger, AnyFloat]>;
def Util_ElementOrTensor : AnyTypeOf<[Util_Element, TensorOf<[Util_Element]>]>;
def Util_Primitive : AnyTypeOf<[Index, AnyInteger, AnyFloat]>;
def Util_FillPattern : AnyTypeOf<[AnyInteger, AnyFloat, Index]>;
def Util_Range : AnyTypeOf<[Index, AnyInteger]>;

