//! Operands: fewer of them, and such as reach further back.

use tegula_ir::{Attr, Body, OPERAND_SEGMENTS, OpId, Registry, ValueId};
use tegula_schema::Arity;

use crate::State;
use crate::substitute::visible;

/// Drops operands of groups that may have fewer, and takes earlier values in the place of others,
/// so that what is between need not be there.
pub(crate) fn shorten(state: &mut State<'_>) -> bool {
    let all = state.ops(|body, op| body.num_operands(op) > 0);
    let mut changed = false;
    for (at, op) in all {
        for index in (0..state.module.bodies[at].num_operands(op)).rev() {
            let went = state.attempt(|registry, module| {
                let body = &mut module.bodies[at];
                drop_operand(registry, body, op, index).is_some()
            });
            changed |= went
                || state.attempt(|registry, module| {
                    reach_back(registry, &mut module.bodies[at], op, index).is_some()
                });
        }
    }
    changed
}

/// Takes an operand from a group that may have fewer.
pub(crate) fn drop_operand(
    registry: &Registry,
    body: &mut Body,
    op: OpId,
    index: usize,
) -> Option<()> {
    let mut operands: Vec<ValueId> = body.operands(op).collect();
    if let Some(info) = registry.op(body.name(op)) {
        let groups = registry.operand_groups(body, op)?;
        let group = groups.iter().position(|range| range.contains(&index))?;
        if info.def().operands.get(group)?.arity == Arity::One {
            return None;
        }
        if let Some(sizes) = body.attr(op, OPERAND_SEGMENTS).and_then(Attr::as_dense_array) {
            let mut sizes: Vec<i32> = sizes.iter().map(|&size| size as i32).collect();
            *sizes.get_mut(group)? -= 1;
            body.set_attr(op, OPERAND_SEGMENTS, Attr::i32_array(&sizes));
        }
    }
    operands.remove(index);
    body.set_operands(op, &operands);
    Some(())
}

/// Takes the first value of the type in the place of an operand.
fn reach_back(registry: &Registry, body: &mut Body, op: OpId, index: usize) -> Option<()> {
    let value = body.operand(op, index);
    let known = visible(registry, body, op);
    let first = known.into_iter().find(|&other| body.ty(other) == body.ty(value))?;
    if first == value {
        return None;
    }
    body.set_operand(op, index, first);
    Some(())
}
