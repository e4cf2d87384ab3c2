//! `iree-dispatch-creation-remove-tensor-barriers`: barriers become the values that they pass on.

use tegula_ir::{Body, OpId};
use tegula_pass::{Changed, PassCx, PassResult};

/// Runs the pass on one top-level op.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let barriers: Vec<OpId> = body
        .walk(root)
        .filter(|&op| body.name(op).as_str().starts_with("iree_tensor_ext.compute_barrier."))
        .collect();
    let mut rewriter = cx.rewriter(body);
    for &barrier in &barriers {
        let value = rewriter.body.operand(barrier, 0);
        rewriter.replace(barrier, &[value]);
    }
    Ok(Changed::when(!barriers.is_empty()))
}
