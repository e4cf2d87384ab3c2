//! Ops with regions: their contents in their place, and without one of their results.

use tegula_ir::{BlockId, Body, InsertPoint, NewOp, OpId, Registry, ValueId};

use crate::State;
use crate::ops::ends;
use crate::substitute::{instead, replace_results};

/// Puts the only block of one of an op's regions in the place of the op.
pub(crate) fn unwrap(state: &mut State<'_>) -> bool {
    let all = state.ops(|body, op| body.parent_op(op).is_some() && !body.regions(op).is_empty());
    let mut changed = false;
    for (at, op) in all {
        for index in 0..state.module.bodies[at].regions(op).len() {
            if state.module.bodies[at].is_erased(op) {
                break;
            }
            changed |= state.attempt(|registry, module| {
                unwrap_region(registry, &mut module.bodies[at], op, index).is_some()
            });
        }
    }
    changed
}

fn unwrap_region(registry: &Registry, body: &mut Body, op: OpId, index: usize) -> Option<()> {
    let block = only_block(body, op, index)?;
    let args = body.block_args(block).to_vec();
    for arg in args {
        if !body.is_unused(arg) {
            let value = instead(registry, body, arg, op)?;
            body.replace_all_uses(arg, value);
        }
    }
    let last = body.last_op(block).filter(|&last| ends(registry, body, last));
    let yielded: Vec<ValueId> = last.iter().flat_map(|&last| body.operands(last)).collect();
    if let Some(last) = last {
        if !replace_results(registry, body, last) {
            return None;
        }
        body.erase(last);
    }
    body.inline_block(block, InsertPoint::Before(op), &[]);
    let results: Vec<ValueId> = body.results(op).collect();
    for (value, &result) in yielded.iter().rev().zip(results.iter().rev()) {
        if body.ty(*value) == body.ty(result) {
            body.replace_all_uses(result, *value);
        }
    }
    replace_results(registry, body, op).then(|| body.erase(op))
}

fn only_block(body: &Body, op: OpId, index: usize) -> Option<BlockId> {
    let block = body.region_entry(op, index)?;
    body.next_block(block).is_none().then_some(block)
}

/// Takes a result from an op with regions, with what its regions end in for it and, where the op
/// hands values through its regions as loops do, with the operand and the argument.
pub(crate) fn results(state: &mut State<'_>) -> bool {
    let all = state.ops(|body, op| {
        body.parent_op(op).is_some() && !body.regions(op).is_empty() && body.num_results(op) > 0
    });
    let mut changed = false;
    for (at, mut op) in all {
        if state.module.bodies[at].is_erased(op) {
            continue;
        }
        for index in (0..state.module.bodies[at].num_results(op)).rev() {
            for looping in [true, false] {
                let mut made = op;
                let went = state.attempt(|registry, module| {
                    let body = &mut module.bodies[at];
                    match without_result(registry, body, op, index, looping) {
                        Some(new) => {
                            made = new;
                            true
                        }
                        None => false,
                    }
                });
                if went {
                    (op, changed) = (made, true);
                    break;
                }
            }
        }
    }
    changed
}

fn without_result(
    registry: &Registry,
    body: &mut Body,
    op: OpId,
    index: usize,
    looping: bool,
) -> Option<OpId> {
    let result = body.result(op, index);
    if !body.is_unused(result) {
        let value = instead(registry, body, result, op)?;
        body.replace_all_uses(result, value);
    }
    // Lists that belong to the results are aligned at their ends.
    let behind = body.num_results(op) - index;
    let mut operands: Vec<ValueId> = body.operands(op).collect();
    let passed = operands.len().checked_sub(behind).filter(|_| looping);
    for region in body.regions(op).to_vec() {
        let Some(block) = body.first_block(region) else { continue };
        if looping {
            let place = body.block_args(block).len().checked_sub(behind)?;
            let arg = body.block_args(block)[place];
            if !body.is_unused(arg) {
                body.replace_all_uses(arg, operands[passed?]);
            }
            body.remove_block_arg(block, place);
        }
        let Some(last) = body.last_op(block).filter(|&last| ends(registry, body, last)) else {
            continue;
        };
        if let Some(place) = body.num_operands(last).checked_sub(behind) {
            let mut yielded: Vec<ValueId> = body.operands(last).collect();
            yielded.remove(place);
            body.set_operands(last, &yielded);
        }
    }
    if let Some(passed) = passed {
        operands.remove(passed);
    }
    let types = body.results(op).filter(|&r| r != result).map(|r| body.ty(r));
    let new = NewOp::new(body.name(op))
        .operands(operands)
        .results(types.collect::<Vec<_>>())
        .attrs(body.attrs(op))
        .successors(body.successors(op).to_vec())
        .regions(body.regions(op).len())
        .loc(body.loc(op));
    let new = body.insert(InsertPoint::Before(op), new);
    for (from, to) in body.regions(op).to_vec().into_iter().zip(body.regions(new).to_vec()) {
        body.take_region(from, to);
    }
    let kept: Vec<ValueId> = body.results(op).filter(|&r| r != result).collect();
    for (old, new) in kept.into_iter().zip(body.results(new)) {
        body.replace_all_uses(old, new);
    }
    body.erase(op);
    Some(new)
}
