//! Which values and ops come before which.

use rustc_hash::FxHashMap;

use crate::{BlockId, Body, OpId, RegionId, ValueId, ValueKind};

/// Dominance in a body as it is: an edit makes it stale.
pub struct Dominance<'a> {
    body: &'a Body,
    /// The position of each op in layout order, by op id.
    order: Vec<u32>,
    /// The immediate dominators of the blocks of regions with several blocks, by block id. An
    /// entry block is its own; an unreachable block has none.
    idoms: FxHashMap<RegionId, FxHashMap<BlockId, BlockId>>,
}

impl<'a> Dominance<'a> {
    /// Computes dominance for all regions of a body.
    pub fn new(body: &'a Body) -> Dominance<'a> {
        Dominance::in_order(body, body.walk_all())
    }

    /// The same, with all ops of the body in layout order.
    pub(crate) fn in_order(body: &'a Body, all: impl Iterator<Item = OpId>) -> Dominance<'a> {
        let (ops, _, _) = body.bounds();
        let mut order = vec![u32::MAX; ops];
        let mut idoms = FxHashMap::default();
        for (position, op) in all.enumerate() {
            order[op.index()] = position as u32;
            for &region in body.regions(op) {
                if body.first_block(region) != body.last_block(region) {
                    idoms.insert(region, immediate_dominators(body, region));
                }
            }
        }
        Dominance { body, order, idoms }
    }

    /// Whether `a` comes before `b`, both being ops of one block.
    pub fn is_before(&self, a: OpId, b: OpId) -> bool {
        self.order[a.index()] < self.order[b.index()]
    }

    /// Whether every path to `b` goes through `a`; both are blocks of one region. A block
    /// dominates itself, and an unreachable block is dominated by all.
    pub fn block_dominates(&self, a: BlockId, b: BlockId) -> bool {
        if a == b {
            return true;
        }
        let Some(region) = self.body.block_parent(b) else { return false };
        let Some(idoms) = self.idoms.get(&region) else { return false };
        let mut at = b;
        loop {
            match idoms.get(&at) {
                None => return true,
                Some(&up) if up == at => return false,
                Some(&up) if up == a => return true,
                Some(&up) => at = up,
            }
        }
    }

    /// Whether `a` is done whenever `b`, an op that is not in it, begins.
    pub fn op_dominates(&self, a: OpId, b: OpId) -> bool {
        let Some(block) = self.body.parent_block(a) else { return false };
        let Some((in_block, at)) = self.ancestor(block, b) else { return false };
        if in_block == block {
            return at != a && self.is_before(a, at);
        }
        self.block_dominates(block, in_block)
    }

    /// Whether control can come to a block from the entry of its region.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        if self.idoms.is_empty() {
            return true;
        }
        let idoms = self.body.block_parent(block).and_then(|region| self.idoms.get(&region));
        idoms.is_none_or(|idoms| idoms.contains_key(&block))
    }

    /// Whether an op is in a block, or in an op of it.
    pub fn holds(&self, block: BlockId, op: OpId) -> bool {
        self.ancestor(block, op).is_some_and(|(found, _)| found == block)
    }

    /// Whether a value may be used by an op.
    pub fn value_dominates(&self, value: ValueId, user: OpId) -> bool {
        let around = self.body.parent_block(user);
        match self.body.definition(value) {
            ValueKind::Result(op, _) if op == OpId::NONE => false,
            // Most values are used in the block that defines them.
            ValueKind::Result(op, _) if self.body.parent_block(op) == around => {
                op != user && self.is_before(op, user)
            }
            ValueKind::Arg(block, _) if Some(block) == around => true,
            ValueKind::Result(op, _) => self.op_dominates(op, user),
            ValueKind::Arg(block, _) => match self.ancestor(block, user) {
                Some((in_block, _)) => self.block_dominates(block, in_block),
                None => false,
            },
        }
    }

    /// The block of the region of `block` that holds `op`, and the op in it that is or holds `op`.
    fn ancestor(&self, block: BlockId, op: OpId) -> Option<(BlockId, OpId)> {
        let region = self.body.block_parent(block)?;
        let mut at = op;
        loop {
            let own = self.body.parent_block(at)?;
            if self.body.block_parent(own)? == region {
                return Some((own, at));
            }
            at = self.body.parent_op(at)?;
        }
    }
}

/// The blocks that an op may pass control to.
fn block_successors(body: &Body, block: BlockId) -> &[BlockId] {
    body.last_op(block).map_or(&[], |op| body.successors(op))
}

fn immediate_dominators(body: &Body, region: RegionId) -> FxHashMap<BlockId, BlockId> {
    let Some(entry) = body.first_block(region) else { return FxHashMap::default() };
    // Reverse post-order, without recursion.
    let mut post = Vec::new();
    let mut seen: FxHashMap<BlockId, usize> = FxHashMap::default();
    seen.insert(entry, 0);
    let mut stack = vec![(entry, 0usize)];
    while let Some((block, next)) = stack.last_mut() {
        match block_successors(body, *block).get(*next) {
            Some(&successor) => {
                *next += 1;
                let own = body.block_parent(successor) == Some(region);
                if own && seen.insert(successor, 0).is_none() {
                    stack.push((successor, 0));
                }
            }
            None => {
                post.push(*block);
                stack.pop();
            }
        }
    }
    let number: FxHashMap<BlockId, usize> =
        post.iter().enumerate().map(|(index, &block)| (block, index)).collect();
    let mut preds: Vec<Vec<usize>> = vec![Vec::new(); post.len()];
    for (index, &block) in post.iter().enumerate() {
        for successor in block_successors(body, block) {
            if let Some(&to) = number.get(successor) {
                preds[to].push(index);
            }
        }
    }
    // Immediate dominators by post-order number; the entry has the highest.
    let root = post.len() - 1;
    let mut idom: Vec<Option<usize>> = vec![None; post.len()];
    idom[root] = Some(root);
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..root).rev() {
            let mut new = None;
            for &pred in &preds[at] {
                if idom[pred].is_none() {
                    continue;
                }
                new = Some(match new {
                    None => pred,
                    Some(other) => meet(&idom, pred, other),
                });
            }
            if new.is_some() && idom[at] != new {
                idom[at] = new;
                changed = true;
            }
        }
    }
    let found = idom.iter().enumerate();
    found.filter_map(|(at, up)| up.map(|up| (post[at], post[up]))).collect()
}

fn meet(idom: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a < b {
            a = idom[a].unwrap_or(b);
        } else {
            b = idom[b].unwrap_or(a);
        }
    }
    a
}
