// Control flow, calls, failing, and what a debugger sees.

class VM_TerminatorOp<string mnemonic, list<Trait> traits = []>
    : VM_Op<mnemonic, !listconcat(traits, [Terminator])>;

class VM_GoOp<string mnemonic, list<Trait> traits = []>
    : VM_TerminatorOp<mnemonic, !listconcat(traits, [BranchOpInterface])> {
  let arguments = (ins Variadic<VM_Any>:$destOperands);
  let successors = (successor SuccessorTaking<"destOperands">:$dest);
  let assemblyFormat = "$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict";
}
def VM_BranchOp : VM_GoOp<"br", [VM_TakesRefs<["destOperands"]>, VM_Code<0x56, [VM_Go<"dest">]>]> {
  let summary = "Goes to a block";
}
def VM_YieldOp : VM_GoOp<"yield", [HasParent<"vm.func">, VM_Code<0x5D, [VM_Go<"dest">]>]> {
  let summary = "Lets others run, then goes to a block";
}
def VM_BreakOp : VM_GoOp<"break", [VM_DebugOnly, VM_FullBarrier, VM_Code<0x61, [VM_Go<"dest">]>]> {
  let summary = "Stops for a debugger, then goes to a block";
}
def VM_CondBreakOp
    : VM_TerminatorOp<"cond_break", [
  BranchOpInterface, VM_DebugOnly, VM_FullBarrier,
  VM_Code<0x60, [VM_Reg<"condition">, VM_Go<"dest">]>
]> {
  let summary = "Stops for a debugger where a condition holds, then goes to a block";
  let arguments = (ins I32:$condition, Variadic<VM_Any>:$destOperands);
  let successors = (successor SuccessorTaking<"destOperands">:$dest);
  let assemblyFormat = [{
    $condition `,` $dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict
  }];
}

def VM_CondBranchOp
    : VM_TerminatorOp<"cond_br", [
  AttrSizedOperandSegments, BranchOpInterface,
  VM_TakesRefs<["trueDestOperands", "falseDestOperands"]>,
  VM_Code<0x57, [VM_Reg<"condition">, VM_Go<"trueDest">, VM_Go<"falseDest">]>
]> {
  let summary = "Goes to one of two blocks";
  let arguments = (ins
    I32:$condition,
    Variadic<VM_Any>:$trueDestOperands,
    Variadic<VM_Any>:$falseDestOperands
  );
  let successors = (successor
    SuccessorTaking<"trueDestOperands">:$trueDest,
    SuccessorTaking<"falseDestOperands">:$falseDest
  );
  let assemblyFormat = [{
    $condition `,` $trueDest (`(` $trueDestOperands^ `:` type($trueDestOperands) `)`)? `,`
    $falseDest (`(` $falseDestOperands^ `:` type($falseDestOperands) `)`)? attr-dict
  }];
}

def VM_BranchTableOp
    : VM_TerminatorOp<"br_table", [
  AttrSizedOperandSegments, BranchOpInterface,
  SegmentsBy<"caseOperands", "case_operand_segments">,
  VM_TakesRefs<["defaultOperands", "caseOperands"]>,
  VM_Code<0x83, [VM_Reg<"index">, VM_Go<"defaultDestination">, VM_GoTable<"caseDestinations">]>
]> {
  let summary = "Goes to the block at an index, or to the default block";
  let description = [{
    `caseOperands` holds the operands of all cases one after the other; `case_operand_segments`
    says how many each case takes.
  }];
  let arguments = (ins
    I32:$index,
    Variadic<VM_Any>:$defaultOperands,
    Variadic<VM_Any>:$caseOperands,
    DenseI32ArrayAttr:$case_operand_segments
  );
  let successors = (successor
    SuccessorTaking<"defaultOperands">:$defaultDestination,
    VariadicSuccessor<SuccessorTaking<"caseOperands">>:$caseDestinations
  );
  let customFormat = "br_table";
}

def VM_ReturnOp
    : VM_TerminatorOp<"return", [
  Pure, ReturnLike, VM_TakesRefs<["operands"]>, VM_Code<0x5A, [VM_Regs<"operands">]>
]> {
  let summary = "Leaves a function with its results";
  let arguments = (ins Variadic<VM_Any>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

def VM_FailOp : VM_TerminatorOp<"fail", [
  VM_MayFail, VM_Code<0x5B, [VM_Reg<"status">, VM_Str<"message">]>
]> {
  let summary = "Ends the program with a status code";
  let arguments = (ins I32:$status, OptionalAttr<StrAttr>:$message);
  let assemblyFormat = "$status (`,` $message^)? attr-dict";
  let verifier = "fail";
}

def VM_CondFailOp : VM_Op<"cond_fail", [VM_MayFail, VM_PseudoOp]> {
  let summary = "Ends the program with a status code where a condition holds";
  let description = [{
    A status that is its own condition is written once.
  }];
  let arguments = (ins I32:$condition, I32:$status, OptionalAttr<StrAttr>:$message);
  let customFormat = "cond_fail";
}

class VM_CheckOp<string mnemonic, dag checked, string what, list<Trait> traits = []>
    : VM_Op<"check." # mnemonic, !listconcat(traits, [VM_PseudoOp])> {
  let summary = "Ends the program unless " # what;
  let arguments = !con(checked, (ins OptionalAttr<StrAttr>:$message));
}
class VM_CheckPairOp<string mnemonic, string what>
    : VM_CheckOp<mnemonic, (ins VM_Any:$lhs, VM_Any:$rhs), what,
                 [AllTypesMatch<["lhs", "rhs"]>, Commutative]> {
  let assemblyFormat = "$lhs `,` $rhs (`,` $message^)? attr-dict `:` type($lhs)";
}
def VM_CheckEQOp : VM_CheckPairOp<"eq", "both are the same">;
def VM_CheckNEOp : VM_CheckPairOp<"ne", "both differ">;
def VM_CheckNearlyEQOp : VM_CheckPairOp<"nearly_eq", "both are nearly the same">;
def VM_CheckNZOp : VM_CheckOp<"nz", (ins VM_Any:$value), "it is not zero"> {
  let assemblyFormat = "$value (`,` $message^)? attr-dict `:` type($value)";
}

//===-- Calls -------------------------------------------------------------------------------------

def VM_CallOp
    : VM_Op<"call", [
  CallOpInterface, VM_MayFail, VM_TakesRefs<["operands"]>,
  VM_Code<0x58, [VM_Sym<"callee">, VM_Regs<"operands">, VM_Regs<"results">]>
]> {
  let summary = "Calls a function, or an import all of whose arguments are single values";
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<VM_Any>:$operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    UnitAttr:$nosideeffects
  );
  let results = (outs Variadic<VM_Any>:$results);
  let assemblyFormat = [{
    $callee `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
  let resultNames = [NamedBy<"by_type">];
}

class VM_VariadicCallOp<string mnemonic, list<Trait> traits = []>
    : VM_Op<"call.variadic" # mnemonic,
            !listconcat(traits, [VM_MayFail, VM_TakesRefs<["operands"]>])> {
  let description = [{
    `segment_sizes` says for each argument of the import how many elements stand for it, or -1
    where it is a single value; `segment_types` are the argument types. An element of a tuple type
    is as many operands as the tuple has types.
  }];
}
def VM_CallVariadicOp : VM_VariadicCallOp<"", [
  VM_Code<0x59, [VM_Sym<"callee">, VM_Imms<"segment_sizes">, VM_Regs<"operands">,
                 VM_Regs<"results">]>
]> {
  let summary = "Calls an import that takes any number of values for some arguments";
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    ElementsAttr:$segment_sizes,
    TypeArrayAttr:$segment_types,
    Variadic<VM_Any>:$operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    UnitAttr:$nosideeffects
  );
  let results = (outs Variadic<VM_Any>:$results);
  let customFormat = "call_variadic";
  let resultNames = [NamedBy<"by_type">];
}
def VM_CallVariadicYieldableOp : VM_VariadicCallOp<".yieldable", [
  BranchOpInterface, Terminator,
  VM_Code<0x88, [VM_Sym<"callee">, VM_Imms<"segment_sizes">, VM_Regs<"operands">,
                 VM_Target<"dest">, VM_TargetRegs<"dest">]>
]> {
  let summary = "As `vm.call.variadic`, and others may run until a block takes the results";
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    ElementsAttr:$segment_sizes,
    TypeArrayAttr:$segment_types,
    Variadic<VM_Any>:$operands,
    TypeArrayAttr:$result_types,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let successors = (successor AnySuccessor:$dest);
  let assemblyFormat = [{
    $callee `(` $operands `)` prop-dict attr-dict `:` `(` type($operands) `)` `->` $dest
    custom<ResultTypeList>($result_types)
  }];
}
def VM_CallYieldableOp
    : VM_Op<"call.yieldable", [
  BranchOpInterface, Terminator, VM_MayFail, VM_TakesRefs<["arguments"]>,
  VM_Code<0x87, [VM_Sym<"callee">, VM_Regs<"arguments">, VM_Target<"dest">,
                 VM_TargetRegs<"dest">]>
]> {
  let summary = "As `vm.call`, and others may run until a block takes the results";
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<VM_Any>:$arguments,
    TypeArrayAttr:$result_types,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let successors = (successor AnySuccessor:$dest);
  let assemblyFormat = [{
    $callee `(` $arguments `)` attr-dict `:` `(` type($arguments) `)` `->` $dest
    custom<ResultTypeList>($result_types)
  }];
}

//===-- Values and who watches --------------------------------------------------------------------

def VM_OptimizationBarrierOp
    : VM_Op<"optimization_barrier", [AllTypesMatch<["operands", "results"]>, VM_PseudoOp]> {
  let summary = "Passes values on and hides where they come from";
  let arguments = (ins Variadic<VM_Any>:$operands);
  let results = (outs Variadic<VM_Any>:$results);
  let assemblyFormat = [{
    attr-dict ($operands^ `:` custom<PassedTypes>(type($operands), type($results)))?
  }];
}

def VM_DiscardRefsOp : VM_Op<"discard.refs", [VM_Code<0x85, [VM_Regs<"refs">]>]> {
  let summary = "References that nobody uses any more";
  let arguments = (ins Variadic<VM_AnyRef>:$refs);
  let assemblyFormat = "($refs^ `:` type($refs))? attr-dict";
}

def VM_TraceOp : VM_Op<"trace", [
  VM_DebugOnly, VM_FullBarrier, VM_Code<0x5E, [VM_Str<"event_name">, VM_Regs<"operands">]>
]> {
  let summary = "Tells an event with values to who watches the program";
  let arguments = (ins StrAttr:$event_name, Variadic<VM_Any>:$operands);
  let assemblyFormat = "$event_name `(` operands `)` attr-dict `:` type(operands)";
}
def VM_PrintOp : VM_Op<"print", [
  VM_DebugOnly, VM_FullBarrier, VM_Code<0x5F, [VM_Str<"message">, VM_Regs<"operands">]>
]> {
  let summary = "Prints a message with values";
  let arguments = (ins StrAttr:$message, Variadic<VM_Any>:$operands);
  let assemblyFormat = "$message `(` operands `)` attr-dict `:` type(operands)";
}
