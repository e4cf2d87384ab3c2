//! Operands and results by the names of their groups.
//!
//! An op's definition divides its operands into named groups. Where more than one of them has a
//! variable size the op carries the sizes in `operandSegmentSizes` (`resultSegmentSizes`);
//! otherwise they follow from the count.

use std::ops::Range;

use smallvec::SmallVec;
use tegula_schema::{Arity, ValueDef};

use crate::{Attr, Body, NewOp, OpId, OpInfo, OpName, Registry, Type, ValueId};

/// The attribute that holds the sizes of operand groups.
pub const OPERAND_SEGMENTS: &str = "operandSegmentSizes";
/// The attribute that holds the sizes of result groups.
pub const RESULT_SEGMENTS: &str = "resultSegmentSizes";

/// The positions of each group of values.
pub type Groups = SmallVec<[Range<usize>; 4]>;

/// Divides `count` values among the groups; none when they can't be divided so.
fn divide(groups: &[ValueDef], sizes: Option<&[i64]>, count: usize) -> Option<Groups> {
    let mut ranges = Groups::new();
    let mut at = 0usize;
    let mut push = |size: usize| {
        ranges.push(at..at + size);
        at += size;
    };
    match sizes {
        Some(sizes) => {
            if sizes.len() != groups.len() {
                return None;
            }
            for &size in sizes {
                push(usize::try_from(size).ok().filter(|&s| s <= count)?);
            }
        }
        None => {
            let single = groups.iter().filter(|g| g.arity == Arity::One).count();
            let flexible = groups.len() - single;
            let rest = count.checked_sub(single)?;
            if flexible == 0 && rest != 0 || flexible > 0 && !rest.is_multiple_of(flexible) {
                return None;
            }
            for group in groups {
                push(if group.arity == Arity::One { 1 } else { rest / flexible });
            }
        }
    }
    (at == count).then_some(ranges)
}

/// The positions of operand group number `index` of an op with these groups; empty when the op's
/// operands can't be divided among them. Generated wrappers ask it with their own tables.
pub fn operand_segment(body: &Body, op: OpId, groups: &[ValueDef], index: usize) -> Range<usize> {
    let sizes = body.attr(op, OPERAND_SEGMENTS).and_then(Attr::as_dense_array);
    let ranges = divide(groups, sizes, body.num_operands(op));
    ranges.and_then(|ranges| ranges.into_iter().nth(index)).unwrap_or_default()
}

/// The positions of result group number `index`, as for operands.
pub fn result_segment(body: &Body, op: OpId, groups: &[ValueDef], index: usize) -> Range<usize> {
    let sizes = body.attr(op, RESULT_SEGMENTS).and_then(Attr::as_dense_array);
    let ranges = divide(groups, sizes, body.num_results(op));
    ranges.and_then(|ranges| ranges.into_iter().nth(index)).unwrap_or_default()
}

impl OpInfo {
    /// The operand positions of each group of an op of this kind, as the registry gives them.
    pub(crate) fn operand_groups(&self, body: &Body, op: OpId) -> Option<Groups> {
        let sizes = body.attr(op, OPERAND_SEGMENTS).and_then(Attr::as_dense_array);
        divide(&self.def().operands, sizes, body.num_operands(op))
    }

    /// The result positions likewise.
    pub(crate) fn result_groups(&self, body: &Body, op: OpId) -> Option<Groups> {
        let sizes = body.attr(op, RESULT_SEGMENTS).and_then(Attr::as_dense_array);
        divide(&self.def().results, sizes, body.num_results(op))
    }
}

impl Registry {
    /// The operand positions of each group, in order; none when the op is not defined or its
    /// operands can't be divided among its groups.
    pub fn operand_groups(&self, body: &Body, op: OpId) -> Option<Groups> {
        self.op(body.name(op))?.operand_groups(body, op)
    }

    /// The result positions of each group, in order; none as for operands.
    pub fn result_groups(&self, body: &Body, op: OpId) -> Option<Groups> {
        self.op(body.name(op))?.result_groups(body, op)
    }

    /// The operands of the group of that name; empty when there is no such group.
    pub fn operands_of(&self, body: &Body, op: OpId, group: &str) -> Vec<ValueId> {
        match self.operand_range(body, op, group) {
            Some(range) => body.operands(op).skip(range.start).take(range.len()).collect(),
            None => Vec::new(),
        }
    }

    /// The one operand of the group of that name; none when it is absent or there are several.
    pub fn operand_of(&self, body: &Body, op: OpId, group: &str) -> Option<ValueId> {
        let range = self.operand_range(body, op, group)?;
        (range.len() == 1).then(|| body.operand(op, range.start))
    }

    /// The positions of the operand group of that name.
    pub fn operand_range(&self, body: &Body, op: OpId, group: &str) -> Option<Range<usize>> {
        let index = self.op(body.name(op))?.def().operand_index(group)?;
        self.operand_groups(body, op)?.into_iter().nth(index)
    }

    /// The results of the group of that name; empty when there is no such group.
    pub fn results_of(&self, body: &Body, op: OpId, group: &str) -> Vec<ValueId> {
        let range = (|| {
            let index = self.op(body.name(op))?.def().result_index(group)?;
            self.result_groups(body, op)?.into_iter().nth(index)
        })();
        match range {
            Some(range) => body.results(op).skip(range.start).take(range.len()).collect(),
            None => Vec::new(),
        }
    }

    /// Gives an op other operands in the group of that name, and the sizes that follow. Nothing
    /// happens when there is no such group.
    pub fn set_operands_of(&self, body: &mut Body, op: OpId, group: &str, values: &[ValueId]) {
        let Some(range) = self.operand_range(body, op, group) else { return };
        let mut all: Vec<ValueId> = body.operands(op).collect();
        let grown = values.len() != range.len();
        all.splice(range, values.iter().copied());
        if grown && let Some(sizes) = body.attr(op, OPERAND_SEGMENTS).and_then(Attr::as_dense_array)
        {
            let index = self.op(body.name(op)).and_then(|info| info.def().operand_index(group));
            let mut sizes: Vec<i32> = sizes.iter().map(|&s| s as i32).collect();
            if let Some(size) = index.and_then(|i| sizes.get_mut(i)) {
                *size = values.len() as i32;
            }
            body.set_attr(op, OPERAND_SEGMENTS, Attr::i32_array(&sizes));
        }
        body.set_operands(op, &all);
    }

    /// Starts the description of an op whose operands and results are given by group.
    pub fn new_op(&self, name: impl Into<OpName>) -> GroupedOp<'_> {
        let name = name.into();
        let (operands, results) = match self.op(name) {
            Some(info) => (info.def().operands.len(), info.def().results.len()),
            None => (0, 0),
        };
        GroupedOp {
            registry: self,
            new: NewOp::new(name),
            operands: vec![Vec::new(); operands],
            results: vec![Vec::new(); results],
        }
    }
}

/// The description of an op by the names of its groups. Groups that are not given are empty.
pub struct GroupedOp<'r> {
    registry: &'r Registry,
    new: NewOp,
    operands: Vec<Vec<ValueId>>,
    results: Vec<Vec<Type>>,
}

impl GroupedOp<'_> {
    /// Adds operands to the group of that name. Panics when the definition has no such group,
    /// which is a mistake of the caller and not of its input.
    pub fn operands(mut self, group: &str, values: impl IntoIterator<Item = ValueId>) -> Self {
        let index =
            self.registry.op(self.new.name).and_then(|info| info.def().operand_index(group));
        match index {
            Some(index) => self.operands[index].extend(values),
            None => panic!("{} has no operand group `{group}`", self.new.name),
        }
        self
    }

    /// Adds types to the result group of that name. Panics as for operands.
    pub fn results(mut self, group: &str, types: impl IntoIterator<Item = Type>) -> Self {
        let index = self.registry.op(self.new.name).and_then(|info| info.def().result_index(group));
        match index {
            Some(index) => self.results[index].extend(types),
            None => panic!("{} has no result group `{group}`", self.new.name),
        }
        self
    }

    /// Adds an attribute.
    pub fn attr(mut self, name: &str, attr: Attr) -> Self {
        self.new = self.new.attr(name, attr);
        self
    }

    /// Adds an attribute when there is one.
    pub fn attr_opt(mut self, name: &str, attr: Option<Attr>) -> Self {
        self.new = self.new.attr_opt(name, attr);
        self
    }

    /// Sets the number of regions.
    pub fn regions(mut self, count: usize) -> Self {
        self.new = self.new.regions(count);
        self
    }

    /// Sets the location.
    pub fn loc(mut self, loc: Attr) -> Self {
        self.new = self.new.loc(loc);
        self
    }

    /// The description, with the sizes of its groups where the op carries them.
    pub fn build(self) -> NewOp {
        let mut new = self.new;
        if let Some(info) = self.registry.op(new.name) {
            let sizes = |counts: Vec<i32>| Attr::i32_array(&counts);
            if info.sized_operands {
                let counts = self.operands.iter().map(|g| g.len() as i32).collect();
                new = new.attr(OPERAND_SEGMENTS, sizes(counts));
            }
            if info.sized_results {
                let counts = self.results.iter().map(|g| g.len() as i32).collect();
                new = new.attr(RESULT_SEGMENTS, sizes(counts));
            }
        }
        new.operands(self.operands.into_iter().flatten())
            .results(self.results.into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(arity: Arity) -> ValueDef {
        ValueDef { arity, ..ValueDef::default() }
    }

    #[test]
    fn counts_decide_a_single_flexible_group() {
        let groups = [group(Arity::One), group(Arity::Variadic), group(Arity::One)];
        assert_eq!(divide(&groups, None, 5), Some([0..1, 1..4, 4..5].into_iter().collect()));
        assert_eq!(divide(&groups, None, 2), Some([0..1, 1..1, 1..2].into_iter().collect()));
        assert_eq!(divide(&groups, None, 1), None);
    }

    #[test]
    fn sizes_must_add_up() {
        let groups = [group(Arity::Variadic), group(Arity::Optional)];
        assert_eq!(divide(&groups, Some(&[2, 1]), 3), Some([0..2, 2..3].into_iter().collect()));
        assert_eq!(divide(&groups, Some(&[2, 1]), 4), None);
        assert_eq!(divide(&groups, Some(&[-1, 1]), 0), None);
        assert_eq!(divide(&groups, Some(&[3]), 3), None);
    }
}
