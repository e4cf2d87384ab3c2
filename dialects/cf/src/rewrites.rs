//! The Rust that patterns name.

use tegula_ir::{BlockId, Body, InsertPoint, NewOp, OpId, ValueId, successor_operands};
use tegula_rewrite::{RewriteHooks, Rewriter, reached_blocks};

/// The Rust that patterns name; constants that the dialect's ops fold to are `arith`'s.
pub fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .constant_op("cf", "arith.constant")
        .rewrite("cf_merge", merge)
        .rewrite("cf_pass_through", pass_through)
        .rewrite("cf_same_target", same_target)
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

/// A branch to a block that only goes on goes there itself.
fn pass_through(rw: &mut Rewriter<'_>, branch: OpId) -> bool {
    let body = &*rw.body;
    let Some(ranges) = successor_operands(rw.registry, body, branch) else { return false };
    let here = body.parent_block(branch);
    let mut went_on = false;
    let mut targets = Vec::new();
    for (range, &target) in ranges.into_iter().zip(body.successors(branch)) {
        let values: Vec<ValueId> = range.map(|at| body.operand(branch, at)).collect();
        let next = next_of(body, target, &values).filter(|_| Some(target) != here);
        went_on |= next.is_some();
        targets.push(next.unwrap_or((target, values)));
    }
    if !went_on {
        return rw.no_match(branch, "no block that it goes to only goes on");
    }
    let new = match &targets[..] {
        [(target, values)] => {
            NewOp::new("cf.br").operands(values.iter().copied()).successor(*target)
        }
        [(yes, yes_values), (no, no_values)] => (rw.registry.new_op("cf.cond_br"))
            .operands("condition", [rw.body.operand(branch, 0)])
            .operands("trueDestOperands", yes_values.iter().copied())
            .operands("falseDestOperands", no_values.iter().copied())
            .attr_opt("branch_weights", rw.body.attr(branch, "branch_weights"))
            .build()
            .successors([*yes, *no]),
        _ => return false,
    };
    rw.replace_with(branch, new);
    true
}

/// Where a block goes that does nothing else, and with what, when values are passed to it.
fn next_of(body: &Body, block: BlockId, values: &[ValueId]) -> Option<(BlockId, Vec<ValueId>)> {
    let only = body.first_op(block).filter(|&op| body.is(op, "cf.br"))?;
    let args = body.block_args(block);
    let &[target] = body.successors(only) else { return None };
    let stays = target == block;
    if stays || args.iter().any(|&arg| body.users(arg).any(|user| user != only)) {
        return None;
    }
    let passed = |value: ValueId| match args.iter().position(|&arg| arg == value) {
        Some(at) => values.get(at).copied(),
        None => Some(value),
    };
    Some((target, body.operands(only).map(passed).collect::<Option<_>>()?))
}

/// A choice between a block and itself is a branch that passes on what is chosen.
fn same_target(rw: &mut Rewriter<'_>, branch: OpId) -> bool {
    let body = &*rw.body;
    let &[target, other] = body.successors(branch) else { return false };
    let Some(ranges) = successor_operands(rw.registry, body, branch) else { return false };
    let [yes, no] = &ranges[..] else { return false };
    if target != other {
        return rw.no_match(branch, "it goes to two blocks");
    }
    let value = |at: usize| body.operand(branch, at);
    let pairs: Vec<_> = yes.clone().map(value).zip(no.clone().map(value)).collect();
    let here = body.parent_block(branch);
    let goes_there = |block: &BlockId| {
        body.last_op(*block).is_some_and(|last| body.successors(last).contains(&target))
    };
    let mut sources = (body.block_parent(target).into_iter())
        .flat_map(|region| body.blocks(region))
        .filter(goes_there);
    let only = sources.all(|block| Some(block) == here);
    if !only && pairs.iter().any(|(yes, no)| yes != no) {
        return rw.no_match(branch, "other branches go there too");
    }
    let (condition, loc) = (body.operand(branch, 0), body.loc(branch));
    let mut values = Vec::new();
    for (yes, no) in pairs {
        values.push(match yes == no {
            true => yes,
            false => {
                let ty = rw.body.ty(yes);
                let select = NewOp::new("arith.select").operands([condition, yes, no]);
                rw.insert_value(InsertPoint::Before(branch), select.result(ty).loc(loc))
            }
        });
    }
    rw.replace_with(branch, NewOp::new("cf.br").operands(values).successor(target));
    true
}
