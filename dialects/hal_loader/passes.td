// Passes.

include "tegula/Passes.td"

def HALLoader_MaterializeExecutablesPass
    : Pass<"iree-hal-loader-materialize-executables", "builtin.module"> {
  let summary = "Device code becomes data that the program loads when it starts";
  let description = [{
    An executable of binaries becomes a global of the same name, which an initializer sets: it asks
    the runtime for one format after the other and loads the first that the runtime knows. Where
    the program looks an executable up it reads the global.
  }];
  let scope = Outline;
}

def HALLoader_ResolveExportOrdinalsPass
    : Pass<"iree-hal-loader-resolve-export-ordinals", "builtin.module"> {
  let summary = "The numbers of entry points become constants";
  let description = [{
    They stand at the entry points, which are in other symbols of the module.
  }];
  let scope = WholeModule;
}

def LookupOfGlobal
    : Pattern<"hal-loader-lookups", (HALLoader_ExecutableLookupOp:$lookup $executable),
              [(replace (Util_GlobalLoadOp $executable, ?, (types (typeOf $lookup))))]>;

def HALLoader_CountWorkgroupsPass
    : Pass<"tegula-hal-loader-count-workgroups", "builtin.module"> {
  let summary = "Dispatches say how many workgroups they run";
  let description = [{
    What computes the number of workgroups of an entry point is copied to its dispatches, whose
    workload is that number from then on. `hal_loader.entry_point` names the entry point with its
    variant, of which there has to be just one.
  }];
  let scope = WholeModule;
}

def HALLoader_ConvertPass : Pass<"tegula-hal-loader-convert", "builtin.module"> {
  let summary = "What is done on devices is done on the host, by code that is loaded";
  let body = HALInline_Conversion<
      ["stream-to-hal-loader", "stream-to-hal-inline", "hal-to-hal-inline"], ["hal.executable"],
      []>;
}

def HALLoader_ConversionPipeline : Pipeline<"iree-hal-loader-conversion", [{
  builtin.module(
    tegula-util-check-ranges, tegula-hal-loader-count-workgroups, tegula-hal-loader-convert)
}]> {
  let summary = "What is done on devices is done on the host, by code that is loaded";
}

def HALInlineDynamicPipeline : Pipeline<"iree-hal-inline-dynamic-transformation-pipeline", [{
  builtin.module(
    tegula-util-check-ranges,
    tegula-hal-inline-executable-sources-pipeline,
    iree-hal-configure-executables-pipeline,
    iree-hal-translate-executables-pipeline,
    iree-hal-loader-conversion,
    iree-hal-link-all-executables,
    iree-hal-loader-resolve-export-ordinals,
    hal.executable(iree-hal-serialize-all-executables),
    symbol-dce,
    iree-hal-loader-materialize-executables,
    tegula-hal-inline-cleanup-pipeline)
}]> {
  let summary = "A program whose device code is compiled to libraries that it loads does without devices";
}
