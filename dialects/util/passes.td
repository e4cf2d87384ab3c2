// Passes on functions and symbols of the host program.

include "tegula/Passes.td"
include "tegula/Patterns.td"

def ImportPublicPass : Pass<"iree-import-public", "builtin.module"> {
  let summary = "Takes the functions of the input into the `util` dialect";
  let description = [{
    `func.func`, `func.call` and `func.return` become their `util` counterparts, name and types as
    they were. Visibility is spelled from then on.
  }];
  let establishes = ["util-functions"];
}

def InlinePass : Pass<"inline", "builtin.module"> {
  let summary = "Inlines calls of functions";
  let description = [{
    A call is replaced by the body of its callee when the callee is known, has one block, and does
    not reach itself. Callees are inlined first, so that what is inlined holds no such call. The
    functions stay; `symbol-dce` removes those that nothing refers to any more.
  }];
  let scope = BottomUp;
}

def SymbolDCEPass : Pass<"symbol-dce", "builtin.module"> {
  let summary = "Removes private symbols that nothing refers to";
  let scope = Solved;
}

def DropCompilerHintsPass : Pass<"iree-util-drop-compiler-hints"> {
  let summary = "Takes out what only told earlier passes about values";
  let body = GreedyRewrite<["drop-compiler-hints"]>;
}

class DropHint<dag source> : Pattern<"drop-compiler-hints", source, [(replace $values)]>;
def DropAssumeInt : DropHint<(Util_AssumeIntOp $values, $_)>;
def DropOptimizationBarrier : DropHint<(Util_OptimizationBarrierOp $values)>;
