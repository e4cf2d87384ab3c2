// Passes on the border of the program and on its devices.

include "tegula/Passes.td"

def WrapEntryPointsPass : Pass<"iree-abi-wrap-entry-points", "builtin.module"> {
  let summary = "Gives public functions the interface of the runtime";
  let description = [{
    A public function of tensors becomes a private one of the same name with `_` before it. A new
    function of the old name takes and returns buffer views, imports and exports them, and calls
    it. Calls within the program call the private one. What the source looked like is kept for
    reflection.
  }];
  let scope = Solved;
  let options = [
    ChoiceOption<"invocationModel", "invocation-model", ["sync", "coarse-fences"], "sync",
                 "How callers wait: `sync` calls return when the work is done">
  ];
  let requires = ["util-functions"];
  let establishes = ["abi"];
}

def AssignLegacyTargetDevicesPass
    : Pass<"iree-hal-assign-legacy-target-devices", "builtin.module"> {
  let summary = "Assigns the device of the target flags to the module";
  let description = [{
    The assignment is an attribute of the module itself. A module that has devices, or is to get
    those in `hal.device.targets`, keeps what it has.
  }];
  let scope = HeaderOnly;
  let options = [
    ListOption<"targetBackends", "targetBackends", "std::string", "Names of target backends">
  ];
}

def MaterializeTargetDevicesPass
    : Pass<"iree-hal-materialize-target-devices", "builtin.module"> {
  let summary = "Makes globals of the module's devices";
  let description = [{
    Turns the module attribute `hal.device.targets` into globals at the head of the
    module and names the default one in the module attribute `stream.affinity.default`.
  }];
  let scope = HeaderOnly;
  let options = [
    Option<"defaultDevice", "defaultDevice", "std::string", "", "The name of the default device">
  ];
  let establishes = ["devices"];
}

def MaterializeInterfacesPass : Pass<"iree-hal-materialize-interfaces", "builtin.module"> {
  let summary = "Gives executables a variant for each target and device code its interface";
  let description = [{
    The pipeline layout of an entry point holds what its dispatches have in common: a binding is
    read-only when all of them only read it. Device functions reach bindings and constants through
    the layout and take no arguments any more.
  }];
  let scope = Solved;
  let requires = ["commands", "devices"];
  let establishes = ["interfaces"];
}

def LLVMCPULinkExecutablesPass : Pass<"iree-llvmcpu-link-executables", "builtin.module"> {
  let summary = "Executables for the same targets become one";
  let description = [{
    The executable has the name of the program and `_linked` behind it. Entry points are numbered
    anew, in the order of the executables that they come from, and what referred to those refers to
    the new one. A single executable stays as it is. Symbols have the names that text has for them
    from then on.
  }];
  let scope = Merge;
}

def LinkTargetExecutablesPipeline : Pipeline<"iree-hal-link-target-executables", [{
  builtin.module(iree-llvmcpu-link-executables)
}]> {
  let summary = "Executables for one target become one";
  let pass = "LinkTargetExecutablesPass";
}

def LinkAllExecutablesPipeline : Pipeline<"iree-hal-link-all-executables", [{
  builtin.module(iree-hal-link-target-executables)
}]> {
  let summary = "Executables for the same targets become one";
  let pass = "LinkAllExecutablesPass";
}

def ConvertToHALPass : Pass<"iree-hal-conversion", "builtin.module"> {
  let summary = "What is done on streams is done with devices of the runtime";
  let description = [{
    Regions of commands become command buffers that are submitted to queues, and timepoints become
    fences. Where commands run is said by affinities, those of the module at last. It sees the whole
    module since a dispatch asks its entry point for the number of workgroups, which entry points
    say no more afterwards.
  }];
  let scope = WholeModule;
  let body = Conversion<
    ["stream-to-hal"],
    illegal = ["stream", "hal.device.resolve", "hal.executable.calculate_workgroups"],
    typeLegal = [
      "util.func", "util.return", "util.call", "util.initializer", "util.global",
      "util.global.load", "util.global.store", "util.optimization_barrier", "util.list.get",
      "util.list.set", "cf.br", "cf.cond_br", "scf.for", "scf.if", "scf.while", "scf.yield",
      "scf.condition", "arith.select"
    ],
    converter = "hal", opaque = ["hal.executable"],
    // Programs come with commands; what belongs to earlier phases is not for this pass.
    unconverted = [
      "stream.async.*", "stream.binding.*", "stream.cmd.parameter.*", "stream.dispatch.*",
      "stream.executable*", "stream.resource.constants", "stream.resource.pack",
      "stream.resource.transients", "stream.return", "stream.tensor.clone",
      "stream.tensor.constant", "stream.tensor.dispatch", "stream.tensor.empty",
      "stream.tensor.encode", "stream.tensor.fill", "stream.tensor.load",
      "stream.tensor.parameter.*", "stream.tensor.sizeof", "stream.tensor.slice",
      "stream.tensor.splat", "stream.tensor.store", "stream.tensor.update",
      "stream.test.*", "stream.yield"
    ]>;
}

def OutlineMemoizeRegionsPass : Pass<"iree-hal-outline-memoize-regions", "builtin.module"> {
  let summary = "What is made once for a device is made when the program starts";
  let description = [{
    A `hal.device.memoize` becomes a function. Where all that it needs is known when the program
    starts there is a global for each device and result, and a function that looks them up; else
    the function is called in place.
  }];
  let scope = Outline;
}

def MaterializeResourceCachesPass
    : Pass<"iree-hal-materialize-resource-caches", "builtin.module"> {
  let summary = "Executables are loaded when the program starts";
  let description = [{
    For each device and executable there is a global, which is set to the first variant whose format
    the device knows. It sees the whole module: the device of a function's argument is what the
    module's calls pass.
  }];
  let scope = WholeModule;
}

def ResolveExportOrdinalsPass : Pass<"iree-hal-resolve-export-ordinals", "builtin.module"> {
  let summary = "The numbers of entry points become constants";
  let description = [{
    They stand at the entry points, which are in other symbols of the module.
  }];
  let scope = WholeModule;
}

def ResolveDevicePromisesPass : Pass<"iree-hal-resolve-device-promises", "builtin.module"> {
  let summary = "Affinities to devices that were to be declared become affinities to these";
  let description = [{
    Which devices there are is said by other symbols, and the module itself may name some.
  }];
  let scope = WholeModule;
}

def VerifyDevicesPass : Pass<"iree-hal-verify-devices"> {
  let summary = "Finds devices and backends that the compiler does not know";
}

def PruneExecutablesPass : Pass<"iree-hal-prune-executables", "builtin.module"> {
  let summary = "What of private executables nothing refers to goes";
  let description = [{
    Exports go first, then variants and executables. An export that takes over where the condition of
    another one does not hold stays with that. Those that stay are numbered in order. All symbols say
    together what is referred to.
  }];
  let scope = WholeModule;
}

def ForgetExecutablesPass : Pass<"tegula-hal-forget-executables", "builtin.module"> {
  let summary = "Device code goes once what loads it holds it as data; no other op may be left";
  let quiet = 1;
  let body = Conversion<["converted-to-vm"], illegal = ["hal"], unconverted = [
    "hal.allocator.*", "hal.buffer.*", "hal.buffer_usage", "hal.buffer_view.*", "hal.channel.*",
    "hal.command_buffer.*", "hal.device.*", "hal.devices.*", "hal.dispatch.*",
    "hal.element_type", "hal.encoding_type", "hal.ex.*", "hal.executable.*",
    "hal.executable_end", "hal.fence.*", "hal.instrument.*", "hal.interface.*",
    "hal.memory_type", "hal.return", "hal.tensor.*"
  ]>;
}

def InlineMemoizeRegionsPass : Pass<"iree-hal-inline-memoize-regions"> {
  let summary = "What could be kept is made each time that it is needed";
  let description = [{
    Command buffers that are made so are used once.
  }];
}

def ElideRedundantCommandsPass : Pass<"iree-hal-elide-redundant-commands"> {
  let summary = "Barriers that have nothing to wait for go";
}

def InitializeDevicesPass : Pass<"iree-hal-initialize-devices", "builtin.module"> {
  let summary = "What says which device a global holds becomes code that finds it";
  let description = [{
    Behind the global an initializer goes through the devices of the runtime, or through those that
    there is a choice of. Without a device the program is not loaded.
  }];
  let scope = Outline;
}

def MemoizeDeviceQueriesPass : Pass<"iree-hal-memoize-device-queries", "builtin.module"> {
  let summary = "Devices are asked once, when the program starts";
  let description = [{
    It sees the whole module: the device of a function's argument is what the module's calls pass,
    and equal questions have one answer.
  }];
  let scope = WholeModule;
}
