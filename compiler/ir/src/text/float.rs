//! Floating-point numbers to text and back.

use std::fmt::Write;

use super::big::Big;
use super::wide_float::{Number, WideFormat};
use crate::{FloatKind, SmallFloat, Type, TypeData};

/// What decides how the bits of a format read.
#[derive(Clone, Copy)]
struct Layout {
    exponent: u32,
    mantissa: u32,
    bias: i32,
    /// What the all-ones exponent means.
    special: Special,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    /// Infinity and NaN, as in IEEE 754.
    Ieee,
    /// No infinity; NaN is all ones.
    FiniteNan,
    /// No infinity; NaN is negative zero.
    NegativeZeroNan,
    /// Neither.
    Finite,
}

fn layout(kind: FloatKind) -> Option<Layout> {
    use Special::*;
    let (exponent, mantissa, bias, special) = match kind {
        FloatKind::F16 => (5, 10, 15, Ieee),
        FloatKind::BF16 => (8, 7, 127, Ieee),
        FloatKind::F32 => (8, 23, 127, Ieee),
        FloatKind::TF32 => (8, 10, 127, Ieee),
        FloatKind::F64 => (11, 52, 1023, Ieee),
        FloatKind::F80 | FloatKind::F128 => return None,
        FloatKind::Small(small) => match small {
            SmallFloat::F4E2M1FN => (2, 1, 1, Finite),
            SmallFloat::F6E2M3FN => (2, 3, 1, Finite),
            SmallFloat::F6E3M2FN => (3, 2, 3, Finite),
            SmallFloat::F8E5M2 => (5, 2, 15, Ieee),
            SmallFloat::F8E4M3 => (4, 3, 7, Ieee),
            SmallFloat::F8E4M3FN => (4, 3, 7, FiniteNan),
            SmallFloat::F8E5M2FNUZ => (5, 2, 16, NegativeZeroNan),
            SmallFloat::F8E4M3FNUZ => (4, 3, 8, NegativeZeroNan),
            SmallFloat::F8E4M3B11FNUZ => (4, 3, 11, NegativeZeroNan),
            SmallFloat::F8E3M4 => (3, 4, 3, Ieee),
            SmallFloat::F8E8M0FNU => return None,
        },
    };
    Some(Layout { exponent, mantissa, bias, special })
}

fn kind_of(ty: Type) -> Option<FloatKind> {
    match ty.data() {
        TypeData::Float(kind) => Some(*kind),
        _ => None,
    }
}

/// The format of powers of two: without sign and zero.
const EXPONENT_ONLY: FloatKind = FloatKind::Small(SmallFloat::F8E8M0FNU);
const POWERS_BIAS: i32 = 127;
const POWERS_NAN: u128 = 0xFF;

/// The bits of the power of two that is nearest to a value, the larger one of two.
fn power_bits(value: f64) -> u128 {
    if value.is_nan() || value < 0.0 {
        return POWERS_NAN;
    }
    let bits = value.to_bits();
    let up = bits >> 51 & 1;
    let exponent = (bits >> 52) as i32 - 1023 + up as i32 + POWERS_BIAS;
    u128::try_from(exponent).unwrap_or(0).min(POWERS_NAN)
}

/// The bits of the number in decimal that is nearest to a text; none when the type cannot have it.
pub(crate) fn float_from_text(negative: bool, text: &str, ty: Type) -> Option<u128> {
    let sign = if negative { -1.0 } else { 1.0 };
    match kind_of(ty)? {
        // Going through f64 would round twice.
        FloatKind::F32 => text.parse::<f32>().ok().map(|v| u128::from((sign as f32 * v).to_bits())),
        EXPONENT_ONLY if negative => None,
        kind => match WideFormat::of(kind) {
            Some(format) => format.parse(negative, text),
            None => text.parse::<f64>().ok().and_then(|v| float_from_f64(sign * v, ty)),
        },
    }
}

/// The value of a float's bits; none for formats wider than 64 bits.
pub fn float_to_f64(bits: u128, ty: Type) -> Option<f64> {
    let kind = kind_of(ty)?;
    match kind {
        FloatKind::F32 => return Some(f32::from_bits(bits as u32).into()),
        FloatKind::F64 => return Some(f64::from_bits(bits as u64)),
        EXPONENT_ONLY => {
            let nan = bits == POWERS_NAN;
            return Some(if nan { f64::NAN } else { 2f64.powi(bits as i32 - POWERS_BIAS) });
        }
        _ => {}
    }
    let l = layout(kind)?;
    let bits = bits as u64;
    let mantissa = bits & ((1 << l.mantissa) - 1);
    let ones = (1u64 << l.exponent) - 1;
    let exponent = bits >> l.mantissa & ones;
    let negative = bits >> (l.mantissa + l.exponent) & 1 == 1;
    let sign = if negative { -1.0 } else { 1.0 };
    match l.special {
        Special::Ieee if exponent == ones => {
            return Some(if mantissa == 0 { sign * f64::INFINITY } else { f64::NAN });
        }
        Special::FiniteNan if exponent == ones && mantissa == (1 << l.mantissa) - 1 => {
            return Some(f64::NAN);
        }
        Special::NegativeZeroNan if negative && exponent == 0 && mantissa == 0 => {
            return Some(f64::NAN);
        }
        _ => {}
    }
    let (significand, power) = match exponent {
        0 => (mantissa, 1 - l.bias - l.mantissa as i32),
        e => (mantissa | 1 << l.mantissa, e as i32 - l.bias - l.mantissa as i32),
    };
    Some(sign * significand as f64 * 2f64.powi(power))
}

/// The bits of the number nearest to a value, ties to even; none for formats wider than 64 bits.
pub fn float_from_f64(value: f64, ty: Type) -> Option<u128> {
    let kind = kind_of(ty)?;
    match kind {
        FloatKind::F32 => return Some((value as f32).to_bits().into()),
        FloatKind::F64 => return Some(value.to_bits().into()),
        EXPONENT_ONLY => return Some(power_bits(value)),
        _ => {}
    }
    let l = layout(kind)?;
    let sign = u64::from(value.is_sign_negative()) << (l.mantissa + l.exponent);
    let ones = (1u64 << l.exponent) - 1;
    let all_mantissa = (1u64 << l.mantissa) - 1;
    let largest = match l.special {
        Special::Ieee => (ones << l.mantissa) - 1,
        Special::FiniteNan => (ones << l.mantissa | all_mantissa) - 1,
        Special::NegativeZeroNan | Special::Finite => ones << l.mantissa | all_mantissa,
    };
    let nan = match l.special {
        Special::Ieee => ones << l.mantissa | 1 << (l.mantissa - 1),
        Special::FiniteNan => ones << l.mantissa | all_mantissa,
        Special::NegativeZeroNan => 1 << (l.mantissa + l.exponent),
        Special::Finite => 0,
    };
    let overflow = match l.special {
        Special::Ieee => sign | ones << l.mantissa,
        Special::Finite => sign | largest,
        _ => nan,
    };
    if value.is_nan() {
        return Some(nan.into());
    }
    if value.is_infinite() {
        return Some(overflow.into());
    }
    if value == 0.0 {
        let keeps_sign = l.special != Special::NegativeZeroNan;
        return Some(if keeps_sign { sign.into() } else { 0 });
    }
    let magnitude = value.abs();
    let exponent = (magnitude.to_bits() >> 52) as i32 - 1023;
    let least = 1 - l.bias;
    let power = exponent.max(least) - l.mantissa as i32;
    // Scaling by a power of two is exact here: magnitudes of the format are far from f64's ends.
    let scaled = magnitude * 2f64.powi(-power);
    let rounded = scaled.round_ties_even() as u64;
    let bits = match exponent < least {
        true => rounded,
        // Adding lets a carry out of the mantissa move into the exponent.
        false => (((exponent + l.bias) as u64) << l.mantissa) + (rounded - (1 << l.mantissa)),
    };
    Some(if bits > largest { overflow } else { sign | bits }.into())
}

/// Appends a float as MLIR prints it: six digits if they read back equal, else as many digits as
/// the format needs, else hexadecimal bits.
pub(crate) fn print_float(bits: u128, ty: Type, out: &mut String) {
    if let Some((number, precision)) = number_of(bits, ty) {
        let six = scientific(number, 6);
        let digits = six.trim_start_matches('-');
        if float_from_text(number.negative, digits, ty) == Some(bits) {
            out.push_str(&six);
            return;
        }
        let text = natural(number, 2 + precision as usize * 59 / 196);
        if text.contains('.') {
            out.push_str(&text);
            return;
        }
    }
    // Writing to a string does not fail.
    let _ = write!(out, "0x{bits:X}");
}

/// A finite number and how many bits the significands of its type have.
fn number_of(bits: u128, ty: Type) -> Option<(Number, u32)> {
    let kind = kind_of(ty)?;
    if let Some(format) = WideFormat::of(kind) {
        return format.number(bits).map(|number| (number, format.precision));
    }
    let value = float_to_f64(bits, ty).filter(|v| v.is_finite())?;
    let precision = layout(kind).map_or(1, |layout| layout.mantissa + 1);
    Some((Number::of_f64(value), precision))
}

/// The decimal digits of a number without trailing zeros, the first first, and the power of ten of
/// the last. At most `precision` digits are given.
///
/// LLVM cuts the exact decimal number to about as many digits before it rounds, and so do we: now
/// and then the last digit is one less than that of the nearest decimal number.
fn decimal(number: Number, precision: usize) -> (Vec<u8>, i32) {
    let Number { mut significand, mut power, .. } = number;
    if significand == 0 {
        return (vec![0], 0);
    }
    let zeros = significand.trailing_zeros();
    significand >>= zeros;
    power += zeros as i32;
    let mut number = Big::new(significand);
    let mut last = 0;
    if power > 0 {
        number.shift(power.unsigned_abs() as usize);
    } else {
        // N * 2^-e is N * 5^e * 10^-e.
        number.scale(5, power.unsigned_abs());
        last = power;
    }
    let (have, need) = (number.bits(), (precision * 196).div_ceil(59));
    let cut = (have.saturating_sub(need) * 59 / 196) as u32;
    number.unscale(10, cut);
    last += cut as i32;
    let mut digits = Vec::new();
    while !number.is_zero() {
        let digit = number.divide(10) as u8;
        if digits.is_empty() && digit == 0 {
            last += 1;
        } else {
            digits.push(digit);
        }
    }
    digits.reverse();
    if digits.len() > precision {
        last += (digits.len() - precision) as i32;
        let up = digits[precision] >= 5;
        digits.truncate(precision);
        while let Some(digit) = digits.pop() {
            let rounded = digit + u8::from(up);
            if up && rounded < 10 || !up && digit != 0 {
                digits.push(rounded);
                break;
            }
            last += 1;
        }
        if digits.is_empty() {
            digits.push(1);
        }
    }
    (digits, last)
}

/// `1.500000e-07`, with one digit more than `precision`, the last of which are zeros.
fn scientific(number: Number, precision: usize) -> String {
    let (digits, last) = decimal(number, precision);
    let mut out = String::new();
    if number.negative {
        out.push('-');
    }
    let exponent = if number.significand == 0 { 0 } else { last + digits.len() as i32 - 1 };
    for (index, digit) in digits.iter().enumerate() {
        if index == 1 {
            out.push('.');
        }
        out.push((b'0' + digit) as char);
    }
    if digits.len() == 1 {
        out.push('.');
    }
    out.extend(std::iter::repeat_n('0', (precision + 1).saturating_sub(digits.len())));
    let sign = if exponent < 0 { '-' } else { '+' };
    let _ = write!(out, "e{sign}{:02}", exponent.unsigned_abs());
    out
}

/// At most `precision` significant digits, in positional notation while few zeros are needed.
fn natural(number: Number, precision: usize) -> String {
    let (digits, last) = decimal(number, precision);
    let text: String = digits.iter().map(|d| (d + b'0') as char).collect();
    let count = text.len() as i32;
    let exponent = last + count - 1;
    let mut out = String::new();
    if number.negative {
        out.push('-');
    }
    let is_scientific = match last >= 0 {
        true => last > 3 || (count + last) as usize > precision,
        false => exponent < 0 && -exponent > 3,
    };
    if is_scientific {
        out.push_str(&text[..1]);
        out.push('.');
        out.push_str(if count == 1 { "0" } else { &text[1..] });
        let _ = write!(out, "E{}{}", if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs());
    } else if last >= 0 {
        out.push_str(&text);
        out.extend(std::iter::repeat_n('0', last as usize));
    } else if exponent >= 0 {
        let whole = exponent as usize + 1;
        out.push_str(&text[..whole]);
        out.push('.');
        out.push_str(&text[whole..]);
    } else {
        out.push_str("0.");
        out.extend(std::iter::repeat_n('0', (-exponent - 1) as usize));
        out.push_str(&text);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f32_text(value: f32) -> String {
        let mut out = String::new();
        print_float(value.to_bits().into(), Type::f32(), &mut out);
        out
    }

    #[test]
    fn f32_prints_as_mlir_does() {
        let check = |value: f32, want: &str| assert_eq!(f32_text(value), want);
        check(0.0, "0.000000e+00");
        check(-0.0, "-0.000000e+00");
        check(1.0, "1.000000e+00");
        check(-2.5, "-2.500000e+00");
        check(0.1, "1.000000e-01");
        check(3.25159, "3.251590e+00");
        check(1.0e10, "1.000000e+10");
        check(std::f32::consts::PI, "3.14159274");
        check(1.0 / 3.0, "0.333333343");
        check(2f32.powi(-13), "1.22070313E-4");
        check(16777217.0, "0x4B800000");
        check(f32::INFINITY, "0x7F800000");
        check(f32::NAN, "0x7FC00000");
    }

    #[test]
    fn f16_is_cut_before_it_is_rounded() {
        let ty = Type::new(TypeData::Float(FloatKind::F16));
        let mut out = String::new();
        print_float(float_from_f64(0.1, ty).unwrap(), ty, &mut out);
        assert_eq!(out, "9.997550e-02");
    }

    #[test]
    fn every_small_float_survives_a_round_trip() {
        let kinds =
            ["f16", "bf16", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E3M4", "f4E2M1FN", "f8E8M0FNU"];
        for keyword in kinds {
            let ty = Type::new(TypeData::Float(FloatKind::from_keyword(keyword).unwrap()));
            for bits in 0..1u128 << ty.bit_width().unwrap() {
                let value = float_to_f64(bits, ty).unwrap();
                if !value.is_nan() {
                    assert_eq!(float_from_f64(value, ty), Some(bits), "{keyword} {bits:#x}");
                }
            }
        }
    }
}
