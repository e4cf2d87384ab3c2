//! Canonicalizations that patterns name: timepoints that need no waiting for.

use tegula_ir::{Body, OpId, ValueId};
use tegula_rewrite::{RewriteHooks, Rewriter};

/// The hooks that the dialect's patterns name.
pub(crate) fn rewrites() -> RewriteHooks {
    RewriteHooks::new()
        .rewrite("stream_no_immediate_wait", no_immediate_wait)
        .rewrite("stream_no_immediate_await", no_immediate_await)
        .rewrite("stream_join_of_pending", join_of_pending)
}

/// Whether a timepoint has always been reached.
fn is_immediate(body: &Body, timepoint: ValueId) -> bool {
    body.defining_op(timepoint).is_some_and(|op| body.is(op, "stream.timepoint.immediate"))
}

/// The timepoints that a join really waits for, each once.
pub(crate) fn pending(body: &Body, join: OpId) -> Vec<ValueId> {
    let mut pending: Vec<ValueId> = Vec::new();
    for timepoint in body.operands(join) {
        if !is_immediate(body, timepoint) && !pending.contains(&timepoint) {
            pending.push(timepoint);
        }
    }
    pending
}

/// Drops the optional timepoint that an op waits for when that has always been reached.
fn no_immediate_wait(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let registry = rw.registry;
    let timepoint = registry.operand_of(rw.body, op, "await_timepoint");
    if !timepoint.is_some_and(|t| is_immediate(rw.body, t)) {
        return rw.no_match(op, "waits for nothing immediate");
    }
    rw.modify(op, |body| registry.set_operands_of(body, op, "await_timepoint", &[]));
    true
}

/// Resources that are ready at once are the same without waiting.
fn no_immediate_await(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let registry = rw.registry;
    let timepoint = registry.operand_of(rw.body, op, "await_timepoint");
    if !timepoint.is_some_and(|t| is_immediate(rw.body, t)) {
        return rw.no_match(op, "waits for nothing immediate");
    }
    let resources = registry.operands_of(rw.body, op, "resource_operands");
    rw.replace(op, &resources);
    true
}

/// A join names only what it waits for. Joins of one timepoint or none are left to the fold.
fn join_of_pending(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let pending = pending(rw.body, op);
    if pending.is_empty() || pending.len() == rw.body.num_operands(op) {
        return rw.no_match(op, "waits for all of its operands");
    }
    rw.modify(op, |body| body.set_operands(op, &pending));
    true
}
