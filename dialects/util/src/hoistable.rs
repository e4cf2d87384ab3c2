//! The text of `util.hoistable_conversion` and `util.unfoldable_constant`.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult, RegionArg};
use tegula_ir::{Attr, AttrData, Body, OpId, Type, ValueId};

/// The region takes the inputs and gives the results.
pub(crate) fn verify(body: &Body, op: OpId) -> Result<(), String> {
    let Some(block) = body.region_entry(op, 0) else { return Ok(()) };
    let types = |values: &mut dyn Iterator<Item = ValueId>| -> Vec<Type> {
        values.map(|value| body.ty(value)).collect()
    };
    let taken = types(&mut body.block_args(block).iter().copied());
    let given = types(&mut body.operands(op));
    if taken != given {
        return Err(format!(
            "expected {} block arguments of the types of the inputs but got {}",
            given.len(),
            taken.len()
        ));
    }
    let Some(end) = body.last_op(block) else { return Ok(()) };
    let (ends, results) = (types(&mut body.operands(end)), types(&mut body.results(op)));
    if ends != results {
        return Err(format!(
            "return has {} operands but op has {} results, or their types differ",
            ends.len(),
            results.len()
        ));
    }
    Ok(())
}

/// `"tag" inverts("tag") (%inner = %outer, …) : (types) -> types {…}`
pub(crate) fn parse_conversion(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let tag = p.string()?;
    state.attr("tag", Attr::string(&tag));
    p.expect("inverts")?;
    p.expect("(")?;
    let inverse = p.string()?;
    state.attr("inverseTag", Attr::string(&inverse));
    p.expect(")")?;
    p.expect("(")?;
    let (mut names, mut inputs) = (Vec::new(), Vec::new());
    while !p.at(")") {
        names.push(p.argument()?);
        p.expect("=")?;
        inputs.push(p.operand()?);
        if !p.eat(",") {
            break;
        }
    }
    p.expect(")")?;
    p.expect(":")?;
    let (types, results) = p.function_type()?;
    p.resolve_into(&inputs, &types, state)?;
    state.results.extend(results);
    let args: Vec<RegionArg> =
        names.into_iter().zip(types).map(|(name, ty)| RegionArg::new(name, ty)).collect();
    let region = p.region(&args)?;
    state.regions.push(region);
    p.attr_dict(state)
}

pub(crate) fn print_conversion(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let text = |name: &str| body.attr(op, name).and_then(Attr::as_str).unwrap_or_default();
    p.write(" ");
    p.string(text("tag").as_bytes());
    p.write(" inverts(");
    p.string(text("inverseTag").as_bytes());
    p.write(") (");
    let entry = body.region_entry(op, 0);
    let names = entry.map(|entry| body.block_args(entry)).unwrap_or(&[]);
    for (index, (&name, value)) in names.iter().zip(body.operands(op)).enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        p.operand(name);
        p.write(" = ");
        p.operand(value);
    }
    p.write(") : ");
    p.op_functional_type(op);
    if let Some(region) = body.region(op, 0) {
        p.write(" ");
        p.region_with(region, false, true, false);
    }
    p.attr_dict(op, &["tag", "inverseTag"]);
}

/// `{attributes} value`, and the type where the value has none.
pub(crate) fn parse_constant(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    p.attr_dict(state)?;
    let at = p.span();
    let value = p.attr()?;
    state.attr("value", value);
    let ty = match value.value_type() {
        Some(ty) => ty,
        None if matches!(value.data(), AttrData::SymbolRef { .. }) => p.colon_type()?,
        None => return Err(p.error_at(at, "the value has no type")),
    };
    state.results.push(ty);
    Ok(())
}

pub(crate) fn print_constant(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    if body.attr_entries(op).len() > 1 {
        p.write(" ");
        p.attr_dict(op, &["value"]);
    }
    p.write(" ");
    let Some(value) = body.attr(op, "value") else { return };
    p.attr(value);
    if value.value_type().is_none() {
        p.write(" : ");
        p.ty(body.ty(body.result(op, 0)));
    }
}
