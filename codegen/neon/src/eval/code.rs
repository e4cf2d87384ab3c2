//! The evaluator's instructions.

use super::arith::{Condition, Float2};

/// What an instruction does. `o` are its results, `i` its operands, `imm` its immediates in the
/// order of the definition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Code {
    /// Loads of bytes at `i0 + imm0`.
    Load(u32),
    /// Loads of bytes at `i0 + (i1 << shift)`.
    LoadIndexed(u32, u32),
    /// Stores of bytes at `i1 + imm0`.
    Store(u32),
    /// Stores of bytes at `i1 + (i2 << shift)`.
    StoreIndexed(u32, u32),
    /// Loads 16 bytes at `i0`; then `o1 = i0 + imm0`.
    LoadPost,
    /// Stores 16 bytes at `i1`; then `o0 = i1 + imm0`.
    StorePost,
    LoadPair,
    StorePair,
    LoadSplat,
    LoadLane,
    StoreLane,

    Float4(Float2),
    FloatS(Float2),
    Neg4,
    NegS,
    /// `i0 + i1 * i2`, subtracted when the flag is set.
    Fused4(bool),
    FusedLane4(bool),
    FusedS4,
    MulLane4,
    MulS4,
    FusedS,

    Zero,
    DupLane4,
    Dup4,
    Lane,
    InsLane,
    InsS,
    Permute4([u8; 4]),
    Ext,
    /// The same bits.
    Copy,

    AddX,
    SubX,
    MulX,
    SDivX,
    UDivX,
    AndX,
    OrrX,
    EorX,
    LslX,
    LsrX,
    AsrX,
    AddImm(u32),
    SubImm(u32),
    LslImm,
    LsrImm,
    AsrImm,
    AddShifted,
    SubShifted,
    MAddX,
    MSubX,
    Movz,
    Movn,
    Movk,
    /// The low 32 bits only.
    MovkW,
    CmpX,
    CmpImm,
    SubsImm,
    Csel(Condition),
    Cset(Condition),
    /// The address of a constant, by number.
    Constant(u32),
    /// The address of memory of the frame, by number.
    Frame(u32),

    // What is not selected yet.
    /// A constant, by number.
    Bits(u32),
    /// `i0 % i1`, signed or not; `i0` when `i1` is zero, as the instructions for it give.
    Remainder(bool),
    /// `i0` when the condition holds of it and `i1`, or `i1`.
    Choose(Condition),
    /// Whether the condition holds of `i0` and `i1`.
    Compare(Condition),
    /// `i1` when `i0` is not zero, or `i2`.
    Select,
    /// `i0 * i1 + i2`
    Fma4,
    /// `i1` with a lane replaced by `i0`.
    InsertS,

    Branch,
    BranchIf(Condition),
    BranchIfZero,
    BranchIfNotZero,
    /// Calls the function or external symbol of that number in the program.
    Call(u32),
    Return,
}

/// The code of an op whose meaning needs nothing but its name.
pub(super) fn plain(name: &str) -> Option<Code> {
    let name = name.strip_prefix("neon.")?;
    Some(match name {
        "ldr_q" | "ldur_q" => Code::Load(16),
        "ldr_x" => Code::Load(8),
        "ldr_s" | "ldur_s" => Code::Load(4),
        "str_q" | "stur_q" => Code::Store(16),
        "str_x" => Code::Store(8),
        "str_s" | "stur_s" => Code::Store(4),
        "ldr_q_x" => Code::LoadIndexed(16, 0),
        "ldr_s_x" => Code::LoadIndexed(4, 0),
        "ldr_s_xl" => Code::LoadIndexed(4, 2),
        "str_q_x" => Code::StoreIndexed(16, 0),
        "str_s_x" => Code::StoreIndexed(4, 0),
        "str_s_xl" => Code::StoreIndexed(4, 2),
        "ldr_q_post" => Code::LoadPost,
        "str_q_post" => Code::StorePost,
        "ldp_q" => Code::LoadPair,
        "stp_q" => Code::StorePair,
        "ld1r_4s" => Code::LoadSplat,
        "ld1_s" => Code::LoadLane,
        "st1_s" => Code::StoreLane,
        "fadd_4s" => Code::Float4(Float2::Add),
        "fsub_4s" => Code::Float4(Float2::Sub),
        "fmul_4s" => Code::Float4(Float2::Mul),
        "fdiv_4s" => Code::Float4(Float2::Div),
        "fmax_4s" => Code::Float4(Float2::Max),
        "fmin_4s" => Code::Float4(Float2::Min),
        "fadd_s" => Code::FloatS(Float2::Add),
        "fsub_s" => Code::FloatS(Float2::Sub),
        "fmul_s" => Code::FloatS(Float2::Mul),
        "fdiv_s" => Code::FloatS(Float2::Div),
        "fmax_s" => Code::FloatS(Float2::Max),
        "fmin_s" => Code::FloatS(Float2::Min),
        "fneg_4s" => Code::Neg4,
        "fneg_s" => Code::NegS,
        "fmla_4s" => Code::Fused4(false),
        "fmls_4s" => Code::Fused4(true),
        "fmla_lane_4s" => Code::FusedLane4(false),
        "fmls_lane_4s" => Code::FusedLane4(true),
        "fmla_s_4s" => Code::FusedS4,
        "fmul_lane_4s" => Code::MulLane4,
        "fmul_s_4s" => Code::MulS4,
        "fmadd_s" => Code::FusedS,
        "movi_0" | "movi_0_s" => Code::Zero,
        "dup_lane_4s" => Code::DupLane4,
        "dup_s_4s" | "dup_w_4s" => Code::Dup4,
        "dup_lane_s" | "umov_w" => Code::Lane,
        "ins_lane" => Code::InsLane,
        "ins_s" => Code::InsS,
        "fmov_s_w" | "fmov_w_s" => Code::Copy,
        "zip1_4s" => Code::Permute4([0, 4, 1, 5]),
        "zip2_4s" => Code::Permute4([2, 6, 3, 7]),
        "uzp1_4s" => Code::Permute4([0, 2, 4, 6]),
        "uzp2_4s" => Code::Permute4([1, 3, 5, 7]),
        "trn1_4s" => Code::Permute4([0, 4, 2, 6]),
        "trn2_4s" => Code::Permute4([1, 5, 3, 7]),
        "trn1_2d" | "zip1_2d" => Code::Permute4([0, 1, 4, 5]),
        "trn2_2d" | "zip2_2d" => Code::Permute4([2, 3, 6, 7]),
        "ext" => Code::Ext,
        "add_x" => Code::AddX,
        "sub_x" => Code::SubX,
        "mul_x" => Code::MulX,
        "sdiv_x" => Code::SDivX,
        "udiv_x" => Code::UDivX,
        "and_x" => Code::AndX,
        "orr_x" => Code::OrrX,
        "eor_x" => Code::EorX,
        "lsl_x" => Code::LslX,
        "lsr_x" => Code::LsrX,
        "asr_x" => Code::AsrX,
        "add_imm" => Code::AddImm(0),
        "add_imm_high" => Code::AddImm(12),
        "sub_imm" => Code::SubImm(0),
        "sub_imm_high" => Code::SubImm(12),
        "lsl_imm" => Code::LslImm,
        "lsr_imm" => Code::LsrImm,
        "asr_imm" => Code::AsrImm,
        "add_lsl" => Code::AddShifted,
        "sub_lsl" => Code::SubShifted,
        "madd_x" => Code::MAddX,
        "msub_x" => Code::MSubX,
        "movz_x" | "movz_w" => Code::Movz,
        "movn_x" => Code::Movn,
        "movk_x" => Code::Movk,
        "movk_w" => Code::MovkW,
        "cmp_x" => Code::CmpX,
        "cmp_imm" => Code::CmpImm,
        "subs_imm" => Code::SubsImm,
        // The page of a constant is all of its address here.
        "add_lo12" => Code::Copy,
        "b" => Code::Branch,
        "cbz" => Code::BranchIfZero,
        "cbnz" => Code::BranchIfNotZero,
        "ret" => Code::Return,
        _ => return None,
    })
}

/// The code of an op that has a condition.
pub(super) fn conditional(name: &str, condition: Condition) -> Option<Code> {
    Some(match name {
        "neon.csel" | "neon.fcsel_s" => Code::Csel(condition),
        "neon.cset" => Code::Cset(condition),
        "neon.b_cond" => Code::BranchIf(condition),
        _ => return None,
    })
}
