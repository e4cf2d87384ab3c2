//! Constants that the host computes for device code: their text, and one block of them for each
//! variant.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult};
use tegula_ir::{Attr, BlockId, Body, InsertPoint, NewOp, OpId, RegionId, Type, ValueId};
use tegula_rewrite::{Rewriter, constant_of};

const BLOCK: &str = "hal.executable.constant.block";
const RETURN: &str = "hal.return";

/// Reads `(%device: !hal.device) -> (i32, i32) as ("a", "b") {…}`.
pub(crate) fn parse(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let args = p.arguments_with_types()?;
    let results = if p.eat("->") { p.function_results()? } else { Vec::new() };
    let inputs: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
    state.attr("function_type", Attr::ty(Type::function(&inputs, &results)));
    p.expect("as")?;
    let keys = if p.at("(") { p.delimited("(", ")", |p| p.string())? } else { vec![p.string()?] };
    let keys: Vec<Attr> = keys.iter().map(|key| Attr::string(key)).collect();
    state.attr("keys", Attr::array(&keys));
    p.attr_dict_with_keyword(state)?;
    let region = p.region(&args)?;
    state.regions.push(region);
    Ok(())
}

/// Prints what [`parse`] reads.
pub(crate) fn print(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let results = results(body, op);
    print_arguments(p, op);
    if !results.is_empty() {
        p.write(" -> ");
        p.result_types(results.iter().copied());
    }
    p.write(" as ");
    let parens = results.len() != 1;
    p.write(if parens { "(" } else { "" });
    for (index, &key) in keys(body, op).iter().enumerate() {
        p.write(if index > 0 { ", " } else { "" });
        p.attr(key);
    }
    p.write(if parens { ")" } else { "" });
    p.attr_dict_with_keyword(op, &["function_type", "keys", "arg_attrs", "res_attrs"]);
    p.write(" ");
    if let Some(region) = body.region(op, 0) {
        p.region_with(region, false, true, false);
    }
}

/// Prints the arguments of the entry block.
pub(crate) fn print_arguments(p: &mut OpPrinter<'_>, op: OpId) {
    p.write("(");
    if let Some(entry) = p.body().region_entry(op, 0) {
        for (index, &arg) in p.body().block_args(entry).iter().enumerate() {
            p.write(if index > 0 { ", " } else { "" });
            p.argument(arg);
        }
    }
    p.write(")");
}

fn signature(body: &Body, op: OpId) -> (&'static [Type], &'static [Type]) {
    let ty = body.attr(op, "function_type").and_then(Attr::as_type);
    ty.and_then(Type::as_function).unwrap_or_default()
}

fn results(body: &Body, op: OpId) -> &'static [Type] {
    signature(body, op).1
}

fn keys(body: &Body, op: OpId) -> &'static [Attr] {
    body.attr(op, "keys").and_then(Attr::as_array).unwrap_or(&[])
}

/// Whether a device is all that a block takes, and an `i32` for each key what it gives.
pub(crate) fn verify(body: &Body, op: OpId) -> Result<(), String> {
    let (inputs, results) = signature(body, op);
    let device = |ty: &Type| ty.dialect_params("hal.device").is_some();
    if inputs.len() > 1 || !inputs.iter().all(device) {
        return Err("initializer must take a !hal.device or nothing".to_owned());
    }
    if let Some((at, ty)) = results.iter().enumerate().find(|(_, ty)| !ty.is_int(32)) {
        return Err(format!("initializer must return only i32 values (result {at} is '{ty}')"));
    }
    if results.len() != keys(body, op).len() {
        return Err("must have one key for every result".to_owned());
    }
    let entry = body.region_entry(op, 0);
    let args = entry.map_or(&[][..], |entry| body.block_args(entry));
    if !args.iter().map(|&arg| body.ty(arg)).eq(inputs.iter().copied()) {
        return Err("its body takes other arguments than its type says".to_owned());
    }
    Ok(())
}

/// What ends a body gives what the type says.
pub(crate) fn verify_return(body: &Body, op: OpId) -> Result<(), String> {
    let around = body.parent_op(op);
    let Some(around) = around.filter(|&around| body.attr(around, "function_type").is_some()) else {
        return Ok(());
    };
    let expected = results(body, around);
    let given: Vec<Type> = body.operands(op).map(|value| body.ty(value)).collect();
    if given.len() != expected.len() {
        return Err(format!(
            "return must have the same number of operands as the parent result signature (have \
             {}, expected {})",
            given.len(),
            expected.len()
        ));
    }
    match given.iter().zip(expected).position(|(a, b)| a != b) {
        Some(at) => Err(format!(
            "parent expected result {at} to be '{}' but returning '{}'",
            expected[at], given[at]
        )),
        None => Ok(()),
    }
}

fn returns(body: &Body, region: RegionId) -> Vec<OpId> {
    let ends = body.blocks(region).filter_map(|block| body.last_op(block));
    ends.filter(|&end| body.is(end, RETURN)).collect()
}

fn branch(to: BlockId, values: impl IntoIterator<Item = ValueId>) -> NewOp {
    NewOp::new("cf.br").operands(values).successor(to)
}

/// The constant blocks of a variant become one, where the first is: one does its work after the
/// other.
pub(crate) fn merge(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let body = &*rw.body;
    let inner = body.region_entry(op, 0).map(|entry| body.block_ops(entry).collect::<Vec<_>>());
    let mut blocks = inner.unwrap_or_default();
    blocks.retain(|&op| body.is(op, BLOCK));
    let (&[first, _, ..], Some(_)) = (&blocks[..], blocks.first()) else {
        return rw.no_match(op, "has no two constant blocks");
    };
    let of = |op: &OpId| (signature(body, *op), keys(body, *op));
    let parts: Vec<_> = blocks.iter().map(of).collect();
    let inputs: &[Type] =
        parts.iter().map(|((inputs, _), _)| *inputs).max_by_key(|i| i.len()).unwrap_or(&[]);
    let results: Vec<Type> =
        parts.iter().flat_map(|((_, results), _)| results.iter().copied()).collect();
    let keys: Vec<Attr> = parts.iter().flat_map(|(_, keys)| keys.iter().copied()).collect();
    let new = NewOp::new(BLOCK)
        .attr("function_type", Attr::ty(Type::function(inputs, &results)))
        .attr("keys", Attr::array(&keys))
        .regions(1)
        .loc(body.loc(first));
    let new = rw.insert(InsertPoint::Before(first), new);
    let Some(region) = rw.body.region(new, 0) else { return false };
    let mut last = rw.append_block(region, inputs);
    let device = rw.body.block_args(last).to_vec();
    let mut given = Vec::new();
    for &block in &blocks {
        let Some(from) = rw.body.region(block, 0) else { continue };
        let Some(entry) = rw.body.first_block(from) else { continue };
        let (end, values) = single_return(rw, from);
        let takes = rw.body.block_args(entry).len();
        rw.take_region(from, region);
        rw.insert(InsertPoint::End(last), branch(entry, device.iter().copied().take(takes)));
        given.extend(values);
        last = end;
    }
    rw.insert(InsertPoint::End(last), NewOp::new(RETURN).operands(given));
    for block in blocks {
        rw.erase(block);
    }
    true
}

/// Leaves a region without an end: the block that has to have one, and what would be given there.
fn single_return(rw: &mut Rewriter<'_>, region: RegionId) -> (BlockId, Vec<ValueId>) {
    let ends = returns(rw.body, region);
    if let &[end] = &ends[..]
        && let Some(block) = rw.body.parent_block(end)
    {
        let values = rw.body.operands(end).collect();
        rw.erase(end);
        return (block, values);
    }
    let types: Vec<Type> = ends
        .first()
        .map(|&end| rw.body.operands(end).map(|value| rw.body.ty(value)).collect())
        .unwrap_or_default();
    let exit = rw.append_block(region, &types);
    for end in ends {
        let values: Vec<ValueId> = rw.body.operands(end).collect();
        rw.insert(InsertPoint::Before(end), branch(exit, values));
        rw.erase(end);
    }
    (exit, rw.body.block_args(exit).to_vec())
}

/// A device that a block does not use it does not take.
pub(crate) fn drop_unused_device(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let entry = rw.body.region_entry(op, 0);
    let Some(entry) = entry.filter(
        |&entry| matches!(rw.body.block_args(entry), &[device] if rw.body.is_unused(device)),
    ) else {
        return rw.no_match(op, "takes no device, or uses it");
    };
    let ty = Type::function(&[], results(rw.body, op));
    rw.remove_block_arg(entry, 0);
    rw.set_attr(op, "function_type", Attr::ty(ty));
    rw.remove_attr(op, "arg_attrs");
    true
}

/// Of a key that is there twice the first value counts.
pub(crate) fn drop_duplicate_keys(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let (inputs, results) = signature(rw.body, op);
    let all = keys(rw.body, op);
    let is_first = |at: &usize| !all[..*at].contains(&all[*at]);
    let kept: Vec<usize> = (0..all.len()).filter(is_first).collect();
    if kept.len() == all.len() {
        return rw.no_match(op, "has each key once");
    }
    let keys: Vec<Attr> = kept.iter().map(|&at| all[at]).collect();
    let types: Vec<Type> = kept.iter().filter_map(|&at| results.get(at).copied()).collect();
    rw.set_attr(op, "keys", Attr::array(&keys));
    rw.set_attr(op, "function_type", Attr::ty(Type::function(inputs, &types)));
    rw.remove_attr(op, "res_attrs");
    let ends = rw.body.region(op, 0).map(|region| returns(rw.body, region)).unwrap_or_default();
    for end in ends {
        let values: Vec<ValueId> = rw.body.operands(end).collect();
        let values: Vec<ValueId> = kept.iter().filter_map(|&at| values.get(at).copied()).collect();
        rw.set_operands(end, &values);
    }
    true
}

/// An entry point that may always be used has no condition, and needs no other in its place.
pub(crate) fn drop_true_condition(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let (registry, body) = (rw.registry, &*rw.body);
    let block = body.region_entry(op, 1);
    let end = block.and_then(|block| body.last_op(block)).filter(|&end| body.is(end, RETURN));
    let value = end.and_then(|end| body.operands(end).next());
    let constant = value.and_then(|value| constant_of(registry, body, value));
    let (Some(block), Some(1 | -1)) = (block, constant.and_then(Attr::as_int)) else {
        return rw.no_match(op, "has no condition that always holds");
    };
    rw.erase_block(block);
    rw.remove_attr(op, "condition_fallback");
    true
}
