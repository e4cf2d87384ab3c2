//! The rewriter.

use smallvec::SmallVec;
use tegula_ir::{
    Attr, BlockId, Body, Ident, InsertPoint, NewOp, OpId, RegionId, Registry, Type, UseId, ValueId,
};

use crate::clone::{clone_within, without};
use crate::{IrMapping, Listener, Unmapped, clone_into};

/// Edits one body and tells a listener.
///
/// Passes and patterns make all of their edits through it. `body` is public for reading; edits
/// that no method offers go through [`Rewriter::modify`], which names the op that changes.
pub struct Rewriter<'a> {
    /// The body. Edit it through the rewriter's methods only.
    pub body: &'a mut Body,
    /// The installed definitions.
    pub registry: &'a Registry,
    point: Option<InsertPoint>,
    listener: Option<&'a mut dyn Listener>,
}

impl<'a> Rewriter<'a> {
    /// A rewriter that nobody listens to.
    pub fn new(body: &'a mut Body, registry: &'a Registry) -> Rewriter<'a> {
        Rewriter { body, registry, point: None, listener: None }
    }

    /// A rewriter with a listener.
    pub fn with_listener(
        body: &'a mut Body,
        registry: &'a Registry,
        listener: &'a mut dyn Listener,
    ) -> Rewriter<'a> {
        Rewriter { body, registry, point: None, listener: Some(listener) }
    }

    fn tell(&mut self, event: impl FnOnce(&mut dyn Listener, &Body)) {
        if let Some(listener) = &mut self.listener {
            event(&mut **listener, self.body);
        }
    }

    // Insertion point.

    /// Where [`Rewriter::create`] puts ops; none before one is set.
    pub fn insertion_point(&self) -> Option<InsertPoint> {
        self.point
    }

    /// Sets where [`Rewriter::create`] puts ops. Each op goes after those that were made before
    /// it at the same point.
    pub fn set_insertion_point(&mut self, at: InsertPoint) {
        self.point = Some(at);
    }

    /// Makes an op at the insertion point, or at the end of the top block when none was set.
    pub fn create(&mut self, new: NewOp) -> OpId {
        let at = self.point.unwrap_or(InsertPoint::End(self.body.top_block()));
        let op = self.insert(at, new);
        if matches!(at, InsertPoint::After(_) | InsertPoint::Start(_)) {
            self.point = Some(InsertPoint::After(op));
        }
        op
    }

    /// As [`Rewriter::create`], giving the first result. Panics when the op has no result.
    pub fn create_value(&mut self, new: NewOp) -> ValueId {
        let op = self.create(new);
        self.body.result(op, 0)
    }

    // Making ops and blocks.

    /// Makes an op at a place.
    pub fn insert(&mut self, at: InsertPoint, new: NewOp) -> OpId {
        let op = self.body.insert(at, new);
        self.tell(|l, body| l.op_inserted(body, op));
        op
    }

    /// Makes an op at a place and gives its first result. Panics when the op has no result.
    pub fn insert_value(&mut self, at: InsertPoint, new: NewOp) -> ValueId {
        let op = self.insert(at, new);
        self.body.result(op, 0)
    }

    /// Adds an empty region to an op.
    pub fn add_region(&mut self, op: OpId) -> RegionId {
        let region = self.body.add_region(op);
        self.tell(|l, body| l.op_modified(body, op));
        region
    }

    /// Adds a block with arguments of these types at the end of a region.
    pub fn append_block(&mut self, region: RegionId, args: &[Type]) -> BlockId {
        let block = self.body.append_block(region);
        for &ty in args {
            self.body.add_block_arg(block, ty);
        }
        self.tell(|l, body| l.block_inserted(body, block));
        block
    }

    /// Adds an argument to a block.
    pub fn add_block_arg(&mut self, block: BlockId, ty: Type) -> ValueId {
        let value = self.body.add_block_arg(block, ty);
        if let Some(parent) = self.body.block_parent_op(block) {
            self.tell(|l, body| l.op_modified(body, parent));
        }
        value
    }

    /// Removes an unused argument from a block.
    pub fn remove_block_arg(&mut self, block: BlockId, index: usize) {
        self.body.remove_block_arg(block, index);
        if let Some(parent) = self.body.block_parent_op(block) {
            self.tell(|l, body| l.op_modified(body, parent));
        }
    }

    // Cloning.

    /// Clones an op with its regions within the body; operands for which nothing is mapped stay.
    pub fn clone_op(&mut self, op: OpId, at: InsertPoint, mapping: &mut IrMapping) -> OpId {
        let copy = clone_within(self.body, op, at, mapping);
        self.tell_inserted(copy);
        copy
    }

    /// Clones an op of another body into this one. Every value that it uses from outside must be
    /// mapped; nothing is changed when one is not.
    pub fn clone_from(
        &mut self,
        src: &Body,
        op: OpId,
        at: InsertPoint,
        mapping: &mut IrMapping,
    ) -> Result<OpId, Unmapped> {
        let copy = clone_into(src, op, self.body, at, mapping)?;
        self.tell_inserted(copy);
        Ok(copy)
    }

    /// Clones the ops of a block, its terminator included, to a place within the body. Map the
    /// block's arguments before.
    pub fn clone_block_ops(&mut self, block: BlockId, at: InsertPoint, mapping: &mut IrMapping) {
        let ops: Vec<OpId> = self.body.block_ops(block).collect();
        let mut at = at;
        for op in ops {
            at = InsertPoint::After(self.clone_op(op, at, mapping));
        }
    }

    fn tell_inserted(&mut self, root: OpId) {
        if self.listener.is_some() {
            let all: Vec<OpId> = self.body.walk(root).collect();
            for op in all {
                self.tell(|l, body| l.op_inserted(body, op));
            }
        }
    }

    // Replacing and erasing.

    /// Replaces the results of an op by these values, one each, and erases the op.
    pub fn replace(&mut self, op: OpId, values: &[ValueId]) {
        debug_assert_eq!(values.len(), self.body.num_results(op), "replacement of another length");
        self.tell(|l, body| l.op_replaced(body, op, values));
        for (from, &to) in self.body.results(op).zip(values) {
            self.replace_all_uses(from, to);
        }
        self.erase(op);
    }

    /// Makes an op before `op`, of whose results it takes the place, and erases `op`.
    pub fn replace_with(&mut self, op: OpId, new: NewOp) -> OpId {
        let new = match new.loc {
            Some(_) => new,
            None => new.loc(self.body.loc(op)),
        };
        let made = self.insert(InsertPoint::Before(op), new);
        let values: Vec<ValueId> = self.body.results(made).collect();
        self.replace(op, &values);
        made
    }

    /// Makes every use of `from` a use of `to`.
    pub fn replace_all_uses(&mut self, from: ValueId, to: ValueId) {
        self.replace_uses_if(from, to, |_, _| true);
    }

    /// Makes those uses of `from` for which `keep` holds uses of `to`.
    pub fn replace_uses_if(
        &mut self,
        from: ValueId,
        to: ValueId,
        keep: impl Fn(&Body, UseId) -> bool,
    ) {
        if from == to {
            return;
        }
        let mut slots: SmallVec<[UseId; 8]> = SmallVec::new();
        self.body.uses(from).filter(|&slot| keep(self.body, slot)).for_each(|s| slots.push(s));
        for &slot in slots.iter().rev() {
            self.body.set_use(slot, to);
        }
        if self.listener.is_some() {
            let mut told = None;
            for &slot in slots.iter().rev() {
                let user = self.body.use_owner(slot);
                if told.replace(user) != Some(user) {
                    self.tell(|l, body| l.op_modified(body, user));
                }
            }
        }
    }

    /// Erases an op and what is in its regions. Its results must be unused.
    pub fn erase(&mut self, op: OpId) {
        self.step_off(op);
        if self.body.regions(op).is_empty() {
            self.tell(|l, body| l.op_erased(body, op));
        } else if self.listener.is_some() {
            let mut all: Vec<OpId> = self.body.walk(op).collect();
            all.reverse();
            for inner in all {
                self.tell(|l, body| l.op_erased(body, inner));
            }
        }
        self.body.erase(op);
    }

    /// Erases a block with all of its ops. Nothing outside may use what it defines.
    pub fn erase_block(&mut self, block: BlockId) {
        let ops: Vec<OpId> = self.body.block_ops(block).collect();
        for op in ops.into_iter().rev() {
            self.erase(op);
        }
        self.tell(|l, body| l.block_erased(body, block));
        self.body.erase_block(block);
    }

    /// An insertion point must not refer to an op that goes away.
    fn step_off(&mut self, op: OpId) {
        match self.point {
            Some(InsertPoint::Before(at)) if at == op => {
                self.point = match (self.body.next_op(op), self.body.parent_block(op)) {
                    (Some(next), _) => Some(InsertPoint::Before(next)),
                    (None, Some(block)) => Some(InsertPoint::End(block)),
                    (None, None) => None,
                };
            }
            Some(InsertPoint::After(at)) if at == op => {
                self.point = match (self.body.prev_op(op), self.body.parent_block(op)) {
                    (Some(prev), _) => Some(InsertPoint::After(prev)),
                    (None, Some(block)) => Some(InsertPoint::Start(block)),
                    (None, None) => None,
                };
            }
            _ => {}
        }
    }

    // Changing in place.

    /// Changes an op in place by any edit of the body that touches only this op.
    pub fn modify<R>(&mut self, op: OpId, edit: impl FnOnce(&mut Body) -> R) -> R {
        let out = edit(self.body);
        self.tell(|l, body| l.op_modified(body, op));
        out
    }

    /// Sets or adds an attribute.
    pub fn set_attr(&mut self, op: OpId, name: &str, attr: Attr) {
        if self.body.attr(op, name) != Some(attr) {
            self.modify(op, |body| body.set_attr(op, name, attr));
        }
    }

    /// Removes an attribute and returns it.
    pub fn remove_attr(&mut self, op: OpId, name: &str) -> Option<Attr> {
        self.body.attr(op, name)?;
        self.modify(op, |body| body.remove_attr(op, name))
    }

    /// Replaces all attributes.
    pub fn set_attrs(&mut self, op: OpId, dict: Attr) {
        if self.body.attrs(op) != dict {
            self.modify(op, |body| body.set_attrs(op, dict));
        }
    }

    /// The op's attributes without some of them, for building another op.
    pub fn attrs_without(&self, op: OpId, drop: &[&str]) -> Attr {
        without(self.body.attrs(op), drop)
    }

    /// Adds entries to the attributes of an op.
    pub fn add_attrs(&mut self, op: OpId, entries: impl IntoIterator<Item = (Ident, Attr)>) {
        let dict = Attr::dict(self.body.attr_entries(op).iter().copied().chain(entries));
        self.set_attrs(op, dict);
    }

    /// Makes operand number `index` another value. Panics when there are fewer operands.
    pub fn set_operand(&mut self, op: OpId, index: usize, value: ValueId) {
        if self.body.operand(op, index) != value {
            self.modify(op, |body| body.set_operand(op, index, value));
        }
    }

    /// Gives an op other operands, of any number.
    pub fn set_operands(&mut self, op: OpId, values: &[ValueId]) {
        self.modify(op, |body| body.set_operands(op, values));
    }

    /// Changes the type of a value; its users are told.
    pub fn set_type(&mut self, value: ValueId, ty: Type) {
        if self.body.ty(value) == ty {
            return;
        }
        self.body.set_type(value, ty);
        if let Some(op) = self.body.defining_op(value) {
            self.tell(|l, body| l.op_modified(body, op));
        }
        let users: Vec<OpId> = self.body.users(value).collect();
        for user in users.into_iter().rev() {
            self.tell(|l, body| l.op_modified(body, user));
        }
    }

    // Moving.

    /// Moves an op, with its regions, to another place.
    pub fn move_op(&mut self, op: OpId, at: InsertPoint) {
        if self.point == Some(InsertPoint::Before(op)) || self.point == Some(InsertPoint::After(op))
        {
            self.step_off(op);
        }
        self.body.move_op(op, at);
        self.tell(|l, body| l.op_moved(body, op));
    }

    /// Moves all ops of `from` to a place, with `values` for its arguments, and erases `from`.
    pub fn inline_block(&mut self, from: BlockId, at: InsertPoint, values: &[ValueId]) {
        debug_assert_eq!(values.len(), self.body.block_args(from).len());
        let args: Vec<ValueId> = self.body.block_args(from).to_vec();
        for (&arg, &value) in args.iter().zip(values) {
            self.replace_all_uses(arg, value);
        }
        let ops: Vec<OpId> = self.body.block_ops(from).collect();
        self.body.inline_block(from, at, values);
        for op in ops {
            self.tell(|l, body| l.op_moved(body, op));
        }
        self.erase_block(from);
    }

    /// Moves all blocks of `from` to the end of `to`.
    pub fn take_region(&mut self, from: RegionId, to: RegionId) {
        let blocks: Vec<BlockId> = self.body.blocks(from).collect();
        self.body.take_region(from, to);
        for block in blocks {
            self.tell(|l, body| l.block_inserted(body, block));
        }
    }

    /// Splits a block before an op; the op and what follows it move to a new block after it.
    pub fn split_block(&mut self, before: OpId) -> BlockId {
        let block = self.body.split_block(before);
        self.tell(|l, body| l.block_inserted(body, block));
        block
    }

    /// Records why a pattern does not apply, and gives `false`, so that a hook may end with it.
    pub fn no_match(&mut self, op: OpId, reason: &str) -> bool {
        self.tell(|l, body| l.match_failed(body, op, reason));
        false
    }
}
