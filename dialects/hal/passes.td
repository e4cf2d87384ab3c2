// Passes on the border of the program and on its devices.

include "tegula/Passes.td"

def WrapEntryPointsPass : Pass<"iree-abi-wrap-entry-points", "builtin.module"> {
  let summary = "Gives public functions the interface of the runtime";
  let description = [{
    A public function of tensors becomes a private one of the same name with `_` before it. A new
    function of the old name takes and returns buffer views, imports and exports them, and calls
    it. What the source looked like is kept for reflection.
  }];
  let scope = Outline;
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

def LinkAllExecutablesPass : Pass<"iree-hal-link-all-executables", "builtin.module"> {
  let summary = "Executables for the same targets become one";
  let description = [{
    The executable has the name of the program and `_linked` behind it. Entry points are numbered
    anew, in the order of the executables that they come from, and what referred to those refers to
    the new one. A single executable stays as it is. Symbols have the names that text has for them
    from then on.
  }];
  let scope = Merge;
}
