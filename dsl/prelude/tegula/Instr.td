//===- Instr.td: machine instructions as ops --------------------------------===//
//
// A machine dialect is a dialect like any other; each of its instructions is an
// op whose operands and results are registers (dialect types) and whose
// attributes are immediates. What the op model has no word for stands in
// traits, which every layer carries along unread: the assembly text, which
// result shares its register with which operand, and one encoded instance to
// check the text against.
//
//===----------------------------------------------------------------------===//

#ifndef TEGULA_INSTR_TD
#define TEGULA_INSTR_TD

include "tegula/OpBase.td"

// The register file that values of a type live in. A type without one of these
// (condition flags) is not allocated.
class RegisterFile<string file> : NativeTrait<file>;
def IntRegister : RegisterFile<"IntRegister">;
def FloatRegister : RegisterFile<"FloatRegister">;
def FlagsRegister : RegisterFile<"FlagsRegister">;

// The text of the instruction. `$name` stands for an operand, a result or an
// attribute; `${name:v}` asks for another name of the same register (q, v, d,
// s, x, w). A line end separates instructions that are always written together.
class AsmText<string text> : NativeTrait<"AsmText", [text]>;

// The result is written to the register of the operand.
class TiedTo<string result, string operand>
    : NativeTrait<"TiedTo", [result, operand]>;

// The attribute's value is a multiple of the unit.
class MultipleOf<string attribute, int unit>
    : NativeTrait<"MultipleOf", [attribute, !cast<string>(unit)]>;

// One instance as a real assembler encodes it: results and then operands are in
// registers 0, 1, 2, …, each file counted on its own, tied ones shared; the
// immediates have the values given as "name=value;name=value"; the bytes are
// hexadecimal digits in memory order.
class Encoding<string immediates, string bytes>
    : NativeTrait<"Encoding", [immediates, bytes]>;

// What the instruction does to control: text alone does not say it.
def Branches : NativeTrait<"Branches">;
def Calls : NativeTrait<"Calls">;
def Returns : NativeTrait<"Returns">;

// The conditional branch that is taken when this one is not.
class InverseOf<string mnemonic> : NativeTrait<"InverseOf", [mnemonic]>;

// Reads or writes the memory at its address operand.
def Loads : NativeTrait<"Loads">;
def Stores : NativeTrait<"Stores">;

// An instruction.
class Instruction<Dialect dialect, string mnemonic, string text,
                  string immediates, string bytes, list<Trait> traits = []>
    : Op<dialect, mnemonic,
         !listconcat(traits, [AsmText<text>, Encoding<immediates, bytes>])>;

#endif
