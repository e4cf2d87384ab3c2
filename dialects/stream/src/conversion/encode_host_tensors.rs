//! `iree-stream-encode-host-tensors`: sizes become numbers, tensors bytes.

use tegula_dialect_util::constants::{constant_value, hoisted_index_constant};
use tegula_ir::{Attr, AttrData, Body, InsertPoint, NewOp, OpId, Type, TypeData, ValueId};
use tegula_pass::{Changed, Failed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use super::layouts::bytes_of;
use crate::passes::is_resource;

/// Runs the pass on one function.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let ops: Vec<OpId> =
        body.walk(root).filter(|&op| body.name(op).dialect() == "stream").collect();
    let mut changed = Changed::No;
    for op in ops {
        changed |= match body.name(op).as_str() {
            "stream.tensor.sizeof" => size_of(cx, body, root, op)?,
            "stream.tensor.dispatch" => dispatch(cx, body, root, op)?,
            "stream.tensor.splat" => splat(cx, body, op)?,
            "stream.tensor.empty" => {
                let mut rewriter = cx.rewriter(body);
                let sizes = rewriter.registry.operands_of(rewriter.body, op, "result_size");
                let result = rewriter.body.result(op, 0);
                let alloca = rewriter
                    .registry
                    .new_op("stream.async.alloca")
                    .operands("storage_size", sizes)
                    .results("result", [rewriter.body.ty(result)])
                    .attr_opt("affinity", rewriter.body.attr(op, "affinity"));
                rewriter.replace_with(op, alloca.build());
                Changed::Yes
            }
            "stream.tensor.clone" => {
                let mut rewriter = cx.rewriter(body);
                let registry = rewriter.registry;
                let result = rewriter.body.result(op, 0);
                let mut clone = registry
                    .new_op("stream.async.clone")
                    .results("result", [rewriter.body.ty(result)])
                    .attr_opt("affinity", rewriter.body.attr(op, "affinity"));
                for group in ["source", "source_size", "result_size"] {
                    clone = clone.operands(group, registry.operands_of(rewriter.body, op, group));
                }
                rewriter.replace_with(op, clone.build());
                Changed::Yes
            }
            _ => Changed::No,
        };
    }
    Ok(changed)
}

/// The constant of that value; every function with ops has an entry block to put it in.
fn constant(
    cx: &mut PassCx<'_>,
    body: &mut Body,
    root: OpId,
    op: OpId,
    value: i64,
) -> Result<ValueId, Failed> {
    let made = hoisted_index_constant(&mut cx.rewriter(body), root, value);
    match made {
        Some(made) => Ok(made),
        None => Err(cx.error(body, op, "no-entry-block", "the op stands in no function")),
    }
}

fn size_of(cx: &mut PassCx<'_>, body: &mut Body, root: OpId, op: OpId) -> PassResult {
    let Some(ty) = body.attr(op, "encoding").and_then(Attr::as_type) else {
        return Ok(Changed::No);
    };
    let Some(bytes) = bytes_of(ty) else {
        let message = format!("the size of `{ty}` in bytes is not known or overflows 64 bits");
        return Err(cx.error(body, op, "tensor-size", message));
    };
    let value = constant(cx, body, root, op, bytes)?;
    cx.rewriter(body).replace(op, &[value]);
    Ok(Changed::Yes)
}

fn dispatch(cx: &mut PassCx<'_>, body: &mut Body, root: OpId, op: OpId) -> PassResult {
    let registry = cx.registry;
    let zero = constant(cx, body, root, op, 0)?;
    let mut rewriter = cx.rewriter(body);
    let group = |rewriter: &Rewriter<'_>, name: &str| registry.operands_of(rewriter.body, op, name);
    let operands = group(&rewriter, "mixed_operands");
    let sizes = group(&rewriter, "operand_sizes");
    let resources = operands.iter().filter(|&&v| is_resource(rewriter.body, v)).count();
    let types: Vec<Type> = rewriter.body.results(op).map(|r| rewriter.body.ty(r)).collect();
    let new = registry
        .new_op("stream.async.dispatch")
        .operands("workload", group(&rewriter, "workload"))
        .operands("resource_operands", operands)
        .operands("resource_operand_sizes", sizes.iter().copied())
        .operands("resource_operand_offsets", vec![zero; resources])
        .operands("resource_operand_ends", sizes.iter().copied())
        .operands("resource_operand_lengths", sizes.iter().copied())
        .operands("result_sizes", group(&rewriter, "result_sizes"))
        .results("results", types)
        .attr_opt("entry_points", rewriter.body.attr(op, "entry_points"))
        .attr_opt("tied_operands", rewriter.body.attr(op, "tied_operands"))
        .attr_opt("affinity", rewriter.body.attr(op, "affinity"));
    rewriter.replace_with(op, new.build());
    Ok(Changed::Yes)
}

/// A splat of the value's bits; only values of whole bytes that memory can be filled with.
fn splat(cx: &mut PassCx<'_>, body: &mut Body, op: OpId) -> PassResult {
    let value = body.operand(op, 0);
    let bits = constant_value(body, value).and_then(pattern_bits);
    let Some((bits, width)) = bits.filter(|(_, width)| matches!(width, 8 | 16 | 32 | 64)) else {
        let message = "only constants of 8 to 64 bits can fill a tensor";
        return Err(cx.error(body, op, "unsupported-splat", message));
    };
    let ty = Type::int(width);
    let shift = 128 - width;
    let value = (bits << shift) as i128 >> shift;
    let mut rewriter = cx.rewriter(body);
    let loc = rewriter.body.loc(op);
    let pattern = NewOp::new("arith.constant").attr("value", Attr::int(value, ty)).result(ty);
    let pattern = rewriter.insert_value(InsertPoint::Before(op), pattern.loc(loc));
    let sizes = rewriter.registry.operands_of(rewriter.body, op, "result_size");
    let result = rewriter.body.result(op, 0);
    let new = rewriter
        .registry
        .new_op("stream.async.splat")
        .operands("value", [pattern])
        .operands("result_size", sizes)
        .results("result", [rewriter.body.ty(result)])
        .attr_opt("affinity", rewriter.body.attr(op, "affinity"));
    rewriter.replace_with(op, new.build());
    Ok(Changed::Yes)
}

/// The bits of a scalar constant and how many there are.
fn pattern_bits(value: Attr) -> Option<(u128, u32)> {
    match value.data() {
        AttrData::Float { bits, ty } => Some((*bits, ty.bit_width()?)),
        AttrData::Integer { value, ty } => {
            let width = match ty.data() {
                TypeData::Index => 64,
                _ => ty.bit_width()?,
            };
            // A truth value takes a byte.
            Some(if width == 1 { ((*value != 0).into(), 8) } else { (*value as u128, width) })
        }
        _ => None,
    }
}
