//! Memory of functions, and values with whether they were exchanged.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult};
use tegula_ir::{Attr, OpId, Subject, Type};

/// `inalloca %count x type {…} : (i32) -> !llvm.ptr`
pub(crate) fn parse_alloca(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    if p.eat("inalloca") {
        state.attr("inalloca", Attr::unit());
    }
    let count = p.operand()?;
    p.expect("x")?;
    let ty = p.ty()?;
    state.attr("elem_type", Attr::ty(ty));
    p.attr_dict(state)?;
    p.expect(":")?;
    let (inputs, results) = p.function_type()?;
    p.resolve_into(&[count], &inputs, state)?;
    state.results.extend(results);
    Ok(())
}

/// Prints `alloca`.
pub(crate) fn print_alloca(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    p.write(if body.attr(op, "inalloca").is_some() { " inalloca " } else { " " });
    p.operands(body.operands(op));
    p.write(" x ");
    if let Some(ty) = body.attr(op, "elem_type").and_then(Attr::as_type) {
        p.ty(ty);
    }
    p.attr_dict_own_last(op, &["elem_type", "inalloca"]);
    p.write(" : ");
    p.op_functional_type(op);
}

/// What `cmpxchg` gives.
pub(crate) fn exchanged(from: Subject) -> Option<Type> {
    let Subject::Type(ty) = from else { return None };
    let body = Attr::array(&[Attr::ty(ty), Attr::ty(Type::int(1))]);
    let no = Attr::bool(false);
    Some(Type::dialect("llvm.struct", &[Attr::absent(), body, no, no]))
}
