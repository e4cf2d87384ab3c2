//! Floating-point formats of more than 64 bits.

use super::big::Big;
use crate::FloatKind;

/// A finite number: its absolute value is `significand * 2^power`.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) negative: bool,
    pub(super) significand: u128,
    pub(super) power: i32,
}

impl Number {
    pub(super) fn of_f64(value: f64) -> Number {
        let bits = value.abs().to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let (significand, power) = match (bits >> 52) as i32 {
            0 => (fraction, -1074),
            e => (fraction | 1 << 52, e - 1075),
        };
        let negative = value.is_sign_negative();
        Number { negative, significand: significand.into(), power }
    }
}

/// The bits of an exponent in all of these formats.
const EXPONENT: u32 = 15;
const BIAS: i32 = (1 << (EXPONENT - 1)) - 1;
/// The exponent field of what is no finite number.
const SPECIAL: u128 = (1 << EXPONENT) - 1;
/// More digits than this only say whether there is anything behind them.
const MOST_DIGITS: usize = 12_000;
/// Numbers of more digits, before or behind the point, are out of reach.
const FAR: i64 = 5_200;

/// What tells the formats apart.
#[derive(Clone, Copy)]
pub(super) struct WideFormat {
    /// The bits of a significand.
    pub(super) precision: u32,
    /// The first bit of the significand is written.
    explicit: bool,
}

impl WideFormat {
    pub(super) fn of(kind: FloatKind) -> Option<WideFormat> {
        match kind {
            FloatKind::F80 => Some(WideFormat { precision: 64, explicit: true }),
            FloatKind::F128 => Some(WideFormat { precision: 113, explicit: false }),
            _ => None,
        }
    }

    /// How many bits stand below the exponent.
    fn below(self) -> u32 {
        if self.explicit { self.precision } else { self.precision - 1 }
    }

    /// The number of these bits, if it is finite and normalized.
    pub(super) fn number(self, bits: u128) -> Option<Number> {
        let below = self.below();
        let first = 1u128 << (self.precision - 1);
        let field = bits >> below & SPECIAL;
        let mut significand = bits & ((1 << below) - 1);
        if field == SPECIAL || self.explicit && field > 0 && significand & first == 0 {
            return None;
        }
        if field > 0 {
            significand |= first;
        }
        let negative = bits >> (below + EXPONENT) & 1 == 1;
        let power = field.max(1) as i32 - BIAS - (self.precision as i32 - 1);
        Some(Number { negative, significand, power })
    }

    /// The bits of the number that is nearest to a decimal one, ties to even.
    pub(super) fn parse(self, negative: bool, text: &str) -> Option<u128> {
        let sign = u128::from(negative) << (self.below() + EXPONENT);
        let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let exponent = exponent.parse::<i64>().unwrap_or(match exponent.starts_with('-') {
            true => -i64::from(i32::MAX),
            false => i32::MAX.into(),
        });
        let mut number = Big::new(0);
        let mut last = exponent.saturating_sub(fraction.len() as i64);
        let digits = whole.chars().chain(fraction.chars()).skip_while(|&c| c == '0');
        let mut more = false;
        for (index, digit) in digits.enumerate() {
            let digit = digit.to_digit(10)?;
            if index < MOST_DIGITS {
                number.multiply_add(10, digit);
            } else {
                more |= digit != 0;
                last += 1;
            }
        }
        if number.is_zero() {
            return Some(sign);
        }
        let infinity = self.encode(SPECIAL, 1 << (self.precision - 1));
        if last > FAR {
            return Some(sign | infinity);
        }
        if last < -FAR - MOST_DIGITS as i64 {
            return Some(sign);
        }
        let mut divisor = Big::new(1);
        let scaled = if last > 0 { &mut number } else { &mut divisor };
        scaled.scale(10, last.unsigned_abs() as u32);
        Some(sign | self.nearest(number, divisor, more))
    }

    /// The bits of the number nearest to `number / divisor`, or to a little more.
    fn nearest(self, mut number: Big, mut divisor: Big, more: bool) -> u128 {
        // The quotient of these has one or two bits more than a significand.
        let scale = self.precision as i32 + 1 - (number.bits() as i32 - divisor.bits() as i32);
        let shifted = if scale > 0 { &mut number } else { &mut divisor };
        shifted.shift(scale.unsigned_abs() as usize);
        let steps = self.precision + 3;
        divisor.shift(steps as usize - 1);
        let mut quotient = 0u128;
        for step in 0..steps {
            if step > 0 {
                number.multiply(2);
            }
            quotient = quotient << 1 | u128::from(number.take(&divisor));
        }
        let more = more || !number.is_zero();
        let exponent = 127 - quotient.leading_zeros() as i32 - scale;
        let power = exponent.max(1 - BIAS) - (self.precision as i32 - 1);
        // How many bits of the quotient are below those that the format has.
        let cut = (power + scale).unsigned_abs();
        let rounded = if cut > self.precision + 3 {
            0
        } else {
            let (kept, rest) = (quotient >> cut, quotient & ((1 << cut) - 1));
            let half = 1 << (cut - 1);
            let up = rest > half || rest == half && (more || kept & 1 == 1);
            kept + u128::from(up)
        };
        let first = 1u128 << (self.precision - 1);
        let carries = rounded == first << 1;
        let significand = if carries { first } else { rounded };
        let field = match significand >= first {
            true => (exponent.max(1 - BIAS) + BIAS + i32::from(carries)) as u128,
            false => 0,
        };
        if field >= SPECIAL { self.encode(SPECIAL, first) } else { self.encode(field, significand) }
    }

    fn encode(self, field: u128, significand: u128) -> u128 {
        field << self.below() | significand & ((1 << self.below()) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: FloatKind, text: &str, want: u128) {
        let found = WideFormat::of(kind).and_then(|format| format.parse(false, text));
        assert_eq!(found, Some(want), "{text}");
    }

    #[test]
    fn texts_become_the_nearest_numbers() {
        check(FloatKind::F128, "1.0", 0x3FFF << 112);
        check(FloatKind::F128, "0.1", 0x3FFB_9999_9999_9999_9999_9999_9999_999A);
        check(FloatKind::F128, "1.0e-4966", 0);
        check(FloatKind::F128, "4.0e-4966", 1);
        check(FloatKind::F128, "1.0e99999999999999999999", 0x7FFF << 112);
        check(FloatKind::F80, "1.0", 0x3FFF << 64 | 1 << 63);
        check(FloatKind::F80, "1.57079632679489661926", 0x3FFF_C90F_DAA2_2168_C235);
        check(FloatKind::F80, "3.645e-4951", 1);
        check(FloatKind::F80, "3.36210314311209350626e-4932", 1 << 64 | 1 << 63);
        // Half way between two numbers, and a little more.
        check(FloatKind::F80, "18446744073709551617.0", 0x403F << 64 | 1 << 63);
        check(FloatKind::F80, "18446744073709551617.01", 0x403F << 64 | 1 << 63 | 1);
    }
}
