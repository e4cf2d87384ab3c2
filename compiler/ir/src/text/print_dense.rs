//! The elements of dense attributes to text.

use std::fmt::Write;

use tegula_schema::Signedness;

use super::asm_printer::AsmPrinter;
use super::float::print_float;
use crate::{DenseData, Type, TypeData};

/// More elements than this are printed as hexadecimal bytes.
const HEX_LIMIT: usize = 100;

/// What stands for elements that are not printed.
pub(super) const ELIDED: &str = "dense_resource<__elided__>";

/// Bytes that one element takes in [`DenseData`]; none for types that dense data cannot hold.
pub(crate) fn element_bytes(ty: Type) -> Option<usize> {
    match ty.data() {
        TypeData::Index => Some(8),
        TypeData::Complex(part) => Some(2 * element_bytes(*part)?),
        _ => Some((ty.bit_width()? as usize).div_ceil(8)),
    }
}

fn element_size(ty: Type) -> usize {
    element_bytes(ty.element_or_self()).unwrap_or(1).max(1)
}

impl AsmPrinter<'_> {
    /// Prints `dense<…>` without the type.
    pub(crate) fn dense(&mut self, ty: Type, data: &DenseData) {
        if self.elides(ty, data) {
            self.write(ELIDED);
            return;
        }
        self.write("dense<");
        self.elements(ty, data);
        self.write(">");
    }

    /// Whether there are more elements than are printed.
    pub(super) fn elides(&self, ty: Type, data: &DenseData) -> bool {
        let limit = self.options.elide_elements_if_larger;
        let DenseData::Bytes(bytes) = data else { return false };
        limit.is_some_and(|limit| bytes.len() / element_size(ty) > limit)
    }

    /// Prints what stands in `dense<…>`.
    pub(super) fn elements(&mut self, ty: Type, data: &DenseData) {
        let element = ty.element_or_self();
        let size = element_size(ty);
        match data {
            DenseData::Splat(bytes) if bytes.is_empty() => {}
            DenseData::Splat(bytes) => self.dense_element(element, bytes),
            DenseData::Bytes(bytes) => {
                let count = bytes.len() / size;
                if count > HEX_LIMIT {
                    self.out.push_str("\"0x");
                    self.hex_bytes(element, bytes);
                    self.out.push('"');
                } else if count > 0 {
                    self.listed(ty, |index| bytes.get(index * size..).unwrap_or(&[]));
                }
            }
        }
    }

    /// Prints elements in the brackets of their shape; each begins the bytes that it is given as.
    pub(super) fn listed<'b>(&mut self, ty: Type, bytes: impl Fn(usize) -> &'b [u8]) {
        let (element, size) = (ty.element_or_self(), element_size(ty));
        let mut next = 0;
        self.nested(ty.shape().unwrap_or(&[]), &mut |p| {
            p.dense_element(element, bytes(next).get(..size).unwrap_or(&[]));
            next += 1;
        });
    }

    pub(crate) fn dense_strings(&mut self, ty: Type, values: &[Box<[u8]>]) {
        self.write("dense<");
        self.strings(ty, values);
        self.write(">");
    }

    /// Prints what stands in `dense<…>` of strings.
    pub(super) fn strings(&mut self, ty: Type, values: &[Box<[u8]>]) {
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
        let part = match element.data() {
            TypeData::Complex(part) => *part,
            _ => element,
        };
        let above = part.bit_width().map_or(0, |width| width % 8);
        let size = element_bytes(part).unwrap_or(1).max(1);
        for (index, &byte) in bytes.iter().enumerate() {
            // What is above a width that is no whole number of bytes is not written.
            let last = above > 0 && index % size == size - 1;
            let byte = if last { byte & ((1 << above) - 1) } else { byte };
            // Writing to a string does not fail.
            let _ = write!(self.out, "{byte:02X}");
        }
    }

    pub(super) fn dense_element(&mut self, element: Type, bytes: &[u8]) {
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
