//! Integers of more than 128 bits: read and printed, and compared; nothing computes with them.

use std::fmt;

use tegula_schema::Signedness;

/// A whole number of any size.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WideInt {
    /// Less than zero. Zero is not.
    negative: bool,
    /// Of the absolute value, 32 bits each, the least first; the last is not zero.
    limbs: Box<[u32]>,
}

impl WideInt {
    /// The value that a type of that many bits gives to a literal in decimal or, from `0x` on, in
    /// hexadecimal; none when it does not fit. A signless type takes the literals of signed and of
    /// unsigned ones, and gives those beyond the half of its range their signed value.
    pub fn parse(negative: bool, text: &str, width: u32, sign: Signedness) -> Option<WideInt> {
        let (digits, radix) = match text.strip_prefix("0x") {
            Some(digits) => (digits, 16),
            None => (text, 10),
        };
        // No number with more digits than bits fits.
        let digits = digits.trim_start_matches('0');
        if digits.len() > width as usize {
            return None;
        }
        let mut limbs = Vec::new();
        for digit in digits.chars() {
            multiply_add(&mut limbs, radix, digit.to_digit(radix)?);
        }
        let bits = bits(&limbs);
        // The least number has the one magnitude of that many bits that is a power of two.
        let least = bits == width && limbs.iter().map(|limb| limb.count_ones()).sum::<u32>() == 1;
        let (fits, wraps) = match (sign, negative) {
            (Signedness::Unsigned, true) => (bits == 0, false),
            (Signedness::Unsigned, false) => (bits <= width, false),
            (_, true) => (bits < width || least, false),
            (Signedness::Signed, false) => (bits < width, false),
            (Signedness::Signless, false) => (bits <= width, bits == width),
        };
        if !fits {
            return None;
        }
        if wraps {
            limbs = below_power(&limbs, width);
        }
        let negative = (negative || wraps) && !limbs.is_empty();
        Some(WideInt { negative, limbs: limbs.into() })
    }
}

impl fmt::Display for WideInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PART: u32 = 1_000_000_000;
        let mut rest = self.limbs.to_vec();
        let mut parts = Vec::new();
        while !rest.is_empty() {
            parts.push(divide(&mut rest, PART));
        }
        if self.negative {
            f.write_str("-")?;
        }
        write!(f, "{}", parts.pop().unwrap_or(0))?;
        parts.iter().rev().try_for_each(|part| write!(f, "{part:09}"))
    }
}

/// The position after the highest bit that is set.
fn bits(limbs: &[u32]) -> u32 {
    limbs.last().map_or(0, |last| limbs.len() as u32 * 32 - last.leading_zeros())
}

/// `limbs * factor + more`
fn multiply_add(limbs: &mut Vec<u32>, factor: u32, more: u32) {
    let mut carry = u64::from(more);
    for limb in limbs.iter_mut() {
        let sum = u64::from(*limb) * u64::from(factor) + carry;
        *limb = sum as u32;
        carry = sum >> 32;
    }
    if carry > 0 {
        limbs.push(carry as u32);
    }
}

/// Divides and gives the remainder.
fn divide(limbs: &mut Vec<u32>, by: u32) -> u32 {
    let mut rest = 0u64;
    for limb in limbs.iter_mut().rev() {
        let whole = rest << 32 | u64::from(*limb);
        *limb = (whole / u64::from(by)) as u32;
        rest = whole % u64::from(by);
    }
    trim(limbs);
    rest as u32
}

/// How far a number of `width` bits lies below the power of two beyond them.
fn below_power(limbs: &[u32], width: u32) -> Vec<u32> {
    let mut out: Vec<u32> = limbs.iter().map(|limb| !limb).collect();
    // What is complemented above the width does not belong to the number.
    if let Some(last) = out.last_mut()
        && !width.is_multiple_of(32)
    {
        *last &= (1 << (width % 32)) - 1;
    }
    multiply_add(&mut out, 1, 1);
    trim(&mut out);
    out
}

fn trim(limbs: &mut Vec<u32>) {
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::WideInt;
    use tegula_schema::Signedness::{self, Signed, Signless, Unsigned};

    fn check(text: &str, width: u32, sign: Signedness, expected: Option<&str>) {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let found = WideInt::parse(negative, digits, width, sign);
        assert_eq!(found.map(|value| value.to_string()).as_deref(), expected, "{text} : {width}");
    }

    #[test]
    fn literals() {
        check("0", 256, Signless, Some("0"));
        check("-0x0", 256, Signless, Some("0"));
        check("000123", 200, Signless, Some("123"));
        check("1000000000000000000000", 129, Signless, Some("1000000000000000000000"));
        check(
            "0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
            256,
            Signless,
            Some("1461501637330902918203684832716283019655932542975"),
        );
    }

    #[test]
    fn ranges() {
        // 2¹²⁸ and its neighbours, in 129 bits.
        let half = "340282366920938463463374607431768211456";
        let below = "340282366920938463463374607431768211455";
        let top = "680564733841876926926749214863536422911";
        check(below, 129, Signed, Some(below));
        check(half, 129, Signed, None);
        check(&format!("-{half}"), 129, Signed, Some(&format!("-{half}")));
        check(&format!("-{half}"), 129, Signless, Some(&format!("-{half}")));
        check("-340282366920938463463374607431768211457", 129, Signless, None);
        check(half, 129, Signless, Some(&format!("-{half}")));
        check(top, 129, Signless, Some("-1"));
        check(top, 129, Unsigned, Some(top));
        check("680564733841876926926749214863536422912", 129, Unsigned, None);
        check("680564733841876926926749214863536422912", 129, Signless, None);
        check("-1", 129, Unsigned, None);
        check(&format!("0x1{}", "0".repeat(32)), 129, Signless, Some(&format!("-{half}")));
        check(&"9".repeat(100_000), 200, Signless, None);
    }
}
