//! Prototypes: what stands in multiclasses and loops, and its instantiation.

use std::sync::Arc;

use tegula_diag::{Diagnostic, Span};
use tegula_syntax::BangOp;
use tegula_syntax::ast;

use super::Eval;
use super::expr::Mode;
use super::include::Unit;
use super::record::{Check, Rec, RecKind};
use super::resolve::{Cur, MapLookup};
use super::scope::ScopeKind;
use super::store::{Init, Node, Sym, TyId, ty};

/// A multiclass.
#[derive(Clone)]
pub(crate) struct Multi {
    /// Its parameters, as a record.
    pub rec: Rec,
    pub entries: Vec<Arc<Entry>>,
}

/// Something to be instantiated.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Rec(Box<Rec>),
    Loop(Loop),
    Check(Check),
}

/// A loop whose list may not be known yet.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub span: Span,
    /// The loop variable; an `if` has none.
    pub var: Option<Sym>,
    pub list: Init,
    pub entries: Vec<Arc<Entry>>,
}

/// What variables stand for, by qualified name.
type Substs = Vec<(Sym, Init)>;

/// What to do with instances.
enum Dest<'a> {
    /// Collect them.
    Collect(&'a mut Vec<Arc<Entry>>),
    /// They are definitions.
    Define,
}

impl Eval {
    /// Takes a record, loop or check where it stands: into the loop or multiclass around it, or
    /// it happens now.
    pub(crate) fn add_entry(&mut self, entry: Entry) {
        if let Some(entries) = self.loops.last_mut() {
            entries.push(Arc::new(entry));
            return;
        }
        match (entry, self.multi) {
            (Entry::Loop(node), Some(multi)) => {
                let mut out = Vec::new();
                self.run_loop(&node, &mut Vec::new(), false, &mut Dest::Collect(&mut out), None);
                if let Some(multi) = self.multis.get_mut(&multi) {
                    multi.entries.extend(out);
                }
            }
            (entry, Some(multi)) => {
                if let Some(multi) = self.multis.get_mut(&multi) {
                    multi.entries.push(Arc::new(entry));
                }
            }
            (Entry::Loop(node), None) => {
                self.run_loop(&node, &mut Vec::new(), true, &mut Dest::Define, None);
            }
            (Entry::Check(check), None) => self.run_check(&check, None),
            (Entry::Rec(rec), None) => {
                self.add_def(*rec);
            }
        }
    }

    fn map(&self, substs: &[(Sym, Init)], cur: Option<Cur>) -> MapLookup {
        let mut map = MapLookup::new(cur);
        for (name, value) in substs {
            map.set(*name, *value);
        }
        map
    }

    fn run_loop(
        &mut self,
        node: &Loop,
        substs: &mut Substs,
        is_final: bool,
        dest: &mut Dest,
        origin: Option<Span>,
    ) {
        let here = std::mem::replace(&mut self.here, node.span);
        let mut map = self.map(substs, None);
        let mut list = self.resolve(node.list, &mut map);
        // What an `if` chooses must be known when its scope ends.
        if is_final
            && let Node::Op(BangOp::If, args, list_ty) = self.s.node(list).clone()
            && let [cond, then, other] = *args
        {
            map.is_final = true;
            let new = self.resolve(cond, &mut map);
            list = self.fold(BangOp::If, &[new, then, other], list_ty, None, true);
            if matches!(self.s.node(list), Node::Op(BangOp::If, ..)) {
                let shown = self.show(new);
                let message =
                    format!("unable to resolve if condition '{shown}' at end of containing scope");
                self.error::<()>(node.span, "condition", message);
                self.here = here;
                return;
            }
        }
        self.here = here;
        let Node::List(items, _) = self.s.node(list).clone() else {
            if !is_final && let Dest::Collect(out) = dest {
                let mut entries = Vec::new();
                let inner = &mut Dest::Collect(&mut entries);
                self.run_entries(&node.entries, substs, false, inner, origin);
                out.push(Arc::new(Entry::Loop(Loop { list, entries, ..node.clone() })));
                return;
            }
            let shown = self.show(list);
            self.error::<()>(
                node.span,
                "loop-list",
                format!("attempting to loop over '{shown}', expected a list"),
            );
            return;
        };
        for item in items.iter() {
            if let Some(var) = node.var {
                substs.push((var, *item));
            }
            self.run_entries(&node.entries, substs, is_final, dest, origin);
            if node.var.is_some() {
                substs.pop();
            }
        }
    }

    fn run_entries(
        &mut self,
        entries: &[Arc<Entry>],
        substs: &mut Substs,
        is_final: bool,
        dest: &mut Dest,
        origin: Option<Span>,
    ) {
        for entry in entries {
            if self.overflowed {
                return;
            }
            let new = match &**entry {
                Entry::Loop(node) => {
                    self.run_loop(node, substs, is_final, dest, origin);
                    continue;
                }
                Entry::Check(check) => {
                    let mut map = self.map(substs, None);
                    let cond = check.cond.map(|cond| self.resolve(cond, &mut map));
                    let message = self.resolve(check.message, &mut map);
                    Entry::Check(Check { cond, message, ..*check })
                }
                Entry::Rec(rec) => {
                    let mut rec = rec.clone();
                    rec.spans.extend(origin);
                    let cur = Cur { name: rec.name, id: None, span: rec.span() };
                    let mut map = self.map(substs, Some(cur));
                    self.resolve_rec(&mut rec, &mut map);
                    Entry::Rec(rec)
                }
            };
            match dest {
                Dest::Collect(out) => out.push(Arc::new(new)),
                Dest::Define => match new {
                    Entry::Rec(rec) => {
                        self.add_def(*rec);
                    }
                    Entry::Check(check) => self.run_check(&check, None),
                    Entry::Loop(_) => {}
                },
            }
        }
    }

    pub(crate) fn foreach_stmt(&mut self, node: &ast::Foreach, span: Span, unit: &Unit) {
        let Some((list, element)) = self.foreach_list(node) else { return };
        let name = self.s.sym_of(&node.name.name);
        let var = self.s.add(Node::Var(name, element));
        self.push_local(&[(name, var)]);
        self.loops.push(Vec::new());
        self.stmts(&node.body, unit);
        self.pop_scope();
        let entries = self.loops.pop().unwrap_or_default();
        self.add_entry(Entry::Loop(Loop { span, var: Some(name), list, entries }));
    }

    fn foreach_list(&mut self, node: &ast::Foreach) -> Option<(Init, TyId)> {
        let numbers = match &node.values {
            ast::ForeachValues::Ranges(ranges) => self.numbers(ranges)?,
            ast::ForeachValues::Value(expr) => {
                let value = self.expr(expr, None, Mode::Value)?;
                let of = self.ty_of(value);
                if let Some(element) = of.and_then(|of| self.element_ty(of)) {
                    return Some((value, element));
                }
                match self.as_int(value) {
                    Some(number) => vec![number],
                    None => {
                        let shown = self.show(value);
                        let message = format!("attempting to loop over '{shown}', expected a list");
                        return self.error(expr.span, "loop-list", message);
                    }
                }
            }
        };
        let items = numbers.into_iter().map(|number| self.s.int(number)).collect();
        Some((self.s.list(items, ty::INT), ty::INT))
    }

    pub(crate) fn if_stmt(&mut self, node: &ast::If, unit: &Unit) {
        let Some(cond) = self.expr(&node.cond, None, Mode::Value) else { return };
        let one = self.s.bit(true);
        let once = self.s.list(vec![one], ty::BIT);
        let never = self.s.list(Vec::new(), ty::BIT);
        let bits = self.s.list_of(ty::BIT);
        let span = node.cond.span;
        let arms = [
            (Some(&node.then), [cond, once, never]),
            (node.otherwise.as_ref(), [cond, never, once]),
        ];
        for (body, args) in arms {
            let Some(body) = body else { continue };
            let list = self.fold(BangOp::If, &args, bits, None, false);
            self.push_scope(ScopeKind::Local);
            self.loops.push(Vec::new());
            self.stmts(body, unit);
            self.pop_scope();
            let entries = self.loops.pop().unwrap_or_default();
            self.add_entry(Entry::Loop(Loop { span, var: None, list, entries }));
        }
    }

    pub(crate) fn multiclass_stmt(
        &mut self,
        node: &ast::MultiClass,
        incomplete: bool,
        unit: &Unit,
    ) {
        let name = self.s.sym_of(&node.name.name);
        if let Some(before) = self.multis.get(&name) {
            let span = before.rec.span();
            let message = format!("multiclass '{}' already defined", node.name.name);
            let mut diagnostic =
                Diagnostic::error("duplicate-multiclass", message).at(node.name.span);
            if let Some(span) = span {
                diagnostic = diagnostic.label(span, "location of previous definition");
            }
            self.report(diagnostic);
            return;
        }
        let name_init = self.s.add(Node::Str(name));
        let mut rec = Rec::new(name_init, RecKind::Multiclass, node.name.span);
        rec.broken = incomplete;
        self.multis.insert(name, Multi { rec, entries: Vec::new() });
        let outer = self.multi.replace(name);
        self.push_scope(ScopeKind::Multi);
        self.multi_params(name, &node.params);
        for parent in &node.parents {
            let own_name = self.multi_name(name);
            let own_name = self.s.add(Node::Var(own_name, ty::STR));
            if let Some((entries, mut substs)) = self.multi_ref(parent, own_name) {
                let mut out = Vec::new();
                let dest = &mut Dest::Collect(&mut out);
                self.run_entries(&entries, &mut substs, false, dest, None);
                if let Some(multi) = self.multis.get_mut(&name) {
                    multi.entries.extend(out);
                }
            } else if let Some(multi) = self.multis.get_mut(&name) {
                multi.rec.broken = true;
            }
        }
        let errors = self.errors;
        self.stmts(&node.body, unit);
        self.pop_scope();
        self.multi = outer;
        if errors == self.errors
            && let Some(rec) = self.multis.get(&name).map(|multi| multi.rec.clone())
        {
            self.unused_params(&rec);
        }
    }

    fn multi_params(&mut self, multi: Sym, params: &[ast::Param]) {
        for param in params {
            let name = format!("{}::{}", self.s.text(multi), param.name.name);
            let name = self.s.sym(&name);
            let errors = self.errors;
            let val = self.param_val(param, name);
            let failed = self.errors > errors || val.is_none();
            if let Some(multi) = self.multis.get_mut(&multi) {
                multi.rec.broken |= failed;
                if let Some(val) = val {
                    multi.rec.params.push(name);
                    multi.rec.vals.push(val);
                }
            }
        }
    }

    /// A multiclass with arguments: its entries and what its variables stand for.
    fn multi_ref(&mut self, node: &ast::ClassRef, name: Init) -> Option<(Vec<Arc<Entry>>, Substs)> {
        let sym = self.s.sym_of(&node.name.name);
        let Some(multi) = self.multis.get(&sym) else {
            if self.failed_names.contains(&sym) {
                return None;
            }
            let message = format!("Couldn't find multiclass '{}'", node.name.name);
            let mut diagnostic =
                Diagnostic::error("unknown-multiclass", message).at(node.name.span);
            let known = self.multis.keys().map(|sym| &**self.s.text(*sym));
            if self.class_names.contains_key(&sym) {
                diagnostic = diagnostic.note("a class has this name; `def` makes records of it");
            } else if let Some(near) = tegula_diag::nearest(&node.name.name, known) {
                let near = near.to_owned();
                diagnostic = diagnostic.fix(node.name.span, &near, format!("write `{near}`"));
            }
            self.report(diagnostic);
            return None;
        };
        let (rec, entries) = (multi.rec.clone(), multi.entries.clone());
        let params: Vec<(Sym, TyId, Span)> =
            rec.vals.iter().map(|val| (val.name, val.ty, val.decl)).collect();
        let prefix = format!("{}::", node.name.name);
        let args = self.args(&node.args, &params, &prefix, node, rec.broken)?;
        let mut substs = self.match_args(&rec, &args, node.name.span)?;
        substs.push((self.multi_name(sym), name));
        Some((entries, substs))
    }

    pub(crate) fn defm_stmt(&mut self, node: &ast::Defm) {
        let name = match &node.name {
            Some(name) => match self.object_name(name) {
                Some(name) => name,
                None => return,
            },
            None => {
                let anon = self.new_anon();
                match self.multi {
                    Some(multi) => {
                        let own = self.multi_name(multi);
                        let own = self.s.add(Node::Var(own, ty::STR));
                        self.fold(BangOp::StrConcat, &[own, anon], ty::STR, None, false)
                    }
                    None => anon,
                }
            }
        };
        let is_final = self.multi.is_none() && self.loops.is_empty();
        let mut entries = Vec::new();
        let mut classes = false;
        for (index, parent) in node.parents.iter().enumerate() {
            let sym = self.s.sym_of(&parent.name.name);
            // Classes may stand at the end of the list.
            classes |= index > 0 && self.class_names.contains_key(&sym);
            if classes {
                let Some(class) = self.class_named(&parent.name.name, parent.name.span) else {
                    continue;
                };
                let Some(args) = self.class_args(class, parent) else { continue };
                entries = self.with_entries(entries, &mut |ev, rec| {
                    ev.add_super(rec, class, &args, parent.span);
                });
                continue;
            }
            let Some((from, mut substs)) = self.multi_ref(parent, name) else { continue };
            let dest = &mut Dest::Collect(&mut entries);
            self.run_entries(&from, &mut substs, is_final, dest, Some(parent.name.span));
        }
        let entries = self.with_entries(entries, &mut |ev, rec| ev.apply_lets(rec));
        for entry in entries {
            match Arc::try_unwrap(entry) {
                Ok(entry) => self.add_entry(entry),
                Err(entry) => self.add_entry((*entry).clone()),
            }
        }
    }

    /// Changes every record in the entries, those in loops too.
    fn with_entries(
        &mut self,
        entries: Vec<Arc<Entry>>,
        change: &mut dyn FnMut(&mut Self, &mut Rec),
    ) -> Vec<Arc<Entry>> {
        let mut out = Vec::with_capacity(entries.len());
        for entry in entries {
            let mut entry = Arc::unwrap_or_clone(entry);
            match &mut entry {
                Entry::Rec(rec) => change(self, rec),
                Entry::Loop(node) => {
                    let inner = std::mem::take(&mut node.entries);
                    node.entries = self.with_entries(inner, change);
                }
                Entry::Check(_) => {}
            }
            out.push(Arc::new(entry));
        }
        out
    }
}
