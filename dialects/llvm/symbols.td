// Globals, aliases, and what else a module holds.

def LLVM_TLSMode : I64EnumAttr<"TLSMode", "how a global of a thread is found", [
  LLVM_EnumCase<"not_thread_local", 0>, LLVM_EnumCase<"generaldynamic", 1>,
  LLVM_EnumCase<"localdynamic", 2>, LLVM_EnumCase<"initialexec", 3>, LLVM_EnumCase<"localexec", 4>
]>;
def LLVM_TLSModeArg : DefaultValuedAttr<LLVM_TLSMode, "not_thread_local">;

def LLVM_GlobalOp : LLVM_Op<"mlir.global", [IsolatedFromAbove, Symbol]> {
  let summary = "Memory of the module";
  let description = [{
    What it holds at first is an attribute or what its region returns; nothing says so where it is
    defined elsewhere.
  }];
  let arguments = (ins
    TypeAttr:$global_type,
    UnitAttr:$constant,
    SymbolNameAttr:$sym_name,
    LLVM_LinkageAttr:$linkage,
    UnitAttr:$dso_local,
    LLVM_TLSModeArg:$tls_mode,
    UnitAttr:$externally_initialized,
    OptionalAttr<AnyAttr>:$value,
    OptionalAttr<I64Attr>:$alignment,
    DefaultValuedAttr<I32Attr, "0">:$addr_space,
    DefaultValuedAttr<LLVM_UnnamedAddr, "none">:$unnamed_addr,
    OptionalAttr<StrAttr>:$section,
    OptionalAttr<SymbolRefAttr>:$comdat,
    OptionalAttr<ArrayAttr>:$dbg_exprs,
    DefaultValuedAttr<LLVM_Visibility, "default">:$visibility_,
    OptionalAttr<ArrayAttr>:$target_specific_attrs
  );
  let regions = (region MaxSizedRegion<1>:$initializer);
  let customFormat = "global";
  let verifier = "global";
}
def LLVM_AliasOp : LLVM_Op<"mlir.alias", [IsolatedFromAbove, Symbol]> {
  let summary = "Another name for an address";
  let arguments = (ins
    TypeAttr:$alias_type,
    SymbolNameAttr:$sym_name,
    LLVM_LinkageAttr:$linkage,
    UnitAttr:$dso_local,
    LLVM_TLSModeArg:$tls_mode,
    DefaultValuedAttr<LLVM_UnnamedAddr, "none">:$unnamed_addr,
    DefaultValuedAttr<LLVM_Visibility, "default">:$visibility_
  );
  let regions = (region SizedRegion<1>:$initializer);
  let customFormat = "alias";
}

class LLVM_StructorsOp<string mnemonic, dag functions, string word>
    : LLVM_Op<mnemonic, [SymbolUserOpInterface]> {
  let arguments = !con(functions, (ins I32ArrayAttr:$priorities, ArrayAttr:$data));
  let assemblyFormat = "`" # word # "` `=` $" # word # " `,` `priorities` `=` $priorities "
                       "`,` `data` `=` $data attr-dict";
}
def LLVM_GlobalCtorsOp
    : LLVM_StructorsOp<"mlir.global_ctors", (ins FlatSymbolRefArrayAttr:$ctors), "ctors"> {
  let summary = "Functions that run before the program";
}
def LLVM_GlobalDtorsOp
    : LLVM_StructorsOp<"mlir.global_dtors", (ins FlatSymbolRefArrayAttr:$dtors), "dtors"> {
  let summary = "Functions that run after the program";
}

def LLVM_ComdatOp : LLVM_Op<"comdat", [NoTerminator, NoRegionArguments, Symbol, SymbolTable]> {
  let summary = "Symbols of which a program keeps one each";
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name $body attr-dict";
}
def LLVM_ComdatSelectorOp : LLVM_Op<"comdat_selector", [Symbol]> {
  let summary = "Which definition of a symbol is kept";
  let arguments = (ins SymbolNameAttr:$sym_name, LLVM_Comdat:$comdat);
  let assemblyFormat = "$sym_name $comdat attr-dict";
}
def LLVM_LinkerOptionsOp : LLVM_Op<"linker_options"> {
  let summary = "What the linker is told";
  let arguments = (ins StrArrayAttr:$options);
  let assemblyFormat = "$options attr-dict";
}
def LLVM_ModuleFlagsOp : LLVM_Op<"module_flags"> {
  let summary = "What is said of the module";
  let arguments = (ins ArrayAttr:$flags);
  let assemblyFormat = "$flags attr-dict";
}
