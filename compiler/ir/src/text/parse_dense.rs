//! Dense, resource and sparse attributes from text.

use std::sync::Arc;

use tegula_diag::Span;

use super::asm_parser::{AsmParser, ParseResult};
use super::grow;
use super::lexer::Tok;
use super::print_dense::element_bytes;
use crate::{Attr, AttrData, DenseData, Ident, Type, TypeData};

/// Elements while they are read: their bytes, how many there are, and the brackets around them.
#[derive(Default)]
struct Elements {
    bytes: Vec<u8>,
    strings: Vec<Box<[u8]>>,
    count: usize,
    shape: Vec<i64>,
    /// The shape is known: further lists must agree with it.
    closed: bool,
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

    fn shaped_type(&mut self, given: Option<Type>) -> ParseResult<Type> {
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
        let hex = self.tok.kind == Tok::Str
            && self.token_text().starts_with("\"0x")
            && element_bytes(element).is_some();
        if hex {
            return self.dense_hex(ty, span);
        }
        let mut elements = Elements::default();
        self.elements(element, 0, &mut elements)?;
        let splat = elements.shape.is_empty();
        if !splat && elements.shape != ty.shape().unwrap_or(&[]) {
            let found = &elements.shape;
            return Err(self.error_at(
                span,
                format!("the elements have the shape {found:?}, which is not that of `{ty}`"),
            ));
        }
        if !elements.strings.is_empty() {
            return Ok(Attr::new(AttrData::DenseStrings { ty, values: elements.strings.into() }));
        }
        Ok(dense_attr(ty, elements.bytes, splat))
    }

    /// One element, or a list of them in brackets.
    fn elements(&mut self, element: Type, depth: usize, out: &mut Elements) -> ParseResult<()> {
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
                grow(|| self.elements(element, depth + 1, out))?;
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
        if element.is_int(1) {
            out.push(bytes[0] & 1);
        } else {
            out.extend_from_slice(bytes.get(..size).unwrap_or(&bytes));
        }
        Ok(())
    }

    fn dense_hex(&mut self, ty: Type, span: Span) -> ParseResult<Attr> {
        let text = self.token_text();
        let digits = text.get(3..text.len() - 1).unwrap_or("").as_bytes();
        self.advance();
        let element = ty.element_or_self();
        let size = element_bytes(element).unwrap_or(1).max(1);
        let nibble = |c: u8| (c as char).to_digit(16).map(|d| d as u8);
        let raw: Option<Vec<u8>> = digits
            .chunks(2)
            .map(|pair| Some(nibble(pair[0])? << 4 | nibble(*pair.get(1)?)?))
            .collect();
        let Some(raw) = raw else {
            return Err(self.error_at(span, "expected an even number of hexadecimal digits"));
        };
        let expected = ty.num_elements().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        let packed = element.is_int(1);
        let full = if packed { expected.div_ceil(8) } else { expected.saturating_mul(size) };
        let splat = raw.len() == if packed { 1 } else { size } && raw.len() != full;
        if !splat && raw.len() != full {
            return Err(self
                .error_at(span, format!("expected {full} bytes for `{ty}`, found {}", raw.len())));
        }
        let bytes = match packed {
            true if splat => vec![u8::from(raw[0] != 0)],
            true => (0..expected).map(|i| raw[i / 8] >> (i % 8) & 1).collect(),
            false => raw,
        };
        Ok(dense_attr(ty, bytes, splat))
    }

    pub(crate) fn dense_resource(&mut self, given: Option<Type>) -> ParseResult<Attr> {
        self.advance();
        self.expect("<")?;
        let key = Ident::of(&self.keyword_or_string()?);
        self.expect(">")?;
        let ty = self.shaped_type(given)?;
        Ok(Attr::new(AttrData::DenseResource { key, ty }))
    }

    pub(crate) fn sparse(&mut self, given: Option<Type>) -> ParseResult<Attr> {
        self.advance();
        let open = self.tok.start;
        self.balanced()?;
        let ty = self.shaped_type(given)?;
        let after = self.tok.start;
        self.reset_to(open + 1);
        let rank = ty.shape().map_or(0, <[i64]>::len) as i64;
        let mut parts = [Elements::default(), Elements::default()];
        if !self.at(">") {
            self.elements(Type::int(64), 0, &mut parts[0])?;
            self.expect(",")?;
            self.elements(ty.element_or_self(), 0, &mut parts[1])?;
        }
        self.expect(">")?;
        self.reset_to(after);
        let [indices, values] = parts;
        let count = indices.count as i64 / rank.max(1);
        let shape = if indices.shape.len() == 1 { vec![count] } else { vec![count, rank] };
        let indices_ty = Type::tensor(&shape, Type::int(64), None);
        let values_ty = Type::tensor(&[count], ty.element_or_self(), None);
        let splat = values.shape.is_empty();
        Ok(Attr::new(AttrData::Sparse {
            ty,
            indices: dense_attr(indices_ty, indices.bytes, indices.shape.is_empty()),
            values: dense_attr(values_ty, values.bytes, splat),
        }))
    }
}

/// A dense attribute; elements that are all equal become a splat.
pub fn dense_attr(ty: Type, bytes: Vec<u8>, splat: bool) -> Attr {
    let size = element_bytes(ty.element_or_self()).unwrap_or(1).max(1);
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
        let bits = if element.is_int(1) { bits & 1 } else { bits };
        bytes.extend_from_slice(bits.to_le_bytes().get(..size)?);
    }
    Some(dense_attr(ty, bytes, false))
}
