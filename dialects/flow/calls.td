// Functions outside of the program that work on tensors.

def Flow_FuncOp : Flow_Op<"func", [FunctionOpInterface, IsolatedFromAbove, Symbol]> {
  let summary = "A function outside of the program that takes and gives tensors";
  let description = [{
    There is no body. Results that are tied to arguments take their storage.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
  let customFormat = "func";
}

def Flow_CallOp : Flow_Op<"call", [
  AttrSizedOperandSegments, DimsOf<"arguments", "argument_dims">, DimsOf<"results", "result_dims">,
  SymbolUserOpInterface, TiedResultsBy<"tied_operands", "arguments">
]> {
  let summary = "Calls a function that works on tensors";
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$arguments,
    Variadic<Index>:$argument_dims,
    Variadic<Index>:$result_dims,
    OptionalAttr<Util_TiedOperandsAttr>:$tied_operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $arguments `)` prop-dict attr-dict `:`
    custom<ShapedFunctionType>(ref($arguments), type($arguments), $argument_dims, type($results),
                               $result_dims, $tied_operands)
  }];
  let symbolVerifier = "call";
}
