//! Frozen bodies: what crosses from one phase to the next.
//!
//! Freezing compacts the arenas in layout order and puts uses into that order, too (of a value's
//! uses the last in the layout is the newest). Equal programs are then equal arrays, whatever their
//! history; a hash is stored so that most comparisons end there. Locations are carried along and
//! never decide equality.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::{
    BlockId, BlockNode, Body, OpId, OpNode, RegionId, RegionNode, UseId, UseNode, ValueId,
    ValueKind, ValueNode,
};

/// A compact, immutable body.
#[derive(Clone, Debug)]
pub struct FrozenBody {
    body: Body,
    hash: u64,
}

impl FrozenBody {
    /// The body, to read.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// A body to edit.
    pub fn thaw(&self) -> Body {
        // Who thaws a body means to edit it: there is room for more, so that the first op that is
        // made does not copy everything again.
        fn roomy<T: Clone>(all: &[T]) -> Vec<T> {
            let mut copy = Vec::with_capacity(all.len() + all.len() / 2);
            copy.extend_from_slice(all);
            copy
        }
        let Body { ops, values, uses, blocks, regions, locs, arg_locs, forgotten, lineage } =
            &self.body;
        Body {
            ops: roomy(ops),
            values: roomy(values),
            uses: roomy(uses),
            blocks: roomy(blocks),
            regions: roomy(regions),
            locs: locs.roomy(),
            arg_locs: arg_locs.clone(),
            forgotten: forgotten.clone(),
            lineage: *lineage,
        }
    }

    /// A hash of the content within this process; interned handles are part of it.
    pub fn content_hash(&self) -> u64 {
        self.hash
    }
}

impl PartialEq for FrozenBody {
    fn eq(&self, other: &FrozenBody) -> bool {
        self.hash == other.hash && self.body.same_content(&other.body)
    }
}

impl Eq for FrozenBody {}

impl Hash for FrozenBody {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// New ids by old ones.
struct Numbering {
    ops: Vec<OpId>,
    values: Vec<ValueId>,
    blocks: Vec<BlockId>,
    regions: Vec<RegionId>,
}

impl Body {
    /// Compacts the body in layout order.
    pub fn freeze(&self) -> FrozenBody {
        let mut order = Layout::default();
        order.add_region(self, self.top_region());
        let numbering = order.numbering(self);
        let body = self.renumbered(&order, &numbering);
        let hash = body.hash_content();
        FrozenBody { body, hash }
    }

    fn renumbered(&self, order: &Layout, new: &Numbering) -> Body {
        let op = |id: OpId| id.some().map_or(OpId::NONE, |id| new.ops[id.index()]);
        let block = |id: BlockId| id.some().map_or(BlockId::NONE, |id| new.blocks[id.index()]);
        let region = |id: RegionId| id.some().map_or(RegionId::NONE, |id| new.regions[id.index()]);
        let operands = order.ops.iter().map(|&op| self.num_operands(op));
        let mut out = Body {
            ops: Vec::with_capacity(order.ops.len()),
            values: Vec::with_capacity(order.values.len()),
            uses: Vec::with_capacity(operands.sum()),
            blocks: Vec::with_capacity(order.blocks.len()),
            regions: Vec::with_capacity(order.regions.len()),
            locs: self.locs.of_ops(&order.ops),
            arg_locs: self
                .arg_locs
                .iter()
                .filter_map(|(arg, &loc)| Some((new.values[arg.index()].some()?, loc)))
                .collect(),
            forgotten: Vec::new(),
            lineage: self.lineage,
        };
        for &id in &order.values {
            let node = &self.values[id.index()];
            let kind = match node.kind {
                ValueKind::Result(owner, index) => ValueKind::Result(op(owner), index),
                ValueKind::Arg(owner, index) => ValueKind::Arg(block(owner), index),
            };
            out.values.push(ValueNode { ty: node.ty, first_use: UseId::NONE, kind });
        }
        for &id in &order.regions {
            let node = &self.regions[id.index()];
            out.regions.push(RegionNode {
                parent: op(node.parent),
                first_block: block(node.first_block),
                last_block: block(node.last_block),
            });
        }
        for &id in &order.blocks {
            let node = &self.blocks[id.index()];
            out.blocks.push(BlockNode {
                parent: region(node.parent),
                prev: block(node.prev),
                next: block(node.next),
                first_op: op(node.first_op),
                last_op: op(node.last_op),
                args: node.args.iter().map(|v| new.values[v.index()]).collect(),
            });
        }
        for &id in &order.ops {
            let node = &self.ops[id.index()];
            let first_operand = out.uses.len() as u32;
            let owner = op(id);
            for slot in node.first_operand..node.first_operand + node.num_operands {
                let value = new.values[self.uses[slot as usize].value.index()];
                let slot = UseId(out.uses.len() as u32);
                out.uses.push(UseNode { value, owner, prev: UseId::NONE, next: UseId::NONE });
                out.link_use(slot, value);
            }
            let first_result = match node.num_results {
                0 => 0,
                _ => new.values[node.first_result as usize].0,
            };
            out.ops.push(OpNode {
                name: node.name,
                parent: block(node.parent),
                prev: op(node.prev),
                next: op(node.next),
                first_operand,
                num_operands: node.num_operands,
                first_result,
                num_results: node.num_results,
                attrs: node.attrs,
                regions: node.regions.iter().map(|&r| region(r)).collect(),
                successors: node.successors.iter().map(|&b| block(b)).collect(),
                erased: false,
            });
        }
        out
    }

    /// Use lists follow from the operands of a compact body, and links from the layout, so that
    /// ops, types, operands and the nesting of blocks are all there is to compare.
    fn same_content(&self, other: &Body) -> bool {
        self.ops.len() == other.ops.len()
            && self.values.len() == other.values.len()
            && self.uses.len() == other.uses.len()
            && self.blocks.len() == other.blocks.len()
            && self.regions.len() == other.regions.len()
            && self.ops.iter().zip(&other.ops).all(|(a, b)| {
                a.name == b.name
                    && a.attrs == b.attrs
                    && a.parent == b.parent
                    && a.num_operands == b.num_operands
                    && a.num_results == b.num_results
                    && a.regions == b.regions
                    && a.successors == b.successors
            })
            && self.uses.iter().zip(&other.uses).all(|(a, b)| a.value == b.value)
            && self.values.iter().zip(&other.values).all(|(a, b)| a.ty == b.ty && a.kind == b.kind)
            && self.blocks.iter().zip(&other.blocks).all(|(a, b)| a.parent == b.parent)
    }

    fn hash_content(&self) -> u64 {
        let mut hasher = FxHasher::default();
        for op in &self.ops {
            op.name.hash(&mut hasher);
            op.attrs.hash(&mut hasher);
            hasher.write_u32(op.parent.0);
            hasher.write_u32(op.num_operands);
            op.successors.hash(&mut hasher);
        }
        for slot in &self.uses {
            hasher.write_u32(slot.value.0);
        }
        for value in &self.values {
            value.ty.hash(&mut hasher);
            value.kind.hash(&mut hasher);
        }
        for block in &self.blocks {
            hasher.write_u32(block.parent.0);
        }
        hasher.finish()
    }
}

/// The live ids in layout order: an op before what its regions hold.
#[derive(Default)]
struct Layout {
    ops: Vec<OpId>,
    values: Vec<ValueId>,
    blocks: Vec<BlockId>,
    regions: Vec<RegionId>,
}

impl Layout {
    /// Adds a region and everything in it. The stack is on the heap: nesting is bounded by memory.
    fn add_region(&mut self, body: &Body, region: RegionId) {
        enum Todo {
            Region(RegionId),
            Block(BlockId),
            Op(OpId),
        }
        let mut stack = vec![Todo::Region(region)];
        while let Some(todo) = stack.pop() {
            let from = stack.len();
            match todo {
                Todo::Region(region) => {
                    self.regions.push(region);
                    stack.extend(body.blocks(region).map(Todo::Block));
                }
                Todo::Block(block) => {
                    self.blocks.push(block);
                    self.values.extend(body.block_args(block));
                    stack.extend(body.block_ops(block).map(Todo::Op));
                }
                Todo::Op(op) => {
                    self.ops.push(op);
                    self.values.extend(body.results(op));
                    stack.extend(body.regions(op).iter().map(|&r| Todo::Region(r)));
                }
            }
            stack[from..].reverse();
        }
    }

    fn numbering(&self, body: &Body) -> Numbering {
        let (ops, values, blocks) = body.bounds();
        let mut new = Numbering {
            ops: vec![OpId::NONE; ops],
            values: vec![ValueId::NONE; values],
            blocks: vec![BlockId::NONE; blocks],
            regions: vec![RegionId::NONE; body.regions.len()],
        };
        for (at, id) in self.ops.iter().enumerate() {
            new.ops[id.index()] = OpId(at as u32);
        }
        for (at, id) in self.values.iter().enumerate() {
            new.values[id.index()] = ValueId(at as u32);
        }
        for (at, id) in self.blocks.iter().enumerate() {
            new.blocks[id.index()] = BlockId(at as u32);
        }
        for (at, id) in self.regions.iter().enumerate() {
            new.regions[id.index()] = RegionId(at as u32);
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use crate::{Attr, Body, InsertPoint, NewOp, Type};

    fn sample(extra: bool) -> Body {
        let mut body = Body::new();
        let at = InsertPoint::End(body.top_block());
        let root = body.insert(at, NewOp::new("t.root").regions(1));
        let region = body.regions(root)[0];
        let block = body.append_block(region);
        let arg = body.add_block_arg(block, Type::f32());
        if extra {
            let dead =
                body.insert(InsertPoint::End(block), NewOp::new("t.dead").result(Type::f32()));
            body.erase(dead);
        }
        let end = InsertPoint::End(block);
        let a = body.insert(end, NewOp::new("t.a").operand(arg).result(Type::index()));
        let value = body.result(a, 0);
        body.insert(end, NewOp::new("t.b").operands([value, value]).attr("x", Attr::index(3)));
        body
    }

    #[test]
    fn history_does_not_show() {
        let (plain, edited) = (sample(false).freeze(), sample(true).freeze());
        assert_eq!(plain, edited);
        assert_eq!(plain.content_hash(), edited.content_hash());
        assert_eq!(plain.body().bounds(), edited.body().bounds());
        assert_eq!(plain.thaw().freeze(), plain);
    }

    #[test]
    fn content_does() {
        let mut other = sample(false);
        let last = other.walk_all().last().expect("an op");
        other.set_attr(last, "x", Attr::index(4));
        assert_ne!(sample(false).freeze(), other.freeze());
    }
}
