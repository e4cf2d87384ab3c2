// What types become, and what the conversions share. Every dialect that becomes `vm` has its
// patterns in the group `to-vm`; those of dialects that `vm` need not know stand with these.

include "tegula/Patterns.td"

def VM_NarrowInteger
    : AnyTypeOf<!foreach(width, !range(1, 32), Type<IsInteger<width>>), "narrow integer">;
def VM_Float8 : Type<IsFloat<8>, "8-bit float">;
def VM_Float16 : Type<IsFloat<16>, "16-bit float">;
def VM_NarrowFloat : AnyTypeOf<[VM_Float8, VM_Float16], "narrow float">;
def VM_OddInteger
    : Type<And<[IsInteger<>, Neg<IsInteger<32>>, Neg<IsInteger<64>>]>, "integer of another width">;
def VM_OddFloat
    : Type<And<[IsFloat<>, Neg<IsFloat<32>>, Neg<IsFloat<64>>]>, "float of another width">;
/// Neither a number nor a function, nor a reference already.
def VM_Object
    : Type<Neg<Satisfies<AnyTypeOf<[AnyInteger, AnyFloat, AnyComplex, FunctionType, AnyTuple,
                                    VM_AnyRef, VM_OpaqueType]>>>, "object">;

class VM_TypeConverter<string name, Type index> : TypeConverter<name, [
  (becomes Index, index),
  (becomes VM_NarrowInteger, I32),
  (becomes VM_NarrowFloat, I32),
  (refused VM_OddInteger),
  (refused VM_OddFloat),
  (refused AnyComplex),
  (becomes Util_BufferType, VM_BufferType),
  (becomes Util_VariantType, VM_OpaqueType),
  (becomes Util_ObjectType, (type "!vm.ref<?>")),
  (becomes (anyOf (type "!util.list<?>"), (type "!util.list<!util.object>")), (type "!vm.list<?>")),
  (becomes (Util_ListType $held), (VM_ListType (convertType $held))),
  (becomes (Util_PtrType $target), (Util_PtrType (convertType $target))),
  (becomes AnyVectorOfAnyRank, VM_BufferType),
  (becomes VM_Object:$object, (VM_RefType $object))
]>;
def VM_TypeConverter32 : VM_TypeConverter<"vm-32", I32>;
def VM_TypeConverter64 : VM_TypeConverter<"vm-64", I64>;

class VM_Converted<dag source, list<dag> steps, list<dag> conditions = []>
    : ConversionPattern<"to-vm", source, steps, conditions>;
class VM_Replaced<dag source, dag made, list<dag> conditions = []>
    : VM_Converted<source, [(replace made)], conditions>;

// An integer of either width as one of a width, or of a type.
def VM_ToI32 : Function<(params $x), (typeswitch $x,
    (case I64, (createOrFold (VM_TruncI64I32Op $x))), (default $x))>;
def VM_ToI64S : Function<(params $x), (typeswitch $x,
    (case I32, (createOrFold (VM_ExtI32I64SOp $x))), (default $x))>;
def VM_ToI64U : Function<(params $x), (typeswitch $x,
    (case I32, (createOrFold (VM_ExtI32I64UOp $x))), (default $x))>;
def VM_ToType : Function<(params $x, $type), (typeswitch $type,
    (case I32, (VM_ToI32 $x)), (case I64, (VM_ToI64S $x)), (default $x))>;
