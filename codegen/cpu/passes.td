// Code generation for CPU executables: what takes a dispatch's function from encodings to loops over
// machine vectors. Names that IREE or MLIR have mean what they mean there.

#ifndef TEGULA_CPU_PASSES_TD
#define TEGULA_CPU_PASSES_TD

include "tegula/OpBase.td"
include "tegula/Passes.td"
include "tegula/Patterns.td"
include "arith/arith.td"
include "iree_tensor_ext/iree_tensor_ext.td"

// Owns the passes; it has no ops.
def CPUCodegen_Dialect : Dialect {
  let name = "cpu_codegen";
  let summary = "Passes of code generation for CPUs";
  let dependentDialects = [
    "affine", "arith", "iree_codegen", "iree_cpu", "linalg", "memref", "scf", "tensor", "vector"
  ];
}

class CPUCodegen_Pass<string argument> : Pass<argument, "func.func">;

def CreateDispatchConfigPass
    : Pass<"iree-codegen-create-dispatch-config", "hal.executable.variant"> {
  let summary = "What an entry point says stands beside its function";
}

def PropagateDispatchConfigPass
    : Pass<"iree-codegen-propagate-dispatch-config", "hal.executable.variant"> {
  let summary = "What stands beside a function is said by its entry point again";
}

def MaterializeDeviceEncodingPass
    : CPUCodegen_Pass<"iree-codegen-materialize-device-encoding"> {
  let summary = "Encodings become layouts: pack, mmt4d, unpack";
  let description = [{
    Tile sizes are those of the `encoding_info` that the dispatch tensors carry.
  }];
  let establishes = ["packed-tensors"];
}

def CPUPropagateDataLayoutPass
    : CPUCodegen_Pass<"iree-codegen-cpu-propagate-data-layout"> {
  let summary = "Reshapes that add dimensions of size one go to where results are stored";
  let requires = ["packed-tensors"];
}

def ConvertAccGEMMToGEMMPass : CPUCodegen_Pass<"iree-convert-accgemm-to-gemm"> {
  let summary = "Contractions into read-only tensors start from zeros and are added afterwards";
}

def BufferizeDispatchTensorLoadStorePass
    : CPUCodegen_Pass<"iree-codegen-bufferize-dispatch-tensor-load-store"> {
  let summary = "Dispatch tensors become memrefs of the same bindings";
  let requires = ["packed-tensors"];
  let establishes = ["binding-buffers"];
}

def CombineResultLayoutTransformationPass
    : CPUCodegen_Pass<"iree-codegen-combine-result-layout-transformation"> {
  let summary = "Simplifies what is between a dispatch's computation and its result";
  let description = [{
    Of IREE's pass only the simplification applies to the layouts that are supported: views of
    bindings and constants that nothing uses go, and constants stand at the head of the function.
  }];
}

def LLVMCPUSelectLoweringStrategyPass
    : CPUCodegen_Pass<"iree-llvmcpu-select-lowering-strategy"> {
  let summary = "Chooses tile sizes for each op and a pipeline for the function";
  let options = [
    Option<"threads", "number-of-threads", "int64_t", "8", "threads that distribution provides for">,
    Option<"distributionSize", "distribution-size", "int64_t", "64",
           "the largest tile of a distributed loop">,
    Option<"matmulTileBytes", "matmul-tile-bytes", "int64_t", "262144",
           "bytes that the operands of a distributed contraction tile may take">
  ];
  let requires = ["binding-buffers"];
  let establishes = ["lowering-config"];
}

def FoldAccumulatorPass : CPUCodegen_Pass<"tegula-codegen-fold-accumulator"> {
  let summary = "Contractions start from what they are added to";
  let description = [{
    The inverse of `iree-convert-accgemm-to-gemm`, once tiling is going to keep accumulators in
    registers.
  }];
}

def LLVMCPUTilePass : CPUCodegen_Pass<"iree-llvmcpu-tile"> {
  let summary = "Tiles relayouts to vectors";
  let requires = ["lowering-config"];
}

def LLVMCPUTileAndFuseProducerConsumerPass
    : CPUCodegen_Pass<"iree-llvmcpu-tile-and-fuse-producer-consumer"> {
  let summary = "Tiles what a dispatch stores, and computes its producers tile by tile";
  let options = [
    ChoiceOption<"tilingLevel", "tiling-level", ["vector_common_parallel", "vector_reduction"],
                 "vector_common_parallel", "the level of the lowering_config that is tiled by">
  ];
  let requires = ["lowering-config"];
}

def GenericVectorizationPass : CPUCodegen_Pass<"iree-codegen-generic-vectorization"> {
  let summary = "Tiles of linalg ops become vector ops";
}

def OptimizeTensorInsertExtractSlicesPass
    : CPUCodegen_Pass<"iree-codegen-optimize-tensor-insert-extract-slices"> {
  let summary = "Values instead of tiles in memory";
}

def IREEComprehensiveBufferizePass
    : CPUCodegen_Pass<"iree-codegen-iree-comprehensive-bufferize"> {
  let summary = "Tensors become buffers";
  let establishes = ["buffers"];
}

def ConvertLinalgToLoopsPass : CPUCodegen_Pass<"convert-linalg-to-loops"> {
  let summary = "Linalg ops on buffers become scalar loops";
  let requires = ["buffers"];
}

def FlattenMemRefSubspanPass : CPUCodegen_Pass<"iree-codegen-flatten-memref-subspan"> {
  let summary = "Memory has one dimension, and accesses one index";
  let requires = ["buffers"];
}

def LLVMCPUVirtualVectorLoweringPass
    : CPUCodegen_Pass<"iree-llvmcpu-virtual-vector-lowering"> {
  let summary = "Vectors of any shape become machine vectors";
  let requires = ["buffers"];
  let establishes = ["machine-vectors"];
}

def LowerAffinePass : CPUCodegen_Pass<"lower-affine"> {
  let summary = "Affine expressions become arithmetic on indices";
}

def UnrollContractionsPass : CPUCodegen_Pass<"tegula-codegen-unroll-contractions"> {
  let summary = "Several steps of a contraction's innermost loop at once";
  let options = [Option<"factor", "factor", "int64_t", "4", "steps in one round of the loop">];
  let requires = ["machine-vectors"];
}

def SimplifyLoopsPass : CPUCodegen_Pass<"tegula-codegen-simplify-loops"> {
  let summary = "Shares equal expressions, hoists invariants and drops what is unused";
}

def SingleWorkgroupPass : Pass<"tegula-codegen-single-workgroup", "hal.executable.export"> {
  let summary = "A dispatch whose workgroups follow from its code is one workgroup";
  let description = [{
    Distribution is off, so that code that was compiled here does all of the work at once.
  }];
  let body = GreedyRewrite<["single-workgroup"]>;
}

def DescribeTargetPass : Pass<"tegula-codegen-describe-target", "hal.executable.variant"> {
  let summary = "Entry points say their workgroup size, and code what it is for";
}

def CountOfSingleWorkgroup
    : Pattern<"single-workgroup", (IREETensorExt_DispatchWorkgroupCountFromSliceOp ?),
              [(Arith_ConstantOp:$one (attr "1 : index"), (types Index)),
               (replace $one, $one, $one)]>;

#endif // TEGULA_CPU_PASSES_TD
