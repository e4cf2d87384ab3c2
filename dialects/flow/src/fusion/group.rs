//! Groups of ops that become one dispatch.

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use tegula_ir::{AffineExpr, AffineMap, Body, OpId, TypeData, ValueId};

use crate::nest::{Nest, from_marked, inverse, outer_parallel_loops};
use crate::regions::operands_below;

/// How many tensors a dispatch may take and give.
pub const MOST_OPERANDS: usize = 16;

/// Where the ops of a function stand.
#[derive(Debug)]
pub struct Order(FxHashMap<OpId, usize>);

impl Order {
    /// The order of the ops in an op.
    pub fn of(body: &Body, root: OpId) -> Order {
        Order(body.walk(root).enumerate().map(|(place, op)| (op, place)).collect())
    }

    /// A number that is larger for ops that come later.
    pub fn place(&self, op: OpId) -> usize {
        self.0.get(&op).copied().unwrap_or(usize::MAX)
    }
}

/// A root and what is fused with it.
#[derive(Debug)]
pub struct Group {
    /// The op that decides how the group is tiled.
    pub root: OpId,
    /// Each op with the map from the root's outer parallel loops to its loops.
    loops: IndexMap<OpId, AffineMap>,
}

impl Group {
    fn new(body: &Body, root: OpId) -> Group {
        let map = from_marked(&outer_parallel_loops(body, root));
        Group { root, loops: IndexMap::from([(root, map)]) }
    }

    /// The ops, in the order in which they came.
    pub fn ops(&self) -> impl Iterator<Item = OpId> + '_ {
        self.loops.keys().copied()
    }

    /// Whether the op is in the group.
    pub fn contains(&self, op: OpId) -> bool {
        self.loops.contains_key(&op)
    }

    fn makes(&self, body: &Body, value: ValueId) -> Option<OpId> {
        body.defining_op(value).filter(|&op| self.contains(op))
    }

    fn insert(&mut self, body: &Body, op: OpId) {
        let map = self.map_to(body, op);
        let map = map.unwrap_or_else(|| from_marked(&outer_parallel_loops(body, op)));
        self.loops.insert(op, map);
    }

    /// Whether an op's loops fit those of the root: one that sums must be tiled as the root is.
    pub fn fits(&self, body: &Body, op: OpId) -> bool {
        let below = operands_below(body, op).into_iter().skip(body.num_operands(op));
        if below.into_iter().any(|value| self.makes(body, value).is_some()) {
            return false;
        }
        let Some(map) = self.map_to(body, op) else { return false };
        let all_parallel = outer_parallel_loops(body, op).iter().all(|&parallel| parallel);
        all_parallel || self.loops.get(&self.root) == Some(&map)
    }

    /// The map from the root's outer parallel loops to those of an op that uses ops of the group,
    /// or is used by them. None when there is none, or several that disagree.
    fn map_to(&self, body: &Body, op: OpId) -> Option<AffineMap> {
        let nest = Nest::of(body, op)?;
        let mut known: Option<AffineMap> = None;
        let uses_group = body.operands(op).any(|value| self.makes(body, value).is_some());
        if uses_group {
            for slot in body.operand_slots(op) {
                let value = body.use_value(slot);
                let Some(producer) = self.makes(body, value) else { continue };
                let Some(made) = Nest::of(body, producer) else { continue };
                let from = *self.loops.get(&producer)?;
                let map =
                    between(made.result_map(body, value)?, nest.operand_map(body, slot)?, from)?;
                let zero = |expr: &AffineExpr| expr.as_constant() == Some(0);
                if map.dims() > 0 && map.results().iter().all(zero) {
                    return None;
                }
                known = Some(merge(known, map)?);
            }
            return known;
        }
        for result in body.results(op) {
            for slot in body.uses(result) {
                let user = body.use_owner(slot);
                let Some(&from) = self.loops.get(&user) else { continue };
                let Some(used) = Nest::of(body, user) else { continue };
                let map =
                    between(used.operand_map(body, slot)?, nest.result_map(body, result)?, from)?;
                let map = merge(known, map)?;
                known = Some(map);
                // What makes values cannot be more parallel than what uses them.
                let reached =
                    (0..map.dims()).filter(|&dim| map.results().iter().any(|e| e.uses_dim(dim)));
                if reached.count() as u32 != from.dims() {
                    return None;
                }
            }
        }
        known
    }

    /// Whether an op needs an op of the group by way of ops that are not in it.
    pub fn reaches(&self, body: &Body, order: &Order, op: OpId) -> bool {
        let Some(block) = body.parent_block(op) else { return true };
        let first = self.ops().map(|op| order.place(op)).min();
        let mut seen: FxHashSet<OpId> = FxHashSet::default();
        let direct = |value: &ValueId| self.makes(body, *value).is_none();
        let mut open: Vec<ValueId> = operands_below(body, op).into_iter().filter(direct).collect();
        while let Some(value) = open.pop() {
            let maker = body.defining_op(value).and_then(|op| body.ancestor_in_block(block, op));
            let early = |op: &OpId| first.is_some_and(|first| order.place(*op) < first);
            let Some(maker) = maker.filter(|op| !early(op)) else { continue };
            if self.contains(maker) {
                return true;
            }
            if seen.insert(maker) {
                open.extend(operands_below(body, maker));
            }
        }
        false
    }

    /// Whether the dispatch would take and give too many tensors with one more op.
    pub fn is_full(&self, body: &Body, new: OpId) -> bool {
        let within = |op: OpId| op == new || self.contains(op);
        let mut taken: FxHashSet<OpId> = FxHashSet::default();
        let mut given = 0;
        for op in self.ops().chain([new]) {
            for value in operands_below(body, op) {
                let is_tensor = matches!(body.ty(value).data(), TypeData::RankedTensor { .. });
                let Some(maker) = body.defining_op(value).filter(|_| is_tensor) else { continue };
                let cheap = matches!(body.name(maker).as_str(), "linalg.fill" | "tensor.empty");
                if !cheap && !within(maker) {
                    taken.insert(maker);
                }
            }
            given += body
                .results(op)
                .filter(|&result| body.users(result).any(|user| !within(user)))
                .count();
        }
        taken.len() + given > MOST_OPERANDS
    }
}

/// The map to a nest's loops that a tensor gives which another nest, to whose loops there is a map,
/// shares with it.
fn between(there: AffineMap, here: AffineMap, from: AffineMap) -> Option<AffineMap> {
    if !there.is_projected_permutation() || !here.is_projected_permutation() {
        return None;
    }
    Some(inverse(here).compose(there).compose(from))
}

/// Two maps as one: where one says nothing the other is heard. None when they disagree.
fn merge(known: Option<AffineMap>, new: AffineMap) -> Option<AffineMap> {
    let Some(known) = known else { return Some(new) };
    let zero = |expr: AffineExpr| expr.as_constant() == Some(0);
    let pairs = known.results().iter().zip(new.results());
    let results = pairs.map(|(&a, &b)| match () {
        () if a == b || zero(b) => Some(a),
        () if zero(a) => Some(b),
        () => None,
    });
    let results: Vec<AffineExpr> = results.collect::<Option<_>>()?;
    Some(AffineMap::get(known.dims(), known.symbols(), &results))
}

/// All groups of a function.
#[derive(Debug, Default)]
pub struct Groups {
    groups: Vec<Group>,
    of: FxHashMap<OpId, usize>,
}

impl Groups {
    /// Begins a group.
    pub fn begin(&mut self, body: &Body, root: OpId) -> usize {
        self.groups.push(Group::new(body, root));
        self.of.insert(root, self.groups.len() - 1);
        self.groups.len() - 1
    }

    /// Puts an op into a group.
    pub fn add(&mut self, body: &Body, op: OpId, group: usize) {
        if let Some(found) = self.groups.get_mut(group) {
            found.insert(body, op);
            self.of.insert(op, group);
        }
    }

    /// The group of an op.
    pub fn of(&self, op: OpId) -> Option<&Group> {
        self.groups.get(*self.of.get(&op)?)
    }

    /// The group of that number.
    pub fn get(&self, group: usize) -> Option<&Group> {
        self.groups.get(group)
    }

    /// All groups, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter()
    }
}
