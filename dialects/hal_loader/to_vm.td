// To `vm`: each op is a call of a function of the runtime's module `hal_loader`.

class HALLoader_Import<string name, dag source, list<VM_Argument> arguments,
                       list<string> results = [], bit pure = 1, int version = 0>
    : VM_Import<"hal_loader", name, source, arguments, results, pure, version>;
class HALLoader_ExecutableRef<string name> : VM_Ref<name, "!vm.ref<!hal.executable>">;

// Constants one after the other, in 32 bits each; null when there are none.
def HALLoader_Packed : Function<(params $constants), (switch
    (case (eq (count (original $constants)), 0), (VM_ConstRefZeroOp (types (type "!vm.buffer")))),
    (default (VM_BufferAllocOp:$packed
                (VM_ConstI64Op (mul (toInt (count $constants), I64), (attr "4 : i64"))),
                (VM_ConstI32Op 16)),
             (forEach (each $constant, $constants), (each $at, (positions $constants)),
                (VM_BufferStoreI32Op $packed, (VM_ConstI64Op (toInt $at, I64)), $constant)),
             (values $packed)))>;

def HALLoader_ImportQuerySupport : HALLoader_Import<"executable.query_support",
  (HALLoader_ExecutableQuerySupportOp $executable_format), [VM_Text<"executable_format">],
  ["i32"]>;
def HALLoader_ImportLoad : HALLoader_Import<"executable.load",
  (HALLoader_ExecutableLoadOp $executable_format, $executable_data, $constants),
  [VM_Text<"executable_format">, VM_Buffer<"executable_data">,
   VM_Argument<"constants", "!vm.buffer", (HALLoader_Packed $constants)>],
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
