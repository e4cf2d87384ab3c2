//! Attributes that need not be there.

use tegula_ir::{Attr, Body, Ident, OPERAND_SEGMENTS, OpId, RESULT_SEGMENTS, Registry};

use crate::State;
use crate::search::shrink;

/// Removes attributes of ops and of the module.
pub(crate) fn remove(state: &mut State<'_>) -> bool {
    let registry = state.registry;
    let mut all: Vec<(usize, OpId, Ident)> = Vec::new();
    for (at, op) in state.ops(|_, _| true) {
        let body = &state.module.bodies[at];
        let names = body.attr_entries(op).iter().map(|&(name, _)| name);
        all.extend(names.filter(|name| !needed(registry, body, op, *name)).map(|n| (at, op, n)));
    }
    let changed = shrink(&all, |group| {
        state.attempt(|_, module| {
            for &(at, op, name) in group {
                module.bodies[at].remove_attr(op, name.as_str());
            }
            true
        })
    });
    let own: Vec<Ident> = names(state.module.attrs);
    let of_module = shrink(&own, |group| {
        state.attempt(|_, module| {
            group.iter().for_each(|name| module.set_attr(name.as_str(), None));
            true
        })
    });
    changed | of_module
}

fn names(dict: Attr) -> Vec<Ident> {
    dict.as_dict().unwrap_or(&[]).iter().map(|&(name, _)| name).collect()
}

/// Whether the op cannot be without the attribute.
fn needed(registry: &Registry, body: &Body, op: OpId, name: Ident) -> bool {
    let name = name.as_str();
    if [OPERAND_SEGMENTS, RESULT_SEGMENTS].contains(&name) {
        return true;
    }
    let def = registry.op(body.name(op)).and_then(|info| {
        let def = info.def();
        def.attr_index(name).map(|index| &def.attrs[index])
    });
    def.is_some_and(|attr| !attr.optional && attr.default.is_none())
}
