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

    fn next(&mut self) -> Option<BlockId> {
        let block = self.at?;
        self.at = self.body.next_block(block);
        Some(block)
    }
}

/// All ops at and below a starting point, an op before what its regions hold. The stack is on the
/// heap, so that nesting is bounded by memory only.
pub struct Walk<'a> {
    body: &'a Body,
    stack: Vec<OpId>,
}

impl Iterator for Walk<'_> {
    type Item = OpId;

    fn next(&mut self) -> Option<OpId> {
        let op = self.stack.pop()?;
        let from = self.stack.len();
        for &region in self.body.regions(op) {
            for block in self.body.blocks(region) {
                self.stack.extend(self.body.block_ops(block));
            }
        }
        self.stack[from..].reverse();
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
    pub fn walk(&self, op: OpId) -> Walk<'_> {
        Walk { body: self, stack: vec![op] }
    }

    /// All ops of the body, outer before inner, in layout order.
    pub fn walk_all(&self) -> Walk<'_> {
        let mut stack: Vec<OpId> = self.block_ops(self.top_block()).collect();
        stack.reverse();
        Walk { body: self, stack }
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
