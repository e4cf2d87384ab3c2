// Functions and calls.

def LLVM_LLVMFuncOp : LLVM_Op<"func", [
  AffineScope, AutomaticAllocationScope, FunctionOpInterface, IsolatedFromAbove,
  PublicDeclarations, Symbol
]> {
  let summary = "A function";
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    OptionalAttr<StrAttr>:$sym_visibility,
    TypeAttrOf<LLVM_FunctionType>:$function_type,
    DefaultValuedAttr<LLVM_LinkageAttr, "#llvm.linkage<external>">:$linkage,
    UnitAttr:$dso_local,
    DefaultValuedAttr<LLVM_CConvAttr, "#llvm.cconv<ccc>">:$CConv,
    OptionalAttr<SymbolRefAttr>:$comdat,
    UnitAttr:$convergent,
    OptionalAttr<FlatSymbolRefAttr>:$personality,
    OptionalAttr<StrAttr>:$garbageCollector,
    OptionalAttr<ArrayAttr>:$passthrough,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    OptionalAttr<LLVM_MemoryEffectsAttr>:$memory_effects,
    DefaultValuedAttr<LLVM_Visibility, "default">:$visibility_,
    UnitAttr:$arm_streaming,
    UnitAttr:$arm_locally_streaming,
    UnitAttr:$arm_streaming_compatible,
    UnitAttr:$arm_new_za,
    UnitAttr:$arm_in_za,
    UnitAttr:$arm_out_za,
    UnitAttr:$arm_inout_za,
    UnitAttr:$arm_preserves_za,
    OptionalAttr<StrAttr>:$section,
    DefaultValuedAttr<LLVM_UnnamedAddr, "none">:$unnamed_addr,
    OptionalAttr<I64Attr>:$alignment,
    OptionalAttr<LLVM_VScaleRangeAttr>:$vscale_range,
    OptionalAttr<LLVM_FramePointerKindAttr>:$frame_pointer,
    OptionalAttr<StrAttr>:$target_cpu,
    OptionalAttr<StrAttr>:$tune_cpu,
    OptionalAttr<StrAttr>:$reciprocal_estimates,
    OptionalAttr<StrAttr>:$prefer_vector_width,
    OptionalAttr<LLVM_TargetFeaturesAttr>:$target_features,
    OptionalAttr<BoolAttr>:$no_signed_zeros_fp_math,
    OptionalAttr<StrAttr>:$fp_contract,
    OptionalAttr<StrAttr>:$instrument_function_entry,
    OptionalAttr<StrAttr>:$instrument_function_exit,
    UnitAttr:$no_inline,
    UnitAttr:$always_inline,
    UnitAttr:$inline_hint,
    UnitAttr:$no_unwind,
    UnitAttr:$will_return,
    UnitAttr:$optimize_none,
    OptionalAttr<LLVM_VecTypeHintAttr>:$vec_type_hint,
    OptionalAttr<DenseI32ArrayAttr>:$work_group_size_hint,
    OptionalAttr<DenseI32ArrayAttr>:$reqd_work_group_size,
    OptionalAttr<I32Attr>:$intel_reqd_sub_group_size,
    OptionalAttr<LLVM_UWTableKindAttr>:$uwtable_kind
  );
  let regions = (region AnyRegion:$body);
  let customFormat = "func";
  let verifier = "func";
}

// What is handed to a call beside its arguments, by tags.
class LLVM_BundleArgs {
  dag args = (ins Variadic<LLVM_Type>:$op_bundle_operands,
                  DefaultValuedAttr<DenseI32ArrayAttr, "[]">:$op_bundle_sizes,
                  OptionalAttr<ArrayAttr>:$op_bundle_tags);
}
defvar LLVM_bundleArgs = LLVM_BundleArgs<>.args;
class LLVM_DictArgs {
  dag args = (ins OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
}
defvar LLVM_dictArgs = LLVM_DictArgs<>.args;
def LLVM_HasBundles : TraitList<[
  AttrSizedOperandSegments, SegmentsBy<"op_bundle_operands", "op_bundle_sizes">
]>;

def LLVM_CallOp : LLVM_Op<"call", [LLVM_HasBundles, CallOpInterface, SymbolUserOpInterface]> {
  let summary = "Calls a function by its name or its address";
  let arguments = !con((ins
    OptionalAttr<TypeAttrOf<LLVM_FunctionType>>:$var_callee_type,
    OptionalAttr<FlatSymbolRefAttr>:$callee,
    Variadic<LLVM_Type>:$callee_operands,
    LLVM_FastmathArg:$fastmathFlags,
    DefaultValuedAttr<LLVM_CConvAttr, "#llvm.cconv<ccc>">:$CConv,
    DefaultValuedAttr<LLVM_TailCallKindAttr, "#llvm.tailcallkind<none>">:$TailCallKind,
    OptionalAttr<LLVM_MemoryEffectsAttr>:$memory_effects,
    UnitAttr:$convergent,
    UnitAttr:$no_unwind,
    UnitAttr:$will_return
  ), LLVM_bundleArgs, LLVM_dictArgs, (ins
    UnitAttr:$no_inline,
    UnitAttr:$always_inline,
    UnitAttr:$inline_hint
  ), LLVM_aliasArgs);
  let results = (outs Optional<LLVM_Type>:$result);
  let customFormat = "call";
  let verifier = "call";
}
def LLVM_InvokeOp : LLVM_BranchingOp<"invoke", [
  LLVM_HasBundles, CallOpInterface, SymbolUserOpInterface
]> {
  let summary = "Calls a function that may leave by an exception";
  let arguments = !con((ins
    OptionalAttr<TypeAttrOf<LLVM_FunctionType>>:$var_callee_type,
    OptionalAttr<FlatSymbolRefAttr>:$callee,
    Variadic<LLVM_Type>:$callee_operands
  ), LLVM_dictArgs, (ins
    Variadic<LLVM_Type>:$normalDestOperands,
    Variadic<LLVM_Type>:$unwindDestOperands,
    OptionalAttr<DenseI32ArrayAttr>:$branch_weights,
    DefaultValuedAttr<LLVM_CConvAttr, "#llvm.cconv<ccc>">:$CConv
  ), LLVM_bundleArgs);
  let results = (outs Optional<LLVM_Type>:$result);
  let successors = (successor SuccessorTaking<"normalDestOperands">:$normalDest,
                              SuccessorTaking<"unwindDestOperands">:$unwindDest);
  let customFormat = "invoke";
  let verifier = "call";
}
def LLVM_CallIntrinsicOp : LLVM_Op<"call_intrinsic", [LLVM_HasBundles]> {
  let summary = "Calls what LLVM knows by a name";
  let arguments = !con((ins StrAttr:$intrin, Variadic<LLVM_Type>:$args,
                            LLVM_FastmathArg:$fastmathFlags),
                       LLVM_bundleArgs, LLVM_dictArgs);
  let results = (outs Optional<LLVM_Type>:$results);
  let customFormat = "call_intrinsic";
  let verifier = "call_intrinsic";
}
def LLVM_InlineAsmOp
    : LLVM_Op<"inline_asm", [MemoryEffects<[]>, AnyEffectsWhen<["has_side_effects"]>]> {
  let summary = "Instructions as text";
  let arguments = (ins
    Variadic<LLVM_Type>:$operands,
    StrAttr:$asm_string,
    StrAttr:$constraints,
    UnitAttr:$has_side_effects,
    UnitAttr:$is_align_stack,
    DefaultValuedAttr<LLVM_TailCallKindAttr, "#llvm.tailcallkind<none>">:$tail_call_kind,
    OptionalAttr<LLVM_AsmDialect>:$asm_dialect,
    OptionalAttr<ArrayAttr>:$operand_attrs
  );
  let results = (outs Optional<LLVM_Type>:$res);
  let assemblyFormat = [{
    (`has_side_effects` $has_side_effects^)? (`is_align_stack` $is_align_stack^)?
    (`tail_call_kind` `=` $tail_call_kind^)? (`asm_dialect` `=` $asm_dialect^)?
    (`operand_attrs` `=` $operand_attrs^)? attr-dict
    $asm_string `,` $constraints operands `:` functional-type(operands, results)
  }];
}
