//! Iteration over a body.

use super::{BlockId, Body, OpId, RegionId};

/// The ops of a block in order.
#[derive(Clone)]
pub struct BlockOps<'a> {
    body: &'a Body,
    at: Option<OpId>,
}

impl Iterator for BlockOps<'_> {
    type Item = OpId;

    #[inline]
    fn next(&mut self) -> Option<OpId> {
        let op = self.at?;
        self.at = self.body.next_op(op);
        Some(op)
    }
}

/// The blocks of a region in order.
#[derive(Clone)]
pub struct RegionBlocks<'a> {
    body: &'a Body,
    at: Option<BlockId>,
}

impl Iterator for RegionBlocks<'_> {
    type Item = BlockId;

    #[inline]
    fn next(&mut self) -> Option<BlockId> {
        let block = self.at?;
        self.at = self.body.next_block(block);
        Some(block)
    }
}

/// All ops at and below a starting point, an op before what its regions hold. It holds a place in
/// the layout and nothing else, so that nesting costs no memory.
#[derive(Clone)]
pub struct Walk<'a> {
    body: &'a Body,
    /// What bounds the walk; everything when none.
    root: Option<OpId>,
    at: Option<OpId>,
}

impl Iterator for Walk<'_> {
    type Item = OpId;

    #[inline]
    fn next(&mut self) -> Option<OpId> {
        let op = self.at?;
        self.at = self.body.walk_next(self.root, op);
        Some(op)
    }
}

impl Body {
    /// The ops of a block in order.
    pub fn block_ops(&self, block: BlockId) -> BlockOps<'_> {
        BlockOps { body: self, at: self.first_op(block) }
    }

    /// The blocks of a region in order.
    pub fn blocks(&self, region: RegionId) -> RegionBlocks<'_> {
        RegionBlocks { body: self, at: self.first_block(region) }
    }

    /// The op and all ops below it, outer before inner, in layout order.
    #[inline]
    pub fn walk(&self, op: OpId) -> Walk<'_> {
        Walk { body: self, root: Some(op), at: Some(op) }
    }

    /// All ops of the body, outer before inner, in layout order.
    pub fn walk_all(&self) -> Walk<'_> {
        Walk { body: self, root: None, at: self.root() }
    }

    /// The op that a walk of `root` (of the whole body when none) comes to after `op`: the first in
    /// its regions, else the next behind it or behind an op around it.
    #[inline]
    pub(super) fn walk_next(&self, root: Option<OpId>, op: OpId) -> Option<OpId> {
        let node = &self.ops[op.index()];
        // Most ops have no regions and stand before another one.
        if node.regions.is_empty() {
            if Some(op) == root {
                return None;
            }
            if node.next != OpId::NONE {
                return Some(node.next);
            }
        }
        self.walk_on(root, op)
    }

    fn walk_on(&self, root: Option<OpId>, op: OpId) -> Option<OpId> {
        if let Some(inner) = self.first_op_from(self.regions(op)) {
            return Some(inner);
        }
        let mut at = op;
        while Some(at) != root {
            if let Some(next) = self.next_op(at) {
                return Some(next);
            }
            let block = self.parent_block(at)?;
            if let Some(next) = self.first_op_behind(block) {
                return Some(next);
            }
            let region = self.block_parent(block)?;
            at = self.region_parent(region)?;
            let place = self.regions(at).iter().position(|&r| r == region)?;
            if let Some(next) = self.first_op_from(&self.regions(at)[place + 1..]) {
                return Some(next);
            }
        }
        None
    }

    /// The first op in these regions.
    fn first_op_from(&self, regions: &[RegionId]) -> Option<OpId> {
        regions.iter().find_map(|&region| {
            let first = self.first_block(region)?;
            self.first_op(first).or_else(|| self.first_op_behind(first))
        })
    }

    /// The first op in the blocks behind a block of its region.
    fn first_op_behind(&self, block: BlockId) -> Option<OpId> {
        let mut at = self.next_block(block);
        while let Some(block) = at {
            if let Some(op) = self.first_op(block) {
                return Some(op);
            }
            at = self.next_block(block);
        }
        None
    }

    /// All ops of the body, inner before outer.
    pub fn post_order(&self) -> Vec<OpId> {
        self.post_order_of(self.top_block())
    }

    /// All ops in a block and below, inner before outer.
    pub fn post_order_of(&self, block: BlockId) -> Vec<OpId> {
        // Reversing "outer before inner, last first" gives "inner before outer, first first".
        let mut stack: Vec<OpId> = self.block_ops(block).collect();
        let mut order = Vec::new();
        while let Some(op) = stack.pop() {
            order.push(op);
            for &region in self.regions(op) {
                for block in self.blocks(region) {
                    stack.extend(self.block_ops(block));
                }
            }
        }
        order.reverse();
        order
    }
}
