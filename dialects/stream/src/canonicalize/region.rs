//! Captures of execution regions: what goes into them and what comes out.

use tegula_ir::{BlockId, InsertPoint, NewOp, OpId, ValueId};
use tegula_rewrite::Rewriter;

use crate::passes::timepoint_type;

/// What a region takes twice it takes once, and what it does not use it does not take.
pub(super) fn captures(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let registry = rw.registry;
    let Some(entry) = rw.body.region_entry(op, 0) else {
        return rw.no_match(op, "has no body");
    };
    let resources = registry.operands_of(rw.body, op, "resource_operands");
    let mut drop: Vec<usize> = Vec::new();
    let tied = tied(rw, op);
    for (index, resource) in resources.iter().enumerate() {
        if tied.contains(&index) {
            continue;
        }
        let args = rw.body.block_args(entry);
        let Some(&arg) = args.get(index) else { continue };
        let first = resources[..index].iter().position(|r| r == resource);
        match first.and_then(|first| args.get(first).copied()) {
            Some(first) if rw.body.ty(first) == rw.body.ty(arg) => {
                rw.replace_all_uses(arg, first);
                drop.push(index);
            }
            _ if rw.body.is_unused(arg) => drop.push(index),
            _ => {}
        }
    }
    if drop.is_empty() {
        return rw.no_match(op, "uses all that it takes");
    }
    remove(rw, op, entry, &drop);
    true
}

/// The captures whose storage results take.
fn tied(rw: &Rewriter<'_>, op: OpId) -> Vec<usize> {
    let ties = rw.body.attr(op, "tied_operands").and_then(tegula_ir::Attr::as_array);
    let ties = ties.unwrap_or(&[]).iter();
    ties.filter_map(|t| usize::try_from(t.as_int()?).ok()).collect()
}

/// Removes captures from the operands and the body. Ties count what is left.
fn remove(rw: &mut Rewriter<'_>, op: OpId, entry: BlockId, drop: &[usize]) {
    let registry = rw.registry;
    for &index in drop.iter().rev() {
        rw.remove_block_arg(entry, index);
    }
    let ties = rw.body.attr(op, "tied_operands").and_then(tegula_ir::Attr::as_array);
    let moved = ties.map(|ties| {
        let ties = ties.iter().map(|tie| match tie.as_int() {
            Some(at) if at >= 0 => {
                let before = drop.iter().filter(|&&d| (d as i64) < at).count();
                tegula_ir::Attr::index(at - before as i64)
            }
            _ => *tie,
        });
        tegula_ir::Attr::array(&ties.collect::<Vec<_>>())
    });
    rw.modify(op, |body| {
        for group in ["resource_operands", "resource_operand_sizes"] {
            let values = registry.operands_of(body, op, group);
            let kept = values.iter().enumerate().filter(|(index, _)| !drop.contains(index));
            let kept: Vec<ValueId> = kept.map(|(_, &value)| value).collect();
            registry.set_operands_of(body, op, group, &kept);
        }
        if let Some(moved) = moved {
            body.set_attr(op, "tied_operands", moved);
        }
    });
}

/// A region that only hands on what it takes is what it takes, reached when what it waits for is.
pub(super) fn without_work(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let registry = rw.registry;
    let entry = rw.body.region_entry(op, 0);
    let Some(end) = entry.and_then(|entry| rw.body.first_op(entry)) else {
        return rw.no_match(op, "has no body");
    };
    if !rw.body.is(end, "stream.yield") {
        return rw.no_match(op, "does something");
    }
    let args: Vec<ValueId> = entry.map(|e| rw.body.block_args(e).to_vec()).unwrap_or_default();
    let resources = registry.operands_of(rw.body, op, "resource_operands");
    let mut values = Vec::new();
    for yielded in registry.operands_of(rw.body, end, "resource_operands") {
        let at = args.iter().position(|&arg| arg == yielded);
        let Some(&resource) = at.and_then(|at| resources.get(at)) else {
            return rw.no_match(op, "hands on what it does not take");
        };
        values.push(resource);
    }
    let types = rw.body.results(op).map(|result| rw.body.ty(result));
    let same = types.zip(&values).all(|(ty, &value)| rw.body.ty(value) == ty);
    if !same {
        return rw.no_match(op, "changes a lifetime");
    }
    if values.len() < rw.body.num_results(op) {
        let awaited = registry.operand_of(rw.body, op, "await_timepoint");
        values.push(awaited.unwrap_or_else(|| {
            let immediate = NewOp::new("stream.timepoint.immediate").result(timepoint_type());
            rw.insert_value(InsertPoint::Before(op), immediate)
        }));
    }
    rw.replace(op, &values);
    true
}
