//! `iree-dispatch-creation-convert-dispatch-regions-to-workgroups`: captures become arguments.

use tegula_ir::{Attr, BlockId, Body, InsertPoint, NewOp, OpId, Type, TypeData, ValueId};
use tegula_pass::{Changed, Failed, PassCx, PassResult};
use tegula_rewrite::{IrMapping, Rewriter};

use crate::regions::{captured, captured_by};

const DISPATCH_TENSOR: &str = "iree_tensor_ext.dispatch.tensor";

/// Runs the pass on one top-level op.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let regions: Vec<OpId> =
        body.walk(root).filter(|&op| body.is(op, "flow.dispatch.region")).collect();
    for &region in &regions {
        convert_region(cx, body, region)?;
    }
    cx.statistic("num-dispatches", regions.len() as u64);
    Ok(Changed::when(!regions.is_empty()))
}

/// Converts one region.
pub(super) fn convert_region(
    cx: &mut PassCx<'_>,
    body: &mut Body,
    region: OpId,
) -> Result<(), Failed> {
    check(cx, body, region)?;
    convert(&mut cx.rewriter(body), region);
    Ok(())
}

fn is_tensor(ty: Type) -> bool {
    matches!(ty.data(), TypeData::RankedTensor { .. })
}

/// Regions have one block, and tensors that enter or leave them have static shapes. The number of
/// workgroups follows from the workload.
fn check(cx: &mut PassCx<'_>, body: &Body, region: OpId) -> Result<(), Failed> {
    let inner = body.region(region, 0);
    if inner.is_none_or(|r| body.blocks(r).count() != 1) {
        return Err(cx.error(body, region, "region-blocks", "a dispatch region has one block"));
    }
    let values = captured(body, region).into_iter().chain(body.results(region));
    for value in values {
        let ty = body.ty(value);
        if is_tensor(ty) && !ty.has_static_shape() {
            let message = format!("`{ty}` in a dispatch: dynamic shapes are not supported");
            return Err(cx.error(body, region, "dynamic-shape", message));
        }
    }
    let counted = captured_by(body, region, 1);
    if counted.into_iter().any(|value| constant(body, value).is_none()) {
        let message = "the number of workgroups depends on a value that is not in the workload";
        return Err(cx.error(body, region, "captured-value", message));
    }
    Ok(())
}

/// The constant that a value is.
fn constant(body: &Body, value: ValueId) -> Option<OpId> {
    body.defining_op(value).filter(|&op| body.is(op, "arith.constant"))
}

/// The type of an argument of the dispatch: a placeholder for tensors, itself otherwise.
fn argument_type(ty: Type, access: &str) -> Type {
    if is_tensor(ty) {
        Type::dialect(DISPATCH_TENSOR, &[Attr::string(access), Attr::ty(ty)])
    } else {
        ty
    }
}

fn convert(rewriter: &mut Rewriter<'_>, region: OpId) {
    let registry = rewriter.registry;
    let loc = rewriter.body.loc(region);
    let arguments = captured(rewriter.body, region);
    let results: Vec<Type> = rewriter.body.results(region).map(|r| rewriter.body.ty(r)).collect();
    let new = registry
        .new_op("flow.dispatch.workgroups")
        .operands("arguments", arguments.iter().copied())
        .results("results", results.iter().copied())
        .regions(2)
        .loc(loc)
        .build();
    let workgroups = rewriter.insert(InsertPoint::Before(region), new);
    let types: Vec<Type> = arguments
        .iter()
        .map(|&v| argument_type(rewriter.body.ty(v), "readonly"))
        .chain(results.iter().map(|&ty| argument_type(ty, "writeonly")))
        .collect();
    let (Some(target), Some(source)) =
        (rewriter.body.region(workgroups, 0), rewriter.body.region_entry(region, 0))
    else {
        return;
    };
    let block = rewriter.append_block(target, &types);
    let block_args: Vec<ValueId> = rewriter.body.block_args(block).to_vec();

    let mut inner = Vec::with_capacity(arguments.len());
    for (&value, &arg) in arguments.iter().zip(&block_args) {
        let ty = rewriter.body.ty(value);
        inner.push(if is_tensor(ty) { load(rewriter, block, arg, ty, loc) } else { arg });
    }
    rewriter.inline_block(source, InsertPoint::End(block), &[]);
    for (&value, &to) in arguments.iter().zip(&inner) {
        rewriter.replace_uses_if(value, to, |body, slot| {
            let owner = body.use_owner(slot);
            owner != workgroups && body.is_ancestor(workgroups, owner)
        });
    }
    if let Some(exit) = rewriter.body.last_op(block) {
        let values: Vec<ValueId> = rewriter.body.operands(exit).collect();
        for (&value, &arg) in values.iter().zip(&block_args[arguments.len()..]) {
            store(rewriter, exit, value, arg, loc);
        }
        rewriter.replace_with(exit, NewOp::new("flow.return").loc(loc));
    }
    isolate_count(rewriter, region);
    if let (Some(from), Some(to)) =
        (rewriter.body.region(region, 1), rewriter.body.region(workgroups, 1))
    {
        rewriter.take_region(from, to);
    }
    let values: Vec<ValueId> = rewriter.body.results(workgroups).collect();
    rewriter.replace(region, &values);
}

/// The constants that the number of workgroups is computed with are in its region.
fn isolate_count(rewriter: &mut Rewriter<'_>, region: OpId) {
    let Some(block) = rewriter.body.region_entry(region, 1) else { return };
    for value in captured_by(rewriter.body, region, 1).into_iter().rev() {
        let Some(op) = constant(rewriter.body, value) else { continue };
        let copy = rewriter.clone_op(op, InsertPoint::Start(block), &mut IrMapping::new());
        let to = rewriter.body.result(copy, 0);
        rewriter.replace_uses_if(value, to, |body, slot| {
            body.ancestor_in_block(block, body.use_owner(slot)).is_some()
        });
    }
}

fn slice_attrs(shape: &[i64]) -> [(&'static str, Attr); 3] {
    [
        ("static_offsets", Attr::i64_array(&vec![0; shape.len()])),
        ("static_sizes", Attr::i64_array(shape)),
        ("static_strides", Attr::i64_array(&vec![1; shape.len()])),
    ]
}

fn load(
    rewriter: &mut Rewriter<'_>,
    block: BlockId,
    from: ValueId,
    ty: Type,
    loc: Attr,
) -> ValueId {
    let mut new = rewriter
        .registry
        .new_op("iree_tensor_ext.dispatch.tensor.load")
        .operands("source", [from])
        .results("result", [ty])
        .loc(loc);
    for (name, attr) in slice_attrs(ty.shape().unwrap_or(&[])) {
        new = new.attr(name, attr);
    }
    rewriter.insert_value(InsertPoint::End(block), new.build())
}

fn store(rewriter: &mut Rewriter<'_>, before: OpId, value: ValueId, to: ValueId, loc: Attr) {
    let ty = rewriter.body.ty(value);
    let mut new = rewriter
        .registry
        .new_op("iree_tensor_ext.dispatch.tensor.store")
        .operands("value", [value])
        .operands("target", [to])
        .loc(loc);
    for (name, attr) in slice_attrs(ty.shape().unwrap_or(&[])) {
        new = new.attr(name, attr);
    }
    rewriter.insert(InsertPoint::Before(before), new.build());
}
