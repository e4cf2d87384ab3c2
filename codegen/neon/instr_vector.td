//===- instr_vector.td: vector and scalar floating point --------------------===//

#ifndef NEON_INSTR_VECTOR_TD
#define NEON_INSTR_VECTOR_TD

// Two vectors to one.
class Neon_Vector2<string mnemonic, string text, string bytes>
    : Neon_Pure<mnemonic, text, "", bytes> {
  let arguments = (ins Neon_VType:$a, Neon_VType:$b);
  let results = (outs Neon_VType:$d);
}
class Neon_Arith4s<string mnemonic, string asmName, string bytes>
    : Neon_Vector2<mnemonic, asmName # " $d.4s, $a.4s, $b.4s", bytes>;

def Neon_FAdd4s : Neon_Arith4s<"fadd_4s", "fadd", "20d4224e"> {
  let summary = "adds four singles";
}
def Neon_FSub4s : Neon_Arith4s<"fsub_4s", "fsub", "20d4a24e"> {
  let summary = "subtracts four singles";
}
def Neon_FMul4s : Neon_Arith4s<"fmul_4s", "fmul", "20dc226e"> {
  let summary = "multiplies four singles";
}
def Neon_FDiv4s : Neon_Arith4s<"fdiv_4s", "fdiv", "20fc226e"> {
  let summary = "divides four singles";
}
def Neon_FMax4s : Neon_Arith4s<"fmax_4s", "fmax", "20f4224e"> {
  let summary = "takes the larger of four pairs, a NaN where there is one";
}
def Neon_FMin4s : Neon_Arith4s<"fmin_4s", "fmin", "20f4a24e"> {
  let summary = "takes the smaller of four pairs, a NaN where there is one";
}
def Neon_FNeg4s : Neon_Pure<"fneg_4s", "fneg $d.4s, $a.4s", "", "20f8a06e"> {
  let summary = "negates four singles";
  let arguments = (ins Neon_VType:$a);
  let results = (outs Neon_VType:$d);
}

// Multiply and add, rounded once, into the accumulator's register.
class Neon_Fused<string mnemonic, string asmName, string bytes>
    : Neon_Pure<mnemonic, asmName # " $d.4s, $a.4s, $b.4s", "", bytes,
                [TiedTo<"d", "acc">]> {
  let arguments = (ins Neon_VType:$acc, Neon_VType:$a, Neon_VType:$b);
  let results = (outs Neon_VType:$d);
}
class Neon_FusedLane<string mnemonic, string asmName, string bytes>
    : Neon_Pure<mnemonic, asmName # " $d.4s, $a.4s, $b.s[$lane]", "lane=3", bytes,
                [TiedTo<"d", "acc">]> {
  let arguments = (ins Neon_VType:$acc, Neon_VType:$a, Neon_VType:$b,
                       Imm<0, 3>:$lane);
  let results = (outs Neon_VType:$d);
}
def Neon_Fmla4s : Neon_Fused<"fmla_4s", "fmla", "20cc224e"> {
  let summary = "acc + a * b, rounded once";
}
def Neon_Fmls4s : Neon_Fused<"fmls_4s", "fmls", "20cca24e"> {
  let summary = "acc - a * b, rounded once";
}
def Neon_FmlaLane4s : Neon_FusedLane<"fmla_lane_4s", "fmla", "2018a24f"> {
  let summary = "acc + a * b[lane], rounded once";
}
def Neon_FmlsLane4s : Neon_FusedLane<"fmls_lane_4s", "fmls", "2058a24f"> {
  let summary = "acc - a * b[lane], rounded once";
}
// A single as the factor of every lane: it is lane 0 of its register.
def Neon_FmlaS4s : Neon_Pure<"fmla_s_4s", "fmla $d.4s, $a.4s, ${b:v}.s[0]", "",
    "2010824f", [TiedTo<"d", "acc">]> {
  let summary = "acc + a * b, b in every lane, rounded once";
  let arguments = (ins Neon_VType:$acc, Neon_VType:$a, Neon_SType:$b);
  let results = (outs Neon_VType:$d);
}
def Neon_FMulS4s : Neon_Pure<"fmul_s_4s", "fmul $d.4s, $a.4s, ${b:v}.s[0]", "", "2090824f"> {
  let summary = "a * b, b in every lane";
  let arguments = (ins Neon_VType:$a, Neon_SType:$b);
  let results = (outs Neon_VType:$d);
}
def Neon_FMulLane4s : Neon_Pure<"fmul_lane_4s", "fmul $d.4s, $a.4s, $b.s[$lane]",
    "lane=3", "2098a24f"> {
  let summary = "a * b[lane]";
  let arguments = (ins Neon_VType:$a, Neon_VType:$b, Imm<0, 3>:$lane);
  let results = (outs Neon_VType:$d);
}

// Scalars.
class Neon_Scalar2<string mnemonic, string asmName, string bytes>
    : Neon_Pure<mnemonic, asmName # " $d, $a, $b", "", bytes> {
  let arguments = (ins Neon_SType:$a, Neon_SType:$b);
  let results = (outs Neon_SType:$d);
}
def Neon_FAddS : Neon_Scalar2<"fadd_s", "fadd", "2028221e"> {
  let summary = "adds two singles";
}
def Neon_FSubS : Neon_Scalar2<"fsub_s", "fsub", "2038221e"> {
  let summary = "subtracts two singles";
}
def Neon_FMulS : Neon_Scalar2<"fmul_s", "fmul", "2008221e"> {
  let summary = "multiplies two singles";
}
def Neon_FDivS : Neon_Scalar2<"fdiv_s", "fdiv", "2018221e"> {
  let summary = "divides two singles";
}
def Neon_FMaxS : Neon_Scalar2<"fmax_s", "fmax", "2048221e"> {
  let summary = "takes the larger single, a NaN where there is one";
}
def Neon_FMinS : Neon_Scalar2<"fmin_s", "fmin", "2058221e"> {
  let summary = "takes the smaller single, a NaN where there is one";
}
def Neon_FNegS : Neon_Pure<"fneg_s", "fneg $d, $a", "", "2040211e"> {
  let summary = "negates a single";
  let arguments = (ins Neon_SType:$a);
  let results = (outs Neon_SType:$d);
}
def Neon_FMAddS : Neon_Pure<"fmadd_s", "fmadd $d, $a, $b, $acc", "", "4004031f"> {
  let summary = "acc + a * b, rounded once";
  let arguments = (ins Neon_SType:$acc, Neon_SType:$a, Neon_SType:$b);
  let results = (outs Neon_SType:$d);
}

// Constants. The floating-point immediate is the single's bit pattern, of which
// only those with an 8-bit form have an encoding.
def Neon_Movi0 : Neon_Pure<"movi_0", "movi $d.2d, #0", "", "00e4006f"> {
  let summary = "all bits zero";
  let results = (outs Neon_VType:$d);
}
def Neon_Movi0S : Neon_Pure<"movi_0_s", "movi ${d:d}, #0", "", "00e4002f"> {
  let summary = "a single of positive zero";
  let results = (outs Neon_SType:$d);
}

// Between the lanes of vectors, singles and general-purpose registers.
def Neon_DupLane4s : Neon_Pure<"dup_lane_4s", "dup $d.4s, $a.s[$lane]", "lane=3", "20041c4e"> {
  let summary = "one lane in every lane";
  let arguments = (ins Neon_VType:$a, Imm<0, 3>:$lane);
  let results = (outs Neon_VType:$d);
}
def Neon_DupS4s : Neon_Pure<"dup_s_4s", "dup $d.4s, ${a:v}.s[0]", "", "2004044e"> {
  let summary = "a single in every lane";
  let arguments = (ins Neon_SType:$a);
  let results = (outs Neon_VType:$d);
}
def Neon_DupW4s : Neon_Pure<"dup_w_4s", "dup $d.4s, $a", "", "000c044e"> {
  let summary = "the bits of an integer in every lane";
  let arguments = (ins Neon_WType:$a);
  let results = (outs Neon_VType:$d);
}
def Neon_DupLaneS : Neon_Pure<"dup_lane_s", "dup $d, ${a:v}.s[$lane]", "lane=3", "20041c5e"> {
  let summary = "one lane as a single";
  let arguments = (ins Neon_VType:$a, Imm<0, 3>:$lane);
  let results = (outs Neon_SType:$d);
}
def Neon_InsLane : Neon_Pure<"ins_lane", "ins $d.s[$lane], $a.s[$from]",
    "lane=2;from=1", "2024146e", [TiedTo<"d", "acc">]> {
  let summary = "replaces one lane by a lane of another vector";
  let arguments = (ins Neon_VType:$acc, Neon_VType:$a, Imm<0, 3>:$lane,
                       Imm<0, 3>:$from);
  let results = (outs Neon_VType:$d);
}
def Neon_InsS : Neon_Pure<"ins_s", "ins $d.s[$lane], ${a:v}.s[0]", "lane=2", "2004146e",
    [TiedTo<"d", "acc">]> {
  let summary = "replaces one lane by a single";
  let arguments = (ins Neon_VType:$acc, Neon_SType:$a, Imm<0, 3>:$lane);
  let results = (outs Neon_VType:$d);
}
def Neon_UmovW : Neon_Pure<"umov_w", "umov $d, $a.s[$lane]", "lane=1", "003c0c0e"> {
  let summary = "the bits of one lane as an integer";
  let arguments = (ins Neon_VType:$a, Imm<0, 3>:$lane);
  let results = (outs Neon_WType:$d);
}
def Neon_FMovSW : Neon_Pure<"fmov_s_w", "fmov $d, $a", "", "0000271e"> {
  let summary = "the single with these bits";
  let arguments = (ins Neon_WType:$a);
  let results = (outs Neon_SType:$d);
}
def Neon_FMovWS : Neon_Pure<"fmov_w_s", "fmov $d, $a", "", "0000261e"> {
  let summary = "the bits of a single";
  let arguments = (ins Neon_SType:$a);
  let results = (outs Neon_WType:$d);
}

// Permutations.
class Neon_Permute4s<string asmName, string bytes>
    : Neon_Vector2<asmName # "_4s", asmName # " $d.4s, $a.4s, $b.4s", bytes>;
class Neon_Permute2d<string asmName, string bytes>
    : Neon_Vector2<asmName # "_2d", asmName # " $d.2d, $a.2d, $b.2d", bytes>;

def Neon_Zip1_4s : Neon_Permute4s<"zip1", "2038824e"> { let summary = "a0 b0 a1 b1"; }
def Neon_Zip2_4s : Neon_Permute4s<"zip2", "2078824e"> { let summary = "a2 b2 a3 b3"; }
def Neon_Uzp1_4s : Neon_Permute4s<"uzp1", "2018824e"> { let summary = "a0 a2 b0 b2"; }
def Neon_Uzp2_4s : Neon_Permute4s<"uzp2", "2058824e"> { let summary = "a1 a3 b1 b3"; }
def Neon_Trn1_4s : Neon_Permute4s<"trn1", "2028824e"> { let summary = "a0 b0 a2 b2"; }
def Neon_Trn2_4s : Neon_Permute4s<"trn2", "2068824e"> { let summary = "a1 b1 a3 b3"; }
def Neon_Trn1_2d : Neon_Permute2d<"trn1", "2028c24e"> { let summary = "the low halves"; }
def Neon_Trn2_2d : Neon_Permute2d<"trn2", "2068c24e"> { let summary = "the high halves"; }
def Neon_Zip1_2d : Neon_Permute2d<"zip1", "2038c24e"> { let summary = "the low halves"; }
def Neon_Zip2_2d : Neon_Permute2d<"zip2", "2078c24e"> { let summary = "the high halves"; }
def Neon_Ext : Neon_Pure<"ext", "ext $d.16b, $a.16b, $b.16b, #$offset", "offset=4", "2020026e"> {
  let summary = "16 bytes from the pair, starting at offset";
  let arguments = (ins Neon_VType:$a, Neon_VType:$b, Imm<0, 15>:$offset);
  let results = (outs Neon_VType:$d);
}

#endif
