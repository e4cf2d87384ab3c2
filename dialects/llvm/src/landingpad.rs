//! Where exceptions arrive.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult};
use tegula_ir::{Attr, OpId};

/// `cleanup (catch %type : !llvm.ptr) (filter %types : array) : type`
pub(crate) fn parse(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    if p.eat("cleanup") {
        state.attr("cleanup", Attr::unit());
    }
    while p.eat("(") {
        let is_filter = p.keyword_of(&["catch", "filter"])? == "filter";
        let value = p.operand()?;
        let span = p.span();
        let ty = p.colon_type()?;
        if is_filter != ty.dialect_params("llvm.array").is_some() {
            return Err(p.error_at(span, "a filter is an array, and nothing else is"));
        }
        state.operands.push(p.resolve(value, ty)?);
        p.expect(")")?;
    }
    p.attr_dict(state)?;
    state.results.push(p.colon_type()?);
    Ok(())
}

/// Prints `landingpad`. Blanks stand behind what is written, so that one too many comes before a
/// dictionary and none after it.
pub(crate) fn print(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    p.write(if body.attr(op, "cleanup").is_some() { " cleanup " } else { " " });
    for value in body.operands(op) {
        let ty = body.ty(value);
        let is_filter = ty.dialect_params("llvm.array").is_some();
        p.write(if is_filter { "(filter " } else { "(catch " });
        p.operand(value);
        p.write(" : ");
        p.ty(ty);
        p.write(") ");
    }
    p.attr_dict(op, &["cleanup"]);
    p.write(": ");
    p.types_of(body.results(op));
}
