// Passes that form dispatches, choose encodings, and outline executables.

include "tegula/Passes.td"

def DetachElementwiseFromNamedOpsPass
    : Pass<"iree-global-opt-detach-elementwise-from-named-ops"> {
  let summary = "Contractions start from zeros";
  let description = [{
    What another computation gives, or a constant, is added behind a contraction that would start
    from it. A constant of equal elements that something starts from is a fill.
  }];
}

def InsertTensorBarriersPass
    : Pass<"iree-dispatch-creation-insert-tensor-barriers", "util.func"> {
  let summary = "Marks where tensors enter and leave the computation";
  let establishes = ["tensor-barriers"];
}

def FoldUnitExtentDimsPass
    : Pass<"iree-dispatch-creation-fold-unit-extent-dims", "builtin.module"> {
  let summary = "Loops that run once leave the computation";
  let description = [{
    Structured ops outside of dispatches lose the loops and dimensions of extent one; reshapes take
    their operands and results there and back. What a parallel nest reads of its outputs becomes an
    input.
  }];
  let body = GreedyRewrite<["fold-unit-extent-dims"]>;
}

def FoldReshapesIntoTensorBarriersPass
    : Pass<"iree-dispatch-creation-fold-reshapes-into-tensor-barriers", "util.func"> {
  let summary = "Moves reshapes out of the computation";
  let requires = ["tensor-barriers"];
  let body = GreedyRewrite<["fold-reshapes-into-tensor-barriers"]>;
}

def ElementwiseOpFusionPass : Pass<"iree-dispatch-creation-elementwise-op-fusion"> {
  let summary = "Computes parallel nests where their results are used";
  let description = [{
    A nest without sums joins the one nest that uses its result, when that repeats no work; the
    operands that are not needed any more go, and fills and constants of equal elements become
    scalars.
  }];
  let options = [
    Option<"intraDispatch", "intra-dispatch", "bool", "false",
           "fuses inside of dispatches as well">,
    Option<"fuseMultiReduction", "fuse-multi-reduction", "bool", "true",
           "fuses with what sums over several loops">,
    Option<"fuseTruncateOps", "fuse-truncate-ops", "bool", "false",
           "fuses what narrows elements with what uses them">,
    Option<"fuseBroadcastOps", "fuse-broadcast-ops", "bool", "false",
           "fuses with what only repeats elements">
  ];
}

def FoldFillsOfUsers : Linalg_FoldFills<"elementwise-op-fusion">;
def FoldSplatsOfUsers : Linalg_FoldSplats<"elementwise-op-fusion">;
def ForgetOutputs : Linalg_ForgetOutputs<"elementwise-op-fusion">;
def EraseUnusedOperands : Linalg_EraseUnused<"elementwise-op-fusion">;

def FormScalarDispatchesPass : Pass<"iree-dispatch-creation-form-scalar-dispatches", "util.func"> {
  let summary = "Puts computations on single elements into dispatch regions that run once";
  let description = [{
    Those of one block share a region as far as nothing in between needs what they make.
  }];
}

def FormDispatchRegionsPass : Pass<"iree-dispatch-creation-form-dispatch-regions", "util.func"> {
  let summary = "Puts every computation into a dispatch region";
  let description = [{
    Ops that sum, and other roots, take what they use and what uses them into their region as far as
    the loops fit; other computations get a region of their own. What is cheaper to compute than to
    pass (scalars, empty tensors, fills, slices, wider elements) stays outside.
  }];
  let options = [
    Option<"aggressiveFusion", "aggressive-fusion", "bool", "false",
           "fuses what not every backend can compile">,
    Option<"fuseMultiUseProducers", "fuse-multi-use-producers", "bool", "true",
           "fuses producers that several ops use">,
    Option<"fusePadWithConsumers", "fuse-pad-with-consumers", "bool", "false",
           "fuses padding with the convolution of what is padded">,
    Option<"fusePadWithProducers", "fuse-pad-with-producers", "bool", "false",
           "fuses padding with what makes the padded tensor">
  ];
  let establishes = ["dispatch-regions"];
}

def CloneProducersIntoDispatchRegionsPass
    : Pass<"iree-dispatch-creation-clone-producers-into-dispatch-regions", "util.func"> {
  let summary = "Clones cheap producers into the dispatch regions that use them";
  let description = [{
    What form-dispatch-regions leaves outside is cloned into the regions that use it. A computation
    that something else uses becomes a region of its own.
  }];
  let requires = ["dispatch-regions"];
}

def CollapseDimensionsPass
    : Pass<"iree-dispatch-creation-collapse-dimensions", "util.func"> {
  let summary = "What reshapes at the border of a dispatch region leaves it";
  let description = [{
    Reshapes of what comes from outside go before the region, expansions of what it gives to static
    shapes behind it. Loops of a computation are not joined.
  }];
}

def DataTilingOpTypes
    : ListOption<"opTypes", "data-tiling-op-types", "std::string", "the kinds of ops to mark"> {
  let choices = ["matmul", "scaled_matmul", "convolution"];
  let defaultValue = "matmul,scaled_matmul";
}

def AnnotateDataTilingHintsPass
    : Pass<"iree-dispatch-creation-annotate-data-tiling-hints", "util.func"> {
  let summary = "Marks the ops whose operands may be laid out in tiles";
  let description = [{
    Nothing is marked in a function where an op is marked already.
  }];
  let options = [DataTilingOpTypes];
}

def SetEncodingPass : Pass<"iree-dispatch-creation-set-encoding", "util.func"> {
  let summary = "Encodes the operands of marked ops";
  let description = [{
    Sets an encoding on every operand, computes on the encoded tensors, and unsets it from the
    result. An encoded fill is a fill of the encoded tensor.
  }];
  let requires = ["dispatch-regions"];
  let establishes = ["encodings"];
}

def HoistEncodingOpsPass : Pass<"iree-dispatch-creation-hoist-encoding-ops", "builtin.module"> {
  let summary = "Moves encoding ops out of dispatch regions";
  let description = [{
    Encodings are set before element-wise ops that only widen or repeat, and unset behind those that
    use the encoded tensor. An op that sets an encoding then moves before its region when what it
    encodes comes from outside, or can be made there: constants, and slices that lie in one piece.
  }];
  let requires = ["encodings"];
}

def FuseEncodingOpsIntoDispatchRegionsPass
    : Pass<"iree-dispatch-creation-fuse-encoding-ops-into-dispatch-regions-pass", "util.func"> {
  let summary = "Moves encoding ops into the dispatch regions whose results they encode";
  let description = [{
    Where nothing else uses the result, and the region only computes what an encoding can follow.
  }];
  let options = [
    Option<"enableAggressiveFusion", "enable-aggressive-fusion", "bool", "false",
           "results that something else uses are encoded in the region, too">
  ];
}

def ConvertEncodingToFlowPass
    : Pass<"iree-dispatch-creation-convert-encoding-to-flow", "util.func"> {
  let summary = "Encoding ops outside of dispatches become `flow.tensor.encode`";
}

def RemoveTensorBarriersPass
    : Pass<"iree-dispatch-creation-remove-tensor-barriers", "util.func"> {
  let summary = "Removes the marks of where tensors enter and leave the computation";
  let invalidates = ["tensor-barriers"];
}

def ConvertDispatchRegionsToWorkgroupsPass
    : Pass<"iree-dispatch-creation-convert-dispatch-regions-to-workgroups", "util.func"> {
  let summary = "Makes the captures of dispatch regions explicit";
  let statistics = [Statistic<"numDispatches", "num-dispatches", "Dispatches that were made">];
  let requires = ["dispatch-regions"];
  let establishes = ["dispatch-workgroups"];
  let invalidates = ["dispatch-regions"];
}

def ConvertTensorToFlowPass
    : Pass<"iree-dispatch-creation-convert-tensor-to-flow", "util.func"> {
  let summary = "Tensor ops between dispatches become `flow.tensor` ops";
  let description = [{
    Slices that lie in memory as one piece are copied or updated; others become dispatches.
  }];
}

def MaterializeDefaultWorkgroupCountRegionPass
    : Pass<"iree-dispatch-creation-materialize-default-workgroup-count-region", "util.func"> {
  let summary = "Gives dispatches a workgroup count that code generation decides";
  let requires = ["dispatch-workgroups"];
}

def OutlineDispatchRegionsPass : Pass<"iree-flow-outline-dispatch-regions", "builtin.module"> {
  let summary = "Moves dispatches into executables";
  let description = [{
    The n-th dispatch of a function becomes the executable `<function>_dispatch_<n>`, which stands
    before the function.
  }];
  let scope = Outline;
  let requires = ["dispatch-workgroups"];
  let establishes = ["executables"];
  let invalidates = ["dispatch-workgroups"];
}

def AnnotateDispatchesPass : Pass<"iree-flow-annotate-dispatches", "builtin.module"> {
  let summary = "Names entry points after what they compute";
  let description = [{
    The name of an entry point is extended by a summary of its most expensive op: its kind, its
    loops and its element types.
  }];
  let scope = Solved;
  let requires = ["executables"];
}

def DeduplicateExecutablesPass : Pass<"iree-flow-deduplicate-executables", "builtin.module"> {
  let summary = "Of executables that differ in names only, the first stays";
  let description = [{
    What referred to one of the others refers to what is equal in the first.
  }];
  let scope = Solved;
}
