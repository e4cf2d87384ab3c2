//! Editing a body. Passes edit through the rewriter, which calls these and tells its listeners.

use smallvec::SmallVec;
use thin_vec::ThinVec;

use super::{
    BlockId, BlockNode, Body, OpId, OpNode, Place, RegionId, RegionNode, UseId, UseNode, ValueId,
    ValueKind, ValueNode,
};
use crate::{Attr, AttrData, Ident, LocData, OpName, Type};

/// A place between two ops of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsertPoint {
    /// Right before this op.
    Before(OpId),
    /// Right after this op.
    After(OpId),
    /// At the start of the block.
    Start(BlockId),
    /// At the end of the block.
    End(BlockId),
}

/// The description of an op that is to be made.
#[derive(Clone, Debug)]
pub struct NewOp {
    /// The name.
    pub name: OpName,
    /// The operands in order.
    pub operands: SmallVec<[ValueId; 4]>,
    /// The result types in order.
    pub results: SmallVec<[Type; 2]>,
    /// The attributes; a later one wins over an earlier one of the same name.
    pub attrs: SmallVec<[(Ident, Attr); 1]>,
    /// The number of (empty) regions.
    pub regions: usize,
    /// The successors in order.
    pub successors: SmallVec<[BlockId; 2]>,
    /// The location.
    pub loc: Option<Attr>,
}

impl NewOp {
    /// An op with nothing but a name.
    #[inline]
    pub fn new(name: impl Into<OpName>) -> NewOp {
        NewOp {
            name: name.into(),
            operands: SmallVec::new(),
            results: SmallVec::new(),
            attrs: SmallVec::new(),
            regions: 0,
            successors: SmallVec::new(),
            loc: None,
        }
    }

    /// Adds an operand.
    #[inline]
    pub fn operand(mut self, value: ValueId) -> NewOp {
        self.operands.push(value);
        self
    }

    /// Adds operands.
    #[inline]
    pub fn operands(mut self, values: impl IntoIterator<Item = ValueId>) -> NewOp {
        self.operands.extend(values);
        self
    }

    /// Adds a result.
    #[inline]
    pub fn result(mut self, ty: Type) -> NewOp {
        self.results.push(ty);
        self
    }

    /// Adds results.
    #[inline]
    pub fn results(mut self, types: impl IntoIterator<Item = Type>) -> NewOp {
        self.results.extend(types);
        self
    }

    /// Adds an attribute.
    #[inline]
    pub fn attr(self, name: &str, attr: Attr) -> NewOp {
        self.entry(Ident::of(name), attr)
    }

    /// Adds an attribute under a name that is interned already.
    #[inline]
    pub fn entry(mut self, name: Ident, attr: Attr) -> NewOp {
        self.attrs.push((name, attr));
        self
    }

    /// Adds an attribute when there is one.
    #[inline]
    pub fn attr_opt(self, name: &str, attr: Option<Attr>) -> NewOp {
        match attr {
            Some(attr) => self.attr(name, attr),
            None => self,
        }
    }

    /// Adds all entries of a dictionary.
    #[inline]
    pub fn attrs(mut self, dict: Attr) -> NewOp {
        self.attrs.extend_from_slice(dict.as_dict().unwrap_or(&[]));
        self
    }

    /// Sets the number of regions.
    #[inline]
    pub fn regions(mut self, count: usize) -> NewOp {
        self.regions = count;
        self
    }

    /// Adds a successor.
    #[inline]
    pub fn successor(mut self, block: BlockId) -> NewOp {
        self.successors.push(block);
        self
    }

    /// Adds successors.
    #[inline]
    pub fn successors(mut self, blocks: impl IntoIterator<Item = BlockId>) -> NewOp {
        self.successors.extend(blocks);
        self
    }

    /// Sets the location.
    #[inline]
    pub fn loc(mut self, loc: Attr) -> NewOp {
        self.loc = Some(loc);
        self
    }
}

impl Body {
    /// Makes an op at a place. Without a location of its own it takes that of its neighbour.
    #[inline]
    pub fn insert(&mut self, at: InsertPoint, new: NewOp) -> OpId {
        let place = match new.loc {
            Some(loc) => self.locs.place(loc),
            None => self.neighbour_place(at),
        };
        let op = self.make(&new, place);
        self.attach(op, at);
        op
    }

    /// Makes an op outside of any block.
    pub fn create_detached(&mut self, new: NewOp, loc: Attr) -> OpId {
        let place = self.locs.place(loc);
        self.make(&new, place)
    }

    pub(crate) fn make(&mut self, new: &NewOp, loc: Place) -> OpId {
        let place = if new.results.len() == 1 { self.forgotten.pop() } else { None };
        let op = place.unwrap_or(OpId(self.ops.len() as u32));
        let first_operand = self.uses.len() as u32;
        let first_result = match place {
            Some(place) => self.ops[place.index()].first_result,
            None => self.values.len() as u32,
        };
        let node = OpNode {
            name: new.name,
            parent: BlockId::NONE,
            prev: OpId::NONE,
            next: OpId::NONE,
            first_operand,
            num_operands: new.operands.len() as u32,
            first_result,
            num_results: new.results.len() as u32,
            attrs: match new.attrs.as_slice() {
                [] => Attr::empty_dict(),
                entries => Attr::dict_of(entries),
            },
            regions: ThinVec::new(),
            successors: new.successors.iter().copied().collect(),
            erased: false,
        };
        let results = new.results.iter().enumerate().map(|(index, &ty)| {
            let kind = ValueKind::Result(op, index as u32);
            ValueNode { ty, first_use: UseId::NONE, kind }
        });
        if place.is_some() {
            self.ops[op.index()] = node;
            self.locs.set(op, loc);
            self.values[first_result as usize..].iter_mut().zip(results).for_each(|(v, r)| *v = r);
        } else {
            self.ops.push(node);
            self.locs.push(loc);
            self.values.extend(results);
        }
        for &value in &new.operands {
            self.push_use(op, value);
        }
        for _ in 0..new.regions {
            self.add_region(op);
        }
        op
    }

    fn push_use(&mut self, owner: OpId, value: ValueId) {
        let slot = UseId(self.uses.len() as u32);
        self.uses.push(UseNode { value, owner, prev: UseId::NONE, next: UseId::NONE });
        self.link_use(slot, value);
    }

    fn neighbour_place(&mut self, at: InsertPoint) -> Place {
        let neighbour = match at {
            InsertPoint::Before(op) | InsertPoint::After(op) => Some(op),
            InsertPoint::Start(block) => {
                self.first_op(block).or_else(|| self.block_parent_op(block))
            }
            InsertPoint::End(block) => self.last_op(block).or_else(|| self.block_parent_op(block)),
        };
        match neighbour {
            Some(op) => self.locs.of(op),
            None => self.locs.place(Attr::new(AttrData::Loc(LocData::Unknown))),
        }
    }

    /// Adds an empty region to an op.
    pub fn add_region(&mut self, op: OpId) -> RegionId {
        let region = self.new_region(op);
        self.ops[op.index()].regions.push(region);
        region
    }

    pub(crate) fn new_region(&mut self, parent: OpId) -> RegionId {
        let region = RegionId(self.regions.len() as u32);
        self.regions.push(RegionNode {
            parent,
            first_block: BlockId::NONE,
            last_block: BlockId::NONE,
        });
        region
    }

    /// Puts a detached op into a block.
    pub fn attach(&mut self, op: OpId, at: InsertPoint) {
        let (block, prev, next) = match at {
            InsertPoint::Before(next) => {
                (self.ops[next.index()].parent, self.ops[next.index()].prev, next)
            }
            InsertPoint::After(prev) => {
                (self.ops[prev.index()].parent, prev, self.ops[prev.index()].next)
            }
            InsertPoint::Start(block) => (block, OpId::NONE, self.blocks[block.index()].first_op),
            InsertPoint::End(block) => (block, self.blocks[block.index()].last_op, OpId::NONE),
        };
        let node = &mut self.ops[op.index()];
        debug_assert_eq!(node.parent, BlockId::NONE, "attach of an attached op");
        (node.parent, node.prev, node.next) = (block, prev, next);
        match prev.some() {
            Some(prev) => self.ops[prev.index()].next = op,
            None => self.blocks[block.index()].first_op = op,
        }
        match next.some() {
            Some(next) => self.ops[next.index()].prev = op,
            None => self.blocks[block.index()].last_op = op,
        }
    }

    /// Takes an op out of its block and keeps it.
    pub fn detach(&mut self, op: OpId) {
        let node = &mut self.ops[op.index()];
        let Some(block) = node.parent.some() else { return };
        let (prev, next) = (node.prev, node.next);
        (node.parent, node.prev, node.next) = (BlockId::NONE, OpId::NONE, OpId::NONE);
        match prev.some() {
            Some(prev) => self.ops[prev.index()].next = next,
            None => self.blocks[block.index()].first_op = next,
        }
        match next.some() {
            Some(next) => self.ops[next.index()].prev = prev,
            None => self.blocks[block.index()].last_op = prev,
        }
    }

    /// Moves an op, with its regions, to another place of the same body.
    pub fn move_op(&mut self, op: OpId, at: InsertPoint) {
        if matches!(at, InsertPoint::Before(o) | InsertPoint::After(o) if o == op) {
            return;
        }
        self.detach(op);
        self.attach(op, at);
    }

    /// Erases an op and everything in its regions. Its results must be unused, except by what is
    /// erased with it.
    pub fn erase(&mut self, op: OpId) {
        self.detach(op);
        let mut at = Some(op);
        while let Some(inner) = at {
            self.drop_operands(inner);
            self.ops[inner.index()].erased = true;
            at = self.walk_next(Some(op), inner);
        }
        debug_assert!(self.walk(op).all(|op| self.results_unused(op)), "erased a used op");
    }

    /// Lets a new op take the place of an erased one, once. Nothing may hold its id any more, nor
    /// that of its result. An op with another number of results than one keeps its place.
    pub fn forget(&mut self, op: OpId) {
        let node = &self.ops[op.index()];
        if node.erased && node.num_results == 1 {
            self.forgotten.push(op);
        }
    }

    #[inline]
    fn drop_operands(&mut self, op: OpId) {
        for slot in self.operand_slots(op) {
            self.unlink_use(slot);
        }
        self.ops[op.index()].num_operands = 0;
    }

    /// Gives an op other operands, of any number.
    pub fn set_operands(&mut self, op: OpId, values: &[ValueId]) {
        if values.len() == self.num_operands(op) {
            for (index, &value) in values.iter().enumerate() {
                if self.operand(op, index) != value {
                    self.set_operand(op, index, value);
                }
            }
            return;
        }
        self.drop_operands(op);
        self.ops[op.index()].first_operand = self.uses.len() as u32;
        self.ops[op.index()].num_operands = values.len() as u32;
        for &value in values {
            self.push_use(op, value);
        }
    }

    /// Replaces all attributes; `dict` must be a dictionary.
    pub fn set_attrs(&mut self, op: OpId, dict: Attr) {
        debug_assert!(dict.as_dict().is_some());
        self.ops[op.index()].attrs = dict;
    }

    /// Sets or adds an attribute.
    pub fn set_attr(&mut self, op: OpId, name: &str, attr: Attr) {
        let entries = self.attr_entries(op).iter().copied();
        let dict = Attr::dict(entries.chain([(Ident::of(name), attr)]));
        self.set_attrs(op, dict);
    }

    /// Removes an attribute and returns it.
    pub fn remove_attr(&mut self, op: OpId, name: &str) -> Option<Attr> {
        let old = self.attr(op, name)?;
        let entries = self.attr_entries(op).iter().copied().filter(|(n, _)| n.as_str() != name);
        self.set_attrs(op, Attr::dict(entries));
        Some(old)
    }

    /// Changes the type of a value in place.
    pub fn set_type(&mut self, value: ValueId, ty: Type) {
        self.values[value.index()].ty = ty;
    }

    /// Sets the location of an op.
    pub fn set_loc(&mut self, op: OpId, loc: Attr) {
        let place = self.locs.place(loc);
        self.locs.set(op, place);
    }

    /// Sets successor number `index`; panics when there are fewer.
    pub fn set_successor(&mut self, op: OpId, index: usize, block: BlockId) {
        self.ops[op.index()].successors[index] = block;
    }

    /// Adds an empty block at the end of a region.
    pub fn append_block(&mut self, region: RegionId) -> BlockId {
        let block = self.new_block();
        self.attach_block(block, region, None);
        block
    }

    /// A value that stands for one that is not made yet; it must be replaced before the body is
    /// used.
    pub(crate) fn new_placeholder(&mut self, ty: Type) -> ValueId {
        let value = ValueId(self.values.len() as u32);
        let kind = ValueKind::Result(OpId::NONE, 0);
        self.values.push(ValueNode { ty, first_use: UseId::NONE, kind });
        value
    }

    /// Makes a block outside of any region.
    pub(crate) fn new_block(&mut self) -> BlockId {
        let block = BlockId(self.blocks.len() as u32);
        self.blocks.push(BlockNode {
            parent: RegionId::NONE,
            prev: BlockId::NONE,
            next: BlockId::NONE,
            first_op: OpId::NONE,
            last_op: OpId::NONE,
            args: SmallVec::new(),
        });
        block
    }

    /// Gives an op a region that was made without one.
    pub(crate) fn adopt_region(&mut self, op: OpId, region: RegionId) {
        self.regions[region.index()].parent = op;
        self.ops[op.index()].regions.push(region);
    }

    /// Adds an empty block after another one.
    pub fn insert_block_after(&mut self, after: BlockId) -> BlockId {
        let region = self.blocks[after.index()].parent;
        let block = self.append_block(region);
        self.detach_block(block);
        let next = self.next_block(after);
        self.attach_block(block, region, next);
        block
    }

    /// Puts a detached block into a region, before `next` or at the end.
    pub fn attach_block(&mut self, block: BlockId, region: RegionId, next: Option<BlockId>) {
        let prev = match next {
            Some(next) => self.blocks[next.index()].prev,
            None => self.regions[region.index()].last_block,
        };
        let node = &mut self.blocks[block.index()];
        (node.parent, node.prev, node.next) = (region, prev, next.unwrap_or(BlockId::NONE));
        match prev.some() {
            Some(prev) => self.blocks[prev.index()].next = block,
            None => self.regions[region.index()].first_block = block,
        }
        match next {
            Some(next) => self.blocks[next.index()].prev = block,
            None => self.regions[region.index()].last_block = block,
        }
    }

    /// Takes a block out of its region and keeps it.
    pub fn detach_block(&mut self, block: BlockId) {
        let node = &mut self.blocks[block.index()];
        let Some(region) = node.parent.some() else { return };
        let (prev, next) = (node.prev, node.next);
        (node.parent, node.prev, node.next) = (RegionId::NONE, BlockId::NONE, BlockId::NONE);
        match prev.some() {
            Some(prev) => self.blocks[prev.index()].next = next,
            None => self.regions[region.index()].first_block = next,
        }
        match next.some() {
            Some(next) => self.blocks[next.index()].prev = prev,
            None => self.regions[region.index()].last_block = prev,
        }
    }

    /// Erases a block with all of its ops. Nothing outside may use its arguments or results.
    pub fn erase_block(&mut self, block: BlockId) {
        let ops: Vec<OpId> = self.block_ops(block).collect();
        for op in ops.into_iter().rev() {
            self.erase(op);
        }
        self.detach_block(block);
    }

    /// Adds an argument to a block.
    pub fn add_block_arg(&mut self, block: BlockId, ty: Type) -> ValueId {
        let value = ValueId(self.values.len() as u32);
        let index = self.blocks[block.index()].args.len() as u32;
        self.values.push(ValueNode {
            ty,
            first_use: UseId::NONE,
            kind: ValueKind::Arg(block, index),
        });
        self.blocks[block.index()].args.push(value);
        value
    }

    /// Sets the location of a block argument.
    pub fn set_arg_loc(&mut self, arg: ValueId, loc: Attr) {
        self.arg_locs.insert(arg, loc);
    }

    /// Removes an unused argument from a block.
    pub fn remove_block_arg(&mut self, block: BlockId, index: usize) {
        let value = self.blocks[block.index()].args.remove(index);
        debug_assert!(self.is_unused(value), "removed a used block argument");
        let rest: Vec<ValueId> = self.blocks[block.index()].args[index..].to_vec();
        for (offset, value) in rest.into_iter().enumerate() {
            self.values[value.index()].kind = ValueKind::Arg(block, (index + offset) as u32);
        }
    }

    /// Moves all ops of `from` to a place; the arguments of `from` become `values`.
    pub fn inline_block(&mut self, from: BlockId, at: InsertPoint, values: &[ValueId]) {
        let args: Vec<ValueId> = self.block_args(from).to_vec();
        for (arg, &value) in args.into_iter().zip(values) {
            self.replace_all_uses(arg, value);
        }
        let ops: Vec<OpId> = self.block_ops(from).collect();
        let mut at = at;
        for op in ops {
            self.move_op(op, at);
            at = InsertPoint::After(op);
        }
    }

    /// Moves all blocks of `from` to the end of `to`.
    pub fn take_region(&mut self, from: RegionId, to: RegionId) {
        let blocks: Vec<BlockId> = self.blocks(from).collect();
        for block in blocks {
            self.detach_block(block);
            self.attach_block(block, to, None);
        }
    }

    /// Splits a block before an op; the op and what follows it move to a new block after it.
    pub fn split_block(&mut self, before: OpId) -> BlockId {
        let block = self.ops[before.index()].parent;
        let tail = self.insert_block_after(block);
        let mut at = Some(before);
        while let Some(op) = at {
            at = self.next_op(op);
            self.move_op(op, InsertPoint::End(tail));
        }
        tail
    }
}
