//! What ops declare about the bytes that they use: whether constant ranges lie in what they are
//! ranges of, and apart where they have to.
//!
//! `Range<"value", "size", "offset", "length">` says that an op uses a range of an operand, or of
//! each of a group; `ElementAt<"value", "size", "offset", "element">` that the range is that of one
//! element, and `Subrange` that the range is the result. `DisjointRanges` says that the ranges do
//! not overlap.

use tegula_analysis::Flow;
use tegula_ir::{Attr, Body, OpId, Registry, Type, ValueId};
use tegula_schema::OpDef;

use crate::fold::fold_constants;
use crate::machine::constant_of;
use crate::sizes::{made_size, operands_named, results_named, size_of};
use crate::{Patterns, Rewriter};

/// A walk over ranges of ranges ends after this many.
const MAX_RANGES: usize = 256;

/// The name of an operand in the arguments of a trait.
type Name = std::borrow::Cow<'static, str>;

/// A range of bytes that an op uses; parts that are not constant are not there.
#[derive(Clone, Copy)]
struct Used {
    value: ValueId,
    size: Option<i64>,
    offset: Option<i64>,
    length: Option<i64>,
}

/// The ranges that the ops of a body use, and what constants their numbers fold to.
pub struct Ranges<'a> {
    registry: &'a Registry,
    /// The body with everything replaced that folds; ops are those of the body that was given.
    body: Body,
    flow: Flow,
}

impl Ranges<'_> {
    /// The ranges that the ops below `root` use; none when no op declares any.
    pub fn of<'a>(
        registry: &'a Registry,
        patterns: &Patterns,
        body: &Body,
        root: OpId,
    ) -> Option<Ranges<'a>> {
        let declares = |op| registry.op(body.name(op)).is_some_and(|i| uses_ranges(i.def()));
        if !body.walk(root).any(declares) {
            return None;
        }
        let mut body = body.clone();
        fold_constants(&mut Rewriter::new(&mut body, registry), patterns, root);
        let flow = Flow::of(registry, &body, root);
        Some(Ranges { registry, body, flow })
    }

    /// What is wrong with the ranges that an op uses, as far as they are constant.
    pub fn wrong(&self, op: OpId) -> Option<String> {
        let def = self.registry.op(self.body.name(op))?.def();
        let used = self.used(op);
        used.iter().find_map(outside).or_else(|| {
            let [first, second] = used[..] else { return None };
            def.has_trait("DisjointRanges").then(|| self.overlap(first, second))?
        })
    }

    /// The number that a value is, wherever it was passed through.
    fn constant(&self, value: ValueId) -> Option<i64> {
        let from = self.passed(value);
        constant_of(self.registry, &self.body, from).and_then(Attr::as_int)
    }

    /// The value that a block or region was given for one of its arguments, if that is just one.
    fn passed(&self, mut value: ValueId) -> ValueId {
        for _ in 0..MAX_RANGES {
            let [(source, _)] = self.flow.sources(value) else { break };
            value = *source;
        }
        value
    }

    /// The ranges that the traits of an op tell of.
    fn used(&self, op: OpId) -> Vec<Used> {
        let (registry, body) = (self.registry, &self.body);
        let Some(info) = registry.op(body.name(op)) else { return Vec::new() };
        let def = info.def();
        let mut all = Vec::new();
        for ([value, size, offset, length], is_element) in declared(def) {
            let operands = |name: &str| operands_named(registry, body, op, def, name);
            let Some(values) = operands(value) else { continue };
            for (at, index) in values.enumerate() {
                let value = body.operand(op, index);
                let number = |name: &str| {
                    let operand = operands(name)?.nth(at)?;
                    self.constant(body.operand(op, operand))
                };
                let size = match size.is_empty() {
                    true => size_of(registry, body, value, op).and_then(|s| self.constant(s)),
                    false => number(size),
                };
                let made = made_size(registry, body, self.passed(value));
                let made = made.and_then(|size| self.constant(size));
                let size = size.into_iter().chain(made).min();
                let length = match is_element {
                    true => element_type(registry, body, op, length).and_then(bytes_of),
                    false => number(length),
                };
                all.push(Used { value, size, offset: number(offset), length });
            }
        }
        all
    }

    /// Whether two ranges of equal length meet.
    fn overlap(&self, first: Used, second: Used) -> Option<String> {
        let ((one, from), (other, to)) = (self.whole(first)?, self.whole(second)?);
        let length = first.length.filter(|&length| length > 0)?;
        let apart = from.abs_diff(to);
        (one == other && i64::try_from(apart).is_ok_and(|apart| apart < length)).then(|| {
            format!(
                "{length} bytes from byte {from} on overlap with those from byte {to} on of the \
                 same memory"
            )
        })
    }

    /// What a range is a part of in the end, and from which byte on.
    fn whole(&self, range: Used) -> Option<(ValueId, i64)> {
        let (mut value, mut offset) = (range.value, range.offset?);
        for _ in 0..MAX_RANGES {
            value = self.passed(value);
            let Some(def) = self.body.defining_op(value) else { break };
            let info = self.registry.op(self.body.name(def));
            let is_part = info.is_some_and(|info| info.def().has_trait("Subrange"));
            let Some(&Used { value: source, offset: Some(start), .. }) =
                self.used(def).first().filter(|_| is_part)
            else {
                break;
            };
            (value, offset) = (source, offset.checked_add(start)?);
        }
        Some((value, offset))
    }
}

fn uses_ranges(def: &OpDef) -> bool {
    declared(def).next().is_some()
}

/// The operands that each range of an op is of and between, and whether the last is an element.
fn declared(def: &OpDef) -> impl Iterator<Item = ([&Name; 4], bool)> {
    def.traits.iter().filter_map(|declared| {
        match (declared.name.as_ref(), declared.args.as_ref()) {
            ("Range", [value, size, offset, length])
            | ("Subrange", [_, value, size, offset, length]) => {
                Some(([value, size, offset, length], false))
            }
            ("ElementAt", [value, size, offset, element]) => {
                Some(([value, size, offset, element], true))
            }
            _ => None,
        }
    })
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
