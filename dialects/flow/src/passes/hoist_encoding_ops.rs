//! `iree-dispatch-creation-hoist-encoding-ops`: encoding ops leave dispatch regions.

use tegula_ir::{Body, InsertPoint, OpId};
use tegula_pass::{Changed, PassCx, PassResult};

/// Runs the pass on one top-level op.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let mut rewriter = cx.rewriter(body);
    let sets: Vec<OpId> = rewriter
        .body
        .walk(root)
        .filter(|&op| rewriter.body.is(op, "iree_encoding.set_encoding"))
        .collect();
    let mut changed = false;
    for op in sets {
        let Some(region) = enclosing_region(rewriter.body, op) else { continue };
        let source = rewriter.body.operand(op, 0);
        // Scalars are only broadcast, whatever their encoding.
        let scalar = rewriter.body.ty(source).shape().is_none_or(<[i64]>::is_empty);
        let from_outside = rewriter.body.operands(op).all(|v| {
            let block = rewriter.body.defining_block(v);
            let owner = block.and_then(|b| rewriter.body.block_parent_op(b));
            owner.is_none_or(|owner| !rewriter.body.is_ancestor(region, owner))
        });
        if !scalar && from_outside {
            rewriter.move_op(op, InsertPoint::Before(region));
            changed = true;
        }
    }
    Ok(Changed::when(changed))
}

/// The innermost dispatch region around an op.
fn enclosing_region(body: &Body, op: OpId) -> Option<OpId> {
    let mut at = body.parent_op(op);
    while let Some(parent) = at {
        if body.is(parent, "flow.dispatch.region") {
            return Some(parent);
        }
        at = body.parent_op(parent);
    }
    None
}
