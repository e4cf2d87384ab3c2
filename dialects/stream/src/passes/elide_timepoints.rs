//! `iree-stream-elide-timepoints`: replaces timepoints that need no waiting for.
//!
//! Among the timepoints that an op waits for, one is covered when another is reached only after it.
//! What has always been reached is not waited for, and the host waits for nothing that work can wait
//! for itself.

use tegula_ir::{Body, InsertPoint, NewOp, OpId, UseId, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};

use super::coverage::{Coverage, waits_for};
use super::support::timepoint_type;
use super::{await_moves, immediate};

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let named = immediate::name_anew(&mut cx.rewriter(body), root);
    let timepoint = timepoint_type();
    let coverage = Coverage::of(cx.registry, body, root);
    let mut covered: Vec<(OpId, Vec<UseId>)> = Vec::new();
    for op in body.walk(root) {
        let Some(values) = waits_for(cx.registry, body, op) else { continue };
        let is_redundant = |value: ValueId| {
            let covers = |&other: &ValueId| other != value && coverage.covers(other, value);
            values.iter().any(covers)
        };
        let redundant: Vec<UseId> = (0..body.num_operands(op))
            .map(|index| body.operand_use(op, index))
            .filter(|&slot| {
                let value = body.use_value(slot);
                body.ty(value) == timepoint && values.contains(&value) && is_redundant(value)
            })
            .collect();
        if !redundant.is_empty() {
            covered.push((op, redundant));
        }
    }
    let mut changed = named || !covered.is_empty();
    let mut rw = cx.rewriter(body);
    for (op, slots) in covered {
        for slot in slots {
            let ready = rw.insert_value(
                InsertPoint::Before(op),
                NewOp::new("stream.timepoint.immediate").result(timepoint),
            );
            let index = rw.body.use_index(slot);
            rw.set_operand(op, index, ready);
        }
    }
    changed |= await_moves::run(&mut rw, root, &coverage);
    Ok(Changed::when(changed))
}
