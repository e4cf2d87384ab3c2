//! Moving ops down to where their results are used.

use tegula_analysis::Dominance;
use tegula_ir::{BlockId, Body, InsertPoint, OpId, RegionId};
use tegula_rewrite::Rewriter;

/// Ops that may be moved past each other for ever: one of them does not move because of the others.
const MOVABLE: [&str; 2] = ["stream.async.splat", "stream.timepoint.await"];

/// An op moves right before its first user, or where its users are in several blocks to the end of
/// the nearest block that dominates them all.
pub(super) fn to_users(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    if rw.body.attr(op, "sync").is_some() {
        return rw.no_match(op, "orders what stands around it");
    }
    let Some(target) = target(rw.body, op) else {
        return rw.no_match(op, "is used where it stands, or not at all");
    };
    rw.move_op(op, InsertPoint::Before(target));
    true
}

/// Before what the op has to stand, unless it stands there or might as well.
fn target(body: &Body, op: OpId) -> Option<OpId> {
    let home = body.parent_block(op)?;
    let region = body.block_parent(home)?;
    // In the op's region: the users, or what they are in.
    let users: Vec<OpId> = body
        .results(op)
        .flat_map(|result| body.users(result))
        .filter_map(|user| {
            let mut at = user;
            while body.block_parent(body.parent_block(at)?) != Some(region) {
                at = body.parent_op(at)?;
            }
            Some(at)
        })
        .collect();
    let mut blocks: Vec<BlockId> = Vec::new();
    for block in users.iter().filter_map(|&user| body.parent_block(user)) {
        if !blocks.contains(&block) {
            blocks.push(block);
        }
    }
    let block = match blocks[..] {
        [] => return None,
        [block] => block,
        _ => common_dominator(body, region, &blocks)?,
    };
    let first = body.block_ops(block).find(|at| users.contains(at));
    let target = first.or_else(|| body.last_op(block))?;
    if block != home {
        return Some(target);
    }
    // Within a block what does not move itself has to lie between.
    let mut between = body.next_op(op);
    while let Some(at) = between.filter(|&at| at != target) {
        if !MOVABLE.iter().any(|name| body.is(at, name)) {
            return Some(target);
        }
        between = body.next_op(at);
    }
    None
}

/// The nearest block of a region that dominates all of several blocks.
fn common_dominator(body: &Body, region: RegionId, blocks: &[BlockId]) -> Option<BlockId> {
    let dominance = Dominance::new(body);
    let common: Vec<BlockId> = body
        .blocks(region)
        .filter(|&at| blocks.iter().all(|&block| dominance.block_dominates(body, at, block)))
        .collect();
    let nearest =
        |&&at: &&BlockId| common.iter().all(|&other| dominance.block_dominates(body, other, at));
    common.iter().find(nearest).copied()
}
