//! `util.range.extents`: the first and the last of what ranges cover.

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, ValueId};
use tegula_rewrite::Rewriter;

use crate::constants::constant_value;

/// A range counts once, constant ranges become one behind the others, and what one or two ranges
/// cover is computed.
pub(crate) fn fold(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let registry = rw.registry;
    let offsets = registry.operands_of(rw.body, op, "offsets");
    let lengths = registry.operands_of(rw.body, op, "lengths");
    let mut ranges: Vec<(ValueId, ValueId)> = Vec::new();
    for range in offsets.iter().copied().zip(lengths) {
        if !ranges.contains(&range) {
            ranges.push(range);
        }
    }
    let known = |body: &Body, (offset, length): (ValueId, ValueId)| {
        let (offset, length) = (constant_value(body, offset)?, constant_value(body, length)?);
        Some((offset.as_int()?, offset.as_int()?.checked_add(length.as_int()?)?))
    };
    let constants: Vec<(i64, i64)> = ranges.iter().filter_map(|&r| known(rw.body, r)).collect();
    let bounds = (constants.iter().map(|c| c.0).min(), constants.iter().map(|c| c.1).max());
    if let (Some(first), Some(end)) = bounds
        && constants.len() > 1
    {
        let Some(length) = end.checked_sub(first) else {
            return rw.no_match(op, "the constant ranges are too long");
        };
        ranges.retain(|&range| known(rw.body, range).is_none());
        ranges.push((constant(rw, op, first), constant(rw, op, length)));
    }
    let values = match ranges[..] {
        [range] => [range.0, last(rw, op, range)],
        // The constant's place among the operations is that of the other's last.
        [a, b] if known(rw.body, b).is_some() => {
            let a_last = last(rw, op, a);
            let b_last = last(rw, op, b);
            [binary(rw, op, "arith.minui", a.0, b.0), binary(rw, op, "arith.maxui", a_last, b_last)]
        }
        [a, b] => {
            let first = binary(rw, op, "arith.minui", a.0, b.0);
            let a_last = last(rw, op, a);
            let b_last = last(rw, op, b);
            [first, binary(rw, op, "arith.maxui", a_last, b_last)]
        }
        _ if ranges.len() == offsets.len() => {
            return rw.no_match(op, "all of its ranges are open");
        }
        _ => {
            let (offsets, lengths): (Vec<ValueId>, Vec<ValueId>) = ranges.into_iter().unzip();
            rw.modify(op, |body| {
                let all: Vec<ValueId> = offsets.into_iter().chain(lengths).collect();
                body.set_operands(op, &all);
            });
            return true;
        }
    };
    rw.replace(op, &values);
    true
}

/// The last of a range that is not empty.
fn last(rw: &mut Rewriter<'_>, op: OpId, (offset, length): (ValueId, ValueId)) -> ValueId {
    let end = binary(rw, op, "arith.addi", offset, length);
    let one = constant(rw, op, 1);
    binary(rw, op, "arith.subi", end, one)
}

fn binary(rw: &mut Rewriter<'_>, at: OpId, name: &'static str, a: ValueId, b: ValueId) -> ValueId {
    let new = NewOp::new(name).operand(a).operand(b).result(rw.body.ty(a));
    rw.insert_value(InsertPoint::Before(at), new)
}

/// A constant of the type of the op's results.
fn constant(rw: &mut Rewriter<'_>, op: OpId, value: i64) -> ValueId {
    let ty = rw.body.ty(rw.body.result(op, 0));
    let new = NewOp::new("arith.constant").attr("value", Attr::int(value.into(), ty)).result(ty);
    rw.insert_value(InsertPoint::Before(op), new)
}
