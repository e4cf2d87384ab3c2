//! What terminators pass to the blocks that they go to.

use std::ops::Range;

use tegula_schema::{Arity, OpDef};

use crate::{Attr, Body, OpId, Registry};

/// The operands that a terminator passes to each of its successors; none for operands that are
/// passed elsewhere.
pub fn successor_operands(registry: &Registry, body: &Body, op: OpId) -> Option<Vec<Range<usize>>> {
    let def = registry.op(body.name(op))?.def();
    let groups = registry.operand_groups(body, op)?;
    let mut ranges = Vec::new();
    for successor in def.successors.iter() {
        let name = successor.operands.as_ref()?;
        let group = groups.get(def.operand_index(name)?)?.clone();
        if successor.arity != Arity::Variadic {
            ranges.push(group);
            continue;
        }
        let mut at = group.start;
        for size in segments(body, op, def, name)? {
            ranges.push(at..at + size);
            at += size;
        }
    }
    (ranges.len() == body.successors(op).len()).then_some(ranges)
}

/// The attribute that divides an operand group among successors.
pub fn segments_attr<'a>(def: &'a OpDef, group: &str) -> Option<&'a str> {
    let declared = def.traits.iter().filter(|t| t.name == "SegmentsBy");
    let mut args = declared.filter_map(|t| t.args.as_ref().first_chunk::<2>());
    args.find(|[operands, _]| operands == group).map(|[_, attribute]| attribute.as_ref())
}

/// How many operands of a group go to each successor.
fn segments(body: &Body, op: OpId, def: &OpDef, group: &str) -> Option<Vec<usize>> {
    let sizes = body.attr(op, segments_attr(def, group)?).and_then(Attr::as_dense_array)?;
    sizes.iter().map(|&size| usize::try_from(size).ok()).collect()
}
