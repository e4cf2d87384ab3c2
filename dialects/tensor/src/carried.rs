//! Sizes of tensors that loops carry.

use tegula_ir::{Body, OpId, ValueId, ValueKind};
use tegula_rewrite::Rewriter;

/// The size of what a loop carries, inside of the loop and behind it, is that of what it starts with,
/// where each iteration gives a tensor of the same shape.
pub(crate) fn dim(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let body = &*rw.body;
    match start(body, body.operand(op, 0)) {
        Some(start) => {
            rw.set_operand(op, 0, start);
            true
        }
        None => rw.no_match(op, "the tensor is not carried by a loop that keeps its shape"),
    }
}

/// What the loop starts with that carries a value.
fn start(body: &Body, value: ValueId) -> Option<ValueId> {
    let (of, at) = match body.definition(value) {
        ValueKind::Result(op, at) => (op, at as usize),
        ValueKind::Arg(block, at) => (body.block_parent_op(block)?, (at as usize).checked_sub(1)?),
    };
    let carries = body.is(of, "scf.for") && keeps_shape(body, of, at);
    carries.then(|| body.operands(of).nth(at + 3)).flatten()
}

/// Whether a loop yields a tensor of the shape that it is given, as ops say without being computed.
fn keeps_shape(body: &Body, of: OpId, at: usize) -> bool {
    let Some(block) = body.region_entry(of, 0) else { return false };
    let carried = body.block_args(block).get(at + 1).copied();
    let mut value = body.last_op(block).and_then(|last| body.operands(last).nth(at));
    while let Some(known) = value.filter(|_| value != carried) {
        let ValueKind::Result(op, result) = body.definition(known) else { return false };
        value = match body.name(op).as_str() {
            "tensor.insert_slice" => body.operands(op).nth(1),
            "scf.for" if keeps_shape(body, op, result as usize) => {
                body.operands(op).nth(result as usize + 3)
            }
            _ => None,
        };
    }
    value.is_some()
}
