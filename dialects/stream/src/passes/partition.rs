//! Dividing the ops of a block into partitions that run as one; waves of an execution region.
//!
//! Partitions are found from the last op of the block to the first. An op carries the partitions that
//! it must not join: those that its users are in or transitively depend on.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;
use tegula_ir::{Attr, Body, OpId, Registry, ValueId};

use super::support::tied_operands;

/// Ops that run as one, in block order, with the values that go in and out.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Partition {
    /// The ops in block order.
    pub(crate) ops: Vec<OpId>,
    /// Where they run.
    pub(crate) affinity: Option<Attr>,
    /// Values from outside, in order of first use.
    pub(crate) ins: Vec<ValueId>,
    /// Values that are used outside, in order of definition.
    pub(crate) outs: Vec<ValueId>,
}

#[derive(Clone, Default)]
struct Place {
    member: Option<usize>,
    /// Partitions that depend on the op.
    hazards: BTreeSet<usize>,
}

/// Whether an op is work on resources that may be placed into an execution region.
pub(crate) fn is_streamable(registry: &Registry, body: &Body, op: OpId) -> bool {
    registry.op(body.name(op)).is_some_and(|info| info.def().has_trait("StreamableOpInterface"))
}

/// Whether an op is work that has a place in time, not only in the order of values.
fn takes_time(registry: &Registry, body: &Body, op: OpId) -> bool {
    is_streamable(registry, body, op)
        && registry.op(body.name(op)).is_some_and(|info| !info.def().has_trait("StreamMetadata"))
}

pub(super) fn is_constant_like(registry: &Registry, body: &Body, op: OpId) -> bool {
    registry.op(body.name(op)).is_some_and(|info| info.constant_like)
}

/// Which of the waves that it may join an op joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Favor {
    /// The one that runs last, so that each wave holds as much as it can.
    MaxConcurrency,
    /// The one that runs first, so that what it uses is done with early.
    MinPeakMemory,
}

/// Waves of ops of an execution region that don't depend on each other, in topological order.
pub(crate) fn for_concurrency(
    registry: &Registry,
    body: &Body,
    ops: &[OpId],
    favor: Favor,
) -> Vec<Partition> {
    let mut places: BTreeMap<OpId, Place> = BTreeMap::new();
    let mut waves: Vec<Vec<OpId>> = Vec::new();
    for (at, &op) in ops.iter().enumerate().rev() {
        if is_constant_like(registry, body, op) {
            continue;
        }
        let mut place = Place::default();
        let later = storage_conflicts(registry, body, op, &ops[at + 1..]);
        for user in users_in(body, op, ops).into_iter().chain(later) {
            let Some(other) = places.get(&user) else { continue };
            place.hazards.extend(other.member);
            place.hazards.extend(&other.hazards);
        }
        if !takes_time(registry, body, op) {
            places.insert(op, place);
            continue;
        }
        let mut open = (0..waves.len()).filter(|wave| !place.hazards.contains(wave));
        let chosen = match favor {
            Favor::MaxConcurrency => open.next(),
            Favor::MinPeakMemory => open.next_back(),
        };
        let chosen = chosen.unwrap_or_else(|| {
            waves.push(Vec::new());
            waves.len() - 1
        });
        place.member = Some(chosen);
        place.hazards.extend(0..chosen);
        waves[chosen].push(op);
        places.insert(op, place);
    }
    waves.into_iter().rev().map(|ops| around(body, ops.into_iter().rev().collect())).collect()
}

/// The ops among `ops` that use a result of `op`, nested uses counted for the op that holds them.
fn users_in(body: &Body, op: OpId, ops: &[OpId]) -> Vec<OpId> {
    let Some(block) = ops.first().and_then(|&first| body.parent_block(first)) else {
        return Vec::new();
    };
    let mut users: IndexSet<OpId> = IndexSet::new();
    for result in body.results(op) {
        users.extend(body.users(result).filter_map(|user| body.ancestor_in_block(block, user)));
    }
    users.into_iter().collect()
}

/// Later ops that write in place what `op` uses, or use what `op` writes in place.
fn storage_conflicts(registry: &Registry, body: &Body, op: OpId, later: &[OpId]) -> Vec<OpId> {
    let written = |op: OpId| -> Vec<ValueId> {
        let ties = tied_operands(registry, body, op).into_iter().flatten();
        ties.filter(|&i| i < body.num_operands(op)).map(|i| body.operand(op, i)).collect()
    };
    let writes = written(op);
    let conflict = |&other: &OpId| {
        written(other).iter().any(|v| body.operands(op).any(|o| o == *v))
            || writes.iter().any(|v| body.operands(other).any(|o| o == *v))
    };
    later.iter().copied().filter(conflict).collect()
}

impl Partition {
    /// The same ops with what goes in and out now: outlining another partition replaces values.
    pub(crate) fn refreshed(&self, body: &Body) -> Partition {
        around(body, self.ops.clone())
    }
}

fn around(body: &Body, ops: Vec<OpId>) -> Partition {
    let members: BTreeSet<OpId> = ops.iter().copied().collect();
    let produced: IndexSet<ValueId> = ops.iter().flat_map(|&op| body.results(op)).collect();
    let mut ins: IndexSet<ValueId> = IndexSet::new();
    for &op in &ops {
        ins.extend(body.operands(op).filter(|v| !produced.contains(v)));
    }
    let escapes = |v: &ValueId| body.users(*v).any(|user| !members.contains(&user));
    let outs = produced.iter().copied().filter(escapes).collect();
    Partition { ops, affinity: None, ins: ins.into_iter().collect(), outs }
}
