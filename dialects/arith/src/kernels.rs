//! The meaning of every `arith` op, as element-wise kernels. Constant folding uses the same ones.
//!
//! What an op leaves undefined is an error of its kernel, so that it is neither folded nor computed.
//! Poison (a shift by the width or more) is zero.

use tegula_eval::{EvalError, Flow, Frame, Interp, Kernel, KernelCx, LaneOp, Scalar, ScalarType};
use tegula_eval::{Semantics, Value, run_elementwise};
use tegula_ir::OpId;

/// The meaning of the dialect's ops.
pub fn semantics() -> Semantics {
    let mut table = Semantics::new()
        .op("arith.constant", constant)
        .kernel("arith.constant", |cx| {
            Some(LaneOp::Constant(Scalar::from_attr(cx.attr("value")?)?.bits))
        })
        .op("arith.select", select)
        .kernel("arith.select", |_| Some(select_kernel().into()))
        .kernel("arith.addi", |_| Some(Kernel::binary(u64::wrapping_add).into()))
        .kernel("arith.subi", |_| Some(Kernel::binary(u64::wrapping_sub).into()))
        .kernel("arith.muli", |_| Some(Kernel::binary(u64::wrapping_mul).into()))
        .kernel("arith.andi", |_| Some(Kernel::binary(|a, b| a & b).into()))
        .kernel("arith.ori", |_| Some(Kernel::binary(|a, b| a | b).into()))
        .kernel("arith.xori", |_| Some(Kernel::binary(|a, b| a ^ b).into()))
        .kernel("arith.maxui", |_| Some(Kernel::binary(u64::max).into()))
        .kernel("arith.minui", |_| Some(Kernel::binary(u64::min).into()))
        .kernel("arith.maxsi", |cx| signed(cx, |a, b| a.max(b)))
        .kernel("arith.minsi", |cx| signed(cx, |a, b| a.min(b)))
        .kernel("arith.addui_extended", add_extended)
        .kernel("arith.mulsi_extended", |cx| {
            let ty = cx.operand(0)?;
            Some(multiply_extended(ty, move |bits| ty.signed(bits).into()))
        })
        .kernel("arith.mului_extended", |cx| Some(multiply_extended(cx.operand(0)?, i128::from)))
        .kernel("arith.cmpi", compare_integers)
        .kernel("arith.cmpf", compare_floats);
    table.extend(divisions());
    table.extend(shifts());
    table.extend(floats());
    table.extend(casts());
    table
}

fn signed(
    cx: &KernelCx<'_>,
    f: impl Fn(i64, i64) -> i64 + Send + Sync + 'static,
) -> Option<LaneOp> {
    let ty = cx.operand(0)?;
    Some(Kernel::binary(move |a, b| f(ty.signed(a), ty.signed(b)) as u64).into())
}

fn add_extended(cx: &KernelCx<'_>) -> Option<LaneOp> {
    let mask = cx.operand(0)?.mask();
    let overflow =
        move |a: u64, b: u64| u64::from(u128::from(a) + u128::from(b) > u128::from(mask));
    Some(LaneOp::Kernels(vec![Kernel::binary(u64::wrapping_add), Kernel::binary(overflow)]))
}

fn multiply_extended(
    ty: ScalarType,
    widen: impl Fn(u64) -> i128 + Copy + Send + Sync + 'static,
) -> LaneOp {
    let width = ty.width();
    // The product of two 64-bit unsigned numbers does not fit i128, but its bits do not change.
    let product = move |a, b| widen(a).wrapping_mul(widen(b)) as u128;
    LaneOp::Kernels(vec![
        Kernel::binary(move |a, b| product(a, b) as u64),
        Kernel::binary(move |a, b| (product(a, b) >> width) as u64),
    ])
}

const BY_ZERO: &str = "divides by zero";
const OVERFLOW: &str = "overflows: the least number divided by -1";

fn unsigned_division(f: fn(u64, u64) -> u64) -> LaneOp {
    Kernel::fallible(move |a, b| if b == 0 { Err(BY_ZERO) } else { Ok(f(a, b)) }).into()
}

fn signed_division(
    cx: &KernelCx<'_>,
    f: impl Fn(i128, i128) -> i128 + Send + Sync + 'static,
) -> Option<LaneOp> {
    let ty = cx.operand(0)?;
    let kernel = Kernel::fallible(move |a, b| {
        let (a, b) = (i128::from(ty.signed(a)), i128::from(ty.signed(b)));
        if b == 0 {
            return Err(BY_ZERO);
        }
        let quotient = f(a, b);
        if quotient == 1i128 << (ty.width() - 1) {
            return Err(OVERFLOW);
        }
        Ok(quotient as u64)
    });
    Some(kernel.into())
}

fn divisions() -> Semantics {
    Semantics::new()
        .kernel("arith.divui", |_| Some(unsigned_division(|a, b| a / b)))
        .kernel("arith.remui", |_| Some(unsigned_division(|a, b| a % b)))
        .kernel("arith.ceildivui", |_| Some(unsigned_division(u64::div_ceil)))
        .kernel("arith.divsi", |cx| signed_division(cx, |a, b| a / b))
        .kernel("arith.remsi", |cx| signed_division(cx, |a, b| a % b))
        .kernel("arith.ceildivsi", |cx| {
            signed_division(cx, |a, b| a / b + i128::from(a % b != 0 && (a < 0) == (b < 0)))
        })
        .kernel("arith.floordivsi", |cx| {
            signed_division(cx, |a, b| a / b - i128::from(a % b != 0 && (a < 0) != (b < 0)))
        })
}

fn shift(
    cx: &KernelCx<'_>,
    f: impl Fn(ScalarType, u64, u64) -> u64 + Send + Sync + 'static,
) -> Option<LaneOp> {
    let ty = cx.operand(0)?;
    let width = u64::from(ty.width());
    Some(Kernel::binary(move |a, b| if b < width { f(ty, a, b) } else { 0 }).into())
}

fn shifts() -> Semantics {
    Semantics::new()
        .kernel("arith.shli", |cx| shift(cx, |_, a, b| a << b))
        .kernel("arith.shrui", |cx| shift(cx, |_, a, b| a >> b))
        .kernel("arith.shrsi", |cx| shift(cx, |ty, a, b| (ty.signed(a) >> b) as u64))
}

/// Defines a function of two floats of one width and of the other.
macro_rules! both_widths {
    ($table:expr, $name:literal, $single:expr, $double:expr) => {
        $table.kernel($name, |cx| Some(Kernel::float2(cx.operand(0)?, $single, $double)?.into()))
    };
}

/// Functions of IEEE 754 that Rust's own do not give to the letter.
macro_rules! extrema {
    ($module:ident, $float:ty) => {
        mod $module {
            pub(super) fn maximum(a: $float, b: $float) -> $float {
                if a.is_nan() || b.is_nan() { a + b } else { greater(a, b) }
            }
            pub(super) fn minimum(a: $float, b: $float) -> $float {
                if a.is_nan() || b.is_nan() { a + b } else { -greater(-a, -b) }
            }
            pub(super) fn max_num(a: $float, b: $float) -> $float {
                if a.is_nan() {
                    b
                } else if b.is_nan() {
                    a
                } else {
                    greater(a, b)
                }
            }
            pub(super) fn min_num(a: $float, b: $float) -> $float {
                if a.is_nan() {
                    b
                } else if b.is_nan() {
                    a
                } else {
                    -greater(-a, -b)
                }
            }
            /// The greater of two numbers, +0 being greater than -0.
            fn greater(a: $float, b: $float) -> $float {
                if a > b || (a == b && b.is_sign_negative()) { a } else { b }
            }
        }
    };
}
extrema!(single, f32);
extrema!(double, f64);

fn floats() -> Semantics {
    let mut table = Semantics::new().kernel("arith.negf", |cx| {
        let ScalarType::Float(kind) = cx.operand(0)? else { return None };
        let sign = 1 << (kind.width() - 1);
        Some(Kernel::unary(move |a| a ^ sign).into())
    });
    table = both_widths!(table, "arith.addf", |a, b| a + b, |a, b| a + b);
    table = both_widths!(table, "arith.subf", |a, b| a - b, |a, b| a - b);
    table = both_widths!(table, "arith.mulf", |a, b| a * b, |a, b| a * b);
    table = both_widths!(table, "arith.divf", |a, b| a / b, |a, b| a / b);
    table = both_widths!(table, "arith.remf", |a, b| a % b, |a, b| a % b);
    table = both_widths!(table, "arith.maximumf", single::maximum, double::maximum);
    table = both_widths!(table, "arith.minimumf", single::minimum, double::minimum);
    table = both_widths!(table, "arith.maxnumf", single::max_num, double::max_num);
    both_widths!(table, "arith.minnumf", single::min_num, double::min_num)
}

fn casts() -> Semantics {
    Semantics::new()
        .kernel("arith.extui", |_| Some(Kernel::unary(|a| a).into()))
        .kernel("arith.trunci", |_| Some(Kernel::unary(|a| a).into()))
        .kernel("arith.bitcast", |_| Some(Kernel::unary(|a| a).into()))
        .kernel("arith.index_castui", |_| Some(Kernel::unary(|a| a).into()))
        .kernel("arith.extsi", sign_extending)
        .kernel("arith.index_cast", sign_extending)
        .kernel("arith.extf", float_to_float)
        .kernel("arith.truncf", float_to_float)
        .kernel("arith.sitofp", |cx| {
            let from = cx.operand(0)?;
            integer_to_float(cx, move |bits| from.signed(bits).into())
        })
        .kernel("arith.uitofp", |cx| integer_to_float(cx, i128::from))
        .kernel("arith.fptosi", |cx| float_to_integer(cx, true))
        .kernel("arith.fptoui", |cx| float_to_integer(cx, false))
}

fn sign_extending(cx: &KernelCx<'_>) -> Option<LaneOp> {
    let from = cx.operand(0)?;
    Some(Kernel::unary(move |a| from.signed(a) as u64).into())
}

fn float_to_float(cx: &KernelCx<'_>) -> Option<LaneOp> {
    // Directed rounding has no kernel.
    if cx.attr("roundingmode").is_some_and(|mode| mode.as_int() != Some(0)) {
        return None;
    }
    let (from, to) = (cx.operand(0)?, cx.result(0)?);
    from.to_f64(0)?;
    to.from_f64(0.0)?;
    Some(Kernel::unary(move |a| from.to_f64(a).and_then(|v| to.from_f64(v)).unwrap_or(0)).into())
}

fn integer_to_float(
    cx: &KernelCx<'_>,
    value: impl Fn(u64) -> i128 + Send + Sync + 'static,
) -> Option<LaneOp> {
    let to = cx.result(0)?;
    to.from_f64(0.0)?;
    let double = to.width() == 64;
    let convert = move |bits| {
        let value = value(bits);
        let wide = if double { value as f64 } else { round_to_odd(value) };
        to.from_f64(wide).unwrap_or(0)
    };
    Some(Kernel::unary(convert).into())
}

/// An integer as `f64`, rounded to odd: a second rounding to a much narrower format then gives what
/// one rounding would.
fn round_to_odd(value: i128) -> f64 {
    let magnitude = value.unsigned_abs();
    let dropped = (128 - magnitude.leading_zeros()).saturating_sub(f64::MANTISSA_DIGITS);
    let mut kept = magnitude >> dropped;
    if kept << dropped != magnitude {
        kept |= 1;
    }
    let rounded = kept as f64 * 2f64.powi(dropped as i32);
    if value < 0 { -rounded } else { rounded }
}

fn float_to_integer(cx: &KernelCx<'_>, signed: bool) -> Option<LaneOp> {
    let (from, to) = (cx.operand(0)?, cx.result(0)?);
    from.to_f64(0)?;
    let width = to.width() as i32;
    let (least, limit) = if signed {
        (-2f64.powi(width - 1), 2f64.powi(width - 1))
    } else {
        (0.0, 2f64.powi(width))
    };
    let kernel = Kernel::over(1, move |out, ins| {
        for (o, &a) in out.iter_mut().zip(ins[0]) {
            let value = from.to_f64(a).unwrap_or(f64::NAN).trunc();
            if !(value >= least && value < limit) {
                return Err("converts a float that does not fit the integer".to_owned());
            }
            *o = value as i128 as u64;
        }
        Ok(())
    });
    Some(kernel.into())
}

fn compare_integers(cx: &KernelCx<'_>) -> Option<LaneOp> {
    let ty = cx.operand(0)?;
    let holds: fn(ScalarType, u64, u64) -> bool = match cx.attr("predicate")?.as_int()? {
        0 => |_, a, b| a == b,
        1 => |_, a, b| a != b,
        2 => |ty, a, b| ty.signed(a) < ty.signed(b),
        3 => |ty, a, b| ty.signed(a) <= ty.signed(b),
        4 => |ty, a, b| ty.signed(a) > ty.signed(b),
        5 => |ty, a, b| ty.signed(a) >= ty.signed(b),
        6 => |_, a, b| a < b,
        7 => |_, a, b| a <= b,
        8 => |_, a, b| a > b,
        9 => |_, a, b| a >= b,
        _ => return None,
    };
    Some(Kernel::binary(move |a, b| holds(ty, a, b).into()).into())
}

fn compare_floats(cx: &KernelCx<'_>) -> Option<LaneOp> {
    let ty = cx.operand(0)?;
    ty.to_f64(0)?;
    let predicate = cx.attr("predicate")?.as_int()?;
    // Predicates 1 to 6 are ordered, 8 to 13 the same comparisons or unordered.
    let holds: fn(f64, f64) -> bool = match predicate {
        1 | 8 => |a, b| a == b,
        2 | 9 => |a, b| a > b,
        3 | 10 => |a, b| a >= b,
        4 | 11 => |a, b| a < b,
        5 | 12 => |a, b| a <= b,
        6 | 13 => |a, b| a != b,
        7 | 15 => |_, _| true,
        0 | 14 => |_, _| false,
        _ => return None,
    };
    let unordered = matches!(predicate, 8..=15);
    let compare = move |a, b| {
        let (a, b) = (ty.to_f64(a).unwrap_or(f64::NAN), ty.to_f64(b).unwrap_or(f64::NAN));
        u64::from(if a.is_nan() || b.is_nan() { unordered } else { holds(a, b) })
    };
    Some(Kernel::binary(compare).into())
}

fn select_kernel() -> Kernel {
    Kernel::ternary(|condition, a, b| if condition & 1 != 0 { a } else { b })
}

fn constant<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let value = frame.body.attr(op, "value").ok_or("has no value")?;
    frame.set_result(op, 0, Value::from_attr(value)?)?;
    Ok(Flow::Next)
}

fn select<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    match frame.operand(op, 0)? {
        Value::Scalar(condition) => {
            let chosen = if condition.bits & 1 != 0 { 1 } else { 2 };
            let value = frame.operand(op, chosen)?.clone();
            frame.set_result(op, 0, value)?;
        }
        _ => run_elementwise(frame, op, &[select_kernel()])?,
    }
    Ok(Flow::Next)
}
