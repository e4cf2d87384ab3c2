//! Floating-point numbers to text and back, in any format of at most 64 bits.

use std::fmt::Write;

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
            // Exponents only; its numbers are written in hexadecimal.
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

/// The value of a float's bits; none for formats wider than 64 bits.
pub fn float_to_f64(bits: u128, ty: Type) -> Option<f64> {
    let kind = kind_of(ty)?;
    match kind {
        FloatKind::F32 => return Some(f32::from_bits(bits as u32).into()),
        FloatKind::F64 => return Some(f64::from_bits(bits as u64)),
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

/// Appends a float as MLIR prints it: the shortest of six digits if that reads back equal, else as
/// many digits as the format needs, else hexadecimal bits.
pub(crate) fn print_float(bits: u128, ty: Type, out: &mut String) {
    let value = float_to_f64(bits, ty).filter(|v| v.is_finite());
    let layout = kind_of(ty).and_then(layout);
    if let (Some(value), Some(layout)) = (value, layout) {
        let six = format!("{value:.5e}");
        let reads_back = six.parse::<f64>().ok().and_then(|v| match kind_of(ty) {
            Some(FloatKind::F32) => six.parse::<f32>().ok().map(|v| v.to_bits().into()),
            _ => float_from_f64(v, ty),
        });
        if reads_back == Some(bits) {
            scientific(&six, 7, out);
            return;
        }
        let digits = 2 + (layout.mantissa as usize + 1) * 59 / 196;
        let text = natural(value, digits);
        if text.contains('.') {
            out.push_str(&text);
            return;
        }
    }
    // Writing to a string does not fail.
    let _ = write!(out, "0x{bits:X}");
}

/// Rewrites Rust's `1.5e-7` as `1.500000e-07` with `digits` digits.
fn scientific(text: &str, digits: usize, out: &mut String) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let sign = if mantissa.starts_with('-') { 1 } else { 0 };
    out.push_str(mantissa);
    for _ in mantissa.len() - sign..digits + 1 {
        out.push('0');
    }
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let _ = write!(out, "e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs());
}

/// At most `digits` significant digits, in positional notation while few zeros are needed.
fn natural(value: f64, digits: usize) -> String {
    // 767 digits write any f64 exactly, so that ties are seen and rounded away from zero.
    let exact = format!("{:.766e}", value.abs());
    let (mantissa, exponent) = exact.split_once('e').unwrap_or((&exact, "0"));
    let mut exponent: i32 = exponent.parse().unwrap_or_default();
    let mut all: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).map(|c| c - b'0').collect();
    let round_up = all.get(digits).is_some_and(|&d| d >= 5);
    all.truncate(digits);
    if round_up {
        let mut at = all.len();
        loop {
            if at == 0 {
                all.insert(0, 1);
                exponent += 1;
                break;
            }
            at -= 1;
            if all[at] == 9 {
                all[at] = 0;
            } else {
                all[at] += 1;
                break;
            }
        }
    }
    while all.len() > 1 && all.last() == Some(&0) {
        all.pop();
    }
    let text: String = all.iter().map(|d| (d + b'0') as char).collect();
    let count = text.len() as i32;
    // The power of ten of the last digit.
    let last = exponent - (count - 1);
    let mut out = String::new();
    if value.is_sign_negative() {
        out.push('-');
    }
    let is_scientific = match last >= 0 {
        true => last > 3 || (count + last) as usize > digits,
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
        check(3.14159, "3.141590e+00");
        check(1.0e10, "1.000000e+10");
        check(std::f32::consts::PI, "3.14159274");
        check(1.0 / 3.0, "0.333333343");
        check(2f32.powi(-13), "1.22070313E-4");
        check(16777217.0, "0x4B800000");
        check(f32::INFINITY, "0x7F800000");
        check(f32::NAN, "0x7FC00000");
    }

    #[test]
    fn every_small_float_survives_a_round_trip() {
        for keyword in ["f16", "bf16", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E3M4", "f4E2M1FN"] {
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
