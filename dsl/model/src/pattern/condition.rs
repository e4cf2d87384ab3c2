//! Conditions.

use std::borrow::Cow;
use std::sync::Arc;

use tegula_diag::{Diagnostic, nearest};
use tegula_record::{Dag, DagArg, Record};
use tegula_schema::{Arity, Comparison, Gather, Inst, Reg};

use super::Lowering;
use super::expr::Wanted;
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
                self.emit(Inst::Compare { how, a, b });
            }
            return;
        }
        match &*record.name {
            "present" | "absent" => {
                if let Some((reg, _)) = self.sole(dag) {
                    self.emit(Inst::Present { reg, present: &*record.name == "present" });
                }
            }
            "same" => {
                if self.expect_args(dag, 2, 2)
                    && let (Some((a, this)), Some((b, that))) =
                        (self.expr(&dag.args[0]), self.expr(&dag.args[1]))
                {
                    if !comparable(this, that) {
                        let (this, that) = (this.describe(), that.describe());
                        let message = format!("{this} and {that} are never the same");
                        self.error("pattern-kind", message, dag.span);
                    }
                    self.emit(Inst::Same { a, b });
                }
            }
            "oneUse" | "noUse" => {
                if self.expect_args(dag, 1, 1)
                    && let Some(value) = self.value(&dag.args[0], Wanted::default())
                {
                    self.emit(match &*record.name {
                        "oneUse" => Inst::OneUse { value },
                        _ => Inst::NoUse { value },
                    });
                }
            }
            "predicate" => {
                if let Some((hook, args)) = self.hook_args(dag) {
                    self.emit(Inst::Predicate { hook, args: Cow::Owned(args), expect: true });
                }
            }
            "unless" => {
                if self.expect_args(dag, 1, 1) {
                    match dag.args[0].value.as_dag() {
                        Some(_) => self.negated(|this| this.condition_arg(&dag.args[0])),
                        None => self.error("pattern-condition", "a condition is a dag", dag.span),
                    }
                }
            }
            "bind" => self.bind_expr(dag),
            "anyOf" => {
                if self.expect_args(dag, 1, usize::MAX) {
                    let args = dag.args.clone();
                    self.alternatives(args.len(), dag.span, |this, index| {
                        this.condition_arg(&args[index]);
                    });
                }
            }
            "allOf" => {
                for arg in &dag.args {
                    self.condition_arg(arg);
                }
            }
            "matches" => self.matches(dag),
            "some" => self.quantified(dag, Gather::Any),
            "all" => self.quantified(dag, Gather::All),
            "within" => self.within(dag),
            "preceded" => self.preceded(dag),
            "precedes" => {
                if self.expect_args(dag, 2, 2)
                    && let (Some(first), Some(then)) =
                        (self.value(&dag.args[0], Wanted::default()), self.op(&dag.args[1]))
                {
                    self.emit(Inst::Precedes { first, then });
                }
            }
            "inside" => {
                if self.expect_args(dag, 2, 2)
                    && let Some(op) = self.op(&dag.args[0])
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
                            self.emit(Inst::Parent { op, name, into });
                            if let Some(name) = form.name {
                                self.bind_op(name, into, form.span);
                            }
                        }
                        None => self.no_form("an op", form),
                    }
                }
            }
            _ if record.isa("Trait") => {
                if self.expect_args(dag, 1, 1)
                    && let Some(op) = self.op(&dag.args[0])
                {
                    self.emit(Inst::HasTrait { op, name: record.str("trait") });
                }
            }
            _ if record.isa("Constraint") => {
                if let Some((reg, kind)) = self.sole(dag) {
                    let (of, fine) = match record.isa("AttrConstraint") {
                        true => ("an attribute", matches!(kind, Kind::Attr { .. } | Kind::Any)),
                        false => ("a type", kind != Kind::Ops),
                    };
                    if !fine {
                        let message = format!(
                            "`{}` requires something of {of}, not of {}",
                            record.name,
                            kind.describe()
                        );
                        self.error("pattern-kind", message, dag.span);
                    }
                    self.require(record, reg);
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
                    "within",
                    "preceded",
                    "precedes",
                    "anyOf",
                    "allOf",
                    "matches",
                    "some",
                    "all",
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

    /// A condition among others.
    pub(super) fn condition_arg(&mut self, arg: &DagArg) {
        match arg.value.as_dag() {
            Some(dag) => self.condition(&dag.clone()),
            None => self.error("pattern-condition", "a condition is a dag", arg.span),
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
            self.bound_twice(name, known.span, arg.span);
            return;
        }
        self.names
            .insert(name, Bind { reg, kind, span: arg.span, converted: None, matched: false });
    }
}

/// Whether things of these kinds may be the same. An op stands for its results.
fn comparable(a: Kind, b: Kind) -> bool {
    let optional =
        |kind| matches!(kind, Kind::Value(Arity::Optional) | Kind::Attr { optional: true });
    let class = |kind| match kind {
        Kind::Value(_) | Kind::Op => 0,
        Kind::Attr { .. } => 1,
        Kind::Type | Kind::Types => 2,
        Kind::Ops => 3,
        Kind::Any => 4,
    };
    a == Kind::Any || b == Kind::Any || class(a) == class(b) || optional(a) && optional(b)
}
