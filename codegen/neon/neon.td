//===- neon.td: AArch64 machine instructions --------------------------------===//
//
// The dialect that the code generator ends in: one op an instruction, in SSA
// form until registers are allocated. Instructions that overwrite an operand
// take it as an input and give the new value as a result; `TiedTo` says that
// both live in one register.
//
//===----------------------------------------------------------------------===//

#ifndef NEON_TD
#define NEON_TD

include "tegula/Instr.td"

def Neon_Dialect : Dialect {
  let name = "neon";
  let summary = "AArch64 instructions with Advanced SIMD";
  let description = [{
    Values are registers that are not chosen yet: `!neon.x` a 64-bit integer,
    `!neon.w` a 32-bit one, `!neon.v128` a vector register, `!neon.s` a single
    in the low lane of a vector register, `!neon.flags` the condition flags.
    A flags value is used in the block that makes it, before the next one is
    made. Addresses are bytes.
  }];
}

class Neon_Register<string name, string typeMnemonic, list<Trait> files>
    : TypeDef<Neon_Dialect, name, files> {
  let mnemonic = typeMnemonic;
}

def Neon_XType : Neon_Register<"X", "x", [IntRegister]> {
  let summary = "a 64-bit general-purpose register";
}
def Neon_WType : Neon_Register<"W", "w", [IntRegister]> {
  let summary = "the low half of a general-purpose register";
}
def Neon_VType : Neon_Register<"V128", "v128", [FloatRegister]> {
  let summary = "a 128-bit vector register";
}
def Neon_SType : Neon_Register<"S", "s", [FloatRegister]> {
  let summary = "a single in the low lane of a vector register";
}
def Neon_FlagsType : Neon_Register<"Flags", "flags", [FlagsRegister]> {
  let summary = "the condition flags";
}

// An immediate within bounds that the encoding gives.
class Imm<int low, int high>
    : ConfinedAttr<I64Attr, [IntRange<low, high>]>;

class Neon_Instr<string mnemonic, string text, string immediates, string bytes,
                 list<Trait> traits = []>
    : Instruction<Neon_Dialect, mnemonic, text, immediates, bytes, traits> {
  let hasVerifier = 1;
  let verifier = "instruction";
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
}

// An instruction whose only effect is its results.
class Neon_Pure<string mnemonic, string text, string immediates, string bytes,
                list<Trait> traits = []>
    : Neon_Instr<mnemonic, text, immediates, bytes,
                 !listconcat([Pure], traits)>;

include "instr_memory.td"
include "instr_vector.td"
include "instr_integer.td"
include "instr_control.td"
include "selection.td"
include "combine.td"
include "passes.td"

#endif
