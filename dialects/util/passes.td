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

//===-- Globals -----------------------------------------------------------------------------------

def SimplifyGlobalAccessesPass : Pass<"iree-util-simplify-global-accesses"> {
  let summary = "Globals are read early and once, and written late and once";
  let description = [{
    What does not change is read at the beginning of a function. Within a block, between ops that
    may run other code, a global that changes is read first and written last.
  }];
  let scope = Solved;
}

def FoldGlobalsPass : Pass<"iree-util-fold-globals", "builtin.module"> {
  let summary = "Globals that never change become constants; those that nothing reads go";
  let description = [{
    All accesses of a private global are in the module: a global to which only one constant is
    stored starts with it, one that only initializers set is immutable, one that is always a copy
    of another one, or equal to it, is that one. It sees the whole module, since each of these may
    make another one possible anywhere.
  }];
  let scope = WholeModule;
  let invalidates = ["fixed-point"];
}

def FuseGlobalsPass : Pass<"iree-util-fuse-globals", "builtin.module"> {
  let summary = "Globals that are always set together to the same value become one";
  let description = [{
    Which globals are set together is decided by all functions of the module.
  }];
  let scope = WholeModule;
  let invalidates = ["fixed-point"];
}

def PropagateSubrangesPass : Pass<"iree-util-propagate-subranges", "builtin.module"> {
  let summary = "Ranges of buffers are passed on as buffers and ranges of them";
  let description = [{
    A function that is known to be called from the module only, a branch, a region and a global
    pass four values for each that has a size: the whole of which it is a range, the size of that,
    an offset and a length. Ranges are taken where values come in, so that one that is passed on
    through several hands becomes one range where it is used. Which functions and globals that are
    is said by other symbols, and functions change with their callers.
  }];
  let scope = WholeModule;
}

def CheckRangesPass : Pass<"tegula-util-check-ranges"> {
  let summary = "Finds constant ranges that are not in their memory, or overlap where they must not";
  let description = [{
    Which ranges ops use is in their traits (`Range`, `ElementAt`, `Subrange`, `DisjointRanges`).
    Only what certainly runs is an error: behind a condition, or in a loop, a range may be meant for
    other sizes.
  }];
}

def ApplyPatternsPass : Pass<"iree-util-apply-patterns"> {
  let summary = "Canonicalizes, and passes less to blocks";
  let description = [{
    Beside canonicalization the patterns of the group `apply-patterns` are applied, and arguments of
    blocks go that are the same wherever control comes from.
  }];
}
