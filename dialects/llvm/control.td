// Where control goes.

class LLVM_TerminatorOp<string mnemonic, list<Trait> traits = []>
    : LLVM_Op<mnemonic, !listconcat(traits, [Terminator])>;
class LLVM_BranchingOp<string mnemonic, list<Trait> traits = []>
    : LLVM_TerminatorOp<mnemonic, !listconcat([BranchOpInterface], traits)>;

def LLVM_BrOp : LLVM_BranchingOp<"br", [Pure]> {
  let summary = "Goes to a block";
  let arguments = (ins Variadic<LLVM_Type>:$destOperands, LLVM_LoopAnnotationArg:$loop_annotation);
  let successors = (successor SuccessorTaking<"destOperands">:$dest);
  let assemblyFormat = [{
    $dest (`(` $destOperands^ `:` type($destOperands) `)`)?
    (`loop_annotation` `=` $loop_annotation^)? attr-dict
  }];
}
def LLVM_CondBrOp : LLVM_BranchingOp<"cond_br", [AttrSizedOperandSegments, Pure]> {
  let summary = "Goes to one of two blocks";
  let arguments = (ins I1:$condition, Variadic<LLVM_Type>:$trueDestOperands,
                       Variadic<LLVM_Type>:$falseDestOperands,
                       OptionalAttr<DenseI32ArrayAttr>:$branch_weights,
                       LLVM_LoopAnnotationArg:$loop_annotation);
  let successors = (successor SuccessorTaking<"trueDestOperands">:$trueDest,
                              SuccessorTaking<"falseDestOperands">:$falseDest);
  let assemblyFormat = [{
    $condition (`weights` `(` $branch_weights^ `)`)? `,`
    $trueDest (`(` $trueDestOperands^ `:` type($trueDestOperands) `)`)? `,`
    $falseDest (`(` $falseDestOperands^ `:` type($falseDestOperands) `)`)?
    (`loop_annotation` `=` $loop_annotation^)? attr-dict
  }];
}
def LLVM_SwitchOp : LLVM_BranchingOp<"switch", [
  AttrSizedOperandSegments, Pure, SegmentsBy<"caseOperands", "case_operand_segments">
]> {
  let summary = "Goes to the block of a case, or to the default block";
  let arguments = (ins AnySignlessInteger:$value, Variadic<LLVM_Type>:$defaultOperands,
                       Variadic<LLVM_Type>:$caseOperands, OptionalAttr<ElementsAttr>:$case_values,
                       DenseI32ArrayAttr:$case_operand_segments,
                       OptionalAttr<DenseI32ArrayAttr>:$branch_weights);
  let successors = (successor SuccessorTaking<"defaultOperands">:$defaultDestination,
                              VariadicSuccessor<SuccessorTaking<"caseOperands">>:$caseDestinations);
  let customFormat = "switch";
  let verifier = "switch";
}
def LLVM_IndirectBrOp : LLVM_BranchingOp<"indirectbr", [
  Pure, SegmentsBy<"succOperands", "indbr_operand_segments">
]> {
  let summary = "Goes to the block of an address";
  let arguments = (ins LLVM_AnyPointer:$addr, Variadic<LLVM_Type>:$succOperands,
                       DenseI32ArrayAttr:$indbr_operand_segments);
  let successors = (successor VariadicSuccessor<SuccessorTaking<"succOperands">>:$successors);
  let customFormat = "indirectbr";
}
def LLVM_BlockTagOp : LLVM_Op<"blocktag"> {
  let summary = "Names its block";
  let arguments = (ins LLVM_BlockTagAttr:$tag);
  let assemblyFormat = "$tag attr-dict";
}
def LLVM_UnreachableOp : LLVM_TerminatorOp<"unreachable"> {
  let summary = "Control never arrives here";
  let assemblyFormat = "attr-dict";
}
def LLVM_ReturnOp : LLVM_TerminatorOp<"return", [Pure, ReturnLike]> {
  let summary = "Leaves a function, or gives a global its value";
  let arguments = (ins Optional<LLVM_Type>:$arg);
  let assemblyFormat = "attr-dict ($arg^ `:` type($arg))?";
  let verifier = "return";
}
def LLVM_ResumeOp : LLVM_TerminatorOp<"resume"> {
  let summary = "Goes on with an exception";
  let arguments = (ins LLVM_Type:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}
def LLVM_LandingpadOp : LLVM_Op<"landingpad"> {
  let summary = "What an exception brings";
  let arguments = (ins Variadic<LLVM_Type>:$clauses, UnitAttr:$cleanup);
  let results = (outs LLVM_Type:$res);
  let customFormat = "landingpad";
}
