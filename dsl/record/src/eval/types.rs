//! Types of terms, and which types go where.

use std::sync::Arc;

use super::Eval;
use super::record::{Rec, RecKind};
use super::store::{ClassId, Init, Node, RecId, Sym, TyId, TyNode, ty};
use crate::value::Ty;
use tegula_syntax::BangOp;

impl Eval {
    /// The type of a term; `?` has none.
    pub(crate) fn ty_of(&mut self, init: Init) -> Option<TyId> {
        Some(match self.s.node(init) {
            Node::Unset => return None,
            Node::Bit(_) | Node::BitOf(..) => ty::BIT,
            Node::Int(_) => ty::INT,
            Node::Str(_) | Node::Code(_) | Node::AnonName(_) => ty::STR,
            Node::Bits(bits) => {
                let width = bits.len() as u32;
                self.s.ty(TyNode::Bits(width))
            }
            Node::List(_, element) => {
                let element = *element;
                self.s.list_of(element)
            }
            Node::Dag(_) => ty::DAG,
            Node::Def(id) => {
                let id = *id;
                self.def_ty(id)
            }
            Node::Instance(class, _) => {
                let class = *class;
                self.class_ty(class)
            }
            Node::Op(BangOp::IsA | BangOp::Exists, ..) => ty::INT,
            Node::Op(BangOp::Instances, _, element) => {
                let element = *element;
                self.s.list_of(element)
            }
            Node::Var(_, ty)
            | Node::Field(_, _, ty)
            | Node::Op(_, _, ty)
            | Node::Elem(_, _, ty)
            | Node::Slice(_, _, ty)
            | Node::Cond(_, ty) => *ty,
        })
    }

    pub(crate) fn class_ty(&mut self, class: ClassId) -> TyId {
        self.s.ty(TyNode::Rec(Arc::new([class])))
    }

    /// The type of a definition: its direct superclasses.
    pub(crate) fn def_ty(&mut self, id: RecId) -> TyId {
        let classes = self.recs[id.0 as usize].direct.iter().map(|(class, _)| *class).collect();
        self.record_ty(classes)
    }

    pub(crate) fn record_ty(&mut self, mut classes: Vec<ClassId>) -> TyId {
        classes.sort_by(|a, b| self.class_name(*a).cmp(self.class_name(*b)));
        classes.dedup();
        self.s.ty(TyNode::Rec(classes.into()))
    }

    /// The type of a record that may still be a prototype.
    pub(crate) fn rec_ty(&mut self, rec: &Rec) -> TyId {
        match (rec.kind, rec.class) {
            (RecKind::Class, Some(class)) => self.class_ty(class),
            _ => self.record_ty(rec.direct.iter().map(|(class, _)| *class).collect()),
        }
    }

    pub(crate) fn class_name(&self, class: ClassId) -> &Arc<str> {
        self.s.text(self.class_syms[class.0 as usize])
    }

    /// A class, also while its body is being read.
    pub(crate) fn class(&self, class: ClassId) -> &Rec {
        match &self.cur {
            Some(cur) if cur.class == Some(class) => cur,
            _ => &self.classes[class.0 as usize],
        }
    }

    /// The same, to keep while the evaluation goes on.
    pub(crate) fn class_arc(&self, class: ClassId) -> Arc<Rec> {
        match &self.cur {
            Some(cur) if cur.class == Some(class) => Arc::new(cur.clone()),
            _ => self.classes[class.0 as usize].clone(),
        }
    }

    /// Whether records of `class` are records of `base`.
    pub(crate) fn is_sub_class(&self, class: ClassId, base: ClassId) -> bool {
        class == base || self.class(class).derives(base)
    }

    /// Whether a value of type `from` can become one of type `to`.
    pub(crate) fn converts(&self, from: TyId, to: TyId) -> bool {
        if from == to {
            return true;
        }
        match (self.s.ty_node(from), self.s.ty_node(to)) {
            (TyNode::Bit, TyNode::Int | TyNode::Bits(1)) | (TyNode::Bits(1), TyNode::Bit) => true,
            (TyNode::Bits(_), TyNode::Int) => true,
            (TyNode::Int, TyNode::Bit | TyNode::Bits(_)) => true,
            (TyNode::List(from), TyNode::List(to)) => self.converts(*from, *to),
            (TyNode::Rec(from), TyNode::Rec(to)) => {
                to.iter().all(|to| from.iter().any(|from| self.is_sub_class(*from, *to)))
            }
            _ => false,
        }
    }

    /// Whether a value of type `from` is one of type `to` already.
    pub(crate) fn is_a(&self, from: TyId, to: TyId) -> bool {
        if from == to {
            return true;
        }
        match (self.s.ty_node(from), self.s.ty_node(to)) {
            (TyNode::List(from), TyNode::List(to)) => self.is_a(*from, *to),
            (TyNode::Rec(_), TyNode::Rec(_)) => self.converts(from, to),
            _ => false,
        }
    }

    /// A type that values of both types have.
    pub(crate) fn common_ty(&mut self, a: TyId, b: TyId) -> Option<TyId> {
        if a == b {
            return Some(a);
        }
        match (self.s.ty_node(a).clone(), self.s.ty_node(b).clone()) {
            (TyNode::Rec(first), TyNode::Rec(second)) => {
                let mut common = Vec::new();
                let mut stack = first.to_vec();
                while let Some(class) = stack.pop() {
                    if second.iter().any(|other| self.is_sub_class(*other, class)) {
                        common.push(class);
                    } else {
                        stack.extend(self.class(class).direct.iter().map(|(class, _)| *class));
                    }
                }
                Some(self.record_ty(common))
            }
            _ if self.converts(a, b) => Some(b),
            _ if self.converts(b, a) => Some(a),
            (TyNode::List(first), TyNode::List(second)) => {
                let element = self.common_ty(first, second)?;
                Some(self.s.list_of(element))
            }
            _ => None,
        }
    }

    pub(crate) fn element_ty(&self, ty: TyId) -> Option<TyId> {
        match self.s.ty_node(ty) {
            TyNode::List(element) => Some(*element),
            _ => None,
        }
    }

    /// The type of a field of a record: those of its own if it is known, else of its type.
    pub(crate) fn field_ty_of(&mut self, of: Init, name: Sym) -> Option<TyId> {
        if let Node::Def(id) = self.s.node(of) {
            return self.recs[id.0 as usize].get(name).map(|val| val.ty);
        }
        let of = self.ty_of(of)?;
        self.field_ty(of, name)
    }

    /// The type of a field of a record type.
    fn field_ty(&self, of: TyId, name: Sym) -> Option<TyId> {
        let TyNode::Rec(classes) = self.s.ty_node(of) else { return None };
        classes.iter().find_map(|class| Some(self.class(*class).get(name)?.ty))
    }

    pub(crate) fn show_ty(&self, of: TyId) -> String {
        self.public_ty(of).to_string()
    }

    pub(crate) fn public_ty(&self, of: TyId) -> Ty {
        match self.s.ty_node(of) {
            TyNode::Bit => Ty::Bit,
            TyNode::Bits(width) => Ty::Bits(*width),
            TyNode::Int => Ty::Int,
            TyNode::Str => Ty::Str,
            TyNode::Dag => Ty::Dag,
            TyNode::List(element) => Ty::List(Arc::new(self.public_ty(*element))),
            TyNode::Rec(classes) => {
                Ty::Record(classes.iter().map(|class| self.class_name(*class).clone()).collect())
            }
        }
    }
}
