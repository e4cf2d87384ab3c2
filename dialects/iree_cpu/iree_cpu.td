// The `iree_cpu` dialect: what configures code generation for CPUs.

#ifndef TEGULA_IREE_CPU_TD
#define TEGULA_IREE_CPU_TD

include "tegula/OpBase.td"

def IREECPU_Dialect : Dialect {
  let name = "iree_cpu";
  let summary = "Configuration of code generation for CPUs";
  let description = [{
    Attributes only: the layout resolver that picks inner tiles for encoded tensors, tile sizes per
    op, and the pipeline that lowers a dispatch.
  }];
}

/// A choice says how many bytes a tensor takes and where its elements lie.
def IREECPU_Serializable : NativeAttrTrait<"SerializableAttr">;

def IREECPU_CPUEncodingResolverAttr
    : AttrDef<IREECPU_Dialect, "CPUEncodingResolver", [IREECPU_Serializable]> {
  let mnemonic = "cpu_encoding_resolver";
  let summary = "Chooses layouts of encoded tensors for CPUs";
  let description = [{
    Without a configuration it is the request to choose; with `encoding_info` in it, the choice.
  }];
  let parameters = (ins OptionalParameter<"of:dictionary">:$configuration);
  let assemblyFormat = "`<` struct(params) `>`";
}

def IREECPU_VMVXEncodingResolverAttr
    : AttrDef<IREECPU_Dialect, "VMVXEncodingResolver", [IREECPU_Serializable]> {
  let mnemonic = "vmvx_encoding_resolver";
  let summary = "Chooses layouts of encoded tensors for code that the host program runs";
  let description = [{
    Like `cpu_encoding_resolver`; a choice holds the encoding that it was made for, too.
  }];
  let parameters = (ins OptionalParameter<"of:dictionary">:$configuration);
  let assemblyFormat = "`<` struct(params) `>`";
}

def IREECPU_LoweringConfigAttr : AttrDef<IREECPU_Dialect, "LoweringConfig"> {
  let mnemonic = "lowering_config";
  let alias = "config";
  let summary = "Tile sizes of an op, by tiling level";
  let parameters = (ins AttrParameter<"of:dictionary">:$config);
  let customFormat = "lowering_config";
}

def IREECPU_Pipeline_Default : I32EnumAttrCase<"Default", 0>;
def IREECPU_Pipeline_DoubleTilingExpert : I32EnumAttrCase<"DoubleTilingExpert", 1>;
def IREECPU_Pipeline_ConvTileAndDecomposeExpert
    : I32EnumAttrCase<"ConvTileAndDecomposeExpert", 2>;
def IREECPU_Pipeline_Mmt4dTilingExpert : I32EnumAttrCase<"Mmt4dTilingExpert", 3>;
def IREECPU_Pipeline_BufferOpsTileAndVectorize
    : I32EnumAttrCase<"BufferOpsTileAndVectorize", 4>;
def IREECPU_Pipeline_DataTiling : I32EnumAttrCase<"DataTiling", 5>;
def IREECPU_Pipeline_LinalgExtTileAndVectorize
    : I32EnumAttrCase<"LinalgExtTileAndVectorize", 6>;
def IREECPU_LoweringPipeline : I32EnumAttr<"LoweringPipeline", "how a dispatch is lowered", [
  IREECPU_Pipeline_Default,
  IREECPU_Pipeline_DoubleTilingExpert,
  IREECPU_Pipeline_ConvTileAndDecomposeExpert,
  IREECPU_Pipeline_Mmt4dTilingExpert,
  IREECPU_Pipeline_BufferOpsTileAndVectorize,
  IREECPU_Pipeline_DataTiling,
  IREECPU_Pipeline_LinalgExtTileAndVectorize
]>;

def IREECPU_PipelineAttr : AttrDef<IREECPU_Dialect, "Pipeline"> {
  let mnemonic = "pipeline";
  let summary = "The pipeline that lowers a dispatch";
  let parameters = (ins EnumParameter<IREECPU_LoweringPipeline>:$value);
  let assemblyFormat = "`<` $value `>`";
}

include "iree_cpu/targets.td"

#endif // TEGULA_IREE_CPU_TD
