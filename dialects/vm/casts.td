// Numbers and references as others.

class VM_CastOp<string mnemonic, TypeConstraint from, TypeConstraint to, string what,
                list<Trait> traits = []>
    : VM_PureOp<mnemonic, traits> {
  let summary = what;
  let arguments = (ins from:$operand);
  let results = (outs to:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}
class VM_NumberCastOp<string mnemonic, Type from, Type to, string what, list<Trait> traits = []>
    : VM_CastOp<mnemonic, from, to, what,
                !listconcat(traits, !if(!eq(!cast<string>(to), "F64"), [VM_ExtF64],
                                        !if(!empty(VM_Needs<from>.traits), VM_Needs<to>.traits,
                                            VM_Needs<from>.traits)))> {
  let folder = "evaluate";
}

// The low bits, the others cleared.
class VM_Trunc<string mnemonic, Type from, list<Trait> traits = []>
    : VM_NumberCastOp<"trunc." # mnemonic, from, I32, "The low bits of an integer", traits>;
def VM_TruncI16I8Op : VM_Trunc<"i16.i8", I32>;
def VM_TruncI32I8Op : VM_Trunc<"i32.i8", I32, [VM_Code<0x40>]>;
def VM_TruncI32I16Op : VM_Trunc<"i32.i16", I32, [VM_Code<0x41>]>;
def VM_TruncI64I8Op : VM_Trunc<"i64.i8", I64>;
def VM_TruncI64I16Op : VM_Trunc<"i64.i16", I64>;
def VM_TruncI64I32Op : VM_Trunc<"i64.i32", I64, [VM_Code<0x42>]>;

multiclass VM_Ext<string mnemonic, Type to, list<Trait> signed = [], list<Trait> unsigned = []> {
  def SOp : VM_NumberCastOp<"ext." # mnemonic # ".s", I32, to,
                            "The low bits of an integer with their sign before them", signed>;
  def UOp : VM_NumberCastOp<"ext." # mnemonic # ".u", I32, to,
                            "The low bits of an integer with zeros before them", unsigned>;
}
defm VM_ExtI8I32 : VM_Ext<"i8.i32", I32, [VM_Code<0x43>], [VM_Code<0x44>]>;
defm VM_ExtI16I32 : VM_Ext<"i16.i32", I32, [VM_Code<0x45>], [VM_Code<0x46>]>;
defm VM_ExtI8I64 : VM_Ext<"i8.i64", I64>;
defm VM_ExtI16I64 : VM_Ext<"i16.i64", I64>;
defm VM_ExtI32I64 : VM_Ext<"i32.i64", I64, [VM_Code<0x47>], [VM_Code<0x48>]>;

def VM_TruncF64F32Op : VM_NumberCastOp<"trunc.f64.f32", F64, F32, "A float with less precision",
                                       [VM_Code<0x14>]>;
def VM_ExtF32F64Op : VM_NumberCastOp<"ext.f32.f64", F32, F64, "A float with more precision",
                                     [VM_Code<0x15>]>;

class VM_IntToFloat<string mnemonic, Type from, Type to, int opcode>
    : VM_NumberCastOp<"cast." # mnemonic, from, to, "An integer as a float", [VM_Code<opcode>]>;
def VM_CastSI32F32Op : VM_IntToFloat<"si32.f32", I32, F32, 0x14>;
def VM_CastSI64F32Op : VM_IntToFloat<"si64.f32", I64, F32, 0x3C>;
def VM_CastSI64F64Op : VM_IntToFloat<"si64.f64", I64, F64, 0x1A>;
def VM_CastUI32F32Op : VM_IntToFloat<"ui32.f32", I32, F32, 0x15>;
def VM_CastUI64F32Op : VM_IntToFloat<"ui64.f32", I64, F32, 0x3D>;
def VM_CastUI64F64Op : VM_IntToFloat<"ui64.f64", I64, F64, 0x1B>;
class VM_FloatToInt<string mnemonic, Type from, Type to, int opcode>
    : VM_NumberCastOp<"cast." # mnemonic, from, to,
                      "A float as the nearest integer, halves away from zero", [VM_Code<opcode>]>;
def VM_CastF32SI32Op : VM_FloatToInt<"f32.si32", F32, I32, 0x16>;
def VM_CastF32SI64Op : VM_FloatToInt<"f32.si64", F32, I64, 0x3A>;
def VM_CastF64SI64Op : VM_FloatToInt<"f64.si64", F64, I64, 0x1C>;
def VM_CastF32UI32Op : VM_FloatToInt<"f32.ui32", F32, I32, 0x17>;
def VM_CastF32UI64Op : VM_FloatToInt<"f32.ui64", F32, I64, 0x3B>;
def VM_CastF64UI64Op : VM_FloatToInt<"f64.ui64", F64, I64, 0x1D>;

class VM_Bitcast<string mnemonic, Type from, Type to, int opcode>
    : VM_NumberCastOp<"bitcast." # mnemonic, from, to, "The same bits", [VM_Code<opcode>]>;
def VM_BitcastI32F32Op : VM_Bitcast<"i32.f32", I32, F32, 0x18>;
def VM_BitcastF32I32Op : VM_Bitcast<"f32.i32", F32, I32, 0x19>;
def VM_BitcastI64F64Op : VM_Bitcast<"i64.f64", I64, F64, 0x1E>;
def VM_BitcastF64I64Op : VM_Bitcast<"f64.i64", F64, I64, 0x1F>;

class VM_RefCastOp<string mnemonic, string what, VM_Code opcode>
    : VM_CastOp<mnemonic, VM_AnyRef, VM_AnyRef, what, [VM_TakesRefs<["operand"]>, opcode]> {
  let resultNames = [NamedBy<"by_type">];
}
def VM_CastAnyRefOp
    : VM_RefCastOp<"cast.any.ref", "A reference of any type as one of a type",
                   VM_Code<0x82, [VM_Reg<"operand">, VM_TypeOf<"result">, VM_Reg<"result">]>>;
// For the machine it is the same reference.
def VM_CastRefAnyOp
    : VM_RefCastOp<"cast.ref.any", "A reference as one of any type", VM_Code<0x86>>;
def VM_AssignRefOp
    : VM_Op<"assign.ref", [VM_TakesRefs<["source"]>, VM_Code<0x86>]> {
  let summary = "The same reference";
  let arguments = (ins VM_AnyRef:$source);
  let results = (outs VM_AnyRef:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let resultNames = [NamedBy<"by_type">];
}
