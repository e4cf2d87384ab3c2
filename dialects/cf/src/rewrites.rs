//! The Rust that patterns name.

use rustc_hash::FxHashSet;
use tegula_ir::{BlockId, Body, InsertPoint, OpId, RegionId, ValueId};
use tegula_rewrite::{RewriteHooks, Rewriter};

/// The Rust that patterns name; constants that the dialect's ops fold to are `arith`'s.
pub fn rewrites() -> RewriteHooks {
    RewriteHooks::new().constant_op("cf", "arith.constant").rewrite("cf_merge", merge)
}

/// Where a block may go.
fn exits(body: &Body, block: BlockId) -> &[BlockId] {
    body.last_op(block).map_or(&[], |last| body.successors(last))
}

/// Whether control comes to a block. Blocks that it never comes to may follow each other in a
/// circle.
fn is_reached(body: &Body, region: RegionId, block: Option<BlockId>) -> bool {
    let mut open: Vec<BlockId> = body.first_block(region).into_iter().collect();
    let mut seen: FxHashSet<BlockId> = open.iter().copied().collect();
    while let Some(at) = open.pop() {
        if Some(at) == block {
            return true;
        }
        open.extend(exits(body, at).iter().filter(|&&to| seen.insert(to)));
    }
    false
}

/// A block that nothing else goes to takes the place of the branch to it.
fn merge(rw: &mut Rewriter<'_>, branch: OpId) -> bool {
    let body = &*rw.body;
    let &[target] = body.successors(branch) else { return false };
    let Some(region) = body.block_parent(target) else { return false };
    // The entry block is where control comes from outside.
    if body.first_block(region) == Some(target) || body.parent_block(branch) == Some(target) {
        return false;
    }
    let goes_there = |block: BlockId| exits(body, block).iter().filter(|&&to| to == target).count();
    if body.blocks(region).map(goes_there).sum::<usize>() != 1
        || !is_reached(body, region, body.parent_block(branch))
    {
        return false;
    }
    let values: Vec<ValueId> = body.operands(branch).collect();
    rw.inline_block(target, InsertPoint::Before(branch), &values);
    rw.erase(branch);
    true
}
