// Passes.

include "tegula/Passes.td"

def VM_NestPass : Pass<"tegula-vm-nest", "builtin.module"> {
  let summary = "The program becomes one module of the machine, which says what it shares";
  let description = [{
    All symbols move into one `vm.module`, or modules within the program become `vm.module`s when it
    has any; `vm.toplevel` marks modules that stay. A public function is exported and private from
    then on. A function without a body becomes an import: `vm.signature` overrides its type,
    `vm.version` is the version that it needs, and one with a `vm.fallback` is optional: where it is
    called, the program asks whether it is there. What the ops of a dialect import is declared where
    the dialect is used (`vm.import.module`).
  }];
  let scope = Merge;
  let quiet = 1;
}

//===-- Data of the module ------------------------------------------------------------------------

def VM_ReifyRodataTablesPass : Pass<"iree-vm-reify-rodata-tables", "vm.module"> {
  let summary = "Tables of data become the data and where each lies";
}
def VM_HoistInlinedRodataPass : Pass<"iree-vm-hoist-inlined-rodata", "vm.module"> {
  let summary = "Data that stands where it is used becomes data of the module";
}
def VM_DeduplicateRodataPass : Pass<"iree-vm-deduplicate-rodata", "vm.module"> {
  let summary = "The same data is in the module once";
}
def VM_ResolveRodataLoadsPass : Pass<"iree-vm-resolve-rodata-loads", "vm.module"> {
  let summary = "Data that a global always holds is used itself";
}

//===-- Functions of the module -------------------------------------------------------------------

def VM_GlobalInitializationPass : Pass<"iree-vm-global-initialization", "vm.module"> {
  let summary = "What runs when the module is loaded becomes one function";
  let description = [{
    `__init` first stores what globals begin with, then does what initializers do, in order;
    `__deinit` is called when the module is given up. Globals that are stored into are mutable.
  }];
}
def VM_DropEmptyModuleInitializersPass
    : Pass<"iree-vm-drop-empty-module-initializers", "vm.module"> {
  let summary = "`__init` and `__deinit` go where they do nothing";
}
def VM_OrdinalAllocationPass : Pass<"iree-vm-ordinal-allocation", "vm.module"> {
  let summary = "What the module file numbers gets its number";
}
def VM_AnnotateFunctionsPass : Pass<"iree-vm-annotate-functions", "vm.module"> {
  let summary = "Functions say whether others may run in between, and what failing takes";
}
def VM_ConvertToYieldableCallsPass : Pass<"iree-vm-convert-to-yieldable-calls", "vm.module"> {
  let summary = "After calls in which others may run the program goes on in another block";
}

//===-- Values ------------------------------------------------------------------------------------

def VM_DropUnusedCallsPass : Pass<"iree-vm-drop-unused-calls", "vm.module"> {
  let summary = "Calls of functions without side effects go where nobody uses what they give";
  let description = [{
    The patterns of the group `vm-drop-unused-calls` are applied, and block arguments go for which
    all branches pass the same.
  }];
}
class VM_DropUnusedCall<Op call>
    : Pattern<"vm-drop-unused-calls", (call:$call (rest)), [(erase)],
              [(predicate "vm_unused_call", $call)]>;
def VM_DropUnusedCall : VM_DropUnusedCall<VM_CallOp>;
def VM_DropUnusedCallVariadic : VM_DropUnusedCall<VM_CallVariadicOp>;

def VM_DropOptimizationBarriersPass : Pass<"iree-vm-drop-optimization-barriers", "vm.module"> {
  let summary = "What hid where values come from goes";
}
def VM_SinkDefiningOpsPass : Pass<"iree-vm-sink-defining-ops", "vm.module"> {
  let summary = "Values are computed where they are used";
}
def VM_MaterializeRefDiscardsPass : Pass<"iree-vm-materialize-ref-discards", "vm.module"> {
  let summary = "References are given back where nobody needs them any more";
}

//===-- From other dialects -----------------------------------------------------------------------

class VM_ConvertPass<string width> : Pass<"tegula-vm-convert-" # width, "builtin.module"> {
  let summary = "Ops become those of the machine, where an index has " # width # " bits";
  let quiet = 1;
  let body = Conversion<
    ["to-vm"], legal = ["vm"],
    illegal = ["arith", "cf", "func", "math", "util", "vm.import.module"],
    typeLegal = ["vm.import"], converter = "vm-" # width, opaque = ["hal.executable"],
    // What earlier phases take out, and what the machine cannot do.
    unconverted = [
      "arith.addui_extended", "arith.maxnumf", "arith.minnumf", "arith.mulsi_extended", "arith.mului_extended",
      "arith.scaling_extf", "arith.scaling_truncf", "func.call_indirect", "func.constant", "math.acos", "math.acosh", "math.asin", "math.asinh",
      "math.atanh", "math.cbrt", "math.copysign", "math.cosh", "math.ctpop", "math.cttz",
      "math.erfc", "math.fpowi", "math.ipowi", "math.sinh", "math.tan", "math.trunc",
      "util.buffer.storage", "util.buffer.subspan", "util.cast", "util.hoistable_conversion",
      "util.numeric.optional_narrow", "util.range.extents", "util.range.max", "util.range.min",
      "util.scf.unreachable", "util.unfoldable_constant"
    ]>;
}
def VM_ConvertPass32 : VM_ConvertPass<"32">;
def VM_ConvertPass64 : VM_ConvertPass<"64">;
