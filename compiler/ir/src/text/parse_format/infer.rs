//! What a format program leaves open: types that the text does not spell, operands, segment sizes.

use smallvec::SmallVec;
use tegula_schema::{Arity, Derivation, Slot, TypeRule};

use super::{OpParser, OpState, ParseResult, Slots, Types, UnresolvedOperand};
use crate::text::defaults::type_from_text;
use crate::text::op_printer::implicit_terminator;
use crate::{OPERAND_SEGMENTS, OpInfo, RESULT_SEGMENTS, Subject, Type, TypeData};

impl Slots<'_> {
    pub(super) fn finish(mut self, p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        let registry = p.registry;
        for (&name, attr) in self.info.attr_names().iter().zip(&self.attrs) {
            state.attrs.extend(attr.map(|attr| (name, attr)));
        }
        state.attrs.extend(self.dict.drain(..));
        for (index, &name) in self.info.attr_names().iter().enumerate() {
            if self.attrs[index].is_none() {
                let given = state.attrs.iter().rev().find(|(given, _)| *given == name);
                self.attrs[index] = given
                    .map(|&(_, attr)| attr)
                    .or_else(|| self.info.attr_default(registry, index));
            }
        }
        self.split_all_types();
        self.infer(p);
        self.resolve(p, state)?;
        self.finish_results(p, state)?;
        self.finish_regions(p, state);
        state.successors = std::mem::take(&mut self.successors).into();
        Ok(())
    }

    /// Types that were read for all operands or results at once, by group.
    fn split_all_types(&mut self) {
        if let Some(all) = self.all_result_types.take() {
            let sizes = group_sizes(self.def.results.iter().map(|g| g.arity), all.len());
            let mut rest = all.into_iter();
            for (slot, size) in self.result_types.iter_mut().zip(sizes) {
                *slot = Some(rest.by_ref().take(size).collect());
            }
            if let Some(Some(last)) = self.result_types.last_mut() {
                last.extend(rest);
            }
        }
    }

    fn buildable(&self, p: &OpParser<'_>, constraint: &tegula_schema::Constraint) -> Option<Type> {
        type_from_text(p.registry, constraint.buildable.as_deref()?)
    }

    /// How many values a group has as far as that is known.
    fn count(&self, slot: Slot) -> Option<usize> {
        match slot {
            Slot::Operand(g) => Some(self.operands.get(usize::from(g))?.len()),
            Slot::Result(g) => match self.def.results.get(usize::from(g))?.arity {
                Arity::One => Some(1),
                _ => None,
            },
            Slot::Attr(_) => Some(1),
        }
    }

    pub(super) fn known(&self, slot: Slot) -> Option<&Types> {
        match slot {
            Slot::Operand(g) => self.operand_types.get(usize::from(g))?.as_ref(),
            Slot::Result(g) => self.result_types.get(usize::from(g))?.as_ref(),
            Slot::Attr(_) => None,
        }
    }

    fn first_type(&self, p: &OpParser<'_>, slot: Slot) -> Option<Type> {
        match slot {
            Slot::Attr(i) => {
                let attr = self.attrs.get(usize::from(i)).copied().flatten()?;
                attr.as_type().or_else(|| p.registry.value_type(attr))
            }
            _ => self.known(slot)?.first().copied(),
        }
    }

    fn set_unknown(&mut self, slot: Slot, ty: Type) -> bool {
        if matches!(slot, Slot::Attr(_)) || self.known(slot).is_some() {
            return false;
        }
        let count = self.count(slot).unwrap_or(0);
        self.set_types(slot, Types::from_elem(ty, count));
        true
    }

    fn infer(&mut self, p: &OpParser<'_>) {
        for group in 0..self.def.operands.len() {
            if self.operand_types[group].is_none()
                && let Some(ty) = self.buildable(p, &self.def.operands[group].constraint)
            {
                self.set_unknown(Slot::Operand(group as u16), ty);
            }
        }
        for group in 0..self.def.results.len() {
            if self.result_types[group].is_none()
                && let Some(ty) = self.buildable(p, &self.def.results[group].constraint)
            {
                self.set_unknown(Slot::Result(group as u16), ty);
            }
        }
        // Rules may feed each other; each round sets at least one slot or is the last.
        let rules: &[TypeRule] = &self.def.type_rules;
        loop {
            let mut changed = false;
            for rule in rules {
                changed |= self.apply_rule(p, rule);
            }
            if !changed {
                break;
            }
        }
    }

    fn apply_rule(&mut self, p: &OpParser<'_>, rule: &TypeRule) -> bool {
        match rule {
            TypeRule::Same(slots) => {
                let Some(ty) = slots.iter().find_map(|&slot| self.first_type(p, slot)) else {
                    return false;
                };
                let mut changed = false;
                for &slot in slots.iter() {
                    changed |= self.set_unknown(slot, ty);
                }
                changed
            }
            // They relate parts of types; what is missing has to be spelled.
            TypeRule::SameElement(_) | TypeRule::SameShape(_) => false,
            TypeRule::Derived { from, to, how, .. } => {
                if matches!(to, Slot::Attr(_)) || self.known(*to).is_some() {
                    return false;
                }
                match self.derive(p, *from, how) {
                    Some(ty) => self.set_unknown(*to, ty),
                    None => false,
                }
            }
        }
    }

    fn derive(&self, p: &OpParser<'_>, from: Slot, how: &Derivation) -> Option<Type> {
        let subject = match from {
            Slot::Attr(i) => Subject::Attr(self.attrs.get(usize::from(i)).copied().flatten()?),
            _ => Subject::Type(self.first_type(p, from)?),
        };
        derive_type(p.registry, self.info, subject, how)
    }

    fn resolve(&mut self, p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        if let Some(all) = self.all_operands.take() {
            let types = match self.all_operand_types.take() {
                Some(types) => types,
                None => self.spread_types(&all, state, p)?,
            };
            p.resolve_into(&all, &types, state)?;
            if self.def.has_trait("AttrSizedOperandSegments")
                && state.get_attr(OPERAND_SEGMENTS).is_none()
            {
                let sizes = group_sizes(self.def.operands.iter().map(|g| g.arity), all.len());
                state.operand_segments(&sizes);
            }
            return Ok(());
        }
        let mut all_types = self.all_operand_types.take().map(Vec::into_iter);
        let mut sizes: SmallVec<[usize; 4]> = SmallVec::new();
        for (group, operands) in self.operands.iter().enumerate() {
            sizes.push(operands.len());
            if operands.is_empty() {
                continue;
            }
            let types = match (&mut all_types, self.operand_types[group].take()) {
                (Some(all), _) => all.by_ref().take(operands.len()).collect(),
                (None, Some(types)) => types,
                (None, None) => {
                    let name = &self.def.operands[group].name;
                    return Err(p.error_at(
                        state.span,
                        format!("the type of operand `{name}` of `{}` is not known", state.name),
                    ));
                }
            };
            if operands.len() != types.len() {
                let name = &self.def.operands[group].name;
                let (n, m) = (operands.len(), types.len());
                return Err(p.error_at(
                    state.span,
                    format!("`{name}` has {n} operands, but {m} types are given"),
                ));
            }
            p.resolve_into(operands, &types, state)?;
        }
        if all_types.is_some_and(|rest| rest.len() > 0) {
            return Err(p.error_at(state.span, "more types are given than operands"));
        }
        if self.def.has_trait("AttrSizedOperandSegments")
            && state.get_attr(OPERAND_SEGMENTS).is_none()
        {
            state.operand_segments(&sizes);
        }
        Ok(())
    }

    fn spread_types(
        &self,
        all: &[UnresolvedOperand],
        state: &OpState,
        p: &OpParser<'_>,
    ) -> ParseResult<Vec<Type>> {
        let sizes = group_sizes(self.def.operands.iter().map(|g| g.arity), all.len());
        let mut types = Vec::new();
        for (group, size) in sizes.into_iter().enumerate() {
            let slot = Slot::Operand(group as u16);
            let known = self.operand_types.get(group).cloned().flatten();
            match known {
                Some(list) if list.len() == size => types.extend(list),
                _ => {
                    let single = known
                        .and_then(|list| list.first().copied())
                        .or_else(|| self.inferred(p, slot));
                    match single {
                        Some(ty) => types.extend(std::iter::repeat_n(ty, size)),
                        None if size == 0 => {}
                        None => {
                            let name = &self.def.operands[group].name;
                            return Err(p.error_at(
                                state.span,
                                format!("the type of operand `{name}` is not known"),
                            ));
                        }
                    }
                }
            }
        }
        Ok(types)
    }

    /// The type that a rule gives a slot whose count is not known to the slot itself.
    fn inferred(&self, p: &OpParser<'_>, slot: Slot) -> Option<Type> {
        if let Slot::Operand(g) = slot
            && let Some(ty) = self.buildable(p, &self.def.operands[usize::from(g)].constraint)
        {
            return Some(ty);
        }
        self.def.type_rules.iter().find_map(|rule| match rule {
            TypeRule::Same(slots) if slots.contains(&slot) => {
                slots.iter().find_map(|&other| self.first_type(p, other))
            }
            TypeRule::Derived { from, to, how, .. } if *to == slot => self.derive(p, *from, how),
            _ => None,
        })
    }

    fn finish_results(&mut self, p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        let mut sizes: SmallVec<[usize; 4]> = SmallVec::new();
        for (group, types) in self.result_types.iter().enumerate() {
            let def = &self.def.results[group];
            match types {
                Some(types) => {
                    if def.arity == Arity::One && types.len() != 1 {
                        let (name, n) = (&def.name, types.len());
                        return Err(p.error_at(
                            state.span,
                            format!("result `{name}` has one type, but {n} are given"),
                        ));
                    }
                    sizes.push(types.len());
                    state.results.extend_from_slice(types);
                }
                None if def.arity == Arity::One => {
                    let name = &def.name;
                    return Err(p.error_at(
                        state.span,
                        format!("the type of result `{name}` of `{}` is not known", state.name),
                    ));
                }
                None => sizes.push(0),
            }
        }
        if self.def.has_trait("AttrSizedResultSegments")
            && state.get_attr(RESULT_SEGMENTS).is_none()
        {
            state.result_segments(&sizes);
        }
        Ok(())
    }

    fn finish_regions(&mut self, p: &mut OpParser<'_>, state: &mut OpState) {
        if let Some(all) = self.all_regions.take() {
            state.regions = SmallVec::from_vec(all);
        } else {
            for (group, regions) in self.regions.iter().enumerate() {
                if regions.is_empty() && self.def.regions[group].arity == Arity::One {
                    state.regions.push(p.empty_region());
                } else {
                    state.regions.extend_from_slice(regions);
                }
            }
        }
        if let Some(name) = implicit_terminator(self.info) {
            for region in state.regions.clone() {
                // A region that is not written at all stays empty.
                if p.body.first_block(region).is_some() {
                    p.ensure_terminator(region, name);
                }
            }
        }
    }
}

/// The type that follows from a type or attribute by a derivation.
pub fn derive_type(
    registry: &crate::Registry,
    info: &OpInfo,
    subject: Subject,
    how: &Derivation,
) -> Option<Type> {
    let ty = match subject {
        Subject::Type(ty) => Some(ty),
        Subject::Attr(attr) => attr.as_type().or_else(|| registry.value_type(attr)),
    };
    match how {
        Derivation::ElementType => ty?.element(),
        Derivation::BoolOf => {
            let ty = ty?;
            Some(match ty.data() {
                TypeData::RankedTensor { shape, encoding, .. } => {
                    Type::tensor(shape, Type::int(1), *encoding)
                }
                _ => ty.with_element(Type::int(1)),
            })
        }
        Derivation::AttrType => ty,
        Derivation::Param(name) => match ty?.data() {
            TypeData::Dialect { name: type_name, params } => {
                let (_, def) = registry.ty(type_name.as_str())?;
                let index = def.params.iter().position(|p| p.name == *name)?;
                params.get(index)?.as_type()
            }
            _ => None,
        },
        Derivation::Hook(name) => {
            let hook = info.dialect().hooks.derive_type.get(name.as_ref())?;
            hook(registry, subject)
        }
    }
}

/// The size of each group when a list is divided among them: groups of one take one, and what is
/// left goes to the first group of variable size.
fn group_sizes(arities: impl Iterator<Item = Arity> + Clone, total: usize) -> Vec<usize> {
    let ones = arities.clone().filter(|a| *a == Arity::One).count();
    let mut rest = total.saturating_sub(ones);
    arities
        .map(|arity| match arity {
            Arity::One => 1,
            Arity::Optional => {
                let taken = rest.min(1);
                rest -= taken;
                taken
            }
            Arity::Variadic => std::mem::take(&mut rest),
        })
        .collect()
}
