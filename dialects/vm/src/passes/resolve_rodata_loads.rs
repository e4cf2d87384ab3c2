//! `iree-vm-resolve-rodata-loads`: where a global always holds the same data of the module, that is
//! used itself; where nothing is put into it, null is.

use std::collections::BTreeSet;

use tegula_ir::{Body, NewOp, OpId, Registry, ValueId, successor_operands};
use tegula_pass::{Changed, PassCx, PassResult};

use super::{members_named, named};

pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, module: OpId) -> PassResult {
    let mut changed = Changed::No;
    for global in members_named(body, module, "vm.global.ref") {
        changed |= Changed::when(resolve(cx, body, module, global).is_some());
    }
    Ok(changed)
}

fn resolve(cx: &mut PassCx<'_>, body: &mut Body, module: OpId, global: OpId) -> Option<()> {
    let ty = body.attr(global, "type")?.as_type()?;
    ty.dialect_params("vm.buffer")?;
    let name = body.symbol_name(global)?;
    let accesses: Vec<OpId> =
        body.walk(module).filter(|&op| named(body, op, "global") == Some(name)).collect();
    let known =
        |&op: &OpId| body.is(op, "vm.global.load.ref") || body.is(op, "vm.global.store.ref");
    if body.attr(global, "is_mutable").is_some() || !accesses.iter().all(known) {
        return None;
    }
    let (stores, loads): (Vec<OpId>, Vec<OpId>) =
        accesses.into_iter().partition(|&op| body.is(op, "vm.global.store.ref"));
    if loads.is_empty() && stores.is_empty() {
        return None;
    }
    let new = if stores.is_empty() {
        NewOp::new("vm.const.ref.zero")
    } else {
        let values = stores.iter().map(|&store| body.operand(store, 0)).collect();
        let rodata = only_rodata(cx.registry, body, values)?;
        NewOp::new("vm.const.ref.rodata").attr("rodata", body.attr(rodata, "rodata")?)
    };
    let mut rw = cx.rewriter(body);
    for load in loads {
        let loc = rw.body.loc(load);
        rw.replace_with(load, new.clone().result(ty).loc(loc));
    }
    for store in stores {
        rw.erase(store);
    }
    Some(())
}

/// An op that refers to the data that all these values are, whatever way control comes; none where
/// one of them may be something else.
fn only_rodata(registry: &Registry, body: &Body, mut values: Vec<ValueId>) -> Option<OpId> {
    let mut seen = BTreeSet::new();
    let mut found: Option<OpId> = None;
    while let Some(value) = values.pop() {
        if !seen.insert(value) {
            continue;
        }
        let Some(op) = body.defining_op(value) else {
            values.extend(passed(registry, body, value)?);
            continue;
        };
        if !body.is(op, "vm.const.ref.rodata") {
            return None;
        }
        let same = found.is_none_or(|other| body.attr(other, "rodata") == body.attr(op, "rodata"));
        if !same {
            return None;
        }
        found = Some(op);
    }
    found
}

/// What branches pass for an argument of a block.
fn passed(registry: &Registry, body: &Body, argument: ValueId) -> Option<Vec<ValueId>> {
    let block = body.defining_block(argument)?;
    let region = body.block_parent(block)?;
    if body.first_block(region) == Some(block) {
        return None;
    }
    let at = body.block_args(block).iter().position(|&arg| arg == argument)?;
    let mut values = Vec::new();
    for from in body.blocks(region).collect::<Vec<_>>() {
        let end = body.last_op(from)?;
        if !body.successors(end).contains(&block) {
            continue;
        }
        let ranges = successor_operands(registry, body, end)?;
        for (range, _) in ranges.into_iter().zip(body.successors(end)).filter(|s| *s.1 == block) {
            values.push(body.operand(end, range.clone().nth(at)?));
        }
    }
    Some(values)
}
