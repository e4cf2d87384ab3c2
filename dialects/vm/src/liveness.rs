//! Which values are needed where, and who takes over references.

use std::collections::{BTreeMap, BTreeSet};

use tegula_ir::{BlockId, Body, OpId, RegionId, Registry, ValueId};

type Values = BTreeSet<ValueId>;

/// The values that blocks of a region are entered and left with.
pub struct Liveness {
    blocks: BTreeMap<BlockId, Sets>,
}

#[derive(Default)]
struct Sets {
    used: Values,
    defined: Values,
    live_in: Values,
    live_out: Values,
}

impl Liveness {
    /// Of the region as it is.
    pub fn of(body: &Body, region: RegionId) -> Liveness {
        let mut blocks: BTreeMap<BlockId, Sets> = BTreeMap::new();
        for block in body.blocks(region) {
            let sets = blocks.entry(block).or_default();
            sets.defined.extend(body.block_args(block));
            for op in body.block_ops(block) {
                sets.used.extend(body.operands(op));
                sets.defined.extend(body.results(op));
            }
        }
        let order: Vec<BlockId> = blocks.keys().copied().collect();
        let mut settled = false;
        while !settled {
            settled = true;
            for &block in order.iter().rev() {
                let after = body.last_op(block).map_or(&[][..], |end| body.successors(end));
                let after = after.iter().filter_map(|next| blocks.get(next));
                let live_out: Values = after.flat_map(|sets| &sets.live_in).copied().collect();
                let Some(sets) = blocks.get_mut(&block) else { continue };
                let needed = live_out.union(&sets.used).copied();
                let live_in: Values = needed.filter(|v| !sets.defined.contains(v)).collect();
                settled &= live_in == sets.live_in && live_out == sets.live_out;
                (sets.live_in, sets.live_out) = (live_in, live_out);
            }
        }
        Liveness { blocks }
    }

    /// The values that are needed where a block begins.
    pub fn live_in(&self, block: BlockId) -> impl Iterator<Item = ValueId> {
        self.blocks.get(&block).into_iter().flat_map(|sets| sets.live_in.iter().copied())
    }

    /// The values that are needed after a block.
    pub fn live_out(&self, block: BlockId) -> impl Iterator<Item = ValueId> {
        self.blocks.get(&block).into_iter().flat_map(|sets| sets.live_out.iter().copied())
    }

    /// Whether a value is needed where a block begins.
    pub fn is_live_in(&self, block: BlockId, value: ValueId) -> bool {
        self.blocks.get(&block).is_some_and(|sets| sets.live_in.contains(&value))
    }

    /// Whether a value is needed after a block.
    pub fn is_live_out(&self, block: BlockId, value: ValueId) -> bool {
        self.blocks.get(&block).is_some_and(|sets| sets.live_out.contains(&value))
    }

    /// Whether an operand is the last use of its value, wherever control goes from there.
    pub fn is_last_use(&self, body: &Body, op: OpId, index: usize) -> bool {
        let value = body.operand(op, index);
        let Some(block) = body.parent_block(op) else { return false };
        if self.is_live_out(block, value) {
            return false;
        }
        let later = std::iter::successors(body.next_op(op), |&op| body.next_op(op));
        let mut later = later.flat_map(|op| body.operands(op));
        let mut same = body.operands(op).skip(index + 1);
        !later.any(|other| other == value) && !same.any(|other| other == value)
    }
}

/// Whether an op takes over the reference that an operand is, when that is its last use.
pub fn takes_ref(registry: &Registry, body: &Body, op: OpId, index: usize) -> bool {
    let Some(info) = registry.op(body.name(op)) else { return false };
    let taken = info.def().traits.iter().filter(|t| t.name == "TakesRefs");
    let mut groups = taken.flat_map(|t| t.args.iter());
    groups.any(|group| {
        registry.operand_range(body, op, group).is_some_and(|range| range.contains(&index))
    })
}
