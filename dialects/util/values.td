// Values: arithmetic on sizes, comparisons, and what is known of a value.

def Util_AssumeIntOp : Util_PureOp<"assume.int", [AllTypesMatch<["operands", "results"]>]> {
  let summary = "Records what is known of integer values";
  let description = [{
    Each result is its operand. For each operand there is one list of assumptions, one for each
    place that the value comes from; the value satisfies at least one of them.
  }];
  let arguments = (ins
    Variadic<AnySignlessIntegerOrIndex>:$operands,
    Util_IntAssumptionsAttr:$assumptions
  );
  let results = (outs Variadic<AnySignlessIntegerOrIndex>:$results);
  let customFormat = "assume_int";
  let verifier = "assume_int";
}

def Util_AlignOp : Util_PureOp<"align", [SameOperandsAndResultType]> {
  let summary = "The least multiple of the alignment that is not below the value";
  let arguments = (ins AnySignlessIntegerOrIndex:$value, AnySignlessIntegerOrIndex:$alignment);
  let results = (outs AnySignlessIntegerOrIndex:$result);
  let assemblyFormat = "$value `,` $alignment attr-dict `:` type($result)";
}

def Util_NullOp : Util_PureOp<"null", [ConstantLike]> {
  let summary = "The null value of a reference type";
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Util_OptimizationBarrierOp
    : Util_Op<"optimization_barrier", [AllTypesMatch<["operands", "results"]>]> {
  let summary = "Passes values on and hides where they come from";
  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    attr-dict ($operands^ `:` custom<PassedTypes>(type($operands), type($results)))?
  }];
}

def Util_UnfoldableConstantOp : Util_Op<"unfoldable_constant"> {
  let summary = "A constant that no fold sees";
  let arguments = (ins AnyAttr:$value);
  let results = (outs AnyType:$result);
  let customFormat = "unfoldable_constant";
}

def Util_HoistableConversionOp : Util_Op<"hoistable_conversion", [
  RecursiveMemoryEffects, SingleBlockImplicitTerminator<"util.return">
]> {
  let summary = "A conversion that is undone by another one of which it knows the name";
  let arguments = (ins StrAttr:$tag, StrAttr:$inverseTag, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let customFormat = "hoistable_conversion";
  let verifier = "hoistable_conversion";
}

//===-- References --------------------------------------------------------------------------------

// What is no number.
def Util_ObjectLike
    : TypeConstraint<Neg<Or<[Satisfies<AnySignlessIntegerOrIndex>, Satisfies<AnyInteger>,
                             Satisfies<AnyFloat>, IsTypeKind<"complex">]>>,
                     "object cast compatible type">;
def Util_CastOp : Util_PureOp<"cast", [TiedResult<"result", "operand">]> {
  let summary = "The same reference under another type";
  let arguments = (ins Util_ObjectLike:$operand);
  let results = (outs Util_ObjectLike:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let verifier = "cast";
}

class Util_CmpOp<string mnemonic>
    : Util_PureOp<mnemonic, [AllTypesMatch<["lhs", "rhs"]>, Commutative]> {
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "operands attr-dict `:` type($lhs)";
}
def Util_CmpEQOp : Util_CmpOp<"cmp.eq"> {
  let summary = "Whether both are the same";
}
def Util_CmpNEOp : Util_CmpOp<"cmp.ne"> {
  let summary = "Whether both differ";
}

def Util_SwitchOp
    : Util_PureOp<"switch", [AllTypesMatch<["default_value", "values", "result"]>]> {
  let summary = "The value at an index, or the default";
  let arguments = (ins
    Index:$index,
    Util_Primitive:$default_value,
    Variadic<Util_Primitive>:$values
  );
  let results = (outs Util_Primitive:$result);
  let assemblyFormat = [{
    type($default_value) `from`
    custom<TypedValueList>(ref(type($default_value)), $values, type($values))
    `at` $index `else` $default_value attr-dict `:` type($result)
  }];
}

//===-- Numbers -----------------------------------------------------------------------------------

def Util_NumericOptionalNarrowOp
    : Util_PureOp<"numeric.optional_narrow", [SameOperandsAndResultType]> {
  let summary = "Says that a narrower type could hold the value";
  let arguments = (ins
    Util_ElementOrTensor:$operand,
    TypeAttr:$semantic_type,
    OptionalAttr<APIntAttr>:$min_value,
    OptionalAttr<APIntAttr>:$max_value
  );
  let results = (outs Util_ElementOrTensor:$result);
  let assemblyFormat = "$operand `:` type($operand) `as` $semantic_type prop-dict attr-dict";
}

def Util_SizeOfOp : Util_PureOp<"sizeof"> {
  let summary = "The bytes that a value of a type takes";
  let arguments = (ins TypeAttr:$sizedType);
  let results = (outs Index:$size);
  let assemblyFormat = "$sizedType attr-dict-with-keyword";
}

class Util_RangeOp<string mnemonic>
    : Util_PureOp<mnemonic, [SameOperandsAndResultType, SameVariadicOperandSize]>;
class Util_RangeLimitOp<string mnemonic> : Util_RangeOp<mnemonic> {
  let arguments = (ins Variadic<Util_Range>:$operands);
  let results = (outs Util_Range:$result);
  let assemblyFormat = "$operands attr-dict `:` type($result)";
}
def Util_RangeMinOp : Util_RangeLimitOp<"range.min"> {
  let summary = "The least of any number of integers";
}
def Util_RangeMaxOp : Util_RangeLimitOp<"range.max"> {
  let summary = "The greatest of any number of integers";
}
def Util_RangeExtentsOp : Util_RangeOp<"range.extents"> {
  let summary = "The first and the last of what any number of ranges cover";
  let arguments = (ins Variadic<Util_Range>:$offsets, Variadic<Util_Range>:$lengths);
  let results = (outs Util_Range:$min, Util_Range:$max);
  let resultNames = [NamedAs<"min", "min">, NamedAs<"max", "max">];
  let assemblyFormat = "custom<RangeList>($offsets, $lengths) attr-dict `:` type($min)";
}

//===-- Text --------------------------------------------------------------------------------------

def Util_StringFormatOp : Util_PureOp<"string.format"> {
  let summary = "A text with values in it";
  let description = [{
    `{}` stands for the next value, `{2}` for the one of that number; `{{` and `}}` are braces.
  }];
  let arguments = (ins
    StrAttr:$format,
    Variadic<AnyTypeOf<[Index, AnySignlessInteger, Util_BufferType]>>:$args
  );
  let results = (outs Util_BufferType:$result);
  let assemblyFormat = "$format `(` $args `)` attr-dict `:` functional-type($args, $result)";
  let resultNames = [NamedBy<"string_format">];
  let verifier = "string_format";
}

def Util_StringItoaOp : Util_PureOp<"string.itoa"> {
  let summary = "An integer in decimal";
  let arguments = (ins AnyTypeOf<[Index, AnySignlessInteger]>:$value);
  let results = (outs Util_BufferType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let resultNames = [NamedAs<"result", "itoa">];
}

//===-- Status ------------------------------------------------------------------------------------

def Util_StatusCheckOkOp : Util_Op<"status.check_ok"> {
  let summary = "Stops the program unless a status code is that of success";
  let arguments = (ins I32:$status, OptionalAttr<StrAttr>:$message);
  let assemblyFormat = "$status (`,` $message^)? attr-dict";
}
