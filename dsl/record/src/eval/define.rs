//! Finishing definitions: named ones, and anonymous instances of classes.

use std::sync::Arc;

use tegula_diag::{Diagnostic, Span};
use tegula_syntax::ast;

use super::Eval;
use super::expr::Mode;
use super::record::{Check, Rec, RecKind, ValKind};
use super::resolve::{Cur, MapLookup};
use super::store::{ArgKey, ClassId, Init, Node, RecId};

impl Eval {
    /// A condition with its message, or a message to print.
    pub(crate) fn check(&mut self, cond: Option<&ast::Expr>, message: &ast::Expr) -> Option<Check> {
        let span = cond.map_or(message.span, |cond| cond.span);
        let cond = match cond {
            Some(cond) => Some(self.expr(cond, None, Mode::Value)?),
            None => None,
        };
        let message = self.expr(message, None, Mode::Value)?;
        Some(Check { span, cond, message })
    }

    /// Reports a condition that does not hold; prints a message.
    pub(crate) fn run_check(&mut self, check: &Check, record: Option<Span>) {
        let message = self.show_unquoted(check.message);
        let Some(cond) = check.cond else {
            self.diagnostics.push(Diagnostic::info("dump", message).at(check.span));
            return;
        };
        let diagnostic = match self.as_int(cond) {
            Some(0) => Diagnostic::error("assertion", "assertion failed").note(message),
            Some(_) => return,
            None => {
                let shown = self.show(cond);
                Diagnostic::error("assertion", format!("the condition `{shown}` is not known"))
            }
        };
        let mut diagnostic = diagnostic.at(check.span);
        if let Some(record) = record.filter(|record| *record != check.span) {
            diagnostic = diagnostic.label(record, "in this record");
        }
        self.report(diagnostic);
    }

    /// Finishes a definition and makes it known.
    pub(crate) fn add_def(&mut self, rec: Rec) -> Option<RecId> {
        let here = rec.span().unwrap_or(self.here);
        let here = std::mem::replace(&mut self.here, here);
        let origins = rec.spans.iter().skip(1).copied().collect();
        let origins = std::mem::replace(&mut self.origins, origins);
        let result = self.add_def_here(rec);
        (self.here, self.origins) = (here, origins);
        result
    }

    fn add_def_here(&mut self, mut rec: Rec) -> Option<RecId> {
        let mut new_name = None;
        let name = match *self.s.node(rec.name) {
            Node::AnonName(number) => Some(self.anon_text(number)),
            _ => Some(rec.name),
        };
        let name = name.and_then(|name| self.s.str_of(name));
        if let Some(before) = name.and_then(|name| self.def_names.get(&name)) {
            if rec.kind != RecKind::Anonymous {
                let before = self.recs[before.0 as usize].span();
                let message = format!("def already exists: {}", self.show_unquoted(rec.name));
                let mut diagnostic =
                    Diagnostic::error("duplicate-definition", message).at(self.here);
                if let Some(before) = before.filter(|before| *before != self.here) {
                    diagnostic = diagnostic.label(before, "location of previous definition");
                }
                self.report(diagnostic);
                return None;
            }
            new_name = Some(self.new_anon());
        }
        let id = RecId(self.recs.len() as u32);
        rec.id = Some(id);
        self.recs.push(Arc::new(rec.clone()));
        let errors = self.errors;
        let mut rec = self.resolve_own(rec, new_name);
        rec.broken |= self.errors > errors;
        self.finish_def(rec, id)
    }

    fn finish_def(&mut self, mut rec: Rec, id: RecId) -> Option<RecId> {
        let Some(name) = self.s.str_of(rec.name) else {
            let shown = self.show(rec.name);
            let message = format!("the name `{shown}` could not be resolved");
            let here = self.here;
            return self.error(here, "definition-name", message);
        };
        let errors = self.errors;
        rec.broken |= self.overflowed;
        if !rec.broken {
            for index in 0..rec.vals.len() {
                if self.field_is_concrete(&rec, index) {
                    continue;
                }
                let val = rec.vals[index];
                let (field, value) = (self.s.text(val.name).clone(), self.show(val.value));
                let owner = self.s.text(name).clone();
                let message = format!(
                    "Initializer of '{field}' in '{owner}' could not be fully resolved: {value}"
                );
                let mut diagnostic = Diagnostic::error("unresolved-field", message).at(self.here);
                if val.span != self.here {
                    diagnostic = diagnostic.label(val.span, "the value");
                }
                self.report(diagnostic);
            }
        }
        rec.broken |= self.errors > errors;
        let checks = rec.checks.clone();
        let span = rec.span();
        // What is finished gets no more fields.
        rec.vals.shrink_to_fit();
        rec.supers.shrink_to_fit();
        self.recs[id.0 as usize] = Arc::new(rec);
        for index in self.open_defsets.clone() {
            let element = self.defsets[index].element;
            let of = self.def_ty(id);
            if self.is_a(of, element) {
                self.defsets[index].items.push(id);
                continue;
            }
            let (of, wanted) = (self.show_ty(of), self.show_ty(element));
            let message = format!("adding record of incompatible type '{of}' to defset");
            let diagnostic = Diagnostic::error("defset-type", message).at(self.here);
            let diagnostic = diagnostic.note(format!("the defset holds `{wanted}`"));
            let place = self.defsets[index].span;
            self.report(diagnostic.label(place, "location of defset declaration"));
        }
        self.def_names.insert(name, id);
        self.order.push(id);
        for check in &checks {
            self.run_check(check, span);
        }
        Some(id)
    }

    /// The term of a class with arguments that are not all known.
    pub(crate) fn instance(
        &mut self,
        class: ClassId,
        args: Vec<(ArgKey, Init)>,
        span: Span,
    ) -> Init {
        let init = self.s.add(Node::Instance(class, args.into()));
        self.instance_spans.entry(init).or_insert(span);
        init
    }

    /// The anonymous record of a class with known arguments: the same for the same arguments.
    pub(crate) fn instantiate(
        &mut self,
        class: ClassId,
        args: Vec<(ArgKey, Init)>,
        span: Span,
    ) -> Init {
        let term = self.s.add(Node::Instance(class, args.clone().into()));
        let key = self.s.canon(term);
        if let Some(id) = self.instances.get(&key) {
            let id = *id;
            return self.s.add(Node::Def(id));
        }
        let name = self.new_anon();
        let cur = Cur { name, id: None, span: Some(span) };
        self.making.push((class, span));
        if !self.enter(Some(cur)) {
            self.making.pop();
            return term;
        }
        let errors = self.errors;
        let base = self.class_arc(class);
        let mut rec = Rec::new(name, RecKind::Anonymous, span);
        rec.broken = base.broken;
        rec.vals = base.vals.iter().filter(|val| val.kind != ValKind::Param).copied().collect();
        rec.checks.clone_from(&base.checks);
        let mut map = MapLookup::new(Some(cur));
        for param in &base.params {
            if let Some(val) = base.get(*param) {
                map.set(*param, val.value);
            }
        }
        for (key, value) in args {
            let param = match key {
                ArgKey::Pos(index) => base.params.get(index as usize).copied(),
                ArgKey::Named(name) => Some(name),
            };
            if let Some(param) = param {
                map.set(param, value);
            }
        }
        self.resolve_rec(&mut rec, &mut map);
        rec.direct.push((class, span));
        rec.supers.extend(base.supers.iter().copied());
        rec.supers.push((class, span));
        let id = RecId(self.recs.len() as u32);
        rec.id = Some(id);
        self.recs.push(Arc::new(rec.clone()));
        let mut rec = self.resolve_own(rec, None);
        rec.broken |= self.errors > errors;
        let (checks, own_name) = (rec.checks.clone(), self.s.str_of(rec.name));
        self.recs[id.0 as usize] = Arc::new(rec);
        self.order.push(id);
        if let Some(name) = own_name {
            self.def_names.insert(name, id);
        }
        self.instances.insert(key, id);
        for check in &checks {
            self.run_check(check, Some(span));
        }
        self.leave();
        self.making.pop();
        self.s.add(Node::Def(id))
    }
}
