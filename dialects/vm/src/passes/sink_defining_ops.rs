//! `iree-vm-sink-defining-ops`: what is computed at the beginning of a function is computed where
//! it is used, so that less is held at a time.

use tegula_analysis::Dominance;
use tegula_ir::{BlockId, Body, InsertPoint, OpId};
use tegula_pass::{Changed, PassCx, PassResult};

use super::members_named;

pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, module: OpId) -> PassResult {
    let mut changed = Changed::No;
    for func in members_named(body, module, "vm.func") {
        let Some(entry) = body.region_entry(func, 0) else { continue };
        let candidates: Vec<OpId> = body
            .block_ops(entry)
            .filter(|&op| {
                let info = cx.registry.op(body.name(op));
                body.num_results(op) == 1 && info.is_some_and(|info| info.no_memory_effect)
            })
            .collect();
        let dominance = Dominance::new(body);
        let place = |op| Some((op, place(body, &dominance, op)?));
        let sinks: Vec<(OpId, OpId)> = candidates.into_iter().filter_map(place).collect();
        for (op, before) in sinks {
            if body.next_op(op) != Some(before) {
                cx.rewriter(body).move_op(op, InsertPoint::Before(before));
                changed = Changed::Yes;
            }
        }
    }
    Ok(changed)
}

/// The op before which the value of another one is first needed, whatever way control takes.
fn place(body: &Body, dominance: &Dominance, op: OpId) -> Option<OpId> {
    let users: Vec<OpId> = body.users(body.result(op, 0)).collect();
    let mut block = body.parent_block(*users.first()?)?;
    for &user in &users {
        block = common(body, dominance, block, body.parent_block(user)?)?;
    }
    let here = users.iter().copied().filter(|&user| body.parent_block(user) == Some(block));
    here.chain(body.last_op(block))
        .reduce(|first, other| if body.is_before_in_block(other, first) { other } else { first })
}

/// The nearest block that every way to either passes.
fn common(body: &Body, dominance: &Dominance, a: BlockId, b: BlockId) -> Option<BlockId> {
    let region = body.block_parent(a)?;
    let both = body.blocks(region).filter(|&block| {
        dominance.block_dominates(body, block, a) && dominance.block_dominates(body, block, b)
    });
    let both: Vec<BlockId> = both.collect();
    both.iter()
        .copied()
        .find(|&block| both.iter().all(|&other| dominance.block_dominates(body, other, block)))
}
