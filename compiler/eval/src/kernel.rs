//! Element-wise kernels: one scalar function applied over lanes.
//!
//! A lane is the bits of a scalar in a `u64`, zeros above its width. The same kernel serves scalars
//! (one lane), vectors and tensors (their elements) and the bodies of structured ops (a batch of
//! iterations), so an op's meaning is written once; constant folding uses it too.

use std::sync::Arc;

use half::{bf16, f16};
use tegula_ir::FloatKind;

use crate::nan::NanFormat;
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
        let (kind, nan) = float_format(ty)?;
        Some(match kind {
            FloatKind::F32 => {
                Kernel::float(1, nan, move |i, ins| f32_bits(single(f32_of(ins[0][i]))))
            }
            FloatKind::F64 => {
                Kernel::float(1, nan, move |i, ins| double(f64::from_bits(ins[0][i])).to_bits())
            }
            FloatKind::F16 => {
                Kernel::float(1, nan, move |i, ins| f16_bits(single(f16_of(ins[0][i]))))
            }
            FloatKind::BF16 => {
                Kernel::float(1, nan, move |i, ins| bf16_bits(single(bf16_of(ins[0][i]))))
            }
            _ => return None,
        })
    }

    /// A function of two floats; see [`Kernel::float1`].
    pub fn float2(
        ty: ScalarType,
        single: impl Fn(f32, f32) -> f32 + Send + Sync + 'static,
        double: impl Fn(f64, f64) -> f64 + Send + Sync + 'static,
    ) -> Option<Kernel> {
        let (kind, nan) = float_format(ty)?;
        Some(match kind {
            FloatKind::F32 => Kernel::float(2, nan, move |i, ins| {
                f32_bits(single(f32_of(ins[0][i]), f32_of(ins[1][i])))
            }),
            FloatKind::F64 => Kernel::float(2, nan, move |i, ins| {
                double(f64::from_bits(ins[0][i]), f64::from_bits(ins[1][i])).to_bits()
            }),
            FloatKind::F16 => Kernel::float(2, nan, move |i, ins| {
                f16_bits(single(f16_of(ins[0][i]), f16_of(ins[1][i])))
            }),
            FloatKind::BF16 => Kernel::float(2, nan, move |i, ins| {
                bf16_bits(single(bf16_of(ins[0][i]), bf16_of(ins[1][i])))
            }),
            _ => return None,
        })
    }

    /// `a * b + c`, rounded once.
    pub fn fma(ty: ScalarType) -> Option<Kernel> {
        let (kind, nan) = float_format(ty)?;
        Some(match kind {
            FloatKind::F32 => Kernel::float(3, nan, |i, ins| {
                f32_bits(f32_of(ins[0][i]).mul_add(f32_of(ins[1][i]), f32_of(ins[2][i])))
            }),
            FloatKind::F64 => Kernel::float(3, nan, |i, ins| {
                let [a, b, c] = [ins[0][i], ins[1][i], ins[2][i]].map(f64::from_bits);
                a.mul_add(b, c).to_bits()
            }),
            _ => return None,
        })
    }

    /// A function of floats, given for one lane. NaNs are made what `nan.rs` says.
    fn float(
        inputs: usize,
        nan: NanFormat,
        f: impl Fn(usize, &[&[u64]]) -> u64 + Send + Sync + 'static,
    ) -> Kernel {
        Kernel::over(inputs, move |out, ins| {
            // Slices of one length, so that the loop has no checks.
            let mut cut: [&[u64]; 3] = [&[]; 3];
            for (slot, lanes) in cut.iter_mut().zip(ins) {
                *slot = &lanes[..out.len()];
            }
            let mut any = false;
            for (i, o) in out.iter_mut().enumerate() {
                *o = f(i, &cut[..inputs]);
                any |= nan.is_nan(*o);
            }
            if any {
                for (i, o) in out.iter_mut().enumerate().filter(|(_, o)| nan.is_nan(**o)) {
                    *o = match *ins {
                        [a, b, c] => nan.propagate_fma(a[i], b[i], c[i]),
                        [a, b] => nan.propagate(&[a[i], b[i]]),
                        _ => nan.propagate(&[ins[0][i]]),
                    };
                }
            }
            Ok(())
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

fn float_format(ty: ScalarType) -> Option<(FloatKind, NanFormat)> {
    let ScalarType::Float(kind) = ty else { return None };
    let nan = match kind {
        FloatKind::F32 => NanFormat::new(32, 23),
        FloatKind::F64 => NanFormat::new(64, 52),
        FloatKind::F16 => NanFormat::new(16, 10),
        FloatKind::BF16 => NanFormat::new(16, 7),
        _ => return None,
    };
    Some((kind, nan))
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
