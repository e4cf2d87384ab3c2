//! Folding: operators whose operands are known become values.

use std::sync::Arc;

use tegula_diag::Diagnostic;
use tegula_syntax::BangOp;

use super::Eval;
use super::resolve::{Cur, MapLookup};
use super::store::{DagArgNode, DagNode, Init, Node, Sym, TyId, TyNode, ty};

impl Eval {
    /// An operator applied to operands: its value when they are known, or a term.
    pub(crate) fn fold(
        &mut self,
        op: BangOp,
        args: &[Init],
        ty: TyId,
        cur: Option<Cur>,
        is_final: bool,
    ) -> Init {
        let folded = match (op, args) {
            (BangOp::Cast, [value]) => self.fold_cast(*value, ty, cur, is_final),
            (BangOp::IsA, [value]) => self.fold_isa(*value, ty),
            (BangOp::Exists, [name]) => self.fold_exists(*name, ty, cur, is_final),
            (BangOp::Instances, [regex]) => self.fold_instances(*regex, ty, cur, is_final),
            (BangOp::Not, [value]) => {
                self.as_int(*value).map(|value| self.s.int(i64::from(value == 0)))
            }
            (BangOp::Initialized, [value]) => match self.s.node(*value) {
                Node::Unset => Some(self.s.int(0)),
                _ if self.is_concrete(*value) => Some(self.s.int(1)),
                _ => None,
            },
            (BangOp::Repr, [value]) if self.is_concrete(*value) => {
                let text = self.repr(*value);
                Some(self.s.str(&text))
            }
            (BangOp::If, [cond, then, other]) => {
                self.as_int(*cond).map(|cond| if cond != 0 { *then } else { *other })
            }
            (BangOp::Subst, [from, to, of]) => self.fold_subst(*from, *to, *of),
            (
                BangOp::Add
                | BangOp::Sub
                | BangOp::Mul
                | BangOp::Div
                | BangOp::And
                | BangOp::Or
                | BangOp::Xor
                | BangOp::Shl
                | BangOp::Sra
                | BangOp::Srl,
                [a, b],
            ) => self.fold_arith(op, *a, *b, cur),
            (BangOp::LogTwo, [value]) => match self.as_int(*value) {
                Some(value) if value > 0 => Some(self.s.int(i64::from(value.ilog2()))),
                Some(value) => self.fail(
                    "logarithm",
                    format!(
                        "Illegal operation: logtwo is undefined on arguments less than or equal \
                         to 0: {value}"
                    ),
                    cur,
                ),
                None => None,
            },
            (
                BangOp::Eq | BangOp::Ne | BangOp::Lt | BangOp::Le | BangOp::Gt | BangOp::Ge,
                [a, b],
            ) => self.fold_compare(op, *a, *b),
            (
                BangOp::StrConcat
                | BangOp::ToLower
                | BangOp::ToUpper
                | BangOp::Substr
                | BangOp::Find
                | BangOp::Interleave
                | BangOp::Match,
                _,
            ) => self.fold_string(op, args, cur),
            (
                BangOp::Size
                | BangOp::Empty
                | BangOp::Head
                | BangOp::Tail
                | BangOp::ListConcat
                | BangOp::ListFlatten
                | BangOp::ListRemove
                | BangOp::ListSplat
                | BangOp::Range,
                _,
            ) => self.fold_list(op, args, ty, cur),
            (BangOp::Foreach | BangOp::Filter | BangOp::Foldl, _) => {
                self.fold_loop(op, args, ty, cur)
            }
            _ => self.fold_dag(op, args, ty, cur),
        };
        folded.unwrap_or_else(|| self.s.op(op, args, ty))
    }

    /// Reports an error of a fold; the term stays as it is.
    pub(crate) fn fail<T>(
        &mut self,
        code: &'static str,
        message: String,
        cur: Option<Cur>,
    ) -> Option<T> {
        let mut diagnostic = Diagnostic::error(code, message).at(self.here);
        if let Some(span) = cur.and_then(|cur| cur.span).filter(|span| *span != self.here) {
            diagnostic = diagnostic.label(span, "while this record is made");
        }
        self.report(diagnostic);
        None
    }

    fn fold_cast(
        &mut self,
        value: Init,
        ty: TyId,
        cur: Option<Cur>,
        is_final: bool,
    ) -> Option<Init> {
        match self.s.ty_node(ty) {
            TyNode::Str => match self.s.node(value) {
                Node::Str(_) | Node::Code(_) => return Some(value),
                Node::Def(id) => {
                    let name = self.recs[id.0 as usize].name;
                    return Some(name);
                }
                _ => {
                    if let Some(value) = self.as_int(value) {
                        return Some(self.s.str(&value.to_string()));
                    }
                }
            },
            TyNode::Rec(_) => {
                if let Some(name) = self.s.str_of(value) {
                    return self.record_named(name, ty, cur, is_final);
                }
            }
            _ => {}
        }
        self.convert(value, ty)
    }

    /// The record of a name, for `!cast`. Only what exists is seen; the record itself exists once
    /// it is being finished.
    fn record_named(
        &mut self,
        name: Sym,
        ty: TyId,
        cur: Option<Cur>,
        is_final: bool,
    ) -> Option<Init> {
        let mut found = self.def_names.get(&name).copied();
        if found.is_none()
            && let Some(cur) = cur
            && self.is_name_of(name, cur)
        {
            if !is_final {
                return None;
            }
            found = cur.id;
        }
        let Some(id) = found else {
            if is_final && !self.failed_names.contains(&name) {
                let text = self.s.text(name).clone();
                let message = format!("Undefined reference to record: '{text}'");
                let mut diagnostic = Diagnostic::error("unknown-record", message).at(self.here);
                if let Some(span) = cur.and_then(|cur| cur.span).filter(|span| *span != self.here) {
                    diagnostic = diagnostic.label(span, "while this record is made");
                }
                if let Some(near) = self.nearest_def(&text) {
                    diagnostic = diagnostic.note(format!("did you mean `{near}`?"));
                }
                self.report(diagnostic);
            }
            return None;
        };
        let of = self.def_ty(id);
        if !self.is_a(of, ty) {
            let (of, wanted) = (self.show_ty(of), self.show_ty(ty));
            let text = self.s.text(name).clone();
            let message =
                format!("Expected type '{wanted}', got '{of}' in: !cast<{wanted}>(\"{text}\")");
            return self.fail("cast-type", message, cur);
        }
        Some(self.s.add(Node::Def(id)))
    }

    fn is_name_of(&mut self, name: Sym, cur: Cur) -> bool {
        let own = match *self.s.node(cur.name) {
            Node::AnonName(number) => self.anon_text(number),
            _ => cur.name,
        };
        self.s.str_of(own) == Some(name)
    }

    fn fold_isa(&mut self, value: Init, ty: TyId) -> Option<Init> {
        let of = self.ty_of(value)?;
        if self.converts(of, ty) {
            return Some(self.s.int(1));
        }
        if let TyNode::Rec(_) = self.s.ty_node(ty) {
            let is_def = matches!(self.s.node(value), Node::Def(_));
            if is_def || !self.converts(ty, of) && self.is_concrete(value) {
                return Some(self.s.int(0));
            }
            return None;
        }
        Some(self.s.int(0))
    }

    fn fold_exists(
        &mut self,
        name: Init,
        ty: TyId,
        cur: Option<Cur>,
        is_final: bool,
    ) -> Option<Init> {
        let name = self.s.str_of(name)?;
        let mut found = self.def_names.get(&name).copied();
        if found.is_none()
            && let Some(cur) = cur
            && self.is_name_of(name, cur)
        {
            if !is_final {
                return None;
            }
            found = cur.id;
        }
        match found {
            Some(id) => {
                let of = self.def_ty(id);
                let is = self.is_a(of, ty);
                Some(self.s.int(i64::from(is)))
            }
            None => is_final.then(|| self.s.int(0)),
        }
    }

    fn fold_instances(
        &mut self,
        regex: Init,
        ty: TyId,
        cur: Option<Cur>,
        is_final: bool,
    ) -> Option<Init> {
        if cur.is_some() && !is_final {
            return None;
        }
        let pattern = self.s.str_of(regex)?;
        let pattern = self.s.text(pattern).clone();
        let regex = self.regex(&pattern, cur)?;
        let mut names: Vec<_> = self.def_names.iter().map(|(name, id)| (*name, *id)).collect();
        names.sort_by(|a, b| self.s.text(a.0).cmp(self.s.text(b.0)));
        let mut items = Vec::new();
        for (name, id) in names {
            let of = self.def_ty(id);
            if self.is_a(of, ty) && regex.is_match(self.s.text(name)) {
                items.push(self.s.add(Node::Def(id)));
            }
        }
        Some(self.s.list(items, ty))
    }

    fn fold_subst(&mut self, from: Init, to: Init, of: Init) -> Option<Init> {
        match (self.s.node(from), self.s.node(to), self.s.node(of)) {
            (Node::Def(_), Node::Def(_), Node::Def(_)) => Some(if from == of { to } else { of }),
            (Node::Var(a, _), Node::Var(..), Node::Var(b, _)) => Some(if a == b { to } else { of }),
            (
                Node::Str(from) | Node::Code(from),
                Node::Str(to) | Node::Code(to),
                Node::Str(text) | Node::Code(text),
            ) => {
                let (from, to) = (self.s.text(*from), self.s.text(*to));
                let text = self.s.text(*text);
                let replaced =
                    if from.is_empty() { text.to_string() } else { text.replace(&**from, to) };
                Some(self.s.str(&replaced))
            }
            _ => None,
        }
    }

    fn fold_arith(&mut self, op: BangOp, a: Init, b: Init, cur: Option<Cur>) -> Option<Init> {
        let (a, b) = (self.as_int(a)?, self.as_int(b)?);
        let shift = |b: i64| u32::try_from(b).ok().filter(|b| *b < 64);
        let value = match op {
            BangOp::Add => a.wrapping_add(b),
            BangOp::Sub => a.wrapping_sub(b),
            BangOp::Mul => a.wrapping_mul(b),
            BangOp::And => a & b,
            BangOp::Or => a | b,
            BangOp::Xor => a ^ b,
            BangOp::Div => match a.checked_div(b) {
                Some(value) => value,
                None => {
                    let message = if b == 0 {
                        "Illegal operation: division by zero"
                    } else {
                        "Illegal operation: INT64_MIN / -1"
                    };
                    return self.fail("division", message.to_owned(), cur);
                }
            },
            _ => match shift(b) {
                Some(by) if op == BangOp::Shl => a.wrapping_shl(by),
                Some(by) if op == BangOp::Sra => a >> by,
                Some(by) => (a.cast_unsigned() >> by).cast_signed(),
                None => {
                    let message =
                        format!("Illegal operation: out of bounds shift: {b} is not in 0…63");
                    return self.fail("shift", message, cur);
                }
            },
        };
        Some(self.s.int(value))
    }

    fn fold_compare(&mut self, op: BangOp, a: Init, b: Init) -> Option<Init> {
        let order = if let (Some(a), Some(b)) = (self.as_int(a), self.as_int(b)) {
            a.cmp(&b)
        } else if let (Some(a), Some(b)) = (self.s.str_of(a), self.s.str_of(b)) {
            self.s.text(a).cmp(self.s.text(b))
        } else {
            let (a, b) = (self.s.canon(a), self.s.canon(b));
            let defs = matches!((self.s.node(a), self.s.node(b)), (Node::Def(_), Node::Def(_)));
            if !defs || !matches!(op, BangOp::Eq | BangOp::Ne) {
                return None;
            }
            (a.0).cmp(&b.0)
        };
        let holds = match op {
            BangOp::Eq => order.is_eq(),
            BangOp::Ne => order.is_ne(),
            BangOp::Lt => order.is_lt(),
            BangOp::Le => order.is_le(),
            BangOp::Gt => order.is_gt(),
            _ => order.is_ge(),
        };
        Some(self.s.bit(holds))
    }

    /// `value.field`
    pub(crate) fn fold_field(&mut self, of: Init, name: Sym, ty: TyId, cur: Option<Cur>) -> Init {
        if let Node::Def(id) = *self.s.node(of) {
            if cur.is_some_and(|cur| cur.id == Some(id)) {
                let field = self.s.text(name).clone();
                let owner = self.show_unquoted(of);
                let message = format!(
                    "Attempting to access field '{field}' of '{owner}' is a forbidden \
                     self-reference"
                );
                let _: Option<Init> = self.fail("self-reference", message, cur);
            } else if let Some(val) = self.recs[id.0 as usize].get(name) {
                let value = val.value;
                // What is evaluated without end has long chains of fields that are not.
                if !self.overflowed && self.is_concrete(value) {
                    return value;
                }
            }
        }
        self.s.add(Node::Field(of, name, ty))
    }

    /// `list[index]`
    pub(crate) fn fold_elem(&mut self, list: Init, index: Init, ty: TyId) -> Init {
        if let Some(at) = self.as_int(index)
            && let Node::List(items, _) = self.s.node(list)
            && let Some(item) = usize::try_from(at).ok().and_then(|at| items.get(at))
        {
            return *item;
        }
        self.s.add(Node::Elem(list, index, ty))
    }

    /// `list[indices]`
    pub(crate) fn fold_slice(&mut self, list: Init, indices: Init, ty: TyId) -> Init {
        let (list_node, index_node) = (self.s.node(list).clone(), self.s.node(indices).clone());
        if let (Node::List(items, element), Node::List(indices, _)) = (list_node, index_node) {
            let mut out = Vec::with_capacity(indices.len());
            for index in indices.iter() {
                let at = self.as_int(*index).and_then(|at| usize::try_from(at).ok());
                out.extend(at.and_then(|at| items.get(at)));
            }
            if out.len() == indices.len() {
                return self.s.list(out, element);
            }
        }
        self.s.add(Node::Slice(list, indices, ty))
    }

    /// `!cond(…)`
    pub(crate) fn fold_cond(
        &mut self,
        clauses: Vec<(Init, Init)>,
        ty: TyId,
        cur: Option<Cur>,
    ) -> Init {
        for (cond, value) in &clauses {
            match self.as_int(*cond) {
                Some(0) => {}
                Some(_) => return self.convert(*value, ty).unwrap_or(*value),
                None => return self.s.add(Node::Cond(clauses.into(), ty)),
            }
        }
        let owner = cur.map(|cur| self.show_unquoted(cur.name) + " ").unwrap_or_default();
        let term = self.s.add(Node::Cond(clauses.into(), ty));
        let message = format!("{owner}does not have any true condition in:{}", self.show(term));
        let _: Option<Init> = self.fail("cond", message, cur);
        term
    }

    fn fold_loop(&mut self, op: BangOp, args: &[Init], ty: TyId, cur: Option<Cur>) -> Option<Init> {
        match (op, args) {
            (BangOp::Foreach, [var, over, expr]) => {
                let var = self.var_name(*var)?;
                match self.s.node(*over).clone() {
                    Node::Dag(dag) => Some(self.map_dag(*over, &dag, var, *expr, cur)),
                    Node::List(items, _) => {
                        let new =
                            items.iter().map(|item| self.apply(var, *item, *expr, cur)).collect();
                        let element = self.element_ty(ty)?;
                        Some(self.s.list(new, element))
                    }
                    _ => None,
                }
            }
            (BangOp::Filter, [var, over, expr]) => {
                let var = self.var_name(*var)?;
                let Node::List(items, _) = self.s.node(*over).clone() else { return None };
                let mut kept = Vec::new();
                for item in items.iter() {
                    let keep = self.apply(var, *item, *expr, cur);
                    if self.as_int(keep)? != 0 {
                        kept.push(*item);
                    }
                }
                let element = self.element_ty(ty)?;
                Some(self.s.list(kept, element))
            }
            (BangOp::Foldl, [start, over, a, b, expr]) => {
                let (a, b) = (self.var_name(*a)?, self.var_name(*b)?);
                let Node::List(items, _) = self.s.node(*over).clone() else { return None };
                let mut sum = *start;
                for item in items.iter() {
                    let mut map = MapLookup::new(cur);
                    map.set(a, sum);
                    map.set(b, *item);
                    sum = self.resolve(*expr, &mut map);
                }
                Some(sum)
            }
            _ => None,
        }
    }

    fn apply(&mut self, var: Sym, item: Init, expr: Init, cur: Option<Cur>) -> Init {
        let mut map = MapLookup::new(cur);
        map.set(var, item);
        self.resolve(expr, &mut map)
    }

    fn map_dag(
        &mut self,
        init: Init,
        dag: &Arc<DagNode>,
        var: Sym,
        expr: Init,
        cur: Option<Cur>,
    ) -> Init {
        let op = self.apply(var, dag.op, expr, cur);
        let mut changed = op != dag.op;
        let mut args = Vec::with_capacity(dag.args.len());
        for arg in &dag.args {
            let value = match self.s.node(arg.value).clone() {
                Node::Dag(inner) => self.map_dag(arg.value, &inner, var, expr, cur),
                _ => self.apply(var, arg.value, expr, cur),
            };
            changed |= value != arg.value;
            args.push(DagArgNode { value, ..*arg });
        }
        if !changed {
            return init;
        }
        self.s.add(Node::Dag(Arc::new(DagNode { op, op_name: dag.op_name, args, span: dag.span })))
    }

    /// The integer type as the type of a comparison's operands.
    pub(crate) fn is_integral(&self, of: TyId) -> bool {
        of == ty::INT || of == ty::BIT || matches!(self.s.ty_node(of), TyNode::Bits(_))
    }
}
