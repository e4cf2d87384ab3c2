// Attributes: the constraints on builtin attributes, and how a format writes them.

#ifndef TEGULA_ATTRS
#define TEGULA_ATTRS

include "tegula/Types.td"

// An attribute of an op.
class Attr<Pred pred, string desc = ""> : AttrConstraint<pred, desc> {
  // How a format writes it: `attr` (as any attribute, without the type when `valueType` is set),
  // `type`, `string`, `symbol-name`, `enum:Name`, `dense:elem`, or `of:dialect.attr`.
  string bare = "attr";
  // The type that a typed attribute has, when it is fixed and so not written.
  Type valueType = ?;
  // The value, in MLIR text, that stands for an absent attribute.
  string defaultValue = ?;
  bit isOptional = 0;
  // The attribute that this one restricts or wraps.
  Attr baseAttr = ?;
}

// May be absent.
class OptionalAttr<Attr attr> : Attr<Satisfies<attr>, attr.summary> {
  let bare = attr.bare;
  let valueType = attr.valueType;
  let isOptional = 1;
  let baseAttr = attr;
}

// Stands for the value, written as MLIR text, when absent; printing elides that value.
class DefaultValuedAttr<Attr attr, string value> : Attr<Satisfies<attr>, attr.summary> {
  let bare = attr.bare;
  let valueType = attr.valueType;
  let defaultValue = value;
  let baseAttr = attr;
}

// As above, but absent attributes stay absent.
class DefaultValuedOptionalAttr<Attr attr, string value> : DefaultValuedAttr<attr, value> {
  let isOptional = 1;
}

// Satisfies further constraints.
class ConfinedAttr<Attr attr, list<AttrConstraint> more>
    : Attr<And<!listconcat([Satisfies<attr>], !foreach(c, more, Satisfies<c>))>,
           !interleave(!listconcat([attr.summary], !foreach(c, more, c.summary)), " ")> {
  let bare = attr.bare;
  let valueType = attr.valueType;
  let defaultValue = attr.defaultValue;
  let isOptional = attr.isOptional;
  let baseAttr = attr;
}

// Any of these.
class AnyAttrOf<list<Attr> attrs, string desc = "">
    : Attr<Or<!foreach(a, attrs, Satisfies<a>)>,
           !if(!empty(desc), !interleave(!foreach(a, attrs, a.summary), " or "), desc)>;

def AnyAttr : Attr<TruePred, "any attribute">;
def UnitAttr : Attr<IsAttrKind<"unit">, "unit attribute"> {
  let isOptional = 1;
}
def BoolAttr : Attr<IsAttrKind<"bool">, "bool attribute"> {
  let valueType = I1;
}
def IndexAttr
    : Attr<And<[IsAttrKind<"integer">, AttrTypeIs<IsTypeKind<"index">>]>, "index attribute"> {
  let valueType = Index;
}
def APIntAttr : Attr<IsAttrKind<"integer">, "arbitrary integer attribute">;

class TypedIntegerAttrBase<Type type, string desc>
    : Attr<And<[IsAttrKind<"integer">, AttrTypeIs<Satisfies<type>>]>, desc> {
  let valueType = type;
}
class SignlessIntegerAttrBase<I type>
    : TypedIntegerAttrBase<type, type.bitwidth # "-bit signless integer attribute">;
class SignedIntegerAttrBase<SI type>
    : TypedIntegerAttrBase<type, type.bitwidth # "-bit signed integer attribute">;
class UnsignedIntegerAttrBase<UI type>
    : TypedIntegerAttrBase<type, type.bitwidth # "-bit unsigned integer attribute">;
def I1Attr : SignlessIntegerAttrBase<I1>;
def I8Attr : SignlessIntegerAttrBase<I8>;
def I16Attr : SignlessIntegerAttrBase<I16>;
def I32Attr : SignlessIntegerAttrBase<I32>;
def I64Attr : SignlessIntegerAttrBase<I64>;
def SI32Attr : SignedIntegerAttrBase<SI32>;
def SI64Attr : SignedIntegerAttrBase<SI64>;
def UI8Attr : UnsignedIntegerAttrBase<UI8>;
def UI32Attr : UnsignedIntegerAttrBase<UI32>;
def UI64Attr : UnsignedIntegerAttrBase<UI64>;

def AnyFloatAttr : Attr<IsAttrKind<"float">, "float attribute">;
class FloatAttrBase<Type type, string desc>
    : Attr<And<[IsAttrKind<"float">, AttrTypeIs<Satisfies<type>>]>, desc> {
  let valueType = type;
}
def F32Attr : FloatAttrBase<F32, "32-bit float attribute">;
def F64Attr : FloatAttrBase<F64, "64-bit float attribute">;

def StrAttr : Attr<IsAttrKind<"string">, "string attribute"> {
  let bare = "string";
}
def SymbolNameAttr : Attr<IsAttrKind<"string">, "string attribute"> {
  let bare = "symbol-name";
}
def SymbolRefAttr : Attr<IsAttrKind<"symbol_ref">, "symbol reference attribute">;
def FlatSymbolRefAttr : Attr<IsAttrKind<"flat_symbol_ref">, "flat symbol reference attribute">;

def TypeAttr : Attr<IsAttrKind<"type">, "any type attribute"> {
  let bare = "type";
}
class TypeAttrOf<Type type> : Attr<TypeAttrIs<Satisfies<type>>, "type attribute of " # type.summary> {
  let bare = "type";
}
def TypedAttrInterface : Attr<AttrTypeIs<TruePred>, "typed attribute">;

def DictionaryAttr : Attr<IsAttrKind<"dictionary">, "dictionary of named attribute values">;
def AffineMapAttr : Attr<IsAttrKind<"affine_map">, "affine map attribute">;
def IntegerSetAttr : Attr<IsAttrKind<"integer_set">, "integer set attribute">;
def ElementsAttr : Attr<IsAttrKind<"elements">, "constant vector or tensor attribute">;
def DenseElementsAttr : Attr<IsAttrKind<"dense_elements">, "dense elements attribute">;
def LocationAttr : Attr<IsAttrKind<"location">, "location attribute">;

class DenseArrayAttrBase<string elem>
    : Attr<IsDenseArrayOf<elem>, elem # " dense array attribute"> {
  let bare = "dense:" # elem;
}
def DenseBoolArrayAttr : DenseArrayAttrBase<"i1">;
def DenseI8ArrayAttr : DenseArrayAttrBase<"i8">;
def DenseI16ArrayAttr : DenseArrayAttrBase<"i16">;
def DenseI32ArrayAttr : DenseArrayAttrBase<"i32">;
def DenseI64ArrayAttr : DenseArrayAttrBase<"i64">;
def DenseF32ArrayAttr : DenseArrayAttrBase<"f32">;
def DenseF64ArrayAttr : DenseArrayAttrBase<"f64">;

def ArrayAttr : Attr<IsAttrKind<"array">, "array attribute">;
class TypedArrayAttrBase<Attr element, string desc>
    : Attr<And<[IsAttrKind<"array">, EachElement<Satisfies<element>>]>, desc> {
  Attr elementAttr = element;
}
def AffineMapArrayAttr : TypedArrayAttrBase<AffineMapAttr, "AffineMap array attribute">;
def BoolArrayAttr : TypedArrayAttrBase<BoolAttr, "1-bit boolean array attribute">;
def I32ArrayAttr : TypedArrayAttrBase<I32Attr, "32-bit integer array attribute">;
def I64ArrayAttr : TypedArrayAttrBase<I64Attr, "64-bit integer array attribute">;
def IndexArrayAttr : TypedArrayAttrBase<IndexAttr, "index array attribute">;
def F32ArrayAttr : TypedArrayAttrBase<F32Attr, "32-bit float array attribute">;
def F64ArrayAttr : TypedArrayAttrBase<F64Attr, "64-bit float array attribute">;
def StrArrayAttr : TypedArrayAttrBase<StrAttr, "string array attribute">;
def TypeArrayAttr : TypedArrayAttrBase<TypeAttr, "type array attribute">;
def SymbolRefArrayAttr : TypedArrayAttrBase<SymbolRefAttr, "symbol ref array attribute">;
def FlatSymbolRefArrayAttr
    : TypedArrayAttrBase<FlatSymbolRefAttr, "flat symbol ref array attribute">;
def DictArrayAttr : TypedArrayAttrBase<DictionaryAttr, "array of dictionaries">;
class IndexListArrayAttr : TypedArrayAttrBase<I64ArrayAttr, "array of 64-bit integer arrays">;
def ReassociationIndicesArrayAttr : IndexListArrayAttr;

// Further constraints for `ConfinedAttr`.
class IntMinValue<int n>
    : AttrConstraint<IntInRange<n, 9223372036854775807>, "whose minimum value is " # n>;
class IntMaxValue<int n>
    : AttrConstraint<IntInRange<-9223372036854775807, n>, "whose maximum value is " # n>;
class IntRange<int lo, int hi>
    : AttrConstraint<IntInRange<lo, hi>, "whose value is within " # lo # " and " # hi>;
def IntNonNegative
    : AttrConstraint<IntInRange<0, 9223372036854775807>, "whose value is non-negative">;
def IntPositive : AttrConstraint<IntInRange<1, 9223372036854775807>, "whose value is positive">;
def IntPowerOf2
    : AttrConstraint<Or<!foreach(k, !range(63), IntInRange<!shl(1, k), !shl(1, k)>)>,
                     "whose value is a power of two > 0">;
class ArrayMinCount<int n>
    : AttrConstraint<LengthInRange<n, 2147483647>, "with at least " # n # " elements">;
class ArrayMaxCount<int n>
    : AttrConstraint<LengthInRange<0, n>, "with at most " # n # " elements">;
class ArrayCount<int n> : AttrConstraint<LengthInRange<n, n>, "with exactly " # n # " elements">;

// One case of an enum: its symbol, its number, and its keyword in text.
class EnumCase<string sym, int val, string str = sym> {
  string symbol = sym;
  int value = val;
  string keyword = str;
}
class I32EnumAttrCase<string sym, int val, string str = sym> : EnumCase<sym, val, str>;
class I64EnumAttrCase<string sym, int val, string str = sym> : EnumCase<sym, val, str>;
class StrEnumAttrCase<string sym, int val = -1, string str = sym> : EnumCase<sym, val, str>;
// A bit by its value, by its position, or several together.
class I32BitEnumCase<string sym, int val, string str = sym> : EnumCase<sym, val, str>;
class I32BitEnumAttrCaseNone<string sym, string str = sym> : I32BitEnumCase<sym, 0, str>;
class I32BitEnumAttrCaseBit<string sym, int pos, string str = sym>
    : I32BitEnumCase<sym, !shl(1, pos), str>;
class I32BitEnumAttrCaseGroup<string sym, list<I32BitEnumCase> cases, string str = sym>
    : I32BitEnumCase<sym, !foldl(0, cases, acc, c, !or(acc, c.value)), str>;

// An enum. As an op's attribute by itself it is stored as an integer of the given width.
class EnumAttrInfo<string enumName, string desc, list<EnumCase> enumCases, int width, string repr>
    : Attr<IsEnumCase<enumName>, desc> {
  let bare = "enum:" # enumName;
  string className = enumName;
  list<EnumCase> enumerants = enumCases;
  int bitwidth = width;
  // `integer` or `string`.
  string representation = repr;
  bit isBitEnum = 0;
  string separator = ", ";
  // A case that stands for several bits is written in their place, and not beside them.
  bit printBitEnumPrimaryGroups = 0;
}
class I32EnumAttr<string name, string desc, list<I32EnumAttrCase> cases>
    : EnumAttrInfo<name, desc, cases, 32, "integer"> {
  let valueType = I32;
}
class I64EnumAttr<string name, string desc, list<I64EnumAttrCase> cases>
    : EnumAttrInfo<name, desc, cases, 64, "integer"> {
  let valueType = I64;
}
class I32BitEnumAttr<string name, string desc, list<I32BitEnumCase> cases>
    : EnumAttrInfo<name, desc, cases, 32, "integer"> {
  let valueType = I32;
  let isBitEnum = 1;
  let separator = "|";
}
class I64BitEnumAttr<string name, string desc, list<I32BitEnumCase> cases>
    : EnumAttrInfo<name, desc, cases, 64, "integer"> {
  let valueType = I64;
  let isBitEnum = 1;
  let separator = "|";
}
class StrEnumAttr<string name, string desc, list<StrEnumAttrCase> cases>
    : EnumAttrInfo<name, desc, cases, 0, "string">;

#endif // TEGULA_ATTRS
