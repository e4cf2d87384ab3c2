//! The syntax of maps with operands, and of loops.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult, RegionArg, UnresolvedOperand};
use tegula_ir::{AffineExpr, AffineExprData, AffineMap, Attr, OpId, Type, ValueId};

use crate::mixed::segment;

/// Reads `#map(%dims)[%symbols]`.
fn parse_applied(p: &mut OpParser<'_>) -> ParseResult<(AffineMap, Vec<UnresolvedOperand>)> {
    let at = p.span();
    let Some(map) = p.attr()?.as_map() else {
        return Err(p.error_at(at, "expected an affine map"));
    };
    let at = p.span();
    let mut operands = p.operands_in("(", ")")?;
    let dims = operands.len();
    if p.at("[") {
        operands.extend(p.operands_in("[", "]")?);
    }
    if dims != map.dims() as usize || operands.len() - dims != map.symbols() as usize {
        return Err(p.error_at(
            at,
            format!(
                "the map takes {} dimensions and {} symbols, not {dims} and {}",
                map.dims(),
                map.symbols(),
                operands.len() - dims
            ),
        ));
    }
    Ok((map, operands))
}

fn print_applied(p: &mut OpPrinter<'_>, map: AffineMap, operands: &[ValueId]) {
    let (dims, symbols) = operands.split_at((map.dims() as usize).min(operands.len()));
    p.attr(Attr::map(map));
    p.write("(");
    p.operands(dims.iter().copied());
    p.write(")");
    if !symbols.is_empty() {
        p.write("[");
        p.operands(symbols.iter().copied());
        p.write("]");
    }
}

/// Reads an op that applies one map to its operands.
pub(crate) fn parse_map_op(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let (map, operands) = parse_applied(p)?;
    state.attr("map", Attr::map(map));
    state.operands = p.resolve_same(&operands, Type::index())?.into();
    state.results.push(Type::index());
    p.attr_dict(state)
}

/// Prints an op that applies one map to its operands.
pub(crate) fn print_map_op(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let Some(map) = body.attr(op, "map").and_then(Attr::as_map) else { return };
    let operands: Vec<ValueId> = body.operands(op).collect();
    p.write(" ");
    print_applied(p, map, &operands);
    p.attr_dict(op, &["map"]);
}

/// Reads a bound: a constant, a value, or a map with operands and `max` or `min` before it.
fn parse_bound(
    p: &mut OpParser<'_>,
    extremum: &str,
) -> ParseResult<(AffineMap, Vec<UnresolvedOperand>)> {
    if let Some(constant) = p.eat_integer()? {
        return Ok((AffineMap::get(0, 0, &[AffineExpr::constant(constant)]), Vec::new()));
    }
    if let Some(value) = p.eat_operand()? {
        return Ok((AffineMap::get(0, 1, &[AffineExpr::symbol(0)]), vec![value]));
    }
    p.eat(extremum);
    parse_applied(p)
}

fn print_bound(p: &mut OpPrinter<'_>, map: AffineMap, operands: &[ValueId], extremum: &str) {
    if let [only] = map.results() {
        match (only.data(), operands) {
            (AffineExprData::Constant(constant), []) => return p.display(constant),
            (AffineExprData::Symbol(0), &[value]) if map.dims() == 0 => return p.operand(value),
            _ => {}
        }
    } else {
        p.write(extremum);
        p.write(" ");
    }
    print_applied(p, map, operands);
}

fn region_arg(name: UnresolvedOperand, ty: Type) -> RegionArg {
    RegionArg::new(name, ty)
}

/// Reads a loop.
pub(crate) fn parse_for(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let counter = p.argument()?;
    p.expect("=")?;
    let (lower, lower_operands) = parse_bound(p, "max")?;
    p.expect("to")?;
    let (upper, upper_operands) = parse_bound(p, "min")?;
    let step = if p.eat("step") { p.integer()? } else { 1 };
    let mut args = vec![region_arg(counter, Type::index())];
    let mut inits = Vec::new();
    if p.eat("iter_args") {
        p.expect("(")?;
        let mut names = Vec::new();
        loop {
            names.push(p.argument()?);
            p.expect("=")?;
            inits.push(p.operand()?);
            if !p.eat(",") {
                break;
            }
        }
        p.expect(")")?;
        p.expect("->")?;
        state.results = p.function_results()?.into();
        args.extend(names.iter().zip(&state.results).map(|(&name, &ty)| region_arg(name, ty)));
    }
    state.operands.extend(p.resolve_same(&lower_operands, Type::index())?);
    state.operands.extend(p.resolve_same(&upper_operands, Type::index())?);
    let types = state.results.clone();
    p.resolve_into(&inits, &types, state)?;
    state.attr("lowerBoundMap", Attr::map(lower));
    state.attr("upperBoundMap", Attr::map(upper));
    state.attr("step", Attr::index(step));
    state.operand_segments(&[lower_operands.len(), upper_operands.len(), inits.len()]);
    let region = p.region(&args)?;
    p.ensure_terminator(region, "affine.yield");
    state.regions.push(region);
    p.attr_dict(state)
}

/// Prints a loop.
pub(crate) fn print_for(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let args: &[ValueId] = body.region_entry(op, 0).map_or(&[], |block| body.block_args(block));
    let Some((&counter, carried)) = args.split_first() else { return };
    let map = |name: &str| body.attr(op, name).and_then(Attr::as_map);
    let values = |group| segment(body, op, group).unwrap_or_default();
    p.write(" ");
    p.operand(counter);
    p.write(" = ");
    if let Some(lower) = map("lowerBoundMap") {
        print_bound(p, lower, &values(0), "max");
    }
    p.write(" to ");
    if let Some(upper) = map("upperBoundMap") {
        print_bound(p, upper, &values(1), "min");
    }
    if let Some(step) = body.attr(op, "step").and_then(Attr::as_int).filter(|&step| step != 1) {
        p.display(format_args!(" step {step}"));
    }
    let inits = values(2);
    if !inits.is_empty() {
        p.write(" iter_args(");
        for (index, (&arg, &init)) in carried.iter().zip(&inits).enumerate() {
            p.write(if index > 0 { ", " } else { "" });
            p.operand(arg);
            p.write(" = ");
            p.operand(init);
        }
        p.write(") -> (");
        p.types_of(inits.iter().copied());
        p.write(")");
    }
    p.write(" ");
    if let Some(region) = body.region(op, 0) {
        p.region_with(region, false, !inits.is_empty(), false);
    }
    p.attr_dict(op, &["lowerBoundMap", "step", "upperBoundMap"]);
}
