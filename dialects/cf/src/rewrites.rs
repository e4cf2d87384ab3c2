//! The Rust that patterns name.

use tegula_ir::{BlockId, InsertPoint, OpId, ValueId};
use tegula_rewrite::{RewriteHooks, Rewriter, reached_blocks};

/// The Rust that patterns name; constants that the dialect's ops fold to are `arith`'s.
pub fn rewrites() -> RewriteHooks {
    RewriteHooks::new().constant_op("cf", "arith.constant").rewrite("cf_merge", merge)
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
    let goes_there = |block: BlockId| {
        let successors = body.last_op(block).map_or(&[][..], |last| body.successors(last));
        successors.iter().filter(|&&successor| successor == target).count()
    };
    if body.blocks(region).map(goes_there).sum::<usize>() != 1 {
        return false;
    }
    // Blocks that control never comes to may follow each other in a circle.
    let here = body.parent_block(branch);
    if !here.is_some_and(|here| reached_blocks(body, region).contains(&here)) {
        return false;
    }
    let values: Vec<ValueId> = body.operands(branch).collect();
    rw.inline_block(target, InsertPoint::Before(branch), &values);
    rw.erase(branch);
    true
}
