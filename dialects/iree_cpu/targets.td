// The CPUs that code can be made for.

include "tegula/Target.td"

/// Inner tiles of contractions: `n` columns wide, and rows that halve down to one, so that results
/// with few rows are not padded. The widest comes first.
class RowTiles<string l, string r, string o, int columns, int depth, list<string> needs = []> {
  list<Tile> tiles = !foreach(rows, [8, 4, 2, 1], Tile<l, r, o, rows, columns, depth, needs>);
}

class AArch64<string cpu, string line, list<string> has> : Target<cpu> {
  let summary = line;
  let arch = "aarch64";
  let vectorBits = 128;
  let vectorRegisters = 32;
  // What every such CPU in this list has, as the flags name it, and at last what every target
  // keeps free for the platform.
  let features = !listconcat(has, ["reserve-x18"]);
  let tiles = !listconcat(
    RowTiles<"bf16", "bf16", "f32", 8, 4, ["bf16"]>.tiles,
    RowTiles<"f32", "f32", "f32", 8, 1>.tiles,
    RowTiles<"f16", "f16", "f32", 8, 1>.tiles,
    RowTiles<"f16", "f16", "f16", 8, 1>.tiles,
    RowTiles<"bf16", "bf16", "f32", 8, 1>.tiles,
    RowTiles<"i8", "i8", "i32", 8, 8, ["i8mm"]>.tiles,
    RowTiles<"i8", "i8", "i32", 8, 4, ["dotprod"]>.tiles
  );
  let params = [
    TargetParam<"native_vector_size", 16>,
    TargetParam<"max_stack_allocation_size", 32768>
  ];
  let texts = [
    TargetText<"format", "embedded-elf-arm_64">,
    TargetText<"resolver", "cpu_encoding_resolver">,
    TargetText<"target_triple", "aarch64-unknown-unknown-eabi-elf">,
    TargetText<"data_layout", "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32">
  ];
}

def IREECPU_Target_Generic : AArch64<"generic", "Any AArch64 CPU with Advanced SIMD", []>;

def IREECPU_Target_NeoverseN1 : AArch64<"neoverse-n1", "Arm Neoverse N1", [
  "v8.2a", "aes", "crc", "dotprod", "fp-armv8", "fullfp16", "lse", "neon", "perfmon", "ras", "rcpc",
  "rdm", "sha2", "spe", "ssbs"
]>;

def IREECPU_Target_AppleM1 : AArch64<"apple-m1", "Apple M1", [
  "v8.4a", "aes", "altnzcv", "ccdp", "ccpp", "complxnum", "crc", "dotprod", "flagm", "fp-armv8",
  "fp16fml", "fptoint", "fullfp16", "jsconv", "lse", "neon", "pauth", "perfmon", "predres", "ras",
  "rcpc", "rdm", "sb", "sha2", "sha3", "specrestrict", "ssbs"
]>;

def IREECPU_Target_AppleM4 : AArch64<"apple-m4", "Apple M4", [
  "v8.7a", "aes", "bf16", "complxnum", "crc", "dotprod", "fp-armv8", "fp16fml", "fpac", "fullfp16",
  "i8mm", "jsconv", "lse", "neon", "pauth", "perfmon", "ras", "rcpc", "rdm", "sha2", "sha3", "sme",
  "sme-f64f64", "sme-i16i64", "sme2"
]>;

// Not a CPU: the host program runs the code itself, whatever machine it is compiled for.
def IREECPU_Target_VMVXInline : Target<"vmvx-inline"> {
  let summary = "Loops on buffers of the host program";
  let backend = "vmvx-inline";
  let arch = "";
  let tiles = RowTiles<"", "", "", 8, 4>.tiles;
  // Scratch is memory like any other.
  let params = [TargetParam<"max_stack_allocation_size", 9223372036854775807>];
  let texts = [
    TargetText<"format", "vmvx-ir">,
    TargetText<"resolver", "vmvx_encoding_resolver">
  ];
}
