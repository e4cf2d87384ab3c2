//! `iree-dispatch-creation-form-dispatch-regions`: computations go into dispatch regions.

use tegula_ir::{Body, InsertPoint, NewOp, OpId, TypeData, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use super::clone_producers::is_cheap;
use crate::structured::is_structured;

/// Tensor ops that compute or move elements.
const TENSOR_ROOTS: &[&str] = &[
    "tensor.pad",
    "tensor.concat",
    "tensor.extract_slice",
    "tensor.insert_slice",
    "tensor.gather",
    "tensor.generate",
];

/// Runs the pass on one function.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let mut rewriter = cx.rewriter(body);
    let roots: Vec<OpId> = rewriter
        .body
        .walk(root)
        .filter(|&op| is_root(rewriter.body, op) && !in_region(rewriter.body, op))
        .collect();
    for &op in &roots {
        wrap(&mut rewriter, op);
    }
    Ok(Changed::when(!roots.is_empty()))
}

fn is_root(body: &Body, op: OpId) -> bool {
    let tensors =
        |op| body.results(op).all(|r| matches!(body.ty(r).data(), TypeData::RankedTensor { .. }));
    let computes = is_structured(body, op) || TENSOR_ROOTS.contains(&body.name(op).as_str());
    computes && tensors(op) && !is_cheap(body, op)
}

/// Whether the op is inside of a region already, or of another structured op.
pub(super) fn in_region(body: &Body, op: OpId) -> bool {
    let mut at = body.parent_op(op);
    while let Some(parent) = at {
        if body.is(parent, "flow.dispatch.region") || body.name(parent).dialect() == "linalg" {
            return true;
        }
        at = body.parent_op(parent);
    }
    false
}

/// Moves an op into a new region in its place.
pub(super) fn wrap(rewriter: &mut Rewriter<'_>, op: OpId) -> OpId {
    let results: Vec<ValueId> = rewriter.body.results(op).collect();
    let types: Vec<_> = results.iter().map(|&r| rewriter.body.ty(r)).collect();
    let new = rewriter
        .registry
        .new_op("flow.dispatch.region")
        .results("result", types)
        .regions(2)
        .loc(rewriter.body.loc(op))
        .build();
    let region = rewriter.insert(InsertPoint::Before(op), new);
    for (index, &result) in results.iter().enumerate() {
        let to = rewriter.body.result(region, index);
        rewriter.replace_all_uses(result, to);
    }
    if let Some(inner) = rewriter.body.region(region, 0) {
        let block = rewriter.append_block(inner, &[]);
        rewriter.move_op(op, InsertPoint::End(block));
        rewriter.insert(InsertPoint::End(block), NewOp::new("flow.return").operands(results));
    }
    region
}
