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
}

class VM_ConvertPass<string width> : Pass<"tegula-vm-convert-" # width, "builtin.module"> {
  let summary = "Ops become those of the machine, where an index has " # width # " bits";
  let body = Conversion<
    ["to-vm"], legal = ["vm"],
    illegal = ["arith", "cf", "func", "math", "util", "vm.import.module"],
    typeLegal = ["vm.import"], converter = "vm-" # width,
    // What earlier phases take out, and what the machine cannot do.
    unconverted = [
      "arith.addui_extended", "arith.ceildivsi", "arith.ceildivui", "arith.floordivsi",
      "arith.maxnumf", "arith.minnumf", "arith.mulsi_extended", "arith.mului_extended",
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

def VM_ConversionPipeline : Pipeline<"iree-vm-conversion", [{
  builtin.module(tegula-vm-nest, tegula-vm-convert-$index-bits)
}]> {
  let summary = "The host program becomes a module of the runtime's virtual machine";
  let options = [
    ChoiceOption<"indexBits", "index-bits", ["32", "64"], "64", "How many bits an index has">,
    ChoiceOption<"f32Extension", "f32-extension", ["true"], "true", "Ops on f32 are there">,
    ChoiceOption<"f64Extension", "f64-extension", ["true"], "true", "Ops on f64 are there">
  ];
}
