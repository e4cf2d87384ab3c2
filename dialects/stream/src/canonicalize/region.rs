//! Captures of execution regions: what goes into them and what comes out.

use tegula_ir::{Attr, BlockId, InsertPoint, NewOp, OpId, ValueId};
use tegula_rewrite::Rewriter;

use super::update::storage_of;
use crate::passes::{tied_operands, timepoint_type};

/// What a region takes twice it takes once, and what it does not use it does not take.
pub(super) fn captures(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let registry = rw.registry;
    let Some(entry) = rw.body.region_entry(op, 0) else {
        return rw.no_match(op, "has no body");
    };
    let resources = registry.operands_of(rw.body, op, "resource_operands");
    let mut drop: Vec<usize> = Vec::new();
    let first = registry.operand_range(rw.body, op, "resource_operands").map_or(0, |r| r.start);
    let tied = tied_operands(registry, rw.body, op);
    for (index, resource) in resources.iter().enumerate() {
        if tied.contains(&Some(first + index)) {
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

/// Removes captures from the operands and the body. Ties count what is left.
fn remove(rw: &mut Rewriter<'_>, op: OpId, entry: BlockId, drop: &[usize]) {
    let registry = rw.registry;
    for &index in drop.iter().rev() {
        rw.remove_block_arg(entry, index);
    }
    let ties = rw.body.attr(op, "tied_operands").and_then(Attr::as_array);
    let moved = ties.map(|ties| {
        let ties = ties.iter().map(|tie| match tie.as_int() {
            Some(at) if at >= 0 => {
                let before = drop.iter().filter(|&&d| (d as i64) < at).count();
                Attr::index(at - before as i64)
            }
            _ => *tie,
        });
        Attr::array(&ties.collect::<Vec<_>>())
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

/// A result that is computed in the storage of what the region takes is tied to that.
pub(super) fn ties(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let registry = rw.registry;
    let Some((entry, end)) = yielding(rw, op) else {
        return rw.no_match(op, "has no body");
    };
    let yielded = registry.operands_of(rw.body, end, "resource_operands");
    let args = rw.body.block_args(entry);
    let known = rw.body.attr(op, "tied_operands").and_then(Attr::as_array).unwrap_or(&[]);
    let tie = |index: usize, value: ValueId| {
        let known = known.get(index).and_then(|tie| tie.as_int()).filter(|&tie| tie >= 0);
        known.or_else(|| {
            let storage = storage_of(registry, rw.body, value);
            let at = args.iter().position(|&arg| arg == storage)?;
            i64::try_from(at).ok()
        })
    };
    let all = yielded.iter().enumerate().map(|(index, &value)| tie(index, value).unwrap_or(-1));
    let all: Vec<Attr> = all.map(Attr::index).collect();
    let open = all.iter().all(|tie| tie.as_int() == Some(-1));
    if open || rw.body.attr(op, "tied_operands") == Some(Attr::array(&all)) {
        return rw.no_match(op, "all ties are known");
    }
    rw.set_attr(op, "tied_operands", Attr::array(&all));
    true
}

/// What a region gives twice it gives once.
pub(super) fn duplicates(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let registry = rw.registry;
    let Some((_, end)) = yielding(rw, op) else {
        return rw.no_match(op, "has no body");
    };
    let yielded = registry.operands_of(rw.body, end, "resource_operands");
    let results = registry.results_of(rw.body, op, "results");
    let ties = rw.body.attr(op, "tied_operands").and_then(Attr::as_array);
    let key = |index: usize| {
        let ty = results.get(index).map(|&result| rw.body.ty(result));
        (yielded.get(index), ty, ties.and_then(|ties| ties.get(index).copied()))
    };
    // For each result the first that is the same.
    let first: Vec<usize> = (0..results.len())
        .map(|index| (0..index).find(|&other| key(other) == key(index)).unwrap_or(index))
        .collect();
    let kept: Vec<usize> = (0..results.len()).filter(|&index| first[index] == index).collect();
    if kept.len() == results.len() || yielded.len() != results.len() {
        return rw.no_match(op, "gives nothing twice");
    }
    let only = |values: Vec<ValueId>| -> Vec<ValueId> {
        kept.iter().filter_map(|&index| values.get(index).copied()).collect()
    };
    let sizes = only(registry.operands_of(rw.body, op, "result_sizes"));
    let given = only(yielded);
    let given_sizes = only(registry.operands_of(rw.body, end, "resource_operand_sizes"));
    let types: Vec<_> = only(results.clone()).iter().map(|&result| rw.body.ty(result)).collect();
    let ties = ties.map(|ties| {
        Attr::array(&kept.iter().filter_map(|&at| ties.get(at).copied()).collect::<Vec<_>>())
    });
    // The timepoint, where there is one, comes last.
    let others = rw.body.results(op).skip(results.len()).map(|result| rw.body.ty(result));
    let mut new = registry.new_op(rw.body.name(op)).results("results", types);
    for other in others {
        new = new.results("result_timepoint", [other]);
    }
    for group in ["resource_operands", "resource_operand_sizes", "await_timepoint"] {
        let values = registry.operands_of(rw.body, op, group);
        // Not every region may wait.
        if !values.is_empty() {
            new = new.operands(group, values);
        }
    }
    let new = new.operands("result_sizes", sizes).attr_opt("tied_operands", ties);
    let new = new.attr_opt("affinity", rw.body.attr(op, "affinity")).regions(1).build();
    let new = rw.insert(InsertPoint::Before(op), new);
    if let (Some(from), Some(to)) = (rw.body.region(op, 0), rw.body.region(new, 0)) {
        rw.take_region(from, to);
    }
    let all: Vec<ValueId> = given.into_iter().chain(given_sizes).collect();
    rw.set_operands(end, &all);
    let values: Vec<ValueId> = rw.body.results(new).collect();
    let place = |index: usize| kept.iter().position(|&k| k == first[index]).unwrap_or_default();
    let mut replaced: Vec<ValueId> =
        (0..first.len()).filter_map(|index| values.get(place(index)).copied()).collect();
    replaced.extend(values.iter().skip(kept.len()));
    rw.replace(op, &replaced);
    true
}

/// The block of a region and the op that ends it.
fn yielding(rw: &Rewriter<'_>, op: OpId) -> Option<(BlockId, OpId)> {
    let entry = rw.body.region_entry(op, 0)?;
    let end = rw.body.last_op(entry).filter(|&end| rw.body.is(end, "stream.yield"))?;
    Some((entry, end))
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
