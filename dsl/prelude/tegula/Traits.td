// Traits of ops, by the names that MLIR users know.

#ifndef TEGULA_TRAITS
#define TEGULA_TRAITS

include "tegula/Constraints.td"

// ---- Effects --------------------------------------------------------------------------------

// Reads and writes nothing, cannot fail, cannot hang: may be moved, merged and erased.
def Pure : NativeTrait<"Pure">;
// Reads and writes nothing.
def NoMemoryEffect : NativeTrait<"NoMemoryEffect">;
// May run where it did not run before.
def AlwaysSpeculatable : NativeTrait<"AlwaysSpeculatable">;
def ConditionallySpeculatable : NativeTrait<"ConditionallySpeculatable">;
def RecursivelySpeculatable : NativeTrait<"RecursivelySpeculatable">;
// Has the effects of the ops in its regions.
def RecursiveMemoryEffects : NativeTrait<"RecursiveMemoryEffects">;

// One effect on memory.
class MemoryEffect<string name> {
  string effect = name;
}
def MemRead : MemoryEffect<"read">;
def MemWrite : MemoryEffect<"write">;
def MemAlloc : MemoryEffect<"alloc">;
def MemFree : MemoryEffect<"free">;

// Effects of the op on memory that none of its values stands for.
class MemoryEffects<list<MemoryEffect> list_ = []>
    : NativeTrait<"MemoryEffects", !foreach(e, list_, e.effect)>;

// The op has no effects where it has an attribute of this name.
class PureWhen<string attribute> : NativeTrait<"PureWhen", [attribute]>;
// The op may do anything where an attribute of one of these names is there, and is not its default.
class AnyEffectsWhen<list<string> attributes> : NativeTrait<"AnyEffectsWhen", attributes>;

// ---- Algebra --------------------------------------------------------------------------------

def Commutative : NativeTrait<"Commutative">;
def Idempotent : NativeTrait<"Idempotent">;
def Involution : NativeTrait<"Involution">;
// The result is the attribute `value`, or the only attribute.
def ConstantLike : NativeTrait<"ConstantLike">;
// Of a `ConstantLike` op without attributes: the result is the zero of its type.
def ConstantZero : NativeTrait<"ConstantZero">;
// Works on each element of vectors and tensors as it does on scalars.
def Elementwise : NativeTrait<"Elementwise">;
def Scalarizable : NativeTrait<"Scalarizable">;
def Vectorizable : NativeTrait<"Vectorizable">;
def Tensorizable : NativeTrait<"Tensorizable">;
def ElementwiseMappable : TraitList<[Elementwise, Scalarizable, Vectorizable, Tensorizable]>;

// ---- Structure ------------------------------------------------------------------------------

// Ends its block.
def Terminator : NativeTrait<"Terminator">;
// Ends its region and hands its operands to what encloses it.
def ReturnLike : NativeTrait<"ReturnLike">;
// Its operands are the results of the function that it stands in.
def FunctionReturn : NativeTrait<"FunctionReturn">;
// Passes control to one of its successors.
def BranchOpInterface : OpInterface<"BranchOpInterface">;
// Passes control between its regions.
def RegionBranchOpInterface : OpInterface<"RegionBranchOpInterface">;
def RegionBranchTerminatorOpInterface : OpInterface<"RegionBranchTerminatorOpInterface">;
def LoopLikeOpInterface : OpInterface<"LoopLikeOpInterface">;
// What `from` holds becomes what `to` holds: `from` is an operand group, or a region, whose
// terminators pass values on; `to` is a region, whose entry block takes them as its last arguments,
// or a result group. Where several say so of one value, it is one of theirs.
class PassesValues<string from, string to> : NativeTrait<"PassesValues", [from, to]>;
// Of the operands of a terminator just these are passed on.
class PassesOn<string operands> : NativeTrait<"PassesOn", [operands]>;
// Values from outside are not visible in its regions.
def IsolatedFromAbove : NativeTrait<"IsolatedFromAbove">;
// Each region has one block.
def SingleBlock : NativeTrait<"SingleBlock">;
// Blocks need no terminator.
def NoTerminator : NativeTrait<"NoTerminator">;
def NoRegionArguments : NativeTrait<"NoRegionArguments">;
def HasOnlyGraphRegion : NativeTrait<"HasOnlyGraphRegion">;
def AffineScope : NativeTrait<"AffineScope">;
def AutomaticAllocationScope : NativeTrait<"AutomaticAllocationScope">;

// One block in each region, ended by the op of this full name (`scf.yield`), which text leaves
// out when it has no operands.
class SingleBlockImplicitTerminator<string op>
    : NativeTrait<"SingleBlockImplicitTerminator", [op]>;
// Names of ops of this dialect stand without their prefix in its regions (`return` in a function).
class DefaultDialect<string dialect> : NativeTrait<"DefaultDialect", [dialect]>;
// Stands right inside of the op of this full name.
class HasParent<string op> : NativeTrait<"HasParent", [op]>;
// Stands right inside of one of these.
class ParentOneOf<list<string> ops> : NativeTrait<"ParentOneOf", ops>;

// ---- Symbols and calls ------------------------------------------------------------------------

// Defines a symbol: its name is the attribute `sym_name`.
def Symbol : OpInterface<"Symbol">;
// Holds symbols.
def SymbolTable : NativeTrait<"SymbolTable">;
// Refers to symbols in a way that the verifier checks.
def SymbolUserOpInterface : OpInterface<"SymbolUserOpInterface">;
def CallOpInterface : OpInterface<"CallOpInterface">;
def CallableOpInterface : OpInterface<"CallableOpInterface">;
def FunctionOpInterface : OpInterface<"FunctionOpInterface">;
// Functions without a body may be public.
def PublicDeclarations : NativeTrait<"PublicDeclarations">;

// ---- Destinations -----------------------------------------------------------------------------

// Writes into operands that results are tied to, in order.
// Writes into what the iterations of a parallel loop share.
def ParallelCombiningOpInterface : OpInterface<"ParallelCombiningOpInterface">;
def DestinationStyleOpInterface : OpInterface<"DestinationStyleOpInterface">;

// ---- Types of operands and results -------------------------------------------------------------

def SameOperandsAndResultType : NativeTrait<"SameOperandsAndResultType">;
def SameTypeOperands : NativeTrait<"SameTypeOperands">;
def SameOperandsShape : NativeTrait<"SameOperandsShape">;
def SameOperandsAndResultShape : NativeTrait<"SameOperandsAndResultShape">;
def SameOperandsElementType : NativeTrait<"SameOperandsElementType">;
def SameOperandsAndResultElementType : NativeTrait<"SameOperandsAndResultElementType">;

// The named operands, results and typed attributes agree in their types.
class AllTypesMatch<list<string> names> : NativeTrait<"AllTypesMatch", names>;
// … in their element types.
class AllElementTypesMatch<list<string> names> : NativeTrait<"AllElementTypesMatch", names>;
// … in their shapes.
class AllShapesMatch<list<string> names> : NativeTrait<"AllShapesMatch", names>;

// How one type follows from another.
class Derivation<string w, string a = ""> {
  string way = w;
  string arg = a;
}
// The element type; of a scalar, the type itself.
def ElementTypeOf : Derivation<"element-type">;
// The same shape with elements of type `i1`; of a scalar, `i1`.
def BoolOf : Derivation<"bool-of">;
// The type of a typed attribute.
def TypeOfAttr : Derivation<"attr-type">;
// The type that a dialect type holds in the parameter of this name.
class ParamType<string param> : Derivation<"param", param>;
// Decided by a hook of the dialect.
class DeriveWith<string hook> : Derivation<"hook", hook>;

// The type of `to` follows from that of `from`; the description stands in the message when it
// does not.
class TypesMatchWith<string desc, string from, string to, Derivation how>
    : NativeTrait<"TypesMatchWith", [from, to]> {
  string summary = desc;
  string fromName = from;
  string toName = to;
  Derivation derivation = how;
}

// ---- Groups ------------------------------------------------------------------------------------

// Several variadic groups, whose sizes the op's dictionary holds.
// Values of a group of operands or results whose type is a `SizeAwareType` have their sizes in an
// operand group, one each.
class SizeOf<string values, string sizes> : NativeTrait<"SizeOf", [values, sizes]>;
// The dynamic dimensions of the type in an attribute, of its types, or of the values of a group of
// operands or results, are in an operand group. A dialect type has dimensions, those of the types
// that it is made of, when it is a `NativeTypeTrait<"ShapedType">`.
class DimsOf<string types, string dims> : NativeTrait<"DimsOf", [types, dims]>;
// A list of constants has marks for what is not known, and an operand group a value for each mark.
class DynamicEntries<string list_, string values>
    : NativeTrait<"DynamicEntries", [list_, values]>;
// Offsets, sizes and strides are such lists.
def OffsetSizeAndStrideOpInterface
    : TraitList<[DynamicEntries<"static_offsets", "offsets">,
                 DynamicEntries<"static_sizes", "sizes">,
                 DynamicEntries<"static_strides", "strides">]>;
// A region has an argument for each operand of a group, and uses values of that type (by its full
// name) from outside in no other way.
class ExplicitCaptures<string operands, string region, string type>
    : NativeTrait<"ExplicitCaptures", [operands, region, type]>;
// Only ops of these names stand right inside, and ops without effects; `a.*` is every name that
// begins so.
class HoldsOnly<list<string> names> : NativeTrait<"HoldsOnly", names>;
// Gives the size of its only operand.
def SizeQuery : NativeTrait<"SizeQuery">;
// The result is a range of bytes of an operand: of `source`, which is `size` bytes long, `length` of
// them from `offset` on. They are all of the operands, in this order.
class Subrange<string result, string source, string size, string offset, string length>
    : NativeTrait<"Subrange", [result, source, size, offset, length]>;
// The op uses bytes of an operand, or of each of a group: of `value`, which is `size` bytes long
// (empty when the op does not say), `length` of them from `offset` on.
class Range<string value, string size, string offset, string length>
    : NativeTrait<"Range", [value, size, offset, length]>;
// They are those of one operand or result, `element`.
class ElementAt<string value, string size, string offset, string element>
    : NativeTrait<"ElementAt", [value, size, offset, element]>;
// The ranges that the op uses do not overlap.
def DisjointRanges : NativeTrait<"DisjointRanges">;
// A group of results are the operands of a group under new names.
class TiedResult<string result, string operand> : NativeTrait<"TiedResult", [result, operand]>;
// An array attribute says for each result which operand of a group it is; -1 for none.
class TiedResultsBy<string attribute, string operands>
    : NativeTrait<"TiedResultsBy", [attribute, operands]>;

// An array attribute says how many values of a group belong together, one part after the other.
class SegmentsBy<string group, string attribute> : NativeTrait<"SegmentsBy", [group, attribute]>;

def AttrSizedOperandSegments : NativeTrait<"AttrSizedOperandSegments">;
def AttrSizedResultSegments : NativeTrait<"AttrSizedResultSegments">;
// All variadic groups have the same size.
def SameVariadicOperandSize : NativeTrait<"SameVariadicOperandSize">;
def SameVariadicResultSize : NativeTrait<"SameVariadicResultSize">;

#endif // TEGULA_TRAITS
