//! Timepoints that have always been reached, however they come to where they are waited for.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use tegula_analysis::Flow;
use tegula_ir::{Body, InsertPoint, NewOp, OpId, Registry, ValueId};
use tegula_rewrite::Rewriter;

use super::support::timepoint_type;

const IMMEDIATE: &str = "stream.timepoint.immediate";

/// Names such a timepoint anew where it comes from, so that who waits for it sees what it is. Says
/// whether there was one.
pub(super) fn name_anew(rw: &mut Rewriter<'_>, root: OpId) -> bool {
    let mut changed = false;
    for value in always_reached(rw.registry, rw.body, root) {
        let made_by = rw.body.defining_op(value);
        if rw.body.is_unused(value) || made_by.is_some_and(|op| rw.body.is(op, IMMEDIATE)) {
            continue;
        }
        let at = match (made_by, rw.body.defining_block(value)) {
            (Some(op), _) => InsertPoint::After(op),
            (None, Some(block)) => InsertPoint::Start(block),
            (None, None) => continue,
        };
        let reached = rw.insert_value(at, NewOp::new(IMMEDIATE).result(timepoint_type()));
        rw.replace_all_uses(value, reached);
        changed = true;
    }
    changed
}

/// All timepoints below an op that are nothing but such ones: all are taken for them that come from
/// somewhere known, and then those are not that depend on others.
fn always_reached(registry: &Registry, body: &Body, root: OpId) -> Vec<ValueId> {
    let timepoint = timepoint_type();
    let flow = Flow::of(registry, body, root);
    let values = body.walk(root).flat_map(|op| {
        let blocks = body.regions(op).iter().flat_map(|&region| body.blocks(region));
        let args = blocks.flat_map(|block| body.block_args(block).iter().copied());
        body.results(op).chain(args).collect::<Vec<_>>()
    });
    let sources: IndexMap<ValueId, Vec<ValueId>> = values
        .filter(|&value| body.ty(value) == timepoint)
        .filter_map(|value| Some((value, sources_of(&flow, body, value)?)))
        .collect();
    let mut reached: FxHashSet<ValueId> = sources.keys().copied().collect();
    loop {
        let before = reached.len();
        for (value, from) in &sources {
            if !from.iter().all(|source| reached.contains(source)) {
                reached.remove(value);
            }
        }
        if reached.len() == before {
            break;
        }
    }
    sources.into_keys().filter(|value| reached.contains(value)).collect()
}

/// The timepoints of which one is this, or the last to be reached; none when that is not known.
fn sources_of(flow: &Flow, body: &Body, value: ValueId) -> Option<Vec<ValueId>> {
    match body.defining_op(value) {
        Some(op) if body.is(op, IMMEDIATE) => Some(Vec::new()),
        Some(op) if body.is(op, "stream.timepoint.join") => Some(body.operands(op).collect()),
        _ => Some(flow.sources(value).iter().map(|(source, _)| *source).collect::<Vec<_>>())
            .filter(|sources| !sources.is_empty()),
    }
}
