//! Syntax that no format says.

use tegula_ir::OpId;
use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult};

/// Reads elements and the type that they make up.
pub(crate) fn parse_from_elements(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let elements = p.operand_list()?;
    p.attr_dict(state)?;
    let at = p.span();
    let ty = p.colon_type()?;
    let Some(element) = ty.element() else {
        return Err(p.error_at(at, "expected a shaped type"));
    };
    state.operands = p.resolve_same(&elements, element)?.into();
    state.results.push(ty);
    Ok(())
}

/// Prints elements and the type that they make up.
pub(crate) fn print_from_elements(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    p.write(" ");
    p.operands(body.operands(op));
    p.attr_dict(op, &[]);
    p.write(" : ");
    p.types_of(body.results(op));
}
