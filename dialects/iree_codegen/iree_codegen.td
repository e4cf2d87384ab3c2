// The `iree_codegen` dialect: what code generation for any target shares.

#ifndef TEGULA_IREE_CODEGEN_TD
#define TEGULA_IREE_CODEGEN_TD

include "tegula/OpBase.td"

def IREECodegen_Dialect : Dialect {
  let name = "iree_codegen";
  let summary = "Code generation, target-independent";
  let description = [{
    Reads and writes between tensors and buffers at the border of a dispatch, and the configuration
    of a dispatch: pipeline, workgroup size and count.
  }];
}

class IREECodegen_Op<string mnemonic, list<Trait> traits = []>
    : Op<IREECodegen_Dialect, mnemonic, traits>;

def IREECodegen_TranslationInfoAttr : AttrDef<IREECodegen_Dialect, "TranslationInfo"> {
  let mnemonic = "translation_info";
  let alias = "translation";
  let summary = "How the function of a dispatch is lowered";
  let parameters = (ins
    AttrParameter<>:$passPipeline,
    OptionalParameter<"of:symbol_ref">:$codegenSpec,
    OptionalArrayRefParameter<"int">:$workgroupSize,
    OptionalParameter<"int">:$subgroupSize,
    OptionalParameter<"of:dictionary">:$configuration
  );
  let assemblyFormat = [{
    `<` `pipeline` `=` $passPipeline
      (`codegen_spec` `=` $codegenSpec^)?
      (`workgroup_size` `=` `[` $workgroupSize^ `]`)?
      (`subgroup_size` `=` $subgroupSize^)?
      (`,` $configuration^)? `>`
  }];
}

def IREECodegen_LoadFromBufferOp
    : IREECodegen_Op<"load_from_buffer", [MemoryEffects<[MemRead]>]> {
  let summary = "Reads a buffer as a tensor";
  let arguments = (ins AnyMemRef:$buffer);
  let results = (outs AnyRankedTensor:$tensor);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer) `->` type($tensor)";
  let verifier = "load_from_buffer";
}

def IREECodegen_StoreToBufferOp
    : IREECodegen_Op<"store_to_buffer", [MemoryEffects<[MemWrite]>]> {
  let summary = "Writes a tensor to a buffer";
  let arguments = (ins AnyRankedTensor:$tensor, AnyMemRef:$buffer);
  let assemblyFormat = [{
    $tensor `,` $buffer attr-dict `:` type($tensor) `into` type($buffer)
  }];
  let verifier = "store_to_buffer";
}

def IREECodegen_WorkgroupCountHintOp : IREECodegen_Op<"workgroup_count_hint"> {
  let summary = "The workgroup count that tiling found";
  let arguments = (ins Variadic<Index>:$sizes, DenseI64ArrayAttr:$static_sizes);
  let customFormat = "workgroup_count_hint";
}

def IREECodegen_DispatchConfigOp : IREECodegen_Op<"dispatch_config", [
  IsolatedFromAbove, SingleBlockImplicitTerminator<"iree_codegen.yield">
]> {
  let summary = "The workgroup count and size of a dispatch's function";
  let arguments = (ins
    FlatSymbolRefAttr:$function_ref,
    OptionalAttr<DenseI64ArrayAttr>:$workgroup_size,
    OptionalAttr<I64Attr>:$subgroup_size,
    OptionalAttr<IndexAttr>:$workgroup_local_memory
  );
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $function_ref
    (`workgroup_size` `=` $workgroup_size^)?
    (`subgroup_size` `=` $subgroup_size^)?
    (`workgroup_local_memory` `=` $workgroup_local_memory^)?
    $body attr-dict
  }];
}

def IREECodegen_YieldOp : IREECodegen_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "Ends a region of this dialect";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // TEGULA_IREE_CODEGEN_TD
