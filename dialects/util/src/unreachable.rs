//! What stands behind a point that is never reached.

use tegula_analysis::effects;
use tegula_ir::{Attr, BlockId, InsertPoint, NewOp, OpId, RegionId, ValueId, successor_operands};
use tegula_rewrite::Rewriter;

const UNREACHABLE: &str = "util.unreachable";
const SCF_UNREACHABLE: &str = "util.scf.unreachable";

/// Nothing is done behind `util.scf.unreachable`. The block of a function ends there; the terminator
/// of another region stays and passes on what nobody computes.
pub(crate) fn rest(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(block) = rw.body.parent_block(op) else {
        return rw.no_match(op, "stands nowhere");
    };
    let parent = rw.body.block_parent_op(block).and_then(|op| rw.registry.op(rw.body.name(op)));
    let free = parent.is_some_and(|info| info.def().has_trait("FunctionOpInterface"));
    let mut behind: Vec<OpId> = Vec::new();
    let mut next = rw.body.next_op(op);
    while let Some(at) = next.filter(|&at| free || rw.body.last_op(block) != Some(at)) {
        behind.push(at);
        next = rw.body.next_op(at);
    }
    // What the terminator passes on nobody sees, wherever it was computed.
    let end = rw.body.last_op(block).filter(|_| !free);
    let passed = end.map_or(0, |end| rw.body.num_operands(end));
    let slots: Vec<(OpId, usize)> = end
        .into_iter()
        .flat_map(|end| (0..passed).map(move |slot| (end, slot)))
        .filter(|&(end, slot)| {
            let from = rw.body.defining_op(rw.body.operand(end, slot));
            from.is_none_or(|from| !rw.body.is(from, "ub.poison"))
        })
        .collect();
    if behind.is_empty() && slots.is_empty() {
        return rw.no_match(op, "nothing stands behind it");
    }
    for (end, slot) in slots {
        let poison = poison(rw, op, rw.body.operand(end, slot));
        rw.set_operand(end, slot, poison);
    }
    for &at in behind.iter().rev() {
        for result in rw.body.results(at).collect::<Vec<_>>() {
            if !rw.body.is_unused(result) {
                let poison = poison(rw, op, result);
                rw.replace_all_uses(result, poison);
            }
        }
        rw.erase(at);
    }
    if free {
        let message = rw.body.attr(op, "message");
        rw.replace_with(op, NewOp::new(UNREACHABLE).attr_opt("message", message));
    }
    true
}

/// What stands for a value that is never computed.
fn poison(rw: &mut Rewriter<'_>, at: OpId, value: ValueId) -> ValueId {
    let new = NewOp::new("ub.poison")
        .attr("value", Attr::dialect("ub.poison", &[]))
        .result(rw.body.ty(value));
    rw.insert_value(InsertPoint::Before(at), new)
}

/// Whether control that comes to a block gets to a point that is never reached, and nobody can see
/// that it came.
fn is_never_reached(rw: &Rewriter<'_>, block: BlockId) -> bool {
    for op in rw.body.block_ops(block) {
        if rw.body.is(op, UNREACHABLE) || rw.body.is(op, SCF_UNREACHABLE) {
            return true;
        }
        if !effects(rw.registry, rw.body, op).is_none() {
            return false;
        }
    }
    false
}

/// A switch has the cases that control may come to.
pub(crate) fn cases(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let entry = |region: RegionId| rw.body.first_block(region);
    let never = |region: &RegionId| entry(*region).is_some_and(|block| is_never_reached(rw, block));
    let Some((&default, regions)) = rw.body.regions(op).split_first() else { return false };
    let values = rw.body.attr(op, "cases").and_then(Attr::as_dense_array).unwrap_or(&[]);
    let all = values.iter().copied().zip(regions.iter().copied());
    let kept: Vec<(i64, RegionId)> = all.filter(|(_, region)| !never(region)).collect();
    let no_default = never(&default);
    match (kept.is_empty(), no_default) {
        (true, true) => {
            let message = Attr::string("all switch cases unreachable");
            let here = NewOp::new(SCF_UNREACHABLE).attr("message", message);
            rw.insert(InsertPoint::Before(op), here);
            let results: Vec<ValueId> = rw.body.results(op).collect();
            let values: Vec<ValueId> = results.iter().map(|&v| poison(rw, op, v)).collect();
            rw.replace(op, &values);
        }
        (true, false) => {
            let Some(block) = entry(default) else { return false };
            let Some(end) = rw.body.last_op(block) else { return false };
            let values: Vec<ValueId> = rw.body.operands(end).collect();
            rw.erase(end);
            rw.inline_block(block, InsertPoint::Before(op), &[]);
            rw.replace(op, &values);
        }
        // A default that is never reached has nothing to go.
        (false, _) if kept.len() == regions.len() => {
            return rw.no_match(op, "control may come to all of its cases");
        }
        (false, _) => keep_cases(rw, op, default, &kept),
    }
    true
}

/// A switch with some of its cases in the place of one with more.
fn keep_cases(rw: &mut Rewriter<'_>, op: OpId, default: RegionId, kept: &[(i64, RegionId)]) {
    let values: Vec<i64> = kept.iter().map(|(value, _)| *value).collect();
    let types: Vec<_> = rw.body.results(op).map(|value| rw.body.ty(value)).collect();
    let new = NewOp::new(rw.body.name(op))
        .operands(rw.body.operands(op))
        .attrs(rw.body.attrs(op))
        .attr("cases", Attr::i64_array(&values))
        .results(types)
        .regions(kept.len() + 1);
    let made = rw.insert(InsertPoint::Before(op), new.loc(rw.body.loc(op)));
    let from = std::iter::once(default).chain(kept.iter().map(|(_, region)| *region));
    for (from, to) in from.zip(rw.body.regions(made).to_vec()) {
        rw.take_region(from, to);
    }
    let results: Vec<ValueId> = rw.body.results(made).collect();
    rw.replace(op, &results);
}

/// A branch goes where control may come, or nowhere.
pub(crate) fn target(rw: &mut Rewriter<'_>, branch: OpId) -> bool {
    let targets = rw.body.successors(branch).to_vec();
    let open: Vec<usize> =
        (0..targets.len()).filter(|&at| !is_never_reached(rw, targets[at])).collect();
    let message = match targets.len() {
        1 => "branching to unreachable",
        _ => "both branches unreachable",
    };
    let new = match open[..] {
        [] => NewOp::new(UNREACHABLE).attr("message", Attr::string(message)),
        [at] if targets.len() > 1 => {
            let ranges = successor_operands(rw.registry, rw.body, branch);
            let Some(range) = ranges.and_then(|ranges| ranges.into_iter().nth(at)) else {
                return rw.no_match(branch, "what it passes on is not known");
            };
            let passed = range.map(|slot| rw.body.operand(branch, slot));
            NewOp::new("cf.br").operands(passed.collect::<Vec<_>>()).successor(targets[at])
        }
        _ => return rw.no_match(branch, "control may come to all of its targets"),
    };
    rw.replace_with(branch, new);
    true
}
