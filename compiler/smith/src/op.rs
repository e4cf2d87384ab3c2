//! One op: attributes, operands, results, regions, in this order; then it is verified.

use tegula_ir::{
    Attr, AttrData, BlockId, Ident, InsertPoint, NewOp, OPERAND_SEGMENTS, OpId, OpInfo, OpName,
    RESULT_SEGMENTS, Type, ValueId,
};
use tegula_schema::{Arity, Derivation, Slot, TypeRule, ValueDef};

use crate::rules::Slots;
use crate::{Maker, is_function};

/// What an op has to be like.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// The types of its results.
    pub(crate) results: Option<Vec<Type>>,
    /// The values of the operand group that it passes on, or of its last variable one.
    pub(crate) passes: Option<Vec<ValueId>>,
    /// Where it goes.
    pub(crate) successors: Vec<BlockId>,
}

/// What blocks end in that are not complete; no dialect defines it.
const OPEN: &str = "smith.open";

/// Each group of variable size has at most this many values.
const MOST: usize = 3;

impl<'r> Maker<'_, 'r> {
    /// Makes an op at the end of a block; none when what is drawn is refused.
    pub(crate) fn make(
        &mut self,
        info: &'r OpInfo,
        block: BlockId,
        asked: &Asked,
        depth: usize,
    ) -> Option<OpId> {
        let def = info.def();
        let mut slots = Slots {
            registry: self.registry,
            info,
            attrs: vec![None; def.attrs.len()],
            operands: vec![None; def.operands.len()],
            results: vec![None; def.results.len()],
        };
        if let Some(results) = &asked.results {
            slots.results = divide(&def.results, results)?.into_iter().map(Some).collect();
        }
        let callee = self.callee(info);
        for (at, attr) in def.attrs.iter().enumerate() {
            let needed = !attr.optional && attr.default.is_none();
            if attr.name == OPERAND_SEGMENTS || attr.name == RESULT_SEGMENTS {
                continue;
            }
            let wished = self.smith.options.optional_attrs && self.random.one_in(3);
            if !needed && !wished {
                continue;
            }
            let value = match callee {
                Some(at) if attr.name == "callee" => Some(Attr::symbol(&self.symbols[at].name)),
                _ => {
                    let ty = self.typed_as(&slots, at);
                    self.attr(info, attr, ty)
                }
            };
            match value {
                Some(value) => slots.attrs[at] = Some(value),
                None if needed => return None,
                None => {}
            }
        }
        let signature = callee.and_then(|at| self.symbols[at].signature.clone());
        let operands = match &signature {
            Some((inputs, results)) => {
                slots.results = divide(&def.results, results)?.into_iter().map(Some).collect();
                let values: Option<Vec<ValueId>> =
                    inputs.iter().map(|&ty| self.value(ty, block, depth)).collect();
                divide(&def.operands, &values?)?
            }
            None => self.operands(&mut slots, asked, block, depth)?,
        };
        self.results(&mut slots)?;
        let new = described(&slots, &operands, asked);
        let count = self.region_count(info);
        let open = self.end_of_open(block);
        let at = match open {
            Some(end) if info.terminator => {
                self.body.erase(end);
                InsertPoint::End(block)
            }
            Some(end) => InsertPoint::Before(end),
            None => InsertPoint::End(block),
        };
        let op = self.body.insert(at, new.regions(count));
        self.left = self.left.saturating_sub(1);
        if self.regions(op, info, depth).is_some() && self.verifies(op) {
            return Some(op);
        }
        self.body.erase(op);
        if info.terminator && open.is_some() {
            self.open(block);
        }
        None
    }

    /// Lets a block end in an op that is not known, until it ends as it should: so nothing is wrong
    /// with what is in it already.
    pub(crate) fn open(&mut self, block: BlockId) {
        self.body.insert(InsertPoint::End(block), NewOp::new(OpName::of(OPEN)));
    }

    fn end_of_open(&self, block: BlockId) -> Option<OpId> {
        self.body.last_op(block).filter(|&op| self.body.is(op, OPEN))
    }

    /// The type that an attribute has to have, when a result has its type.
    fn typed_as(&self, slots: &Slots<'_>, at: usize) -> Option<Type> {
        let slot = Slot::Attr(at as u16);
        let rule = slots.info.def().type_rules.iter().find_map(|rule| match rule {
            TypeRule::Derived { from, to: Slot::Result(to), how: Derivation::AttrType, .. }
                if *from == slot =>
            {
                Some(usize::from(*to))
            }
            TypeRule::Same(all) if all.contains(&slot) => all.iter().find_map(|slot| match slot {
                Slot::Result(to) => Some(usize::from(*to)),
                _ => None,
            }),
            _ => None,
        });
        let holder = slots.info.constant_like.then_some(0);
        slots.results.get(rule.or(holder)?)?.as_ref()?.first().copied()
    }

    /// A function that a call may name.
    fn callee(&mut self, info: &OpInfo) -> Option<usize> {
        if !info.def().has_trait("CallOpInterface") {
            return None;
        }
        let home = &info.dialect().def.name;
        let known: Vec<usize> = (0..self.symbols.len())
            .filter(|&at| self.symbols[at].dialect == *home && self.symbols[at].signature.is_some())
            .collect();
        self.random.choose(&known).copied()
    }

    fn operands(
        &mut self,
        slots: &mut Slots<'_>,
        asked: &Asked,
        block: BlockId,
        depth: usize,
    ) -> Option<Vec<Vec<ValueId>>> {
        let def = slots.info.def();
        let mut given = self.given(slots.info, asked, block, depth)?;
        let mut all = Vec::new();
        for (at, group) in def.operands.iter().enumerate() {
            let slot = Slot::Operand(at as u16);
            let values = match given[at].take() {
                Some(values) => values,
                None => {
                    let count = match group.arity {
                        Arity::One => 1,
                        Arity::Optional => self.random.below(2),
                        Arity::Variadic => self.random.below(MOST + 1),
                    };
                    let mut values = Vec::new();
                    for _ in 0..count {
                        values.push(self.operand(slots, slot, group, block, depth)?);
                    }
                    values
                }
            };
            slots.operands[at] = Some(values.iter().map(|&v| self.body.ty(v)).collect());
            all.push(values);
        }
        Some(all)
    }

    /// The operand groups that are asked for: what is passed on, and what blocks take.
    fn given(
        &mut self,
        info: &OpInfo,
        asked: &Asked,
        block: BlockId,
        depth: usize,
    ) -> Option<Vec<Option<Vec<ValueId>>>> {
        let def = info.def();
        let mut given = vec![None; def.operands.len()];
        if let Some(values) = &asked.passes {
            let named = def.traits.iter().find(|t| t.name == "PassesOn");
            let named = named.and_then(|t| def.operand_index(t.args.first()?));
            let last = def.operands.iter().rposition(|group| group.arity == Arity::Variadic);
            match named.or(last) {
                Some(at) => given[at] = Some(values.clone()),
                None if values.is_empty() => {}
                None => return None,
            }
        }
        for (&target, successor) in asked.successors.iter().zip(def.successors.iter()) {
            let group = successor.operands.as_ref().and_then(|name| def.operand_index(name));
            let types: Vec<Type> =
                self.body.block_args(target).iter().map(|&arg| self.body.ty(arg)).collect();
            match group {
                Some(at) => {
                    let values: Option<Vec<ValueId>> =
                        types.into_iter().map(|ty| self.value(ty, block, depth)).collect();
                    given[at] = Some(values?);
                }
                None if types.is_empty() => {}
                None => return None,
            }
        }
        Some(given)
    }

    fn results(&mut self, slots: &mut Slots<'_>) -> Option<()> {
        let def = slots.info.def();
        for (at, group) in def.results.iter().enumerate() {
            if slots.results[at].is_some() {
                continue;
            }
            let slot = Slot::Result(at as u16);
            let fed: Option<Vec<Type>> = self.fed_by_operands(slots, &group.name);
            let types = match fed {
                Some(types) => types,
                None => {
                    let count = match group.arity {
                        Arity::One => 1,
                        Arity::Optional => self.random.below(2),
                        Arity::Variadic => self.random.below(MOST),
                    };
                    let mut types = Vec::new();
                    for _ in 0..count {
                        types.push(self.result(slots, slot, group)?);
                    }
                    types
                }
            };
            slots.results[at] = Some(types);
        }
        Some(())
    }

    /// The types of the operands that become results of a group.
    fn fed_by_operands(&self, slots: &Slots<'_>, results: &str) -> Option<Vec<Type>> {
        let def = slots.info.def();
        def.traits.iter().filter(|t| t.name == "PassesValues").find_map(|t| {
            let [from, to] = t.args.as_ref() else { return None };
            let at = def.operand_index(from).filter(|_| to == results)?;
            slots.operands[at].clone()
        })
    }

    fn result(&mut self, slots: &Slots<'_>, slot: Slot, group: &ValueDef) -> Option<Type> {
        let types = self.types(slots, slot, group);
        let near: Vec<Type> = slots.operands.iter().flatten().flatten().copied().collect();
        let near: Vec<Type> = near.into_iter().filter(|ty| types.contains(ty)).collect();
        let from = if near.is_empty() || self.random.one_in(2) { &types } else { &near };
        self.random.choose(from).copied()
    }

    /// An op for the end of a block, whatever it is.
    pub(crate) fn any(&mut self, block: BlockId, depth: usize) -> Option<OpId> {
        let parent = self.body.block_parent_op(block).map(|op| self.body.name(op));
        let parent = parent.map_or("builtin.module", OpName::as_str);
        let fits: Vec<&'r OpInfo> = self
            .smith
            .ops
            .iter()
            .copied()
            .filter(|info| !info.terminator && !info.symbol && !is_function(info))
            .filter(|info| crate::stands_in(info, parent))
            .collect();
        for _ in 0..8 {
            let info = *self.random.choose(&fits)?;
            if info.constant_like && !self.random.one_in(8) {
                continue;
            }
            if let Some(op) = self.make(info, block, &Asked::default(), depth) {
                return Some(op);
            }
        }
        None
    }
}

fn described(slots: &Slots<'_>, operands: &[Vec<ValueId>], asked: &Asked) -> NewOp {
    let def = slots.info.def();
    let mut new = NewOp::new(OpName::of(&def.name))
        .operands(operands.iter().flatten().copied())
        .results(slots.results.iter().flatten().flatten().copied())
        .successors(asked.successors.iter().copied());
    for (attr, value) in def.attrs.iter().zip(&slots.attrs) {
        if let Some(value) = value {
            new = new.entry(Ident::of(&attr.name), *value);
        }
    }
    let sizes = |counts: Vec<usize>| {
        let values = counts.into_iter().map(|n| n as i64).collect();
        Attr::new(AttrData::DenseArray { element: Type::int(32), values })
    };
    if def.has_trait("AttrSizedOperandSegments") {
        new = new.attr(OPERAND_SEGMENTS, sizes(operands.iter().map(Vec::len).collect()));
    }
    if def.has_trait("AttrSizedResultSegments") {
        let results = slots.results.iter().map(|group| group.as_ref().map_or(0, Vec::len));
        new = new.attr(RESULT_SEGMENTS, sizes(results.collect()));
    }
    new
}

/// Divides a list among groups of which at most one is of variable size.
fn divide<T: Clone>(groups: &[ValueDef], all: &[T]) -> Option<Vec<Vec<T>>> {
    let single = groups.iter().filter(|group| group.arity == Arity::One).count();
    let rest = all.len().checked_sub(single)?;
    let mut left = rest;
    let mut at = 0;
    let mut divided = Vec::new();
    for group in groups {
        let size = match group.arity {
            Arity::One => 1,
            Arity::Optional => left.min(1),
            Arity::Variadic => left,
        };
        if group.arity != Arity::One {
            left -= size;
        }
        divided.push(all[at..at + size].to_vec());
        at += size;
    }
    (at == all.len()).then_some(divided)
}
