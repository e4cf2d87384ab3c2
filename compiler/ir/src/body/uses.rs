//! Use lists: threaded through the operand slots, newest use first.

use super::{Body, OpId, UseId, ValueId};

/// The uses of a value, newest first.
#[derive(Clone)]
pub struct Uses<'a> {
    body: &'a Body,
    at: UseId,
}

impl Iterator for Uses<'_> {
    type Item = UseId;

    #[inline]
    fn next(&mut self) -> Option<UseId> {
        let slot = self.at.some()?;
        self.at = self.body.uses[slot.index()].next;
        Some(slot)
    }
}

impl Body {
    /// The uses of a value, newest first.
    #[inline]
    pub fn uses(&self, value: ValueId) -> Uses<'_> {
        Uses { body: self, at: self.values[value.index()].first_use }
    }

    /// The ops that use a value, newest use first; an op appears once for each of its slots.
    pub fn users(&self, value: ValueId) -> impl Iterator<Item = OpId> + '_ {
        self.uses(value).map(|slot| self.use_owner(slot))
    }

    /// Whether nothing uses the value.
    #[inline]
    pub fn is_unused(&self, value: ValueId) -> bool {
        self.values[value.index()].first_use == UseId::NONE
    }

    /// Whether just one slot uses the value.
    #[inline]
    pub fn has_one_use(&self, value: ValueId) -> bool {
        let mut uses = self.uses(value);
        uses.next().is_some() && uses.next().is_none()
    }

    /// Whether no result of the op is used.
    pub fn results_unused(&self, op: OpId) -> bool {
        self.results(op).all(|r| self.is_unused(r))
    }

    /// Makes a slot use another value.
    pub fn set_use(&mut self, slot: UseId, value: ValueId) {
        self.unlink_use(slot);
        self.link_use(slot, value);
    }

    /// Makes operand number `index` another value; panics when there are fewer operands.
    pub fn set_operand(&mut self, op: OpId, index: usize, value: ValueId) {
        self.set_use(self.operand_use(op, index), value);
    }

    /// Makes every use of `from` a use of `to`, keeping the order of uses.
    pub fn replace_all_uses(&mut self, from: ValueId, to: ValueId) {
        self.replace_uses_if(from, to, |_, _| true);
    }

    /// Makes those uses of `from` for which `keep` holds uses of `to`.
    pub fn replace_uses_if(
        &mut self,
        from: ValueId,
        to: ValueId,
        mut keep: impl FnMut(&Body, UseId) -> bool,
    ) {
        if from == to {
            return;
        }
        let slots: Vec<UseId> = self.uses(from).collect();
        for slot in slots.into_iter().rev() {
            if keep(self, slot) {
                self.set_use(slot, to);
            }
        }
    }

    pub(crate) fn link_use(&mut self, slot: UseId, value: ValueId) {
        let head = self.values[value.index()].first_use;
        let node = &mut self.uses[slot.index()];
        node.value = value;
        node.prev = UseId::NONE;
        node.next = head;
        if head != UseId::NONE {
            self.uses[head.index()].prev = slot;
        }
        self.values[value.index()].first_use = slot;
    }

    pub(crate) fn unlink_use(&mut self, slot: UseId) {
        let (value, prev, next) = {
            let node = &self.uses[slot.index()];
            (node.value, node.prev, node.next)
        };
        if prev != UseId::NONE {
            self.uses[prev.index()].next = next;
        } else {
            self.values[value.index()].first_use = next;
        }
        if next != UseId::NONE {
            self.uses[next.index()].prev = prev;
        }
    }
}

impl Body {
    /// Puts the uses of every value in the order that layout gives: the use that stands last in
    /// the text is the newest. The order of uses then says nothing of how the body was made.
    pub fn order_uses(&mut self) {
        for value in &mut self.values {
            value.first_use = UseId::NONE;
        }
        let mut at = self.root();
        while let Some(op) = at {
            for slot in self.operand_slots(op) {
                self.link_use(slot, self.use_value(slot));
            }
            at = self.walk_next(None, op);
        }
    }

    /// Puts the uses at and below an op in the order that layout gives, before all others.
    pub fn order_uses_below(&mut self, root: OpId) {
        let mut at = Some(root);
        while let Some(op) = at {
            for slot in self.operand_slots(op) {
                let value = self.use_value(slot);
                if self.values[value.index()].first_use != slot {
                    self.set_use(slot, value);
                }
            }
            at = self.walk_next(Some(root), op);
        }
    }
}
