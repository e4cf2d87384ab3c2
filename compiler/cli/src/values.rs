//! Inputs and outputs as they are written on the command line.

use std::path::Path;

use crate::npy::{self, Array};
use tegula_smith::Random;

/// Reads `@file.npy`, `4x8xf32` (zeros), `4x8xf32=1` (a splat) or `2xf32=1,2`; brackets around
/// and between the numbers are allowed.
pub fn parse(text: &str) -> Result<Array, String> {
    if let Some(path) = text.strip_prefix('@') {
        return npy::read(Path::new(path)).map_err(|e| format!("{path}: {e}"));
    }
    let (ty, values) = text.split_once('=').map_or((text, None), |(ty, v)| (ty, Some(v)));
    let (shape, element) = parse_type(ty)
        .ok_or_else(|| format!("'{ty}' is no type like 4x8xf32; files are written @file.npy"))?;
    let count = shape.iter().try_fold(1i64, |n, &d| n.checked_mul(d));
    let count = count.and_then(|n| usize::try_from(n).ok()).ok_or("the shape is too large")?;
    let mut numbers = Vec::new();
    for word in values.unwrap_or("0").split([',', ' ', '[', ']']).filter(|w| !w.is_empty()) {
        numbers.push(encode(element, word).ok_or_else(|| format!("'{word}' is no {element}"))?);
    }
    let bytes = match numbers.len() {
        1 => {
            let mut bytes = room(count, numbers[0].len()).ok_or("the shape is too large")?;
            (0..count).for_each(|_| bytes.extend_from_slice(&numbers[0]));
            bytes
        }
        n if n == count => numbers.concat(),
        n => return Err(format!("{n} numbers for {count} elements")),
    };
    Ok(Array { shape, element, bytes })
}

/// Memory for that many elements of a width; none when there is not that much.
fn room(count: usize, width: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(count.checked_mul(width)?).ok()?;
    Some(bytes)
}

fn parse_type(text: &str) -> Option<(Vec<i64>, &'static str)> {
    let mut parts: Vec<&str> = text.trim().split('x').collect();
    let element = npy::element_name(parts.pop()?)?;
    let shape = parts.into_iter().map(|d| d.parse().ok().filter(|&d: &i64| d >= 0));
    Some((shape.collect::<Option<_>>()?, element))
}

fn encode(element: &str, word: &str) -> Option<Vec<u8>> {
    Some(match element {
        "f32" => word.parse::<f32>().ok()?.to_le_bytes().to_vec(),
        "f64" => word.parse::<f64>().ok()?.to_le_bytes().to_vec(),
        "i1" => vec![u8::from(matches!(word, "true" | "1"))],
        "i8" => word.parse::<i8>().ok()?.to_le_bytes().to_vec(),
        "i16" => word.parse::<i16>().ok()?.to_le_bytes().to_vec(),
        "i32" => word.parse::<i32>().ok()?.to_le_bytes().to_vec(),
        "i64" => word.parse::<i64>().ok()?.to_le_bytes().to_vec(),
        _ => return None,
    })
}

/// How random inputs are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// Uniform in [-1, 1).
    Unit,
    /// Whole numbers from -4 to 4: sums of products stay exact in `f32`.
    Small,
}

/// An array of random elements; none for element types that can't be drawn, and when there is not
/// that much memory.
pub fn random(shape: &[i64], element: &str, draw: Draw, random: &mut Random) -> Option<Array> {
    let element = npy::element_name(element)?;
    let count = shape.iter().try_fold(1i64, |n, &d| n.checked_mul(d))?;
    let width = if element == "f64" { 8 } else { 4 };
    let mut bytes = room(usize::try_from(count).ok()?, width)?;
    for _ in 0..count {
        let number = match draw {
            Draw::Unit => random.unit(),
            Draw::Small => random.small(4) as f64,
        };
        match element {
            "f32" => bytes.extend_from_slice(&(number as f32).to_le_bytes()),
            "f64" => bytes.extend_from_slice(&number.to_le_bytes()),
            _ => return None,
        }
    }
    Some(Array { shape: shape.to_vec(), element, bytes })
}

/// The elements of an array of floats, widened.
pub fn floats(array: &Array) -> Option<Vec<f64>> {
    match array.element {
        "f32" => {
            Some(array.bytes.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b).into()).collect())
        }
        "f64" => Some(array.bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_values() {
        let array = parse("2x2xf32=[[1 2][3 4.5]]").expect("a value");
        assert_eq!((array.shape.as_slice(), array.element), (&[2, 2][..], "f32"));
        assert_eq!(floats(&array), Some(vec![1.0, 2.0, 3.0, 4.5]));
        assert_eq!(parse("3xi8=7").expect("a splat").bytes, [7, 7, 7]);
        assert!(parse("f64=-2").expect("a scalar").shape.is_empty());
        assert!(parse("0x4xf32").expect("an empty array").bytes.is_empty());
    }

    #[test]
    fn wrong_values_are_errors() {
        for text in [
            "2xf99=1",
            "2xf32=1,2,3",
            "-1xf32",
            "2xi8=300",
            "",
            "4611686018427387904x4xf32",
            "4611686018427387904xf32=1",
            "99999999999999xf32",
            "@/no/such.npy",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
