//! `iree-stream-materialize-copy-on-write`: copies what an op writes to in place and others may see.
//!
//! What is known beyond one op is not looked at here; `iree-stream-elide-async-copies` drops the
//! copies that guard nothing.

use tegula_ir::{Body, InsertPoint, OpId, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::{Rewriter, tied_operand};

use super::support::{lifetime, size_at};

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let ops: Vec<OpId> = body.walk(root).collect();
    let mut changed = Changed::No;
    for op in ops {
        let name = body.name(op).as_str();
        let is_pure_name = matches!(name, "stream.async.barrier" | "stream.async.cast");
        if !name.starts_with("stream.async.") || is_pure_name {
            continue;
        }
        let mut rw = cx.rewriter(body);
        let results: Vec<ValueId> = rw.body.results(op).collect();
        for result in results {
            if let Some((_, operand)) = tied_operand(rw.registry, rw.body, result)
                && needs_copy(rw.body, rw.body.operand(op, operand))
            {
                copy(&mut rw, op, operand);
                changed = Changed::Yes;
            }
        }
    }
    Ok(changed)
}

/// Whether somebody else may see what is written to a value.
fn needs_copy(body: &Body, value: ValueId) -> bool {
    let Some(is) = lifetime(body.ty(value)) else { return false };
    let mut users = body.users(value);
    let first = users.next();
    body.defining_op(value).is_none() || is == "constant" || users.any(|user| Some(user) != first)
}

/// Makes an op write to a copy of an operand, wherever it uses that; what is sent while it is received
/// stays as it is.
fn copy(rw: &mut Rewriter<'_>, op: OpId, operand: usize) {
    let registry = rw.registry;
    let value = rw.body.operand(op, operand);
    let at = InsertPoint::Before(op);
    let size = size_at(rw, value, at);
    let clone = registry
        .new_op("stream.async.clone")
        .operands("source", [value])
        .operands("source_size", [size])
        .operands("result_size", [size])
        .attr_opt("affinity", rw.body.attr(op, "affinity"))
        .results("result", [rw.body.ty(value)])
        .build();
    let clone = rw.insert(at, clone);
    let copied = rw.body.result(clone, 0);
    let everywhere = !rw.body.is(op, "stream.async.collective");
    for index in 0..rw.body.num_operands(op) {
        if index == operand || (everywhere && rw.body.operand(op, index) == value) {
            rw.set_operand(op, index, copied);
        }
    }
}
