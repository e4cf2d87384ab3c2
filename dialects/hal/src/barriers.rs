//! Fences that only pass on when others are reached, and sizes of imports that are known later.

use tegula_ir::{Attr, Body, InsertPoint, OpId, Registry, ValueId};
use tegula_rewrite::{Bound, IrMapping, Rewriter, constant_of, operand_dims};

const BARRIER: &str = "hal.device.queue.barrier";

/// Whether nothing uses a fence in the block that makes it before an op of the block.
pub(crate) fn unseen_before(_: &Registry, body: &Body, bound: &[Bound]) -> bool {
    let [create, signal] = bound else { return false };
    let (Some(create), Some(signal)) = (create.op(), signal.op()) else { return false };
    let Some(block) = body.parent_block(signal).filter(|&b| body.parent_block(create) == Some(b))
    else {
        return false;
    };
    let users = body.results(create).flat_map(|fence| body.users(fence));
    users
        .filter_map(|user| body.ancestor_in_block(block, user))
        .all(|user| user == signal || body.is_before_in_block(signal, user))
}

/// Where a fence can be used before an op of a block: at once, when it comes from elsewhere or from
/// before, or once the op that makes it was moved there. None when it can't.
enum Availability {
    There,
    Movable(OpId),
}

fn availability(body: &Body, fence: ValueId, before: OpId) -> Option<Availability> {
    let block = body.parent_block(before)?;
    let maker = body.defining_op(fence);
    let Some(maker) = maker.filter(|&maker| body.parent_block(maker) == Some(block)) else {
        // What comes from another block is there in the whole of this one.
        return Some(Availability::There);
    };
    if body.is_before_in_block(maker, before) {
        return Some(Availability::There);
    }
    let is_earlier = |operand: ValueId| {
        let def = body.defining_op(operand).filter(|&def| body.parent_block(def) == Some(block));
        def.is_none_or(|def| body.is_before_in_block(def, before))
    };
    let movable = body.is(maker, "hal.fence.create") && body.operands(maker).all(is_earlier);
    movable.then_some(Availability::Movable(maker))
}

fn fences(registry: &Registry, body: &Body, barrier: OpId) -> Option<(ValueId, ValueId)> {
    let fence = |name: &str| registry.operand_of(body, barrier, name);
    fence("wait_fence").zip(fence("signal_fence"))
}

/// A barrier on a fence that is made in its block: what reaches that fence reaches the other one.
pub(crate) fn of_own_fence(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let body = &*rw.body;
    let Some((wait, signal)) = fences(rw.registry, body, op) else { return false };
    let create = body.defining_op(wait).filter(|&def| body.is(def, "hal.fence.create"));
    let create = create.filter(|&def| body.parent_block(def) == body.parent_block(op));
    let Some(create) = create else {
        return rw.no_match(op, "the fence that it waits for is not made in its block");
    };
    match availability(body, signal, create) {
        None => return rw.no_match(op, "the fence that it reaches is made too late"),
        Some(Availability::Movable(maker)) => rw.move_op(maker, InsertPoint::Before(create)),
        Some(Availability::There) => {}
    }
    rw.replace_all_uses(wait, signal);
    rw.erase(op);
    rw.erase(create);
    true
}

/// A barrier on a fence that only work of the same block reaches: the work reaches the other one.
pub(crate) fn after_work(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let (registry, body) = (rw.registry, &*rw.body);
    let Some((wait, signal)) = fences(registry, body, op) else { return false };
    let mut work = None;
    let users: Vec<OpId> = body.users(wait).filter(|&user| user != op).collect();
    for user in users {
        let reaches = body.name(user).as_str().starts_with("hal.device.queue.")
            && registry.operand_of(body, user, "signal_fence") == Some(wait)
            && registry.operand_of(body, user, "wait_fence") != Some(wait);
        if !reaches || work.replace(user).is_some() {
            return rw.no_match(op, "others use the fence that it waits for");
        }
    }
    let here = |work: &OpId| {
        body.parent_block(*work) == body.parent_block(op) && body.is_before_in_block(*work, op)
    };
    let Some(work) = work.filter(here).filter(|&work| !body.is(work, BARRIER)) else {
        return rw.no_match(op, "no work before it reaches the fence that it waits for");
    };
    if registry.operand_of(body, work, "wait_fence") == Some(signal) {
        return rw.no_match(op, "the work waits for the fence that it reaches");
    }
    match availability(body, signal, work) {
        None => return rw.no_match(op, "the fence that it reaches is made too late"),
        Some(Availability::Movable(maker)) => rw.move_op(maker, InsertPoint::Before(work)),
        Some(Availability::There) => {}
    }
    rw.modify(work, |body| registry.set_operands_of(body, work, "signal_fence", &[signal]));
    rw.erase(op);
    true
}

/// What those who use an import say of a size.
#[derive(Clone, Copy)]
enum Said {
    Nothing,
    Constant(Attr, ValueId),
    Different,
}

/// Sizes of an import that those who use it know as the same constant.
pub(crate) fn import_dims(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let (registry, body) = (rw.registry, &*rw.body);
    let dims = registry.operands_of(body, op, "target_dims");
    let known = |value: ValueId| constant_of(registry, body, value);
    let target = body.result(op, 0);
    let mut said = vec![Said::Nothing; dims.len()];
    let users: Vec<OpId> = body.users(target).collect();
    for user in users {
        if body.parent_block(user) != body.parent_block(op) {
            return rw.no_match(op, "is used in other blocks");
        }
        let Some(given) = operand_dims(registry, body, user, target) else { continue };
        if given.len() != dims.len() {
            return rw.no_match(op, "is used with another number of sizes");
        }
        for (said, dim) in said.iter_mut().zip(given) {
            *said = match (*said, known(dim)) {
                (Said::Nothing, Some(constant)) => Said::Constant(constant, dim),
                (Said::Constant(first, value), Some(constant)) if first == constant => {
                    Said::Constant(first, value)
                }
                _ => Said::Different,
            };
        }
    }
    let mut new = dims.clone();
    for ((dim, said), new) in dims.iter().zip(said).zip(&mut new) {
        if let (None, Said::Constant(_, value)) = (known(*dim), said) {
            *new = value;
        }
    }
    if new == dims {
        return rw.no_match(op, "nobody knows its sizes better");
    }
    for value in &mut new {
        let Some(maker) = rw.body.defining_op(*value) else { continue };
        let late = rw.body.parent_block(maker) == rw.body.parent_block(op)
            && !rw.body.is_before_in_block(maker, op);
        if late {
            let copy = rw.clone_op(maker, InsertPoint::Before(op), &mut IrMapping::default());
            *value = rw.body.result(copy, 0);
        }
    }
    rw.modify(op, |body| registry.set_operands_of(body, op, "target_dims", &new));
    true
}
