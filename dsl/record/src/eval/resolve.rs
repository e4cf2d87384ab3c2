//! Resolution: variables in a term replaced by what they stand for.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tegula_diag::Span;
use tegula_syntax::BangOp;

use super::Eval;
use super::record::{Rec, ValKind};
use super::store::{DagArgNode, DagNode, Init, Node, RecId, Sym, TyNode, UNSET};

/// The record on whose behalf a term is resolved.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Cur {
    pub name: Init,
    pub id: Option<RecId>,
    pub span: Option<Span>,
}

/// What variables stand for.
pub(crate) trait Lookup {
    /// The value of a variable; nothing when it stays.
    fn var(&mut self, ev: &mut Eval, name: Sym) -> Option<Init>;

    /// The final name of an anonymous record.
    fn anon(&mut self, _ev: &mut Eval, _name: Init) -> Option<Init> {
        None
    }

    /// Whether what can't be resolved now never will be.
    fn is_final(&self) -> bool {
        false
    }

    /// Whether a reference to an unset bit stays a reference.
    fn keeps_unset_bits(&self) -> bool {
        false
    }

    /// The record on whose behalf this is.
    fn cur(&self) -> Option<Cur> {
        None
    }
}

/// Variables from a map, which may refer to each other.
pub(crate) struct MapLookup {
    map: FxHashMap<Sym, (Init, bool)>,
    cur: Option<Cur>,
    pub is_final: bool,
}

impl MapLookup {
    pub(crate) fn new(cur: Option<Cur>) -> Self {
        Self { map: FxHashMap::default(), cur, is_final: false }
    }

    pub(crate) fn set(&mut self, name: Sym, value: Init) {
        self.map.insert(name, (value, false));
    }
}

impl Lookup for MapLookup {
    fn var(&mut self, ev: &mut Eval, name: Sym) -> Option<Init> {
        let (value, resolved) = *self.map.get(&name)?;
        if resolved || self.map.len() == 1 || ev.s.is_settled(value) {
            return Some(value);
        }
        // Without the entry, a reference to itself stays as it is.
        self.map.remove(&name);
        let value = ev.resolve(value, self);
        self.map.insert(name, (value, true));
        Some(value)
    }

    fn is_final(&self) -> bool {
        self.is_final
    }

    fn cur(&self) -> Option<Cur> {
        self.cur
    }
}

/// The fields of a record, for references among them. Owns the record meanwhile.
pub(crate) struct RecLookup {
    pub rec: Rec,
    /// The name before it was resolved, which fields may refer to.
    old_name: Init,
    new_name: Option<Init>,
    cache: FxHashMap<Sym, Option<Init>>,
    stack: Vec<Sym>,
}

impl RecLookup {
    pub(crate) fn new(rec: Rec, new_name: Option<Init>) -> Self {
        let old_name = rec.name;
        Self { rec, old_name, new_name, cache: FxHashMap::default(), stack: Vec::new() }
    }
}

impl Lookup for RecLookup {
    fn var(&mut self, ev: &mut Eval, name: Sym) -> Option<Init> {
        if let Some(Some(value)) = self.cache.get(&name) {
            return Some(*value);
        }
        if self.stack.contains(&name) {
            return None;
        }
        let mut found = None;
        if let Some(val) = self.rec.get(name)
            && val.value != UNSET
        {
            let value = val.value;
            self.stack.push(name);
            found = Some(ev.resolve(value, self));
            self.stack.pop();
        }
        self.cache.insert(name, found);
        found
    }

    fn anon(&mut self, _ev: &mut Eval, name: Init) -> Option<Init> {
        if name == self.old_name { self.new_name } else { None }
    }

    fn is_final(&self) -> bool {
        true
    }

    fn keeps_unset_bits(&self) -> bool {
        true
    }

    fn cur(&self) -> Option<Cur> {
        Some(Cur { name: self.rec.name, id: self.rec.id, span: self.rec.span() })
    }
}

/// Another lookup, but for some bound variables.
struct Shadow<'a> {
    inner: &'a mut dyn Lookup,
    names: [Option<Sym>; 2],
}

impl Lookup for Shadow<'_> {
    fn var(&mut self, ev: &mut Eval, name: Sym) -> Option<Init> {
        if self.names.contains(&Some(name)) { None } else { self.inner.var(ev, name) }
    }

    fn cur(&self) -> Option<Cur> {
        self.inner.cur()
    }
}

/// Another lookup, noting whether variables remain.
struct Track<'a> {
    inner: Option<&'a mut dyn Lookup>,
    unresolved: bool,
}

impl Lookup for Track<'_> {
    fn var(&mut self, ev: &mut Eval, name: Sym) -> Option<Init> {
        let found = match &mut self.inner {
            Some(inner) => inner.var(ev, name),
            None => None,
        };
        match found {
            Some(value) if !self.unresolved => self.unresolved = ev.has_unresolved(value),
            Some(_) => {}
            None => self.unresolved = true,
        }
        found
    }

    fn cur(&self) -> Option<Cur> {
        self.inner.as_ref().and_then(|inner| inner.cur())
    }
}

/// Notes whether a variable occurs.
struct Occurs {
    name: Sym,
    found: bool,
}

impl Lookup for Occurs {
    fn var(&mut self, _: &mut Eval, name: Sym) -> Option<Init> {
        self.found |= name == self.name;
        None
    }
}

impl Eval {
    /// Whether variables occur in a term, bound ones aside.
    pub(crate) fn has_unresolved(&mut self, init: Init) -> bool {
        if self.s.is_settled(init) {
            return false;
        }
        let mut track = Track { inner: None, unresolved: false };
        self.resolve(init, &mut track);
        track.unresolved
    }

    /// Whether a variable occurs in a term.
    pub(crate) fn occurs(&mut self, name: Sym, init: Init) -> bool {
        let mut occurs = Occurs { name, found: false };
        self.resolve(init, &mut occurs);
        occurs.found
    }

    /// The term with its variables looked up, folded where that made operands known.
    pub(crate) fn resolve(&mut self, init: Init, lookup: &mut dyn Lookup) -> Init {
        if self.s.is_settled(init) || !self.enter(lookup.cur()) {
            return init;
        }
        let resolved = self.resolve_node(init, lookup);
        self.leave();
        resolved
    }

    fn resolve_all(&mut self, items: &[Init], lookup: &mut dyn Lookup) -> Vec<Init> {
        items.iter().map(|item| self.resolve(*item, lookup)).collect()
    }

    fn resolve_node(&mut self, init: Init, lookup: &mut dyn Lookup) -> Init {
        match self.s.node(init).clone() {
            Node::Unset
            | Node::Bit(_)
            | Node::Int(_)
            | Node::Str(_)
            | Node::Code(_)
            | Node::Def(_) => init,
            Node::AnonName(_) => {
                let new = lookup.anon(self, init).unwrap_or(init);
                match *self.s.node(new) {
                    Node::AnonName(number) if lookup.is_final() => self.anon_text(number),
                    _ => new,
                }
            }
            Node::Var(name, _) => lookup.var(self, name).unwrap_or(init),
            Node::Bits(bits) => self.resolve_bits(init, &bits, lookup),
            Node::BitOf(of, at) => {
                let new = self.resolve(of, lookup);
                if new == of { init } else { self.bit_of(new, at) }
            }
            Node::List(items, element) => {
                let new = self.resolve_all(&items, lookup);
                if *new == *items { init } else { self.s.list(new, element) }
            }
            Node::Dag(dag) => {
                let op = self.resolve(dag.op, lookup);
                let mut changed = op != dag.op;
                let mut args = Vec::with_capacity(dag.args.len());
                for arg in &dag.args {
                    let value = self.resolve(arg.value, lookup);
                    changed |= value != arg.value;
                    args.push(DagArgNode { value, ..*arg });
                }
                if !changed {
                    return init;
                }
                let (op_name, span) = (dag.op_name, dag.span);
                self.s.add(Node::Dag(Arc::new(DagNode { op, op_name, args, span })))
            }
            Node::Field(of, name, ty) => {
                let new = self.resolve(of, lookup);
                if new == of { init } else { self.fold_field(new, name, ty, lookup.cur()) }
            }
            Node::Instance(class, args) => {
                let mut track = Track { inner: Some(lookup), unresolved: false };
                let new: Vec<_> =
                    args.iter().map(|(key, arg)| (*key, self.resolve(*arg, &mut track))).collect();
                let unresolved = track.unresolved;
                if *new == *args {
                    return init;
                }
                let span = self.instance_spans.get(&init).copied().unwrap_or(self.here);
                if unresolved {
                    self.instance(class, new, span)
                } else {
                    self.instantiate(class, new, span)
                }
            }
            Node::Elem(list, index, ty) => {
                let (new, at) = (self.resolve(list, lookup), self.resolve(index, lookup));
                if (new, at) == (list, index) { init } else { self.fold_elem(new, at, ty) }
            }
            Node::Slice(list, indices, ty) => {
                let (new, at) = (self.resolve(list, lookup), self.resolve(indices, lookup));
                if (new, at) == (list, indices) { init } else { self.fold_slice(new, at, ty) }
            }
            Node::Cond(clauses, ty) => {
                let new: Vec<_> = clauses
                    .iter()
                    .map(|(c, v)| (self.resolve(*c, lookup), self.resolve(*v, lookup)))
                    .collect();
                if *new == *clauses { init } else { self.fold_cond(new, ty, lookup.cur()) }
            }
            Node::Op(op, args, ty) => self.resolve_op(init, op, &args, ty, lookup),
        }
    }

    fn resolve_bits(&mut self, init: Init, bits: &[Init], lookup: &mut dyn Lookup) -> Init {
        let mut cached = None;
        let mut new = Vec::with_capacity(bits.len());
        for bit in bits {
            let resolved = if let Node::BitOf(of, at) = *self.s.node(*bit) {
                let whole = match cached {
                    Some((from, whole)) if from == of => whole,
                    _ => {
                        let whole = self.resolve(of, lookup);
                        cached = Some((of, whole));
                        whole
                    }
                };
                self.bit_of(whole, at)
            } else {
                let resolved = self.resolve(*bit, lookup);
                self.bit_of(resolved, 0)
            };
            let keep = resolved == UNSET && lookup.keeps_unset_bits();
            new.push(if keep { *bit } else { resolved });
        }
        if *new == *bits { init } else { self.s.add(Node::Bits(new.into())) }
    }

    fn resolve_op(
        &mut self,
        init: Init,
        op: BangOp,
        args: &[Init],
        ty: super::store::TyId,
        lookup: &mut dyn Lookup,
    ) -> Init {
        let is_final = lookup.is_final();
        let cur = lookup.cur();
        let new = match (op, args) {
            (BangOp::If, [cond, then, other]) => {
                let new = self.resolve(*cond, lookup);
                if new != *cond
                    && let Some(value) = self.as_int(new)
                {
                    return self.resolve(if value != 0 { *then } else { *other }, lookup);
                }
                vec![new, self.resolve(*then, lookup), self.resolve(*other, lookup)]
            }
            (BangOp::And | BangOp::Or, [first, second]) => {
                let new = self.resolve(*first, lookup);
                if let Some(value) = self.as_int(new)
                    && value == if op == BangOp::And { 0 } else { -1 }
                {
                    return self.s.int(value);
                }
                vec![new, self.resolve(*second, lookup)]
            }
            (BangOp::Foreach | BangOp::Filter, [var, list, expr]) => {
                let list = self.resolve(*list, lookup);
                let mut shadow = Shadow { inner: lookup, names: [self.var_name(*var), None] };
                vec![*var, list, self.resolve(*expr, &mut shadow)]
            }
            (BangOp::Foldl, [start, list, a, b, expr]) => {
                let start = self.resolve(*start, lookup);
                let list = self.resolve(*list, lookup);
                let names = [self.var_name(*a), self.var_name(*b)];
                let mut shadow = Shadow { inner: lookup, names };
                vec![start, list, *a, *b, self.resolve(*expr, &mut shadow)]
            }
            _ => self.resolve_all(args, lookup),
        };
        let folds_late = matches!(op, BangOp::Cast | BangOp::Exists | BangOp::Instances);
        if *new == *args && !(is_final && folds_late) {
            return init;
        }
        self.fold(op, &new, ty, cur, is_final)
    }

    pub(crate) fn var_name(&self, init: Init) -> Option<Sym> {
        match self.s.node(init) {
            Node::Var(name, _) => Some(*name),
            _ => None,
        }
    }

    /// Resolves the name and all fields of a record.
    pub(crate) fn resolve_rec(&mut self, rec: &mut Rec, lookup: &mut dyn Lookup) {
        rec.name = self.resolve(rec.name, lookup);
        for index in 0..rec.vals.len() {
            let val = rec.vals[index];
            let value = self.resolve(val.value, lookup);
            if value != val.value
                && let Some(value) = self.resolved_value(rec, index, value)
            {
                rec.vals[index].value = value;
            }
        }
        for index in 0..rec.checks.len() {
            let check = rec.checks[index];
            rec.checks[index].cond = check.cond.map(|cond| self.resolve(cond, lookup));
            rec.checks[index].message = self.resolve(check.message, lookup);
        }
    }

    /// Resolves references among the fields of a record, for good.
    pub(crate) fn resolve_own(&mut self, rec: Rec, new_name: Option<Init>) -> Rec {
        let mut lookup = RecLookup::new(rec, new_name);
        let name = self.resolve(lookup.rec.name, &mut lookup);
        lookup.rec.name = name;
        for index in 0..lookup.rec.vals.len() {
            let val = lookup.rec.vals[index];
            if self.s.is_settled(val.value) {
                continue;
            }
            let here = std::mem::replace(&mut self.here, val.span);
            let value = self.resolve(val.value, &mut lookup);
            self.here = here;
            if value != val.value
                && let Some(value) = self.resolved_value(&lookup.rec, index, value)
            {
                lookup.rec.vals[index].value = value;
            }
        }
        for index in 0..lookup.rec.checks.len() {
            let check = lookup.rec.checks[index];
            let cond = check.cond.map(|cond| self.resolve(cond, &mut lookup));
            let message = self.resolve(check.message, &mut lookup);
            lookup.rec.checks[index] = super::record::Check { cond, message, ..check };
        }
        lookup.rec
    }

    fn resolved_value(&mut self, rec: &Rec, index: usize, value: Init) -> Option<Init> {
        let val = rec.vals[index];
        let converted = self.field_value(val.ty, value);
        if converted.is_none() {
            let message = self.incompatible(val.name, val.ty, value);
            let place = rec.span();
            let mut diagnostic = tegula_diag::Diagnostic::error("field-type", message).at(val.span);
            if let Some(place) = place.filter(|place| *place != val.span) {
                diagnostic = diagnostic.label(place, "in this record");
            }
            self.report(diagnostic);
        }
        converted
    }

    /// A value as a field of a type holds it.
    pub(crate) fn field_value(&mut self, ty: super::store::TyId, value: Init) -> Option<Init> {
        let value = self.cast_to(value, ty)?;
        if let TyNode::Bits(width) = *self.s.ty_node(ty)
            && !matches!(self.s.node(value), Node::Bits(_))
        {
            let bits = (0..width).map(|at| self.bit_of(value, at)).collect();
            return Some(self.s.add(Node::Bits(bits)));
        }
        Some(value)
    }

    /// Whether a field holds what it may in a finished record.
    pub(crate) fn field_is_concrete(&self, rec: &Rec, index: usize) -> bool {
        let val = rec.vals[index];
        if val.kind == ValKind::NonconcreteOk {
            return true;
        }
        let Node::Bits(bits) = self.s.node(val.value) else { return self.is_concrete(val.value) };
        bits.iter().all(|bit| match self.s.node(*bit) {
            Node::BitOf(of, _) => match self.s.node(*of) {
                Node::Var(name, _) => rec.get(*name).is_some(),
                _ => false,
            },
            Node::Var(..) => true,
            _ => self.is_concrete(*bit),
        })
    }
}
