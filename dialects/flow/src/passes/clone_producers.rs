//! `iree-dispatch-creation-clone-producers-into-dispatch-regions`: what is cheaper to compute than
//! to pass is computed where it is used.

use indexmap::IndexSet;
use tegula_ir::{Body, InsertPoint, OpId, TypeData, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::{IrMapping, Rewriter};

use crate::kinds::is_cloned;
use crate::regions::{REGION, captured, in_dispatch, operands_below, sorted, wrap};

/// Runs the pass on one top-level op.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let mut rewriter = cx.rewriter(body);
    let mut changed = clone_into_all(&mut rewriter, root);
    // A computation that something other than a dispatch uses is a dispatch of its own.
    let left: Vec<OpId> = (rewriter.body.walk(root))
        .filter(|&op| rewriter.body.is(op, "linalg.generic"))
        .filter(|&op| !in_dispatch(rewriter.body, op) && !rewriter.body.results_unused(op))
        .collect();
    for op in left {
        wrap(&mut rewriter, op);
        changed = true;
    }
    changed |= clone_into_all(&mut rewriter, root);
    Ok(Changed::when(changed))
}

fn clone_into_all(rewriter: &mut Rewriter<'_>, root: OpId) -> bool {
    let regions: Vec<OpId> =
        (rewriter.body.walk(root)).filter(|&op| rewriter.body.is(op, REGION)).collect();
    let mut changed = false;
    for region in regions {
        while clone_into_region(rewriter, region) {
            changed = true;
        }
    }
    changed
}

/// Clones cheap producers of what the region uses to its start, and erases those that are then
/// unused. Gives whether there were any.
pub(super) fn clone_into_region(rewriter: &mut Rewriter<'_>, region: OpId) -> bool {
    let Some(block) = rewriter.body.region_entry(region, 0) else { return false };
    // Each clone is put first, so that those that others use come last.
    let producers = producers(rewriter.body, region);
    for &producer in producers.iter().rev() {
        let mut mapping = IrMapping::new();
        let copy = rewriter.clone_op(producer, InsertPoint::Start(block), &mut mapping);
        let results: Vec<ValueId> = rewriter.body.results(producer).collect();
        for (index, result) in results.into_iter().enumerate() {
            let to = rewriter.body.result(copy, index);
            let in_region = |body: &Body, slot| {
                let user = body.use_owner(slot);
                user != region && body.is_ancestor(region, user)
            };
            rewriter.replace_uses_if(result, to, in_region);
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
    let kept = written_over(body, region);
    let mut work: Vec<ValueId> = captured(body, region);
    let mut seen: IndexSet<ValueId> = IndexSet::new();
    let mut found: Vec<OpId> = Vec::new();
    while let Some(value) = work.pop() {
        if !seen.insert(value) {
            continue;
        }
        let Some(producer) = body.defining_op(value).filter(|&op| is_cloned(body, op)) else {
            continue;
        };
        // The sizes of results are computed where the dispatch is started.
        let is_size = matches!(body.ty(value).data(), TypeData::Index)
            && body.users(value).any(|user| user == region);
        if !is_size && !kept.contains(&value) && !found.contains(&producer) {
            found.push(producer);
            work.extend(operands_below(body, producer));
        }
    }
    sorted(body, found)
}

/// The tensors that ops in the region write slices of: they are passed, so that the rest of them
/// stays where it is. What makes them by cheap ops counts, too, but not what only reshapes them.
fn written_over(body: &Body, region: OpId) -> IndexSet<ValueId> {
    let dests = body.walk(region).filter(|&op| body.is(op, "tensor.insert_slice"));
    let mut open: Vec<ValueId> = dests.filter_map(|op| body.operands(op).nth(1)).collect();
    let mut kept: IndexSet<ValueId> = IndexSet::new();
    let mut seen: IndexSet<ValueId> = open.iter().copied().collect();
    kept.extend(open.iter().copied());
    while let Some(value) = open.pop() {
        let Some(maker) = body.defining_op(value).filter(|&op| is_cloned(body, op)) else {
            continue;
        };
        let reshapes = matches!(
            body.name(maker).as_str(),
            "tensor.collapse_shape"
                | "tensor.empty"
                | "tensor.expand_shape"
                | "tensor.extract_slice"
        );
        if !reshapes {
            let tensors = body
                .results(maker)
                .filter(|&result| matches!(body.ty(result).data(), TypeData::RankedTensor { .. }));
            kept.extend(tensors);
        }
        for used in operands_below(body, maker) {
            if seen.insert(used) {
                open.push(used);
            }
        }
    }
    kept
}
