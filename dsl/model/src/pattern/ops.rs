//! The ops that patterns name, by their definitions.

use std::collections::BTreeMap;

use tegula_diag::Diagnostic;
use tegula_record::Record;
use tegula_schema::{Arity, OpDef, Segment, ValueDef};

use crate::cx::Get;

/// All ops by the names of their `.td` definitions.
#[derive(Default)]
pub(crate) struct OpTable {
    ops: BTreeMap<String, OpDef>,
}

impl OpTable {
    /// The table of these ops.
    pub(crate) fn new<'o>(ops: impl IntoIterator<Item = &'o OpDef>) -> OpTable {
        let ops = ops.into_iter().map(|op| (op.def_name.to_string(), op.clone()));
        OpTable { ops: ops.collect() }
    }

    /// How many results a record's op has; none when that depends.
    pub(super) fn results(&self, record: &Record) -> Option<usize> {
        self.ops.get(&*record.name).and_then(number_of_results)
    }

    /// The `.td` name of an op that makes a constant.
    pub(super) fn constant(&self) -> Option<&str> {
        let mut ops = self.ops.values();
        let op = ops.find(|op| op.has_trait("ConstantLike") && op.operands.is_empty())?;
        Some(&op.def_name)
    }

    /// The op that a record defines.
    pub(super) fn get(&self, record: &Record) -> Option<OpDef> {
        self.ops.get(&*record.name).cloned()
    }
}

/// How many results an op has; none when that depends.
pub(super) fn number_of_results(op: &OpDef) -> Option<usize> {
    op.results.iter().all(|r| r.arity == Arity::One).then_some(op.results.len())
}

/// One of an op's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Operand(usize),
    Attr(usize),
}

/// The arguments of an op in the order of its definition.
pub(super) fn slots(record: &Record, op: &OpDef) -> Vec<Slot> {
    let Some(dag) = record.graph("arguments") else { return Vec::new() };
    let names = dag.args.iter().filter_map(|arg| arg.name.as_deref());
    names
        .filter_map(|name| {
            op.operand_index(name)
                .map(Slot::Operand)
                .or_else(|| op.attr_index(name).map(Slot::Attr))
        })
        .collect()
}

/// Says which arguments an op takes where it is given `count` of them.
pub(super) fn arity_mismatch(op: &OpDef, slots: &[Slot], count: usize) -> Diagnostic {
    let name = |slot: &Slot| match *slot {
        Slot::Operand(index) => op.operands.get(index).map_or("?", |o| o.name.as_ref()),
        Slot::Attr(index) => op.attrs.get(index).map_or("?", |a| a.name.as_ref()),
    };
    let names: Vec<&str> = slots.iter().map(name).collect();
    let plural = if slots.len() == 1 { "" } else { "s" };
    let names = names.join(", ");
    let message =
        format!("`{}` takes {} argument{plural} ({names}), not {count}", op.name, slots.len(),);
    Diagnostic::error("pattern-arity", message)
}

/// Whether group sizes stand in an attribute.
pub(super) fn has_segments(op: &OpDef, results: bool) -> bool {
    op.has_trait(if results { "AttrSizedResultSegments" } else { "AttrSizedOperandSegments" })
}

/// Where a group lies; none when that depends on more than the count of values.
pub(super) fn segment(op: &OpDef, results: bool, index: usize) -> Option<Segment> {
    let groups: &[ValueDef] = if results { &op.results } else { &op.operands };
    let number = u16::try_from(index).ok()?;
    if has_segments(op, results) {
        return Some(Segment::Sized(number));
    }
    let flexible: Vec<usize> =
        groups.iter().enumerate().filter(|(_, g)| g.arity != Arity::One).map(|(i, _)| i).collect();
    let after = u16::try_from(groups.len() - 1 - index).ok()?;
    let even = if results { "SameVariadicResultSize" } else { "SameVariadicOperandSize" };
    if flexible.len() > 1 && op.has_trait(even) {
        let shares_before = flexible.iter().filter(|&&at| at < index).count();
        return Some(Segment::Even {
            before: u16::try_from(index - shares_before).ok()?,
            shares_before: u16::try_from(shares_before).ok()?,
            singles: u16::try_from(groups.len() - flexible.len()).ok()?,
            shares: u16::try_from(flexible.len()).ok()?,
            share: flexible.contains(&index),
        });
    }
    match flexible.as_slice() {
        [] => Some(Segment::Index(number)),
        [one] if index < *one => Some(Segment::Index(number)),
        [one] if index > *one => Some(Segment::FromEnd(after)),
        [_] => Some(Segment::Rest { before: number, after }),
        _ => None,
    }
}
