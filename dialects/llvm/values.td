// Vectors, aggregates, choices and constants.

//===-- Vectors -----------------------------------------------------------------------------------

def LLVM_ExtractElementOp : LLVM_Op<"extractelement", [
  Pure, TypesMatchWith<"the result is an element of the vector", "vector", "res", ElementTypeOf>
]> {
  let summary = "An element of a vector";
  let arguments = (ins LLVM_AnyVector:$vector, AnySignlessInteger:$position);
  let results = (outs LLVM_Type:$res);
  let assemblyFormat = [{
    $vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)
  }];
}
def LLVM_InsertElementOp : LLVM_Op<"insertelement", [
  Pure, AllTypesMatch<["vector", "res"]>,
  TypesMatchWith<"the value is an element of the vector", "vector", "value", ElementTypeOf>
]> {
  let summary = "The vector with another element";
  let arguments = (ins LLVM_AnyVector:$vector, LLVM_PrimitiveType:$value,
                       AnySignlessInteger:$position);
  let results = (outs LLVM_AnyVector:$res);
  let assemblyFormat = [{
    $value `,` $vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)
  }];
}
def LLVM_ShuffleVectorOp : LLVM_Op<"shufflevector", [Pure, AllTypesMatch<["v1", "v2"]>]> {
  let summary = "Elements of two vectors";
  let description = [{
    Numbers in the mask count through both vectors; for -1 the element may be anything.
  }];
  let arguments = (ins LLVM_AnyVector:$v1, LLVM_AnyVector:$v2, DenseI32ArrayAttr:$mask);
  let results = (outs LLVM_AnyVector:$res);
  let assemblyFormat = [{
    $v1 `,` $v2 $mask attr-dict `:` type($v1)
    custom<ShuffleType>(ref(type($v1)), type($res), ref($mask))
  }];
  let verifier = "shufflevector";
}

//===-- Aggregates --------------------------------------------------------------------------------

def LLVM_ExtractValueOp : LLVM_Op<"extractvalue", [Pure]> {
  let summary = "A part of a struct or array";
  let arguments = (ins LLVM_AnyAggregate:$container, DenseI64ArrayAttr:$position);
  let results = (outs LLVM_Type:$res);
  let assemblyFormat = [{
    $container `` $position attr-dict `:` type($container)
    custom<PartType>(type($res), ref(type($container)), ref($position))
  }];
  let verifier = "extractvalue";
}
def LLVM_InsertValueOp : LLVM_Op<"insertvalue", [Pure, AllTypesMatch<["container", "res"]>]> {
  let summary = "The struct or array with another part";
  let arguments = (ins LLVM_AnyAggregate:$container, LLVM_PrimitiveType:$value,
                       DenseI64ArrayAttr:$position);
  let results = (outs LLVM_AnyAggregate:$res);
  let assemblyFormat = [{
    $value `,` $container `` $position attr-dict `:` type($container)
    custom<PartType>(type($value), ref(type($container)), ref($position))
  }];
  let verifier = "insertvalue";
}

//===-- Choices -----------------------------------------------------------------------------------

def LLVM_SelectOp
    : LLVM_Op<"select", [Pure, AllTypesMatch<["trueValue", "falseValue", "res"]>]> {
  let summary = "One of two values";
  let arguments = (ins LLVM_ScalarOrVectorOf<I1>:$condition, LLVM_Type:$trueValue,
                       LLVM_Type:$falseValue, LLVM_FastmathArg:$fastmathFlags);
  let results = (outs LLVM_Type:$res);
  let assemblyFormat = [{
    operands (`fastmath` `` $fastmathFlags^)? attr-dict `:` type($condition) `,` type($res)
  }];
}
def LLVM_FreezeOp : LLVM_SameTypeOp<"freeze", [Pure]> {
  let summary = "The value; some value of its type where it is poison";
  let arguments = (ins LLVM_Type:$val);
  let results = (outs LLVM_Type:$res);
  let assemblyFormat = "$val attr-dict `:` type($val)";
}

//===-- Constants ---------------------------------------------------------------------------------

def LLVM_ConstantOp : LLVM_Op<"mlir.constant", [Pure, ConstantLike]> {
  let summary = "A constant";
  let arguments = (ins AnyAttr:$value);
  let results = (outs LLVM_Type:$res);
  let assemblyFormat = "`(` $value `)` attr-dict `:` type($res)";
  let verifier = "constant";
}
class LLVM_NamedConstantOp<string mnemonic>
    : LLVM_Op<"mlir." # mnemonic, [ConstantLike, Pure]> {
  let results = (outs LLVM_Type:$res);
  let assemblyFormat = "attr-dict `:` type($res)";
}
def LLVM_ZeroOp : LLVM_NamedConstantOp<"zero"> { let summary = "The zero of a type"; }
def LLVM_UndefOp : LLVM_NamedConstantOp<"undef"> {
  let summary = "A value that each use may see another of";
}
def LLVM_PoisonOp : LLVM_NamedConstantOp<"poison"> {
  let summary = "A value that no correct program looks at";
}
def LLVM_NoneTokenOp : LLVM_Op<"mlir.none", [Pure]> {
  let summary = "The empty token";
  let results = (outs TokenType:$res);
  let assemblyFormat = "attr-dict `:` type($res)";
}

class LLVM_SymbolValueOp<string mnemonic, string what, list<Trait> traits = []>
    : LLVM_Op<mnemonic, !listconcat(traits, [Pure, SymbolUserOpInterface])> {
  let summary = what;
  let results = (outs LLVM_AnyPointer:$res);
}
def LLVM_AddressOfOp : LLVM_SymbolValueOp<"mlir.addressof", "The address of a symbol", [ConstantLike]> {
  let arguments = (ins FlatSymbolRefAttr:$global_name);
  let assemblyFormat = "$global_name attr-dict `:` type($res)";
  let symbolVerifier = "addressof";
}
def LLVM_DSOLocalEquivalentOp
    : LLVM_SymbolValueOp<"dso_local_equivalent", "What acts as a function, within this object"> {
  let arguments = (ins FlatSymbolRefAttr:$function_name);
  let assemblyFormat = "$function_name attr-dict `:` type($res)";
}
def LLVM_BlockAddressOp : LLVM_SymbolValueOp<"blockaddress", "The address of a block"> {
  let arguments = (ins LLVM_BlockAddressAttr:$block_addr);
  let assemblyFormat = "$block_addr attr-dict `:` type($res)";
}
