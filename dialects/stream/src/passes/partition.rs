//! Dividing the ops of a block into partitions that run as one.
//!
//! Both kinds of partitions are found from the last op of the block to the first. An op carries the
//! partitions that it must not join: those that its users are in or transitively depend on.

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

#[derive(Default)]
struct Builder {
    ops: Vec<OpId>,
    affinity: Option<Attr>,
    hazards: BTreeSet<usize>,
}

/// Whether an op is work on resources that may be placed into an execution region.
pub(crate) fn is_streamable(registry: &Registry, body: &Body, op: OpId) -> bool {
    registry.op(body.name(op)).is_some_and(|info| info.def().has_trait("StreamableOpInterface"))
}

fn is_constant_like(registry: &Registry, body: &Body, op: OpId) -> bool {
    registry.op(body.name(op)).is_some_and(|info| info.constant_like)
}

fn is_pure(registry: &Registry, body: &Body, op: OpId) -> bool {
    registry.op(body.name(op)).is_some_and(|info| info.pure)
}

/// Partitions of streamable ops for execution, in topological order.
///
/// An op joins a partition of its users, or else the first one that nothing forbids. Ops that are
/// not streamable and have effects freeze what was found so far, so that nothing moves across them.
pub(crate) fn for_execution(registry: &Registry, body: &Body, ops: &[OpId]) -> Vec<Partition> {
    let mut places: BTreeMap<OpId, Place> = BTreeMap::new();
    let mut builders: Vec<Builder> = Vec::new();
    let mut usable: BTreeSet<usize> = BTreeSet::new();
    for &op in ops.iter().rev() {
        if is_constant_like(registry, body, op) {
            continue;
        }
        let streamable = is_streamable(registry, body, op);
        if !streamable && !is_pure(registry, body, op) {
            usable.clear();
        }
        let mut place = Place::default();
        let mut consumers = BTreeSet::new();
        for user in users_in(body, op, ops) {
            let Some(other) = places.get(&user) else { continue };
            consumers.extend(other.member);
            place.hazards.extend(other.member);
            place.hazards.extend(&other.hazards);
        }
        if streamable {
            let affinity = body.attr(op, "affinity");
            let may_join = |at: &usize| {
                usable.contains(at)
                    && (!place.hazards.contains(at) || consumers.contains(at))
                    && (affinity.is_none()
                        || builders[*at].affinity.is_none()
                        || builders[*at].affinity == affinity)
                    && place.hazards.iter().all(|h| at >= h)
                    && place.hazards.iter().all(|h| h == at || !builders[*h].hazards.contains(at))
            };
            let of_consumers = consumers.iter().copied().find(|at| may_join(at));
            let chosen = of_consumers.or_else(|| (0..builders.len()).find(|at| may_join(at)));
            let chosen = chosen.unwrap_or_else(|| {
                place.hazards.extend(0..builders.len());
                usable.insert(builders.len());
                builders.push(Builder::default());
                builders.len() - 1
            });
            place.member = Some(chosen);
            place.hazards.remove(&chosen);
            let builder = &mut builders[chosen];
            builder.ops.push(op);
            builder.affinity = builder.affinity.or(affinity);
            builder.hazards.extend(&place.hazards);
        }
        places.insert(op, place);
    }
    builders.into_iter().rev().map(|b| finish(body, b)).collect()
}

/// Waves of ops of an execution region that don't depend on each other, in topological order.
pub(crate) fn for_concurrency(registry: &Registry, body: &Body, ops: &[OpId]) -> Vec<Partition> {
    let mut places: BTreeMap<OpId, Place> = BTreeMap::new();
    let mut builders: Vec<Builder> = Vec::new();
    for (at, &op) in ops.iter().enumerate().rev() {
        if is_constant_like(registry, body, op) || !is_streamable(registry, body, op) {
            continue;
        }
        let mut place = Place::default();
        let later = storage_conflicts(registry, body, op, &ops[at + 1..]);
        for user in users_in(body, op, ops).into_iter().chain(later) {
            let Some(other) = places.get(&user) else { continue };
            place.hazards.extend(other.member);
            place.hazards.extend(&other.hazards);
        }
        let chosen = (0..builders.len()).find(|wave| !place.hazards.contains(wave));
        let chosen = chosen.unwrap_or_else(|| {
            builders.push(Builder::default());
            builders.len() - 1
        });
        place.member = Some(chosen);
        builders[chosen].ops.push(op);
        places.insert(op, place);
    }
    builders.into_iter().rev().map(|b| finish(body, b)).collect()
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
        around(body, self.ops.clone(), self.affinity)
    }
}

fn finish(body: &Body, builder: Builder) -> Partition {
    let mut ops = builder.ops;
    ops.reverse();
    around(body, ops, builder.affinity)
}

fn around(body: &Body, ops: Vec<OpId>, affinity: Option<Attr>) -> Partition {
    let members: BTreeSet<OpId> = ops.iter().copied().collect();
    let produced: IndexSet<ValueId> = ops.iter().flat_map(|&op| body.results(op)).collect();
    let mut ins: IndexSet<ValueId> = IndexSet::new();
    for &op in &ops {
        ins.extend(body.operands(op).filter(|v| !produced.contains(v)));
    }
    let escapes = |v: &ValueId| body.users(*v).any(|user| !members.contains(&user));
    let outs = produced.iter().copied().filter(escapes).collect();
    Partition { ops, affinity, ins: ins.into_iter().collect(), outs }
}
