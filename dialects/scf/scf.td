// The `scf` dialect: structured control flow.

#ifndef TEGULA_SCF_TD
#define TEGULA_SCF_TD

include "tegula/OpBase.td"
include "tegula/Passes.td"

def SCF_Dialect : Dialect {
  let name = "scf";
  let summary = "Structured control flow";
  let dependentDialects = ["arith"];
}

class SCF_Op<string mnemonic, list<Trait> traits = []> : Op<SCF_Dialect, mnemonic, traits>;

def ConditionOp : SCF_Op<"condition", [
  HasParent<"scf.while">, PassesOn<"args">, Pure, RegionBranchTerminatorOpInterface, Terminator
]> {
  let summary = "Decides whether a `while` goes on";
  let arguments = (ins I1:$condition, Variadic<AnyType>:$args);
  let assemblyFormat = "`(` $condition `)` attr-dict ($args^ `:` type($args))?";
}

def ExecuteRegionOp : SCF_Op<"execute_region", [
  NoRegionArguments, PassesValues<"region", "results">, RecursiveMemoryEffects,
  RegionBranchOpInterface
]> {
  let summary = "Runs a region of several blocks once";
  let arguments = (ins UnitAttr:$no_inline);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region MinSizedRegion<1>:$region);
  let customFormat = "execute_region";
}

def ForOp : SCF_Op<"for", [
  AllTypesMatch<["lowerBound", "upperBound", "step"]>, AutomaticAllocationScope,
  ConditionallySpeculatable, LoopLikeOpInterface,
  PassesValues<"initArgs", "region">, PassesValues<"initArgs", "results">,
  PassesValues<"region", "region">, PassesValues<"region", "results">,
  RecursiveMemoryEffects, RegionBranchOpInterface, SingleBlockImplicitTerminator<"scf.yield">
]> {
  let summary = "A counted loop that carries values";
  let description = [{
    Counts from the lower bound while below the upper one. The region takes the counter and the
    carried values; what it yields is carried to the next iteration, and out of the loop at the
    end.
  }];
  let arguments = (ins AnySignlessIntegerOrIndex:$lowerBound,
                       AnySignlessIntegerOrIndex:$upperBound,
                       AnySignlessIntegerOrIndex:$step,
                       Variadic<AnyType>:$initArgs,
                       UnitAttr:$unsignedCmp);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$region);
  let customFormat = "for";
  let verifier = "for";
}

def ForallOp : SCF_Op<"forall", [
  AttrSizedOperandSegments, AutomaticAllocationScope, DestinationStyleOpInterface,
  DynamicEntries<"staticLowerBound", "dynamicLowerBound">,
  DynamicEntries<"staticStep", "dynamicStep">,
  DynamicEntries<"staticUpperBound", "dynamicUpperBound">,
  LoopLikeOpInterface, RecursiveMemoryEffects, RegionBranchOpInterface,
  SingleBlockImplicitTerminator<"scf.forall.in_parallel">
]> {
  let summary = "Independent iterations over a box, writing slices of shared tensors";
  let arguments = (ins Variadic<Index>:$dynamicLowerBound,
                       Variadic<Index>:$dynamicUpperBound,
                       Variadic<Index>:$dynamicStep,
                       DenseI64ArrayAttr:$staticLowerBound,
                       DenseI64ArrayAttr:$staticUpperBound,
                       DenseI64ArrayAttr:$staticStep,
                       Variadic<AnyRankedTensor>:$outputs,
                       OptionalAttr<ArrayAttr>:$mapping);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$region);
  let customFormat = "forall";
  let verifier = "forall";
}

def InParallelOp : SCF_Op<"forall.in_parallel", [
  HasOnlyGraphRegion, HasParent<"scf.forall">, NoTerminator, Pure, SingleBlock, Terminator
]> {
  let summary = "Says what an iteration of a `forall` writes";
  let regions = (region SizedRegion<1>:$region);
  let customFormat = "in_parallel";
  let verifier = "in_parallel";
}

def IfOp : SCF_Op<"if", [
  NoRegionArguments, PassesValues<"thenRegion", "results">, PassesValues<"elseRegion", "results">,
  RecursiveMemoryEffects, RecursivelySpeculatable, RegionBranchOpInterface,
  SingleBlockImplicitTerminator<"scf.yield">
]> {
  let summary = "One of two regions";
  let arguments = (ins I1:$condition);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, MaxSizedRegion<1>:$elseRegion);
  let customFormat = "if";
  let verifier = "if";
}

def WhileOp : SCF_Op<"while", [
  LoopLikeOpInterface, PassesValues<"inits", "before">, PassesValues<"after", "before">,
  PassesValues<"before", "after">, PassesValues<"before", "results">, RecursiveMemoryEffects, RegionBranchOpInterface, SingleBlock
]> {
  let summary = "A loop with a condition region and a body region";
  let arguments = (ins Variadic<AnyType>:$inits);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$before, SizedRegion<1>:$after);
  let customFormat = "while";
  let verifier = "while";
}

def IndexSwitchOp : SCF_Op<"index_switch", [
  NoRegionArguments, PassesValues<"defaultRegion", "results">,
  PassesValues<"caseRegions", "results">, RecursiveMemoryEffects, RegionBranchOpInterface,
  SingleBlockImplicitTerminator<"scf.yield">
]> {
  let summary = "The region of the case that an index equals, or the default region";
  let arguments = (ins Index:$arg, DenseI64ArrayAttr:$cases);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$defaultRegion, VariadicRegion<SizedRegion<1>>:$caseRegions);
  let customFormat = "index_switch";
  let verifier = "index_switch";
}

def YieldOp : SCF_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "Hands values to the op around";
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
  let verifier = "yield";
}

include "scf/patterns.td"

def SCFToControlFlowPass : Pass<"convert-scf-to-cf"> {
  let summary = "Structured control flow becomes branches between blocks";
  let dependentDialects = ["arith", "cf"];
}

#endif // TEGULA_SCF_TD
