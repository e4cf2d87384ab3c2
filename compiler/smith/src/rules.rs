//! What an op's equations between types say of a slot, once others are known.

use tegula_ir::text::derive_type;
use tegula_ir::{Attr, OpInfo, Registry, Subject, Type};
use tegula_schema::{Slot, TypeRule};

/// The types of an op's slots as far as they are chosen.
pub(crate) struct Slots<'r> {
    pub(crate) registry: &'r Registry,
    pub(crate) info: &'r OpInfo,
    pub(crate) attrs: Vec<Option<Attr>>,
    pub(crate) operands: Vec<Option<Vec<Type>>>,
    pub(crate) results: Vec<Option<Vec<Type>>>,
}

impl Slots<'_> {
    fn first(&self, slot: Slot) -> Option<Type> {
        let types = |groups: &[Option<Vec<Type>>], at: u16| {
            groups.get(usize::from(at))?.as_ref()?.first().copied()
        };
        match slot {
            Slot::Operand(at) => types(&self.operands, at),
            Slot::Result(at) => types(&self.results, at),
            Slot::Attr(at) => {
                let attr = (*self.attrs.get(usize::from(at))?)?;
                attr.as_type().or_else(|| self.registry.value_type(attr))
            }
        }
    }

    fn subject(&self, slot: Slot) -> Option<Subject> {
        match slot {
            Slot::Attr(at) => (*self.attrs.get(usize::from(at))?).map(Subject::Attr),
            _ => self.first(slot).map(Subject::Type),
        }
    }

    /// The type that a slot has to have, where what is chosen says so.
    pub(crate) fn wanted(&self, slot: Slot) -> Option<Type> {
        self.info.def().type_rules.iter().find_map(|rule| match rule {
            TypeRule::Same(slots) if slots.contains(&slot) => {
                slots.iter().find_map(|&other| self.first(other))
            }
            TypeRule::Derived { from, to, how, .. } if *to == slot => {
                derive_type(self.registry, self.info, self.subject(*from)?, how)
            }
            _ => None,
        })
    }

    /// Whether a slot may have a type beside what is chosen.
    pub(crate) fn fits(&self, slot: Slot, ty: Type) -> bool {
        let shape = |ty: Type| ty.shape().unwrap_or(&[]);
        self.info.def().type_rules.iter().all(|rule| match rule {
            TypeRule::Same(slots) if slots.contains(&slot) => {
                slots.iter().all(|&other| self.first(other).is_none_or(|known| known == ty))
            }
            TypeRule::SameElement(slots) if slots.contains(&slot) => {
                let same = |known: Type| known.element_or_self() == ty.element_or_self();
                slots.iter().all(|&other| self.first(other).is_none_or(same))
            }
            TypeRule::SameShape(slots) if slots.contains(&slot) => {
                let same = |known: Type| shape(known) == shape(ty);
                slots.iter().all(|&other| self.first(other).is_none_or(same))
            }
            TypeRule::Derived { from, to, how, .. } if *to == slot => {
                let derived = self
                    .subject(*from)
                    .and_then(|from| derive_type(self.registry, self.info, from, how));
                derived.is_none_or(|wanted| wanted == ty)
            }
            TypeRule::Derived { from, to, how, .. } if *from == slot => {
                let derived = derive_type(self.registry, self.info, Subject::Type(ty), how);
                match (self.first(*to), derived) {
                    (Some(to), Some(derived)) => to == derived,
                    _ => true,
                }
            }
            _ => true,
        })
    }
}
