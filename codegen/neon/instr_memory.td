//===- instr_memory.td: loads and stores ------------------------------------===//

#ifndef NEON_INSTR_MEMORY_TD
#define NEON_INSTR_MEMORY_TD

class Neon_Load<string mnemonic, string text, string immediates, string bytes,
                list<Trait> traits = []>
    : Neon_Instr<mnemonic, text, immediates, bytes,
                 !listconcat([Loads, MemoryEffects<[MemRead]>], traits)>;

class Neon_Store<string mnemonic, string text, string immediates, string bytes,
                 list<Trait> traits = []>
    : Neon_Instr<mnemonic, text, immediates, bytes,
                 !listconcat([Stores, MemoryEffects<[MemWrite]>], traits)>;

// Base and immediate offset, scaled (`ldr`) or not (`ldur`).
class Neon_LoadImm<string mnemonic, string text, string immediates, string bytes,
                   Type register, int low, int high, int unit>
    : Neon_Load<mnemonic, text, immediates, bytes, [MultipleOf<"offset", unit>]> {
  let arguments = (ins Neon_XType:$base, Imm<low, high>:$offset);
  let results = (outs register:$d);
}

class Neon_StoreImm<string mnemonic, string text, string immediates, string bytes,
                    Type register, int low, int high, int unit>
    : Neon_Store<mnemonic, text, immediates, bytes, [MultipleOf<"offset", unit>]> {
  let arguments = (ins register:$a, Neon_XType:$base, Imm<low, high>:$offset);
}

def Neon_LdrQ : Neon_LoadImm<"ldr_q", "ldr ${d:q}, [$base, #$offset]",
    "offset=32", "0008c03d", Neon_VType, 0, 65520, 16> {
  let summary = "loads 16 bytes at base plus a multiple of 16";
}
def Neon_LdurQ : Neon_LoadImm<"ldur_q", "ldur ${d:q}, [$base, #$offset]",
    "offset=-20", "00c0de3c", Neon_VType, -256, 255, 1> {
  let summary = "loads 16 bytes at base plus a small offset";
}
def Neon_LdrS : Neon_LoadImm<"ldr_s", "ldr $d, [$base, #$offset]",
    "offset=12", "000c40bd", Neon_SType, 0, 16380, 4> {
  let summary = "loads a single at base plus a multiple of 4";
}
def Neon_LdurS : Neon_LoadImm<"ldur_s", "ldur $d, [$base, #$offset]",
    "offset=-4", "00c05fbc", Neon_SType, -256, 255, 1> {
  let summary = "loads a single at base plus a small offset";
}
def Neon_LdrX : Neon_LoadImm<"ldr_x", "ldr $d, [$base, #$offset]",
    "offset=16", "200840f9", Neon_XType, 0, 32760, 8> {
  let summary = "loads 8 bytes at base plus a multiple of 8";
}
def Neon_StrQ : Neon_StoreImm<"str_q", "str ${a:q}, [$base, #$offset]",
    "offset=32", "0008803d", Neon_VType, 0, 65520, 16> {
  let summary = "stores 16 bytes at base plus a multiple of 16";
}
def Neon_SturQ : Neon_StoreImm<"stur_q", "stur ${a:q}, [$base, #$offset]",
    "offset=-20", "00c09e3c", Neon_VType, -256, 255, 1> {
  let summary = "stores 16 bytes at base plus a small offset";
}
def Neon_StrS : Neon_StoreImm<"str_s", "str $a, [$base, #$offset]",
    "offset=12", "000c00bd", Neon_SType, 0, 16380, 4> {
  let summary = "stores a single at base plus a multiple of 4";
}
def Neon_SturS : Neon_StoreImm<"stur_s", "stur $a, [$base, #$offset]",
    "offset=-4", "00c01fbc", Neon_SType, -256, 255, 1> {
  let summary = "stores a single at base plus a small offset";
}
def Neon_StrX : Neon_StoreImm<"str_x", "str $a, [$base, #$offset]",
    "offset=16", "200800f9", Neon_XType, 0, 32760, 8> {
  let summary = "stores 8 bytes at base plus a multiple of 8";
}

// Base and index register; `_l` shifts the index by the width of the access.
class Neon_LoadIndexed<string mnemonic, string text, string bytes, Type register>
    : Neon_Load<mnemonic, text, "", bytes> {
  let arguments = (ins Neon_XType:$base, Neon_XType:$index);
  let results = (outs register:$d);
}
class Neon_StoreIndexed<string mnemonic, string text, string bytes, Type register>
    : Neon_Store<mnemonic, text, "", bytes> {
  let arguments = (ins register:$a, Neon_XType:$base, Neon_XType:$index);
}

def Neon_LdrQIndexed : Neon_LoadIndexed<"ldr_q_x", "ldr ${d:q}, [$base, $index]",
    "0068e13c", Neon_VType> {
  let summary = "loads 16 bytes at base plus index";
}
def Neon_LdrSIndexed : Neon_LoadIndexed<"ldr_s_x", "ldr $d, [$base, $index]",
    "006861bc", Neon_SType> {
  let summary = "loads a single at base plus index";
}
def Neon_LdrSIndexedShifted : Neon_LoadIndexed<"ldr_s_xl",
    "ldr $d, [$base, $index, lsl #2]", "007861bc", Neon_SType> {
  let summary = "loads a single at base plus four times index";
}
def Neon_StrQIndexed : Neon_StoreIndexed<"str_q_x", "str ${a:q}, [$base, $index]",
    "0068a13c", Neon_VType> {
  let summary = "stores 16 bytes at base plus index";
}
def Neon_StrSIndexed : Neon_StoreIndexed<"str_s_x", "str $a, [$base, $index]",
    "006821bc", Neon_SType> {
  let summary = "stores a single at base plus index";
}
def Neon_StrSIndexedShifted : Neon_StoreIndexed<"str_s_xl",
    "str $a, [$base, $index, lsl #2]", "007821bc", Neon_SType> {
  let summary = "stores a single at base plus four times index";
}

// Base, which is then moved on.
def Neon_LdrQPost : Neon_Load<"ldr_q_post", "ldr ${d:q}, [$next], #$offset",
    "offset=16", "0004c13c", [TiedTo<"next", "base">]> {
  let summary = "loads 16 bytes at base, then adds to it";
  let arguments = (ins Neon_XType:$base, Imm<-256, 255>:$offset);
  let results = (outs Neon_VType:$d, Neon_XType:$next);
}
def Neon_StrQPost : Neon_Store<"str_q_post", "str ${a:q}, [$next], #$offset",
    "offset=16", "0004813c", [TiedTo<"next", "base">]> {
  let summary = "stores 16 bytes at base, then adds to it";
  let arguments = (ins Neon_VType:$a, Neon_XType:$base, Imm<-256, 255>:$offset);
  let results = (outs Neon_XType:$next);
}

// Two neighbours at once.
def Neon_LdpQ : Neon_Load<"ldp_q", "ldp ${d:q}, ${e:q}, [$base, #$offset]",
    "offset=64", "000442ad", [MultipleOf<"offset", 16>]> {
  let summary = "loads two neighbouring vectors";
  let arguments = (ins Neon_XType:$base, Imm<-1024, 1008>:$offset);
  let results = (outs Neon_VType:$d, Neon_VType:$e);
}
def Neon_StpQ : Neon_Store<"stp_q", "stp ${a:q}, ${b:q}, [$base, #$offset]",
    "offset=64", "000402ad", [MultipleOf<"offset", 16>]> {
  let summary = "stores two neighbouring vectors";
  let arguments = (ins Neon_VType:$a, Neon_VType:$b, Neon_XType:$base,
                       Imm<-1024, 1008>:$offset);
}

// One element.
def Neon_Ld1r : Neon_Load<"ld1r_4s", "ld1r {$d.4s}, [$base]", "", "00c8404d"> {
  let summary = "loads a single into every lane";
  let arguments = (ins Neon_XType:$base);
  let results = (outs Neon_VType:$d);
}
def Neon_Ld1Lane : Neon_Load<"ld1_s", "ld1 {$d.s}[$lane], [$base]", "lane=2", "0080404d",
    [TiedTo<"d", "acc">]> {
  let summary = "loads a single into one lane";
  let arguments = (ins Neon_VType:$acc, Neon_XType:$base, Imm<0, 3>:$lane);
  let results = (outs Neon_VType:$d);
}
def Neon_St1Lane : Neon_Store<"st1_s", "st1 {$a.s}[$lane], [$base]", "lane=2", "0080004d"> {
  let summary = "stores one lane";
  let arguments = (ins Neon_VType:$a, Neon_XType:$base, Imm<0, 3>:$lane);
}

#endif
