// The `cf` dialect: branches between blocks.

#ifndef TEGULA_CF_TD
#define TEGULA_CF_TD

include "tegula/OpBase.td"
include "tegula/Patterns.td"

def ControlFlow_Dialect : Dialect {
  let name = "cf";
  let summary = "Branches between blocks";
  let dependentDialects = ["arith"];
}

class CF_Op<string mnemonic, list<Trait> traits = []>
    : Op<ControlFlow_Dialect, mnemonic, traits>;

def AssertOp : CF_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "Stops the program with a message unless a condition holds";
  let arguments = (ins I1:$arg, StrAttr:$msg);
  let assemblyFormat = "$arg `,` $msg attr-dict";
}

def BranchOp : CF_Op<"br", [BranchOpInterface, Pure, Terminator]> {
  let summary = "Goes to a block";
  let arguments = (ins Variadic<AnyType>:$destOperands);
  let successors = (successor SuccessorTaking<"destOperands">:$dest);
  let assemblyFormat = [{
    $dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict
  }];
}

def CondBranchOp : CF_Op<"cond_br", [
  AttrSizedOperandSegments, BranchOpInterface, Pure, Terminator
]> {
  let summary = "Goes to one of two blocks";
  let arguments = (ins I1:$condition,
                       Variadic<AnyType>:$trueDestOperands,
                       Variadic<AnyType>:$falseDestOperands,
                       OptionalAttr<DenseI32ArrayAttr>:$branch_weights);
  let successors = (successor SuccessorTaking<"trueDestOperands">:$trueDest,
                              SuccessorTaking<"falseDestOperands">:$falseDest);
  let assemblyFormat = [{
    $condition (`weights` `(` $branch_weights^ `)`)? `,`
    $trueDest (`(` $trueDestOperands^ `:` type($trueDestOperands) `)`)? `,`
    $falseDest (`(` $falseDestOperands^ `:` type($falseDestOperands) `)`)?
    attr-dict
  }];
  let verifier = "cond_br";
}

def SwitchOp : CF_Op<"switch", [
  AttrSizedOperandSegments, BranchOpInterface, Pure,
  SegmentsBy<"caseOperands", "case_operand_segments">, Terminator
]> {
  let summary = "Goes to the block of a case, or to the default block";
  let description = [{
    `caseOperands` holds the operands of all cases one after the other; `case_operand_segments`
    says how many each case takes.
  }];
  let arguments = (ins AnySignlessInteger:$flag,
                       Variadic<AnyType>:$defaultOperands,
                       Variadic<AnyType>:$caseOperands,
                       OptionalAttr<ElementsAttr>:$case_values,
                       DenseI32ArrayAttr:$case_operand_segments);
  let successors = (successor SuccessorTaking<"defaultOperands">:$defaultDestination,
                              VariadicSuccessor<SuccessorTaking<"caseOperands">>:$caseDestinations);
  let customFormat = "switch";
  let verifier = "switch";
}

// What is decided is gone to.
def BranchIfTrue
    : Pattern<"canonicalize", (CondBranchOp:$branch (ConstantLike (attr "true")), $values, ?, ?),
              [(BranchOp $values, (successorsOf $branch, 0)), (erase)]>;
def BranchIfFalse
    : Pattern<"canonicalize", (CondBranchOp:$branch (ConstantLike (attr "false")), ?, $values, ?),
              [(BranchOp $values, (successorsOf $branch, 1)), (erase)]>;

// A block that nothing else goes to takes the place of the branch to it.
def MergeBlock : NativePattern<"canonicalize", BranchOp, "cf_merge">;
// Where a block only goes on, it is gone there at once.
def PassThroughBranch : NativePattern<"canonicalize", BranchOp, "cf_pass_through">;
def PassThroughCondBranch : NativePattern<"canonicalize", CondBranchOp, "cf_pass_through">;
// What both ways of a choice lead to is gone to with what is chosen.
def SameTarget : NativePattern<"canonicalize", CondBranchOp, "cf_same_target">;

#endif // TEGULA_CF_TD
