// Passes.

include "tegula/Passes.td"

// From streams to the host, with the patterns of these groups. Other ops are kept or refused.
class HALInline_Conversion<list<string> from, list<string> kept, list<string> refused>
    : Conversion<
    from,
    legal = ["hal_inline", "affine", "builtin"], illegal = ["stream", "hal"],
    typeLegal = ["util", "arith", "scf", "cf", "func"], converter = "hal_inline",
    // Executables that nothing dispatches stay as they are.
    opaque = !listconcat(kept, ["stream.executable"]),
    // Programs come with commands in streams; what belongs to earlier phases, or to devices, is
    // not for this pass.
    unconverted = !listconcat(refused, [
      "hal.allocator.*", "hal.buffer.allocation.*", "hal.buffer.assert", "hal.channel.*",
      "hal.command_buffer.*", "hal.device.*", "hal.devices.*", "hal.dispatch.*", "hal.ex.*",
      "hal.executable.*", "hal.executable_end", "hal.fence.*", "hal.instrument.*",
      "hal.interface.*", "hal.return", "hal.tensor.*",
      "stream.async.alloca", "stream.async.barrier", "stream.async.call", "stream.async.cast",
      "stream.async.clone", "stream.async.collective", "stream.async.concurrent",
      "stream.async.constant", "stream.async.copy", "stream.async.dispatch",
      "stream.async.execute", "stream.async.fill", "stream.async.func", "stream.async.load",
      "stream.async.parameter.gather", "stream.async.parameter.load",
      "stream.async.parameter.read", "stream.async.parameter.scatter",
      "stream.async.parameter.write", "stream.async.slice", "stream.async.splat",
      "stream.async.store", "stream.async.transfer", "stream.async.update",
      "stream.binding.subspan", "stream.channel.count", "stream.channel.create",
      "stream.channel.rank", "stream.channel.split", "stream.cmd.collective",
      "stream.cmd.parameter.gather", "stream.cmd.parameter.load", "stream.cmd.parameter.read",
      "stream.cmd.parameter.scatter", "stream.cmd.parameter.write", "stream.context.resolve",
      "stream.dispatch.workgroup.count", "stream.dispatch.workgroup.id",
      "stream.dispatch.workgroup.size", "stream.executable.end", "stream.executable.export",
      "stream.resource.constants", "stream.resource.pack",
      "stream.resource.transients", "stream.return", "stream.tensor.clone",
      "stream.tensor.constant", "stream.tensor.dispatch", "stream.tensor.empty",
      "stream.tensor.encode", "stream.tensor.fill", "stream.tensor.load",
      "stream.tensor.parameter.load", "stream.tensor.parameter.write", "stream.tensor.sizeof",
      "stream.tensor.slice", "stream.tensor.splat", "stream.tensor.store", "stream.tensor.update",
      "stream.test.*", "stream.yield"
    ])>;

def HALInlineConvertPass : Pass<"tegula-hal-inline-convert", "builtin.module"> {
  let summary = "What is done on devices is done on the host, at once";
  let body = HALInline_Conversion<["stream-to-hal-inline", "hal-to-hal-inline"], [],
                                  ["hal.executable"]>;
}

def HALInlineConversionPipeline : Pipeline<"iree-hal-inline-conversion", [{
  builtin.module(tegula-util-check-ranges, tegula-hal-inline-convert)
}]> {
  let summary = "What is done on devices is done on the host, at once";
}

def HALInlineExecutablesPass : Pass<"iree-hal-inline-executables", "builtin.module"> {
  let summary = "Device code becomes functions of the program";
  let description = [{
    The symbols of an executable's only variant become symbols of the module, with other names
    where theirs are taken. For each entry point there is a new function that goes through all
    workgroups, and dispatches name it in `hal_inline.target`.
  }];
  let scope = WholeModule;
}

// What ends both pipelines.
def HALInlineCleanupPipeline : Pipeline<"tegula-hal-inline-cleanup-pipeline", [{
  builtin.module(
    func.func(canonicalize, cse, iree-util-simplify-global-accesses, iree-util-apply-patterns),
    util.initializer(
      canonicalize, cse, iree-util-simplify-global-accesses, iree-util-apply-patterns),
    util.func(canonicalize, cse, iree-util-simplify-global-accesses, iree-util-apply-patterns),
    iree-util-fold-globals,
    iree-util-fuse-globals)
}]> {
  let summary = "Functions and globals of a program without devices become simpler";
}

// What begins both pipelines.
def HALInlineSourcesPipeline : Pipeline<"tegula-hal-inline-executable-sources-pipeline", [{
  builtin.module(
    tegula-hal-inline-cleanup-pipeline,
    iree-hal-device-assignment-pipeline,
    iree-hal-materialize-interfaces,
    hal.executable(hal.executable.variant(
      hal.executable.export(tegula-codegen-single-workgroup))))
}]> {
  let summary = "Executables get a variant for each target, and all of their work is one workgroup";
}

def HALInlineStaticPipeline : Pipeline<"iree-hal-inline-static-transformation-pipeline", [{
  builtin.module(
    tegula-util-check-ranges,
    tegula-hal-inline-executable-sources-pipeline,
    hal.executable(hal.executable.variant(builtin.module(
      func.func(tegula-codegen-device-layouts-pipeline),
      iree-vmvx-transformation-pipeline))),
    iree-hal-inline-executables,
    tegula-hal-inline-cleanup-pipeline,
    iree-hal-inline-conversion,
    iree-util-propagate-subranges,
    tegula-hal-inline-cleanup-pipeline)
}]> {
  let summary = "A program whose device code becomes host functions does without devices";
}
