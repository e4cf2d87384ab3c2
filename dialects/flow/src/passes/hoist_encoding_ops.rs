//! `iree-dispatch-creation-hoist-encoding-ops`: encoding ops leave dispatch regions.

use std::collections::VecDeque;

use indexmap::IndexSet;
use tegula_ir::{Body, InsertPoint, OpId, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use super::convert_tensor_to_flow::lies_in_one_piece;
use crate::encodings::propagate;
use crate::regions::{REGION, drop_unused_results, region_around};

/// Runs the pass on one top-level op.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let mut rewriter = cx.rewriter(body);
    let mut changed = propagate(&mut rewriter, root);
    let sets: Vec<OpId> = rewriter
        .body
        .walk(root)
        .filter(|&op| rewriter.body.is(op, "iree_encoding.set_encoding"))
        .collect();
    for op in sets {
        let Some(region) = region_around(rewriter.body, op) else { continue };
        for op in leaving(rewriter.body, region, op) {
            changed |= leave(&mut rewriter, region, op);
        }
    }
    let regions: Vec<OpId> =
        (rewriter.body.walk(root)).filter(|&op| rewriter.body.is(op, REGION)).collect();
    for region in regions {
        changed |= drop_unused_results(&mut rewriter, region) != region;
    }
    Ok(Changed::when(changed))
}

/// Moves an op before the region if nothing that it uses is inside.
fn leave(rewriter: &mut Rewriter<'_>, region: OpId, op: OpId) -> bool {
    let body = &*rewriter.body;
    let is_inside = body.is_ancestor(region, op);
    let is_free = body.operands(op).all(|value| !comes_from(body, region, value));
    if is_inside && is_free {
        rewriter.move_op(op, InsertPoint::Before(region));
    }
    is_inside && is_free
}

/// Whether a value is made in the region.
fn comes_from(body: &Body, region: OpId, value: ValueId) -> bool {
    let owner = body.defining_block(value).and_then(|block| body.block_parent_op(block));
    owner.is_some_and(|owner| body.is_ancestor(region, owner))
}

/// The ops that leave a region for an encoding to be set before it, in order; none when what is
/// encoded cannot leave. The sizes that the encoding takes come along, whatever computes them.
fn leaving(body: &Body, region: OpId, set: OpId) -> Vec<OpId> {
    let source = body.operand(set, 0);
    // Scalars are only broadcast, whatever their encoding; padding is the region's own.
    let scalar = body.ty(source).shape().is_none_or(<[i64]>::is_empty);
    let encoding = body.ty(body.result(set, 0)).encoding();
    let padded = encoding.is_some_and(|e| e.dialect_params("iree_encoding.padding").is_some());
    if scalar || padded {
        return Vec::new();
    }
    let mut found: IndexSet<OpId> = IndexSet::from([set]);
    let mut open = VecDeque::from([set]);
    while let Some(op) = open.pop_front() {
        for value in body.operands(op).filter(|&value| comes_from(body, region, value)) {
            let Some(maker) = body.defining_op(value) else { return Vec::new() };
            let is_size = op == set && value != source;
            if !found.contains(&maker) && !is_size && !may_leave(body, maker) {
                return Vec::new();
            }
            if found.insert(maker) {
                open.push_back(maker);
            }
        }
    }
    found.into_iter().rev().collect()
}

/// Whether what an op makes can be made by the host.
fn may_leave(body: &Body, op: OpId) -> bool {
    match body.name(op).as_str() {
        "tensor.extract_slice" => lies_in_one_piece(body, op),
        name => name == "arith.constant",
    }
}
