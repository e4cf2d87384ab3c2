//! Operands of `linalg.generic` that need not be tensors, or need not be there.

use tegula_eval::{Scalar, ScalarType};
use tegula_ir::{
    AffineMap, Attr, AttrData, Body, DYNAMIC, DenseData, InsertPoint, NewOp, OpId, Type, ValueId,
};
use tegula_rewrite::Rewriter;

use crate::generic::{Generic, generic};

/// The value of a filled tensor is read in place of its elements.
pub(crate) fn fold_fills(rewriter: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(nest) = Generic::of(rewriter.body, op) else { return false };
    let mut changed = false;
    for at in 0..nest.inputs {
        let body = &*rewriter.body;
        let fill = body.defining_op(nest.operands[at]).filter(|&op| body.is(op, "linalg.fill"));
        let Some(fill) = fill.filter(|_| nest.reads(body, at)) else { continue };
        let (value, arg) = (body.operand(fill, 0), body.block_args(nest.block)[at]);
        if body.ty(value) == body.ty(arg) {
            rewriter.replace_all_uses(arg, value);
            changed = true;
        }
    }
    changed
}

/// A constant of equal elements becomes a scalar that the region reads.
pub(crate) fn fold_splats(rewriter: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(nest) = Generic::of(rewriter.body, op) else { return false };
    let splat = (0..nest.inputs).find_map(|at| {
        let value = scalar_of(rewriter.body, nest.operands[at])?;
        nest.is_bounded_by(|operand| operand != at).then_some((at, value))
    });
    let Some((at, value)) = splat else { return false };
    let arg = rewriter.body.block_args(nest.block)[at];
    let ty = rewriter.body.ty(arg);
    let loc = rewriter.body.loc(op);
    let constant = NewOp::new("arith.constant").attr("value", value).result(ty).loc(loc);
    let constant = rewriter.insert_value(InsertPoint::Before(op), constant);
    rewriter.replace_all_uses(arg, constant);
    let new = |nest| rebuilt(nest).loc(loc);
    keep(rewriter, op, &nest, |operand| (operand != at).then_some(operand), new);
    true
}

/// The element of a constant scalar or of a constant tensor of equal ones.
fn scalar_of(body: &Body, value: ValueId) -> Option<Attr> {
    let op = body.defining_op(value).filter(|&op| body.is(op, "arith.constant"))?;
    let value = body.attr(op, "value")?;
    match value.data() {
        AttrData::Dense { ty, data: DenseData::Splat(one) } => {
            let element = ty.element()?;
            let scalar = ScalarType::of(element)?;
            let bits = scalar.load(one.get(..scalar.bytes())?);
            Some(Scalar { ty: scalar, bits }.to_attr(element))
        }
        AttrData::Dense { .. } => None,
        _ => Scalar::from_attr(value).map(|_| value),
    }
}

/// Outputs of which nothing is read are empty.
pub(crate) fn forget_outputs(rewriter: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(nest) = Generic::of(rewriter.body, op) else { return false };
    let mut changed = false;
    for at in nest.inputs..nest.operands.len() {
        let body = &*rewriter.body;
        let value = nest.operands[at];
        let empty = body.defining_op(value).is_some_and(|op| body.is(op, "tensor.empty"));
        if !empty && !nest.reads(body, at) {
            let empty = empty_like(rewriter, value, InsertPoint::Before(op), op);
            rewriter.set_operand(op, at, empty);
            changed = true;
        }
    }
    changed
}

/// An empty tensor like another one.
pub fn empty_like(
    rewriter: &mut Rewriter<'_>,
    value: ValueId,
    at: InsertPoint,
    op: OpId,
) -> ValueId {
    let (ty, loc) = (rewriter.body.ty(value), rewriter.body.loc(op));
    let dynamic = ty.shape().unwrap_or(&[]).iter().enumerate().filter(|&(_, &s)| s == DYNAMIC);
    let mut sizes = Vec::new();
    for (dim, _) in dynamic {
        let index = NewOp::new("arith.constant").attr("value", Attr::index(dim as i64));
        let index = rewriter.insert_value(at, index.result(Type::index()).loc(loc));
        let size = NewOp::new("tensor.dim").operands([value, index]).result(Type::index());
        sizes.push(rewriter.insert_value(at, size.loc(loc)));
    }
    rewriter.insert_value(at, NewOp::new("tensor.empty").operands(sizes).result(ty).loc(loc))
}

/// Drops operands that are there twice, or that nothing reads and no loop needs, and results that
/// nothing uses.
pub(crate) fn erase_unused(rewriter: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(nest) = Generic::of(rewriter.body, op) else { return false };
    let places = places(rewriter.body, op, &nest);
    if places.iter().enumerate().all(|(at, &place)| place == Some(at)) {
        return false;
    }
    let attrs =
        rewriter.attrs_without(op, &["indexing_maps", "iterator_types", "operandSegmentSizes"]);
    let loc = rewriter.body.loc(op);
    keep(rewriter, op, &nest, |at| places[at], |nest| rebuilt(nest).attrs(attrs).loc(loc));
    true
}

/// For each operand the one that serves for it; none when nothing has to.
fn places(body: &Body, op: OpId, nest: &Generic) -> Vec<Option<usize>> {
    let yielded: Vec<ValueId> =
        body.last_op(nest.block).map(|end| body.operands(end).collect()).unwrap_or_default();
    let mut places: Vec<Option<usize>> = Vec::new();
    let mut dropped = Vec::new();
    for (at, (&value, &map)) in nest.operands.iter().zip(&nest.maps).enumerate() {
        let output = at.checked_sub(nest.inputs);
        let is_dead = match output {
            None => !nest.reads(body, at),
            Some(result) => is_dead(body, op, nest, result),
        };
        if is_dead {
            dropped.push(at);
            if nest.is_bounded_by(|operand| !dropped.contains(&operand)) {
                places.push(None);
                continue;
            }
            dropped.pop();
        }
        let same = |other: usize| {
            places[other] == Some(other)
                && (nest.operands[other], nest.maps[other]) == (value, map)
                && (other < nest.inputs) == output.is_none()
                && match output {
                    None => true,
                    Some(result) => yielded.get(other - nest.inputs) == yielded.get(result),
                }
        };
        let can_share = output.is_none() || !nest.reads(body, at);
        let twin = (0..at).filter(|_| can_share).find(|&other| same(other));
        if twin.is_some() {
            dropped.push(at);
        }
        places.push(Some(twin.unwrap_or(at)));
    }
    places
}

/// Whether nothing uses a result, and its output is read for that result alone.
fn is_dead(body: &Body, op: OpId, nest: &Generic, result: usize) -> bool {
    if body.users(body.result(op, result)).next().is_some() {
        return false;
    }
    let arg = body.block_args(nest.block)[nest.inputs + result];
    let end = body.last_op(nest.block);
    body.uses(arg).all(|slot| Some(body.use_owner(slot)) == end && body.use_index(slot) == result)
}

/// What is left of a nest.
struct Rest {
    operands: Vec<ValueId>,
    inputs: usize,
    maps: Vec<AffineMap>,
    parallel: Vec<bool>,
}

fn rebuilt(rest: Rest) -> NewOp {
    generic(rest.operands, rest.inputs, &rest.maps, &rest.parallel)
}

/// Rebuilds a nest with the operands that serve for themselves.
fn keep(
    rewriter: &mut Rewriter<'_>,
    op: OpId,
    nest: &Generic,
    place: impl Fn(usize) -> Option<usize>,
    new: impl FnOnce(Rest) -> NewOp,
) {
    let kept: Vec<usize> = (0..nest.operands.len()).filter(|&at| place(at) == Some(at)).collect();
    let rest = Rest {
        operands: kept.iter().map(|&at| nest.operands[at]).collect(),
        inputs: kept.iter().filter(|&&at| at < nest.inputs).count(),
        maps: kept.iter().map(|&at| nest.maps[at]).collect(),
        parallel: nest.parallel.clone(),
    };
    let types: Vec<Type> =
        rest.operands[rest.inputs..].iter().map(|&output| rewriter.body.ty(output)).collect();
    let made = rewriter.insert(InsertPoint::Before(op), new(rest).results(types));
    let region = rewriter.add_region(made);
    let args = rewriter.body.block_args(nest.block).to_vec();
    for (at, &arg) in args.iter().enumerate() {
        if let Some(to) = place(at).filter(|&to| to != at) {
            rewriter.replace_all_uses(arg, args[to]);
        }
    }
    if let Some(end) = rewriter.body.last_op(nest.block) {
        let yielded = rewriter.body.operands(end).enumerate();
        let yielded: Vec<ValueId> = yielded
            .filter(|&(result, _)| kept.contains(&(nest.inputs + result)))
            .map(|(_, value)| value)
            .collect();
        rewriter.set_operands(end, &yielded);
    }
    for at in (0..nest.operands.len()).rev().filter(|at| !kept.contains(at)) {
        rewriter.remove_block_arg(nest.block, at);
    }
    if let Some(old) = rewriter.body.region(op, 0) {
        rewriter.take_region(old, region);
    }
    let outputs: Vec<usize> = kept.into_iter().filter(|&at| at >= nest.inputs).collect();
    for (result, old) in rewriter.body.results(op).collect::<Vec<_>>().into_iter().enumerate() {
        let serving = place(nest.inputs + result);
        if let Some(new) = serving.and_then(|to| outputs.iter().position(|&output| output == to)) {
            let new = rewriter.body.result(made, new);
            rewriter.replace_all_uses(old, new);
        }
    }
    rewriter.erase(op);
}
