// `flow.parameter.*`: tensors that lie in archives beside the program.

def Flow_NamedParameterAttr : AttrDef<Flow_Dialect, "NamedParameter", [Util_TypeIsParam]> {
  let mnemonic = "parameter.named";
  let summary = "A parameter of the program that has a name in a scope";
  let parameters = (ins
    OptionalParameter<"of:string">:$scope,
    AttrParameter<"of:string">:$key,
    OptionalParameter<"of:dictionary">:$config,
    TypeParameter<>:$type
  );
  let customFormat = "named_parameter";
}

def Flow_ParameterLoadOp : Flow_PureOp<"parameter.load", [
  AttrSizedOperandSegments, DimsOf<"result", "result_dims">
]> {
  let summary = "A tensor from an archive";
  let arguments = (ins
    Optional<Util_BufferType>:$source_scope,
    Util_BufferType:$source_key,
    I64:$source_offset,
    Variadic<Index>:$result_dims
  );
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    custom<ParameterReference>($source_scope, $source_key) `` `[` $source_offset `]` `:`
    type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword
  }];
}

def Flow_ParameterWriteOp : Flow_Op<"parameter.write", [
  AllTypesMatch<["source", "result"]>, AttrSizedOperandSegments, DimsOf<"source", "source_dims">,
  DimsOf<"result", "source_dims">, TiedResult<"result", "source">
]> {
  let summary = "Writes a tensor to an archive";
  let arguments = (ins
    AnyRankedTensor:$source,
    Variadic<Index>:$source_dims,
    Optional<Util_BufferType>:$target_scope,
    Util_BufferType:$target_key,
    I64:$target_offset
  );
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `->` custom<ParameterReference>($target_scope, $target_key) `` `[` $target_offset `]`
    `:` type($source) (`{` $source_dims^ `}`)? attr-dict-with-keyword
  }];
}
