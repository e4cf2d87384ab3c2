//! `iree-dispatch-creation-convert-tensor-to-flow`: what happens to tensors between dispatches.

use tegula_dialect_affine::mixed::{Mixed, mixed_segment};
use tegula_ir::{Body, InsertPoint, OpId, Type, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use super::clone_producers::clone_into_region;
use super::convert_regions_to_workgroups::convert_region;
use crate::regions::{dims_of, in_dispatch, operands_below, wrap};
use crate::sizes::{Size, materialize};

/// Runs the pass on one function.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let mut changed = false;
    for name in ["tensor.insert_slice", "tensor.extract_slice"] {
        let slices: Vec<OpId> =
            (body.walk(root)).filter(|&op| body.is(op, name) && !in_dispatch(body, op)).collect();
        let (plain, scattered): (Vec<OpId>, Vec<OpId>) =
            slices.into_iter().partition(|&op| is_one_piece(body, op));
        for &op in &plain {
            convert(&mut cx.rewriter(body), op);
        }
        for &op in &scattered {
            let mut rewriter = cx.rewriter(body);
            let region = wrap(&mut rewriter, op);
            while clone_into_region(&mut rewriter, region) {}
            convert_region(cx, body, region)?;
        }
        changed |= !plain.is_empty() || !scattered.is_empty();
    }
    Ok(Changed::when(changed) | cx.greedy(body, root, &["tensor-to-flow"])?)
}

/// The slice that an op takes or replaces.
struct Slice {
    offsets: Vec<Mixed>,
    sizes: Vec<Mixed>,
    strides: Vec<Mixed>,
}

fn slice_of(body: &Body, op: OpId) -> Option<Slice> {
    let first = if body.is(op, "tensor.insert_slice") { 2 } else { 1 };
    Some(Slice {
        offsets: mixed_segment(body, op, "static_offsets", first)?,
        sizes: mixed_segment(body, op, "static_sizes", first + 1)?,
        strides: mixed_segment(body, op, "static_strides", first + 2)?,
    })
}

/// The tensor of which an op takes or replaces a slice.
fn whole_of(body: &Body, op: OpId) -> ValueId {
    let insert = body.is(op, "tensor.insert_slice");
    body.operand(op, usize::from(insert))
}

/// Whether a slice lies in memory as one piece, and the host knows where.
fn is_one_piece(body: &Body, op: OpId) -> bool {
    let Some(slice) = slice_of(body, op) else { return false };
    let mut numbers = slice.offsets.iter().chain(&slice.sizes);
    lies_in_one_piece(body, op) && !numbers.any(|&number| is_from_device(body, number))
}

/// Whether a slice lies in memory as one piece: behind the first dimension, from the inside, of
/// which it does not hold all, it has one index of each.
pub(super) fn lies_in_one_piece(body: &Body, op: OpId) -> bool {
    let (Some(slice), Some(shape)) = (slice_of(body, op), body.ty(whole_of(body, op)).shape())
    else {
        return false;
    };
    let mut all = true;
    let mut fits = slice.offsets.len() == shape.len();
    for (dim, &extent) in shape.iter().enumerate().rev().take(slice.sizes.len()) {
        let [offset, size, stride] =
            [slice.offsets[dim], slice.sizes[dim], slice.strides[dim]].map(Mixed::as_constant);
        fits &= stride == Some(1) && (all || size == Some(1));
        all &= offset == Some(0) && size == Some(extent);
    }
    fits
}

/// Whether a number is computed from what is in a tensor, so that the host would have to wait.
fn is_from_device(body: &Body, number: Mixed) -> bool {
    let Mixed::Value(value) = number else { return false };
    let mut open = vec![value];
    let mut seen = Vec::new();
    while let Some(value) = open.pop() {
        let Some(op) = body.defining_op(value).filter(|op| !seen.contains(op)) else { continue };
        if matches!(body.name(op).as_str(), "tensor.extract" | "flow.tensor.load") {
            return true;
        }
        seen.push(op);
        open.extend(operands_below(body, op));
    }
    false
}

fn values(rewriter: &mut Rewriter<'_>, at: InsertPoint, numbers: &[Mixed]) -> Vec<ValueId> {
    let sizes = numbers.iter().map(|&number| match number {
        Mixed::Constant(number) => Size::Constant(number),
        Mixed::Value(value) => Size::Value(value),
    });
    sizes.map(|size| materialize(rewriter, at, &size)).collect()
}

/// A slice with all dimensions, as a type, and its dynamic sizes.
fn full_slice(sizes: &[Mixed], element: Type) -> (Type, Vec<ValueId>) {
    let shape: Vec<i64> =
        sizes.iter().map(|size| size.as_constant().unwrap_or(tegula_ir::DYNAMIC)).collect();
    let dynamic = sizes.iter().filter_map(|size| match size {
        Mixed::Value(value) => Some(*value),
        Mixed::Constant(_) => None,
    });
    (Type::tensor(&shape, element, None), dynamic.collect())
}

fn reshape(
    rewriter: &mut Rewriter<'_>,
    at: InsertPoint,
    (value, dims): (ValueId, &[ValueId]),
    (ty, new_dims): (Type, &[ValueId]),
) -> ValueId {
    if rewriter.body.ty(value) == ty {
        return value;
    }
    let new = rewriter
        .registry
        .new_op("flow.tensor.reshape")
        .operands("source", [value])
        .operands("source_dims", dims.iter().copied())
        .operands("result_dims", new_dims.iter().copied())
        .results("result", [ty]);
    rewriter.insert_value(at, new.build())
}

/// A copy of a part of a tensor, or of another tensor over a part of it. Reshapes take the place of
/// dimensions that the op leaves out.
fn convert(rewriter: &mut Rewriter<'_>, op: OpId) {
    let at = InsertPoint::Before(op);
    let Some(slice) = slice_of(rewriter.body, op) else { return };
    let whole = whole_of(rewriter.body, op);
    let whole_dims = dims_of(rewriter, at, whole);
    let starts = values(rewriter, at, &slice.offsets);
    let (part, part_dims) = full_slice(&slice.sizes, rewriter.body.ty(whole).element_or_self());
    let result = rewriter.body.result(op, 0);
    let loc = rewriter.body.loc(op);
    if rewriter.body.is(op, "tensor.insert_slice") {
        let source = rewriter.body.operand(op, 0);
        let source_dims = dims_of(rewriter, at, source);
        let update = reshape(rewriter, at, (source, &source_dims), (part, &part_dims));
        let new = rewriter
            .registry
            .new_op("flow.tensor.update")
            .operands("target", [whole])
            .operands("target_dims", whole_dims)
            .operands("start_indices", starts)
            .operands("update", [update])
            .operands("update_dims", part_dims)
            .results("result", [rewriter.body.ty(result)])
            .loc(loc);
        let new = rewriter.insert_value(at, new.build());
        rewriter.replace(op, &[new]);
        return;
    }
    let lengths = values(rewriter, at, &slice.sizes);
    let new = rewriter
        .registry
        .new_op("flow.tensor.slice")
        .operands("source", [whole])
        .operands("source_dims", whole_dims)
        .operands("start_indices", starts)
        .operands("lengths", lengths)
        .operands("result_dims", part_dims.iter().copied())
        .results("result", [part])
        .loc(loc);
    let new = rewriter.insert_value(at, new.build());
    let ty = rewriter.body.ty(result);
    let new = reshape(rewriter, at, (new, &part_dims), (ty, &part_dims));
    rewriter.replace(op, &[new]);
}
