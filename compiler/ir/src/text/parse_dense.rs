//! Dense and resource attributes from text.

use std::sync::Arc;

use tegula_schema::Signedness;

use super::asm_parser::{AsmParser, ParseResult};
use super::grow;
use super::lexer::Tok;
use super::print_dense::element_bytes;
use crate::{Attr, AttrData, DenseData, Ident, Type, TypeData};

/// Elements while they are read: their bytes, how many there are, and the brackets around them.
#[derive(Default)]
pub(super) struct Elements {
    bytes: Vec<u8>,
    strings: Vec<Box<[u8]>>,
    count: usize,
    pub(super) shape: Vec<i64>,
    /// The shape is known: further lists must agree with it.
    closed: bool,
}

impl Elements {
    /// The attribute of these elements, which have the shape of the type or are one for all.
    pub(super) fn attr(self, ty: Type) -> Attr {
        match self.strings.is_empty() {
            true => dense_attr(ty, self.bytes, self.shape.is_empty()),
            false => Attr::new(AttrData::DenseStrings { ty, values: self.strings.into() }),
        }
    }
}

impl AsmParser<'_> {
    pub(crate) fn dense(&mut self, given: Option<Type>) -> ParseResult<Attr> {
        self.advance();
        let open = self.tok.start;
        self.balanced()?;
        let ty = self.shaped_type(given)?;
        let (after, type_end) = (self.tok.start, self.last_end);
        self.reset_to(open + 1);
        let attr = self.dense_elements(ty)?;
        self.expect(">")?;
        let elements_end = self.last_end;
        self.reset_to(after);
        self.last_end = type_end.max(elements_end);
        Ok(attr)
    }

    pub(super) fn shaped_type(&mut self, given: Option<Type>) -> ParseResult<Type> {
        let span = self.span();
        let ty = match given {
            Some(ty) => ty,
            None => self.colon_type()?,
        };
        let is_container = matches!(
            ty.data(),
            TypeData::RankedTensor { .. } | TypeData::Vector { .. } | TypeData::MemRef { .. }
        );
        if !is_container || !ty.has_static_shape() {
            return Err(self.error_at(span, "the type of elements has a static shape"));
        }
        Ok(ty)
    }

    fn dense_elements(&mut self, ty: Type) -> ParseResult<Attr> {
        let span = self.span();
        let element = ty.element_or_self();
        let expected = ty.num_elements().unwrap_or(0);
        if self.at(">") {
            if expected != 0 {
                return Err(self.error_at(span, format!("expected {expected} elements")));
            }
            return Ok(Attr::new(AttrData::Dense { ty, data: DenseData::Bytes(Arc::new([])) }));
        }
        if self.at_hex(element) {
            return self.dense_hex(ty);
        }
        let elements = self.elements(element)?;
        if !elements.shape.is_empty() && elements.shape != ty.shape().unwrap_or(&[]) {
            let found = &elements.shape;
            return Err(self.error_at(
                span,
                format!("the elements have the shape {found:?}, which is not that of `{ty}`"),
            ));
        }
        Ok(elements.attr(ty))
    }

    /// Whether the bytes of elements come next, in hexadecimal.
    pub(super) fn at_hex(&self, element: Type) -> bool {
        self.tok.kind == Tok::Str
            && self.token_text().starts_with("\"0x")
            && element_bytes(element).is_some()
    }

    /// One element, or a list of them in brackets.
    pub(super) fn elements(&mut self, element: Type) -> ParseResult<Elements> {
        let mut elements = Elements::default();
        self.elements_into(element, 0, &mut elements)?;
        Ok(elements)
    }

    fn elements_into(
        &mut self,
        element: Type,
        depth: usize,
        out: &mut Elements,
    ) -> ParseResult<()> {
        if self.tok.kind != Tok::LSquare {
            out.count += 1;
            out.closed |= depth > 0 && out.shape.len() == depth;
            return self.element(element, out);
        }
        let span = self.span();
        self.advance();
        if out.shape.len() == depth {
            if out.closed || out.count > 0 {
                return Err(self.error_at(span, "the lists have different depths"));
            }
            // The size is set when the first list of this depth ends.
            out.shape.push(-1);
        }
        let mut count = 0i64;
        if !self.eat("]") {
            loop {
                let before = out.count;
                let is_list = self.tok.kind == Tok::LSquare;
                grow(|| self.elements_into(element, depth + 1, out))?;
                let leaf = !is_list && out.count == before + 1;
                if leaf && out.shape.len() > depth + 1 {
                    return Err(self.error_at(span, "the lists have different depths"));
                }
                count += 1;
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("]")?;
        }
        match out.shape.get_mut(depth) {
            Some(size) if *size < 0 => *size = count,
            Some(size) if *size != count => {
                let size = *size;
                return Err(self.error_at(
                    span,
                    format!("this list has {count} elements, those before it {size}"),
                ));
            }
            _ => {}
        }
        Ok(())
    }

    fn element(&mut self, element: Type, out: &mut Elements) -> ParseResult<()> {
        if let TypeData::Complex(part) = element.data() {
            self.expect("(")?;
            self.scalar(*part, &mut out.bytes)?;
            self.expect(",")?;
            self.scalar(*part, &mut out.bytes)?;
            return self.expect(")");
        }
        if self.tok.kind == Tok::Str {
            let bytes = self.eat_string_bytes().unwrap_or_default();
            out.strings.push(bytes.into());
            return Ok(());
        }
        self.scalar(element, &mut out.bytes)
    }

    fn scalar(&mut self, element: Type, out: &mut Vec<u8>) -> ParseResult<()> {
        let start = self.tok.start;
        let Some(size) = element_bytes(element) else {
            return Err(self.error(format!("`{element}` is no type of dense elements")));
        };
        if self.tok.kind == Tok::Bare && element.is_int(1) {
            out.push(u8::from(self.boolean()?));
            return Ok(());
        }
        let negative = self.eat_tok(Tok::Minus);
        let (kind, text) = (self.tok.kind, self.token_text());
        if !matches!(kind, Tok::Int | Tok::Float) {
            return Err(self.expected("an element"));
        }
        self.advance();
        let span = self.span_from(start);
        let value = if element.is_float() {
            self.float_bits(negative, kind, text, element, span)?
        } else {
            self.int_value(negative, kind, text, element, span)? as u128
        };
        let bytes = value.to_le_bytes();
        out.extend_from_slice(bytes.get(..size).unwrap_or(&bytes));
        Ok(())
    }

    pub(super) fn dense_hex(&mut self, ty: Type) -> ParseResult<Attr> {
        let span = self.span();
        let element = ty.element_or_self();
        let size = element_bytes(element).unwrap_or(1).max(1);
        let Some(raw) = self.eat_hex() else {
            return Err(self.error_at(span, "expected an even number of hexadecimal digits"));
        };
        let expected = ty.num_elements().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        let full = expected.saturating_mul(size);
        let splat = raw.len() == size && raw.len() != full;
        if !splat && raw.len() != full {
            return Err(self
                .error_at(span, format!("expected {full} bytes for `{ty}`, found {}", raw.len())));
        }
        Ok(dense_attr(ty, raw, splat))
    }

    /// The bytes of `"0x…"`; none when they are no pairs of digits.
    pub(super) fn eat_hex(&mut self) -> Option<Vec<u8>> {
        let text = self.token_text();
        self.advance();
        let digits = text.get(3..text.len() - 1)?.as_bytes();
        let nibble = |c: u8| (c as char).to_digit(16).map(|d| d as u8);
        let bytes = |pair: &[u8]| Some(nibble(pair[0])? << 4 | nibble(*pair.get(1)?)?);
        digits.chunks(2).map(bytes).collect()
    }

    pub(crate) fn dense_resource(&mut self, given: Option<Type>) -> ParseResult<Attr> {
        self.advance();
        self.expect("<")?;
        let key = Ident::of(&self.keyword_or_string()?);
        self.expect(">")?;
        let ty = self.shaped_type(given)?;
        Ok(Attr::new(AttrData::DenseResource { key, ty, blob: self.aliases.resource(key) }))
    }
}

/// A dense attribute; elements that are all equal become a splat.
pub fn dense_attr(ty: Type, mut bytes: Vec<u8>, splat: bool) -> Attr {
    let element = ty.element_or_self();
    let size = element_bytes(element).unwrap_or(1).max(1);
    fill_bytes(element, &mut bytes);
    let equal = !bytes.is_empty()
        && bytes.len() >= size
        && bytes.chunks(size).all(|chunk| chunk == &bytes[..size]);
    let data = if splat || equal {
        DenseData::Splat(bytes.get(..size).unwrap_or(&bytes).into())
    } else {
        DenseData::Bytes(bytes.into())
    };
    Attr::new(AttrData::Dense { ty, data })
}

/// The dense attribute of these integers or floats, in row-major order; none when the type has
/// another number of elements, or elements of another type.
pub fn dense_of(ty: Type, elements: &[Attr]) -> Option<Attr> {
    let element = ty.element()?;
    let size = element_bytes(element)?;
    if ty.num_elements() != i64::try_from(elements.len()).ok() {
        return None;
    }
    let mut bytes = Vec::with_capacity(size * elements.len());
    for attr in elements {
        let bits = match attr.data() {
            AttrData::Integer { value, ty } if *ty == element => value.cast_unsigned(),
            AttrData::Float { bits, ty } if *ty == element => *bits,
            _ => return None,
        };
        bytes.extend_from_slice(bits.to_le_bytes().get(..size)?);
    }
    Some(dense_attr(ty, bytes, false))
}

/// Gives the bits above elements of a width that is no whole number of bytes the one value that
/// they have: that of the sign, or zero where there is none. A single bit is set by any.
fn fill_bytes(element: Type, bytes: &mut [u8]) {
    let part = match element.data() {
        TypeData::Complex(part) => *part,
        _ => element,
    };
    let Some(above) = part.bit_width().map(|width| width % 8).filter(|&above| above > 0) else {
        return;
    };
    let signed = match part.data() {
        TypeData::Integer { width, sign } => *width > 1 && *sign != Signedness::Unsigned,
        _ => false,
    };
    let size = element_bytes(part).unwrap_or(1).max(1);
    for one in bytes.chunks_mut(size) {
        let Some(last) = one.last_mut() else { return };
        *last = match part.is_int(1) {
            true => u8::from(*last != 0),
            false if signed => ((*last << (8 - above)) as i8 >> (8 - above)).cast_unsigned(),
            false => *last & ((1 << above) - 1),
        };
    }
}
