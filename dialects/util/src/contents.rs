//! The text of attributes that stand for the contents of buffers.

use tegula_ir::text::{AsmParser, AsmPrinter, ParseResult};
use tegula_ir::{Attr, Type};

/// ` : type`, where nothing else stands.
pub(crate) fn parse_typed(p: &mut AsmParser<'_>) -> ParseResult<Vec<Attr>> {
    p.expect(":")?;
    Ok(vec![Attr::ty(p.ty()?)])
}

pub(crate) fn print_typed(p: &mut AsmPrinter<'_>, params: &[Attr]) {
    if let Some(ty) = params.last().and_then(|ty| ty.as_type()) {
        p.write(" : ");
        p.ty(ty);
    }
}

/// `<seed> : type`
pub(crate) fn parse_byte_pattern(p: &mut AsmParser<'_>) -> ParseResult<Vec<Attr>> {
    p.expect("<")?;
    let pattern = Attr::i64(p.integer()?);
    p.expect(">")?;
    p.expect(":")?;
    Ok(vec![pattern, Attr::ty(p.ty()?)])
}

pub(crate) fn print_byte_pattern(p: &mut AsmPrinter<'_>, params: &[Attr]) {
    p.write("<");
    if let Some(&pattern) = params.first() {
        p.attr_no_type(pattern);
    }
    p.write(">");
    print_typed(p, params);
}

/// `<4xi8, [value, …]>`: the length in bytes, and the values; one comma may follow the last.
pub(crate) fn parse_composite(p: &mut AsmParser<'_>) -> ParseResult<Vec<Attr>> {
    p.expect("<")?;
    let at = p.span();
    let length = p.dims(true)?;
    let (&[length], true) = (&length[..], p.ty()? == Type::int(8)) else {
        return Err(p.error_at(at, "expected a length in bytes (`4xi8`)"));
    };
    p.expect(",")?;
    p.expect("[")?;
    let mut values = Vec::new();
    while !p.at("]") {
        values.push(p.attr()?);
        if !p.eat(",") {
            break;
        }
    }
    p.expect("]")?;
    p.expect(">")?;
    Ok(vec![Attr::i64(length), Attr::array(&values)])
}

pub(crate) fn print_composite(p: &mut AsmPrinter<'_>, params: &[Attr]) {
    let length = params.first().and_then(|l| l.as_int()).unwrap_or_default();
    let values = params.get(1).and_then(|v| v.as_array()).unwrap_or(&[]);
    p.display(format_args!("<{length}xi8, ["));
    if length > 0 {
        p.write("\n");
        for &value in values {
            p.write("    ");
            p.attr(value);
            p.write(",\n");
        }
    }
    p.write("]>");
}
