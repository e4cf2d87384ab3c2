//! What ops declare about the bytes that they use: whether constant ranges lie in what they are
//! ranges of, and apart where they have to.
//!
//! `Range<"value", "size", "offset", "length">` says that an op uses a range of an operand, or of
//! each of a group; `ElementAt<"value", "size", "offset", "element">` that the range is that of one
//! element, and `Subrange` that the range is the result. `DisjointRanges` says that the ranges do
//! not overlap.

use tegula_ir::{Attr, Body, OpId, Registry, Type, ValueId};

use crate::machine::constant_of;
use crate::sizes::{operands_named, results_named, size_of};

/// A walk over ranges of ranges ends after this many.
const MAX_RANGES: usize = 256;

/// A range of bytes that an op uses; parts that are not constant are not there.
#[derive(Clone, Copy)]
struct Used {
    value: ValueId,
    size: Option<i64>,
    offset: Option<i64>,
    length: Option<i64>,
}

/// What is wrong with the ranges that an op uses, as far as they are constant.
pub fn wrong_ranges(registry: &Registry, body: &Body, op: OpId) -> Option<String> {
    let def = registry.op(body.name(op))?.def();
    let used = used(registry, body, op);
    used.iter().find_map(outside).or_else(|| {
        let [first, second] = used[..] else { return None };
        def.has_trait("DisjointRanges").then(|| overlap(registry, body, first, second))?
    })
}

/// The ranges that the traits of an op tell of.
fn used(registry: &Registry, body: &Body, op: OpId) -> Vec<Used> {
    let Some(info) = registry.op(body.name(op)) else { return Vec::new() };
    let def = info.def();
    let constant = |value| constant_of(registry, body, value).and_then(Attr::as_int);
    let mut all = Vec::new();
    for declared in def.traits.iter() {
        let (names, is_element) = match (declared.name.as_ref(), declared.args.as_ref()) {
            ("Range", [value, size, offset, length]) => ([value, size, offset, length], false),
            ("ElementAt", [value, size, offset, element]) => ([value, size, offset, element], true),
            ("Subrange", [_, source, size, offset, length]) => {
                ([source, size, offset, length], false)
            }
            _ => continue,
        };
        let [value, size, offset, length] = names;
        let operands = |name: &str| operands_named(registry, body, op, def, name);
        let Some(values) = operands(value) else { continue };
        for (at, index) in values.enumerate() {
            let value = body.operand(op, index);
            let number = |name: &str| {
                operands(name)?.nth(at).and_then(|operand| constant(body.operand(op, operand)))
            };
            let size = match size.is_empty() {
                true => size_of(registry, body, value, op).and_then(constant),
                false => number(size),
            };
            let length = match is_element {
                true => element_type(registry, body, op, length).and_then(bytes_of),
                false => number(length),
            };
            all.push(Used { value, size, offset: number(offset), length });
        }
    }
    all
}

/// The type of the operand or result of that name.
fn element_type(registry: &Registry, body: &Body, op: OpId, name: &str) -> Option<Type> {
    let def = registry.op(body.name(op))?.def();
    let operand = operands_named(registry, body, op, def, name);
    if let Some(at) = operand.and_then(|group| group.into_iter().next()) {
        return Some(body.ty(body.operand(op, at)));
    }
    let result = results_named(registry, body, op, def, name)?.next()?;
    Some(body.ty(body.result(op, result)))
}

fn bytes_of(ty: Type) -> Option<i64> {
    Some(i64::from(ty.bit_width()?.div_ceil(8)))
}

fn outside(range: &Used) -> Option<String> {
    let (offset, length) = (range.offset.unwrap_or(0), range.length.unwrap_or(0));
    if offset < 0 || length < 0 {
        return Some(format!("a range of {length} bytes from byte {offset} on is none"));
    }
    let size = range.size?;
    if offset.checked_add(length).is_some_and(|end| end <= size) {
        return None;
    }
    Some(match (range.offset, range.length) {
        (Some(_), Some(_)) => {
            format!("{length} bytes from byte {offset} on go beyond the {size} that there are")
        }
        (Some(_), None) => format!("byte {offset} lies beyond the {size} that there are"),
        _ => format!("{length} bytes are more than the {size} that there are"),
    })
}

/// Whether two ranges of equal length meet.
fn overlap(registry: &Registry, body: &Body, first: Used, second: Used) -> Option<String> {
    let whole = |range: Used| {
        let (mut value, mut offset) = (range.value, range.offset?);
        for _ in 0..MAX_RANGES {
            let Some(def) = body.defining_op(value) else { break };
            let is_part =
                registry.op(body.name(def)).is_some_and(|i| i.def().has_trait("Subrange"));
            let Some(&Used { value: source, offset: Some(start), .. }) =
                used(registry, body, def).first().filter(|_| is_part)
            else {
                break;
            };
            (value, offset) = (source, offset.checked_add(start)?);
        }
        Some((value, offset))
    };
    let ((one, from), (other, to)) = (whole(first)?, whole(second)?);
    let length = first.length.filter(|&length| length > 0)?;
    let apart = from.abs_diff(to);
    (one == other && i64::try_from(apart).is_ok_and(|apart| apart < length)).then(|| {
        format!(
            "{length} bytes from byte {from} on overlap with those from byte {to} on of the same memory"
        )
    })
}
