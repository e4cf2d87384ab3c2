//! The elements of dense attributes to text.

use std::fmt::Write;

use tegula_schema::Signedness;

use super::asm_printer::AsmPrinter;
use super::float::print_float;
use crate::{DenseData, Type, TypeData};

/// More elements than this are printed as hexadecimal bytes.
const HEX_LIMIT: i64 = 100;

/// Bytes that one element takes in [`DenseData`]; none for types that dense data cannot hold.
pub(crate) fn element_bytes(ty: Type) -> Option<usize> {
    match ty.data() {
        TypeData::Index => Some(8),
        TypeData::Complex(part) => Some(2 * element_bytes(*part)?),
        _ => Some((ty.bit_width()? as usize).div_ceil(8)),
    }
}

impl AsmPrinter<'_> {
    /// Prints `dense<…>` without the type.
    pub(crate) fn dense(&mut self, ty: Type, data: &DenseData) {
        let element = ty.element_or_self();
        let size = element_bytes(element).unwrap_or(1).max(1);
        match data {
            DenseData::Splat(bytes) => {
                self.write("dense<");
                if ty.num_elements() != Some(0) {
                    self.dense_element(element, bytes);
                }
                self.write(">");
            }
            DenseData::Bytes(bytes) => {
                let count = (bytes.len() / size) as i64;
                let limit = self.options.elide_elements_if_larger;
                if limit.is_some_and(|limit| count > limit as i64) {
                    self.write("dense_resource<__elided__>");
                    return;
                }
                self.write("dense<");
                if count > HEX_LIMIT {
                    self.out.push_str("\"0x");
                    self.hex_bytes(element, bytes);
                    self.out.push('"');
                } else if count > 0 {
                    let shape = ty.shape().unwrap_or(&[]);
                    let mut next = 0;
                    self.nested(shape, &mut |p| {
                        let from = next * size;
                        next += 1;
                        p.dense_element(element, bytes.get(from..from + size).unwrap_or(&[]));
                    });
                }
                self.write(">");
            }
        }
    }

    pub(crate) fn dense_strings(&mut self, ty: Type, values: &[Box<[u8]>]) {
        self.write("dense<");
        match values {
            [one] => self.string(one),
            _ => {
                let mut rest = values.iter();
                self.nested(ty.shape().unwrap_or(&[]), &mut |p| {
                    if let Some(value) = rest.next() {
                        p.string(value);
                    }
                });
            }
        }
        self.write(">");
    }

    /// Prints the brackets of a shape around elements in row-major order.
    fn nested(&mut self, shape: &[i64], each: &mut dyn FnMut(&mut Self)) {
        match shape {
            [] => each(self),
            [count, inner @ ..] => {
                self.write("[");
                self.comma_list(0..*count, |p, _| p.nested(inner, each));
                self.write("]");
            }
        }
    }

    fn hex_bytes(&mut self, element: Type, bytes: &[u8]) {
        let mut push = |byte: u8| {
            let _ = write!(self.out, "{byte:02X}");
        };
        if element.is_int(1) {
            // Packed, the first element in the lowest bit.
            for chunk in bytes.chunks(8) {
                push(chunk.iter().enumerate().fold(0, |acc, (i, b)| acc | (b & 1) << i));
            }
        } else {
            bytes.iter().copied().for_each(push);
        }
    }

    fn dense_element(&mut self, element: Type, bytes: &[u8]) {
        match element.data() {
            TypeData::Complex(part) => {
                let (re, im) = bytes.split_at(bytes.len() / 2);
                self.write("(");
                self.dense_element(*part, re);
                self.write(",");
                self.dense_element(*part, im);
                self.write(")");
            }
            TypeData::Float(_) => print_float(unsigned(bytes), element, &mut self.out),
            TypeData::Integer { width: 1, .. } => {
                self.write(if bytes.first().is_some_and(|b| b & 1 == 1) {
                    "true"
                } else {
                    "false"
                });
            }
            TypeData::Integer { sign: Signedness::Unsigned, .. } => self.display(unsigned(bytes)),
            _ => self.display(signed(bytes)),
        }
    }
}

/// The little-endian number of at most 16 bytes.
pub(crate) fn unsigned(bytes: &[u8]) -> u128 {
    bytes.iter().take(16).rev().fold(0, |acc, &b| acc << 8 | u128::from(b))
}

/// The little-endian two's complement number of at most 16 bytes.
pub(crate) fn signed(bytes: &[u8]) -> i128 {
    let bits = 8 * bytes.len().clamp(1, 16) as u32;
    (unsigned(bytes) << (128 - bits)) as i128 >> (128 - bits)
}
