//! What dispatches take and give: each thing once, and nothing that is not used.

use indexmap::IndexSet;
use tegula_ir::{Attr, Body, InsertPoint, OpId, Type, ValueId};
use tegula_rewrite::Rewriter;

use crate::regions::{block_of, rebuild, results_of};
use crate::sizes::dynamic_dims;

/// A region of a dispatch gives each value once, and what is used.
pub(crate) fn region_results(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let body = &*rw.body;
    let single = body.region(op, 0).is_some_and(|r| body.blocks(r).nth(1).is_none());
    if !single || block_of(body, op).is_none() {
        return rw.no_match(op, "has several blocks");
    }
    let all = results_of(rw.registry, body, op);
    let mut kept: Vec<_> = all.iter().filter(|given| !body.is_unused(given.outer)).collect();
    let mut seen = IndexSet::new();
    kept.retain(|given| seen.insert(given.inner));
    if kept.len() == all.len() {
        return rw.no_match(op, "gives each value once, and all are used");
    }
    let kept: Vec<_> = kept.into_iter().cloned().collect();
    for given in &all {
        if let Some(first) = kept.iter().find(|first| first.inner == given.inner) {
            rw.replace_all_uses(given.outer, first.outer);
        }
    }
    rebuild(rw, op, &kept);
    true
}

/// For each value the place of the first that is the same.
fn firsts(values: &[ValueId]) -> Vec<usize> {
    let first = |value| values.iter().position(|other| other == value).unwrap_or_default();
    values.iter().map(first).collect()
}

/// A workload names each value once.
pub(crate) fn workload(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let registry = rw.registry;
    let workload = registry.operands_of(rw.body, op, "workload");
    let once: IndexSet<ValueId> = workload.iter().copied().collect();
    if once.len() == workload.len() {
        return rw.no_match(op, "names each value of the workload once");
    }
    if let Some(block) = rw.body.region_entry(op, 1) {
        let args = rw.body.block_args(block).to_vec();
        if args.len() != workload.len() {
            return rw.no_match(op, "counts workgroups by another workload");
        }
        for (at, first) in firsts(&workload).into_iter().enumerate().rev() {
            if first != at {
                rw.replace_all_uses(args[at], args[first]);
                rw.remove_block_arg(block, at);
            }
        }
    }
    let once: Vec<ValueId> = once.into_iter().collect();
    rw.modify(op, |body| registry.set_operands_of(body, op, "workload", &once));
    true
}

/// What workgroups are counted by is named once; ordinals in the dispatch count what is left.
pub(crate) fn slice_workload(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let body = &*rw.body;
    let block = body.region_entry(op, 1);
    let slice = block.and_then(|block| {
        let name = "iree_tensor_ext.dispatch.workgroup_count_from_slice";
        body.block_ops(block).find(|&op| body.is(op, name))
    });
    let Some(slice) = slice else { return rw.no_match(op, "does not count by a slice") };
    let values: Vec<ValueId> = body.operands(slice).collect();
    let once: IndexSet<ValueId> = values.iter().copied().collect();
    if once.len() == values.len() {
        return rw.no_match(op, "counts by each value once");
    }
    let name = "iree_tensor_ext.dispatch.workload.ordinal";
    let ordinals: Vec<OpId> = body.walk(op).filter(|&inner| body.is(inner, name)).collect();
    for ordinal in ordinals {
        let number = rw.body.attr(ordinal, "ordinal").and_then(Attr::as_int);
        let value = number.and_then(|n| values.get(usize::try_from(n).ok()?));
        if let Some(at) = value.and_then(|value| once.get_index_of(value)) {
            rw.set_attr(ordinal, "ordinal", Attr::index(at as i64));
        }
    }
    let once: Vec<ValueId> = once.into_iter().collect();
    rw.set_operands(slice, &once);
    rw.modify(op, |_| {});
    true
}

/// Arguments that are not used, or that another one is, and results that nobody asks for, go.
pub(crate) fn workgroups(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let registry = rw.registry;
    let Some(block) = rw.body.region_entry(op, 0) else {
        return rw.no_match(op, "has no body");
    };
    let body = &*rw.body;
    let operands = registry.operands_of(body, op, "arguments");
    let args = body.block_args(block).to_vec();
    let ties = ties(body, op);
    let firsts = firsts(&operands);
    let mut dropped: Vec<usize> = Vec::new();
    let mut same: Vec<(usize, usize)> = Vec::new();
    for (at, &first) in firsts.iter().enumerate() {
        let Some(&arg) = args.get(at) else { return false };
        if ties.contains(&Some(at)) {
            continue;
        }
        let used = |at: usize| !body.is_unused(args[at]);
        let first = (first..at).find(|&other| firsts[other] == firsts[at] && used(other));
        match first.filter(|&other| body.ty(args[other]) == body.ty(arg)) {
            _ if !used(at) => dropped.push(at),
            Some(first) => {
                same.push((at, first));
                dropped.push(at);
            }
            None => {}
        }
    }
    let results: Vec<ValueId> = body.results(op).collect();
    // Results that are not tied have the arguments behind those of operands.
    let mut next = operands.len();
    let mut elided: Vec<(usize, usize)> = Vec::new();
    for (at, &result) in results.iter().enumerate() {
        if ties.get(at).copied().flatten().is_some() {
            continue;
        }
        let Some(&arg) = args.get(next) else { return false };
        if body.is_unused(result) && !is_read(body, arg) {
            elided.push((at, next));
        }
        next += 1;
    }
    if dropped.is_empty() && elided.is_empty() {
        return rw.no_match(op, "uses all that it takes, and all that it gives is used");
    }
    if !elided.is_empty() && elided.len() == results.len() {
        rw.erase(op);
        return true;
    }
    for (at, first) in same {
        rw.replace_all_uses(args[at], args[first]);
    }
    for &(_, arg) in &elided {
        erase_uses(rw, args[arg]);
    }
    let gone: Vec<usize> =
        dropped.iter().copied().chain(elided.iter().map(|&(_, arg)| arg)).collect();
    for at in (0..args.len()).rev().filter(|at| gone.contains(at)) {
        rw.remove_block_arg(block, at);
    }
    let elided: Vec<usize> = elided.into_iter().map(|(at, _)| at).collect();
    replace(rw, op, &dropped, &elided);
    true
}

/// For each result the argument that it is tied to.
fn ties(body: &Body, op: OpId) -> Vec<Option<usize>> {
    let ties = body.attr(op, "tied_operands").and_then(Attr::as_array).unwrap_or(&[]);
    ties.iter().map(|tie| usize::try_from(tie.as_int()?).ok()).collect()
}

/// Whether a dispatch reads what it gives, as its type says and what uses it does.
fn is_read(body: &Body, arg: ValueId) -> bool {
    let params = body.ty(arg).dialect_params("iree_tensor_ext.dispatch.tensor");
    let Some([access, _]) = params else { return !body.is_unused(arg) };
    match access.as_str() {
        Some("writeonly") => false,
        Some("readwrite") => {
            let mut users = body.users(arg).peekable();
            users.peek().is_none()
                || users.any(|user| !body.is(user, "iree_tensor_ext.dispatch.tensor.store"))
        }
        _ => true,
    }
}

/// Erases all that is made of a value.
fn erase_uses(rw: &mut Rewriter<'_>, value: ValueId) {
    let mut found: IndexSet<OpId> = IndexSet::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        for user in rw.body.users(value) {
            if found.insert(user) {
                open.extend(rw.body.results(user));
            }
        }
    }
    while !found.is_empty() {
        let before = found.len();
        let unused = |body: &Body, op: OpId| body.results(op).all(|result| body.is_unused(result));
        let ready: Vec<OpId> = found.iter().copied().filter(|&op| unused(rw.body, op)).collect();
        for op in ready {
            found.shift_remove(&op);
            rw.erase(op);
        }
        if found.len() == before {
            return;
        }
    }
}

/// Values with their dynamic dimensions, without those at some places.
fn kept(
    body: &Body,
    values: &[ValueId],
    dims: &[ValueId],
    drop: &[usize],
) -> (Vec<ValueId>, Vec<ValueId>) {
    let mut dims = dims.iter().copied();
    let (mut left, mut left_dims) = (Vec::new(), Vec::new());
    for (at, &value) in values.iter().enumerate() {
        let own: Vec<ValueId> = dims.by_ref().take(dynamic_dims(body.ty(value))).collect();
        if !drop.contains(&at) {
            left.push(value);
            left_dims.extend(own);
        }
    }
    (left, left_dims)
}

/// The dispatch without arguments and results; its block has lost theirs.
fn replace(rw: &mut Rewriter<'_>, op: OpId, dropped: &[usize], elided: &[usize]) {
    let registry = rw.registry;
    let body = &*rw.body;
    let group = |name: &str| registry.operands_of(body, op, name);
    let results: Vec<ValueId> = body.results(op).collect();
    let (arguments, argument_dims) =
        kept(body, &group("arguments"), &group("argument_dims"), dropped);
    let (given, result_dims) = kept(body, &results, &group("result_dims"), elided);
    let types: Vec<Type> = given.iter().map(|&result| body.ty(result)).collect();
    let moved = |tie: Option<usize>| match tie {
        Some(at) => (at - dropped.iter().filter(|&&drop| drop < at).count()) as i64,
        None => -1,
    };
    let all = ties(body, op).into_iter().enumerate().filter(|(at, _)| !elided.contains(at));
    let ties: Vec<Attr> = all.map(|(_, tie)| Attr::index(moved(tie))).collect();
    let tied = body.attr(op, "tied_operands").map(|_| Attr::array(&ties));
    let new = registry
        .new_op(body.name(op))
        .operands("workload", group("workload"))
        .operands("arguments", arguments)
        .operands("argument_dims", argument_dims)
        .operands("result_dims", result_dims)
        .results("results", types)
        .regions(2)
        .loc(body.loc(op));
    let new = rw.insert(InsertPoint::Before(op), new.build());
    let skipped = ["operandSegmentSizes", "tied_operands"];
    let attrs = rw.body.attr_entries(op).to_vec();
    rw.add_attrs(new, attrs.into_iter().filter(|(name, _)| !skipped.contains(&name.as_str())));
    if let Some(tied) = tied {
        rw.set_attr(new, "tied_operands", tied);
    }
    for number in 0..2 {
        if let (Some(from), Some(to)) = (rw.body.region(op, number), rw.body.region(new, number)) {
            rw.take_region(from, to);
        }
    }
    for (at, result) in given.into_iter().enumerate() {
        let to = rw.body.result(new, at);
        rw.replace_all_uses(result, to);
    }
    rw.erase(op);
}
