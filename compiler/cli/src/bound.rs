//! How far rounding may take the results of a program.
//!
//! What additions, subtractions and multiplications give is a sum of products of the inputs. In
//! f32 each product takes part in some number of roundings, in whichever order sums are taken, so
//! that with at most `n` of them the result is off by at most γₙ = nu / (1 − nu) times the sum of
//! the products' magnitudes, u being 2⁻²⁴. Sum and count come out of the program itself, run on
//! pairs of both in place of numbers: what an element of a tensor holds is then a pair.
//!
//! For a matmul of K products that is γ of K + 1 times |A||B| + |C|; errors of operands are in their
//! own magnitudes and counts.

use tegula_eval::{Kernel, KernelCx, LaneOp, Semantics};
use tegula_ir::{Module, Type};

/// The unit of rounding of f32.
const UNIT: f64 = 1.0 / (1u64 << 24) as f64;

/// Arithmetic whose rounding is understood; `select` moves its operands.
const KNOWN: [&str; 12] = [
    "arith.constant",
    "arith.select",
    "arith.addf",
    "arith.subf",
    "arith.mulf",
    "arith.negf",
    "arith.maximumf",
    "arith.minimumf",
    "arith.maxnumf",
    "arith.minnumf",
    "math.absf",
    "math.fma",
];

/// What is known of one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The magnitudes of the products that it is the sum of; no less than their sum. Zero only
    /// when the number is zero exactly.
    magnitude: f32,
    /// How many roundings a product has taken part in at most.
    roundings: u32,
}

impl Pair {
    /// A number that is given.
    pub fn given(number: f32) -> Pair {
        Pair { magnitude: number.abs(), roundings: 0 }
    }

    /// As the bits of an f64. Those of zero are zero.
    pub fn bits(self) -> u64 {
        u64::from(self.magnitude.to_bits()) << 32 | u64::from(self.roundings)
    }

    /// From the bits of an f64.
    pub fn from_bits(bits: u64) -> Pair {
        Pair { magnitude: f32::from_bits((bits >> 32) as u32), roundings: bits as u32 }
    }

    /// By how much the number may be off; infinite when it may have overflowed.
    pub fn error(self) -> f64 {
        let sum = f64::from(self.roundings) * UNIT;
        // The reference rounds, too, by parts of u that are far below this part of it.
        let gamma = if sum < 1.0 { sum / (1.0 - sum) * 1.000_001 } else { f64::INFINITY };
        if self.magnitude == 0.0 { 0.0 } else { gamma * f64::from(self.magnitude) }
    }

    fn add(self, other: Pair) -> Pair {
        // The sum with zero is exact.
        if self.magnitude == 0.0 {
            return other;
        }
        if other.magnitude == 0.0 {
            return self;
        }
        Pair {
            magnitude: up(self.magnitude + other.magnitude),
            roundings: self.roundings.max(other.roundings).saturating_add(1),
        }
    }

    fn multiply(self, other: Pair) -> Pair {
        if self.magnitude == 0.0 || other.magnitude == 0.0 {
            return Pair { magnitude: self.magnitude * other.magnitude, roundings: 0 };
        }
        Pair {
            // What a product loses by underflow is less than a rounding of the least normal number.
            magnitude: up(self.magnitude * other.magnitude) + f32::MIN_POSITIVE,
            roundings: self.roundings.saturating_add(other.roundings).saturating_add(1),
        }
    }

    /// The one or the other of two numbers, whichever rounding makes it.
    fn either(self, other: Pair) -> Pair {
        Pair {
            magnitude: self.magnitude.max(other.magnitude),
            roundings: self.roundings.max(other.roundings),
        }
    }
}

/// No less than what was rounded to the number.
fn up(number: f32) -> f32 {
    number.next_up()
}

/// The meaning of ops on pairs, where it is not what it is on numbers.
pub fn semantics() -> Semantics {
    Semantics::new()
        .kernel("arith.addf", |_| binary(Pair::add))
        .kernel("arith.subf", |_| binary(Pair::add))
        .kernel("arith.mulf", |_| binary(Pair::multiply))
        .kernel("arith.negf", same)
        .kernel("arith.maximumf", |_| binary(Pair::either))
        .kernel("arith.minimumf", |_| binary(Pair::either))
        .kernel("arith.maxnumf", |_| binary(Pair::either))
        .kernel("arith.minnumf", |_| binary(Pair::either))
        .kernel("math.absf", same)
        .kernel("math.fma", |_| {
            let fma = |a, b, c| Pair::from_bits(a).multiply(Pair::from_bits(b)).add(c).bits();
            Some(Kernel::ternary(move |a, b, c| fma(a, b, Pair::from_bits(c))).into())
        })
}

fn binary(f: fn(Pair, Pair) -> Pair) -> Option<LaneOp> {
    Some(Kernel::binary(move |a, b| f(Pair::from_bits(a), Pair::from_bits(b)).bits()).into())
}

fn same(_: &KernelCx<'_>) -> Option<LaneOp> {
    Some(Kernel::unary(|a| a).into())
}

/// The first op of a module that computes with floats in a way that no bound is known for.
pub fn unknown(module: &Module) -> Option<String> {
    module.bodies.iter().find_map(|body| {
        body.walk_all().find_map(|op| {
            let name = body.name(op);
            let float = |ty: Type| ty.element_or_self().is_float();
            let mut values = body.operands(op).chain(body.results(op));
            let computes = ["arith", "math"].contains(&name.dialect());
            let unknown = computes && !KNOWN.contains(&name.as_str());
            (unknown && values.any(|value| float(body.ty(value)))).then(|| name.to_string())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{Pair, UNIT};

    #[test]
    fn a_dot_product_has_the_known_bound() {
        let terms = [(1.5f32, -2.0f32), (0.25, 4.0), (-3.0, 7.0)];
        let start = Pair::given(5.0);
        let sum = terms
            .iter()
            .fold(start, |sum, &(a, b)| sum.add(Pair::given(a).multiply(Pair::given(b))));
        assert_eq!(sum.roundings, terms.len() as u32 + 1);
        let magnitudes = 5.0 + 3.0 + 1.0 + 21.0;
        let bound = 4.0 * UNIT * magnitudes;
        assert!((bound..bound * 1.0001).contains(&sum.error()), "{}", sum.error());
    }

    #[test]
    fn errors_go_on_through_products() {
        // (ab)(cd) rounds each product and the product of both.
        let ab = Pair::given(3.0).multiply(Pair::given(5.0));
        let cd = Pair::given(7.0).multiply(Pair::given(-0.5));
        assert_eq!(ab.multiply(cd).roundings, 3);
        assert!(ab.multiply(cd).error() >= 3.0 * UNIT * 52.5);
    }

    #[test]
    fn zeros_are_exact_and_overflow_is_not_known() {
        let zero = Pair::given(0.0);
        assert_eq!(zero.bits(), 0);
        assert_eq!(zero.multiply(Pair::given(9.0)).error(), 0.0);
        assert_eq!(zero.add(Pair::given(9.0)).error(), 0.0);
        let large = Pair::given(f32::MAX);
        assert_eq!(large.multiply(large).error(), f64::INFINITY);
        let pair = Pair { magnitude: 1.25, roundings: 77 };
        assert_eq!(Pair::from_bits(pair.bits()), pair);
    }

    #[test]
    fn tiny_products_may_vanish() {
        let tiny = Pair::given(f32::MIN_POSITIVE);
        let lost = f64::from(f32::MIN_POSITIVE) * f64::from(f32::MIN_POSITIVE);
        assert!(tiny.multiply(tiny).error() >= lost);
    }
}
