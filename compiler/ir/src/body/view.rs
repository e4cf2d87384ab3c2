//! Reading a body.

use super::{BlockId, Body, OpId, RegionId, UseId, ValueId};
use crate::{Attr, Ident, OpName, Type};

/// Where a value comes from, as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// Result number `.1` of an op.
    Result(OpId, u32),
    /// Argument number `.1` of a block.
    Arg(BlockId, u32),
}

/// Where a value comes from.
pub type ValueDefinition = ValueKind;

impl Body {
    /// The op's name.
    #[inline]
    pub fn name(&self, op: OpId) -> OpName {
        self.ops[op.index()].name
    }

    /// Whether the op bears this name.
    #[inline]
    pub fn is(&self, op: OpId, name: &str) -> bool {
        self.name(op).as_str() == name
    }

    /// Whether the op was erased.
    #[inline]
    pub fn is_erased(&self, op: OpId) -> bool {
        self.ops[op.index()].erased
    }

    /// The number of operands.
    #[inline]
    pub fn num_operands(&self, op: OpId) -> usize {
        self.ops[op.index()].num_operands as usize
    }

    /// The operands in order.
    #[inline]
    pub fn operands(
        &self,
        op: OpId,
    ) -> impl ExactSizeIterator<Item = ValueId> + DoubleEndedIterator + Clone + '_ {
        let node = &self.ops[op.index()];
        let first = node.first_operand as usize;
        self.uses[first..first + node.num_operands as usize].iter().map(|u| u.value)
    }

    /// Operand number `index`; panics when there are fewer.
    #[inline]
    pub fn operand(&self, op: OpId, index: usize) -> ValueId {
        self.uses[self.operand_use(op, index).index()].value
    }

    /// The slot of operand number `index`; panics when there are fewer.
    #[inline]
    pub fn operand_use(&self, op: OpId, index: usize) -> UseId {
        let node = &self.ops[op.index()];
        assert!(index < node.num_operands as usize, "operand {index} of {}", node.name);
        UseId(node.first_operand + index as u32)
    }

    /// The slots of the operands in order.
    #[inline]
    pub fn operand_slots(&self, op: OpId) -> impl ExactSizeIterator<Item = UseId> + use<> {
        let node = &self.ops[op.index()];
        (node.first_operand..node.first_operand + node.num_operands).map(UseId)
    }

    /// The value that a slot uses.
    #[inline]
    pub fn use_value(&self, slot: UseId) -> ValueId {
        self.uses[slot.index()].value
    }

    /// The op that a slot belongs to.
    #[inline]
    pub fn use_owner(&self, slot: UseId) -> OpId {
        self.uses[slot.index()].owner
    }

    /// The position of a slot among its op's operands.
    pub fn use_index(&self, slot: UseId) -> usize {
        (slot.0 - self.ops[self.use_owner(slot).index()].first_operand) as usize
    }

    /// The number of results.
    #[inline]
    pub fn num_results(&self, op: OpId) -> usize {
        self.ops[op.index()].num_results as usize
    }

    /// The results in order.
    #[inline]
    pub fn results(
        &self,
        op: OpId,
    ) -> impl ExactSizeIterator<Item = ValueId> + DoubleEndedIterator + Clone + use<> {
        let node = &self.ops[op.index()];
        (node.first_result..node.first_result + node.num_results).map(ValueId)
    }

    /// Result number `index`; panics when there are fewer.
    #[inline]
    pub fn result(&self, op: OpId, index: usize) -> ValueId {
        let node = &self.ops[op.index()];
        assert!(index < node.num_results as usize, "result {index} of {}", node.name);
        ValueId(node.first_result + index as u32)
    }

    /// The type of a value.
    #[inline]
    pub fn ty(&self, value: ValueId) -> Type {
        self.values[value.index()].ty
    }

    /// Where a value comes from.
    #[inline]
    pub fn definition(&self, value: ValueId) -> ValueDefinition {
        self.values[value.index()].kind
    }

    /// The op whose result the value is.
    #[inline]
    pub fn defining_op(&self, value: ValueId) -> Option<OpId> {
        match self.definition(value) {
            ValueKind::Result(op, _) => Some(op),
            ValueKind::Arg(..) => None,
        }
    }

    /// The block in which the value is defined.
    pub fn defining_block(&self, value: ValueId) -> Option<BlockId> {
        match self.definition(value) {
            ValueKind::Result(op, _) => self.parent_block(op),
            ValueKind::Arg(block, _) => Some(block),
        }
    }

    /// All attributes, inherent and discardable, as a dictionary.
    #[inline]
    pub fn attrs(&self, op: OpId) -> Attr {
        self.ops[op.index()].attrs
    }

    /// The attribute of that name.
    #[inline]
    pub fn attr(&self, op: OpId, name: &str) -> Option<Attr> {
        self.attrs(op).get(name)
    }

    /// The attributes in order of their names.
    #[inline]
    pub fn attr_entries(&self, op: OpId) -> &'static [(Ident, Attr)] {
        self.attrs(op).as_dict().unwrap_or(&[])
    }

    /// The `sym_name` of a symbol op.
    pub fn symbol_name(&self, op: OpId) -> Option<&'static str> {
        self.attr(op, "sym_name")?.as_str()
    }

    /// The regions in order.
    #[inline]
    pub fn regions(&self, op: OpId) -> &[RegionId] {
        &self.ops[op.index()].regions
    }

    /// Region number `index`, when there is one.
    pub fn region(&self, op: OpId, index: usize) -> Option<RegionId> {
        self.regions(op).get(index).copied()
    }

    /// The first block of region number `index`, when there is one.
    pub fn region_entry(&self, op: OpId, index: usize) -> Option<BlockId> {
        self.first_block(self.region(op, index)?)
    }

    /// The successor blocks in order.
    #[inline]
    pub fn successors(&self, op: OpId) -> &[BlockId] {
        &self.ops[op.index()].successors
    }

    /// The location.
    #[inline]
    pub fn loc(&self, op: OpId) -> Attr {
        self.locs.get(op)
    }

    /// The location of a block argument; none when it has none of its own.
    pub fn arg_loc(&self, arg: ValueId) -> Option<Attr> {
        self.arg_locs.get(&arg).copied()
    }

    /// The block that holds the op; none when it is detached.
    #[inline]
    pub fn parent_block(&self, op: OpId) -> Option<BlockId> {
        self.ops[op.index()].parent.some()
    }

    /// The op whose region holds the op.
    #[inline]
    pub fn parent_op(&self, op: OpId) -> Option<OpId> {
        self.block_parent_op(self.parent_block(op)?)
    }

    /// The region that holds the block; none when it is detached.
    #[inline]
    pub fn block_parent(&self, block: BlockId) -> Option<RegionId> {
        self.blocks[block.index()].parent.some()
    }

    /// The op whose region holds the block.
    #[inline]
    pub fn block_parent_op(&self, block: BlockId) -> Option<OpId> {
        self.region_parent(self.block_parent(block)?)
    }

    /// The op that the region belongs to; none for the top region.
    #[inline]
    pub fn region_parent(&self, region: RegionId) -> Option<OpId> {
        self.regions[region.index()].parent.some()
    }

    /// The arguments of a block.
    #[inline]
    pub fn block_args(&self, block: BlockId) -> &[ValueId] {
        &self.blocks[block.index()].args
    }

    /// The first op of a block.
    #[inline]
    pub fn first_op(&self, block: BlockId) -> Option<OpId> {
        self.blocks[block.index()].first_op.some()
    }

    /// The last op of a block.
    #[inline]
    pub fn last_op(&self, block: BlockId) -> Option<OpId> {
        self.blocks[block.index()].last_op.some()
    }

    /// The op after this one in its block.
    #[inline]
    pub fn next_op(&self, op: OpId) -> Option<OpId> {
        self.ops[op.index()].next.some()
    }

    /// The op before this one in its block.
    #[inline]
    pub fn prev_op(&self, op: OpId) -> Option<OpId> {
        self.ops[op.index()].prev.some()
    }

    /// The first block of a region.
    #[inline]
    pub fn first_block(&self, region: RegionId) -> Option<BlockId> {
        self.regions[region.index()].first_block.some()
    }

    /// The last block of a region.
    #[inline]
    pub fn last_block(&self, region: RegionId) -> Option<BlockId> {
        self.regions[region.index()].last_block.some()
    }

    /// The block after this one in its region.
    #[inline]
    pub fn next_block(&self, block: BlockId) -> Option<BlockId> {
        self.blocks[block.index()].next.some()
    }

    /// The block before this one in its region.
    #[inline]
    pub fn prev_block(&self, block: BlockId) -> Option<BlockId> {
        self.blocks[block.index()].prev.some()
    }

    /// Whether `inner` is `outer` or lies in one of its regions.
    pub fn is_ancestor(&self, outer: OpId, inner: OpId) -> bool {
        let mut at = Some(inner);
        while let Some(op) = at {
            if op == outer {
                return true;
            }
            at = self.parent_op(op);
        }
        false
    }

    /// The op in `block` that is `op` or holds it in its regions.
    pub fn ancestor_in_block(&self, block: BlockId, op: OpId) -> Option<OpId> {
        let mut at = op;
        loop {
            if self.parent_block(at)? == block {
                return Some(at);
            }
            at = self.parent_op(at)?;
        }
    }

    /// Whether `a` comes before `b`; both must be in the same block. Linear in the block.
    pub fn is_before_in_block(&self, a: OpId, b: OpId) -> bool {
        let mut at = self.next_op(a);
        while let Some(op) = at {
            if op == b {
                return true;
            }
            at = self.next_op(op);
        }
        false
    }

    /// An upper bound of the number of operands that have been made.
    pub fn operand_bound(&self) -> usize {
        self.uses.len()
    }

    /// Upper bounds of the ids in use, for side tables: ops, values, blocks.
    pub fn bounds(&self) -> (usize, usize, usize) {
        (self.ops.len(), self.values.len(), self.blocks.len())
    }
}
