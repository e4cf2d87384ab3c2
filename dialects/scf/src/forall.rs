//! The syntax of `scf.forall`.

use tegula_dialect_affine::mixed::{ParsedList, parse_list, print_list, segment};
use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult};
use tegula_ir::{Attr, OpId, Type, ValueId};

use crate::syntax::{parse_assignments, print_assignments, region_arg};

/// The attributes that the syntax says. The mapping stands in the dictionary.
const WRITTEN: &[&str] = &["staticLowerBound", "staticStep", "staticUpperBound"];

/// Reads `(%i, …) in (bounds)` or `(%i, …) = (lower) to (upper) step (steps)`, then
/// `shared_outs(%arg = %tensor, …) -> (types)`, the body and the attributes.
pub(crate) fn parse(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    p.expect("(")?;
    let mut counters = Vec::new();
    if !p.eat(")") {
        loop {
            counters.push(p.argument()?);
            if !p.eat(",") {
                break;
            }
        }
        p.expect(")")?;
    }
    let (lower, upper, step);
    if p.eat("in") {
        upper = parse_list(p, "(", ")")?;
        lower = ParsedList { constants: vec![0; upper.constants.len()], ..Default::default() };
        step = ParsedList { constants: vec![1; upper.constants.len()], ..Default::default() };
    } else {
        p.expect("=")?;
        lower = parse_list(p, "(", ")")?;
        p.expect("to")?;
        upper = parse_list(p, "(", ")")?;
        p.expect("step")?;
        step = parse_list(p, "(", ")")?;
    }
    for list in [&lower, &upper, &step] {
        state.operands.extend(p.resolve_same(&list.values, Type::index())?);
    }
    let mut shared = Vec::new();
    if p.eat("shared_outs") {
        shared = parse_assignments(p)?;
        p.expect("->")?;
        state.results = p.function_results()?.into();
    }
    let types = state.results.clone();
    let outputs: Vec<_> = shared.iter().map(|(_, output)| *output).collect();
    p.resolve_into(&outputs, &types, state)?;
    state.attr("staticLowerBound", Attr::i64_array(&lower.constants));
    state.attr("staticUpperBound", Attr::i64_array(&upper.constants));
    state.attr("staticStep", Attr::i64_array(&step.constants));
    state.operand_segments(&[
        lower.values.len(),
        upper.values.len(),
        step.values.len(),
        outputs.len(),
    ]);
    let mut args: Vec<_> =
        counters.iter().map(|&counter| region_arg(counter, Type::index())).collect();
    args.extend(shared.iter().zip(&types).map(|((arg, _), &ty)| region_arg(*arg, ty)));
    let region = p.region(&args)?;
    ensure_writes(p, region);
    state.regions.push(region);
    p.attr_dict(state)
}

/// Adds the terminator that text may leave out, with its empty body.
fn ensure_writes(p: &mut OpParser<'_>, region: tegula_ir::RegionId) {
    p.ensure_terminator(region, "scf.forall.in_parallel");
    let body = p.body_mut();
    let last = body.first_block(region).and_then(|block| body.last_op(block));
    if let Some(op) = last.filter(|&op| body.regions(op).is_empty()) {
        let inner = body.add_region(op);
        body.append_block(inner);
    }
}

/// Prints a `forall`.
pub(crate) fn print(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let constants = |name: &str| body.attr(op, name).and_then(Attr::as_dense_array).unwrap_or(&[]);
    let values = |group| segment(body, op, group).unwrap_or_default();
    let (lower, upper, step) =
        (constants("staticLowerBound"), constants("staticUpperBound"), constants("staticStep"));
    let args: &[ValueId] = body.region_entry(op, 0).map_or(&[], |block| body.block_args(block));
    let (counters, shared) = args.split_at(upper.len().min(args.len()));
    p.write(" (");
    p.operands(counters.iter().copied());
    p.write(")");
    let parens = ("(", ")");
    let normalized = lower.iter().all(|&l| l == 0) && step.iter().all(|&s| s == 1);
    if normalized {
        p.write(" in ");
        print_list(p, upper, &values(1), parens);
    } else {
        p.write(" = ");
        print_list(p, lower, &values(0), parens);
        p.write(" to ");
        print_list(p, upper, &values(1), parens);
        p.write(" step ");
        print_list(p, step, &values(2), parens);
    }
    let outputs = values(3);
    if !outputs.is_empty() {
        p.write(" shared_outs");
        print_assignments(p, shared, &outputs);
        p.write(" -> (");
        p.types_of(body.results(op));
        p.write(")");
    }
    p.write(" ");
    if let Some(region) = body.region(op, 0) {
        p.region_with(region, false, !outputs.is_empty(), false);
    }
    p.attr_dict(op, WRITTEN);
}
