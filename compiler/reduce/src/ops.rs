//! Ops inside of others.

use tegula_ir::{Body, Module, OpId, Registry};

use crate::State;
use crate::search::shrink;
use crate::substitute::replace_results;

/// Erases ops; other values of the type stand in the place of their results.
pub(crate) fn erase(state: &mut State<'_>) -> bool {
    let registry = state.registry;
    let all = state.ops(|body, op| body.parent_op(op).is_some() && !ends(registry, body, op));
    shrink(&all, |group| state.attempt(|registry, module| erase_all(registry, module, group)))
}

fn erase_all(registry: &Registry, module: &mut Module, group: &[(usize, OpId)]) -> bool {
    let mut erased = false;
    for &(at, op) in group.iter().rev() {
        let body = &mut module.bodies[at];
        if !body.is_erased(op) && replace_results(registry, body, op) {
            body.erase(op);
            erased = true;
        }
    }
    erased
}

/// Whether the op ends its block.
pub(crate) fn ends(registry: &Registry, body: &Body, op: OpId) -> bool {
    match registry.op(body.name(op)) {
        Some(info) => info.terminator,
        None => !body.successors(op).is_empty(),
    }
}
