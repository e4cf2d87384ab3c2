//! Matching types and attributes.

use std::borrow::Cow;
use std::sync::Arc;

use tegula_record::{Dag, DagArg, Record, Value};
use tegula_schema::{AttrDef, Inst, ParamKind, Pred, Reg};

use super::Lowering;
use super::matching::Form;
use super::names::Kind;
use crate::cx::Get;

impl<'c, 'a> Lowering<'c, 'a> {
    /// Requires a constraint of what is in a register.
    pub(super) fn require(&mut self, record: &'a Record, reg: Reg) {
        let constraint = self.cx.constraint(record);
        self.emit(Inst::Check { reg, pred: constraint.pred, what: constraint.summary });
    }

    /// Matches a type in a register.
    pub(super) fn match_type(&mut self, form: Form<'_>, reg: Reg) {
        self.at(form.span);
        if let Some(name) = form.name {
            self.bind(name, reg, Kind::Type, form.span);
        }
        match form.value {
            Value::Unset => {}
            Value::Def(_) => match self.cx.def(form.value) {
                Some(record) if record.isa("TypeConstraint") => {
                    self.require(record, reg);
                }
                _ => self.no_form("a type", form),
            },
            Value::Dag(dag) => {
                let dag = dag.clone();
                match self.operator(&dag) {
                    Some(record) if record.isa("TypeDef") => self.match_params(&dag, record, reg),
                    Some(record) if &*record.name == "type" && dag.args.len() == 1 => {
                        let wanted = self.fresh();
                        match dag.args[0].value.as_str() {
                            Some(text) => {
                                let text = Cow::Owned(text.to_string());
                                self.emit(Inst::TypeLiteral { text, into: wanted });
                                self.emit(Inst::Same { a: reg, b: wanted });
                            }
                            None => self.no_form("a type", form),
                        }
                    }
                    Some(record) if &*record.name == "anyOf" && !dag.args.is_empty() => {
                        let args = &dag.args;
                        self.alternatives(args.len(), dag.span, |this, index| {
                            this.match_type(Form::of(&args[index]), reg);
                        });
                    }
                    Some(record) if &*record.name == "noneOf" => {
                        for arg in &dag.args {
                            self.negated(|this| this.match_type(Form::of(arg), reg));
                        }
                    }
                    Some(_) => self.no_form("a type", form),
                    None => {}
                }
            }
            _ => self.no_form("a type", form),
        }
    }

    /// Matches the parameters of a dialect type or attribute, in order of definition.
    fn match_params(&mut self, dag: &Dag, record: &'a Record, reg: Reg) {
        let Some(full) = self.cx.full_name(record) else { return };
        let params = record.graph("parameters").map_or(0, |dag| dag.args.len());
        let is_type = record.isa("TypeDef");
        let name: tegula_schema::Str = Cow::Owned(full);
        let pred =
            if is_type { Pred::TypeKind(name.clone()) } else { Pred::AttrKind(name.clone()) };
        let what = Cow::Owned(format!("`{name}`"));
        self.emit(Inst::Check { reg, pred, what });
        let mut count = dag.args.len();
        if dag.args.last().is_some_and(|arg| self.is_operator(&arg.value, "rest")) {
            count -= 1;
        } else if !self.expect_args(dag, params, params) {
            return;
        }
        for (arg, index) in dag.args.iter().take(count).zip(0u16..) {
            let form = Form::of(arg);
            if form.value.is_unset() && form.name.is_none() {
                continue;
            }
            let into = self.target(form.name);
            self.emit(Inst::Param { from: reg, name: name.clone(), index, into });
            let constraint = self.cx.def(form.value).is_some_and(|r| r.isa("TypeConstraint"));
            if constraint {
                self.match_type(form, into);
            } else {
                self.match_new_attr(form, into, Kind::Any);
            }
        }
    }

    /// Matches an attribute in a register that already has its name.
    pub(super) fn match_attr(
        &mut self,
        form: Form<'_>,
        reg: Reg,
        kind: Kind,
        def: Option<&AttrDef>,
    ) {
        self.at(form.span);
        match form.value {
            Value::Unset => {}
            Value::Def(_) => match self.cx.def(form.value) {
                Some(record) if record.isa("AttrConstraint") => {
                    self.require(record, reg);
                }
                _ => self.no_form("an attribute", form),
            },
            Value::Int(value) => {
                if def.is_some_and(|def| def.value_type.is_empty()) {
                    self.expect_literal(&value.to_string(), def, form.span);
                }
                let what = Cow::Owned(value.to_string());
                self.emit(Inst::Check { reg, pred: Pred::IntRange(*value, *value), what });
            }
            Value::Str(text) | Value::Code(text) => {
                let text = self.spelled(text, def);
                self.expect_literal(&text, def, form.span);
                let wanted = self.fresh();
                self.emit(Inst::Literal { text: Cow::Owned(text), into: wanted });
                self.emit(Inst::Same { a: reg, b: wanted });
            }
            Value::Dag(dag) => {
                let dag = dag.clone();
                if self.enter(dag.span) {
                    self.match_attr_dag(&dag, form, reg, kind, def);
                    self.leave();
                }
            }
            _ => self.no_form("an attribute", form),
        }
    }

    fn match_attr_dag(
        &mut self,
        dag: &Arc<Dag>,
        form: Form<'_>,
        reg: Reg,
        kind: Kind,
        def: Option<&AttrDef>,
    ) {
        let Some(record) = self.operator(dag) else { return };
        let named = |this: &mut Self, arg: &DagArg| {
            if let Some(name) = &arg.name {
                this.bind(name, reg, kind, arg.span);
            }
        };
        match &*record.name {
            "attr" => {
                if self.expect_args(dag, 1, 1) {
                    match dag.args[0].value.as_str() {
                        Some(text) => {
                            self.expect_literal(text, def, dag.args[0].span);
                            let text = Cow::Owned(text.to_string());
                            let wanted = self.fresh();
                            self.emit(Inst::Literal { text, into: wanted });
                            self.emit(Inst::Same { a: reg, b: wanted });
                        }
                        None => self.no_form("an attribute", form),
                    }
                }
            }
            "absent" => {
                self.expect_args(dag, 0, 0);
                if kind == Kind::ATTR {
                    self.error("pattern-form", "the attribute is never absent", dag.span);
                }
                self.emit(Inst::Present { reg, present: false });
            }
            "anyOf" => {
                if self.expect_args(dag, 1, usize::MAX) {
                    let args = &dag.args;
                    self.alternatives(args.len(), dag.span, |this, index| {
                        named(this, &args[index]);
                        this.match_attr(Form::of(&args[index]), reg, kind, def);
                    });
                }
            }
            "noneOf" => {
                for arg in &dag.args {
                    self.negated(|this| {
                        named(this, arg);
                        this.match_attr(Form::of(arg), reg, kind, def);
                    });
                }
            }
            "symbol" => {
                self.expect_symbol(def, dag.span);
                self.match_symbol(dag, reg);
            }
            _ if record.isa("AttrDef") => self.match_params(dag, record, reg),
            _ => self.no_form("an attribute", form),
        }
    }

    /// `(symbol F, …)`: a symbol reference by its names.
    fn match_symbol(&mut self, dag: &Dag, reg: Reg) {
        if !self.expect_args(dag, 1, usize::MAX) {
            return;
        }
        let into = self.fresh();
        self.emit(Inst::SymbolNames { from: reg, into });
        self.match_items(&dag.args, into, Kind::ATTR);
    }

    /// Names an attribute in a register and matches it.
    pub(super) fn match_new_attr(&mut self, form: Form<'_>, reg: Reg, kind: Kind) {
        if let Some(name) = form.name {
            self.bind(name, reg, kind, form.span);
        }
        self.match_attr(form, reg, kind, None);
    }

    /// The text of an attribute that a pattern gives as a string: an enum's keyword, or a string.
    pub(super) fn spelled(&mut self, text: &str, def: Option<&AttrDef>) -> String {
        if let Some(def) = def
            && let ParamKind::Enum(name) = &def.kind
            && let Some(number) = self.cx.enum_value(name, text)
        {
            let ty = if def.value_type.is_empty() { "i64" } else { def.value_type.as_ref() };
            let by_name = self.cx.enum_record(name).and_then(|r| r.text("representation"));
            if by_name != Some("string") {
                return format!("{number} : {ty}");
            }
        }
        let mut out = String::from("\"");
        for c in text.chars() {
            match c {
                '"' | '\\' => {
                    out.push('\\');
                    out.push(c);
                }
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                c => out.push(c),
            }
        }
        out.push('"');
        out
    }
}
