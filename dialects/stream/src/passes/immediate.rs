//! Timepoints that have always been reached, however they come to where they are waited for.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use tegula_ir::{BlockId, Body, InsertPoint, NewOp, OpId, Registry, ValueId};
use tegula_rewrite::{Rewriter, successor_operands};

use super::support::timepoint_type;

const IMMEDIATE: &str = "stream.timepoint.immediate";

/// Names such a timepoint anew where it comes from, so that who waits for it sees what it is. Says
/// whether there was one.
pub(super) fn name_anew(rw: &mut Rewriter<'_>, root: OpId) -> bool {
    let mut changed = false;
    for value in always_reached(rw.registry, rw.body, root) {
        let made_by = rw.body.defining_op(value);
        if rw.body.is_unused(value) || made_by.is_some_and(|op| rw.body.is(op, IMMEDIATE)) {
            continue;
        }
        let at = match (made_by, rw.body.defining_block(value)) {
            (Some(op), _) => InsertPoint::After(op),
            (None, Some(block)) => InsertPoint::Start(block),
            (None, None) => continue,
        };
        let reached = rw.insert_value(at, NewOp::new(IMMEDIATE).result(timepoint_type()));
        rw.replace_all_uses(value, reached);
        changed = true;
    }
    changed
}

/// All timepoints below an op that are nothing but such ones: all are taken for them that come from
/// somewhere known, and then those are not that depend on others.
fn always_reached(registry: &Registry, body: &Body, root: OpId) -> Vec<ValueId> {
    let timepoint = timepoint_type();
    let mut sources: IndexMap<ValueId, Vec<ValueId>> = IndexMap::new();
    let mut note = |value: ValueId, from: Option<Vec<ValueId>>| {
        if body.ty(value) == timepoint
            && let Some(from) = from
        {
            sources.insert(value, from);
        }
    };
    for op in body.walk(root) {
        for (index, result) in body.results(op).enumerate() {
            note(result, of_result(body, op, index));
        }
        for (number, &region) in body.regions(op).iter().enumerate() {
            for (place, block) in body.blocks(region).enumerate() {
                for (index, &arg) in body.block_args(block).iter().enumerate() {
                    let from = match place {
                        0 => of_entry(body, op, number, index),
                        _ => passed(registry, body, block, index),
                    };
                    note(arg, from);
                }
            }
        }
    }
    let mut reached: FxHashSet<ValueId> = sources.keys().copied().collect();
    loop {
        let before = reached.len();
        for (value, from) in &sources {
            if !from.iter().all(|source| reached.contains(source)) {
                reached.remove(value);
            }
        }
        if reached.len() == before {
            break;
        }
    }
    sources.into_keys().filter(|value| reached.contains(value)).collect()
}

/// The values of which a result is one, or the last to be reached; none when that is not known.
fn of_result(body: &Body, op: OpId, index: usize) -> Option<Vec<ValueId>> {
    Some(match body.name(op).as_str() {
        IMMEDIATE => Vec::new(),
        "stream.timepoint.join" => body.operands(op).collect(),
        "arith.select" => body.operands(op).skip(1).collect(),
        "scf.if" | "scf.index_switch" => {
            let regions = 0..body.regions(op).len();
            regions.map(|region| given(body, op, region, index)).collect::<Option<_>>()?
        }
        "scf.for" => carried(body, op, index)?,
        "scf.while" => vec![given(body, op, 0, index + 1)?],
        _ => return None,
    })
}

/// The same for an argument of a region's entry.
fn of_entry(body: &Body, op: OpId, region: usize, index: usize) -> Option<Vec<ValueId>> {
    match (body.name(op).as_str(), region) {
        ("scf.for", _) => carried(body, op, index.checked_sub(1)?),
        ("scf.while", 0) => Some(vec![body.operands(op).nth(index)?, given(body, op, 1, index)?]),
        ("scf.while", _) => Some(vec![given(body, op, 0, index + 1)?]),
        _ => None,
    }
}

/// What a counted loop carries: what it begins with and what a round hands on.
fn carried(body: &Body, op: OpId, index: usize) -> Option<Vec<ValueId>> {
    Some(vec![body.operands(op).nth(3 + index)?, given(body, op, 0, index)?])
}

/// What the terminator of a region's only block hands on.
fn given(body: &Body, op: OpId, region: usize, index: usize) -> Option<ValueId> {
    let end = body.last_op(body.region_entry(op, region)?)?;
    body.operands(end).nth(index)
}

/// What all branches to a block pass for an argument.
fn passed(registry: &Registry, body: &Body, block: BlockId, index: usize) -> Option<Vec<ValueId>> {
    let mut from = Vec::new();
    for pred in body.blocks(body.block_parent(block)?) {
        let Some(last) = body.last_op(pred).filter(|&op| body.successors(op).contains(&block))
        else {
            continue;
        };
        let ranges = successor_operands(registry, body, last)?;
        for (range, &to) in ranges.into_iter().zip(body.successors(last)) {
            if to == block {
                from.push(body.operand(last, range.clone().nth(index)?));
            }
        }
    }
    (!from.is_empty()).then_some(from)
}
