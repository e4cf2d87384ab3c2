//! What is known of the values that dispatches pass.

use tegula_dialect_util::constants::constant_index;
use tegula_ir::{Body, ValueId};

/// What is known of one integer at one dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// It is this constant.
    Constant(i64),
    /// It is a multiple of this.
    Multiple(i64),
}

/// What is known of a value; a multiple of 1 when nothing is.
pub(crate) fn known(body: &Body, value: ValueId) -> Known {
    if let Some(constant) = constant_index(body, value) {
        // A truth value has no sign.
        return Known::Constant(if body.ty(value).is_int(1) { constant & 1 } else { constant });
    }
    let Some(op) = body.defining_op(value) else { return Known::Multiple(1) };
    let factor = |index: usize| match known(body, body.operand(op, index)) {
        Known::Constant(c) => c.checked_abs().unwrap_or(1),
        Known::Multiple(m) => m,
    };
    match body.name(op).as_str() {
        "arith.addi" | "arith.subi" => Known::Multiple(gcd(factor(0), factor(1)).max(1)),
        "arith.muli" => {
            let product = factor(0).max(1).checked_mul(factor(1).max(1));
            Known::Multiple(product.unwrap_or_else(|| factor(0).max(1)))
        }
        "util.align" => Known::Multiple(factor(1).max(1)),
        _ => Known::Multiple(1),
    }
}

/// The greatest common divisor; that of 0 and a number is the number.
pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The largest power of two that divides a number; none for 0.
pub(crate) fn alignment_of(value: i64) -> Option<i64> {
    (value != 0).then(|| 1i64 << value.trailing_zeros().min(62))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alignments_are_powers_of_two() {
        for (value, alignment) in [(1_008_000, 128), (2_016_000, 256), (7, 1), (i64::MIN, 1 << 62)]
        {
            assert_eq!(alignment_of(value), Some(alignment), "{value}");
        }
        assert_eq!(alignment_of(0), None);
        assert_eq!((gcd(12, 18), gcd(0, 5), gcd(5, 0)), (6, 5, 5));
    }
}
