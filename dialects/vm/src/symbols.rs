//! What patterns ask of the symbols of a module.

use rustc_hash::FxHashSet;
use tegula_ir::{Attr, Body, OpId, Registry};
use tegula_rewrite::{Bound, Rewriter};

/// The op beside others of a module that has a name.
fn symbol(body: &Body, beside: OpId, name: &str) -> Option<OpId> {
    let block = body.parent_block(beside)?;
    body.block_ops(block).find(|&op| body.symbol_name(op) == Some(name))
}

/// The op of the module that stands around an op.
fn member(body: &Body, op: OpId) -> Option<OpId> {
    let mut at = op;
    while let Some(outer) = body.parent_op(at) {
        if body.is(outer, "vm.module") {
            return Some(at);
        }
        at = outer;
    }
    None
}

/// Whether the import that an op asks for is one without which the module is not loaded.
pub(crate) fn import_required(_: &Registry, body: &Body, asked: &[Bound]) -> bool {
    let asked = asked.first().and_then(Bound::op);
    let import = asked.and_then(|op| {
        let name = body.attr(op, "import")?.as_symbol_root()?;
        symbol(body, member(body, op)?, name.as_str())
    });
    import.is_some_and(|import| body.attr(import, "is_optional").is_none())
}

/// Whether nobody uses what a call gives, and the callee does nothing else.
pub(crate) fn unused_call(_: &Registry, body: &Body, call: &[Bound]) -> bool {
    let Some(call) = call.first().and_then(Bound::op).filter(|&op| body.results_unused(op)) else {
        return false;
    };
    let callee = body.attr(call, "callee").and_then(Attr::as_symbol_root);
    let callee = callee.zip(member(body, call));
    let callee = callee.and_then(|(name, beside)| symbol(body, beside, name.as_str()));
    callee.is_some_and(|callee| body.attr(callee, "nosideeffects").is_some())
}

/// The name of the global that an op reads, writes or takes the address of.
fn accessed(body: &Body, op: OpId) -> Option<&'static str> {
    Some(body.attr(op, "global")?.as_symbol_root()?.as_str())
}

/// Constants that an initializer stores before anybody may look are what their globals begin with.
/// Initializers run in order; those before it may look, and so may what they call.
pub(crate) fn begins_with(rw: &mut Rewriter<'_>, initializer: OpId) -> bool {
    let block = rw.body.region_entry(initializer, 0).zip(rw.body.region(initializer, 0));
    let Some((block, region)) = block else { return false };
    if rw.body.first_block(region) != rw.body.last_block(region) {
        return rw.no_match(initializer, "it has several blocks");
    }
    let mut seen: FxHashSet<&'static str> = FxHashSet::default();
    let mut calls = false;
    let look = |body: &Body, op: OpId, seen: &mut FxHashSet<&'static str>| {
        seen.extend(accessed(body, op));
        body.name(op).as_str().starts_with("vm.call")
    };
    let mut before = rw.body.prev_op(initializer);
    while let Some(op) = before {
        if rw.body.is(op, "vm.initializer") {
            for inner in rw.body.walk(op) {
                calls |= look(rw.body, inner, &mut seen);
            }
        }
        before = rw.body.prev_op(op);
    }
    let mut stored = Vec::new();
    for op in rw.body.block_ops(block) {
        if calls {
            break;
        }
        let value = constant_store(rw.body, op);
        let global = accessed(rw.body, op).filter(|name| !seen.contains(name));
        match value.zip(global.and_then(|name| symbol(rw.body, initializer, name))) {
            Some((value, global)) => stored.push((op, value, global)),
            None => calls |= look(rw.body, op, &mut seen),
        }
    }
    if stored.is_empty() {
        return rw.no_match(initializer, "it stores no constant before anybody may look");
    }
    for (store, value, global) in stored {
        match value {
            Some(value) => rw.set_attr(global, "initial_value", value),
            None => drop(rw.remove_attr(global, "initial_value")),
        }
        rw.erase(store);
    }
    true
}

/// The constant number that an op stores into a global, none for zero.
fn constant_store(body: &Body, op: OpId) -> Option<Option<Attr>> {
    let what = body.name(op).as_str().strip_prefix("vm.global.store.")?;
    let made = body.defining_op(body.operands(op).next()?)?;
    let made_as = body.name(made).as_str().strip_prefix("vm.const.")?;
    if made_as == what {
        return Some(Some(body.attr(made, "value")?));
    }
    (made_as.strip_suffix(".zero") == Some(what) && what != "ref").then_some(None)
}
