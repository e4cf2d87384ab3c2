// Executables: whether they can be loaded, what is in them, and calls.

def HALLoader_ExecutableQuerySupportOp : HALLoader_PureOp<"executable.query_support"> {
  let summary = "Whether the runtime loads code of a format";
  let arguments = (ins StrAttr:$executable_format);
  let results = (outs I1:$supported);
  let resultNames = [NamedBy<"supported">];
  let assemblyFormat = [{
    `format` `(` $executable_format `)` `:` type($supported) attr-dict-with-keyword
  }];
}

def HALLoader_ExecutableLoadOp : HALLoader_PureOp<"executable.load"> {
  let summary = "Loads code";
  let description = [{
    The constants settle what the code left open when it was compiled.
  }];
  let arguments = (ins StrAttr:$format, Util_BufferType:$data, Variadic<I32>:$constants);
  let results = (outs HAL_Executable:$result);
  let resultNames = [NamedAs<"result", "exe">];
  let assemblyFormat = [{
    `format` `(` $format `)` `data` `(` $data `)`
    (`constants` `(` `[` $constants^ `]` `)`)? `:` type($result) attr-dict-with-keyword
  }];
}

def HALLoader_ExecutableLookupOp
    : HALLoader_PureOp<"executable.lookup", [SymbolUserOpInterface]> {
  let summary = "The loaded executable of a symbol of the module";
  let arguments = (ins FlatSymbolRefAttr:$executable);
  let results = (outs HAL_Executable:$result);
  let resultNames = [NamedAs<"result", "exe">];
  let assemblyFormat = [{
    `executable` `(` $executable `)` `:` type($result) attr-dict-with-keyword
  }];
  let hasSymbolVerifier = 1;
}

def HALLoader_ExecutableExportOrdinalOp
    : HALLoader_PureOp<"executable.export.ordinal", [SymbolUserOpInterface]> {
  let summary = "The number of an entry point, once it has one";
  let arguments = (ins SymbolRefAttr:$entry_point);
  let results = (outs Index:$result);
  let resultNames = [NamedAs<"result", "ordinal">];
  let assemblyFormat = [{
    `target` `(` $entry_point `)` `:` type($result) attr-dict-with-keyword
  }];
  let hasSymbolVerifier = 1;
}

def HALLoader_ExecutableLookupFunctionOp : HALLoader_PureOp<"executable.lookup.function"> {
  let summary = "What the runtime calls an entry point of a loaded executable";
  let description = [{
    The identifier means something with this executable only. The symbol names the entry point even
    after the executable became binary and no longer declares it.
  }];
  let arguments = (ins HAL_Executable:$executable, SymbolRefAttr:$entry_point);
  let results = (outs I64:$result);
  let resultNames = [NamedAs<"result", "function_id">];
  let assemblyFormat = [{
    `target` `(` $executable `:` type($executable) `)` `function` `(` $entry_point `)` `:`
    type($result) attr-dict-with-keyword
  }];
}

def HALLoader_ExecutableDispatchOp
    : HALLoader_Op<"executable.dispatch", [AttrSizedOperandSegments]> {
  let summary = "Calls an entry point for each workgroup";
  let description = [{
    Each binding is a range of host memory, in bytes.
  }];
  let arguments = (ins
    HAL_Executable:$executable,
    I64:$entry_point,
    Index:$workgroup_x,
    Index:$workgroup_y,
    Index:$workgroup_z,
    Variadic<I32>:$constants,
    Variadic<Util_BufferType>:$binding_buffers,
    Variadic<Index>:$binding_offsets,
    Variadic<Index>:$binding_lengths
  );
  let assemblyFormat = [{
    `executable` `(` $executable `:` type($executable) `)` `` `[` $entry_point `]`
    `workgroups` `(` `[` $workgroup_x `,` $workgroup_y `,` $workgroup_z `]` `)`
    (`constants` `(` `[` $constants^ `]` `)`)?
    `bindings` `(` `[`
    custom<Bindings>($binding_buffers, type($binding_buffers), $binding_offsets, $binding_lengths)
    `]` `)` attr-dict-with-keyword
  }];
  let verifier = "dispatch";
}
