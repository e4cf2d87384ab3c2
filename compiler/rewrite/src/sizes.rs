//! What ops declare about the values that they make and use: sizes and ties.
//!
//! The trait `SizeOf<"values", "sizes">` says that a group of operands or results has its sizes in
//! an operand group; only values whose type is a `SizeAwareType` have one. `TiedResult<"result",
//! "operand">` says that results are operands under new names, and `TiedResultsBy<"attr",
//! "operands">` that an attribute lists for each result the operand that it is, or -1.

use std::ops::Range;

use tegula_analysis::Dominance;
use tegula_ir::{Body, OpId, Registry, TypeData, ValueId};
use tegula_schema::OpDef;

/// A walk over ties ends after this many values.
const MAX_TIES: usize = 256;

/// A value that stands for the size of `value` and can be used at `at`.
///
/// What the value is made of is asked first: the op that defines it, through ties, knows the size
/// wherever the value can be used. Then the users are, nearest use first, whose size operands must
/// be visible at `at`.
pub fn size_of(registry: &Registry, body: &Body, value: ValueId, at: OpId) -> Option<ValueId> {
    if let Some(size) = made_size(registry, body, value) {
        return Some(size);
    }
    let mut open = vec![value];
    let mut seen = 0;
    while let Some(value) = open.pop() {
        seen += 1;
        if seen > MAX_TIES {
            return None;
        }
        for slot in body.uses(value) {
            let user = body.use_owner(slot);
            if let Some(size) = declared_size(registry, body, user, Side::Operands, value)
                && size != value
                && visible(body, size, at)
            {
                return Some(size);
            }
            let operand = body.use_index(slot);
            // What an op says the size of its result is need not be that of what it is tied to.
            for result in body.results(user) {
                if tied_operand(registry, body, result) == Some((user, operand))
                    && declared_size(registry, body, user, Side::Results, result).is_none()
                {
                    open.push(result);
                }
            }
        }
    }
    None
}

/// The size that what a value is made of says.
pub(crate) fn made_size(registry: &Registry, body: &Body, value: ValueId) -> Option<ValueId> {
    ties(registry, body, value).into_iter().find_map(|tied| {
        declared_size(registry, body, body.defining_op(tied)?, Side::Results, tied)
    })
}

/// Whether a value can be used at an op. Trees of dominators are made only when blocks differ.
pub(crate) fn visible(body: &Body, value: ValueId, at: OpId) -> bool {
    if Dominance::default().value_dominates(body, value, at) {
        return true;
    }
    let region = body.defining_block(value).and_then(|block| body.block_parent(block));
    region.is_some_and(|region| body.blocks(region).nth(1).is_some())
        && Dominance::new(body).value_dominates(body, value, at)
}

/// Whether an op comes before another on every way to it.
pub(crate) fn precedes(body: &Body, first: OpId, then: OpId) -> bool {
    let region = body.parent_block(first).and_then(|block| body.block_parent(block));
    Dominance::default().properly_dominates(body, first, then)
        || (region.is_some_and(|region| body.blocks(region).nth(1).is_some())
            && Dominance::new(body).properly_dominates(body, first, then))
}

/// A value and all that it is tied to through the ops that define it, nearest first.
pub fn ties(registry: &Registry, body: &Body, value: ValueId) -> Vec<ValueId> {
    let mut all = vec![value];
    let mut at = value;
    while let Some((op, operand)) = tied_operand(registry, body, at) {
        at = body.operand(op, operand);
        if all.len() == MAX_TIES || all.contains(&at) {
            break;
        }
        all.push(at);
    }
    all
}

/// The op that defines a value, and the operand of it that the value is tied to.
pub fn tied_operand(registry: &Registry, body: &Body, value: ValueId) -> Option<(OpId, usize)> {
    let op = body.defining_op(value)?;
    let def = registry.op(body.name(op))?.def();
    let index = body.results(op).position(|result| result == value)?;
    for tie in def.traits.iter() {
        let [first, second] = tie.args.as_ref() else { continue };
        match tie.name.as_ref() {
            "TiedResult" => {
                let results = results_named(registry, body, op, def, first)?;
                let operands = operands_named(registry, body, op, def, second)?;
                if results.contains(&index) {
                    let at = operands.start + (index - results.start);
                    return operands.contains(&at).then_some((op, at));
                }
            }
            "TiedResultsBy" => {
                let operands = operands_named(registry, body, op, def, second)?;
                let indices = body.attr(op, first)?.as_array()?;
                let tied = usize::try_from(indices.get(index)?.as_int()?).ok()?;
                let at = operands.start.checked_add(tied)?;
                return operands.contains(&at).then_some((op, at));
            }
            _ => {}
        }
    }
    None
}

/// The size that the op that makes a value declares for it.
pub fn result_size(registry: &Registry, body: &Body, value: ValueId) -> Option<ValueId> {
    declared_size(registry, body, body.defining_op(value)?, Side::Results, value)
}

/// The size that an op declares for a value that it uses.
pub fn operand_size(
    registry: &Registry,
    body: &Body,
    user: OpId,
    value: ValueId,
) -> Option<ValueId> {
    declared_size(registry, body, user, Side::Operands, value)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Operands,
    Results,
}

/// The size that an op declares for one of its operands or results.
fn declared_size(
    registry: &Registry,
    body: &Body,
    op: OpId,
    side: Side,
    value: ValueId,
) -> Option<ValueId> {
    let def = registry.op(body.name(op))?.def();
    for rule in def.traits.iter().filter(|t| t.name == "SizeOf") {
        let [values, sizes] = rule.args.as_ref() else { continue };
        let group = match side {
            Side::Operands => operands_named(registry, body, op, def, values),
            Side::Results => results_named(registry, body, op, def, values),
        };
        let (Some(group), Some(sizes)) = (group, operands_named(registry, body, op, def, sizes))
        else {
            continue;
        };
        let all = |index: usize| match side {
            Side::Operands => body.operand(op, index),
            Side::Results => body.result(op, index),
        };
        let Some(at) = group.clone().position(|index| all(index) == value) else { continue };
        let sized = |&index: &usize| is_size_aware(registry, body, all(index));
        if !sized(&(group.start + at)) {
            continue;
        }
        let before = group.take(at).filter(sized).count();
        let size = sizes.start + before;
        if sizes.contains(&size) {
            return Some(body.operand(op, size));
        }
    }
    None
}

fn is_size_aware(registry: &Registry, body: &Body, value: ValueId) -> bool {
    match body.ty(value).data() {
        TypeData::Dialect { name, .. } => registry
            .ty(name.as_str())
            .is_some_and(|(_, def)| def.traits.iter().any(|name| name == "SizeAwareType")),
        _ => false,
    }
}

pub(crate) fn operands_named(
    registry: &Registry,
    body: &Body,
    op: OpId,
    def: &OpDef,
    name: &str,
) -> Option<Range<usize>> {
    let index = def.operand_index(name)?;
    registry.operand_groups(body, op)?.get(index).cloned()
}

pub(crate) fn results_named(
    registry: &Registry,
    body: &Body,
    op: OpId,
    def: &OpDef,
    name: &str,
) -> Option<Range<usize>> {
    let index = def.results.iter().position(|result| result.name == name)?;
    registry.result_groups(body, op)?.get(index).cloned()
}
