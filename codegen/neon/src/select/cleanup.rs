//! What is left over: casts, dead values, blocks that nothing reaches, counters that only count.

use rustc_hash::{FxHashMap, FxHashSet};
use tegula_ir::{Attr, BlockId, Body, InsertPoint, NewOp, OpId, ValueId, ValueKind};
use tegula_rewrite::Rewriter;

use super::build::{CAST, Machine};
use crate::condition::inverse_condition;
use crate::types;

/// Replaces a cast of a cast back to the first type by what was cast first.
pub(super) fn reconcile_casts(rw: &mut Rewriter<'_>, func: OpId) {
    let casts: Vec<OpId> = rw.body.walk(func).filter(|&op| rw.body.is(op, CAST)).collect();
    for op in casts {
        let mut source = rw.body.operand(op, 0);
        let wanted = rw.body.ty(rw.body.result(op, 0));
        while rw.body.ty(source) != wanted {
            let inner = rw.body.defining_op(source).filter(|&inner| rw.body.is(inner, CAST));
            match inner {
                Some(inner) => source = rw.body.operand(inner, 0),
                None => break,
            }
        }
        if rw.body.ty(source) == wanted {
            rw.replace(op, &[source]);
        }
    }
}

/// Erases blocks that nothing reaches, block arguments that nothing needs, and pure ops whose
/// results nothing needs. A value is needed when an op with an effect, or a branch's condition,
/// depends on it; a value that only its own next iteration reads is not.
pub(super) fn erase_dead(rw: &mut Rewriter<'_>, func: OpId) {
    let Some(region) = rw.body.region(func, 0) else { return };
    erase_unreached(rw, func);
    let blocks: Vec<BlockId> = rw.body.blocks(region).collect();
    let Some(&entry) = blocks.first() else { return };
    let mut incoming: FxHashMap<BlockId, Vec<(OpId, usize)>> = FxHashMap::default();
    let mut work: Vec<ValueId> = Vec::new();
    for &block in &blocks {
        for op in rw.body.block_ops(block) {
            if is_branch(rw.body, op) {
                for (at, &target) in rw.body.successors(op).iter().enumerate() {
                    incoming.entry(target).or_default().push((op, at));
                }
                if !rw.body.is(op, "neon.b") {
                    work.push(rw.body.operand(op, 0));
                }
            } else if !is_pure(rw, op) {
                work.extend(rw.body.operands(op));
            }
        }
    }
    let mut needed = vec![false; rw.body.bounds().1];
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut needed[value.index()], true) {
            continue;
        }
        match rw.body.definition(value) {
            ValueKind::Result(op, _) => work.extend(rw.body.operands(op)),
            ValueKind::Arg(block, at) => {
                for &(op, successor) in incoming.get(&block).into_iter().flatten() {
                    work.extend(branch_args(rw.body, op, successor).nth(at as usize));
                }
            }
        }
    }
    for &block in &blocks {
        if block != entry {
            let args = rw.body.block_args(block).to_vec();
            let dead: Vec<usize> =
                (0..args.len()).filter(|&at| !needed[args[at].index()]).collect();
            for &(op, successor) in incoming.get(&block).into_iter().flatten() {
                drop_branch_args(rw, op, successor, &dead);
            }
        }
    }
    let dead: Vec<OpId> = blocks
        .iter()
        .flat_map(|&block| rw.body.block_ops(block))
        .filter(|&op| {
            let unneeded = rw.body.results(op).all(|value| !needed[value.index()]);
            unneeded && !is_branch(rw.body, op) && is_pure(rw, op)
        })
        .collect();
    // Users are dead too, but may stand in a block that comes later.
    for &op in dead.iter().rev() {
        rw.set_operands(op, &[]);
    }
    for op in dead {
        rw.erase(op);
    }
    for &block in &blocks {
        if block != entry {
            let args = rw.body.block_args(block).to_vec();
            for at in (0..args.len()).rev() {
                if !needed[args[at].index()] {
                    rw.remove_block_arg(block, at);
                }
            }
        }
    }
}

fn erase_unreached(rw: &mut Rewriter<'_>, func: OpId) {
    let Some(region) = rw.body.region(func, 0) else { return };
    let Some(entry) = rw.body.first_block(region) else { return };
    let mut reached: FxHashSet<BlockId> = FxHashSet::default();
    let mut work = vec![entry];
    while let Some(block) = work.pop() {
        if reached.insert(block)
            && let Some(last) = rw.body.last_op(block)
        {
            work.extend(rw.body.successors(last));
        }
    }
    let dead: Vec<BlockId> = rw.body.blocks(region).filter(|b| !reached.contains(b)).collect();
    for &block in &dead {
        let ops: Vec<OpId> = rw.body.block_ops(block).collect();
        for op in ops {
            rw.set_operands(op, &[]);
        }
    }
    for block in dead {
        rw.erase_block(block);
    }
}

fn is_branch(body: &Body, op: OpId) -> bool {
    !body.successors(op).is_empty()
}

fn is_pure(rw: &Rewriter<'_>, op: OpId) -> bool {
    if rw.body.is(op, CAST) {
        return true;
    }
    // Memory roots are gone once every access has its pointer; reading a register's worth of
    // memory that nothing needs may go too.
    let name = rw.body.name(op);
    rw.registry.op(name).is_some_and(|info| {
        info.pure || info.def().has_trait("Loads") || info.def().name == "memref.alloca"
    })
}

/// Where the arguments for a successor lie among a branch's operands.
fn branch_range(body: &Body, op: OpId, successor: usize) -> std::ops::Range<usize> {
    let sizes = body.attr(op, "operandSegmentSizes").and_then(|a| a.as_dense_array());
    match sizes {
        Some(sizes) => {
            let mut sizes = sizes.iter().map(|&size| usize::try_from(size).unwrap_or(0));
            let start: usize = sizes.by_ref().take(successor + 1).sum();
            start..start + sizes.next().unwrap_or(0)
        }
        None => 0..body.num_operands(op),
    }
}

pub(crate) fn branch_args(
    body: &Body,
    op: OpId,
    successor: usize,
) -> impl Iterator<Item = ValueId> + '_ {
    let range = branch_range(body, op, successor);
    body.operands(op).skip(range.start).take(range.len())
}

fn drop_branch_args(rw: &mut Rewriter<'_>, op: OpId, successor: usize, dead: &[usize]) {
    if dead.is_empty() {
        return;
    }
    let range = branch_range(rw.body, op, successor);
    let kept: Vec<ValueId> = rw
        .body
        .operands(op)
        .enumerate()
        .filter(|(at, _)| !(range.contains(at) && dead.contains(&(at - range.start))))
        .map(|(_, value)| value)
        .collect();
    if let Some(sizes) = rw.body.attr(op, "operandSegmentSizes").and_then(|a| a.as_dense_array()) {
        let mut sizes: Vec<i32> = sizes.iter().map(|&s| i32::try_from(s).unwrap_or(0)).collect();
        sizes[successor + 1] -= dead.len() as i32;
        rw.set_attr(op, "operandSegmentSizes", Attr::i32_array(&sizes));
    }
    rw.set_operands(op, &kept);
}

/// Lets counters that nothing but their own loop's end reads count down to zero: the decrement
/// sets the flags, so the comparison goes.
pub(super) fn count_down(rw: &mut Rewriter<'_>, func: OpId) {
    let Some(region) = rw.body.region(func, 0) else { return };
    let blocks: Vec<BlockId> = rw.body.blocks(region).collect();
    for block in blocks {
        if let Some(branch) = rw.body.last_op(block).filter(|&op| rw.body.is(op, "neon.b_cond")) {
            count_down_loop(rw, &blocks_entering(rw.body, region, branch), branch);
        }
    }
}

/// The branches to a loop's header other than the one that ends it.
fn blocks_entering(body: &Body, region: tegula_ir::RegionId, latch: OpId) -> Vec<(OpId, usize)> {
    let header = body.successors(latch)[0];
    let mut entering = Vec::new();
    for block in body.blocks(region) {
        if let Some(last) = body.last_op(block).filter(|&last| last != latch) {
            let successors = body.successors(last).iter().enumerate();
            entering.extend(successors.filter(|(_, s)| **s == header).map(|(at, _)| (last, at)));
        }
    }
    entering
}

fn count_down_loop(rw: &mut Rewriter<'_>, entering: &[(OpId, usize)], latch: OpId) -> Option<()> {
    let body = &*rw.body;
    let &[(enter, entry_successor)] = entering else { return None };
    let cmp = body.defining_op(body.operand(latch, 0))?;
    let upper = match body.name(cmp).as_str() {
        "neon.cmp_x" => register_constant(body, body.operand(cmp, 1))?,
        "neon.cmp_imm" => body.attr(cmp, "imm")?.as_int()?,
        _ => return None,
    };
    if body.attr(latch, "cond")?.as_str() != Some("lt") {
        return None;
    }
    let next = body.operand(cmp, 0);
    let bump = body.defining_op(next).filter(|&op| body.is(op, "neon.add_imm"))?;
    let step = body.attr(bump, "imm")?.as_int()?;
    let counter = body.operand(bump, 0);
    let header = body.successors(latch)[0];
    let ValueKind::Arg(block, at) = body.definition(counter) else { return None };
    if block != header {
        return None;
    }
    let at = at as usize;
    let only_bump = body.users(counter).all(|user| user == bump);
    let next_users: Vec<OpId> = body.users(next).collect();
    let only_loop = next_users.iter().all(|&user| user == cmp || user == latch)
        && next_users.iter().filter(|&&user| user == latch).count() == 1
        && branch_args(body, latch, 0).nth(at) == Some(next);
    let lower = branch_args(body, enter, entry_successor).nth(at)?;
    let lower = register_constant(body, lower)?;
    let trips = upper.checked_sub(lower)?.checked_add(step - 1)? / step;
    if !only_bump || !only_loop || trips <= 0 || step <= 0 {
        return None;
    }
    let first = Machine::new(rw, InsertPoint::Before(enter)).constant(trips);
    let slot = branch_range(rw.body, enter, entry_successor).start + at;
    rw.set_operand(enter, slot, first);
    let down = NewOp::new("neon.subs_imm").operand(counter).attr("imm", Attr::i64(1));
    let down = down.result(types::x()).result(types::flags());
    let down = rw.insert(InsertPoint::Before(latch), down);
    let slot = branch_range(rw.body, latch, 0).start + at;
    let (value, flags) = (rw.body.result(down, 0), rw.body.result(down, 1));
    rw.set_operand(latch, slot, value);
    rw.set_operand(latch, 0, flags);
    rw.set_attr(latch, "cond", Attr::string(inverse_condition("eq")?));
    rw.erase(cmp);
    rw.erase(bump);
    Some(())
}

/// The constant that `movz`, `movn` and `movk` give.
fn register_constant(body: &Body, value: ValueId) -> Option<i64> {
    let op = body.defining_op(value)?;
    let imm = || body.attr(op, "imm")?.as_int();
    let shift = || body.attr(op, "shift")?.as_int();
    match body.name(op).as_str() {
        "neon.movz_x" => Some(imm()? << shift()?),
        "neon.movn_x" => Some(!(imm()? << shift()?)),
        "neon.movk_x" => {
            let below = register_constant(body, body.operand(op, 0))?;
            Some(below & !(0xffff << shift()?) | imm()? << shift()?)
        }
        _ => None,
    }
}
