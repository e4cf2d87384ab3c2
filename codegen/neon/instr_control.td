//===- instr_control.td: branches, calls, returns ---------------------------===//

#ifndef NEON_INSTR_CONTROL_TD
#define NEON_INSTR_CONTROL_TD

// A conditional branch names both ways; the one that is not next in the layout
// gets the jump. Operands after the condition are the block arguments.
def Neon_B : Neon_Instr<"b", "b $dest", "", "00000014", [Branches, Terminator]> {
  let summary = "branches";
  let arguments = (ins Variadic<AnyType>:$destOperands);
  let successors = (successor AnySuccessor:$dest);
  let assemblyFormat = [{
    $dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict
  }];
}

class Neon_CondBranch<string mnemonic, string text, string immediates,
                      string bytes, Type register, dag extra, string inverse>
    : Neon_Instr<mnemonic, text, immediates, bytes,
                 [Branches, Terminator, AttrSizedOperandSegments,
                  InverseOf<inverse>]> {
  let arguments = !con((ins register:$a),
                       (ins Variadic<AnyType>:$trueOperands,
                            Variadic<AnyType>:$falseOperands), extra);
  let successors = (successor AnySuccessor:$trueDest, AnySuccessor:$falseDest);
  let assemblyFormat = [{
    $a `,` $trueDest (`(` $trueOperands^ `:` type($trueOperands) `)`)? `,`
    $falseDest (`(` $falseOperands^ `:` type($falseOperands) `)`)? attr-dict
    `:` type($a)
  }];
}
def Neon_BCond : Neon_CondBranch<"b_cond", "b.$cond $trueDest", "cond=ne", "01000054",
    Neon_FlagsType, (ins StrAttr:$cond), "b_cond"> {
  let summary = "branches when the condition holds";
}
def Neon_Cbz : Neon_CondBranch<"cbz", "cbz $a, $trueDest", "", "000000b4", Neon_XType,
    (ins), "cbnz"> {
  let summary = "branches when the register is zero";
}
def Neon_Cbnz : Neon_CondBranch<"cbnz", "cbnz $a, $trueDest", "", "000000b5", Neon_XType,
    (ins), "cbz"> {
  let summary = "branches when the register is not zero";
}

def Neon_Bl : Neon_Instr<"bl", "bl $callee", "", "00000094", [Calls]> {
  let summary = "calls a function with up to eight integer arguments";
  let description = [{
    Arguments and the result are in x0, x1, …; everything that AAPCS64 lets a
    callee overwrite is overwritten.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Neon_XType>:$args);
  let results = (outs Variadic<Neon_XType>:$result);
}
def Neon_Ret : Neon_Instr<"ret", "ret", "", "c0035fd6", [Returns, Terminator]> {
  let summary = "returns, the result in x0";
  let arguments = (ins Variadic<Neon_XType>:$args);
  let assemblyFormat = "($args^ `:` type($args))? attr-dict";
}

#endif
