//! Predicates on constants: each holds when it holds for every element.

use tegula_eval::{Scalar, ScalarType};
use tegula_ir::{Attr, AttrData, DenseData};
use tegula_rewrite::{Bound, RewriteHooks};

/// The hooks that the dialect's patterns name.
pub fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .predicate("arith_is_zero", |_, _, bound| every(bound, |s| is_integer(s) && s.bits == 0))
        // In one bit, 1 is -1 as well; multiplication does not mind.
        .predicate("arith_is_one", |_, _, bound| every(bound, |s| is_integer(s) && s.bits == 1))
        .predicate("arith_is_all_ones", |_, _, bound| {
            every(bound, |s| is_integer(s) && s.bits == s.ty.mask())
        })
        .predicate("arith_is_positive_zero", |_, _, bound| every(bound, |s| is_float(s, 0.0)))
        .predicate("arith_is_negative_zero", |_, _, bound| every(bound, |s| is_float(s, -0.0)))
        .predicate("arith_is_float_one", |_, _, bound| every(bound, |s| is_float(s, 1.0)))
        .predicate("arith_is_nan", |_, _, bound| {
            every(bound, |s| s.ty.to_f64(s.bits).is_some_and(f64::is_nan))
        })
}

/// Whether a predicate holds for a scalar constant, or for all elements of a dense one.
fn every(bound: &[Bound], holds: impl Fn(Scalar) -> bool) -> bool {
    let attr = bound.first().and_then(Bound::attr);
    attr.and_then(|attr| every_element(attr, holds)).unwrap_or(false)
}

fn every_element(attr: Attr, holds: impl Fn(Scalar) -> bool) -> Option<bool> {
    if let Some(scalar) = Scalar::from_attr(attr) {
        return Some(holds(scalar));
    }
    let AttrData::Dense { ty, data } = attr.data() else { return None };
    let elem = ScalarType::of(ty.element()?)?;
    let bytes: &[u8] = match data {
        DenseData::Splat(one) => one,
        DenseData::Bytes(all) => all,
    };
    let mut elements = bytes.chunks_exact(elem.bytes());
    Some(elements.all(|chunk| holds(Scalar { ty: elem, bits: elem.load(chunk) })))
}

fn is_integer(scalar: Scalar) -> bool {
    !matches!(scalar.ty, ScalarType::Float(_))
}

/// The float with just these bits.
fn is_float(scalar: Scalar, value: f64) -> bool {
    scalar.ty.from_f64(value) == Some(scalar.bits)
}
