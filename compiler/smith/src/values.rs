//! Values that an op may use, and new ones where there are none.

use tegula_ir::verify::check_constraint;
use tegula_ir::{BlockId, OpInfo, Subject, Type, ValueId};
use tegula_schema::{Arity, Slot, ValueDef};

use crate::Maker;
use crate::op::Asked;
use crate::rules::Slots;

/// How deep ops are made only to give a value to another.
const DEEPEST_SOURCE: usize = 3;

impl Maker<'_, '_> {
    /// The values that are known at the end of a block.
    pub(crate) fn visible(&self, block: BlockId) -> Vec<ValueId> {
        let body = &self.body;
        let mut found = Vec::new();
        let mut take = |block: BlockId| {
            found.extend(body.block_args(block));
            found.extend(body.block_ops(block).flat_map(|op| body.results(op)));
        };
        let mut at = block;
        loop {
            take(at);
            let entry = body.block_parent(at).and_then(|region| body.first_block(region));
            entry.filter(|&entry| entry != at).into_iter().for_each(&mut take);
            let Some(parent) = body.block_parent_op(at) else { break };
            if self.registry.op(body.name(parent)).is_some_and(|info| info.isolated) {
                break;
            }
            match body.parent_block(parent) {
                Some(around) => at = around,
                None => break,
            }
        }
        found
    }

    /// A value of a type at the end of a block, new where there is none.
    pub(crate) fn value(&mut self, ty: Type, block: BlockId, depth: usize) -> Option<ValueId> {
        let known: Vec<ValueId> =
            self.visible(block).into_iter().filter(|&v| self.body.ty(v) == ty).collect();
        if !known.is_empty() && !self.random.one_in(4) {
            return self.random.choose(&known).copied();
        }
        self.source(ty, block, depth).or_else(|| self.random.choose(&known).copied())
    }

    /// A value of a type that a new op gives.
    fn source(&mut self, ty: Type, block: BlockId, depth: usize) -> Option<ValueId> {
        if depth > DEEPEST_SOURCE {
            return None;
        }
        let smith = self.smith;
        let registry = self.registry;
        let gives = |info: &&OpInfo| {
            let def = info.def();
            let plain = info.constant_like || info.pure && def.operands.is_empty();
            let [ValueDef { arity: Arity::One, constraint, .. }] = def.results.as_ref() else {
                return false;
            };
            plain
                && def.regions.is_empty()
                && check_constraint(registry, constraint, Subject::Type(ty))
        };
        let mut sources: Vec<&OpInfo> = smith.ops.iter().copied().filter(gives).collect();
        // Constants first: what else has no operands says little.
        sources.sort_by_key(|info| !info.constant_like);
        let asked = Asked { results: Some(vec![ty]), ..Asked::default() };
        let made =
            sources.into_iter().find_map(|info| self.make(info, block, &asked, depth + 1))?;
        Some(self.body.result(made, 0))
    }

    /// A value for a slot of an op.
    pub(crate) fn operand(
        &mut self,
        slots: &Slots<'_>,
        slot: Slot,
        def: &ValueDef,
        block: BlockId,
        depth: usize,
    ) -> Option<ValueId> {
        let types = self.types(slots, slot, def);
        let known: Vec<ValueId> = self
            .visible(block)
            .into_iter()
            .filter(|&value| types.contains(&self.body.ty(value)))
            .collect();
        if !known.is_empty() && !self.random.one_in(8) {
            // Those that nothing uses yet are to be used.
            let fresh: Vec<ValueId> =
                known.iter().copied().filter(|&value| self.body.is_unused(value)).collect();
            let from = if fresh.is_empty() || self.random.one_in(3) { &known } else { &fresh };
            return self.random.choose(from).copied();
        }
        let ty = *self.random.choose(&types)?;
        self.source(ty, block, depth).or_else(|| self.random.choose(&known).copied())
    }

    /// The types that a slot may have.
    pub(crate) fn types(&self, slots: &Slots<'_>, slot: Slot, def: &ValueDef) -> Vec<Type> {
        match slots.wanted(slot) {
            Some(ty) if slots.fits(slot, ty) => vec![ty],
            Some(_) => Vec::new(),
            None => self
                .smith
                .types
                .satisfying(self.registry, &def.constraint, |ty| slots.fits(slot, ty)),
        }
    }
}
