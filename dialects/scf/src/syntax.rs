//! The syntax of loops and choices.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult, RegionArg, UnresolvedOperand};
use tegula_ir::{Attr, OpId, Type, ValueId};

/// The terminator that text leaves out when it has no operands.
pub(crate) const YIELD: &str = "scf.yield";

pub(crate) fn region_arg(name: UnresolvedOperand, ty: Type) -> RegionArg {
    RegionArg::new(name, ty)
}

/// Reads `(%arg = %init, …)`, the opening consumed or not: names of arguments and initial values.
pub(crate) fn parse_assignments(
    p: &mut OpParser<'_>,
) -> ParseResult<Vec<(UnresolvedOperand, UnresolvedOperand)>> {
    p.expect("(")?;
    let mut list = Vec::new();
    if p.eat(")") {
        return Ok(list);
    }
    loop {
        let arg = p.argument()?;
        p.expect("=")?;
        list.push((arg, p.operand()?));
        if !p.eat(",") {
            break;
        }
    }
    p.expect(")")?;
    Ok(list)
}

/// Prints `(%arg = %init, …)`.
pub(crate) fn print_assignments(p: &mut OpPrinter<'_>, args: &[ValueId], inits: &[ValueId]) {
    p.write("(");
    for (index, (&arg, &init)) in args.iter().zip(inits).enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        p.operand(arg);
        p.write(" = ");
        p.operand(init);
    }
    p.write(")");
}

/// Reads a list of types, in parentheses or one alone.
fn parse_types(p: &mut OpParser<'_>) -> ParseResult<Vec<Type>> {
    p.function_results()
}

pub(crate) fn parse_for(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    if p.eat("unsigned") {
        state.attr("unsignedCmp", Attr::unit());
    }
    let counter = p.argument()?;
    p.expect("=")?;
    let lower = p.operand()?;
    p.expect("to")?;
    let upper = p.operand()?;
    p.expect("step")?;
    let step = p.operand()?;
    let mut carried = Vec::new();
    if p.eat("iter_args") {
        carried = parse_assignments(p)?;
        p.expect("->")?;
        state.results = parse_types(p)?.into();
    }
    let ty = if p.eat(":") { p.ty()? } else { Type::index() };
    state.operands.extend(p.resolve_same(&[lower, upper, step], ty)?);
    if carried.len() != state.results.len() {
        return Err(
            p.error_at(state.span, "mismatch in number of loop-carried values and defined values")
        );
    }
    let inits: Vec<_> = carried.iter().map(|(_, init)| *init).collect();
    let types = state.results.clone();
    p.resolve_into(&inits, &types, state)?;
    let mut args = vec![region_arg(counter, ty)];
    args.extend(carried.iter().zip(&types).map(|((arg, _), &ty)| region_arg(*arg, ty)));
    let region = p.region(&args)?;
    p.ensure_terminator(region, YIELD);
    state.regions.push(region);
    p.attr_dict(state)
}

pub(crate) fn print_for(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let operands: Vec<ValueId> = body.operands(op).collect();
    let args: &[ValueId] = body.region_entry(op, 0).map_or(&[], |block| body.block_args(block));
    let (&[lower, upper, step, ref inits @ ..], Some((&counter, carried))) =
        (operands.as_slice(), args.split_first())
    else {
        return;
    };
    if body.attr(op, "unsignedCmp").is_some() {
        p.write(" unsigned");
    }
    p.write(" ");
    p.operand(counter);
    p.write(" = ");
    p.operand(lower);
    p.write(" to ");
    p.operand(upper);
    p.write(" step ");
    p.operand(step);
    if !inits.is_empty() {
        p.write(" iter_args");
        print_assignments(p, carried, inits);
        p.write(" -> (");
        p.types_of(inits.iter().copied());
        p.write(")");
    }
    if !body.ty(counter).is_index() {
        p.write("  : ");
        p.ty(body.ty(counter));
    }
    p.write(" ");
    if let Some(region) = body.region(op, 0) {
        p.region_with(region, false, !inits.is_empty(), false);
    }
    p.attr_dict(op, &["unsignedCmp"]);
}

pub(crate) fn parse_if(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let condition = p.operand()?;
    state.operands.push(p.resolve(condition, Type::int(1))?);
    if p.eat("->") {
        state.results = parse_types(p)?.into();
    }
    let then = p.region(&[])?;
    p.ensure_terminator(then, YIELD);
    state.regions.push(then);
    let otherwise = if p.eat("else") {
        let otherwise = p.region(&[])?;
        p.ensure_terminator(otherwise, YIELD);
        otherwise
    } else {
        p.empty_region()
    };
    state.regions.push(otherwise);
    p.attr_dict(state)
}

pub(crate) fn print_if(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    p.write(" ");
    p.operands(body.operands(op));
    let yields = body.num_results(op) > 0;
    if yields {
        p.write(" -> (");
        p.types_of(body.results(op));
        p.write(")");
    }
    for (index, &region) in body.regions(op).iter().enumerate() {
        if index > 0 {
            if body.first_block(region).is_none() {
                break;
            }
            p.write(" else");
        }
        p.write(" ");
        p.region_with(region, false, yields, false);
    }
    p.attr_dict(op, &[]);
}

pub(crate) fn parse_while(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let carried = if p.at("(") { parse_assignments(p)? } else { Vec::new() };
    p.expect(":")?;
    let (inputs, results) = p.function_type()?;
    if inputs.len() != carried.len() {
        return Err(p.error_at(
            state.span,
            format!("expected as many input types as operands ({})", carried.len()),
        ));
    }
    let inits: Vec<_> = carried.iter().map(|(_, init)| *init).collect();
    p.resolve_into(&inits, &inputs, state)?;
    state.results = results.into();
    let args: Vec<RegionArg> =
        carried.iter().zip(&inputs).map(|((arg, _), &ty)| region_arg(*arg, ty)).collect();
    let before = p.region(&args)?;
    p.expect("do")?;
    let after = p.region(&[])?;
    p.ensure_terminator(after, YIELD);
    state.regions.extend([before, after]);
    p.attr_dict_with_keyword(state)
}

pub(crate) fn print_while(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let args: &[ValueId] = body.region_entry(op, 0).map_or(&[], |block| body.block_args(block));
    let inits: Vec<ValueId> = body.operands(op).collect();
    if !inits.is_empty() {
        p.write(" ");
        print_assignments(p, args, &inits);
    }
    p.write(" : ");
    p.op_functional_type(op);
    p.write(" ");
    if let &[before, after] = body.regions(op) {
        p.region_with(before, false, true, false);
        p.write(" do ");
        p.region(after);
    }
    p.attr_dict_with_keyword(op, &[]);
}

pub(crate) fn parse_index_switch(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let arg = p.operand()?;
    state.operands.push(p.resolve(arg, Type::index())?);
    p.attr_dict(state)?;
    if p.eat("->") {
        state.results = p.type_list()?.into();
    }
    let mut cases = Vec::new();
    let mut regions = Vec::new();
    while p.eat("case") {
        cases.push(p.integer()?);
        let region = p.region(&[])?;
        p.ensure_terminator(region, YIELD);
        regions.push(region);
    }
    p.expect("default")?;
    let default = p.region(&[])?;
    p.ensure_terminator(default, YIELD);
    state.regions.push(default);
    state.regions.extend(regions);
    state.attr("cases", Attr::i64_array(&cases));
    Ok(())
}

pub(crate) fn print_index_switch(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    p.write(" ");
    p.operands(body.operands(op));
    p.attr_dict(op, &["cases"]);
    if body.num_results(op) > 0 {
        p.write(" -> ");
        p.types_of(body.results(op));
    }
    // The format of this op ends its line with a blank.
    p.write(" ");
    let cases = body.attr(op, "cases").and_then(Attr::as_dense_array).unwrap_or(&[]);
    let Some((&default, regions)) = body.regions(op).split_first() else { return };
    for (&case, &region) in cases.iter().zip(regions) {
        p.newline();
        p.display(format_args!("case {case} "));
        p.region_with(region, false, true, false);
    }
    p.newline();
    p.write("default ");
    p.region_with(default, false, body.num_results(op) > 0, false);
}

pub(crate) fn parse_execute_region(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    if p.eat("->") {
        state.results = parse_types(p)?.into();
    }
    if p.eat("no_inline") {
        state.attr("no_inline", Attr::unit());
    }
    let region = p.region(&[])?;
    state.regions.push(region);
    p.attr_dict(state)
}

pub(crate) fn print_execute_region(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    if body.num_results(op) > 0 {
        p.write(" -> ");
        p.result_types(body.results(op).map(|result| body.ty(result)));
    }
    p.write(" ");
    if body.attr(op, "no_inline").is_some() {
        p.write("no_inline ");
    }
    if let Some(region) = body.region(op, 0) {
        p.region_with(region, false, true, false);
    }
    p.attr_dict(op, &["no_inline"]);
}
