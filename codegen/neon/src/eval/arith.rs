//! Arithmetic as the hardware does it.

use tegula_eval::{Kernel, ScalarType};
use tegula_ir::FloatKind;

/// The functions that say which NaN an operation gives; everything else is computed directly.
pub(super) struct Floats {
    fma: Option<Kernel>,
    two: [Option<Kernel>; 6],
}

/// An operation on two singles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Float2 {
    Add,
    Sub,
    Mul,
    Div,
    Max,
    Min,
}

impl Float2 {
    #[inline]
    fn plain(self, a: f32, b: f32) -> f32 {
        match self {
            Float2::Add => a + b,
            Float2::Sub => a - b,
            Float2::Mul => a * b,
            Float2::Div => a / b,
            Float2::Max => maximum(a, b),
            Float2::Min => -maximum(-a, -b),
        }
    }
}

/// The larger of two numbers, positive zero larger than negative; NaN when there is one.
fn maximum(a: f32, b: f32) -> f32 {
    if a.is_nan() || b.is_nan() {
        f32::NAN
    } else if a == b {
        // Only zeros are equal and differ: the positive one has the bits of both.
        f32::from_bits(a.to_bits() & b.to_bits())
    } else if a > b {
        a
    } else {
        b
    }
}

impl Floats {
    pub(super) fn new() -> Floats {
        let single = ScalarType::Float(FloatKind::F32);
        let two = [Float2::Add, Float2::Sub, Float2::Mul, Float2::Div, Float2::Max, Float2::Min];
        Floats {
            fma: Kernel::fma(single),
            two: two.map(|op| Kernel::float2(single, move |a, b| op.plain(a, b), |_, _| f64::NAN)),
        }
    }

    /// `a op b` on the bits of singles.
    #[inline]
    pub(super) fn two(&self, op: Float2, a: u32, b: u32) -> u32 {
        let value = op.plain(f32::from_bits(a), f32::from_bits(b));
        if !value.is_nan() {
            return value.to_bits();
        }
        nan(self.two[op as usize].as_ref(), &[a, b])
    }

    /// `acc + a * b`, rounded once, on the bits of singles.
    #[inline]
    pub(super) fn fma(&self, acc: u32, a: u32, b: u32) -> u32 {
        let value = f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(acc));
        if !value.is_nan() {
            return value.to_bits();
        }
        nan(self.fma.as_ref(), &[a, b, acc])
    }
}

#[cold]
fn nan(kernel: Option<&Kernel>, bits: &[u32]) -> u32 {
    let bits: Vec<u64> = bits.iter().map(|&b| b.into()).collect();
    let value = kernel.and_then(|kernel| kernel.scalar(&bits).ok());
    value.map_or(0x7fc0_0000, |bits| bits as u32)
}

/// The condition flags of `a - b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flags(u64);

impl Flags {
    pub(super) fn of_difference(a: u64, b: u64) -> Flags {
        let (difference, borrow) = a.overflowing_sub(b);
        let overflow = (a as i64).overflowing_sub(b as i64).1;
        let bits = u64::from((difference as i64) < 0) << 3
            | u64::from(difference == 0) << 2
            | u64::from(!borrow) << 1
            | u64::from(overflow);
        Flags(bits)
    }

    pub(super) fn from_bits(bits: u64) -> Flags {
        Flags(bits)
    }

    pub(super) fn bits(self) -> u64 {
        self.0
    }

    pub(super) fn holds(self, condition: Condition) -> bool {
        let [n, z, c, v] = [3, 2, 1, 0].map(|bit| self.0 >> bit & 1 == 1);
        match condition {
            Condition::Eq => z,
            Condition::Ne => !z,
            Condition::Lt => n != v,
            Condition::Ge => n == v,
            Condition::Gt => !z && n == v,
            Condition::Le => z || n != v,
            Condition::Lo => !c,
            Condition::Hs => c,
            Condition::Hi => c && !z,
            Condition::Ls => !c || z,
        }
    }
}

/// A condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
    Lo,
    Hs,
    Hi,
    Ls,
}

impl Condition {
    pub(super) fn parse(text: &str) -> Option<Condition> {
        Some(match text {
            "eq" => Condition::Eq,
            "ne" => Condition::Ne,
            "lt" => Condition::Lt,
            "ge" => Condition::Ge,
            "gt" => Condition::Gt,
            "le" => Condition::Le,
            "lo" => Condition::Lo,
            "hs" => Condition::Hs,
            "hi" => Condition::Hi,
            "ls" => Condition::Ls,
            _ => return None,
        })
    }
}
