//! `iree-dispatch-creation-clone-producers-into-dispatch-regions`: what is cheaper to compute than
//! to pass is computed where it is used.

use tegula_dialect_util::constants::is_splat_or_scalar;
use tegula_ir::{Body, InsertPoint, OpId, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::{IrMapping, Rewriter};

/// Runs the pass on one top-level op.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let regions: Vec<OpId> =
        body.walk(root).filter(|&op| body.is(op, "flow.dispatch.region")).collect();
    let mut rewriter = cx.rewriter(body);
    let mut changed = false;
    for region in regions {
        changed |= clone_into_region(&mut rewriter, region);
    }
    Ok(Changed::when(changed))
}

/// Whether the op is cheaper to compute than its result is to pass.
pub fn is_cheap(body: &Body, op: OpId) -> bool {
    match body.name(op).as_str() {
        "arith.constant" => body.attr(op, "value").is_some_and(is_splat_or_scalar),
        "tensor.empty" | "linalg.fill" => true,
        _ => false,
    }
}

/// Clones cheap producers of what the region uses to its start, and erases those that are then
/// unused. Gives whether there were any.
pub fn clone_into_region(rewriter: &mut Rewriter<'_>, region: OpId) -> bool {
    let Some(block) = rewriter.body.region_entry(region, 0) else { return false };
    let mut changed = false;
    // Each round clones the producers of what the round before cloned.
    while let Some((value, producer)) = next_producer(rewriter.body, region) {
        let mut mapping = IrMapping::new();
        let copy = rewriter.clone_op(producer, InsertPoint::Start(block), &mut mapping);
        let results: Vec<ValueId> = rewriter.body.results(producer).collect();
        for (index, result) in results.into_iter().enumerate() {
            let to = rewriter.body.result(copy, index);
            rewriter.replace_uses_if(result, to, |body, slot| {
                body.is_ancestor(region, body.use_owner(slot))
            });
        }
        debug_assert_ne!(rewriter.body.defining_op(value), Some(copy));
        if rewriter.body.results_unused(producer) {
            rewriter.erase(producer);
        }
        changed = true;
    }
    changed
}

/// A use in the region of a cheap op outside of it; the last one in the order of the text, so that
/// clones, each put first, keep that order.
fn next_producer(body: &Body, region: OpId) -> Option<(ValueId, OpId)> {
    let mut last = None;
    for op in body.walk(region).skip(1) {
        for value in body.operands(op) {
            let Some(producer) = body.defining_op(value) else { continue };
            if !body.is_ancestor(region, producer) && is_cheap(body, producer) {
                last = Some((value, producer));
            }
        }
    }
    last
}
