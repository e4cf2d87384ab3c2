//! Values of one type as values of another.

use std::sync::Arc;

use tegula_syntax::BangOp;

use super::Eval;
use super::store::{Init, Node, TyId, TyNode, UNSET, ty};

impl Eval {
    /// The term as a value of a type, when it is one already or a conversion of known values.
    pub(crate) fn convert(&mut self, init: Init, to: TyId) -> Option<Init> {
        match (self.s.node(init).clone(), self.s.ty_node(to).clone()) {
            (Node::Unset, _) => Some(UNSET),
            (Node::Bit(_), TyNode::Bit) => Some(init),
            (Node::Bit(bit), TyNode::Int) => Some(self.s.int(i64::from(bit))),
            (Node::Bit(_), TyNode::Bits(1)) => Some(self.s.add(Node::Bits(Arc::new([init])))),
            (Node::Bits(bits), TyNode::Bit) => match *bits {
                [bit] => Some(bit),
                _ => None,
            },
            (Node::Bits(bits), TyNode::Bits(width)) => {
                (bits.len() == width as usize).then_some(init)
            }
            (Node::Bits(bits), TyNode::Int) => {
                let mut value = 0i64;
                for (bit, at) in bits.iter().zip(0u32..) {
                    match self.s.node(*bit) {
                        Node::Bit(true) if at < 64 => value |= 1i64 << at,
                        Node::Bit(_) => {}
                        _ => return None,
                    }
                }
                Some(self.s.int(value))
            }
            (Node::Int(_), TyNode::Int) => Some(init),
            (Node::Int(value @ 0..=1), TyNode::Bit) => Some(self.s.bit(value == 1)),
            (Node::Int(value), TyNode::Bits(width)) => {
                let fits =
                    width >= 64 || value >> width == 0 || width > 0 && value >> (width - 1) == -1;
                fits.then(|| self.int_bits(value, width))
            }
            (Node::Str(_) | Node::Code(_) | Node::AnonName(_), TyNode::Str) => Some(init),
            (Node::List(items, element), TyNode::List(to_element)) => {
                if element == to_element {
                    return Some(init);
                }
                let converted: Option<Vec<Init>> =
                    items.iter().map(|item| self.convert(*item, to_element)).collect();
                let converted = converted?;
                if *converted == *items {
                    return Some(init);
                }
                Some(self.s.list(converted, to_element))
            }
            (Node::Dag(_), TyNode::Dag) => Some(init),
            (Node::Bit(_) | Node::Int(_) | Node::List(..) | Node::Dag(_), _) => None,
            (_, to_node) => {
                let from = self.ty_of(init)?;
                if self.is_a(from, to) {
                    return Some(init);
                }
                (from == ty::BIT && to_node == TyNode::Bits(1))
                    .then(|| self.s.add(Node::Bits(Arc::new([init]))))
            }
        }
    }

    pub(crate) fn int_bits(&mut self, value: i64, width: u32) -> Init {
        let bits = (0..width).map(|at| self.s.bit(value >> at.min(63) & 1 != 0)).collect();
        self.s.add(Node::Bits(bits))
    }

    /// The term as a value of a type, by a `!cast` that is resolved later if need be.
    pub(crate) fn cast_to(&mut self, init: Init, to: TyId) -> Option<Init> {
        if let Some(converted) = self.convert(init, to) {
            return Some(converted);
        }
        if matches!(self.s.node(init), Node::Int(_) | Node::Bits(_) | Node::List(..)) {
            return None;
        }
        let from = self.ty_of(init)?;
        if !self.converts(from, to) {
            return None;
        }
        Some(self.fold(BangOp::Cast, &[init], to, None, false))
    }

    /// The term as an integer, when it is known.
    pub(crate) fn as_int(&mut self, init: Init) -> Option<i64> {
        let converted = match self.s.node(init) {
            Node::Int(value) => return Some(*value),
            Node::Bit(_) | Node::Bits(_) => self.convert(init, ty::INT)?,
            _ => return None,
        };
        match self.s.node(converted) {
            Node::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// One bit of a term.
    pub(crate) fn bit_of(&mut self, init: Init, at: u32) -> Init {
        match self.s.node(init).clone() {
            Node::Unset => UNSET,
            Node::Bit(_) | Node::BitOf(..) => init,
            Node::Bits(bits) => bits.get(at as usize).copied().unwrap_or(UNSET),
            Node::Int(value) => {
                let bit = value >> at.min(63) & 1 != 0;
                self.s.bit(bit)
            }
            _ if self.ty_of(init) == Some(ty::BIT) => init,
            _ => self.s.add(Node::BitOf(init, at)),
        }
    }

    /// Whether no part of a term is `?`, as the default of a parameter must be.
    pub(crate) fn is_complete(&self, init: Init) -> bool {
        match self.s.node(init) {
            Node::Unset => false,
            Node::Bits(items) | Node::List(items, _) => {
                items.iter().all(|item| self.is_complete(*item))
            }
            _ => true,
        }
    }

    /// Whether a term needs no further resolution.
    pub(crate) fn is_concrete(&self, init: Init) -> bool {
        if self.s.is_settled(init) {
            return true;
        }
        match self.s.node(init) {
            Node::Bits(items) | Node::List(items, _) => {
                items.iter().all(|item| self.is_concrete(*item))
            }
            Node::Dag(dag) => {
                self.is_concrete(dag.op) && dag.args.iter().all(|arg| self.is_concrete(arg.value))
            }
            Node::Field(of, name, _) => match self.s.node(*of) {
                Node::Def(id) => {
                    let field = self.recs[id.0 as usize].get(*name);
                    field.is_some_and(|val| val.value != init && self.is_concrete(val.value))
                }
                _ => false,
            },
            _ => false,
        }
    }
}
