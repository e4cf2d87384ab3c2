//! Updates that write what is there already.

use tegula_ir::{Body, OpId, Registry, ValueId};
use tegula_rewrite::Rewriter;

use crate::passes::tied_operands;

/// The value whose storage a value has, as far as ties tell.
pub(super) fn storage_of(registry: &Registry, body: &Body, mut value: ValueId) -> ValueId {
    while let Some(op) = body.defining_op(value) {
        let result = body.results(op).position(|result| result == value);
        let ties = tied_operands(registry, body, op);
        let tie = result.and_then(|result| ties.get(result).copied().flatten());
        let in_place = ["stream.async.fill", "stream.async.update", "stream.async.copy"];
        match tie {
            Some(operand) => value = body.operand(op, operand),
            // The target is the first operand.
            None if in_place.iter().any(|name| body.is(op, name)) => value = body.operand(op, 0),
            None => break,
        }
    }
    value
}

/// An update of a whole resource by what was computed in its storage is that, unless somebody
/// writes to it later.
pub(super) fn in_place(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let registry = rw.registry;
    let find = |group| registry.operand_of(rw.body, op, group);
    let (Some(target), Some(target_size), Some(update), Some(update_size)) =
        (find("target"), find("target_size"), find("update"), find("update_size"))
    else {
        return rw.no_match(op, "its operands are not known");
    };
    let whole = update_size == target_size && rw.body.ty(update) == rw.body.ty(target);
    if !whole || storage_of(registry, rw.body, update) != storage_of(registry, rw.body, target) {
        return rw.no_match(op, "does not write a resource over itself");
    }
    let written = rw.body.users(update).any(|user| {
        user != op
            && (0..rw.body.num_results(user)).any(|result| {
                let result = rw.body.result(user, result);
                storage_of(registry, rw.body, result) == storage_of(registry, rw.body, update)
            })
    });
    if written {
        return rw.no_match(op, "somebody writes to the update");
    }
    rw.replace(op, &[update]);
    true
}
