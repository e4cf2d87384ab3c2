//! The meaning of the ops whose results do not depend on who computes them.

use tegula_eval::{Kernel, KernelCx, LaneOp, ScalarType, Semantics};

/// The meaning of the dialect's ops.
pub fn semantics() -> Semantics {
    let table = Semantics::new()
        .kernel("math.absi", |cx| {
            integer(cx, |ty, bits| ty.signed(bits).wrapping_abs().cast_unsigned())
        })
        .kernel("math.ctlz", |cx| {
            integer(cx, |ty, bits| {
                let above = u64::BITS - ty.width();
                ((bits & ty.mask()).leading_zeros() - above).into()
            })
        })
        .kernel("math.cttz", |cx| {
            integer(cx, |ty, bits| (bits & ty.mask()).trailing_zeros().min(ty.width()).into())
        })
        .kernel("math.ctpop", |cx| integer(cx, |ty, bits| (bits & ty.mask()).count_ones().into()))
        .kernel("math.absf", |cx| {
            let sign = sign_bit(cx)?;
            Some(Kernel::unary(move |a| a & !sign).into())
        })
        .kernel("math.copysign", |cx| {
            let sign = sign_bit(cx)?;
            Some(Kernel::binary(move |a, b| (a & !sign) | (b & sign)).into())
        })
        .kernel("math.fma", |cx| Some(Kernel::fma(cx.operand(0)?)?.into()));
    rounding(table)
}

fn integer(
    cx: &KernelCx<'_>,
    f: impl Fn(ScalarType, u64) -> u64 + Send + Sync + 'static,
) -> Option<LaneOp> {
    let ty = cx.operand(0)?;
    Some(Kernel::unary(move |bits| f(ty, bits)).into())
}

fn sign_bit(cx: &KernelCx<'_>) -> Option<u64> {
    let ScalarType::Float(kind) = cx.operand(0)? else { return None };
    Some(1 << (kind.width() - 1))
}

fn float(cx: &KernelCx<'_>, single: fn(f32) -> f32, double: fn(f64) -> f64) -> Option<LaneOp> {
    Some(Kernel::float1(cx.operand(0)?, single, double)?.into())
}

fn rounding(table: Semantics) -> Semantics {
    table
        .kernel("math.ceil", |cx| float(cx, f32::ceil, f64::ceil))
        .kernel("math.floor", |cx| float(cx, f32::floor, f64::floor))
        .kernel("math.round", |cx| float(cx, f32::round, f64::round))
        .kernel("math.roundeven", |cx| float(cx, f32::round_ties_even, f64::round_ties_even))
        .kernel("math.sqrt", |cx| float(cx, f32::sqrt, f64::sqrt))
        .kernel("math.trunc", |cx| float(cx, f32::trunc, f64::trunc))
}
