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

def InlineCallsPass : Pass<"tegula-util-inline-calls", "builtin.module"> {
  let summary = "Inlines calls of functions";
  let description = [{
    A call is replaced by the body of its callee when the callee is known, has one block, and does
    not reach itself. Callees are inlined first, so that what is inlined holds no such call. The
    functions stay.
  }];
  let scope = BottomUp;
  let simplifiedBy = "canonicalize";
  let quiet = 1;
}

def DropInlinedPass : Pass<"tegula-util-drop-inlined", "builtin.module"> {
  let summary = "Removes private functions that nothing refers to";
  let scope = Solved;
  let quiet = 1;
}

def InlinePipeline : Pipeline<"inline", [{
  builtin.module(tegula-util-inline-calls, tegula-util-drop-inlined)
}]> {
  let summary = "Calls become what is called";
  let pass = "InlinerPass";
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

def FoldGlobalsPipeline : Pipeline<"iree-util-fold-globals", [{
  builtin.module(tegula-util-clean, tegula-util-fold-globals-together)
}]> {
  let summary = "Globals that never change become constants; those that nothing reads go";
  let pass = "FoldGlobalsPass";
}

def CleanPass : Pass<"tegula-util-clean"> {
  let summary = "Canonicalizes, and removes initializers that do nothing";
  let quiet = 1;
}

def FoldGlobalsTogetherPass : Pass<"tegula-util-fold-globals-together", "builtin.module"> {
  let summary = "Globals that never change become constants; those that nothing reads go";
  let description = [{
    All accesses of a private global are in the module: a global to which only one constant is
    stored starts with it, one that only initializers set is immutable, one that is always a copy
    of another one, or equal to it, is that one. It sees the whole module, since each of these may
    make another one possible anywhere. A module in which no code reads or writes globals, and all of
    them are named by the module itself, stays as it is.
  }];
  let scope = WholeModule;
  let quiet = 1;
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

def IPOPass : Pass<"iree-util-ipo", "builtin.module"> {
  let summary = "Functions take and give only what they and their callers do not know";
  let description = [{
    Of private functions all of whose calls are in the module: arguments go that nothing uses, that
    are the same constant in all calls, or the same as another one; results go that no caller looks
    at, that are always the same constant, the same as another one, or an argument. What does nothing
    at all is called no more. All of this is said by all callers together.
  }];
  let scope = WholeModule;
  let invalidates = ["fixed-point"];
}

def VerifyInitializationOrderPass
    : Pass<"iree-util-verify-initialization-order", "builtin.module"> {
  let summary = "Finds initializers that use what stands behind them";
  let description = [{
    What does not change is set once, and by what only initializers come to. Positions in the module
    and calls decide about it.
  }];
  let scope = WholeModule;
}

def CombineInitializersPass : Pass<"iree-util-combine-initializers", "builtin.module"> {
  let summary = "Initializers become one";
  let description = [{
    Globals that initializers use, and those with values, come first; values are stored where they
    were set before, in the order of the module. This is one symbol made of many.
  }];
  let scope = Merge;
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
