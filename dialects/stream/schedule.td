// Passes that schedule work, lay out memory and settle what dispatches pass.

include "tegula/Passes.td"

def MaterializeCopyOnWritePass : Pass<"iree-stream-materialize-copy-on-write", "util.func"> {
  let summary = "Copies what is written to in place and others may see";
}

def ElideAsyncCopiesPass : Pass<"iree-stream-elide-async-copies", "builtin.module"> {
  let summary = "Drops copies that guard nothing";
  let description = [{
    Where neither a copy nor what it is made of is written to, or nothing uses the latter afterwards,
    they are one. Slices become ranges where that is all that is taken of them, and what nobody
    reads is not written.
  }];
  let scope = Solved;
}

def RefineUsagePass : Pass<"iree-stream-refine-usage", "builtin.module"> {
  let summary = "Decides the lifetimes of resources";
  let description = [{
    Values that share storage or become each other are used alike, across branches, regions and
    functions; the lifetime of a resource is the one that its uses ask for. Of what nobody asks
    anything is transient. A resource that has a lifetime already is transferred to the one that is
    asked for.
  }];
  let scope = Solved;
  let establishes = ["lifetimes"];
}

def ScheduleExecutionPass : Pass<"iree-stream-schedule-execution", "util.func"> {
  let summary = "Wraps work on resources in execution regions";
  let description = [{
    Ops join the region of their users where nothing in between has an effect that they could be
    moved across.
  }];
  let requires = ["lifetimes"];
  let establishes = ["execution-regions"];
}

def ScheduleConcurrencyPass : Pass<"iree-stream-schedule-concurrency", "util.func"> {
  let summary = "Groups work that may run at the same time";
  let requires = ["execution-regions"];
}

def PropagateTimepointsPass : Pass<"iree-stream-propagate-timepoints", "builtin.module"> {
  let summary = "Makes work wait for what it uses";
  let description = [{
    A resource and the timepoint at which it may be used go together through functions, globals,
    branches and regions; work waits for them, not the host.
  }];
  let scope = Solved;
  let requires = ["execution-regions"];
}

def ScheduleAllocationPass : Pass<"iree-stream-schedule-allocation", "builtin.module"> {
  let summary = "Gives resources memory and makes commands of their ops";
  let body = Conversion<["stream-allocated"], illegal = [
    "stream.async.load", "stream.async.store", "stream.async.parameter.load",
    "stream.async.parameter.read", "stream.async.parameter.write", "stream.async.parameter.gather",
    "stream.async.parameter.scatter"
  ]>;
  let requires = ["execution-regions"];
  let establishes = ["commands"];
  let invalidates = ["execution-regions"];
}

def LayoutSlicesPass : Pass<"iree-stream-layout-slices", "util.func"> {
  let summary = "Places packed slices";
  let requires = ["commands"];
}

def ElideTimepointsPass : Pass<"iree-stream-elide-timepoints", "builtin.module"> {
  let summary = "Drops waits that other waits cover";
  let invalidates = ["fixed-point"];
}

def FuseDispatchBindingsPass : Pass<"iree-stream-fuse-dispatch-bindings", "builtin.module"> {
  let summary = "Merges bindings of one resource";
  let scope = Solved;
  let requires = ["commands"];
}

def AnnotateDispatchArgumentsPass
    : Pass<"iree-stream-annotate-dispatch-arguments", "builtin.module"> {
  let summary = "Records the values and alignments that dispatches pass";
  let scope = Solved;
  let requires = ["commands"];
}

def AnnotateDispatchAssumptionsPass
    : Pass<"iree-stream-annotate-dispatch-assumptions", "builtin.module"> {
  let summary = "States the ranges of what dispatches pass";
  let scope = Solved;
  let requires = ["commands"];
}

def PackDispatchOperandsPass : Pass<"iree-stream-pack-dispatch-operands", "builtin.module"> {
  let summary = "Passes 32-bit integers only";
  let scope = Solved;
  let requires = ["commands"];
  let establishes = ["packed-operands"];
}

def FoldUniformOperandsPass : Pass<"iree-stream-fold-uniform-operands", "builtin.module"> {
  let summary = "Moves what dispatches always pass into the device functions";
  let scope = Solved;
  let requires = ["packed-operands"];
}
