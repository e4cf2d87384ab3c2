//! Finds the groups: roots first, and what can be fused with each; then what is left.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use tegula_ir::{BlockId, Body, OpId, RegionId, UseId};

use super::FusionOptions;
use super::fusable::{is_root, joins_as_consumer, joins_as_producer};
use super::group::{Group, Groups, Order};
use crate::kinds::is_cloned;
use crate::regions::{REGION, in_dispatch, operands_below};
use crate::structured::{Structured, is_structured};

/// The groups of a function.
pub fn decide(body: &Body, func: OpId, options: FusionOptions) -> Groups {
    let mut decision =
        Decision { body, order: Order::of(body, func), options, groups: Groups::default() };
    for &region in body.regions(func) {
        decision.region(region);
    }
    decision.groups
}

struct Decision<'a> {
    body: &'a Body,
    order: Order,
    options: FusionOptions,
    groups: Groups,
}

impl Decision<'_> {
    fn region(&mut self, region: RegionId) {
        let body = self.body;
        let blocks: Vec<BlockId> = body.blocks(region).collect();
        for &block in &blocks {
            let mut roots = Vec::new();
            for op in self.backwards(block) {
                if body.name(op).dialect() == "scf" {
                    for &inner in body.regions(op) {
                        self.region(inner);
                    }
                } else if self.groups.of(op).is_none()
                    && is_root(body, op)
                    && !in_dispatch(body, op)
                {
                    roots.push(self.begin(op));
                }
            }
            self.complete(roots);
        }
        for &block in &blocks {
            let mut roots = Vec::new();
            for op in self.backwards(block) {
                let computes = matches!(body.name(op).as_str(), "tensor.pad" | "linalg.pack")
                    || (is_structured(body, op) && Structured::read(body, op).is_some());
                let open = computes && self.groups.of(op).is_none() && !is_cloned(body, op);
                if open && !in_dispatch(body, op) {
                    roots.push(self.begin(op));
                }
            }
            self.complete(roots);
        }
    }

    fn backwards(&self, block: BlockId) -> Vec<OpId> {
        let mut ops: Vec<OpId> = self.body.block_ops(block).collect();
        ops.reverse();
        ops
    }

    fn begin(&mut self, root: OpId) -> usize {
        let group = self.groups.begin(self.body, root);
        self.fuse_producers(root, group, false);
        group
    }

    /// Consumers come after all producers are there; then producers may narrow what they give.
    fn complete(&mut self, mut groups: Vec<usize>) {
        groups.reverse();
        for &group in &groups {
            self.fuse_consumers(group);
        }
        for &group in &groups {
            if let Some(root) = self.groups.get(group).map(|group| group.root) {
                self.fuse_producers(root, group, true);
            }
        }
    }

    fn fuse_producers(&mut self, root: OpId, group: usize, with_narrowing: bool) {
        let body = self.body;
        let mut open = vec![root];
        while let Some(op) = open.pop() {
            for value in body.operands(op) {
                let Some(producer) = body.defining_op(value) else { continue };
                if body.parent_block(producer) == body.parent_block(root)
                    && !is_cloned(body, producer)
                    && self.groups.of(producer).is_none()
                    && self.producer_fits(root, producer, group, with_narrowing)
                {
                    self.groups.add(body, producer, group);
                    open.push(producer);
                }
            }
        }
    }

    fn producer_fits(
        &self,
        root: OpId,
        producer: OpId,
        group: usize,
        with_narrowing: bool,
    ) -> bool {
        let body = self.body;
        let Some(group) = self.groups.get(group) else { return false };
        let uses: Vec<UseId> =
            body.results(producer).flat_map(|result| body.uses(result)).collect();
        let fits = |&slot: &UseId| {
            let user = body.use_owner(slot);
            let above = body.parent_block(producer).and_then(|b| body.ancestor_in_block(b, user));
            match above.filter(|&above| group.contains(above)) {
                Some(above) => {
                    above == user
                        && joins_as_producer(body, slot, &self.groups, self.options, with_narrowing)
                }
                None => true,
            }
        };
        let counted = || uses.iter().filter(|&&slot| !body.is(body.use_owner(slot), "tensor.dim"));
        uses.iter().all(fits)
            && (self.options.multi_use_producers || counted().count() == 1)
            && !self.is_needed_between(root, producer, group)
    }

    /// Whether what an op makes is needed, outside of the group, by what the group needs or by a
    /// dispatch before it.
    fn is_needed_between(&self, root: OpId, producer: OpId, group: &Group) -> bool {
        let (body, order) = (self.body, &self.order);
        let Some(block) = body.parent_block(root) else { return true };
        let above = |op: OpId| body.ancestor_in_block(block, op);
        let mut needed: FxHashSet<OpId> = FxHashSet::default();
        let mut open: Vec<OpId> = group.ops().collect();
        while let Some(op) = open.pop() {
            for value in operands_below(body, op) {
                let maker = body.defining_op(value).and_then(above);
                let late = maker.filter(|&maker| order.place(maker) >= order.place(producer));
                if let Some(maker) = late.filter(|&maker| needed.insert(maker)) {
                    open.push(maker);
                }
            }
        }
        let users = body.results(producer).flat_map(|result| body.users(result));
        users.filter_map(above).any(|user| {
            !group.contains(user)
                && order.place(user) < order.place(root)
                && (body.is(user, REGION) || needed.contains(&user))
        })
    }

    fn fuse_consumers(&mut self, group: usize) {
        let body = self.body;
        let Some(root) = self.groups.get(group).map(|group| group.root) else { return };
        let mut open = vec![root];
        while let Some(op) = open.pop() {
            for (consumer, slots) in self.users(op) {
                let fits =
                    |slot: &UseId| joins_as_consumer(body, *slot, &self.groups, self.options);
                let Some(found) = self.groups.get(group) else { return };
                if self.groups.of(consumer).is_none()
                    && !found.reaches(body, &self.order, consumer)
                    && slots.iter().all(fits)
                {
                    self.groups.add(body, consumer, group);
                    open.push(consumer);
                }
            }
        }
    }

    /// The ops in the same block that use what an op makes, in order, with the places where they do.
    /// Without aggressive fusion there are none when there are several.
    fn users(&self, op: OpId) -> Vec<(OpId, Vec<UseId>)> {
        let body = self.body;
        let mut users: IndexMap<OpId, Vec<UseId>> = IndexMap::new();
        for slot in body.results(op).flat_map(|result| body.uses(result)) {
            let user = body.use_owner(slot);
            if !body.is(user, "tensor.dim") {
                users.entry(user).or_default().push(slot);
            }
        }
        if !self.options.aggressive && users.len() != 1 {
            return Vec::new();
        }
        users.retain(|&user, _| body.parent_block(user) == body.parent_block(op));
        users.sort_by(|&a, _, &b, _| self.order.place(a).cmp(&self.order.place(b)));
        users.into_iter().collect()
    }
}
