// Passes.

def VMVX_EntryPointPass : Pass<"tegula-vmvx-entry-point", "func.func"> {
  let summary = "Device functions take what a dispatch passes as arguments";
  let description = [{
    These are local memory, a buffer of constants, a list of bindings, and the number, size and
    count of workgroups in three dimensions.
  }];
}

def VMVX_ConvertPass : Pass<"tegula-vmvx-convert", "func.func"> {
  let summary = "Device code works on buffers of the host";
  let body = Conversion<
    ["hal-to-vmvx", "memref-to-util"],
    illegal = [
      "hal.interface.binding.subspan", "hal.interface.constant.load",
      "hal.interface.workgroup.count", "hal.interface.workgroup.id",
      "hal.interface.workgroup.size", "memref"
    ],
    converter = "vmvx",
    // Views are part of the indices by now.
    unconverted = [
      "memref.collapse_shape", "memref.copy", "memref.expand_shape",
      "memref.extract_strided_metadata", "memref.get_global", "memref.global",
      "memref.memory_space_cast", "memref.rank", "memref.reinterpret_cast", "memref.subview"
    ]>;
}

def VMVX_ConversionPipeline : Pipeline<"iree-vmvx-conversion", [{
  builtin.module(func.func(tegula-vmvx-entry-point, tegula-vmvx-convert))
}]> {
  let summary = "Device code becomes functions on buffers of the host";
}
