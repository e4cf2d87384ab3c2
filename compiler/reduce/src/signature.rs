//! What functions take and give, with their calls.

use tegula_ir::{Attr, Body, InsertPoint, Module, NewOp, OpId, Registry, Type, ValueId};

use crate::State;
use crate::substitute::instead;
use crate::symbols::is_function;

/// Takes arguments from functions.
pub(crate) fn arguments(state: &mut State<'_>) -> bool {
    each(state, |(inputs, _)| inputs.len(), without_argument)
}

/// Takes results from functions.
pub(crate) fn results(state: &mut State<'_>) -> bool {
    each(state, |(_, results)| results.len(), without_result)
}

type Signature = (&'static [Type], &'static [Type]);

/// The function's body and op, and the position of what goes.
type Place = (usize, OpId, usize);

fn each(
    state: &mut State<'_>,
    count: impl Fn(Signature) -> usize,
    edit: fn(&Registry, &mut Module, Place) -> Option<()>,
) -> bool {
    let registry = state.registry;
    let all = state.ops(|body, op| is_function(registry, body, op));
    let mut changed = false;
    for (at, op) in all {
        let Some(signature) = signature(&state.module.bodies[at], op) else { continue };
        for index in (0..count(signature)).rev() {
            changed |=
                state.attempt(|registry, module| edit(registry, module, (at, op, index)).is_some());
        }
    }
    changed
}

fn signature(body: &Body, op: OpId) -> Option<Signature> {
    body.attr(op, "function_type")?.as_type()?.as_function()
}

fn without_argument(registry: &Registry, module: &mut Module, place: Place) -> Option<()> {
    let (at, op, index) = place;
    let body = &mut module.bodies[at];
    let (inputs, results) = signature(body, op)?;
    if let Some(entry) = body.region_entry(op, 0) {
        let arg = *body.block_args(entry).get(index)?;
        if !body.is_unused(arg) {
            let first = body.first_op(entry)?;
            let value = instead(registry, body, arg, first)?;
            body.replace_all_uses(arg, value);
        }
        body.remove_block_arg(entry, index);
    }
    let ty = Type::function(&without(inputs, index), results);
    body.set_attr(op, "function_type", Attr::ty(ty));
    shorten_list(body, op, "arg_attrs", index);
    let name = body.symbol_name(op)?;
    for (at, call) in calls(registry, module, name) {
        let body = &mut module.bodies[at];
        let mut operands: Vec<ValueId> = body.operands(call).collect();
        if operands.len() != inputs.len() {
            return None;
        }
        operands.remove(index);
        body.set_operands(call, &operands);
    }
    Some(())
}

fn without_result(registry: &Registry, module: &mut Module, place: Place) -> Option<()> {
    let (at, op, index) = place;
    let body = &mut module.bodies[at];
    let (inputs, results) = signature(body, op)?;
    let ty = Type::function(inputs, &without(results, index));
    body.set_attr(op, "function_type", Attr::ty(ty));
    shorten_list(body, op, "res_attrs", index);
    let is_return = |body: &Body, inner: OpId| {
        let info = registry.op(body.name(inner));
        body.parent_op(inner) == Some(op)
            && info.is_some_and(|info| info.def().has_trait("FunctionReturn"))
    };
    let returns: Vec<OpId> = body.walk(op).filter(|&inner| is_return(body, inner)).collect();
    for inner in returns {
        let mut operands: Vec<ValueId> = body.operands(inner).collect();
        if operands.len() != results.len() {
            return None;
        }
        operands.remove(index);
        body.set_operands(inner, &operands);
    }
    let name = body.symbol_name(op)?;
    for (at, call) in calls(registry, module, name) {
        call_without(registry, &mut module.bodies[at], call, index, results.len())?;
    }
    Some(())
}

fn call_without(
    registry: &Registry,
    body: &mut Body,
    call: OpId,
    index: usize,
    count: usize,
) -> Option<()> {
    if body.num_results(call) != count {
        return None;
    }
    let gone = body.result(call, index);
    if !body.is_unused(gone) {
        let value = instead(registry, body, gone, call)?;
        body.replace_all_uses(gone, value);
    }
    let kept: Vec<ValueId> = body.results(call).filter(|&r| r != gone).collect();
    let types: Vec<Type> = kept.iter().map(|&value| body.ty(value)).collect();
    let new = NewOp::new(body.name(call))
        .operands(body.operands(call).collect::<Vec<_>>())
        .results(types)
        .attrs(body.attrs(call))
        .loc(body.loc(call));
    let new = body.insert(InsertPoint::Before(call), new);
    for (old, new) in kept.into_iter().zip(body.results(new)) {
        body.replace_all_uses(old, new);
    }
    body.erase(call);
    Some(())
}

/// The calls of a function.
fn calls(registry: &Registry, module: &Module, name: &str) -> Vec<(usize, OpId)> {
    let calls = |body: &Body, op: OpId| {
        let info = registry.op(body.name(op));
        info.is_some_and(|info| info.def().has_trait("CallOpInterface"))
            && body
                .attr(op, "callee")
                .and_then(Attr::as_symbol_root)
                .is_some_and(|n| n.as_str() == name)
    };
    let bodies = module.bodies.iter().enumerate();
    bodies
        .flat_map(|(at, body)| {
            body.walk_all().filter(|&op| calls(body, op)).map(|op| (at, op)).collect::<Vec<_>>()
        })
        .collect()
}

fn without<T: Copy>(all: &[T], index: usize) -> Vec<T> {
    let places = all.iter().enumerate().filter(|(at, _)| *at != index);
    places.map(|(_, &one)| one).collect()
}

/// Shortens a list with one entry for each argument or result.
fn shorten_list(body: &mut Body, op: OpId, name: &str, index: usize) {
    if let Some(list) = body.attr(op, name).and_then(Attr::as_array)
        && index < list.len()
    {
        body.set_attr(op, name, Attr::array(&without(list, index)));
    }
}
