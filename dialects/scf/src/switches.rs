//! Switches that decide by the same value.

use tegula_ir::{InsertPoint, NewOp, OpId, ValueId};
use tegula_rewrite::Rewriter;

const SWITCH: &str = "scf.index_switch";

/// A switch right behind another one that has the same cases of the same value: what both do in a
/// case is done by one. What the second takes of the results of the first is what the case gives.
pub(crate) fn merge(rw: &mut Rewriter<'_>, second: OpId) -> bool {
    let body = &*rw.body;
    let Some(first) = body.prev_op(second).filter(|&op| body.is(op, SWITCH)) else {
        return rw.no_match(second, "no switch stands right before it");
    };
    let same = body.operands(first).eq(body.operands(second))
        && body.attr(first, "cases") == body.attr(second, "cases")
        && body.regions(first).len() == body.regions(second).len();
    if !same {
        return rw.no_match(second, "the switch before it decides otherwise");
    }
    let ends = |op: OpId| {
        body.regions(op).iter().all(|&region| {
            let last = body.first_block(region).and_then(|block| body.last_op(block));
            last.is_some_and(|last| body.is(last, "scf.yield"))
        })
    };
    if !ends(first) || !ends(second) {
        return rw.no_match(second, "a case does not end in a yield");
    }
    let count = body.regions(first).len();
    let results: Vec<ValueId> = body.results(first).collect();
    let types = body.results(first).chain(body.results(second)).map(|value| body.ty(value));
    let new = NewOp::new(SWITCH)
        .operands(body.operands(first))
        .attrs(body.attrs(first))
        .results(types.collect::<Vec<_>>())
        .regions(count)
        .loc(body.loc(first));
    let made = rw.insert(InsertPoint::Before(second), new);
    for case in 0..count {
        append(rw, (first, &results), second, made, case);
    }
    let all: Vec<ValueId> = rw.body.results(made).collect();
    let (of_first, of_second) = all.split_at(results.len());
    rw.replace(first, of_first);
    rw.replace(second, of_second);
    true
}

/// Moves what two switches do in a case to a third.
fn append(
    rw: &mut Rewriter<'_>,
    (first, results): (OpId, &[ValueId]),
    second: OpId,
    made: OpId,
    case: usize,
) {
    let region = |rw: &Rewriter<'_>, op: OpId| rw.body.region(op, case);
    let (Some(from), Some(then), Some(to)) =
        (region(rw, first), region(rw, second), region(rw, made))
    else {
        return;
    };
    rw.take_region(from, to);
    let last = |rw: &Rewriter<'_>, region| {
        let block = rw.body.first_block(region)?;
        Some((block, rw.body.last_op(block)?))
    };
    let (Some((_, end)), Some((block, end_then))) = (last(rw, to), last(rw, then)) else { return };
    let given: Vec<ValueId> = rw.body.operands(end).collect();
    for (&result, &value) in results.iter().zip(&given) {
        rw.replace_uses_if(result, value, |body, slot| {
            let mut at = Some(body.use_owner(slot));
            while let Some(op) = at {
                if body.parent_block(op) == Some(block) {
                    return true;
                }
                at = body.parent_op(op);
            }
            false
        });
    }
    let given_then: Vec<ValueId> = rw.body.operands(end_then).collect();
    rw.erase(end_then);
    rw.inline_block(block, InsertPoint::Before(end), &[]);
    rw.set_operands(end, &[given, given_then].concat());
}
