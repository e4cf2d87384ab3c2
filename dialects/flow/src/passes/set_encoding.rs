//! `iree-dispatch-creation-set-encoding`: marked computations work on encoded tensors.

use tegula_dialect_iree_encoding::encoding::{Encoding, with_encoding};
use tegula_ir::{Attr, Body, DYNAMIC, InsertPoint, NewOp, OpId, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::{IrMapping, Rewriter};

use super::annotate_data_tiling_hints::HINT;
use crate::computations::{Computation, element_types};
use crate::sizes::{Asked, Size, dynamic_sizes, materialize, size_of};
use crate::structured::Structured;

/// Runs the pass on one function.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let marked: Vec<OpId> = body.walk(root).filter(|&op| body.attr(op, HINT).is_some()).collect();
    for &op in &marked {
        let read = || {
            let structured = Structured::read(body, op)?;
            let ranges = structured.loop_ranges(body)?;
            let computation = Computation::of(body, op, &structured)?;
            Some((structured, ranges, computation))
        };
        let Some((structured, ranges, computation)) = read() else {
            let message = "no encoding is for what this op computes";
            return Err(cx.error(body, op, "not-encodable", message));
        };
        let mut rewriter = cx.rewriter(body);
        encode(&mut rewriter, op, &structured, &ranges, computation);
    }
    let mut rewriter = cx.rewriter(body);
    let sets: Vec<OpId> = (rewriter.body.walk(root))
        .filter(|&op| rewriter.body.is(op, "iree_encoding.set_encoding"))
        .collect();
    let mut folded = false;
    for op in sets {
        folded |= fold_fill(&mut rewriter, op);
    }
    Ok(Changed::when(folded || !marked.is_empty()))
}

fn encode(
    rewriter: &mut Rewriter<'_>,
    op: OpId,
    structured: &Structured,
    ranges: &[i64],
    computation: Computation,
) {
    let at = InsertPoint::Before(op);
    let operands: Vec<ValueId> =
        structured.inputs.iter().chain(&structured.inits).copied().collect();
    let loop_sizes = dynamic_loops(rewriter, op, structured, ranges);
    let elements = element_types(rewriter.body, op, structured, computation);
    let encoding = |operand: usize| {
        let maps = structured.maps.clone();
        let encoding = Encoding {
            operand,
            element_types: elements.clone(),
            maps,
            followed_by: Vec::new(),
            sizes: ranges.to_vec(),
        };
        encoding.write_for(computation.op_type())
    };
    let mut encoded = Vec::with_capacity(operands.len());
    for (index, &value) in operands.iter().enumerate() {
        encoded.push(set_encoding(rewriter, op, value, encoding(index), &loop_sizes));
    }
    let plain = rewriter.body.ty(rewriter.body.result(op, 0));
    let (Some(&init), Some(&encoded_init)) = (operands.last(), encoded.last()) else { return };
    let encoded_type = rewriter.body.ty(encoded_init);
    let mut mapping = IrMapping::new();
    let copy = rewriter.clone_op(op, at, &mut mapping);
    rewriter.remove_attr(copy, HINT);
    rewriter.set_operands(copy, &encoded);
    let computed = rewriter.body.result(copy, 0);
    rewriter.set_type(computed, encoded_type);
    let sizes = dynamic_sizes(rewriter.registry, rewriter.body, init, Asked::Computing);
    let sizes: Vec<ValueId> = sizes.iter().map(|size| materialize(rewriter, at, size)).collect();
    let unset = rewriter
        .registry
        .new_op("iree_encoding.unset_encoding")
        .operands("source", [computed])
        .operands("result_dims", sizes)
        .operands("encoding_dims", loop_sizes)
        .results("result", [plain])
        .loc(rewriter.body.loc(op));
    let unset = rewriter.insert_value(at, unset.build());
    rewriter.replace(op, &[unset]);
}

/// The sizes of the loops that types do not tell, computed in the order of the operands that bound
/// them.
fn dynamic_loops(
    rewriter: &mut Rewriter<'_>,
    op: OpId,
    structured: &Structured,
    ranges: &[i64],
) -> Vec<ValueId> {
    let mut open: Vec<(u32, Size)> = Vec::new();
    for (map, operand) in structured.maps.iter().zip(rewriter.body.operands(op)) {
        for (dim, expr) in map.results().iter().enumerate() {
            let dynamic = |looped: &u32| ranges.get(*looped as usize) == Some(&DYNAMIC);
            let Some(looped) = expr.as_dim().filter(dynamic) else { continue };
            if open.iter().all(|(other, _)| *other != looped) {
                let (registry, body) = (rewriter.registry, &*rewriter.body);
                open.push((looped, size_of(registry, body, operand, dim, Asked::Computing)));
            }
        }
    }
    let at = InsertPoint::Before(op);
    let mut sizes: Vec<(u32, ValueId)> =
        open.iter().map(|(looped, size)| (*looped, materialize(rewriter, at, size))).collect();
    sizes.sort_by_key(|&(looped, _)| looped);
    sizes.into_iter().map(|(_, size)| size).collect()
}

/// Sets an encoding before an op.
fn set_encoding(
    rewriter: &mut Rewriter<'_>,
    op: OpId,
    value: ValueId,
    encoding: Attr,
    sizes: &[ValueId],
) -> ValueId {
    let ty = with_encoding(rewriter.body.ty(value), Some(encoding));
    let set = rewriter
        .registry
        .new_op("iree_encoding.set_encoding")
        .operands("source", [value])
        .operands("encoding_dims", sizes.iter().copied())
        .results("result", [ty])
        .loc(rewriter.body.loc(op));
    rewriter.insert_value(InsertPoint::Before(op), set.build())
}

/// The encoding of a fill is a fill of the encoded tensor. Gives whether it was one.
fn fold_fill(rewriter: &mut Rewriter<'_>, set: OpId) -> bool {
    let at = InsertPoint::Before(set);
    let source = rewriter.body.operand(set, 0);
    let fill = rewriter.body.defining_op(source).filter(|&f| rewriter.body.is(f, "linalg.fill"));
    let Some(fill) = fill else { return false };
    let ty = rewriter.body.ty(rewriter.body.result(set, 0));
    let sizes = dynamic_sizes(rewriter.registry, rewriter.body, source, Asked::Computing);
    let sizes: Vec<ValueId> = sizes.iter().map(|size| materialize(rewriter, at, size)).collect();
    let empty = NewOp::new("tensor.empty").operands(sizes).result(ty).loc(rewriter.body.loc(set));
    let empty = rewriter.insert_value(at, empty);
    let mut mapping = IrMapping::new();
    let copy = rewriter.clone_op(fill, at, &mut mapping);
    let last = rewriter.body.num_operands(copy).saturating_sub(1);
    rewriter.set_operand(copy, last, empty);
    let filled = rewriter.body.result(copy, 0);
    rewriter.set_type(filled, ty);
    rewriter.replace(set, &[filled]);
    erase_if_unused(rewriter, source);
    true
}

/// Erases the fill that makes a value, and its empty tensor, once nothing uses them.
fn erase_if_unused(rewriter: &mut Rewriter<'_>, value: ValueId) {
    let mut at = Some(value);
    while let Some(value) = at.take() {
        let Some(op) = rewriter.body.defining_op(value) else { return };
        let name = rewriter.body.name(op).as_str();
        if !matches!(name, "linalg.fill" | "tensor.empty") || !rewriter.body.results_unused(op) {
            return;
        }
        at = rewriter.body.operands(op).last();
        rewriter.erase(op);
    }
}
