//! `iree-stream-elide-timepoints`: replaces timepoints that need no waiting for.
//!
//! Among the timepoints that an op waits for, one is covered when another is reached only after it.
//! What has always been reached is not waited for.

use std::collections::BTreeSet;

use tegula_ir::{Body, InsertPoint, NewOp, OpId, UseId, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};

use super::immediate;
use super::support::timepoint_type;

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let named = immediate::name_anew(&mut cx.rewriter(body), root);
    let timepoint = timepoint_type();
    let mut covered: Vec<(OpId, Vec<UseId>)> = Vec::new();
    for op in body.walk(root) {
        let slots: Vec<UseId> = (0..body.num_operands(op))
            .map(|i| body.operand_use(op, i))
            .filter(|&slot| body.ty(body.use_value(slot)) == timepoint)
            .collect();
        if slots.len() < 2 {
            continue;
        }
        let values: Vec<ValueId> = slots.iter().map(|&s| body.use_value(s)).collect();
        let before: Vec<BTreeSet<ValueId>> =
            values.iter().map(|&v| reached_before(body, v)).collect();
        let redundant = slots.iter().zip(&values).filter(|(_, value)| {
            values.iter().zip(&before).any(|(other, set)| other != *value && set.contains(value))
        });
        let redundant: Vec<UseId> = redundant.map(|(&slot, _)| slot).collect();
        if !redundant.is_empty() {
            covered.push((op, redundant));
        }
    }
    let changed = Changed::when(named || !covered.is_empty());
    for (op, slots) in covered {
        let mut rw = cx.rewriter(body);
        for slot in slots {
            let ready = rw.insert_value(
                InsertPoint::Before(op),
                NewOp::new("stream.timepoint.immediate").result(timepoint),
            );
            let index = rw.body.use_index(slot);
            rw.set_operand(op, index, ready);
        }
    }
    Ok(changed)
}

/// All timepoints that must have been reached before this one is.
fn reached_before(body: &Body, timepoint: ValueId) -> BTreeSet<ValueId> {
    let kind = body.ty(timepoint);
    let mut seen = BTreeSet::new();
    let mut stack = vec![timepoint];
    while let Some(value) = stack.pop() {
        let Some(op) = body.defining_op(value) else { continue };
        for operand in body.operands(op).filter(|&v| body.ty(v) == kind) {
            if seen.insert(operand) {
                stack.push(operand);
            }
        }
    }
    seen
}
