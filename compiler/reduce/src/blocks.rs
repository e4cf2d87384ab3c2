//! Blocks and the branches between them.

use std::ops::Range;

use tegula_ir::{BlockId, Body, InsertPoint, NewOp, OpId, Registry, ValueId};

use crate::State;
use crate::operands::drop_operand;
use crate::substitute::instead;

/// Ends a block as another of its region ends that has fewer successors, and erases what cannot be
/// reached any more.
pub(crate) fn end_early(state: &mut State<'_>) -> bool {
    let branches = state.ops(|body, op| !body.successors(op).is_empty());
    let mut changed = false;
    for (at, branch) in branches {
        let body = &state.module.bodies[at];
        let Some(region) = region_of(body, branch) else { continue };
        let fewer = |&end: &OpId| body.successors(end).len() < body.successors(branch).len();
        let mut ends: Vec<OpId> =
            body.blocks(region).filter_map(|block| body.last_op(block)).filter(fewer).collect();
        ends.sort_by_key(|&end| body.successors(end).len());
        changed |= ends.into_iter().any(|end| {
            state.attempt(|registry, module| {
                end_like(registry, &mut module.bodies[at], branch, end).is_some()
            })
        });
    }
    changed
}

fn region_of(body: &Body, op: OpId) -> Option<tegula_ir::RegionId> {
    body.block_parent(body.parent_block(op)?).filter(|_| !body.is_erased(op))
}

fn end_like(registry: &Registry, body: &mut Body, branch: OpId, end: OpId) -> Option<()> {
    let region = region_of(body, branch)?;
    if body.is_erased(end) || !body.results_unused(branch) {
        return None;
    }
    let wanted: Vec<ValueId> = body.operands(end).collect();
    let mut operands = Vec::new();
    for value in wanted {
        operands.push(instead(registry, body, value, branch)?);
    }
    let new = NewOp::new(body.name(end))
        .operands(operands)
        .attrs(body.attrs(end))
        .successors(body.successors(end).to_vec())
        .loc(body.loc(end));
    body.insert(InsertPoint::Before(branch), new);
    body.erase(branch);
    erase_unreachable(body, region);
    Some(())
}

fn erase_unreachable(body: &mut Body, region: tegula_ir::RegionId) {
    let Some(entry) = body.first_block(region) else { return };
    let mut reached = vec![entry];
    let mut at = 0;
    while at < reached.len() {
        let next: Vec<BlockId> =
            body.last_op(reached[at]).iter().flat_map(|&op| body.successors(op).to_vec()).collect();
        for block in next {
            if !reached.contains(&block) {
                reached.push(block);
            }
        }
        at += 1;
    }
    let dead: Vec<BlockId> = body.blocks(region).filter(|block| !reached.contains(block)).collect();
    for &block in &dead {
        let ops: Vec<OpId> = body.block_ops(block).collect();
        for op in ops {
            let inner: Vec<OpId> = body.walk(op).collect();
            inner.into_iter().for_each(|op| body.set_operands(op, &[]));
        }
    }
    dead.into_iter().for_each(|block| body.erase_block(block));
}

/// Puts a block in the place of the only branch to it.
pub(crate) fn merge(state: &mut State<'_>) -> bool {
    let branches = state.ops(|body, op| !body.successors(op).is_empty());
    let mut changed = false;
    for (at, branch) in branches {
        for successor in 0..state.module.bodies[at].successors(branch).len() {
            let went = state.attempt(|registry, module| {
                merge_into(registry, &mut module.bodies[at], branch, successor).is_some()
            });
            changed |= went;
            if went {
                break;
            }
        }
    }
    changed
}

fn merge_into(registry: &Registry, body: &mut Body, branch: OpId, successor: usize) -> Option<()> {
    let region = region_of(body, branch)?;
    let next = *body.successors(branch).get(successor)?;
    let block = body.parent_block(branch)?;
    let comes_here = predecessors(body, next).len();
    if next == block || comes_here != 1 || body.first_block(region) == Some(next) {
        return None;
    }
    let range = passed(registry, body, branch, successor)?;
    let values: Vec<ValueId> = body.operands(branch).skip(range.start).take(range.len()).collect();
    if values.len() != body.block_args(next).len() {
        return None;
    }
    body.erase(branch);
    body.inline_block(next, InsertPoint::End(block), &values);
    body.erase_block(next);
    erase_unreachable(body, region);
    Some(())
}

/// The branches to a block, each with the position of the block among its successors.
fn predecessors(body: &Body, block: BlockId) -> Vec<(OpId, usize)> {
    let Some(region) = body.block_parent(block) else { return Vec::new() };
    let ends = body.blocks(region).filter_map(|b| body.last_op(b));
    ends.flat_map(|op| {
        let successors = body.successors(op).iter().enumerate();
        successors.filter(|(_, to)| **to == block).map(move |(at, _)| (op, at))
    })
    .collect()
}

/// The operands that a branch passes to a successor.
fn passed(
    registry: &Registry,
    body: &Body,
    branch: OpId,
    successor: usize,
) -> Option<Range<usize>> {
    let def = registry.op(body.name(branch))?.def();
    match &def.successors.get(successor)?.operands {
        Some(group) => registry.operand_range(body, branch, group),
        None => Some(0..0),
    }
}

/// Takes arguments from blocks, with what branches pass for them.
pub(crate) fn arguments(state: &mut State<'_>) -> bool {
    let mut changed = false;
    for at in 0..state.module.bodies.len() {
        let body = &state.module.bodies[at];
        let regions = body.walk_all().flat_map(|op| body.regions(op).to_vec());
        let later = regions.flat_map(|region| body.blocks(region).skip(1));
        let blocks: Vec<BlockId> = later.collect();
        for block in blocks {
            for index in (0..state.module.bodies[at].block_args(block).len()).rev() {
                changed |= state.attempt(|registry, module| {
                    without_argument(registry, &mut module.bodies[at], block, index).is_some()
                });
            }
        }
    }
    changed
}

fn without_argument(
    registry: &Registry,
    body: &mut Body,
    block: BlockId,
    index: usize,
) -> Option<()> {
    let arg = *body.block_args(block).get(index)?;
    for (branch, successor) in predecessors(body, block) {
        let range = passed(registry, body, branch, successor)?;
        if index >= range.len() {
            return None;
        }
        drop_operand(registry, body, branch, range.start + index)?;
    }
    if !body.is_unused(arg) {
        let first = body.first_op(block)?;
        let value = instead(registry, body, arg, first)?;
        body.replace_all_uses(arg, value);
    }
    body.remove_block_arg(block, index);
    Some(())
}
