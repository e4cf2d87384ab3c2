//! Sparse attributes in text: `sparse<indices, values> : type`.

use super::asm_parser::{AsmParser, ParseResult};
use super::asm_printer::AsmPrinter;
use super::parse_dense::dense_attr;
use super::print_dense::{ELIDED, signed};
use crate::{Attr, AttrData, DenseData, Type};

/// The bytes of an index.
const INDEX: usize = 8;

impl AsmParser<'_> {
    pub(crate) fn sparse(&mut self, given: Option<Type>) -> ParseResult<Attr> {
        self.advance();
        let open = self.tok.start;
        self.balanced()?;
        let span = self.span_from(open);
        let ty = self.shaped_type(given)?;
        let (after, type_end) = (self.tok.start, self.last_end);
        self.reset_to(open + 1);
        let shape = ty.shape().unwrap_or(&[]);
        let rank = shape.len() as i64;
        if rank == 0 {
            return Err(self.error_at(span, format!("`{ty}` has no indices")));
        }
        let of = |shape: &[i64], element| Type::tensor(shape, element, None);
        let (indices, values) = if self.at(">") {
            let none = |ty| dense_attr(ty, Vec::new(), false);
            let element = ty.element_or_self();
            (none(of(&[0, rank], Type::int(64))), none(of(&[0], element)))
        } else {
            let indices = self.elements(Type::int(64))?;
            // One place may be written without brackets.
            let places = match &*indices.shape {
                [] => vec![1, rank],
                [1] if rank == 1 => vec![1, 1],
                shape => shape.to_vec(),
            };
            let fits = match *places {
                [_, inner] => inner == rank,
                [_] => rank == 1,
                _ => false,
            };
            if !fits {
                let message = format!("the indices have the shape {places:?}, the type is `{ty}`");
                return Err(self.error_at(span, message));
            }
            let indices = indices.attr(of(&places, Type::int(64)));
            self.expect(",")?;
            (indices, self.sparse_values(places[0], ty)?)
        };
        self.expect(">")?;
        if let Some(index) = outside(shape, indices) {
            return Err(self.error_at(span, format!("the index {index:?} is not in `{ty}`")));
        }
        self.reset_to(after);
        self.last_end = type_end.max(self.last_end);
        Ok(Attr::new(AttrData::Sparse { ty, indices, values }))
    }

    /// As many values as there are places.
    fn sparse_values(&mut self, places: i64, ty: Type) -> ParseResult<Attr> {
        let element = ty.element_or_self();
        let values_type = Type::tensor(&[places], element, None);
        if self.at_hex(element) {
            return self.dense_hex(values_type);
        }
        let span = self.span();
        let values = self.elements(element)?;
        if !values.shape.is_empty() && *values.shape != [places] {
            let message = format!("the values have the shape {:?}, not [{places}]", values.shape);
            return Err(self.error_at(span, message));
        }
        Ok(values.attr(values_type))
    }
}

/// The first index that is not in a shape.
fn outside(shape: &[i64], indices: Attr) -> Option<Vec<i64>> {
    let AttrData::Dense { data, .. } = indices.data() else { return None };
    let index = |bytes: &[u8]| signed(bytes) as i64;
    let is_outside =
        |at: &Vec<i64>| at.iter().zip(shape).any(|(at, size)| !(0..*size).contains(at));
    match data {
        DenseData::Splat(one) => Some(vec![index(one); shape.len()]).filter(is_outside),
        DenseData::Bytes(all) => {
            let rows = all.chunks(INDEX * shape.len());
            rows.map(|row| row.chunks(INDEX).map(index).collect()).find(is_outside)
        }
    }
}

impl AsmPrinter<'_> {
    /// Prints `sparse<…>` without the type.
    pub(crate) fn sparse(&mut self, indices: Attr, values: Attr) {
        let AttrData::Dense { ty, data } = indices.data() else { return };
        let elided = |of: Attr| match of.data() {
            AttrData::Dense { ty, data } => self.elides(*ty, data),
            _ => false,
        };
        if elided(indices) || elided(values) {
            self.write(ELIDED);
            return;
        }
        self.write("sparse<");
        let places = ty.shape().and_then(|shape| shape.first()).copied().unwrap_or(0);
        if places > 0 {
            match data {
                DenseData::Splat(one) if places == 1 => self.dense_element(Type::int(64), one),
                DenseData::Splat(one) => self.listed(*ty, |_| one),
                DenseData::Bytes(all) => {
                    self.listed(*ty, |index| all.get(index * INDEX..).unwrap_or(&[]));
                }
            }
            self.write(", ");
            match values.data() {
                AttrData::Dense { ty, data } => self.elements(*ty, data),
                AttrData::DenseStrings { ty, values } => self.strings(*ty, values),
                _ => {}
            }
        }
        self.write(">");
    }
}
