//! NumPy's `.npy` files: little-endian, C order, any of the element types that functions take.

use std::fmt;
use std::path::Path;

use crate::output::reason;

/// An array of plain elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Sizes, outermost first.
    pub shape: Vec<i64>,
    /// The element type in MLIR's spelling.
    pub element: &'static str,
    /// The elements in row-major order, little-endian.
    pub bytes: Vec<u8>,
}

/// Element types: MLIR's spelling, NumPy's descriptor, bytes an element.
const ELEMENTS: &[(&str, &str, usize)] = &[
    ("f32", "<f4", 4),
    ("f64", "<f8", 8),
    ("f16", "<f2", 2),
    ("i8", "|i1", 1),
    ("i16", "<i2", 2),
    ("i32", "<i4", 4),
    ("i64", "<i8", 8),
    ("i1", "|b1", 1),
];

const MAGIC: &[u8] = b"\x93NUMPY";

/// Why a file is no array that can be read.
#[derive(Debug)]
pub enum NpyError {
    /// The file can't be read or written.
    Io(std::io::Error),
    /// The content is not what the format says.
    Malformed(&'static str),
    /// An element type or order that functions don't take.
    Unsupported(String),
}

impl fmt::Display for NpyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NpyError::Io(error) => f.write_str(&reason(error)),
            NpyError::Malformed(what) => write!(f, "not a valid .npy file: {what}"),
            NpyError::Unsupported(what) => write!(f, "unsupported .npy file: {what}"),
        }
    }
}

impl From<std::io::Error> for NpyError {
    fn from(error: std::io::Error) -> Self {
        NpyError::Io(error)
    }
}

/// The `'static` spelling of an element type that files can hold.
pub fn element_name(element: &str) -> Option<&'static str> {
    ELEMENTS.iter().find(|(mlir, ..)| *mlir == element).map(|&(mlir, ..)| mlir)
}

/// Reads an array.
pub fn read(path: &Path) -> Result<Array, NpyError> {
    parse(&std::fs::read(path)?)
}

/// Reads an array from the bytes of a file.
pub fn parse(file: &[u8]) -> Result<Array, NpyError> {
    let rest = file.strip_prefix(MAGIC).ok_or(NpyError::Malformed("no NUMPY magic"))?;
    let (&[major, _minor], rest) =
        rest.split_first_chunk().ok_or(NpyError::Malformed("no version"))?;
    let (length, rest) = if major == 1 {
        let (bytes, rest) =
            rest.split_first_chunk().ok_or(NpyError::Malformed("no header length"))?;
        (u16::from_le_bytes(*bytes) as usize, rest)
    } else {
        let (bytes, rest) =
            rest.split_first_chunk().ok_or(NpyError::Malformed("no header length"))?;
        (u32::from_le_bytes(*bytes) as usize, rest)
    };
    let header = rest.get(..length).ok_or(NpyError::Malformed("header cut short"))?;
    let data = &rest[length..];
    let header =
        std::str::from_utf8(header).map_err(|_| NpyError::Malformed("header is not text"))?;

    let descr = field(header, "descr").ok_or(NpyError::Malformed("no descr"))?;
    let descr = descr.trim_start_matches(['\'', '"']);
    let descr = &descr[..descr.find(['\'', '"']).unwrap_or(descr.len())];
    let &(element, _, size) = ELEMENTS
        .iter()
        .find(|(_, numpy, _)| *numpy == descr)
        .ok_or_else(|| NpyError::Unsupported(format!("element type {descr}")))?;
    let order = field(header, "fortran_order").ok_or(NpyError::Malformed("no fortran_order"))?;
    let shape = field(header, "shape").and_then(tuple).ok_or(NpyError::Malformed("no shape"))?;
    if order.starts_with("True") && shape.iter().filter(|&&d| d > 1).count() > 1 {
        return Err(NpyError::Unsupported("Fortran order".to_owned()));
    }
    let bytes = shape.iter().try_fold(size as i64, |n, &d| n.checked_mul(d));
    if bytes != i64::try_from(data.len()).ok() {
        return Err(NpyError::Malformed("the data's length does not match the shape"));
    }
    Ok(Array { shape, element, bytes: data.to_vec() })
}

fn field<'h>(header: &'h str, name: &str) -> Option<&'h str> {
    let at = header.find(&format!("'{name}'"))?;
    header[at + name.len() + 2..].trim_start().strip_prefix(':').map(str::trim_start)
}

fn tuple(text: &str) -> Option<Vec<i64>> {
    let inner = text.strip_prefix('(')?.split_once(')')?.0;
    let sizes = inner.split(',').map(str::trim).filter(|d| !d.is_empty());
    sizes.map(|d| d.parse().ok().filter(|&d: &i64| d >= 0)).collect()
}

/// The bytes of a file that holds the array.
pub fn format(array: &Array) -> Result<Vec<u8>, NpyError> {
    let (_, descr, _) = ELEMENTS
        .iter()
        .find(|(mlir, ..)| *mlir == array.element)
        .ok_or_else(|| NpyError::Unsupported(format!("element type {}", array.element)))?;
    let sizes: Vec<String> = array.shape.iter().map(|d| format!("{d},")).collect();
    let shape = sizes.join(" ");
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    // The data starts at a multiple of 64, and the header ends in a newline.
    while !(MAGIC.len() + 4 + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let length =
        u16::try_from(header.len()).map_err(|_| NpyError::Malformed("too many dimensions"))?;
    let mut out = Vec::with_capacity(MAGIC.len() + 4 + header.len() + array.bytes.len());
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&[1, 0]);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(header.as_bytes());
    out.extend_from_slice(&array.bytes);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for shape in [vec![], vec![3], vec![2, 0, 4], vec![2, 3]] {
            let count: i64 = shape.iter().product();
            let bytes = (0..count * 4).map(|b| b as u8).collect();
            let array = Array { shape, element: "f32", bytes };
            let file = format(&array).expect("a writable array");
            assert_eq!(file.len() % 64, array.bytes.len() % 64);
            assert_eq!(parse(&file).expect("a readable file"), array);
        }
    }

    #[test]
    fn broken_files_are_errors() {
        let array = Array { shape: vec![2], element: "i32", bytes: vec![0; 8] };
        let file = format(&array).expect("a writable array");
        for cut in 0..file.len() {
            assert!(parse(&file[..cut]).is_err(), "cut at {cut}");
        }
        let fortran = String::from_utf8_lossy(&file).replace("False", "True ").into_bytes();
        assert!(parse(&fortran).is_err());
    }
}
