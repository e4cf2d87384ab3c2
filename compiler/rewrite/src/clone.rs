//! Cloning ops, within a body and across bodies.

use std::fmt;

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use tegula_ir::{Attr, BlockId, Body, InsertPoint, NewOp, OpId, ValueId};

/// What stands for what in a clone.
#[derive(Clone, Debug, Default)]
pub struct IrMapping {
    values: FxHashMap<ValueId, ValueId>,
    blocks: FxHashMap<BlockId, BlockId>,
    ops: FxHashMap<OpId, OpId>,
}

impl IrMapping {
    /// An empty mapping.
    pub fn new() -> IrMapping {
        IrMapping::default()
    }

    /// Lets `to` stand for the value `from`.
    pub fn map(&mut self, from: ValueId, to: ValueId) {
        self.values.insert(from, to);
    }

    /// Lets each of `to` stand for the value at the same place in `from`.
    pub fn map_all(
        &mut self,
        from: impl IntoIterator<Item = ValueId>,
        to: impl IntoIterator<Item = ValueId>,
    ) {
        self.values.extend(from.into_iter().zip(to));
    }

    /// Lets `to` stand for the block `from`.
    pub fn map_block(&mut self, from: BlockId, to: BlockId) {
        self.blocks.insert(from, to);
    }

    /// What stands for the value.
    pub fn get(&self, from: ValueId) -> Option<ValueId> {
        self.values.get(&from).copied()
    }

    /// What stands for the value, or the value itself.
    pub fn get_or_same(&self, from: ValueId) -> ValueId {
        self.get(from).unwrap_or(from)
    }

    /// What stands for the block.
    pub fn block(&self, from: BlockId) -> Option<BlockId> {
        self.blocks.get(&from).copied()
    }

    /// The clone of an op.
    pub fn op(&self, from: OpId) -> Option<OpId> {
        self.ops.get(&from).copied()
    }

    /// Whether something stands for the value.
    pub fn contains(&self, from: ValueId) -> bool {
        self.values.contains_key(&from)
    }
}

/// A clone across bodies met a value of the old body for which nothing stands in the new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmapped {
    /// The value, in the old body.
    pub value: ValueId,
    /// The op that uses it, in the old body.
    pub user: OpId,
}

impl fmt::Display for Unmapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the cloned op uses a value that is defined outside and was not mapped")
    }
}

/// The values that `op` and its regions use but do not define, with a user of each.
fn captured(body: &Body, op: OpId) -> Vec<(ValueId, OpId)> {
    let mut out = Vec::new();
    for inner in body.walk(op) {
        for value in body.operands(inner) {
            let outside = match body.definition(value) {
                tegula_ir::ValueKind::Result(def, _) => def == op || !body.is_ancestor(op, def),
                tegula_ir::ValueKind::Arg(block, _) => {
                    body.block_parent_op(block).is_none_or(|p| !body.is_ancestor(op, p))
                }
            };
            if outside {
                out.push((value, inner));
            }
        }
    }
    out
}

struct Cloner<'a> {
    src: Option<&'a Body>,
    dst: &'a mut Body,
    mapping: &'a mut IrMapping,
}

impl Cloner<'_> {
    fn src(&self) -> &Body {
        self.src.unwrap_or(self.dst)
    }

    fn op(&mut self, op: OpId, at: InsertPoint) -> OpId {
        // Region contents are cloned from an explicit stack, so that nesting is bounded by memory
        // only. Operands are set at the end: blocks may use values that later blocks define.
        let root = self.shell(op, at);
        let mut made: SmallVec<[(OpId, OpId); 8]> = SmallVec::new();
        let mut stack: SmallVec<[(OpId, OpId); 8]> = smallvec![(op, root)];
        while let Some((old, new)) = stack.pop() {
            made.push((old, new));
            let first = stack.len();
            for index in 0..self.src().regions(old).len() {
                let from = self.src().regions(old)[index];
                let region = self.dst.add_region(new);
                let blocks: SmallVec<[BlockId; 2]> = self.src().blocks(from).collect();
                for block in blocks {
                    let copy = self.dst.append_block(region);
                    self.mapping.map_block(block, copy);
                    for index in 0..self.src().block_args(block).len() {
                        let arg = self.src().block_args(block)[index];
                        let ty = self.src().ty(arg);
                        let to = self.dst.add_block_arg(copy, ty);
                        self.mapping.map(arg, to);
                    }
                    let ops: Vec<OpId> = self.src().block_ops(block).collect();
                    for op in ops {
                        stack.push((op, self.shell(op, InsertPoint::End(copy))));
                    }
                }
            }
            stack[first..].reverse();
        }
        for (old, new) in made {
            let operands = self.src().operands(old).map(|v| self.mapping.get_or_same(v));
            let operands: SmallVec<[ValueId; 8]> = operands.collect();
            self.dst.set_operands(new, &operands);
            for index in 0..self.src().successors(old).len() {
                let block = self.src().successors(old)[index];
                let block = self.mapping.block(block).unwrap_or(block);
                self.dst.set_successor(new, index, block);
            }
        }
        root
    }

    /// Makes the op without operands and regions, and maps its results.
    fn shell(&mut self, op: OpId, at: InsertPoint) -> OpId {
        let src = self.src();
        let attrs = src.attrs(op);
        let results = src.results(op);
        // Successors of the right number; the real ones are set with the operands.
        let new = NewOp::new(src.name(op))
            .results(results.clone().map(|r| src.ty(r)))
            .successors(src.successors(op).iter().copied())
            .loc(src.loc(op));
        let copy = self.dst.insert(at, new);
        self.dst.set_attrs(copy, attrs);
        self.mapping.map_all(results, self.dst.results(copy));
        self.mapping.ops.insert(op, copy);
        copy
    }
}

pub(crate) fn clone_within(
    body: &mut Body,
    op: OpId,
    at: InsertPoint,
    mapping: &mut IrMapping,
) -> OpId {
    Cloner { src: None, dst: body, mapping }.op(op, at)
}

/// Clones an op with its regions into another body. Every value that it uses from outside must be
/// mapped before; nothing is changed when one is not. Blocks that it branches to must be mapped
/// when they lie outside of it.
pub fn clone_into(
    src: &Body,
    op: OpId,
    dst: &mut Body,
    at: InsertPoint,
    mapping: &mut IrMapping,
) -> Result<OpId, Unmapped> {
    for (value, user) in captured(src, op) {
        if !mapping.contains(value) {
            return Err(Unmapped { value, user });
        }
    }
    Ok(Cloner { src: Some(src), dst, mapping }.op(op, at))
}

/// A copy of an op's attributes without some of them.
pub(crate) fn without(attrs: Attr, drop: &[&str]) -> Attr {
    let entries = attrs.as_dict().unwrap_or(&[]).iter().copied();
    Attr::dict(entries.filter(|(name, _)| !drop.contains(&name.as_str())))
}
