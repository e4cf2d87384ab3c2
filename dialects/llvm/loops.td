// What is said of loops to later passes.

class LLVM_LoopAttr<string name, string keyword> : LLVM_AliasedAttr<name, keyword> {
  let assemblyFormat = "`<` struct(params) `>`";
}
class LLVM_Said<string kind> : OptionalParameter<kind>;
def LLVM_SaidBool : LLVM_Said<"of:bool">;
def LLVM_SaidNumber : LLVM_Said<"of:integer">;
// What holds for the loop that comes out.
def LLVM_Followup : LLVM_Said<"of:llvm.loop_annotation">;

def LLVM_LoopVectorizeAttr : LLVM_LoopAttr<"LoopVectorize", "loop_vectorize"> {
  let parameters = (ins
    LLVM_SaidBool:$disable, LLVM_SaidBool:$predicateEnable, LLVM_SaidBool:$scalableEnable,
    LLVM_SaidNumber:$width, LLVM_Followup:$followupVectorized, LLVM_Followup:$followupEpilogue,
    LLVM_Followup:$followupAll
  );
}
def LLVM_LoopInterleaveAttr : LLVM_LoopAttr<"LoopInterleave", "loop_interleave"> {
  let parameters = (ins AttrParameter<"of:integer">:$count);
}
def LLVM_LoopUnrollAttr : LLVM_LoopAttr<"LoopUnroll", "loop_unroll"> {
  let parameters = (ins
    LLVM_SaidBool:$disable, LLVM_SaidNumber:$count, LLVM_SaidBool:$runtimeDisable,
    LLVM_SaidBool:$full, LLVM_Followup:$followupUnrolled, LLVM_Followup:$followupRemainder,
    LLVM_Followup:$followupAll
  );
}
def LLVM_LoopUnrollAndJamAttr : LLVM_LoopAttr<"LoopUnrollAndJam", "loop_unroll_and_jam"> {
  let parameters = (ins
    LLVM_SaidBool:$disable, LLVM_SaidNumber:$count, LLVM_Followup:$followupOuter,
    LLVM_Followup:$followupInner, LLVM_Followup:$followupRemainderOuter,
    LLVM_Followup:$followupRemainderInner, LLVM_Followup:$followupAll
  );
}
def LLVM_LoopLICMAttr : LLVM_LoopAttr<"LoopLICM", "loop_licm"> {
  let parameters = (ins LLVM_SaidBool:$disable, LLVM_SaidBool:$versioningDisable);
}
def LLVM_LoopDistributeAttr : LLVM_LoopAttr<"LoopDistribute", "loop_distribute"> {
  let parameters = (ins
    LLVM_SaidBool:$disable, LLVM_Followup:$followupCoincident, LLVM_Followup:$followupSequential,
    LLVM_Followup:$followupFallback, LLVM_Followup:$followupAll
  );
}
def LLVM_LoopPipelineAttr : LLVM_LoopAttr<"LoopPipeline", "loop_pipeline"> {
  let parameters = (ins LLVM_SaidBool:$disable, LLVM_SaidNumber:$initiationinterval);
}
def LLVM_LoopPeeledAttr : LLVM_LoopAttr<"LoopPeeled", "loop_peeled"> {
  let parameters = (ins LLVM_SaidNumber:$count);
}
def LLVM_LoopUnswitchAttr : LLVM_LoopAttr<"LoopUnswitch", "loop_unswitch"> {
  let parameters = (ins LLVM_SaidBool:$partialDisable);
}
def LLVM_LoopAnnotationAttr : LLVM_LoopAttr<"LoopAnnotation", "loop_annotation"> {
  let summary = "What is said of a loop";
  let parameters = (ins
    LLVM_SaidBool:$disableNonforced,
    LLVM_Said<"of:llvm.loop_vectorize">:$vectorize,
    LLVM_Said<"of:llvm.loop_interleave">:$interleave,
    LLVM_Said<"of:llvm.loop_unroll">:$unroll,
    LLVM_Said<"of:llvm.loop_unroll_and_jam">:$unrollAndJam,
    LLVM_Said<"of:llvm.loop_licm">:$licm,
    LLVM_Said<"of:llvm.loop_distribute">:$distribute,
    LLVM_Said<"of:llvm.loop_pipeline">:$pipeline,
    LLVM_Said<"of:llvm.loop_peeled">:$peeled,
    LLVM_Said<"of:llvm.loop_unswitch">:$unswitch,
    LLVM_SaidBool:$mustProgress,
    LLVM_SaidBool:$isVectorized,
    LLVM_Said<"of:location">:$startLoc,
    LLVM_Said<"of:location">:$endLoc,
    OptionalArrayRefParameter<"of:llvm.access_group">:$parallelAccesses
  );
}
def LLVM_LoopAnnotationArg : OptionalAttr<LLVM_LoopAnnotationAttr>;
