//! Which timepoints must have been reached before another is.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use tegula_analysis::Flow;
use tegula_ir::{Body, OpId, Registry, ValueId};

use super::support::{await_group, timepoint_type};

/// For each timepoint of a body the others that are known to be reached when it is, and itself.
pub(super) struct Coverage {
    covered: FxHashMap<ValueId, BTreeSet<ValueId>>,
}

impl Coverage {
    /// The coverage of all timepoints below an op. What comes by several ways covers what each of
    /// them is known to cover; what goes around in loops is known of none.
    pub(super) fn of(registry: &Registry, body: &Body, root: OpId) -> Coverage {
        let timepoint = timepoint_type();
        let flow = Flow::of(registry, body, root);
        let mut values: Vec<ValueId> = Vec::new();
        for op in body.walk(root) {
            values.extend(body.results(op));
            let blocks = body.regions(op).iter().flat_map(|&region| body.blocks(region));
            values.extend(blocks.flat_map(|block| body.block_args(block).iter().copied()));
        }
        values.retain(|&value| body.ty(value) == timepoint);
        let nothing = |&value: &ValueId| (value, BTreeSet::new());
        let mut coverage = Coverage { covered: values.iter().map(nothing).collect() };
        // Sets grow, so that there is an end; the number of rounds is bounded all the same.
        for _ in 0..=values.len() {
            let mut changed = false;
            for &value in &values {
                let new = coverage.next(registry, body, &flow, value);
                changed |= coverage.covered.get(&value) != Some(&new);
                coverage.covered.insert(value, new);
            }
            if !changed {
                break;
            }
        }
        coverage
    }

    /// What follows for a timepoint from what is known of others.
    fn next(
        &self,
        registry: &Registry,
        body: &Body,
        flow: &Flow,
        value: ValueId,
    ) -> BTreeSet<ValueId> {
        let known = |at: ValueId| self.covered.get(&at).into_iter().flatten().copied();
        let imports = body.defining_op(value).filter(|&op| body.is(op, "stream.timepoint.import"));
        if let Some(op) = imports {
            let before = exported(registry, body, body.operands(op).collect());
            let all = before.into_iter().flat_map(|at| known(at).chain([at]));
            return all.chain([value]).collect();
        }
        let mut set: BTreeSet<ValueId> =
            match body.defining_op(value).and_then(|op| waits_for(registry, body, op)) {
                Some(awaits) => awaits.iter().flat_map(|&at| known(at).chain([at])).collect(),
                None => {
                    let mut sources = flow.sources(value).iter().map(|(source, _)| *source);
                    let first: Vec<ValueId> = sources.next().into_iter().flat_map(known).collect();
                    let in_all = |at: &ValueId| {
                        sources.clone().all(|source| known(source).any(|other| other == *at))
                    };
                    first.into_iter().filter(in_all).collect()
                }
            };
        set.insert(value);
        set
    }

    /// Whether one timepoint is reached when another is.
    pub(super) fn covers(&self, later: ValueId, earlier: ValueId) -> bool {
        later == earlier || self.covered.get(&later).is_some_and(|set| set.contains(&earlier))
    }
}

/// The timepoints that work of other dialects has waited for when fences are signaled.
fn exported(registry: &Registry, body: &Body, mut fences: Vec<ValueId>) -> Vec<ValueId> {
    let mut timepoints = Vec::new();
    let mut seen = BTreeSet::new();
    while let Some(fence) = fences.pop() {
        if !seen.insert(fence) {
            continue;
        }
        let signals = body.users(fence).filter_map(|user| {
            let def = registry.op(body.name(user))?.def();
            let rule = def.traits.iter().find(|t| t.name == "TimelineAwareOpInterface")?;
            let [waits, signal] = rule.args.as_ref() else { return None };
            let signals = registry.operand_of(body, user, signal) == Some(fence);
            signals.then(|| registry.operands_of(body, user, waits))
        });
        // Where several signal a fence, it is not known which does first.
        let [waits] = &signals.collect::<Vec<_>>()[..] else { continue };
        for &wait in waits {
            match body.defining_op(wait).filter(|&op| body.is(op, "stream.timepoint.export")) {
                Some(op) => timepoints.extend(registry.operand_of(body, op, "await_timepoint")),
                None => fences.push(wait),
            }
        }
    }
    timepoints
}

/// What an op in the order of execution waits for.
pub(super) fn waits_for(registry: &Registry, body: &Body, op: OpId) -> Option<Vec<ValueId>> {
    Some(registry.operands_of(body, op, await_group(registry, body, op)?))
}
