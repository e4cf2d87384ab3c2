// The road from tensors to assembly text: which passes run for which phase, in pipeline text.

include "tegula/OpBase.td"
include "tegula/Passes.td"

def Road_Dialect : Dialect {
  let name = "road";
  let summary = "The pipelines of the compiler";
}

def ABIPipeline : Pipeline<"iree-abi-transformation-pipeline", [{
  builtin.module(
    iree-import-public,
    iree-abi-wrap-entry-points,
    inline,
    iree-op-pipeline-adaptor(
      util.initializer|util.func(canonicalize, canonicalize, cse)),
    symbol-dce)
}]> {
  let summary = "Public functions get the interface of the runtime";
}

def DevicePipeline : Pipeline<"iree-hal-device-assignment-pipeline", [{
  builtin.module(
    iree-hal-assign-legacy-target-devices,
    iree-hal-materialize-target-devices)
}]> {
  let summary = "The module gets the devices of the target flags";
}

def GlobalOptimizationPipeline : Pipeline<"iree-global-optimization-transformation-pipeline", [{
  builtin.module(
    iree-op-pipeline-adaptor(util.initializer|util.func(
      iree-global-opt-detach-elementwise-from-named-ops)),
    iree-op-pipeline-adaptor(util.initializer|util.func(
      iree-global-opt-generalize-linalg-named-ops,
      iree-dispatch-creation-insert-tensor-barriers)))
}]> {
  let summary = "Named ops become loops with a body, between barriers";
}

def DispatchCreationPipeline : Pipeline<"iree-dispatch-creation-pipeline", [{
  builtin.module(
    iree-dispatch-creation-fold-unit-extent-dims,
    iree-op-pipeline-adaptor(util.initializer|util.func(
      iree-dispatch-creation-fold-reshapes-into-tensor-barriers,
      canonicalize,
      cse)),
    iree-op-pipeline-adaptor(util.initializer|util.func(
      iree-dispatch-creation-elementwise-op-fusion,
      canonicalize,
      cse)),
    iree-op-pipeline-adaptor(util.initializer|util.func(
      iree-dispatch-creation-form-scalar-dispatches,
      iree-dispatch-creation-form-dispatch-regions{aggressive-fusion=true},
      iree-dispatch-creation-clone-producers-into-dispatch-regions,
      iree-dispatch-creation-collapse-dimensions,
      iree-dispatch-creation-annotate-data-tiling-hints,
      iree-dispatch-creation-set-encoding)),
    iree-dispatch-creation-hoist-encoding-ops,
    iree-op-pipeline-adaptor(util.initializer|util.func(
      iree-dispatch-creation-fuse-encoding-ops-into-dispatch-regions-pass,
      iree-dispatch-creation-convert-encoding-to-flow)),
    iree-op-pipeline-adaptor(util.initializer|util.func(
      iree-dispatch-creation-remove-tensor-barriers,
      iree-dispatch-creation-convert-dispatch-regions-to-workgroups,
      iree-dispatch-creation-convert-tensor-to-flow,
      cse,
      canonicalize,
      iree-dispatch-creation-materialize-default-workgroup-count-region,
      cse,
      canonicalize)))
}]> {
  let summary = "Computations become dispatches with encoded operands";
}

def FlowPipeline : Pipeline<"iree-flow-transformation-pipeline", [{
  builtin.module(
    iree-flow-outline-dispatch-regions,
    iree-flow-annotate-dispatches,
    iree-flow-deduplicate-executables)
}]> {
  let summary = "Dispatches become executables with telling names";
}

def StreamPipeline : Pipeline<"iree-stream-transformation-pipeline", [{
  builtin.module(
    iree-stream-conversion,
    inline,
    iree-op-pipeline-adaptor(util.initializer|util.func(canonicalize, cse)),
    iree-util-fold-globals,
    iree-stream-specialize-encodings,
    iree-op-pipeline-adaptor(util.initializer|util.func(iree-stream-encode-host-tensors)),
    iree-stream-materialize-encodings,
    iree-op-pipeline-adaptor(util.initializer|util.func(canonicalize, cse)),
    iree-stream-refine-usage,
    iree-op-pipeline-adaptor(util.initializer|util.func(
      canonicalize,
      iree-stream-schedule-execution,
      iree-stream-schedule-concurrency)),
    iree-stream-propagate-timepoints,
    iree-op-pipeline-adaptor(util.initializer|util.func(canonicalize)),
    iree-stream-schedule-allocation,
    iree-op-pipeline-adaptor(util.initializer|util.func(
      iree-stream-layout-slices, canonicalize)),
    iree-util-propagate-subranges,
    iree-op-pipeline-adaptor(util.initializer|util.func(canonicalize, cse)),
    iree-util-fixed-point-iterator{pipeline=builtin.module(
      iree-op-pipeline-adaptor(util.initializer|util.func(canonicalize, cse)),
      iree-stream-elide-timepoints)},
    iree-stream-fuse-dispatch-bindings,
    iree-stream-annotate-dispatch-arguments,
    iree-stream-annotate-dispatch-assumptions,
    iree-stream-pack-dispatch-operands,
    iree-op-pipeline-adaptor(util.initializer|util.func(canonicalize, cse)),
    iree-util-fold-globals,
    iree-stream-fold-uniform-operands,
    iree-op-pipeline-adaptor(util.initializer|util.func(canonicalize)),
    iree-util-fold-globals)
}]> {
  let summary = "Tensors become resources, and work on them commands in order";
}

def ExecutableSourcesPipeline : Pipeline<"iree-hal-executable-sources-pipeline", [{
  builtin.module(iree-hal-materialize-interfaces)
}]> {
  let summary = "Executables get a variant for each target";
}

def DeviceLayoutsPipeline : Pipeline<"tegula-codegen-device-layouts-pipeline", [{
  iree-global-opt-generalize-linalg-named-ops,
  iree-codegen-materialize-device-encoding,
  iree-codegen-cpu-propagate-data-layout,
  iree-convert-accgemm-to-gemm,
  iree-codegen-bufferize-dispatch-tensor-load-store,
  iree-codegen-combine-result-layout-transformation
}]> {
  let summary = "A device function gets the layouts of what it is given";
}

def BeforeTilingPipeline : Pipeline<"tegula-codegen-before-tiling-pipeline", [{
  iree-util-drop-compiler-hints,
  canonicalize,
  tegula-codegen-fold-accumulator
}]> {
  let summary = "A device function becomes what is tiled, or computed as it is";
}

def BuffersPipeline : Pipeline<"tegula-codegen-buffers-pipeline", [{
  iree-codegen-iree-comprehensive-bufferize,
  convert-linalg-to-loops
}]> {
  let summary = "A device function becomes loops on memory";
}

def ConfigureTargetExecutableVariantsPipeline
    : Pipeline<"iree-hal-configure-target-executable-variants", [{
  iree-codegen-create-dispatch-config,
  builtin.module(func.func(
    tegula-codegen-device-layouts-pipeline,
    iree-llvmcpu-select-lowering-strategy))
}]> {
  let summary = "A variant's device code gets its layouts and its lowering strategy";
  let pass = "ConfigureTargetExecutableVariantsPass";
}

def ConfigureExecutablesPipeline : Pipeline<"iree-hal-configure-executables", [{
  hal.executable.variant(iree-hal-configure-target-executable-variants)
}]> {
  let summary = "An executable's device code gets its layouts and its lowering strategy";
  let pass = "ConfigureExecutablesPass";
}

def ConfigurationPipeline : Pipeline<"iree-hal-configure-executables-pipeline", [{
  builtin.module(hal.executable(iree-hal-configure-executables))
}]> {
  let summary = "Device code gets its layouts and its lowering strategy";
}

def TranslateTargetExecutableVariantsPipeline
    : Pipeline<"iree-hal-translate-target-executable-variants", [{
  builtin.module(func.func(
    tegula-codegen-before-tiling-pipeline,
    iree-llvmcpu-tile,
    iree-llvmcpu-tile-and-fuse-producer-consumer{tiling-level=vector_common_parallel},
    iree-llvmcpu-tile-and-fuse-producer-consumer{tiling-level=vector_reduction},
    iree-codegen-generic-vectorization,
    iree-codegen-optimize-tensor-insert-extract-slices,
    tegula-codegen-buffers-pipeline,
    iree-llvmcpu-virtual-vector-lowering,
    lower-affine,
    tegula-codegen-unroll-contractions,
    tegula-codegen-simplify-loops,
    tegula-neon-lower-structure,
    tegula-neon-select,
    tegula-neon-combine,
    tegula-neon-finish)),
  iree-codegen-propagate-dispatch-config
}]> {
  let summary = "A variant's device code becomes machine instructions";
  let pass = "TranslateTargetExecutableVariantsPass";
}

def TranslateAllExecutablesPipeline : Pipeline<"iree-hal-translate-all-executables", [{
  hal.executable.variant(iree-hal-translate-target-executable-variants)
}]> {
  let summary = "An executable's device code becomes machine instructions";
  let pass = "TranslateAllExecutablesPass";
}

def TranslationPipeline : Pipeline<"iree-hal-translate-executables-pipeline", [{
  builtin.module(hal.executable(iree-hal-translate-all-executables))
}]> {
  let summary = "Device code becomes machine instructions";
}

def VMVXPipeline : Pipeline<"iree-vmvx-transformation-pipeline", [{
  builtin.module(
    func.func(
      tegula-codegen-before-tiling-pipeline,
      tegula-codegen-buffers-pipeline,
      iree-codegen-flatten-memref-subspan,
      lower-affine,
      tegula-codegen-simplify-loops),
    iree-vmvx-conversion,
    func.func(canonicalize, cse))
}]> {
  let summary = "Device code becomes loops on buffers of the host";
}

// What makes functions, initializers and globals of the host simpler.
def HALCleanupPipeline : Pipeline<"tegula-hal-cleanup-pipeline", [{
  builtin.module(
    iree-op-pipeline-adaptor(util.initializer|util.func(
      canonicalize, cse, iree-util-simplify-global-accesses, iree-util-apply-patterns)),
    iree-util-fold-globals,
    iree-util-fuse-globals)
}]> {
  let summary = "The host program becomes simpler";
}

// The host's side of the program once device code is compiled: what `executable-targets` is emitted
// from stays as it is, since this comes after it.
def HALPipeline : Pipeline<"tegula-hal-host-pipeline", [{
  builtin.module(
    hal.executable(hal.executable.variant(
      hal.executable.export(tegula-codegen-single-workgroup),
      tegula-codegen-describe-target)),
    iree-hal-conversion,
    iree-hal-outline-memoize-regions,
    tegula-hal-cleanup-pipeline,
    iree-hal-prune-executables,
    iree-hal-link-all-executables,
    iree-hal-resolve-export-ordinals,
    iree-hal-materialize-resource-caches,
    iree-hal-resolve-topology-queries,
    iree-hal-memoize-device-queries,
    tegula-hal-cleanup-pipeline,
    iree-op-pipeline-adaptor(util.initializer|util.func(iree-hal-elide-redundant-commands)),
    iree-hal-initialize-devices,
    iree-affine-expand-index-ops,
    iree-op-pipeline-adaptor(util.initializer|util.func(convert-scf-to-cf)),
    tegula-hal-deployment-pipeline)
}]> {
  let summary = "Work on streams becomes work of devices";
}

// Needs an assembler and a linker.
def DeploymentPipeline : Pipeline<"tegula-hal-deployment-pipeline", [{
  builtin.module(
    hal.executable(iree-hal-serialize-all-executables),
    iree-hal-prune-executables,
    symbol-dce,
    iree-util-fixed-point-iterator{pipeline=builtin.module(
      tegula-hal-cleanup-pipeline,
      iree-util-ipo)})
}]> {
  let summary = "The program is linked with its device code, and knows what it knows of itself";
}

def VMConversionPipeline : Pipeline<"iree-vm-conversion", [{
  builtin.module(tegula-vm-nest, tegula-vm-convert-$index-bits, tegula-hal-forget-executables)
}]> {
  let summary = "The host program becomes a module of the runtime's virtual machine";
  let pass = "ConversionPass";
  let options = [
    ChoiceOption<"indexBits", "index-bits", ["32", "64"], "64", "How many bits an index has">,
    ChoiceOption<"f32Extension", "f32-extension", ["true"], "true", "Ops on f32 are there">,
    ChoiceOption<"f64Extension", "f64-extension", ["true"], "true", "Ops on f64 are there">
  ];
}

// What makes the host program and its module simpler.
def VMCleanupPipeline : Pipeline<"tegula-vm-cleanup-pipeline", [{
  builtin.module(
    iree-op-pipeline-adaptor(util.initializer|util.func(canonicalize, cse)),
    vm.module(iree-vm-drop-unused-calls),
    symbol-dce,
    iree-op-pipeline-adaptor(util.initializer|util.func(
      iree-util-simplify-global-accesses, iree-util-apply-patterns)),
    iree-util-fold-globals,
    iree-util-fuse-globals)
}]> {
  let summary = "The host program and its module become simpler";
}

def VMPipeline : Pipeline<"iree-vm-transformation-pipeline", [{
  builtin.module(
    inline,
    symbol-dce,
    iree-util-verify-initialization-order,
    iree-util-combine-initializers,
    iree-op-pipeline-adaptor(util.initializer|util.func(
      scf-for-loop-canonicalization,
      loop-invariant-code-motion,
      convert-scf-to-cf,
      iree-affine-expand-index-ops)),
    iree-util-propagate-subranges,
    tegula-vm-cleanup-pipeline,
    iree-vm-conversion,
    vm.module(
      iree-vm-reify-rodata-tables,
      iree-vm-hoist-inlined-rodata,
      iree-vm-deduplicate-rodata),
    tegula-vm-cleanup-pipeline,
    vm.module(iree-vm-resolve-rodata-loads),
    inline,
    symbol-dce,
    tegula-vm-cleanup-pipeline,
    vm.module(iree-vm-global-initialization),
    canonicalize,
    cse,
    canonicalize,
    vm.module(
      iree-vm-drop-empty-module-initializers,
      iree-vm-annotate-functions,
      iree-vm-convert-to-yieldable-calls,
      iree-vm-drop-optimization-barriers,
      iree-vm-materialize-ref-discards))
}]> {
  let summary = "The host program becomes the module that is loaded";
}
