//! `linalg.reduce` and `linalg.map`: a region that takes elements, or just the op that it consists
//! of.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult};
use tegula_ir::{Attr, BlockId, Body, Ident, InsertPoint, NewOp, OpId, OpName, Registry, ValueId};

use crate::structure::num_inputs;
use crate::syntax::{Operands, infer_results, parse_operands, print_group, resolve};

/// Where the element of the output stands among the operands of the op that a region consists of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// Before those of the inputs.
    First,
    /// It is no operand.
    Nowhere,
}

impl Output {
    /// The operands of the op, given the arguments of its block.
    fn operands(self, args: &[ValueId]) -> Vec<ValueId> {
        let Some((&output, inputs)) = args.split_last() else { return Vec::new() };
        let first = (self == Output::First).then_some(output);
        first.into_iter().chain(inputs.iter().copied()).collect()
    }
}

/// An op that a region consists of.
struct Payload {
    name: String,
    attrs: Vec<(Ident, Attr)>,
}

/// Reads `{ op {attributes} } ins(…) outs(…) dimensions = […] {attributes}`, or with a region
/// `(%in: type, …) {…}` at the end instead of the op.
pub(crate) fn parse(
    p: &mut OpParser<'_>,
    state: &mut OpState,
    output: Output,
    dimensions: bool,
) -> ParseResult<()> {
    let payload = if p.at("{") { Some(parse_payload(p)?) } else { None };
    let operands = parse_operands(p)?;
    if dimensions {
        p.expect("dimensions")?;
        p.expect("=")?;
        let dims = p.delimited("[", "]", |p| p.integer())?;
        state.attr("dimensions", Attr::i64_array(&dims));
    }
    p.attr_dict(state)?;
    resolve(p, state, &operands, false)?;
    infer_results(state, &operands);
    let region = match payload {
        Some(payload) => {
            let region = p.empty_region();
            let block = p.body_mut().append_block(region);
            fill(p.body_mut(), block, &operands, payload, output);
            region
        }
        None => {
            let args = p.arguments_with_types()?;
            p.region(&args)?
        }
    };
    state.regions.push(region);
    Ok(())
}

fn parse_payload(p: &mut OpParser<'_>) -> ParseResult<Payload> {
    p.expect("{")?;
    let span = p.span();
    let name = p.keyword_or_string()?;
    if p.registry().op(OpName::of(&name)).is_none() {
        return Err(p.error_at(span, format!("`{name}` is no op")));
    }
    let attrs = if p.at("{") { p.dict_entries()? } else { Vec::new() };
    p.expect("}")?;
    Ok(Payload { name, attrs })
}

fn fill(body: &mut Body, block: BlockId, operands: &Operands, payload: Payload, output: Output) {
    let all = operands.inputs.iter().chain(&operands.outputs);
    let elements: Vec<_> = all.map(|(_, ty)| ty.element_or_self()).collect();
    let args: Vec<ValueId> = elements.iter().map(|&ty| body.add_block_arg(block, ty)).collect();
    let mut new = NewOp::new(payload.name.as_str()).operands(output.operands(&args));
    new.results.extend(elements.last().copied());
    new.attrs.extend(payload.attrs);
    let end = InsertPoint::End(block);
    let op = body.insert(end, new);
    let result = body.result(op, 0);
    body.insert(end, NewOp::new("linalg.yield").operand(result));
}

/// Prints the same.
pub(crate) fn print(p: &mut OpPrinter<'_>, op: OpId, output: Output) {
    let body = p.body();
    let entry = body.region_entry(op, 0);
    let payload = entry.and_then(|entry| payload(body, entry, output));
    if let Some(payload) = payload {
        p.write(" { ");
        p.write(body.name(payload).as_str());
        let elided = default_flags(p.registry(), body, payload);
        p.attr_dict(payload, &elided);
        p.write(" }");
    }
    let operands: Vec<ValueId> = body.operands(op).collect();
    let (inputs, outputs) = operands.split_at(num_inputs(body, op).min(operands.len()));
    print_group(p, " ins(", inputs);
    print_group(p, " outs(", outputs);
    if let Some(dims) = body.attr(op, "dimensions").and_then(Attr::as_dense_array) {
        p.write(" dimensions = [");
        p.comma_list(dims, |p, dim| p.display(dim));
        p.write("] ");
    }
    p.attr_dict(op, &["dimensions"]);
    if payload.is_some() {
        return;
    }
    let Some(region) = body.region(op, 0) else { return };
    p.indented(|p| {
        p.newline();
        p.write("(");
        for (index, &arg) in entry.map_or(&[][..], |e| body.block_args(e)).iter().enumerate() {
            p.write(if index > 0 { ", " } else { "" });
            p.argument(arg);
        }
        p.write(") ");
        p.region_with(region, false, true, false);
    });
}

/// The one op of a block that yields what it makes of the arguments in order.
fn payload(body: &Body, block: BlockId, output: Output) -> Option<OpId> {
    let payload = body.first_op(block)?;
    let last = body.next_op(payload)?;
    let whole = body.next_op(last).is_none() && body.num_results(payload) == 1;
    let made = body.operands(last).eq([body.results(payload).next()?]);
    let taken = output.operands(body.block_args(block));
    let plain = body.regions(payload).is_empty();
    let fits = whole && made && plain && body.operands(payload).eq(taken);
    fits.then_some(payload)
}

/// Floating-point flags of which none is set are not written.
fn default_flags(registry: &Registry, body: &Body, op: OpId) -> Vec<&'static str> {
    let none = |value: Attr| {
        let params = value.dialect_params("arith.fastmath");
        params.and_then(|params| params.first()?.as_str()) == Some("none")
    };
    let known = registry.op(body.name(op)).is_some();
    let unset = known && body.attr(op, "fastmath").is_some_and(none);
    if unset { vec!["fastmath"] } else { Vec::new() }
}
