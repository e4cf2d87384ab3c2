//! Region simplification: unreachable blocks, dead ops and dead block arguments.

use rustc_hash::FxHashSet;
use tegula_analysis::would_be_trivially_dead;
use tegula_ir::{
    Attr, BlockId, Body, OpId, RegionId, Registry, ValueId, ValueKind, segments_attr,
    successor_operands,
};

use crate::Rewriter;

/// Simplifies a region and all regions in it. True when something was edited.
pub fn simplify(rw: &mut Rewriter<'_>, region: RegionId) -> bool {
    let mut changed = false;
    for region in nested(rw.body, region) {
        changed |= erase_unreachable(rw, region);
    }
    changed | erase_dead(rw, region)
}

/// The region and all regions in it, outer before inner.
fn nested(body: &Body, region: RegionId) -> Vec<RegionId> {
    let mut all = vec![region];
    let mut at = 0;
    while let Some(&region) = all.get(at) {
        at += 1;
        for block in body.blocks(region) {
            for op in body.block_ops(block) {
                all.extend(body.regions(op));
            }
        }
    }
    all
}

/// The blocks of a region that control comes to, from its entry block on.
pub fn reached_blocks(body: &Body, region: RegionId) -> FxHashSet<BlockId> {
    let mut stack: Vec<BlockId> = body.first_block(region).into_iter().collect();
    let mut reached: FxHashSet<BlockId> = stack.iter().copied().collect();
    while let Some(block) = stack.pop() {
        let successors = body.last_op(block).map_or(&[][..], |last| body.successors(last));
        stack.extend(successors.iter().filter(|&&successor| reached.insert(successor)));
    }
    reached
}

fn erase_unreachable(rw: &mut Rewriter<'_>, region: RegionId) -> bool {
    let Some(entry) = rw.body.first_block(region) else { return false };
    if rw.body.next_block(entry).is_none() {
        return false;
    }
    let reached = reached_blocks(rw.body, region);
    let gone: Vec<BlockId> =
        rw.body.blocks(region).filter(|block| !reached.contains(block)).collect();
    // Unreachable blocks may use each other's values in any order: all uses go first.
    for &block in &gone {
        let ops: Vec<OpId> = rw.body.block_ops(block).flat_map(|op| rw.body.walk(op)).collect();
        for op in ops {
            rw.modify(op, |body| body.set_operands(op, &[]));
        }
    }
    for &block in &gone {
        rw.erase_block(block);
    }
    !gone.is_empty()
}

/// What is live, by id.
struct Live {
    ops: Vec<bool>,
    values: Vec<bool>,
    /// Values whose definitions are not marked yet.
    stack: Vec<ValueId>,
    /// How much was marked.
    marks: usize,
}

impl Live {
    fn new(body: &Body) -> Live {
        let (ops, values, _) = body.bounds();
        Live { ops: vec![false; ops], values: vec![false; values], stack: Vec::new(), marks: 0 }
    }

    fn has_op(&self, op: OpId) -> bool {
        self.ops[op.index()]
    }

    fn has_value(&self, value: ValueId) -> bool {
        self.values[value.index()]
    }

    fn value(&mut self, value: ValueId) {
        if !std::mem::replace(&mut self.values[value.index()], true) {
            self.marks += 1;
            self.stack.push(value);
        }
    }

    /// Marks an op, what it uses, and the ops around it.
    fn op(&mut self, registry: &Registry, body: &Body, op: OpId) {
        let mut at = Some(op);
        while let Some(op) = at {
            if std::mem::replace(&mut self.ops[op.index()], true) {
                return;
            }
            self.marks += 1;
            let passed = if body.successors(op).is_empty() {
                None
            } else {
                successor_operands(registry, body, op)
            };
            for (index, value) in body.operands(op).enumerate() {
                let is_passed =
                    passed.as_ref().is_some_and(|p| p.iter().any(|range| range.contains(&index)));
                if !is_passed {
                    self.value(value);
                }
            }
            at = body.parent_op(op);
        }
    }
}

/// Erases ops that do nothing and whose results nothing live uses, cycles through block arguments
/// included, and the arguments that nothing live uses of blocks that are no entry.
fn erase_dead(rw: &mut Rewriter<'_>, region: RegionId) -> bool {
    let registry = rw.registry;
    let body = &*rw.body;
    let blocks: Vec<BlockId> = body.blocks(region).collect();
    let ops: Vec<OpId> = blocks
        .iter()
        .flat_map(|&block| body.block_ops(block))
        .flat_map(|op| body.walk(op))
        .collect();
    let mut live = Live::new(body);
    let mut terminators: Vec<OpId> = Vec::new();
    for &op in &ops {
        let inner_live = |op| !would_be_trivially_dead(registry, body, op);
        let terminator = registry.op(body.name(op)).is_some_and(|info| info.terminator);
        // A terminator is as live as what it ends; at the top of the region it always is.
        let holds = if terminator {
            terminators.push(op);
            body.parent_block(op).is_some_and(|block| body.block_parent(block) == Some(region))
                || body.successors(op).len() > 1
        } else {
            inner_live(op)
        };
        if holds {
            live.op(registry, body, op);
        }
    }
    // Terminators of the regions of live ops are live, and so is what is passed to live arguments.
    loop {
        while let Some(value) = live.stack.pop() {
            match body.definition(value) {
                ValueKind::Result(op, _) => live.op(registry, body, op),
                ValueKind::Arg(block, _) => {
                    if let Some(parent) = body.block_parent_op(block) {
                        live.op(registry, body, parent);
                    }
                }
            }
        }
        let before = live.marks;
        for &op in &terminators {
            if body.parent_op(op).is_some_and(|parent| live.has_op(parent)) {
                live.op(registry, body, op);
            }
            if !live.has_op(op) || body.successors(op).is_empty() {
                continue;
            }
            let Some(passed) = successor_operands(registry, body, op) else { continue };
            for (range, &block) in passed.into_iter().zip(body.successors(op)) {
                for (index, &arg) in range.zip(body.block_args(block)) {
                    if live.has_value(arg) {
                        live.value(body.operand(op, index));
                    }
                }
            }
        }
        if live.stack.is_empty() && before == live.marks {
            break;
        }
    }
    let dead_args: Vec<(BlockId, usize)> = nested(body, region)
        .into_iter()
        .flat_map(|region| body.blocks(region).skip(1))
        .flat_map(|block| {
            let args = body.block_args(block).iter().enumerate().rev();
            args.filter(|(_, arg)| !live.has_value(**arg)).map(move |(index, _)| (block, index))
        })
        .collect();
    let dead_ops: Vec<OpId> = ops.iter().copied().filter(|&op| !live.has_op(op)).collect();
    if dead_args.is_empty() && dead_ops.is_empty() {
        return false;
    }
    // Dead things may use each other in any order: all uses go first.
    for &op in &dead_ops {
        rw.modify(op, |body| body.set_operands(op, &[]));
    }
    let mut changed = !dead_ops.is_empty();
    for (block, index) in dead_args {
        changed |= drop_block_arg(rw, block, index);
    }
    for &op in dead_ops.iter().rev() {
        if !rw.body.is_erased(op) {
            rw.erase(op);
        }
    }
    changed
}

/// Removes a block argument together with what is passed to it, when every predecessor says which
/// operand that is; says whether it did. Nothing may use the argument.
pub fn drop_block_arg(rw: &mut Rewriter<'_>, block: BlockId, index: usize) -> bool {
    let Some(region) = rw.body.block_parent(block) else { return false };
    let mut edits = Vec::new();
    for pred in rw.body.blocks(region) {
        let Some(last) = rw.body.last_op(pred) else { continue };
        if !rw.body.successors(last).contains(&block) {
            continue;
        }
        let Some(passed) = successor_operands(rw.registry, rw.body, last) else { return false };
        let mut drop = Vec::new();
        for (range, &to) in passed.into_iter().zip(rw.body.successors(last)) {
            if to == block {
                drop.push(range.start + index);
            }
        }
        edits.push((last, drop));
    }
    let arg = rw.body.block_args(block).get(index).copied();
    if !arg.is_some_and(|arg| rw.body.is_unused(arg)) {
        return false;
    }
    for (op, drop) in edits {
        let Some(groups) = rw.registry.operand_groups(rw.body, op) else { continue };
        let kept: Vec<ValueId> = rw
            .body
            .operands(op)
            .enumerate()
            .filter(|(index, _)| !drop.contains(index))
            .map(|(_, value)| value)
            .collect();
        let sizes: Vec<i32> = groups
            .iter()
            .map(|g| {
                let gone = drop.iter().filter(|at| g.contains(at)).count();
                i32::try_from(g.len() - gone).unwrap_or(i32::MAX)
            })
            .collect();
        divide(rw, op, &drop);
        rw.set_operands(op, &kept);
        if rw.body.attr(op, tegula_ir::OPERAND_SEGMENTS).is_some() {
            rw.set_attr(op, tegula_ir::OPERAND_SEGMENTS, Attr::i32_array(&sizes));
        }
    }
    rw.remove_block_arg(block, index);
    true
}

/// Says of operands that go that they are passed to no successor any more, where an attribute divides
/// their group among successors.
fn divide(rw: &mut Rewriter<'_>, op: OpId, drop: &[usize]) {
    let Some(info) = rw.registry.op(rw.body.name(op)) else { return };
    let Some(ranges) = successor_operands(rw.registry, rw.body, op) else { return };
    let def = info.def();
    for (at, successor) in def.successors.iter().enumerate() {
        let group = successor.operands.as_deref();
        let Some(attribute) = group.and_then(|group| segments_attr(def, group)) else { continue };
        let left = ranges[at..].iter().map(|range| {
            let gone = drop.iter().filter(|at| range.contains(at)).count();
            i32::try_from(range.len() - gone).unwrap_or(i32::MAX)
        });
        let left = Attr::i32_array(&left.collect::<Vec<_>>());
        rw.set_attr(op, attribute, left);
    }
}
