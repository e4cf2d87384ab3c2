//! Syntax that no format says.

use tegula_ir::text::{OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs};
use tegula_ir::{Attr, Type, TypeData};

/// The tensor type of a global's initial value.
pub(crate) fn tensor_of(memref: Type) -> Option<Type> {
    match memref.data() {
        TypeData::MemRef { shape, element, .. } => Some(Type::tensor(shape, *element, None)),
        _ => None,
    }
}

/// Reads `type`, `type = value` or `type = uninitialized`.
pub(crate) fn parse_global(p: &mut OpParser<'_>, args: &mut ParseArgs<'_>) -> ParseResult<bool> {
    let at = p.span();
    let ty = p.ty()?;
    *args.attr(p, 0)? = Some(Attr::ty(ty));
    if p.eat("=") {
        let value = if p.eat("uninitialized") {
            Attr::unit()
        } else {
            let Some(tensor) = tensor_of(ty) else {
                return Err(p.error_at(at, "expected a memref type"));
            };
            p.attr_of_type(tensor)?
        };
        *args.attr(p, 1)? = Some(value);
    }
    Ok(true)
}

/// Prints the same.
pub(crate) fn print_global(p: &mut OpPrinter<'_>, args: &PrintArgs) {
    if let Some(ty) = args.attr(0).and_then(Attr::as_type) {
        p.ty(ty);
    }
    match args.attr(1) {
        None => {}
        Some(value) if value == Attr::unit() => p.write(" = uninitialized"),
        Some(value) => {
            p.write(" = ");
            p.attr_no_type(value);
        }
    }
}
