//! Element-wise kernels: one scalar function applied over lanes.
//!
//! A lane is the bits of a scalar in a `u64`, zeros above its width. The same kernel serves scalars
//! (one lane), vectors and tensors (their elements) and the bodies of structured ops (a batch of
//! iterations), so an op's meaning is written once; constant folding uses it too.

use std::sync::Arc;

use half::{bf16, f16};
use tegula_ir::FloatKind;

use crate::{EvalError, Scalar, ScalarType};

type Run = dyn Fn(&mut [u64], &[&[u64]]) -> Result<(), String> + Send + Sync;

/// An element-wise function of scalars.
#[derive(Clone)]
pub struct Kernel {
    run: Arc<Run>,
    inputs: usize,
}

impl Kernel {
    /// A function of one scalar.
    pub fn unary(f: impl Fn(u64) -> u64 + Send + Sync + 'static) -> Kernel {
        Kernel::over(1, move |out, ins| {
            for (o, &a) in out.iter_mut().zip(ins[0]) {
                *o = f(a);
            }
            Ok(())
        })
    }

    /// A function of two scalars.
    pub fn binary(f: impl Fn(u64, u64) -> u64 + Send + Sync + 'static) -> Kernel {
        Kernel::over(2, move |out, ins| {
            for ((o, &a), &b) in out.iter_mut().zip(ins[0]).zip(ins[1]) {
                *o = f(a, b);
            }
            Ok(())
        })
    }

    /// A function of three scalars.
    pub fn ternary(f: impl Fn(u64, u64, u64) -> u64 + Send + Sync + 'static) -> Kernel {
        Kernel::over(3, move |out, ins| {
            for (((o, &a), &b), &c) in out.iter_mut().zip(ins[0]).zip(ins[1]).zip(ins[2]) {
                *o = f(a, b, c);
            }
            Ok(())
        })
    }

    /// A function of two scalars that is undefined for some; the message says why.
    pub fn fallible(
        f: impl Fn(u64, u64) -> Result<u64, &'static str> + Send + Sync + 'static,
    ) -> Kernel {
        Kernel::over(2, move |out, ins| {
            for ((o, &a), &b) in out.iter_mut().zip(ins[0]).zip(ins[1]) {
                *o = f(a, b)?;
            }
            Ok(())
        })
    }

    /// A function of any number of scalars, given over whole lanes.
    pub fn over(
        inputs: usize,
        run: impl Fn(&mut [u64], &[&[u64]]) -> Result<(), String> + Send + Sync + 'static,
    ) -> Kernel {
        Kernel { run: Arc::new(run), inputs }
    }

    /// A function of one float. Formats narrower than `f32` compute in `f32` and round once more,
    /// which is exact for the basic operations. None for formats without arithmetic here.
    pub fn float1(
        ty: ScalarType,
        single: impl Fn(f32) -> f32 + Send + Sync + 'static,
        double: impl Fn(f64) -> f64 + Send + Sync + 'static,
    ) -> Option<Kernel> {
        Some(match float_kind(ty)? {
            FloatKind::F32 => Kernel::unary(move |a| f32_bits(single(f32_of(a)))),
            FloatKind::F64 => Kernel::unary(move |a| double(f64::from_bits(a)).to_bits()),
            FloatKind::F16 => Kernel::unary(move |a| f16_bits(single(f16_of(a)))),
            FloatKind::BF16 => Kernel::unary(move |a| bf16_bits(single(bf16_of(a)))),
            _ => return None,
        })
    }

    /// A function of two floats; see [`Kernel::float1`].
    pub fn float2(
        ty: ScalarType,
        single: impl Fn(f32, f32) -> f32 + Send + Sync + 'static,
        double: impl Fn(f64, f64) -> f64 + Send + Sync + 'static,
    ) -> Option<Kernel> {
        Some(match float_kind(ty)? {
            FloatKind::F32 => Kernel::binary(move |a, b| f32_bits(single(f32_of(a), f32_of(b)))),
            FloatKind::F64 => Kernel::binary(move |a, b| {
                double(f64::from_bits(a), f64::from_bits(b)).to_bits()
            }),
            FloatKind::F16 => Kernel::binary(move |a, b| f16_bits(single(f16_of(a), f16_of(b)))),
            FloatKind::BF16 => {
                Kernel::binary(move |a, b| bf16_bits(single(bf16_of(a), bf16_of(b))))
            }
            _ => return None,
        })
    }

    /// `a * b + c`, rounded once.
    pub fn fma(ty: ScalarType) -> Option<Kernel> {
        Some(match float_kind(ty)? {
            FloatKind::F32 => Kernel::ternary(|a, b, c| {
                f32_bits(f32_of(a).mul_add(f32_of(b), f32_of(c)))
            }),
            FloatKind::F64 => Kernel::ternary(|a, b, c| {
                f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)).to_bits()
            }),
            // The product of two 11-bit significands is exact in f64, and so is what rounding the
            // sum to f64 before f16 could lose: only a tie at f64 precision, below 2^-53.
            FloatKind::F16 => Kernel::ternary(|a, b, c| {
                let sum = f64::from(f16_of(a)).mul_add(f16_of(b).into(), f16_of(c).into());
                f16::from_f64(sum).to_bits().into()
            }),
            FloatKind::BF16 => Kernel::ternary(|a, b, c| {
                let sum = f64::from(bf16_of(a)).mul_add(bf16_of(b).into(), bf16_of(c).into());
                bf16::from_f64(sum).to_bits().into()
            }),
            _ => return None,
        })
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Applies the kernel to lanes; all slices have the length of `out`.
    pub fn lanes(&self, out: &mut [u64], ins: &[&[u64]]) -> Result<(), EvalError> {
        if ins.len() != self.inputs || ins.iter().any(|lanes| lanes.len() != out.len()) {
            return Err(EvalError::new("kernel is applied to the wrong number of operands"));
        }
        (self.run)(out, ins).map_err(EvalError::new)
    }

    /// Applies the kernel to scalars given by their bits.
    pub fn scalar(&self, ins: &[u64]) -> Result<u64, EvalError> {
        let mut out = [0];
        match ins {
            [a] => self.lanes(&mut out, &[&[*a]])?,
            [a, b] => self.lanes(&mut out, &[&[*a], &[*b]])?,
            [a, b, c] => self.lanes(&mut out, &[&[*a], &[*b], &[*c]])?,
            _ => {
                let lanes: Vec<&[u64]> = ins.chunks_exact(1).collect();
                self.lanes(&mut out, &lanes)?;
            }
        }
        Ok(out[0])
    }

    /// Applies the kernel to scalars; the result has the given format.
    pub fn apply(&self, ins: &[Scalar], result: ScalarType) -> Result<Scalar, EvalError> {
        let bits: Vec<u64> = ins.iter().map(|s| s.bits).collect();
        Ok(Scalar::new(result, self.scalar(&bits)?))
    }
}

fn float_kind(ty: ScalarType) -> Option<FloatKind> {
    match ty {
        ScalarType::Float(kind) => Some(kind),
        _ => None,
    }
}

#[inline]
fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

#[inline]
fn f32_bits(value: f32) -> u64 {
    value.to_bits().into()
}

#[inline]
fn f16_of(bits: u64) -> f32 {
    f16::from_bits(bits as u16).to_f32()
}

#[inline]
fn f16_bits(value: f32) -> u64 {
    f16::from_f32(value).to_bits().into()
}

#[inline]
fn bf16_of(bits: u64) -> f32 {
    bf16::from_bits(bits as u16).to_f32()
}

#[inline]
fn bf16_bits(value: f32) -> u64 {
    bf16::from_f32(value).to_bits().into()
}
