// Types: the constraints on builtin types, and the definition of dialect types.

#ifndef TEGULA_TYPES
#define TEGULA_TYPES

include "tegula/Constraints.td"

// A constraint that reads as a type.
class Type<Pred pred, string desc = ""> : TypeConstraint<pred, desc>;

// Mixed into a constraint that only one type satisfies: that type in MLIR text. Formats and
// builders then need not spell it.
class BuildableType<string text> {
  string typeText = text;
}

// Exactly the type that is written so.
class ExactType<string text, string desc = text>
    : Type<IsTypeText<text>, desc>, BuildableType<text>;

// Any of these.
class AnyTypeOf<list<TypeConstraint> types, string desc = "">
    : Type<Or<!foreach(t, types, Satisfies<t>)>,
           !if(!empty(desc), !interleave(!foreach(t, types, t.summary), " or "), desc)> {
  list<TypeConstraint> allowedTypes = types;
}

// All of these.
class AllOfType<list<TypeConstraint> types, string desc = "">
    : Type<And<!foreach(t, types, Satisfies<t>)>,
           !if(!empty(desc), !interleave(!foreach(t, types, t.summary), " and "), desc)>;

// A type that satisfies the base and the predicate.
class ConfinedType<TypeConstraint base, list<Pred> preds, string desc = base.summary>
    : Type<And<!listconcat([Satisfies<base>], preds)>, desc> {
  TypeConstraint baseType = base;
}

def AnyType : Type<TruePred, "any type">;
def NoneType : Type<IsTypeKind<"none">, "none type">, BuildableType<"none">;
def TokenType : Type<IsTypeKind<"token">, "token type">, BuildableType<"token">;
def Index : Type<IsTypeKind<"index">, "index">, BuildableType<"index">;
def FunctionType : Type<IsTypeKind<"function">, "function type">;
def AnyTuple : Type<IsTypeKind<"tuple">, "any tuple">;

// Integers.
def AnyInteger : Type<IsInteger<>, "integer">;
def AnySignlessInteger : Type<IsInteger<0, "signless">, "signless integer">;
class I<int width>
    : Type<IsInteger<width, "signless">, width # "-bit signless integer">,
      BuildableType<"i" # width> {
  int bitwidth = width;
}
class SI<int width>
    : Type<IsInteger<width, "signed">, width # "-bit signed integer">,
      BuildableType<"si" # width> {
  int bitwidth = width;
}
class UI<int width>
    : Type<IsInteger<width, "unsigned">, width # "-bit unsigned integer">,
      BuildableType<"ui" # width> {
  int bitwidth = width;
}
def I1 : I<1>;
def I8 : I<8>;
def I16 : I<16>;
def I32 : I<32>;
def I64 : I<64>;
def SI8 : SI<8>;
def SI16 : SI<16>;
def SI32 : SI<32>;
def SI64 : SI<64>;
def UI1 : UI<1>;
def UI8 : UI<8>;
def UI16 : UI<16>;
def UI32 : UI<32>;
def UI64 : UI<64>;
class SignlessIntOfWidths<list<int> widths>
    : Type<Or<!foreach(w, widths, IsInteger<w, "signless">)>,
           !interleave(widths, "/") # "-bit signless integer">;
class AnyIntOfWidths<list<int> widths>
    : Type<Or<!foreach(w, widths, IsInteger<w>)>, !interleave(widths, "/") # "-bit integer">;
def AnySignlessIntegerOrIndex
    : AnyTypeOf<[AnySignlessInteger, Index], "signless integer or index">;
def AnyIntegerOrIndex : AnyTypeOf<[AnyInteger, Index], "integer or index">;

// Floating-point numbers.
def AnyFloat : Type<IsFloat<>, "floating-point">;
class F<int width>
    : Type<IsTypeText<"f" # width>, width # "-bit float">, BuildableType<"f" # width> {
  int bitwidth = width;
}
def F16 : F<16>;
def F32 : F<32>;
def F64 : F<64>;
def F80 : F<80>;
def F128 : F<128>;
def BF16 : ExactType<"bf16", "bfloat16 type">;
def F8E4M3FN : ExactType<"f8E4M3FN", "f8E4M3FN type">;
def F8E4M3FNUZ : ExactType<"f8E4M3FNUZ", "f8E4M3FNUZ type">;
def F8E5M2 : ExactType<"f8E5M2", "f8E5M2 type">;
def F8E5M2FNUZ : ExactType<"f8E5M2FNUZ", "f8E5M2FNUZ type">;
def F8E8M0FNU : ExactType<"f8E8M0FNU", "f8E8M0FNU type">;
def TF32 : ExactType<"tf32", "tf32 type">;
class FloatOfWidths<list<int> widths>
    : Type<Or<!foreach(w, widths, IsFloat<w>)>, !interleave(widths, "/") # "-bit float">;
def AnyComplex : Type<IsTypeKind<"complex">, "complex-type">;
class Complex<Type element>
    : Type<And<[IsTypeKind<"complex">, ElementTypeIs<Satisfies<element>>]>,
           "complex type with " # element.summary # " elements">;

// Shaped types. The element constraint holds for the element type.
def IsRankedTensorPred : IsTypeKind<"tensor">;
def IsUnrankedTensorPred : IsTypeKind<"unranked_tensor">;
def IsTensorPred : Or<[IsRankedTensorPred, IsUnrankedTensorPred]>;
def IsVectorPred : IsTypeKind<"vector">;
def IsRankedMemRefPred : IsTypeKind<"memref">;
def IsUnrankedMemRefPred : IsTypeKind<"unranked_memref">;
def IsMemRefPred : Or<[IsRankedMemRefPred, IsUnrankedMemRefPred]>;
def IsShapedPred : Or<[IsTensorPred, IsVectorPred, IsMemRefPred]>;

class ShapedOf<Pred container, list<Type> elements, string noun, list<Pred> more = []>
    : Type<And<!listconcat([container,
                            ElementTypeIs<Or<!foreach(e, elements, Satisfies<e>)>>], more)>,
           noun # " of " # !interleave(!foreach(e, elements, e.summary), " or ") # " values"> {
  list<Type> elementTypes = elements;
}

def AnyShaped : Type<IsShapedPred, "shaped of any type values">;

class TensorOf<list<Type> elements> : ShapedOf<IsTensorPred, elements, "tensor">;
class RankedTensorOf<list<Type> elements, list<Pred> more = [], string desc = "ranked tensor">
    : ShapedOf<IsRankedTensorPred, elements, desc, more>;
class StaticShapeTensorOf<list<Type> elements>
    : ShapedOf<IsRankedTensorPred, elements, "statically shaped tensor", [HasStaticShapePred]>;
class TensorRankOf<list<Type> elements, list<int> ranks>
    : ShapedOf<IsRankedTensorPred, elements, !interleave(ranks, "D/") # "D tensor",
               [HasRankOf<ranks>]>;
class Non0RankedTensorOf<list<Type> elements>
    : ShapedOf<IsRankedTensorPred, elements, "non-0-ranked tensor", [Neg<HasRankOf<[0]>>]>;
def AnyTensor : TensorOf<[AnyType]>;
def AnyRankedTensor : RankedTensorOf<[AnyType]>;
def AnyNon0RankedTensor : Non0RankedTensorOf<[AnyType]>;
def AnyUnrankedTensor : Type<IsUnrankedTensorPred, "unranked tensor of any type values">;
def AnyStaticShapeTensor : StaticShapeTensorOf<[AnyType]>;
def I1Tensor : TensorOf<[I1]>;
def I32Tensor : TensorOf<[I32]>;
def I64Tensor : TensorOf<[I64]>;
def IndexTensor : TensorOf<[Index]>;
def F32Tensor : TensorOf<[F32]>;
def F64Tensor : TensorOf<[F64]>;

class VectorOf<list<Type> elements>
    : ShapedOf<IsVectorPred, elements, "vector", [Neg<HasRankOf<[0]>>]>;
class VectorOfAnyRankOf<list<Type> elements> : ShapedOf<IsVectorPred, elements, "vector">;
class VectorOfRank<list<int> ranks>
    : Type<And<[IsVectorPred, HasRankOf<ranks>]>, !interleave(ranks, "D/") # "D vector">;
class VectorOfRankAndType<list<int> ranks, list<Type> elements>
    : ShapedOf<IsVectorPred, elements, !interleave(ranks, "D/") # "D vector",
               [HasRankOf<ranks>]>;
def AnyVector : VectorOf<[AnyType]>;
def AnyVectorOfAnyRank : VectorOfAnyRankOf<[AnyType]>;
def AnyVectorOfNonZeroRank : VectorOf<[AnyType]>;

class MemRefOf<list<Type> elements> : ShapedOf<IsRankedMemRefPred, elements, "memref">;
class MemRefRankOf<list<Type> elements, list<int> ranks>
    : ShapedOf<IsRankedMemRefPred, elements, !interleave(ranks, "D/") # "D memref",
               [HasRankOf<ranks>]>;
class StaticShapeMemRefOf<list<Type> elements>
    : ShapedOf<IsRankedMemRefPred, elements, "statically shaped memref", [HasStaticShapePred]>;
class RankedOrUnrankedMemRefOf<list<Type> elements>
    : ShapedOf<IsMemRefPred, elements, "ranked or unranked memref">;
class UnrankedMemRefOf<list<Type> elements>
    : ShapedOf<IsUnrankedMemRefPred, elements, "unranked.memref">;
def AnyMemRef : MemRefOf<[AnyType]>;
def AnyNon0RankedMemRef
    : ShapedOf<IsRankedMemRefPred, [AnyType], "non-0-ranked.memref", [Neg<HasRankOf<[0]>>]>;
def AnyRankedOrUnrankedMemRef : RankedOrUnrankedMemRefOf<[AnyType]>;
def AnyUnrankedMemRef : UnrankedMemRefOf<[AnyType]>;
def AnyStaticShapeMemRef : StaticShapeMemRefOf<[AnyType]>;

// A scalar, or a vector or tensor of it.
class LikeScalar<Type scalar, string desc>
    : Type<Or<[Satisfies<scalar>,
               And<[Or<[IsVectorPred, IsTensorPred]>, ElementTypeIs<Satisfies<scalar>>]>]>, desc> {
  Type scalarType = scalar;
}
def BoolLike : LikeScalar<I1, "bool-like">;
def BoolLikeOfAnyRank : LikeScalar<I1, "bool-like">;
def SignlessIntegerLike : LikeScalar<AnySignlessIntegerOrIndex, "signless-integer-like">;
def SignlessIntegerOrIndexLike
    : LikeScalar<AnySignlessIntegerOrIndex, "signless-integer-or-index-like">;
def SignlessFixedWidthIntegerLike
    : LikeScalar<AnySignlessInteger, "signless-fixed-width-integer-like">;
def SignlessIntegerOrFloatLike
    : LikeScalar<AnyTypeOf<[AnySignlessInteger, Index, AnyFloat]>,
                 "signless-integer-or-float-like">;
def IndexLike : LikeScalar<Index, "index-like">;
def FloatLike : LikeScalar<AnyFloat, "floating-point-like">;

#endif // TEGULA_TYPES
