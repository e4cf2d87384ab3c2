//! `iree-vm-materialize-ref-discards`: references are given back where nobody needs them any more.
//!
//! Where a reference is needed on some of the ways from a block it is given back on the others; a
//! reference that is last used within a block, right behind that; one that is never used, at once.
//! What a function returns, and what an op takes over at its last use, is not given back.

use std::collections::BTreeSet;

use tegula_ir::{
    BlockId, Body, InsertPoint, NewOp, OpId, RegionId, Registry, Type, ValueId, successor_operands,
};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use super::members_named;
use crate::is_ref;
use crate::liveness::{Liveness, takes_ref};

const DISCARD: &str = "vm.discard.refs";

pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, module: OpId) -> PassResult {
    let mut changed = Changed::No;
    for func in members_named(body, module, "vm.func") {
        let Some(region) = body.region(func, 0) else { continue };
        if body.first_block(region).is_none() {
            continue;
        }
        let function = Function {
            region,
            liveness: Liveness::of(body, region),
            returned: returned(body, region),
        };
        let mut rw = cx.rewriter(body);
        changed |= function.on_edges(&mut rw);
        changed |= function.in_blocks(&mut rw);
        changed |= function.unused(&mut rw);
    }
    Ok(changed)
}

/// What is known of a function before anything is given back.
struct Function {
    region: RegionId,
    liveness: Liveness,
    returned: BTreeSet<ValueId>,
}

fn returned(body: &Body, region: RegionId) -> BTreeSet<ValueId> {
    let ops = body.blocks(region).flat_map(|block| body.block_ops(block));
    let returns = ops.filter(|&op| body.is(op, "vm.return"));
    returns.flat_map(|op| body.operands(op)).collect()
}

impl Function {
    fn blocks(&self, body: &Body) -> Vec<BlockId> {
        body.blocks(self.region).collect()
    }

    /// Whether a value is a reference that may be given back.
    fn is_own(&self, body: &Body, value: ValueId) -> bool {
        is_ref(body.ty(value)) && !self.returned.contains(&value)
    }

    /// References that are needed on other ways from a block than one.
    fn on_edges(&self, rw: &mut Rewriter<'_>) -> Changed {
        let blocks = self.blocks(rw.body);
        let all: Vec<ValueId> = blocks
            .iter()
            .flat_map(|&block| {
                let results = rw.body.block_ops(block).flat_map(|op| rw.body.results(op));
                rw.body.block_args(block).iter().copied().chain(results)
            })
            .filter(|&value| self.is_own(rw.body, value))
            .collect();
        let mut edges: Vec<(OpId, BlockId, Vec<ValueId>)> = Vec::new();
        for &block in &blocks {
            let Some(end) = rw.body.last_op(block) else { continue };
            let forwarded = Forwarded::of(rw.registry, rw.body, end);
            for &next in rw.body.successors(end) {
                let dies = |&value: &ValueId| {
                    let anywhere = forwarded.anywhere(value);
                    (self.liveness.is_live_out(block, value) || anywhere)
                        && !self.liveness.is_live_in(next, value)
                        && !forwarded.to(next, value)
                        && (anywhere || !is_taken(rw.registry, rw.body, end, value))
                };
                let dying: Vec<ValueId> = all.iter().copied().filter(dies).collect();
                if !dying.is_empty() {
                    edges.push((end, next, dying));
                }
            }
        }
        let changed = Changed::when(!edges.is_empty());
        for (end, next, values) in edges {
            discard_between(rw, end, next, &values);
        }
        changed
    }

    /// References that are last used within a block.
    fn in_blocks(&self, rw: &mut Rewriter<'_>) -> Changed {
        let mut places: Vec<(OpId, Vec<ValueId>)> = Vec::new();
        for block in self.blocks(rw.body) {
            for op in rw.body.block_ops(block) {
                let ends = rw.body.next_op(op).is_none();
                if ends || rw.body.is(op, DISCARD) {
                    continue;
                }
                let last = |&index: &usize| {
                    let value = rw.body.operand(op, index);
                    self.is_own(rw.body, value)
                        && self.liveness.is_last_use(rw.body, op, index)
                        && !takes_ref(rw.registry, rw.body, op, index)
                };
                let dying = (0..rw.body.num_operands(op)).filter(last);
                let dying: Vec<ValueId> = dying.map(|index| rw.body.operand(op, index)).collect();
                if !dying.is_empty() {
                    places.push((op, dying));
                }
            }
        }
        discard_after(rw, places)
    }

    /// References that are never used.
    fn unused(&self, rw: &mut Rewriter<'_>) -> Changed {
        let mut changed = Changed::No;
        for block in self.blocks(rw.body) {
            let is_unused =
                |body: &Body, value: ValueId| self.is_own(body, value) && body.is_unused(value);
            let args = rw.body.block_args(block).iter().copied();
            let args: Vec<ValueId> = args.filter(|&arg| is_unused(rw.body, arg)).collect();
            let loc = rw.body.first_op(block).map(|first| rw.body.loc(first));
            if let Some(loc) = loc.filter(|_| !args.is_empty()) {
                rw.insert(InsertPoint::Start(block), discard(&args).loc(loc));
                changed = Changed::Yes;
            }
            let mut places: Vec<(OpId, Vec<ValueId>)> = Vec::new();
            for op in rw.body.block_ops(block) {
                let results = rw.body.results(op).filter(|&value| is_unused(rw.body, value));
                let results: Vec<ValueId> = results.collect();
                if !results.is_empty() {
                    places.push((op, results));
                }
            }
            changed |= discard_after(rw, places);
        }
        changed
    }
}

fn discard(values: &[ValueId]) -> NewOp {
    NewOp::new(DISCARD).operands(values.iter().copied())
}

fn discard_after(rw: &mut Rewriter<'_>, places: Vec<(OpId, Vec<ValueId>)>) -> Changed {
    let changed = Changed::when(!places.is_empty());
    for (op, values) in places {
        let loc = rw.body.loc(op);
        rw.insert(InsertPoint::After(op), discard(&values).loc(loc));
    }
    changed
}

/// What a branch passes to each of its blocks.
struct Forwarded(Vec<(BlockId, Vec<ValueId>)>);

impl Forwarded {
    fn of(registry: &Registry, body: &Body, end: OpId) -> Forwarded {
        let ranges = successor_operands(registry, body, end).unwrap_or_default();
        let pairs = ranges.into_iter().zip(body.successors(end));
        let values = |range: std::ops::Range<usize>| range.map(|at| body.operand(end, at));
        Forwarded(pairs.map(|(range, &to)| (to, values(range).collect())).collect())
    }

    fn anywhere(&self, value: ValueId) -> bool {
        self.0.iter().any(|(_, values)| values.contains(&value))
    }

    fn to(&self, block: BlockId, value: ValueId) -> bool {
        self.0.iter().any(|(to, values)| *to == block && values.contains(&value))
    }
}

/// Whether an op takes over a reference.
fn is_taken(registry: &Registry, body: &Body, op: OpId, value: ValueId) -> bool {
    let mut operands = body.operands(op).enumerate();
    operands.any(|(index, operand)| operand == value && takes_ref(registry, body, op, index))
}

/// Gives references back on the way from the end of a block to another one.
fn discard_between(rw: &mut Rewriter<'_>, end: OpId, next: BlockId, values: &[ValueId]) {
    let loc = rw.body.loc(end);
    let used = rw.body.operands(end).any(|operand| values.contains(&operand));
    let ways_to = |body: &Body| {
        let ends = body.block_parent(next).into_iter().flat_map(|region| body.blocks(region));
        let ends = ends.filter_map(|block| body.last_op(block));
        ends.flat_map(|end| body.successors(end)).filter(|&&block| block == next).count()
    };
    if rw.body.successors(end).len() == 1 && !used {
        rw.insert(InsertPoint::Before(end), discard(values).loc(loc));
    } else if ways_to(rw.body) == 1 {
        rw.insert(InsertPoint::Start(next), discard(values).loc(loc));
    } else {
        let between = block_between(rw, end, next);
        let args: Vec<ValueId> = rw.body.block_args(between).to_vec();
        rw.insert(InsertPoint::End(between), discard(values).loc(loc));
        let go = NewOp::new("vm.br").operands(args).successor(next).loc(loc);
        rw.insert(InsertPoint::End(between), go);
    }
}

/// A new block before another one, with arguments of the same types, to which a branch goes that
/// went to the other one.
fn block_between(rw: &mut Rewriter<'_>, end: OpId, next: BlockId) -> BlockId {
    let types: Vec<Type> = rw.body.block_args(next).iter().map(|&arg| rw.body.ty(arg)).collect();
    let index = rw.body.successors(end).iter().position(|&block| block == next).unwrap_or(0);
    let before = rw.body.prev_block(next).or_else(|| rw.body.parent_block(end)).unwrap_or(next);
    let between = rw.body.insert_block_after(before);
    for ty in types {
        rw.body.add_block_arg(between, ty);
    }
    rw.modify(end, |body| body.set_successor(end, index, between));
    between
}
