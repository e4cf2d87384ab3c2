// Ops by which the host finds device code.

def HAL_ExecutableCreateOp : HAL_PureOp<"executable.create", [SymbolUserOpInterface]> {
  let summary = "Loads an executable for a device";
  let description = [{
    The constants settle what the code left open when it was compiled.
  }];
  let arguments = (ins
    HAL_Device:$device,
    I64:$queue_affinity,
    SymbolRefAttr:$executable_target,
    Variadic<I32>:$constants
  );
  let results = (outs HAL_Executable:$result);
  let resultNames = [NamedAs<"result", "executable">];
  let assemblyFormat = [{
    `device` `(` $device `:` type($device) `)`
    `affinity` `(` $queue_affinity `)`
    `target` `(` $executable_target `)`
    (`constants` `(` `[` $constants^ `]` `)`)? `:` type($result) attr-dict-with-keyword
  }];
}

def HAL_ExecutableLookupOp : HAL_PureOp<"executable.lookup", [SymbolUserOpInterface]> {
  let summary = "The executable of a symbol of the module, loaded for a device";
  let arguments = (ins HAL_Device:$device, FlatSymbolRefAttr:$executable);
  let results = (outs HAL_Executable:$result);
  let resultNames = [NamedAs<"result", "exe">];
  let assemblyFormat = [{
    `device` `(` $device `:` type($device) `)` `executable` `(` $executable `)` `:` type($result)
    attr-dict-with-keyword
  }];
}

def HAL_ExecutableLookupFunctionOp
    : HAL_PureOp<"executable.lookup.function", [SymbolUserOpInterface]> {
  let summary = "What the runtime calls an entry point of a loaded executable";
  let arguments = (ins HAL_Executable:$executable, SymbolRefAttr:$entry_point);
  let results = (outs I64:$result);
  let resultNames = [NamedAs<"result", "function_id">];
  let assemblyFormat = [{
    `target` `(` $executable `:` type($executable) `)` `function` `(` $entry_point `)` `:`
    type($result) attr-dict-with-keyword
  }];
}

def HAL_ExecutableExportOrdinalOp
    : HAL_PureOp<"executable.export.ordinal", [SymbolUserOpInterface]> {
  let summary = "The number of an entry point, once it has one";
  let arguments = (ins SymbolRefAttr:$entry_point);
  let results = (outs Index:$result);
  let resultNames = [NamedAs<"result", "ordinal">];
  let assemblyFormat = [{
    `target` `(` $entry_point `)` `:` type($result) attr-dict-with-keyword
  }];
}

def HAL_ExecutableCalculateWorkgroupsOp
    : HAL_PureOp<"executable.calculate_workgroups", [SymbolUserOpInterface]> {
  let summary = "The number of workgroups of an entry point for a workload";
  let arguments = (ins HAL_Device:$device, SymbolRefAttr:$entry_point, Variadic<Index>:$workload);
  let results = (outs Index:$workgroup_x, Index:$workgroup_y, Index:$workgroup_z);
  let resultNames = [
    NamedAs<"workgroup_x", "workgroup_x">, NamedAs<"workgroup_y", "workgroup_y">,
    NamedAs<"workgroup_z", "workgroup_z">
  ];
  let assemblyFormat = [{
    `device` `(` $device `:` type($device) `)`
    `target` `(` $entry_point `)`
    (`workload` `(` `[` $workload^ `]` `)`)? `:`
    type($workgroup_x) `,` type($workgroup_y) `,` type($workgroup_z) attr-dict-with-keyword
  }];
}
