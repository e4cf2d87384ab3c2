//! Ordinals of the workload stand where a block begins, so that everything uses them.

use tegula_ir::{Attr, Body, InsertPoint, OpId};
use tegula_rewrite::Rewriter;

const ORDINAL: &str = "iree_tensor_ext.dispatch.workload.ordinal";

fn ordinal(body: &Body, op: OpId) -> Option<i64> {
    body.attr(op, "ordinal").and_then(Attr::as_int)
}

/// Moves an ordinal of an argument that has other uses to the head of its block, in the order of
/// ordinals, and has these uses take what it gives.
pub(crate) fn bubble_up(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let body = &*rw.body;
    let arg = body.operand(op, 0);
    if body.defining_op(arg).is_some() || body.uses(arg).nth(1).is_none() {
        return rw.no_match(op, "it has the only use of an argument");
    }
    let Some(block) = body.parent_block(op) else { return false };
    let mut at = InsertPoint::Start(block);
    for earlier in body.block_ops(block) {
        if !body.is(earlier, ORDINAL) || ordinal(body, earlier) >= ordinal(body, op) {
            break;
        }
        at = InsertPoint::After(earlier);
    }
    let result = body.result(op, 0);
    if at != InsertPoint::After(op) {
        rw.move_op(op, at);
    }
    rw.replace_uses_if(arg, result, |body, slot| body.use_owner(slot) != op);
    true
}
