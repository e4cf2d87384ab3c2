// Modules, functions, and what they share with others.

def VM_OrdinalCountsAttr : AttrDef<VM_Dialect, "OrdinalCounts"> {
  let mnemonic = "ordinal_counts";
  let summary = "How many of each kind of thing a module numbers";
  let parameters = (ins
    IntParameter<>:$import_funcs,
    IntParameter<>:$export_funcs,
    IntParameter<>:$internal_funcs,
    IntParameter<>:$global_bytes,
    IntParameter<>:$global_refs,
    IntParameter<>:$rodatas,
    IntParameter<>:$rwdatas
  );
  let assemblyFormat = "`<` struct(params) `>`";
}

def VM_ModuleOp : VM_Op<"module", [
  IsolatedFromAbove, SingleBlockImplicitTerminator<"vm.module_terminator">, Symbol, SymbolTable
]> {
  let summary = "What is loaded as one";
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    OptionalAttr<VM_OrdinalCountsAttr>:$ordinal_counts,
    OptionalAttr<I32Attr>:$version
  );
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) $sym_name prop-dict attr-dict-with-keyword regions
  }];
}

def VM_ModuleTerminatorOp
    : VM_Op<"module_terminator", [HasParent<"vm.module">, Terminator]> {
  let summary = "Ends a module";
  let assemblyFormat = "attr-dict";
}

def VM_FuncOp : VM_Op<"func", [
  CallableOpInterface, FunctionOpInterface, HasParent<"vm.module">, IsolatedFromAbove,
  PublicDeclarations, Symbol
]> {
  let summary = "A function";
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    OptionalAttr<StrAttr>:$sym_visibility,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<I32Attr>:$ordinal,
    OptionalAttr<Util_InliningPolicyAttr>:$inlining_policy,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
  let customFormat = "func";
}

def VM_ExportOp : VM_Op<"export", [SymbolUserOpInterface]> {
  let summary = "Lets other modules call a function, under a name";
  let arguments = (ins
    FlatSymbolRefAttr:$function_ref,
    StrAttr:$export_name,
    OptionalAttr<I32Attr>:$ordinal
  );
  let assemblyFormat = "custom<SymbolAlias>($export_name, $function_ref) attr-dict-with-keyword";
  let verifier = "export";
}

def VM_ImportOp
    : VM_Op<"import", [CallableOpInterface, FunctionOpInterface, PublicDeclarations, Symbol]> {
  let summary = "Declares a function of another module";
  let description = [{
    The name says which module: `module.function`. Arguments may have names (`vm.name` among their
    attributes) and stand for any number of values (`vm.variadic`, written `...`). A program runs
    without an optional import and can ask whether it is there; of the others the greatest
    `minimum_version` is what the module has to have. Calls of an import with `nosideeffects` may go when nobody uses what they give.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<I32Attr>:$ordinal,
    UnitAttr:$is_optional,
    OptionalAttr<I32Attr>:$minimum_version
  );
  let regions = (region AnyRegion:$body);
  let customFormat = "import";
}

def VM_ImportResolvedOp : VM_Op<"import.resolved", [
  NoMemoryEffect, VM_Code<0x5C, [VM_Sym<"import">, VM_Reg<"result">]>
]> {
  let summary = "Whether an optional import is there";
  let arguments = (ins FlatSymbolRefAttr:$import);
  let results = (outs I32:$result);
  let assemblyFormat = "$import attr-dict `:` type($result)";
  let resultNames = [NamedBy<"import_resolved">];
}

def VM_InitializerOp : VM_Op<"initializer", [
  CallableOpInterface, FunctionOpInterface, HasParent<"vm.module">, IsolatedFromAbove
]> {
  let summary = "Code that runs when the module is loaded, in order";
  let arguments = (ins
    DefaultValuedAttr<Util_NoArgsFunctionType, "() -> ()">:$function_type,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

//===-- Constant data -----------------------------------------------------------------------------

def VM_RodataOp : VM_Op<"rodata", [HasParent<"vm.module">, IsolatedFromAbove, Symbol]> {
  let summary = "Bytes in the module file";
  let arguments = (ins
    OptionalAttr<StrAttr>:$sym_visibility,
    SymbolNameAttr:$sym_name,
    Util_SerializableAttr:$value,
    OptionalAttr<I64Attr>:$alignment,
    OptionalAttr<I32Attr>:$ordinal,
    OptionalAttr<StrAttr>:$mime_type
  );
  let assemblyFormat = [{
    custom<SymbolVisibility>($sym_visibility) $sym_name prop-dict attr-dict $value
  }];
}

def VM_RodataInlineOp : VM_PureOp<"rodata.inline", [VM_PseudoOp]> {
  let summary = "Bytes in the module file, where they are used";
  let arguments = (ins
    OptionalAttr<StrAttr>:$name,
    Util_SerializableAttr:$value,
    OptionalAttr<I64Attr>:$alignment,
    OptionalAttr<StrAttr>:$mime_type
  );
  let results = (outs VM_BufferType:$result);
  let assemblyFormat = "($name^)? prop-dict attr-dict `:` type($result) `=` $value";
  let resultNames = [NamedBy<"by_type">];
}

def VM_RodataTableInlineOp : VM_PureOp<"rodata.table.inline", [VM_PseudoOp]> {
  let summary = "Pieces of data one after the other, and where each is";
  let arguments = (ins
    OptionalAttr<StrAttr>:$table_name,
    OptionalAttr<StrAttr>:$data_name,
    TypeAttrOf<AnyTypeOf<[I32, I64]>>:$table_type,
    ArrayAttr:$data_array,
    OptionalAttr<I64Attr>:$alignment,
    OptionalAttr<I64Attr>:$data_alignment,
    OptionalAttr<StrAttr>:$mime_type
  );
  let results = (outs VM_BufferType:$table_result, VM_BufferType:$data_result);
  let assemblyFormat = [{
    $table_type prop-dict attr-dict `:` type($table_result) `,` type($data_result) `=` $data_array
  }];
  let resultNames = [NamedBy<"by_type">];
}

def VM_ConstRefRodataOp : VM_PureOp<"const.ref.rodata", [
  SymbolUserOpInterface, VM_Code<0x11, [VM_Sym<"rodata">, VM_Reg<"value">]>
]> {
  let summary = "A reference to constant data";
  let arguments = (ins FlatSymbolRefAttr:$rodata);
  let results = (outs VM_BufferType:$value);
  let assemblyFormat = "$rodata attr-dict `:` type($value)";
  let resultNames = [NamedBy<"symbol">];
  let symbolVerifier = "rodata";
}
