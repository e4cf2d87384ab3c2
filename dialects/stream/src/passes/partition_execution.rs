//! Dividing the ops of a block into partitions for execution.
//!
//! An op joins a partition of its users, or else the first one that nothing forbids. Ops that are
//! not work on resources and have effects freeze what was found so far, so that nothing moves across
//! them. What is better done for each user is in the partitions of all of them.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashSet;
use tegula_analysis::would_be_trivially_dead;
use tegula_ir::{Attr, BlockId, Body, OpId, Registry, ValueId};

use super::partition::{Partition, is_constant_like, is_streamable};
use super::support::{is_resource, lifetime};

/// A set of partitions.
#[derive(Clone, Default)]
struct Ordinals(Vec<bool>);

impl Ordinals {
    fn has(&self, at: usize) -> bool {
        self.0.get(at).copied().unwrap_or(false)
    }

    fn set(&mut self, at: usize, is: bool) {
        if self.0.len() <= at {
            self.0.resize(at + 1, false);
        }
        self.0[at] = is;
    }

    fn add(&mut self, other: &Ordinals) {
        for at in other.all() {
            self.set(at, true);
        }
    }

    fn all(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().filter(|(_, is)| **is).map(|(at, _)| at)
    }

    fn is_empty(&self) -> bool {
        !self.0.contains(&true)
    }

    fn keep(&mut self, keep: impl Fn(usize) -> bool) {
        for (at, is) in self.0.iter_mut().enumerate() {
            *is = *is && keep(at);
        }
    }
}

/// Where an op stands.
#[derive(Clone, Default)]
struct Place {
    /// The partitions that it is in.
    members: Ordinals,
    /// Partitions that depend on it.
    hazards: Ordinals,
    /// Partitions that depend on what regions make of it, which cannot hold it, too.
    across_regions: Ordinals,
}

#[derive(Default)]
struct Builder {
    affinity: Option<Attr>,
    /// Its ops, the last first.
    ops: IndexSet<OpId>,
    /// Those of them whose values other partitions have for themselves.
    clones: FxHashSet<OpId>,
    /// Partitions that depend on it.
    hazards: Ordinals,
}

/// Whether users had better have an op for themselves.
pub(super) fn prefers_clones(registry: &Registry, body: &Body, op: OpId) -> bool {
    // Device code that takes no resource is a slow fill.
    let dispatches_nothing =
        || body.is(op, "stream.async.dispatch") && !body.operands(op).any(|v| is_resource(body, v));
    registry.op(body.name(op)).is_some_and(|info| info.def().has_trait("PrefersClones"))
        || dispatches_nothing()
}

/// Where an op runs; transfers run where they come from, unless the host sees their source only.
pub(super) fn affinity_of(body: &Body, op: OpId) -> Option<Attr> {
    if !body.is(op, "stream.async.transfer") {
        return body.attr(op, "affinity");
    }
    let host_sees =
        |value: ValueId| matches!(lifetime(body.ty(value)), Some("external" | "staging"));
    let is_staging = |value: ValueId| lifetime(body.ty(value)) == Some("staging");
    let (source, result) = (body.operand(op, 0), body.result(op, 0));
    let both = is_staging(source) && is_staging(result);
    let end = if host_sees(source) && !both { "target_affinity" } else { "source_affinity" };
    body.attr(op, "execution_affinity").or_else(|| body.attr(op, end))
}

fn runs_with(a: Option<Attr>, b: Option<Attr>) -> bool {
    a.is_none() || b.is_none() || a == b
}

/// Partitions of the work of a block, in topological order.
pub(super) fn for_execution(registry: &Registry, body: &Body, block: BlockId) -> Vec<Partition> {
    let mut this = Partitioning {
        registry,
        body,
        block,
        places: IndexMap::new(),
        builders: Vec::new(),
        usable: Ordinals::default(),
        joined: IndexMap::new(),
        nested: IndexMap::new(),
    };
    let ops: Vec<OpId> = body.block_ops(block).collect();
    for &op in &ops {
        if !body.regions(op).is_empty() && !is_streamable(registry, body, op) {
            for inner in body.walk(op) {
                for value in body.operands(inner) {
                    this.nested.entry(value).or_default().insert(op);
                }
            }
        }
    }
    for &op in ops.iter().rev() {
        this.place(op);
    }
    this.finish()
}

struct Partitioning<'a> {
    registry: &'a Registry,
    body: &'a Body,
    block: BlockId,
    places: IndexMap<OpId, Place>,
    builders: Vec<Builder>,
    /// Partitions that ops may still join.
    usable: Ordinals,
    /// Ops that go where what they use is made.
    joined: IndexMap<OpId, Vec<OpId>>,
    /// For values the ops whose regions use them.
    nested: IndexMap<ValueId, IndexSet<OpId>>,
}

impl Partitioning<'_> {
    fn is_streamable(&self, op: OpId) -> bool {
        is_streamable(self.registry, self.body, op)
    }

    fn place(&mut self, op: OpId) {
        let body = self.body;
        // Stores to globals can't be seen from within a region.
        if is_constant_like(self.registry, body, op) || body.is(op, "util.global.store") {
            return;
        }
        let streamable = self.is_streamable(op);
        if !streamable && !would_be_trivially_dead(self.registry, body, op) {
            self.usable = Ordinals::default();
        }
        if let Some(producer) = self.goes_with(op) {
            self.joined.entry(producer).or_default().push(op);
            return;
        }
        let mut place = Place::default();
        let mut consumers = Ordinals::default();
        self.users(op, &mut place, |user, place| {
            consumers.add(&user.members);
            place.hazards.add(&user.members);
            place.hazards.add(&user.hazards);
        });
        for result in body.results(op) {
            for user in self.nested.get(&result).into_iter().flatten() {
                let Some(user) = self.places.get(user) else { continue };
                place.hazards.add(&user.members);
                place.hazards.add(&user.hazards);
            }
        }
        let joined = self.joined.get(&op).cloned().unwrap_or_default();
        for &sync in &joined {
            let mut any = false;
            self.users(sync, &mut place, |user, place| {
                place.hazards.add(&user.members);
                place.hazards.add(&user.hazards);
                any = true;
            });
            if any {
                consumers = Ordinals::default();
            }
        }
        if streamable {
            self.join(op, &mut place, consumers, &joined);
        }
        self.places.insert(op, place);
    }

    /// The op that makes what a barrier or transfer uses, where it takes that along.
    fn goes_with(&self, op: OpId) -> Option<OpId> {
        let body = self.body;
        let is_transfer = body.is(op, "stream.async.transfer");
        if !is_transfer && !body.is(op, "stream.async.barrier") {
            return None;
        }
        let producer = body.defining_op(body.operand(op, 0)).filter(|&p| self.is_streamable(p))?;
        let fits = runs_with(affinity_of(body, op), affinity_of(body, producer));
        (!is_transfer || fits).then_some(producer)
    }

    /// Tells of each user that is placed. Of what a region uses, what uses the results around it
    /// can't be in one partition with it.
    fn users(&self, op: OpId, place: &mut Place, mut tell: impl FnMut(&Place, &mut Place)) {
        let body = self.body;
        let users: Vec<OpId> =
            body.results(op).flat_map(|r| body.users(r).collect::<Vec<_>>()).collect();
        for user in users {
            if body.parent_block(user) == Some(self.block) {
                if let Some(user) = self.places.get(&user) {
                    tell(user, place);
                }
                continue;
            }
            let Some(around) = body.ancestor_in_block(self.block, user) else { continue };
            if self.is_streamable(around) {
                if let Some(user) = self.places.get(&around) {
                    tell(user, place);
                }
                continue;
            }
            for then in body.results(around).flat_map(|r| body.users(r).collect::<Vec<_>>()) {
                if body.parent_block(then) == Some(self.block)
                    && let Some(then) = self.places.get(&then)
                {
                    place.across_regions.add(&then.members);
                    place.across_regions.add(&then.hazards);
                }
            }
        }
    }

    /// Whether a partition may hold an op; a clone of it counts by its users there.
    fn may_hold(&self, op: OpId, place: &Place, at: usize, clones: bool) -> bool {
        let builder = &self.builders[at];
        if !self.is_streamable(op) || !runs_with(affinity_of(self.body, op), builder.affinity) {
            return false;
        }
        let mut hazards = Ordinals::default();
        if clones && prefers_clones(self.registry, self.body, op) {
            for user in self.body.results(op).flat_map(|r| self.body.users(r).collect::<Vec<_>>()) {
                if builder.ops.contains(&user)
                    && let Some(user) = self.places.get(&user)
                {
                    hazards.add(&user.hazards);
                }
            }
        } else {
            hazards.add(&place.hazards);
            hazards.add(&place.across_regions);
        }
        let is_cyclic = |of: usize| of != at && self.builders[of].hazards.has(at);
        !place.across_regions.has(at) && hazards.all().all(|of| at >= of && !is_cyclic(of))
    }

    fn join(&mut self, op: OpId, place: &mut Place, mut consumers: Ordinals, joined: &[OpId]) {
        let mut candidates = Ordinals::default();
        for at in 0..self.builders.len() {
            let open = !place.hazards.has(at) || consumers.has(at);
            candidates.set(at, open && self.usable.has(at));
        }
        let mut check = |this: &Self, clones: bool| {
            candidates.keep(|at| {
                this.may_hold(op, place, at, clones)
                    && joined.iter().all(|&sync| this.may_hold(sync, place, at, clones))
            });
            candidates.clone()
        };
        let mut candidates = check(self, true);
        let prefers_clones = prefers_clones(self.registry, self.body, op);
        if prefers_clones && !consumers.all().all(|at| candidates.has(at)) {
            candidates = check(self, false);
        }
        consumers.keep(|at| candidates.has(at));
        if !consumers.is_empty() {
            candidates = consumers.clone();
        }
        let first = candidates.all().next();
        let first = first.unwrap_or_else(|| {
            for at in 0..self.builders.len().saturating_sub(1) {
                place.hazards.set(at, true);
            }
            self.usable.set(self.builders.len(), true);
            self.builders.push(Builder::default());
            place.members.set(self.builders.len() - 1, true);
            self.builders.len() - 1
        });
        for &sync in joined {
            self.insert(first, sync, place);
        }
        let clones =
            prefers_clones && (consumers.all().count() > 1 || !place.across_regions.is_empty());
        if !clones {
            self.insert(first, op, place);
        } else if !consumers.is_empty() {
            for at in consumers.all() {
                self.insert(at, op, place);
                self.builders[at].clones.insert(op);
            }
        } else {
            // What only regions use is made in them.
            let mut users = self.body.results(op).flat_map(|r| self.body.users(r));
            if users.any(|user| self.body.parent_block(user) == Some(self.block)) {
                self.insert(first, op, place);
            }
        }
    }

    fn insert(&mut self, at: usize, op: OpId, place: &mut Place) {
        let affinity = affinity_of(self.body, op);
        let builder = &mut self.builders[at];
        builder.affinity = builder.affinity.or(affinity);
        place.members.set(at, true);
        place.hazards.set(at, false);
        builder.ops.insert(op);
        builder.hazards.add(&place.hazards);
        builder.hazards.add(&place.across_regions);
    }

    /// The partitions with what goes in and out. Of clones only one goes out.
    fn finish(self) -> Vec<Partition> {
        let body = self.body;
        let mut gone_out: FxHashSet<OpId> = FxHashSet::default();
        let mut partitions = Vec::new();
        for builder in self.builders.iter().rev().filter(|builder| !builder.ops.is_empty()) {
            let (mut ins, mut outs) = (IndexSet::new(), IndexSet::new());
            let mut made: FxHashSet<ValueId> = FxHashSet::default();
            for &op in builder.ops.iter().rev() {
                ins.extend(body.operands(op));
                made.extend(body.results(op));
                let is_clone = builder.clones.contains(&op);
                let leaves = |user: OpId| match is_clone {
                    true => !gone_out.contains(&op) && !self.is_streamable(user),
                    false => !builder.ops.contains(&user),
                };
                let leaving: Vec<ValueId> =
                    body.results(op).filter(|&r| body.users(r).any(leaves)).collect();
                if is_clone && !leaving.is_empty() {
                    gone_out.insert(op);
                }
                outs.extend(leaving);
            }
            let ops = body.block_ops(self.block).filter(|op| builder.ops.contains(op)).collect();
            let ins = ins.into_iter().filter(|value| !made.contains(value)).collect();
            let outs = outs.into_iter().collect();
            partitions.push(Partition { ops, affinity: builder.affinity, ins, outs });
        }
        partitions
    }
}
