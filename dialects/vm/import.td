// Functions of the runtime that stand for ops: one declaration for each op. It says what the import
// is called and takes; how the op becomes a call of it, and how the import is declared, follows.

/// All that the ops of a dialect import. Its conversion puts the declarations there.
def VM_ImportModuleOp : VM_Op<"import.module", [VM_PseudoOp]> {
  let summary = "Declares what the ops of a dialect import";
  let arguments = (ins StrAttr:$dialect);
  let assemblyFormat = "$dialect attr-dict";
}

// An argument of an import: its name, its type, and what a call passes, computed from what the op's
// match has bound. `many` is the list whose elements it stands for, where it stands for any number.
class VM_Argument<string argument, string ty, dag passed, list<dag> many = []> {
  string name = argument;
  string type = ty;
  dag value = passed;
  dag elements = !if(!empty(many), (attr "-1 : i16"), (toInt (count !head(many)), I16));
  bit variadic = !not(!empty(many));
  string declared = "{vm.name = \"" # argument # "\"" # !if(variadic, ", vm.variadic", "") # "}";
}
// An operand, as it is or as an integer of a width. It is matched under the argument's name.
class VM_Ref<string name, string type>
    : VM_Argument<name, type, !dag(values, ?, [name])>;
class VM_Buffer<string name> : VM_Ref<name, "!vm.buffer">;
class VM_Int32<string name> : VM_Argument<name, "i32", !dag(VM_ToI32, ?, [name])>;
class VM_Int64<string name> : VM_Argument<name, "i64", !dag(VM_ToI64S, ?, [name])>;
// An attribute: a number, or text as bytes.
class VM_Number32<string name>
    : VM_Argument<name, "i32", (Arith_ConstantOp !con(!dag(toInt, ?, [name]), (toInt I32)))>;
class VM_Number64<string name>
    : VM_Argument<name, "i64", (Arith_ConstantOp !con(!dag(toInt, ?, [name]), (toInt I64)))>;
def VM_TextData : Function<(params $text),
    (VM_RodataInlineOp (compute "vm_text_name", $text), $text, (attr "1 : i64"), ?)>;
class VM_Text<string name>
    : VM_Argument<name, "!vm.buffer", !dag(VM_TextData, ?, [name])>;
// A group of operands.
class VM_Refs<string name, string type>
    : VM_Argument<name, type, !dag(values, ?, [name]),
                  [!dag(values, ?, [name])]>;
class VM_Ints32<string name>
    : VM_Argument<name, "i32", (map !con((each $x), !dag(each, ?, [name])), (VM_ToI32 $x)),
                  [!dag(values, ?, [name])]>;
class VM_Ints64<string name>
    : VM_Argument<name, "i64", (map !con((each $x), !dag(each, ?, [name])), (VM_ToI64S $x)),
                  [!dag(values, ?, [name])]>;

// What declares an import.
class VM_Declaration<string function, list<VM_Argument> arguments, list<string> results, bit pure,
                     int version, bit yields> {
  defvar inputs = !interleave(!foreach(a, arguments, a.type), ", ");
  defvar import = !setdagopname((VM_ImportOp function,
      (typeAttr (type "(" # inputs # ") -> (" # !interleave(results, ", ") # ")")),
      (attr "[" # !interleave(!foreach(a, arguments, a.declared), ", ") # "]"), ?, "private", ?,
      ?, !if(version, (attr version # " : i32"), (absent))), function);
  defvar marks = !listconcat(!if(pure, ["nosideeffects"], []<string>),
                             !if(yields, ["vm.yield"], []<string>));
  list<dag> declare = !listconcat([import], !foreach(mark, marks,
      !con(!dag(setAttr, ?, [function]), (setAttr mark, (attr "unit")))));
}

// The op `source` is done by `module.name`, which gives values of the types `results`. What has to
// be made or named `before` arguments are passed comes first.
class VM_Import<string module, string name, dag source, list<VM_Argument> arguments,
                list<string> results = [], bit pure = 1, int version = 0, list<dag> before = [],
                bit yields = 0>
    : ConversionPattern<"to-vm", !setdagopname(source, "op"), []>,
      VM_Declaration<module # "." # name, arguments, results, pure, version, yields> {
  defvar callee = module # "." # name;
  defvar inputTypes = !interleave(!foreach(a, arguments, a.type), ", ");
  defvar isVariadic = !foldl(0, arguments, any, a, !or(any, a.variadic));
  defvar passed = !dag(values, !foreach(a, arguments, a.value), ?);
  defvar given = !dag(types, !foreach(r, results, (type r)), ?);
  defvar effects = !if(pure, (attr "unit"), (absent));
  defvar call = !if(isVariadic,
      (VM_CallVariadicOp:$call (symbol callee),
         (dense (type "vector<" # !size(arguments) # "xi16>"),
                !dag(array, !foreach(a, arguments, a.elements), ?)),
         (attr "[" # inputTypes # "]"), passed, ?, ?, effects, given),
      (VM_CallOp:$call (symbol callee), passed, ?, ?, effects, given));
  let actions = !listconcat(before, [
    call,
    !if(!empty(results), (erase),
        !dag(replace, !foreach(i, !range(!size(results)),
               (VM_ToType (item (values $call), i),
                          (convertType (typeOf (result $op, i))))), ?))
  ]);
}

// The declarations of a dialect's imports, where the dialect is used.
class VM_ImportModule<string dialect, list<VM_Declaration> imports>
    : ConversionPattern<"to-vm", (VM_ImportModuleOp dialect),
                        !listconcat(!foldl([]<dag>, imports, all, import,
                                           !listconcat(all, import.declare)), [(erase)])> {
  let benefit = 2;
}
def VM_NoImports : ConversionPattern<"to-vm", (VM_ImportModuleOp ?), [(erase)]>;

// Constants one after the other, in 32 bits each; null when there are none.
def VM_PackedConstants : Function<(params $constants), (switch
    (case (eq (count (original $constants)), 0), (VM_ConstRefZeroOp (types (type "!vm.buffer")))),
    (default (VM_BufferAllocOp:$packed
                (VM_ConstI64Op (mul (toInt (count $constants), I64), (attr "4 : i64"))),
                (VM_ConstI32Op 16)),
             (forEach (each $constant, $constants), (each $at, (positions $constants)),
                (when (unless (matches (original $constant), (ConstantLike 0))),
                   (VM_BufferStoreI32Op $packed, (VM_ConstI64Op (toInt $at, I64)), $constant))),
             (values $packed)))>;
