//! Constant folding of numbers, after the words of an op's name: `add.i32`, `cmp.lt.f32.o`.
//!
//! What traps or is undefined on the machine (division by zero, shifts by the width or more, floats
//! out of an integer's range) is not folded, and neither are functions whose result depends on the
//! library that computes them.

use tegula_eval::{Scalar, ScalarType};
use tegula_ir::{FoldContext, FoldResult};

/// Folds an op all of whose operands are constants.
pub(crate) fn evaluate(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
    let operands: Vec<Scalar> =
        (0..cx.constants.len()).map(|index| operand(cx, index)).collect::<Option<_>>()?;
    let ty = cx.body.ty(cx.body.result(cx.op, 0));
    let words: Vec<&str> = cx.body.name(cx.op).as_str().split('.').skip(1).collect();
    let to = ScalarType::of(ty)?;
    let bits = match words.as_slice() {
        ["cmp", relation, _, sort @ ..] => u64::from(compare(relation, sort.first(), &operands)?),
        ["trunc" | "ext" | "cast" | "bitcast", rest @ ..] => {
            cast(words.first()?, rest, *operands.first()?, to)?
        }
        [what, _, sort @ ..] if is_float(to) => float(what, sort, &operands, to)?,
        [what, _, sort @ ..] => integer(what, sort.first() == Some(&"s"), &operands, to)?,
        _ => return None,
    };
    Some(vec![FoldResult::Attr(Scalar::new(to, bits & to.mask()).to_attr(ty))])
}

/// A constant operand; constants of zero have no value of their own.
fn operand(cx: &FoldContext<'_>, index: usize) -> Option<Scalar> {
    if let Some(attr) = cx.constants.get(index).copied().flatten() {
        return Scalar::from_attr(attr);
    }
    let value = cx.body.operands(cx.op).nth(index)?;
    let made_by = cx.body.defining_op(value)?;
    let name = cx.body.name(made_by).as_str();
    let zero = name.starts_with("vm.const.") && name.ends_with(".zero");
    zero.then(|| ScalarType::of(cx.body.ty(value)).map(|ty| Scalar::new(ty, 0))).flatten()
}

fn is_float(ty: ScalarType) -> bool {
    ty.to_f64(0).is_some()
}

fn integer(what: &str, signed: bool, operands: &[Scalar], to: ScalarType) -> Option<u64> {
    let s = |index: usize| operands.get(index).map(|o| o.signed());
    let u = |index: usize| operands.get(index).map(|o| o.bits & o.ty.mask());
    let shift = || u(1).filter(|&by| by < u64::from(to.width()));
    Some(match what {
        "add" => u(0)?.wrapping_add(u(1)?),
        "sub" => u(0)?.wrapping_sub(u(1)?),
        "mul" => u(0)?.wrapping_mul(u(1)?),
        "fma" => u(0)?.wrapping_mul(u(1)?).wrapping_add(u(2)?),
        "div" if signed => divided(s(0)?, s(1)?, to, i64::checked_div)?,
        "div" => u(0)?.checked_div(u(1)?)?,
        "rem" if signed => divided(s(0)?, s(1)?, to, i64::checked_rem)?,
        "rem" => u(0)?.checked_rem(u(1)?)?,
        "min" if signed => s(0)?.min(s(1)?) as u64,
        "min" => u(0)?.min(u(1)?),
        "max" if signed => s(0)?.max(s(1)?) as u64,
        "max" => u(0)?.max(u(1)?),
        "abs" => s(0)?.wrapping_abs() as u64,
        "not" => !u(0)?,
        "and" => u(0)? & u(1)?,
        "or" => u(0)? | u(1)?,
        "xor" => u(0)? ^ u(1)?,
        "ctlz" => u64::from(u(0)?.leading_zeros() + to.width() - 64),
        "shl" => u(0)? << shift()?,
        "shr" if signed => (s(0)? >> shift()?) as u64,
        "shr" => u(0)? >> shift()?,
        _ => return None,
    })
}

/// A signed division, but not of the least number by -1.
fn divided(a: i64, b: i64, ty: ScalarType, by: fn(i64, i64) -> Option<i64>) -> Option<u64> {
    let overflows = b == -1 && a == i64::MIN >> (64 - ty.width());
    by(a, b).filter(|_| !overflows).map(|result| result as u64)
}

fn float(what: &str, sort: &[&str], operands: &[Scalar], to: ScalarType) -> Option<u64> {
    let f = |index: usize| operands.get(index).and_then(|o| o.ty.to_f64(o.bits));
    // Results of f32 are rounded twice, which for these makes no difference.
    to.from_f64(match (what, sort) {
        ("add", _) => f(0)? + f(1)?,
        ("sub", _) => f(0)? - f(1)?,
        ("mul", _) => f(0)? * f(1)?,
        ("div", _) => f(0)? / f(1)?,
        ("rem", _) => f(0)? % f(1)?,
        ("abs", _) => f(0)?.abs(),
        ("neg", _) => -f(0)?,
        ("ceil", _) => f(0)?.ceil(),
        ("floor", _) => f(0)?.floor(),
        ("round", ["even"]) => f(0)?.round_ties_even(),
        ("round", _) => f(0)?.round(),
        ("sqrt", _) => f(0)?.sqrt(),
        ("min" | "max", _) if f(0)?.is_nan() || f(1)?.is_nan() || f(0)? == f(1)? => return None,
        ("min", _) => f(0)?.min(f(1)?),
        ("max", _) => f(0)?.max(f(1)?),
        _ => return None,
    })
}

fn compare(relation: &str, sort: Option<&&str>, operands: &[Scalar]) -> Option<bool> {
    let first = *operands.first()?;
    if let Some(a) = first.ty.to_f64(first.bits) {
        let b = operands.get(1).map_or(Some(0.0), |b| b.ty.to_f64(b.bits))?;
        if relation == "nan" {
            return Some(a.is_nan());
        }
        if a.is_nan() || b.is_nan() {
            return Some(sort == Some(&"u"));
        }
        return ordered(relation, a.partial_cmp(&b)?);
    }
    let b = operands.get(1).copied().unwrap_or(Scalar::new(first.ty, 0));
    let mask = first.ty.mask();
    ordered(
        relation,
        match sort {
            Some(&"s") => first.signed().cmp(&b.signed()),
            _ => (first.bits & mask).cmp(&(b.bits & mask)),
        },
    )
}

fn ordered(relation: &str, order: std::cmp::Ordering) -> Option<bool> {
    Some(match relation {
        "eq" => order.is_eq(),
        "ne" | "nz" => order.is_ne(),
        "lt" => order.is_lt(),
        "lte" => order.is_le(),
        "gt" => order.is_gt(),
        "gte" => order.is_ge(),
        _ => return None,
    })
}

/// A number as one of another kind, after the kinds in the op's name.
fn cast(how: &str, kinds: &[&str], from: Scalar, to: ScalarType) -> Option<u64> {
    let width = |kind: &str| kind.trim_start_matches(char::is_alphabetic).parse::<u32>().ok();
    let low = |bits: u64, width: u32| bits & (u64::MAX >> (64 - width.clamp(1, 64)));
    let float = from.ty.to_f64(from.bits);
    match (how, kinds) {
        ("bitcast", _) => Some(from.bits),
        ("trunc" | "ext", _) if is_float(to) => to.from_f64(float?),
        ("trunc", [_, kind]) => Some(low(from.bits, width(kind)?)),
        ("ext", [kind, _, "s"]) => {
            let unused = 64 - width(kind)?.clamp(1, 64);
            Some((((from.bits << unused) as i64) >> unused) as u64)
        }
        ("ext", [kind, ..]) => Some(low(from.bits, width(kind)?)),
        ("cast", [kind, _]) if is_float(to) => {
            let value = match kind.starts_with('s') {
                true => i128::from(from.signed()),
                false => i128::from(from.bits & from.ty.mask()),
            };
            // A number that a double does not hold would be rounded twice.
            let rounded = value as f64;
            if rounded as i128 == value { to.from_f64(rounded) } else { None }
        }
        ("cast", [_, kind]) => {
            let value = float.filter(|f| f.is_finite())?.round() as i128;
            let fits = match kind.starts_with('s') {
                true => value == value << (128 - to.width()) >> (128 - to.width()),
                false => (0..1i128 << to.width()).contains(&value),
            };
            fits.then_some(value as u64)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tegula_ir::Type;

    use super::*;

    fn int(value: i64, width: u32) -> Scalar {
        Scalar::int(value, width)
    }

    #[test]
    fn traps_stay() {
        let i32 = ScalarType::of(Type::int(32)).unwrap();
        let both = |a, b| [int(a, 32), int(b, 32)];
        assert_eq!(integer("div", true, &both(7, -2), i32).map(|b| b as i32), Some(-3));
        assert_eq!(integer("div", true, &both(7, 0), i32), None);
        assert_eq!(integer("div", true, &both(i64::from(i32::MIN), -1), i32), None);
        assert_eq!(integer("rem", false, &both(7, 0), i32), None);
        assert_eq!(integer("shl", false, &both(1, 32), i32), None);
        assert_eq!(integer("shr", true, &both(-8, 1), i32).map(|b| b as i32), Some(-4));
        assert_eq!(integer("ctlz", false, &[int(1, 32)], i32), Some(31));
    }

    #[test]
    fn casts_keep_their_bits() {
        let i64 = ScalarType::of(Type::int(64)).unwrap();
        let i32 = ScalarType::of(Type::int(32)).unwrap();
        assert_eq!(cast("ext", &["i8", "i64", "s"], int(0x80, 32), i64), Some(-128i64 as u64));
        assert_eq!(cast("ext", &["i8", "i64", "u"], int(0x180, 32), i64), Some(0x80));
        assert_eq!(cast("trunc", &["i64", "i16"], int(-1, 64), i32), Some(0xffff));
        assert_eq!(cast("cast", &["f32", "si32"], Scalar::f32(3e9), i32), None);
        assert_eq!(cast("cast", &["f32", "ui32"], Scalar::f32(3e9), i32), Some(3_000_000_000));
        assert_eq!(cast("cast", &["f32", "si32"], Scalar::f32(-2.5), i32), Some(-3i64 as u64));
    }

    #[test]
    fn nan_decides_by_kind() {
        let pair = [Scalar::f32(f32::NAN), Scalar::f32(1.0)];
        assert_eq!(compare("lt", Some(&"o"), &pair), Some(false));
        assert_eq!(compare("lt", Some(&"u"), &pair), Some(true));
        assert_eq!(compare("nz", Some(&"o"), &pair[1..]), Some(true));
        assert_eq!(compare("lt", Some(&"s"), &[int(-1, 32), int(0, 32)]), Some(true));
        assert_eq!(compare("lt", Some(&"u"), &[int(-1, 32), int(0, 32)]), Some(false));
    }
}
