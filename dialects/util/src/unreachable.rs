//! What stands behind a point that is never reached.

use tegula_ir::{Attr, InsertPoint, NewOp, OpId, ValueId};
use tegula_rewrite::Rewriter;

/// Nothing is done behind `util.scf.unreachable`. The block of a function ends there; the terminator
/// of another region stays and passes on what nobody computes.
pub(crate) fn rest(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(block) = rw.body.parent_block(op) else {
        return rw.no_match(op, "stands nowhere");
    };
    let parent = rw.body.block_parent_op(block).and_then(|op| rw.registry.op(rw.body.name(op)));
    let free = parent.is_some_and(|info| info.def().has_trait("FunctionOpInterface"));
    let mut behind: Vec<OpId> = Vec::new();
    let mut next = rw.body.next_op(op);
    while let Some(at) = next.filter(|&at| free || rw.body.last_op(block) != Some(at)) {
        behind.push(at);
        next = rw.body.next_op(at);
    }
    // What the terminator passes on nobody sees, wherever it was computed.
    let end = rw.body.last_op(block).filter(|_| !free);
    let passed = end.map_or(0, |end| rw.body.num_operands(end));
    let slots: Vec<(OpId, usize)> = end
        .into_iter()
        .flat_map(|end| (0..passed).map(move |slot| (end, slot)))
        .filter(|&(end, slot)| {
            let from = rw.body.defining_op(rw.body.operand(end, slot));
            from.is_none_or(|from| !rw.body.is(from, "ub.poison"))
        })
        .collect();
    if behind.is_empty() && slots.is_empty() {
        return rw.no_match(op, "nothing stands behind it");
    }
    for (end, slot) in slots {
        let poison = poison(rw, op, rw.body.operand(end, slot));
        rw.set_operand(end, slot, poison);
    }
    for &at in behind.iter().rev() {
        for result in rw.body.results(at).collect::<Vec<_>>() {
            if !rw.body.is_unused(result) {
                let poison = poison(rw, op, result);
                rw.replace_all_uses(result, poison);
            }
        }
        rw.erase(at);
    }
    if free {
        let message = rw.body.attr(op, "message");
        rw.replace_with(op, NewOp::new("util.unreachable").attr_opt("message", message));
    }
    true
}

/// What stands for a value that is never computed.
fn poison(rw: &mut Rewriter<'_>, at: OpId, value: ValueId) -> ValueId {
    let new = NewOp::new("ub.poison")
        .attr("value", Attr::dialect("ub.poison", &[]))
        .result(rw.body.ty(value));
    rw.insert_value(InsertPoint::Before(at), new)
}
