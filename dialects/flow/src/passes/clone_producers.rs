//! `iree-dispatch-creation-clone-producers-into-dispatch-regions`: what is cheaper to compute than
//! to pass is computed where it is used.

use indexmap::IndexSet;
use tegula_ir::{Body, InsertPoint, OpId, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::{IrMapping, Rewriter};

use super::form_dispatch_regions::{in_region, wrap};

/// Runs the pass on one top-level op.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let regions: Vec<OpId> =
        body.walk(root).filter(|&op| body.is(op, "flow.dispatch.region")).collect();
    let mut rewriter = cx.rewriter(body);
    let mut changed = false;
    for region in regions {
        changed |= clone_into_region(&mut rewriter, region);
    }
    // A fill that something other than a dispatch uses is a dispatch of its own.
    let fills: Vec<OpId> = (rewriter.body.walk(root))
        .filter(|&op| rewriter.body.is(op, "linalg.fill") && !in_region(rewriter.body, op))
        .filter(|&op| !rewriter.body.results_unused(op))
        .collect();
    for op in fills {
        let region = wrap(&mut rewriter, op);
        clone_into_region(&mut rewriter, region);
        changed = true;
    }
    Ok(Changed::when(changed))
}

/// Whether the op is cheaper to compute than its result is to pass. A constant tensor is data that
/// is there before the program runs: it is passed.
pub fn is_cheap(body: &Body, op: OpId) -> bool {
    match body.name(op).as_str() {
        "arith.constant" => body.results(op).all(|result| body.ty(result).shape().is_none()),
        "tensor.empty" | "linalg.fill" => true,
        _ => false,
    }
}

/// Clones cheap producers of what the region uses to its start, and erases those that are then
/// unused. Gives whether there were any.
fn clone_into_region(rewriter: &mut Rewriter<'_>, region: OpId) -> bool {
    let Some(block) = rewriter.body.region_entry(region, 0) else { return false };
    // Each clone is put first, so that those that others use come last.
    let producers = producers(rewriter.body, region);
    for &producer in producers.iter().rev() {
        let mut mapping = IrMapping::new();
        let copy = rewriter.clone_op(producer, InsertPoint::Start(block), &mut mapping);
        let results: Vec<ValueId> = rewriter.body.results(producer).collect();
        for (index, result) in results.into_iter().enumerate() {
            let to = rewriter.body.result(copy, index);
            rewriter.replace_uses_if(result, to, |body, slot| {
                body.is_ancestor(region, body.use_owner(slot))
            });
        }
        if rewriter.body.results_unused(producer) {
            rewriter.erase(producer);
        }
    }
    !producers.is_empty()
}

/// The cheap ops outside of the region that compute what it uses, each after those that it uses.
/// Among ops that don't use each other those that are found later come first, as in the peer,
/// which looks at the last operand of each op first.
fn producers(body: &Body, region: OpId) -> Vec<OpId> {
    let used = body.walk(region).skip(1).flat_map(|op| body.operands(op));
    let mut work: Vec<ValueId> = used.collect();
    let mut found: IndexSet<OpId> = IndexSet::new();
    while let Some(value) = work.pop() {
        let Some(producer) = body.defining_op(value) else { continue };
        let outside = !body.is_ancestor(region, producer);
        if outside && is_cheap(body, producer) && found.insert(producer) {
            work.extend(body.operands(producer));
        }
    }
    let mut order = Vec::with_capacity(found.len());
    while !found.is_empty() {
        let waits = |op: OpId| {
            body.operands(op).filter_map(|v| body.defining_op(v)).any(|op| found.contains(&op))
        };
        let ready: Vec<OpId> = found.iter().copied().filter(|&op| !waits(op)).collect();
        // Values of one block can't use each other in a circle; a graph region's may.
        if ready.is_empty() {
            break;
        }
        found.retain(|op| !ready.contains(op));
        order.extend(ready);
    }
    order
}
