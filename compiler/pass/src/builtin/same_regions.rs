//! Whether two ops hold the same.

use rustc_hash::FxHashMap;
use tegula_ir::{Body, OpId, RegionId, ValueId};

/// Whether the regions of two ops hold the same ops in the same order, on the same values from
/// outside. Blocks that branch to others are taken for different.
pub(super) fn same_regions(body: &Body, a: OpId, b: OpId) -> bool {
    Same { body, counterparts: FxHashMap::default() }.regions(a, b)
}

struct Same<'a> {
    body: &'a Body,
    /// For values within the first op, those within the second.
    counterparts: FxHashMap<ValueId, ValueId>,
}

impl Same<'_> {
    fn regions(&mut self, a: OpId, b: OpId) -> bool {
        let (a, b) = (self.body.regions(a), self.body.regions(b));
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.region(a, b))
    }

    fn region(&mut self, a: RegionId, b: RegionId) -> bool {
        let body = self.body;
        let (mut blocks, mut others) = (body.blocks(a), body.blocks(b));
        loop {
            let (block, other) = match (blocks.next(), others.next()) {
                (None, None) => return true,
                (Some(block), Some(other)) => (block, other),
                _ => return false,
            };
            if !self.define(body.block_args(block), body.block_args(other)) {
                return false;
            }
            let (mut ops, mut counterparts) = (body.block_ops(block), body.block_ops(other));
            loop {
                match (ops.next(), counterparts.next()) {
                    (None, None) => break,
                    (Some(a), Some(b)) if self.op(a, b) => {}
                    _ => return false,
                }
            }
        }
    }

    fn op(&mut self, a: OpId, b: OpId) -> bool {
        let body = self.body;
        let same_operands = body.num_operands(a) == body.num_operands(b)
            && body.operands(a).zip(body.operands(b)).all(|(a, b)| self.value(a) == b);
        let results: Vec<ValueId> = body.results(a).collect();
        let others: Vec<ValueId> = body.results(b).collect();
        body.name(a) == body.name(b)
            && body.attrs(a) == body.attrs(b)
            && same_operands
            && body.successors(a).is_empty()
            && body.successors(b).is_empty()
            && self.define(&results, &others)
            && self.regions(a, b)
    }

    fn value(&self, a: ValueId) -> ValueId {
        self.counterparts.get(&a).copied().unwrap_or(a)
    }

    fn define(&mut self, a: &[ValueId], b: &[ValueId]) -> bool {
        let types = a.iter().map(|&v| self.body.ty(v));
        let same = types.eq(b.iter().map(|&v| self.body.ty(v)));
        self.counterparts.extend(a.iter().copied().zip(b.iter().copied()));
        same
    }
}
