//! Conditions.

use std::borrow::Cow;
use std::sync::Arc;

use tegula_diag::{Diagnostic, nearest};
use tegula_record::{Dag, DagArg, Record};
use tegula_schema::{Comparison, Inst, Reg};

use super::Lowering;
use super::matching::Form;
use super::names::{Bind, Kind};
use crate::cx::Get;

impl<'c, 'a> Lowering<'c, 'a> {
    /// One condition of `where`.
    pub(super) fn condition(&mut self, dag: &Arc<Dag>) {
        if !self.enter(dag.span) {
            return;
        }
        if let Some(record) = self.operator(dag) {
            self.condition_of(dag, record);
        }
        self.leave();
    }

    fn condition_of(&mut self, dag: &Arc<Dag>, record: &'a Record) {
        let comparison = match &*record.name {
            "eq" => Some(Comparison::Eq),
            "ne" => Some(Comparison::Ne),
            "lt" => Some(Comparison::Lt),
            "le" => Some(Comparison::Le),
            "gt" => Some(Comparison::Gt),
            "ge" => Some(Comparison::Ge),
            _ => None,
        };
        if let Some(how) = comparison {
            if self.expect_args(dag, 2, 2)
                && let (Some(a), Some(b)) = (self.integer(&dag.args[0]), self.integer(&dag.args[1]))
            {
                self.look.push(Inst::Compare { how, a, b });
            }
            return;
        }
        match &*record.name {
            "present" | "absent" => {
                if let Some((reg, _)) = self.sole(dag) {
                    self.look.push(Inst::Present { reg, present: &*record.name == "present" });
                }
            }
            "same" => {
                if self.expect_args(dag, 2, 2)
                    && let (Some((a, _)), Some((b, _))) =
                        (self.expr(&dag.args[0]), self.expr(&dag.args[1]))
                {
                    self.look.push(Inst::Same { a, b });
                }
            }
            "oneUse" => {
                if let Some((value, _)) = self.sole(dag) {
                    self.look.push(Inst::OneUse { value });
                }
            }
            "noUse" => {
                if let Some((value, _)) = self.sole(dag) {
                    self.look.push(Inst::NoUse { value });
                }
            }
            "predicate" => {
                if let Some((hook, args)) = self.hook_args(dag) {
                    self.look.push(Inst::Predicate { hook, args: Cow::Owned(args), expect: true });
                }
            }
            "unless" => {
                if self.expect_args(dag, 1, 1) {
                    match dag.args[0].value.as_dag() {
                        Some(inner) => {
                            let inner = inner.clone();
                            self.negated(|this| this.condition(&inner));
                        }
                        None => self.error("pattern-condition", "a condition is a dag", dag.span),
                    }
                }
            }
            "bind" => self.bind_expr(dag),
            "inside" => {
                if self.expect_args(dag, 2, 2)
                    && let Some((op, Kind::Op)) = self.expr(&dag.args[0])
                {
                    let form = Form::of(&dag.args[1]);
                    let name = match self.cx.def(form.value) {
                        Some(record) => self.op_def(record, form.span).map(|op| op.name),
                        None if form.value.is_unset() => Some(Cow::Borrowed("")),
                        None => None,
                    };
                    match name {
                        Some(name) => {
                            let into = self.target(form.name);
                            self.look.push(Inst::Parent { op, name, into });
                            if let Some(name) = form.name {
                                self.bind(name, into, Kind::Op, form.span);
                            }
                        }
                        None => self.no_form("an op", form),
                    }
                }
            }
            _ if record.isa("Trait") => {
                if let Some((op, _)) = self.sole(dag) {
                    self.look.push(Inst::HasTrait { op, name: record.str("trait") });
                }
            }
            _ if record.isa("Constraint") => {
                if let Some((reg, kind)) = self.sole(dag) {
                    let attr = record.isa("AttrConstraint");
                    if attr && !matches!(kind, Kind::Attr { .. } | Kind::Any) {
                        let message = format!(
                            "`{}` requires something of an attribute, not of {}",
                            record.name,
                            kind.describe()
                        );
                        self.error("pattern-kind", message, dag.span);
                    }
                    let pred = self.cx.constraint(record).pred;
                    self.look.push(Inst::Check { reg, pred });
                }
            }
            name => {
                let words = [
                    "eq",
                    "ne",
                    "lt",
                    "le",
                    "gt",
                    "ge",
                    "present",
                    "absent",
                    "same",
                    "oneUse",
                    "noUse",
                    "predicate",
                    "unless",
                    "bind",
                    "inside",
                ];
                let mut diagnostic =
                    Diagnostic::error("pattern-condition", format!("`{name}` is no condition"))
                        .at(dag.span);
                if let Some(near) = nearest(name, words) {
                    diagnostic = diagnostic.note(format!("a similar word is `{near}`"));
                }
                self.report(diagnostic);
            }
        }
    }

    /// The one argument of a dag, evaluated.
    fn sole(&mut self, dag: &Dag) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 1, 1) {
            return None;
        }
        self.expr(&dag.args[0])
    }

    /// `(bind E:$name)`
    pub(super) fn bind_expr(&mut self, dag: &Dag) {
        if !self.expect_args(dag, 1, 1) {
            return;
        }
        let arg = &dag.args[0];
        let (Some(name), false) = (arg.name.as_deref(), arg.value.is_unset()) else {
            self.error("pattern-bind", "write `(bind (…):$name)`", dag.span);
            return;
        };
        let unnamed = DagArg { value: arg.value.clone(), name: None, span: arg.span };
        let Some((reg, kind)) = self.expr(&unnamed) else { return };
        if let Some(known) = self.names.get(name) {
            let message = format!("`${name}` is bound twice");
            self.report(
                Diagnostic::error("pattern-name-kind", message)
                    .at(arg.span)
                    .label(known.span, "bound here"),
            );
            return;
        }
        self.names
            .insert(name, Bind { reg, kind, span: arg.span, converted: None, matched: false });
    }
}
