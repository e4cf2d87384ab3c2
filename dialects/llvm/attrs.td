// Attributes.

class LLVM_Attr<string name, string keyword> : AttrDef<LLVM_Dialect, name> {
  let mnemonic = keyword;
}
// Printed apart, under its own name.
class LLVM_AliasedAttr<string name, string keyword> : LLVM_Attr<name, keyword> {
  let alias = keyword;
}
class LLVM_EnumOf<EnumAttrInfo info, string keyword> : EnumAttr<LLVM_Dialect, info, keyword> {
  let assemblyFormat = "`<` $value `>`";
}

def LLVM_CConvAttr : LLVM_EnumOf<LLVM_CConv, "cconv">;
def LLVM_LinkageAttr : LLVM_EnumOf<LLVM_Linkage, "linkage">;
def LLVM_TailCallKindAttr : LLVM_EnumOf<LLVM_TailCallKind, "tailcallkind">;
def LLVM_FramePointerKindAttr : LLVM_EnumOf<LLVM_FramePointerKind, "framePointerKind">;
def LLVM_UWTableKindAttr : LLVM_EnumOf<LLVM_UWTableKind, "uwtableKind">;
def LLVM_FastmathFlagsAttr : LLVM_EnumOf<LLVM_FastmathFlags, "fastmath">;
def LLVM_IntegerOverflowFlagsAttr : LLVM_EnumOf<LLVM_IntegerOverflow, "overflow">;

// What most ops on floats may deviate by.
def LLVM_FastmathArg : DefaultValuedAttr<LLVM_FastmathFlagsAttr, "#llvm.fastmath<none>">;

def LLVM_ZeroAttr : LLVM_Attr<"Zero", "zero"> {
  let summary = "The zero of whatever type";
}
def LLVM_UndefAttr : LLVM_Attr<"Undef", "undef"> {
  let summary = "A value that is whatever it may be";
}
def LLVM_PoisonAttr : LLVM_Attr<"Poison", "poison"> {
  let summary = "The value of an erroneous computation";
}

def LLVM_AddressSpaceAttr : LLVM_Attr<"AddressSpace", "address_space"> {
  let summary = "A memory space by its number";
  let parameters = (ins IntParameter<>:$addressSpace);
  let assemblyFormat = "`<` $addressSpace `>`";
}
def LLVM_ConstantRangeAttr : LLVM_Attr<"ConstantRange", "constant_range"> {
  let summary = "Integers from one on and before another";
  let parameters = (ins TypeParameter<>:$type, IntParameter<>:$lower, IntParameter<>:$upper);
  let assemblyFormat = "`<` $type `,` $lower `,` $upper `>`";
}
def LLVM_DereferenceableAttr : LLVM_Attr<"Dereferenceable", "dereferenceable"> {
  let summary = "How many bytes behind an address are there";
  let parameters = (ins IntParameter<>:$bytes, DefaultValuedParameter<"bool", "false">:$mayBeNull);
  let assemblyFormat = "`<` struct(params) `>`";
}
def LLVM_MemoryEffectsAttr : LLVM_Attr<"MemoryEffects", "memory_effects"> {
  let summary = "What a function does to each kind of memory";
  let parameters = (ins
    EnumParameter<LLVM_ModRefInfo>:$other, EnumParameter<LLVM_ModRefInfo>:$argMem,
    EnumParameter<LLVM_ModRefInfo>:$inaccessibleMem, EnumParameter<LLVM_ModRefInfo>:$errnoMem,
    EnumParameter<LLVM_ModRefInfo>:$targetMem0, EnumParameter<LLVM_ModRefInfo>:$targetMem1
  );
  let assemblyFormat = "`<` struct(params) `>`";
}
def LLVM_VScaleRangeAttr : LLVM_Attr<"VScaleRange", "vscale_range"> {
  let summary = "Between what the factor of scalable vectors lies";
  let parameters = (ins AttrParameter<"of:integer">:$minRange, AttrParameter<"of:integer">:$maxRange);
  let assemblyFormat = "`<` struct(params) `>`";
}
def LLVM_TargetFeaturesAttr : LLVM_Attr<"TargetFeatures", "target_features"> {
  let summary = "What a target has, and has not";
  let parameters = (ins ArrayRefParameter<"string">:$features);
  let assemblyFormat = "`<` `[` $features `]` `>`";
}
def LLVM_TargetAttr : LLVM_Attr<"Target", "target"> {
  let summary = "A target";
  let parameters = (ins StringRefParameter<>:$triple, StringRefParameter<>:$chip,
                        OptionalParameter<"of:llvm.target_features">:$features);
  let assemblyFormat = "`<` struct(params) `>`";
}
def LLVM_VecTypeHintAttr : LLVM_Attr<"VecTypeHint", "vec_type_hint"> {
  let summary = "The type that a kernel computes on";
  let parameters = (ins TypeParameter<>:$hint, DefaultValuedParameter<"bool", "false">:$is_signed);
  let assemblyFormat = "`<` struct(params) `>`";
}
def LLVM_WorkgroupAttributionAttr
    : LLVM_Attr<"WorkgroupAttribution", "mlir.workgroup_attribution"> {
  let summary = "How much memory of a workgroup an argument stands for";
  let parameters = (ins AttrParameter<"of:integer">:$num_elements, TypeParameter<>:$element_type);
  let assemblyFormat = "`<` params `>`";
}
def LLVM_DependentLibrariesAttr : LLVM_Attr<"DependentLibraries", "dependent_libraries"> {
  let summary = "Libraries that a module is linked with";
  let parameters = (ins ArrayRefParameter<"string">:$libs);
  let assemblyFormat = "`<` $libs `>`";
}
def LLVM_ModuleFlagAttr : LLVM_Attr<"ModuleFlag", "mlir.module_flag"> {
  let summary = "A flag of a module";
  let parameters = (ins EnumParameter<LLVM_ModFlagBehavior>:$behavior, StringRefParameter<>:$key,
                        AttrParameter<>:$value);
  let assemblyFormat = "`<` params `>`";
}
def LLVM_MMRATagAttr : LLVM_AliasedAttr<"MMRATag", "mmra_tag"> {
  let summary = "A kind of memory that an access is about";
  let parameters = (ins StringRefParameter<>:$prefix, StringRefParameter<>:$suffix);
  let assemblyFormat = "`<` $prefix `` `:` `` $suffix `>`";
}
def LLVM_BlockTagAttr : LLVM_Attr<"BlockTag", "blocktag"> {
  let summary = "The name of a block";
  let parameters = (ins IntParameter<>:$id);
  let assemblyFormat = "`<` struct(params) `>`";
}
def LLVM_BlockAddressAttr : LLVM_Attr<"BlockAddress", "blockaddress"> {
  let summary = "A block of a function";
  let parameters = (ins AttrParameter<"of:flat_symbol_ref">:$function,
                        AttrParameter<"of:llvm.blocktag">:$tag);
  let assemblyFormat = "`<` struct(params) `>`";
}

//===-- What may be the same memory ---------------------------------------------------------------

def LLVM_AccessGroupAttr : LLVM_AliasedAttr<"AccessGroup", "access_group"> {
  let summary = "Accesses that iterations of a loop do independently";
  let parameters = (ins AttrParameter<>:$id);
  let assemblyFormat = "`<` struct(params) `>`";
}
def LLVM_AliasScopeDomainAttr : LLVM_AliasedAttr<"AliasScopeDomain", "alias_scope_domain"> {
  let summary = "Scopes that are compared with each other";
  let parameters = (ins AttrParameter<>:$id, OptionalParameter<"string">:$description);
  let assemblyFormat = "`<` struct(params) `>`";
}
def LLVM_AliasScopeAttr : LLVM_AliasedAttr<"AliasScope", "alias_scope"> {
  let summary = "Memory that no access outside of the scope touches";
  let parameters = (ins AttrParameter<>:$id, AttrParameter<"of:llvm.alias_scope_domain">:$domain,
                        OptionalParameter<"string">:$description);
  let assemblyFormat = "`<` struct(params) `>`";
}
def LLVM_TBAARootAttr : LLVM_AliasedAttr<"TBAARoot", "tbaa_root"> {
  let summary = "Types that are compared with each other";
  let parameters = (ins OptionalParameter<"string">:$id);
  let assemblyFormat = "(`<` struct($id)^ `>`)?";
}
def LLVM_TBAAMemberAttr : LLVM_Attr<"TBAAMember", "tbaa_member"> {
  let summary = "A part of a type, and where it lies";
  let parameters = (ins AttrParameter<>:$typeDesc, IntParameter<>:$offset);
  let assemblyFormat = "`<` params `>`";
}
def LLVM_TBAATypeDescriptorAttr : LLVM_AliasedAttr<"TBAATypeDescriptor", "tbaa_type_desc"> {
  let summary = "A type of memory";
  let parameters = (ins StringRefParameter<>:$id, ArrayRefParameter<"of:llvm.tbaa_member">:$members);
  let assemblyFormat = "`<` `id` `=` $id `,` `members` `=` `{` $members `}` `>`";
}
def LLVM_TBAATagAttr : LLVM_AliasedAttr<"TBAATag", "tbaa_tag"> {
  let summary = "As which type memory is accessed";
  let parameters = (ins AttrParameter<"of:llvm.tbaa_type_desc">:$base_type,
                        AttrParameter<"of:llvm.tbaa_type_desc">:$access_type,
                        IntParameter<>:$offset, DefaultValuedParameter<"bool", "false">:$constant);
  let assemblyFormat = "`<` struct(params) `>`";
}

class LLVM_ArrayOf<AttrDef attr, string desc> : OptionalAttr<TypedArrayAttrBase<attr, desc>>;
// What an op that accesses memory says of it.
class LLVM_AliasArgs {
  dag args = (ins
    LLVM_ArrayOf<LLVM_AccessGroupAttr, "access groups">:$access_groups,
    LLVM_ArrayOf<LLVM_AliasScopeAttr, "alias scopes">:$alias_scopes,
    LLVM_ArrayOf<LLVM_AliasScopeAttr, "alias scopes">:$noalias_scopes,
    LLVM_ArrayOf<LLVM_TBAATagAttr, "access tags">:$tbaa
  );
}
defvar LLVM_aliasArgs = LLVM_AliasArgs<>.args;
