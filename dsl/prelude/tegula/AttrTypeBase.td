// Types and attributes that a dialect defines.

#ifndef TEGULA_ATTR_TYPE_BASE
#define TEGULA_ATTR_TYPE_BASE

include "tegula/Attrs.td"
include "tegula/Traits.td"

// A dialect. Definitions without one (passes, patterns, pipelines, targets) belong to the dialect
// that is defined in their file or folder.
class Dialect {
  // The name before the dot.
  string name = ?;
  string summary = "";
  string description = "";
  // Dialects whose ops this one's rewrites make.
  list<string> dependentDialects = [];
}

// What a parameter of a type or attribute holds, and how it is written. The kind is `attr`,
// `type`, `int`, `bool`, `string`, `dims`, `enum:Name`, `dense:elem`, `of:kind`, or `list:` and one
// of these. The names that MLIR's own files use mean the same: `int64_t`, `Type`, `Attribute`,
// `StringAttr`, `AffineMap`, `ArrayRef<…>`, the class of an attribute defined here. A bare string
// in a parameter list is a kind as well.
class AttrOrTypeParameter<string kind, string desc = ""> {
  string cppType = kind;
  string summary = desc;
  bit optional = 0;
  // The value that is elided, in MLIR text.
  string defaultValue = ?;
}

class AttrParameter<string kind = "attr", string desc = "">
    : AttrOrTypeParameter<kind, desc>;
class TypeParameter<string kind = "type", string desc = "">
    : AttrOrTypeParameter<kind, desc>;
class IntParameter<string desc = ""> : AttrOrTypeParameter<"int", desc>;
class BoolParameter<string desc = ""> : AttrOrTypeParameter<"bool", desc>;
class StringRefParameter<string desc = "", string value = ""> : AttrOrTypeParameter<"string", desc> {
  let defaultValue = !if(!empty(value), ?, value);
}
// Sizes written `4x?x8`.
class DimsParameter<string desc = ""> : AttrOrTypeParameter<"dims", desc>;
// A list stored as `array<elem: …>`.
class DenseArrayParameter<string elem, string desc = "">
    : AttrOrTypeParameter<"dense:" # elem, desc>;
class EnumParameter<EnumAttrInfo info, string desc = "">
    : AttrOrTypeParameter<"enum:" # info.className, desc>;
// A list, written with commas.
class ArrayRefParameter<string elem, string desc = "">
    : AttrOrTypeParameter<"list:" # elem, desc>;
// May be absent.
class OptionalParameter<string kind, string desc = ""> : AttrOrTypeParameter<kind, desc> {
  let optional = 1;
}
class OptionalArrayRefParameter<string elem, string desc = "">
    : ArrayRefParameter<elem, desc> {
  let optional = 1;
}
// Elided when it is this value.
class DefaultValuedParameter<string kind, string value, string desc = "">
    : AttrOrTypeParameter<kind, desc> {
  let optional = 1;
  let defaultValue = value;
}

// A dialect type, `!dialect.mnemonic<…>`. Used as a constraint it admits just this type.
class TypeDef<Dialect owner, string name, list<Trait> traitList = []> : Type<TruePred> {
  Dialect dialect = owner;
  // The name of the Rust wrapper without its ending.
  string cppClassName = name;
  string mnemonic = ?;
  string description = "";
  dag parameters = (ins);
  list<Trait> traits = traitList;
  string assemblyFormat = ?;
  // The parameters are parsed and printed by hooks; `customFormat` names them.
  bit hasCustomAssemblyFormat = 0;
  string customFormat = ?;
  // A hook checks the parameters together; `verifier` names it.
  bit genVerifyDecl = 0;
  string verifier = ?;
}

// A dialect attribute, `#dialect.mnemonic<…>`. Used as a constraint it admits just this attribute.
class AttrDef<Dialect owner, string name, list<Trait> traitList = []> : Attr<TruePred> {
  Dialect dialect = owner;
  string cppClassName = name;
  string mnemonic = ?;
  string description = "";
  dag parameters = (ins);
  list<Trait> traits = traitList;
  string assemblyFormat = ?;
  bit hasCustomAssemblyFormat = 0;
  string customFormat = ?;
  // The name under which a module prints the attribute apart (`#encoding = …`); without one it
  // stands where it is used. `$param` in it is that parameter's text, with `_` for dots and dashes.
  string alias = ?;
  bit genVerifyDecl = 0;
  string verifier = ?;
  // A hook checks tensors that have the attribute as their encoding, and memrefs that have it as
  // their layout. What has the trait `MemRefLayoutAttrInterface` is a layout of memrefs.
  string encodingVerifier = ?;
}

// A dialect attribute that holds one case of an enum.
class EnumAttr<Dialect owner, EnumAttrInfo info, string name, list<Trait> traitList = []>
    : AttrDef<owner, info.className, traitList> {
  EnumAttrInfo enumInfo = info;
  let mnemonic = name;
  let summary = info.summary;
  let parameters = (ins EnumParameter<info>:$value);
  let assemblyFormat = "$value";
}

#endif // TEGULA_ATTR_TYPE_BASE
