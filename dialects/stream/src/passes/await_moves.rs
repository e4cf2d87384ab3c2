//! Waiting as late as it may be, and by the device where it can.
//!
//! Work that uses what is awaited waits for the timepoint itself. The host waits behind ops with
//! regions that don't use what it waits for, and within those of their regions that do.

use indexmap::IndexMap;
use tegula_analysis::{Dominance, Flow, passed_on};
use tegula_ir::{Body, InsertPoint, OpId, RegionId, Registry, ValueId};
use tegula_rewrite::{IrMapping, Rewriter};

use super::coverage::{Coverage, waits_for};
use super::support::{await_group, set_awaits, timepoint_type};

const AWAIT: &str = "stream.timepoint.await";

/// Moves the awaits below an op; says whether there was something to move.
pub(super) fn run(rw: &mut Rewriter<'_>, root: OpId, coverage: &Coverage) -> bool {
    let mut changed = false;
    loop {
        let mut moved = false;
        for op in awaits(rw.body, root) {
            if !rw.body.is_erased(op) {
                moved |= around_regions(rw, op);
            }
        }
        changed |= moved;
        if !moved {
            break;
        }
    }
    for op in awaits(rw.body, root) {
        changed |= into_work(rw, root, op);
    }
    for op in awaits(rw.body, root) {
        changed |= before_end(rw, root, op, coverage);
    }
    changed
}

fn awaits(body: &Body, root: OpId) -> Vec<OpId> {
    body.walk(root).filter(|&op| body.is(op, AWAIT)).collect()
}

fn erase_unused(rw: &mut Rewriter<'_>, op: OpId) {
    if rw.body.results(op).all(|result| rw.body.is_unused(result)) {
        rw.erase(op);
    }
}

/// Has an op use a value where it used another; false where it did not.
fn use_instead(rw: &mut Rewriter<'_>, user: OpId, from: ValueId, to: ValueId) -> bool {
    let mut changed = false;
    for index in 0..rw.body.num_operands(user) {
        if rw.body.operand(user, index) == from {
            rw.set_operand(user, index, to);
            changed = true;
        }
    }
    changed
}

/// Moves an await behind the next op, or into the regions of it that use what is awaited.
fn around_regions(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let next = rw.body.next_op(op).filter(|&next| !rw.body.regions(next).is_empty());
    let Some(next) = next else { return false };
    let results: Vec<ValueId> = rw.body.results(op).collect();
    if results.is_empty() {
        return false;
    }
    let regions: Vec<RegionId> = rw.body.regions(next).to_vec();
    let users: Vec<RegionId> = regions
        .into_iter()
        .filter(|&region| {
            results.iter().any(|&value| is_used_in(rw.registry, rw.body, value, region))
        })
        .collect();
    if users.is_empty() {
        let takes = rw.body.operands(next).any(|value| results.contains(&value));
        let used = results.iter().any(|&value| !rw.body.is_unused(value));
        if takes || !used {
            return false;
        }
        rw.move_op(op, InsertPoint::After(next));
        return true;
    }
    let info = rw.registry.op(rw.body.name(next)).map(|info| info.def());
    let chooses = info.is_some_and(|def| {
        def.has_trait("RegionBranchOpInterface") && !def.has_trait("LoopLikeOpInterface")
    });
    if !chooses {
        return false;
    }
    for region in users {
        let Some(entry) = rw.body.first_block(region) else { continue };
        let copy = rw.clone_op(op, InsertPoint::Start(entry), &mut IrMapping::new());
        let copies: Vec<ValueId> = rw.body.results(copy).collect();
        for (&old, new) in results.iter().zip(copies) {
            rw.replace_uses_if(old, new, |body, slot| holds(body, region, body.use_owner(slot)));
        }
    }
    erase_unused(rw, op);
    true
}

/// Whether an op is in a region.
fn holds(body: &Body, region: RegionId, op: OpId) -> bool {
    body.blocks(region).any(|block| body.ancestor_in_block(block, op).is_some())
}

/// Whether ops of a region use a value, but for waiting for it.
fn is_used_in(registry: &Registry, body: &Body, value: ValueId, region: RegionId) -> bool {
    body.users(value).any(|user| {
        let waits = waits_for(registry, body, user).is_some_and(|all| all.contains(&value));
        !waits && holds(body, region, user)
    })
}

/// Lets work that uses what is awaited wait itself, wherever the values go.
fn into_work(rw: &mut Rewriter<'_>, root: OpId, op: OpId) -> bool {
    let registry = rw.registry;
    if rw.body.attr(op, "sync").is_some() {
        return false;
    }
    let Some(timepoint) = registry.operand_of(rw.body, op, "await_timepoint") else {
        return false;
    };
    let sources = registry.operands_of(rw.body, op, "resource_operands");
    let flow = Flow::of(registry, rw.body, root);
    let dominance = Dominance::new(rw.body);
    let results: Vec<ValueId> = rw.body.results(op).collect();
    // For each op that uses a resource: what it uses, and what that was before the await.
    let mut users: IndexMap<OpId, Vec<(ValueId, ValueId)>> = IndexMap::new();
    for (result, source) in results.into_iter().zip(sources) {
        for value in ways(&flow, result) {
            for user in rw.body.users(value).collect::<Vec<_>>() {
                let body = &*rw.body;
                let works = waits_for(registry, body, user).is_some() && !body.is(user, AWAIT);
                if !works
                    || !dominance.value_dominates(body, source, user)
                    || !dominance.value_dominates(body, timepoint, user)
                {
                    continue;
                }
                let known = users.entry(user).or_default();
                if !known.contains(&(value, source)) {
                    known.push((value, source));
                }
            }
        }
    }
    let mut changed = false;
    for (user, uses) in users {
        let Some(group) = await_group(registry, rw.body, user) else { continue };
        let mut timepoints = registry.operands_of(rw.body, user, group);
        if !timepoints.contains(&timepoint) {
            timepoints.push(timepoint);
            set_awaits(rw, user, group, &timepoints);
            changed = true;
        }
        for (value, source) in uses {
            // What goes around with arguments of blocks is not always that of this await.
            if rw.body.defining_op(value) != Some(op) {
                continue;
            }
            changed |= use_instead(rw, user, value, source);
        }
    }
    if changed {
        erase_unused(rw, op);
    }
    changed
}

/// A value and all that it may become.
fn ways(flow: &Flow, value: ValueId) -> Vec<ValueId> {
    let mut all = vec![value];
    let mut at = 0;
    while let Some(&value) = all.get(at) {
        at += 1;
        for &target in flow.targets(value) {
            if !all.contains(&target) {
                all.push(target);
            }
        }
    }
    all
}

/// What leaves a region together with timepoints that cover the await needs no waiting for.
fn before_end(rw: &mut Rewriter<'_>, root: OpId, op: OpId, coverage: &Coverage) -> bool {
    let registry = rw.registry;
    let Some(timepoint) = registry.operand_of(rw.body, op, "await_timepoint") else {
        return false;
    };
    let sources = registry.operands_of(rw.body, op, "resource_operands");
    let results: Vec<ValueId> = rw.body.results(op).collect();
    let dominance = Dominance::new(rw.body);
    let flow = Flow::of(registry, rw.body, root);
    let mut changed = false;
    for (result, source) in results.into_iter().zip(sources) {
        for user in rw.body.users(result).collect::<Vec<_>>() {
            let body = &*rw.body;
            let around = body.parent_op(user);
            let mut targets = flow.targets(result).iter();
            let leaves = targets.any(|&to| around.is_some() && body.defining_op(to) == around);
            let Some(given) = passed_on(registry, body, user).filter(|_| leaves) else {
                continue;
            };
            let timepoints: Vec<ValueId> =
                given.into_iter().filter(|&v| body.ty(v) == timepoint_type()).collect();
            let covered = timepoints.iter().any(|&later| coverage.covers(later, timepoint));
            if !covered || !dominance.value_dominates(body, source, user) {
                continue;
            }
            changed |= use_instead(rw, user, result, source);
        }
    }
    if changed {
        erase_unused(rw, op);
    }
    changed
}
