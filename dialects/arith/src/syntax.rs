//! Syntax that no format says.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult};
use tegula_ir::{Attr, AttrData, OpId, Type, TypeData};

/// Reads `%condition, %a, %b : type`, where a condition that is not one bit has its type first.
pub(crate) fn parse_select(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let operands = p.operand_list()?;
    p.attr_dict(state)?;
    let types = p.colon_types()?;
    let types = match *types {
        [ty] => vec![Type::int(1), ty, ty],
        [condition, ty] => vec![condition, ty, ty],
        _ => return Err(p.error("expected the type of the values, or of condition and values")),
    };
    p.resolve_into(&operands, &types, state)?;
    state.results.push(types[1]);
    Ok(())
}

/// Prints a choice.
pub(crate) fn print_select(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    p.write(" ");
    p.operands(body.operands(op));
    p.attr_dict(op, &[]);
    p.write(" : ");
    let condition = body.operands(op).next().map(|v| body.ty(v));
    if let Some(ty) = condition.filter(|ty| !ty.is_int(1)) {
        p.ty(ty);
        p.write(", ");
    }
    p.types_of(body.results(op));
}

/// The name of a constant: `c4` of an index, `c4_i32`, `true` and `false`, `cst` of all others.
pub(crate) fn constant_name(value: Attr) -> String {
    match value.data() {
        AttrData::Integer { value, ty } => match ty.data() {
            TypeData::Index => format!("c{value}"),
            TypeData::Integer { width: 1, .. } => (*value != 0).to_string(),
            _ => format!("c{value}_{ty}"),
        },
        AttrData::WideInteger { value, ty } => format!("c{value}_{ty}"),
        _ => "cst".to_owned(),
    }
}
