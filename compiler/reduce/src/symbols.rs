//! Top-level ops: without them, or without what is in them.

use tegula_ir::{Attr, Body, OpId, Registry};

use crate::State;
use crate::search::shrink;

/// Erases top-level ops.
pub(crate) fn erase(state: &mut State<'_>) -> bool {
    // Positions change as bodies go; what a body is called in this process does not.
    let all: Vec<u64> = state.module.bodies.iter().map(Body::lineage).collect();
    shrink(&all, |group| {
        state.attempt(|_, module| {
            module.bodies.retain(|body| !group.contains(&body.lineage()));
            true
        })
    })
}

/// Leaves functions without their bodies.
pub(crate) fn declare(state: &mut State<'_>) -> bool {
    let registry = state.registry;
    let all =
        state.ops(|body, op| is_function(registry, body, op) && body.region_entry(op, 0).is_some());
    shrink(&all, |group| {
        state.attempt(|_, module| {
            for &(at, op) in group {
                let body = &mut module.bodies[at];
                let blocks: Vec<_> = body.blocks(body.regions(op)[0]).collect();
                for &block in &blocks {
                    let inner: Vec<OpId> = body.block_ops(block).collect();
                    // Blocks may use each other's values in any order.
                    inner.into_iter().for_each(|inner| body.set_operands(inner, &[]));
                }
                blocks.into_iter().rev().for_each(|block| body.erase_block(block));
                body.set_attr(op, "sym_visibility", Attr::string("private"));
            }
            true
        })
    })
}

/// Whether the op is a function.
pub(crate) fn is_function(registry: &Registry, body: &Body, op: OpId) -> bool {
    let info = registry.op(body.name(op));
    info.is_some_and(|info| info.def().has_trait("FunctionOpInterface"))
        && body.regions(op).len() == 1
}
