// To `vm`: each op is a call of a function of the runtime's module `hal_loader`.

class HALLoader_Import<string name, dag source, list<VM_Argument> arguments,
                       list<string> results = [], bit pure = 1, int version = 0>
    : VM_Import<"hal_loader", name, source, arguments, results, pure, version>;
class HALLoader_ExecutableRef<string name> : VM_Ref<name, "!vm.ref<!hal.executable>">;

def HALLoader_ImportQuerySupport : HALLoader_Import<"executable.query_support",
  (HALLoader_ExecutableQuerySupportOp $executable_format), [VM_Text<"executable_format">],
  ["i32"]>;
def HALLoader_ImportLoad : HALLoader_Import<"executable.load",
  (HALLoader_ExecutableLoadOp $executable_format, $executable_data, $constants),
  [VM_Text<"executable_format">, VM_Buffer<"executable_data">,
   VM_Argument<"constants", "!vm.buffer", (VM_PackedConstants $constants)>],
  ["!vm.ref<!hal.executable>"]>;
def HALLoader_ImportDispatch : HALLoader_Import<"executable.dispatch",
  (HALLoader_ExecutableDispatchOp $executable, $function_id, $workgroup_x, $workgroup_y,
                                  $workgroup_z, $constants, $buffers, $offsets, $lengths),
  [HALLoader_ExecutableRef<"executable">, VM_Int64<"function_id">, VM_Int32<"workgroup_x">,
   VM_Int32<"workgroup_y">, VM_Int32<"workgroup_z">, VM_Ints32<"constants">,
   VM_Argument<"bindings", "tuple<!vm.buffer, i64, i64>",
               (map (each $buffer, $buffers), (each $offset, $offsets), (each $length, $lengths),
                    (values $buffer, (VM_ToI64S $offset), (VM_ToI64S $length))),
               [(values $buffers)]>], [], 0, 1>;
def HALLoader_ImportLookupFunction : HALLoader_Import<"executable.lookup.function",
  (HALLoader_ExecutableLookupFunctionOp $executable, (symbol (rest), $function_name)),
  [HALLoader_ExecutableRef<"executable">, VM_Text<"function_name">],
  ["i64"], 1, 1>;

def HALLoader_Imports : VM_ImportModule<"hal_loader", [
  HALLoader_ImportQuerySupport, HALLoader_ImportLoad, HALLoader_ImportDispatch,
  HALLoader_ImportLookupFunction
]>;
