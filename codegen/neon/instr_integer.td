//===- instr_integer.td: general-purpose registers --------------------------===//

#ifndef NEON_INSTR_INTEGER_TD
#define NEON_INSTR_INTEGER_TD

class Neon_Int2<string mnemonic, string asmName, string bytes>
    : Neon_Pure<mnemonic, asmName # " $d, $a, $b", "", bytes> {
  let arguments = (ins Neon_XType:$a, Neon_XType:$b);
  let results = (outs Neon_XType:$d);
}
class Neon_IntImm<string mnemonic, string text, int low, int high, int sample,
                  string bytes>
    : Neon_Pure<mnemonic, text, "imm=" # !cast<string>(sample), bytes> {
  let arguments = (ins Neon_XType:$a, Imm<low, high>:$imm);
  let results = (outs Neon_XType:$d);
}
class Neon_IntShifted<string mnemonic, string asmName, string bytes>
    : Neon_Pure<mnemonic, asmName # " $d, $a, $b, lsl #$imm", "imm=3", bytes> {
  let arguments = (ins Neon_XType:$a, Neon_XType:$b, Imm<0, 63>:$imm);
  let results = (outs Neon_XType:$d);
}

def Neon_AddX : Neon_Int2<"add_x", "add", "2000028b"> { let summary = "a + b"; }
def Neon_SubX : Neon_Int2<"sub_x", "sub", "200002cb"> { let summary = "a - b"; }
def Neon_MulX : Neon_Int2<"mul_x", "mul", "207c029b"> { let summary = "a * b"; }
def Neon_SDivX : Neon_Int2<"sdiv_x", "sdiv", "200cc29a"> {
  let summary = "a / b, signed, rounded to zero; zero when b is zero";
}
def Neon_UDivX : Neon_Int2<"udiv_x", "udiv", "2008c29a"> {
  let summary = "a / b, unsigned; zero when b is zero";
}
def Neon_AndX : Neon_Int2<"and_x", "and", "2000028a"> { let summary = "a & b"; }
def Neon_OrrX : Neon_Int2<"orr_x", "orr", "200002aa"> { let summary = "a | b"; }
def Neon_EorX : Neon_Int2<"eor_x", "eor", "200002ca"> { let summary = "a ^ b"; }
def Neon_LslX : Neon_Int2<"lsl_x", "lsl", "2020c29a"> { let summary = "a << (b mod 64)"; }
def Neon_LsrX : Neon_Int2<"lsr_x", "lsr", "2024c29a"> {
  let summary = "a >> (b mod 64), filled with zeros";
}
def Neon_AsrX : Neon_Int2<"asr_x", "asr", "2028c29a"> {
  let summary = "a >> (b mod 64), filled with the sign";
}

def Neon_AddImm : Neon_IntImm<"add_imm", "add $d, $a, #$imm", 0, 4095, 40, "20a00091"> {
  let summary = "a + imm";
}
def Neon_AddImmHigh : Neon_IntImm<"add_imm_high", "add $d, $a, #$imm, lsl #12",
    0, 4095, 5, "20144091"> {
  let summary = "a + imm * 4096";
}
def Neon_SubImm : Neon_IntImm<"sub_imm", "sub $d, $a, #$imm", 0, 4095, 40, "20a000d1"> {
  let summary = "a - imm";
}
def Neon_SubImmHigh : Neon_IntImm<"sub_imm_high", "sub $d, $a, #$imm, lsl #12",
    0, 4095, 5, "201440d1"> {
  let summary = "a - imm * 4096";
}
def Neon_LslImm : Neon_IntImm<"lsl_imm", "lsl $d, $a, #$imm", 0, 63, 4, "20ec7cd3"> {
  let summary = "a << imm";
}
def Neon_LsrImm : Neon_IntImm<"lsr_imm", "lsr $d, $a, #$imm", 0, 63, 4, "20fc44d3"> {
  let summary = "a >> imm, filled with zeros";
}
def Neon_AsrImm : Neon_IntImm<"asr_imm", "asr $d, $a, #$imm", 0, 63, 4, "20fc4493"> {
  let summary = "a >> imm, filled with the sign";
}
def Neon_AddShifted : Neon_IntShifted<"add_lsl", "add", "200c028b"> {
  let summary = "a + (b << imm)";
}
def Neon_SubShifted : Neon_IntShifted<"sub_lsl", "sub", "200c02cb"> {
  let summary = "a - (b << imm)";
}

class Neon_MulAdd<string mnemonic, string asmName, string bytes>
    : Neon_Pure<mnemonic, asmName # " $d, $a, $b, $c", "", bytes> {
  let arguments = (ins Neon_XType:$a, Neon_XType:$b, Neon_XType:$c);
  let results = (outs Neon_XType:$d);
}
def Neon_MAddX : Neon_MulAdd<"madd_x", "madd", "200c029b"> { let summary = "c + a * b"; }
def Neon_MSubX : Neon_MulAdd<"msub_x", "msub", "208c029b"> { let summary = "c - a * b"; }

// Constants, 16 bits at a time.
class Neon_MovWide<string mnemonic, string asmName, string bytes, Type register,
                   int highest>
    : Neon_Pure<mnemonic, asmName # " $d, #$imm, lsl #$shift", "imm=258;shift=16",
                bytes, [MultipleOf<"shift", 16>]> {
  let arguments = (ins Imm<0, 65535>:$imm, Imm<0, highest>:$shift);
  let results = (outs register:$d);
}
class Neon_MovKeep<string mnemonic, string bytes, Type register, int highest>
    : Neon_Pure<mnemonic, "movk $d, #$imm, lsl #$shift", "imm=258;shift=16", bytes,
                [MultipleOf<"shift", 16>, TiedTo<"d", "a">]> {
  let arguments = (ins register:$a, Imm<0, 65535>:$imm, Imm<0, highest>:$shift);
  let results = (outs register:$d);
}
def Neon_MovzX : Neon_MovWide<"movz_x", "movz", "4020a0d2", Neon_XType, 48> {
  let summary = "imm << shift";
}
def Neon_MovnX : Neon_MovWide<"movn_x", "movn", "4020a092", Neon_XType, 48> {
  let summary = "the complement of imm << shift";
}
def Neon_MovkX : Neon_MovKeep<"movk_x", "4020a0f2", Neon_XType, 48> {
  let summary = "replaces 16 bits";
}
def Neon_MovzW : Neon_MovWide<"movz_w", "movz", "4020a052", Neon_WType, 16> {
  let summary = "imm << shift";
}
def Neon_MovkW : Neon_MovKeep<"movk_w", "4020a072", Neon_WType, 16> {
  let summary = "replaces 16 bits";
}

// Comparison. A condition is one of eq ne lt le gt ge lo ls hi hs.
def Neon_CmpX : Neon_Pure<"cmp_x", "cmp $a, $b", "", "1f0001eb"> {
  let summary = "the flags of a - b";
  let arguments = (ins Neon_XType:$a, Neon_XType:$b);
  let results = (outs Neon_FlagsType:$flags);
}
def Neon_CmpImm : Neon_Pure<"cmp_imm", "cmp $a, #$imm", "imm=40", "1fa000f1"> {
  let summary = "the flags of a - imm";
  let arguments = (ins Neon_XType:$a, Imm<0, 4095>:$imm);
  let results = (outs Neon_FlagsType:$flags);
}
def Neon_SubsImm : Neon_Pure<"subs_imm", "subs $d, $a, #$imm", "imm=1", "200400f1"> {
  let summary = "a - imm and its flags";
  let arguments = (ins Neon_XType:$a, Imm<0, 4095>:$imm);
  let results = (outs Neon_XType:$d, Neon_FlagsType:$flags);
}
def Neon_Csel : Neon_Pure<"csel", "csel $d, $a, $b, $cond", "cond=lt", "20b0829a"> {
  let summary = "a when the condition holds, or b";
  let arguments = (ins Neon_FlagsType:$flags, Neon_XType:$a, Neon_XType:$b,
                       StrAttr:$cond);
  let results = (outs Neon_XType:$d);
}
def Neon_FcselS : Neon_Pure<"fcsel_s", "fcsel $d, $a, $b, $cond", "cond=lt", "20bc221e"> {
  let summary = "a when the condition holds, or b";
  let arguments = (ins Neon_FlagsType:$flags, Neon_SType:$a, Neon_SType:$b,
                       StrAttr:$cond);
  let results = (outs Neon_SType:$d);
}
def Neon_Cset : Neon_Pure<"cset", "cset $d, $cond", "cond=lt", "e0a79f9a"> {
  let summary = "one when the condition holds, or zero";
  let arguments = (ins Neon_FlagsType:$flags, StrAttr:$cond);
  let results = (outs Neon_XType:$d);
}

// Addresses.
def Neon_Adrp : Neon_Pure<"adrp", "adrp $d, ${data:page}", "", "00000090"> {
  let summary = "the page of a constant in read-only data";
  let arguments = (ins ElementsAttr:$data);
  let results = (outs Neon_XType:$d);
}
def Neon_AddLo12 : Neon_Pure<"add_lo12", "add $d, $a, ${data:lo12}", "", "20000091"> {
  let summary = "adds the place of a constant within its page";
  let arguments = (ins Neon_XType:$a, ElementsAttr:$data);
  let results = (outs Neon_XType:$d);
}
def Neon_FrameAddress : Neon_Pure<"frame_address", "", "", ""> {
  let summary = "the address of memory in the frame, 16-byte aligned";
  let description = [{
    Each op has memory of its own; what the frame looks like is decided after
    register allocation, so its text is written by the frame.
  }];
  let arguments = (ins Imm<0, 1048576>:$size);
  let results = (outs Neon_XType:$d);
}

#endif
