//! Matching ops and values.

use std::borrow::Cow;
use std::sync::Arc;

use tegula_diag::{Diagnostic, Span};
use tegula_record::{Dag, DagArg, Record, Value};
use tegula_schema::{Arithmetic, Arity, Comparison, Inst, OpDef, Reg};

use super::Lowering;
use super::names::{Bind, Kind, Names};
use super::ops::{Slot, arity_mismatch, segment, slots};
use crate::cx::Get;

/// An argument of a dag, as a form to match.
#[derive(Clone, Copy)]
pub(super) struct Form<'v> {
    pub(super) value: &'v Value,
    pub(super) name: Option<&'v str>,
    pub(super) span: Span,
}

impl<'v> Form<'v> {
    pub(super) fn of(arg: &'v DagArg) -> Form<'v> {
        Form { value: &arg.value, name: arg.name.as_deref(), span: arg.span }
    }
}

impl<'c, 'a> Lowering<'c, 'a> {
    /// The full name of the root op; none inside when any op may be the root.
    pub(super) fn root(&mut self, dag: &Dag) -> Option<Option<String>> {
        let record = self.operator(dag)?;
        if record.isa("Trait") {
            return Some(None);
        }
        let op = self.op_def(record, dag.span)?;
        Some(Some(op.name.to_string()))
    }

    /// The op that a record defines, or an error.
    pub(super) fn op_def(&mut self, record: &Record, span: Span) -> Option<OpDef> {
        let found = if record.isa("Op") { self.ops.get(record) } else { None };
        if found.is_none() {
            let message = format!("`{}` is no op", record.name);
            self.error("pattern-operator", message, span);
        }
        found
    }

    /// Matches an op in a register that is known to hold an op of the right name.
    pub(super) fn match_op(&mut self, dag: &Arc<Dag>, reg: Reg) {
        if !self.enter(dag.span) {
            return;
        }
        if let Some(name) = &dag.op_name {
            self.bind(name, reg, Kind::Op, dag.span);
        }
        if let Some(record) = self.operator(dag) {
            if record.isa("Trait") {
                self.emit(Inst::HasTrait { op: reg, name: record.str("trait") });
                self.expect_args(dag, 0, 0);
            } else if let Some(op) = self.op_def(record, dag.span) {
                if let Some(name) = &dag.op_name {
                    self.op_defs.insert(name.to_string(), op.clone());
                }
                self.around.extend(dag.op_name.as_ref().map(|name| name.to_string()));
                self.match_args(dag, record, &op, reg);
                self.around.truncate(self.around.len() - usize::from(dag.op_name.is_some()));
            }
        }
        self.leave();
    }

    fn match_args(&mut self, dag: &Dag, record: &Record, op: &OpDef, reg: Reg) {
        let slots = slots(record, op);
        let mut at = 0;
        for (index, arg) in dag.args.iter().enumerate() {
            if self.is_operator(&arg.value, "rest") {
                if index + 1 != dag.args.len() {
                    self.error("pattern-rest", "`(rest)` stands last", arg.span);
                }
                return;
            }
            if self.is_operator(&arg.value, "either") {
                self.match_either(arg, op, reg, (slots.get(at), slots.get(at + 1)));
                at += 2;
                continue;
            }
            match slots.get(at) {
                Some(&Slot::Operand(group)) => self.match_operand(Form::of(arg), op, group, reg),
                Some(&Slot::Attr(attr)) => self.match_attr_of(Form::of(arg), op, attr, reg),
                None => {}
            }
            at += 1;
        }
        if at != slots.len() {
            self.report(
                arity_mismatch(op, &slots, at)
                    .at(dag.span)
                    .note("`(rest)` as the last argument ignores those that remain"),
            );
        }
    }

    fn match_operand(&mut self, form: Form<'_>, op: &OpDef, group: usize, reg: Reg) {
        let Some(def) = op.operands.get(group) else { return };
        let Some(segment) = segment(op, false, group) else {
            let message = format!("where `{}` of `{}` lies is not known", def.name, op.name);
            self.error("pattern-segment", message, form.span);
            return;
        };
        let arity = def.arity;
        // An ignored operand need not be loaded.
        if form.value.is_unset() && form.name.is_none() {
            return;
        }
        let into = self.target(self.value_name(form));
        self.at(form.span);
        self.emit(Inst::Operand { op: reg, segment, arity, into });
        self.match_form(form, into, Kind::Value(arity));
    }

    /// The name that a form binds what it matches to, be it within what only asks more of it.
    fn value_name<'v>(&self, form: Form<'v>) -> Option<&'v str> {
        form.name.or_else(|| {
            let same = ["anyOf", "oneUse", "typed", "maybe"];
            let first = form.value.as_dag()?.args.first()?;
            same.contains(&self.word(form.value)?).then(|| self.value_name(Form::of(first)))?
        })
    }

    fn match_attr_of(&mut self, form: Form<'_>, op: &OpDef, index: usize, reg: Reg) {
        let Some(def) = op.attrs.get(index) else { return };
        if form.value.is_unset() && form.name.is_none() {
            return;
        }
        let into = self.target(form.name);
        self.at(form.span);
        self.emit(Inst::Attr {
            op: reg,
            name: def.name.clone(),
            optional: def.optional,
            default: def.default.clone(),
            into,
        });
        let kind = Kind::Attr { optional: def.optional && def.default.is_none() };
        if let Some(name) = form.name {
            self.bind(name, into, kind, form.span);
        }
        self.match_attr(form, into, kind, Some(def));
    }

    fn match_either(
        &mut self,
        arg: &DagArg,
        op: &OpDef,
        reg: Reg,
        slots: (Option<&Slot>, Option<&Slot>),
    ) {
        let Some(dag) = arg.value.as_dag() else { return };
        let (Some(&Slot::Operand(first)), Some(&Slot::Operand(second))) = slots else {
            self.error("pattern-either", "`either` stands for two operands", arg.span);
            return;
        };
        let [a, b] = dag.args.as_slice() else {
            self.error("pattern-either", "`either` takes two forms", arg.span);
            return;
        };
        let (a, b) = (Form::of(a), Form::of(b));
        self.alternatives(2, arg.span, |this, order| {
            let (x, y) = if order == 0 { (first, second) } else { (second, first) };
            this.match_operand(a, op, x, reg);
            this.match_operand(b, op, y, reg);
        });
    }

    /// The register for something that may have a name: an earlier alternative may have chosen it.
    pub(super) fn target(&mut self, name: Option<&str>) -> Reg {
        let known = name.filter(|name| self.names.get(name).is_none());
        match known.and_then(|name| self.names.wanted(name)) {
            Some(reg) => reg,
            None => self.fresh(),
        }
    }

    /// Gives a register a name; of a name that is bound already both must be the same.
    pub(super) fn bind(&mut self, name: &str, reg: Reg, kind: Kind, span: Span) {
        match self.names.get(name) {
            None => {
                if self.names.wanted(name).is_some_and(|wanted| wanted != reg) {
                    let message = format!("`${name}` is not the same part in every alternative");
                    self.error("pattern-alternatives", message, span);
                }
                let bind = Bind { reg, kind, span, converted: None, matched: true };
                self.names.insert(name, bind);
            }
            Some(known) if known.reg == reg => {}
            // No op is made of what it makes itself.
            Some(known) if self.around.iter().any(|op| op == name) => {
                self.bound_twice(name, known.span, span)
            }
            Some(known) => {
                let same_sort = std::mem::discriminant(&known.kind)
                    == std::mem::discriminant(&kind)
                    || matches!(
                        (known.kind, kind),
                        (Kind::Op, Kind::Value(_)) | (Kind::Value(_), Kind::Op)
                    );
                if same_sort {
                    self.emit(Inst::Same { a: known.reg, b: reg });
                } else {
                    self.other_kind(name, kind, known, span);
                }
            }
        }
    }

    /// Binds an op that is around another one or before it, which is no value of the pattern.
    pub(super) fn bind_op(&mut self, name: &str, reg: Reg, span: Span) {
        match self.names.get(name) {
            Some(known) if !matches!(known.kind, Kind::Op | Kind::Any) => {
                self.other_kind(name, Kind::Op, known, span);
            }
            _ => self.bind(name, reg, Kind::Op, span),
        }
    }

    fn other_kind(&mut self, name: &str, kind: Kind, known: Bind, span: Span) {
        let (here, before) = (kind.describe(), known.kind.describe());
        let message = format!("`${name}` is {here} here and {before} before");
        self.report(
            Diagnostic::error("pattern-name-kind", message)
                .at(span)
                .label(known.span, "bound here"),
        );
    }

    pub(super) fn bound_twice(&mut self, name: &str, first: Span, span: Span) {
        self.report(
            Diagnostic::error("pattern-name-kind", format!("`${name}` is bound twice"))
                .at(span)
                .label(first, "bound here"),
        );
    }

    /// Emits alternatives; each must bind the same names.
    pub(super) fn alternatives(
        &mut self,
        count: usize,
        span: Span,
        mut emit: impl FnMut(&mut Self, usize),
    ) {
        let before = self.names.clone();
        let mut bound = None;
        let mut jumps = Vec::new();
        for index in 0..count {
            let choice = self.look.len();
            let last = index + 1 == count;
            if !last {
                self.emit(Inst::Choice { otherwise: 0 });
            }
            if let Some(wanted) = &bound {
                self.names = Names::restart(&before, Clone::clone(wanted));
            }
            emit(self, index);
            let new = self.names.since(&before);
            match &bound {
                None => bound = Some(new),
                Some(first) => {
                    let missing = first.keys().find(|name| !new.contains_key(*name));
                    let extra = new.keys().find(|name| !first.contains_key(*name));
                    // What stands in a negation is forgotten anyway.
                    if let (Some(name), 0) = (missing.or(extra), self.negations) {
                        let message = format!("`${name}` is not bound by every alternative");
                        self.error("pattern-alternatives", message, span);
                    }
                }
            }
            if !last {
                jumps.push(self.look.len());
                self.emit(Inst::Jump { to: 0 });
                let next = self.label();
                self.look.code[choice] = Inst::Choice { otherwise: next };
            }
        }
        let end = self.label();
        for jump in jumps {
            self.look.code[jump] = Inst::Jump { to: end };
        }
        self.names = std::mem::take(&mut self.names).resume(&before);
    }

    /// The label of the next instruction. Their number is checked at the end.
    pub(super) fn label(&self) -> u16 {
        u16::try_from(self.look.len()).unwrap_or(u16::MAX)
    }

    /// Emits something that must not match; what it binds is forgotten.
    pub(super) fn negated(&mut self, emit: impl FnOnce(&mut Self)) {
        let before = self.names.clone();
        let choice = self.look.len();
        self.emit(Inst::Choice { otherwise: 0 });
        self.negations += 1;
        emit(self);
        self.negations -= 1;
        let cut = self.look.len();
        self.emit(Inst::Cut { to: 0 });
        self.emit(Inst::Fail);
        let end = self.label();
        self.look.code[cut] = Inst::Cut { to: end };
        self.look.code[choice] = Inst::Choice { otherwise: end };
        self.names = before;
    }

    /// The name of a dag's operator, for the words of the prelude.
    pub(super) fn word<'v>(&self, value: &'v Value) -> Option<&'v str> {
        value.as_dag()?.op.as_def().map(|name| &**name)
    }

    pub(super) fn is_operator(&self, value: &Value, word: &str) -> bool {
        self.word(value) == Some(word)
    }

    pub(super) fn expect_args(&mut self, dag: &Dag, min: usize, max: usize) -> bool {
        let fine = (min..=max).contains(&dag.args.len());
        if !fine {
            let expected = match (min, max) {
                (0, 0) => "no arguments".to_owned(),
                (1, 1) => "1 argument".to_owned(),
                (min, max) if min == max => format!("{min} arguments"),
                (1, usize::MAX) => "at least 1 argument".to_owned(),
                (min, usize::MAX) => format!("at least {min} arguments"),
                (min, max) => format!("{min} to {max} arguments"),
            };
            let name = dag.op.as_def().map_or("the operator", |name| &**name);
            let message = format!("`{name}` takes {expected}, not {}", dag.args.len());
            self.error("pattern-arity", message, dag.span);
        }
        fine
    }

    /// Matches a value (or values) in a register.
    pub(super) fn match_form(&mut self, form: Form<'_>, reg: Reg, kind: Kind) {
        self.at(form.span);
        if let Some(name) = form.name {
            self.bind(name, reg, kind, form.span);
        }
        match form.value {
            Value::Unset => {}
            Value::Def(_) => match self.cx.def(form.value) {
                Some(record) if record.isa("TypeConstraint") => {
                    self.require(record, reg);
                }
                _ => self.no_form("a value", form),
            },
            Value::Dag(dag) => {
                if !self.enter(dag.span) {
                    return;
                }
                self.match_dag(dag, form, reg, kind);
                self.leave();
            }
            _ => self.no_form("a value", form),
        }
    }

    pub(super) fn no_form(&mut self, what: &str, form: Form<'_>) {
        let message = match form.value {
            Value::Def(name) => format!("`{name}` is no form for {what}"),
            other => format!("{} is no form for {what}", other.kind()),
        };
        self.error("pattern-form", message, form.span);
    }

    fn match_dag(&mut self, dag: &Arc<Dag>, form: Form<'_>, reg: Reg, kind: Kind) {
        let Some(record) = self.operator(dag) else { return };
        match &*record.name {
            "oneUse" => {
                self.emit(Inst::OneUse { value: reg });
                self.inner_form(dag, reg, kind);
            }
            "typed" => {
                if self.expect_args(dag, 2, 2) {
                    self.match_form(Form::of(&dag.args[0]), reg, kind);
                    let form = Form::of(&dag.args[1]);
                    let into = self.target(form.name);
                    self.emit(Inst::TypeOf { from: reg, into });
                    self.match_type(form, into);
                }
            }
            "anyOf" => {
                if self.expect_args(dag, 1, usize::MAX) {
                    let forms: Vec<Form<'_>> = dag.args.iter().map(Form::of).collect();
                    self.alternatives(forms.len(), dag.span, |this, index| {
                        this.match_form(forms[index], reg, kind);
                    });
                }
            }
            "noneOf" => {
                for arg in &dag.args {
                    self.negated(|this| this.match_form(Form::of(arg), reg, kind));
                }
            }
            "values" => self.match_values(dag, reg, kind),
            "maybe" => self.match_maybe(dag, reg, kind),
            "tied" => self.match_tied(dag, reg),
            "converted" => self.match_converted(dag, reg),
            "absent" => {
                self.expect_args(dag, 0, 0);
                if kind == Kind::VALUE {
                    self.error("pattern-form", "the operand is never absent", dag.span);
                }
                self.emit(Inst::Present { reg, present: false });
            }
            "result" => {
                if self.expect_args(dag, 2, 2) {
                    match (dag.args[0].value.as_dag(), dag.args[1].value.as_int()) {
                        (Some(inner), Some(index)) => {
                            self.match_def(&inner.clone(), reg, usize::try_from(index).ok());
                        }
                        _ => self.error(
                            "pattern-form",
                            "`result` takes an op and the number of its result",
                            dag.span,
                        ),
                    }
                }
            }
            "ConstantLike" => {
                if self.expect_args(dag, 1, 1) {
                    if let Some(name) = &dag.op_name {
                        let op = self.target(Some(name));
                        self.emit(Inst::Def { value: reg, name: Cow::Borrowed(""), into: op });
                        self.bind(name, op, Kind::Op, dag.span);
                    }
                    let form = Form::of(&dag.args[0]);
                    let into = self.target(form.name);
                    self.emit(Inst::Constant { value: reg, into });
                    if let Some(name) = form.name {
                        self.bind(name, into, Kind::ATTR, form.span);
                    }
                    self.match_attr(form, into, Kind::ATTR, None);
                }
            }
            _ if record.isa("Op") || record.isa("Trait") => self.match_def(dag, reg, None),
            _ if record.isa("TypeConstraint") => {
                let message = format!("`{}` is written without parentheses", record.name);
                self.error("pattern-form", message, dag.span);
            }
            _ => self.no_form("a value", form),
        }
    }

    fn inner_form(&mut self, dag: &Arc<Dag>, reg: Reg, kind: Kind) {
        if self.expect_args(dag, 1, 1) {
            self.match_form(Form::of(&dag.args[0]), reg, kind);
        }
    }

    /// Matches the op that defines a value, which must be result number `index` of it.
    fn match_def(&mut self, dag: &Arc<Dag>, reg: Reg, index: Option<usize>) {
        let Some(record) = self.operator(dag) else { return };
        let into = self.target(dag.op_name.as_deref());
        if record.isa("Trait") {
            self.emit(Inst::Def { value: reg, name: Cow::Borrowed(""), into });
            self.match_op(dag, into);
            return;
        }
        let Some(op) = self.op_def(record, dag.span) else { return };
        self.emit(Inst::Def { value: reg, name: op.name.clone(), into });
        let sole = op.results.len() == 1 && (index.is_none() || op.results[0].arity == Arity::One);
        let index = match (index, op.results.len()) {
            (Some(index), count) if index < count => Some(index),
            (Some(_), _) => {
                let message = format!("`{}` has {} results", op.name, op.results.len());
                self.error("pattern-result", message, dag.span);
                None
            }
            (None, 1) => Some(0),
            (None, _) => {
                self.report(
                    Diagnostic::error(
                        "pattern-result",
                        format!("`{}` has {} results", op.name, op.results.len()),
                    )
                    .at(dag.span)
                    .note("write `(result (Op …), 1)`"),
                );
                None
            }
        };
        // Of an op with one group of results nothing more is to be found out, unless just the whole
        // group is asked for.
        if let (Some(index), false) = (index, sole)
            && let Some(segment) = segment(&op, true, index)
        {
            let result = self.fresh();
            let arity = op.results[index].arity;
            self.emit(Inst::Result { op: into, segment, arity, into: result });
            self.emit(Inst::Same { a: result, b: reg });
        }
        self.match_op(dag, into);
    }

    fn match_values(&mut self, dag: &Dag, reg: Reg, kind: Kind) {
        if kind == Kind::VALUE {
            self.error("pattern-form", "the operand is just one value", dag.span);
            return;
        }
        self.match_items(&dag.args, reg, Kind::VALUE);
    }

    /// Matches the elements of a list; `(rest)`, first or last, stands for any others.
    pub(super) fn match_items(&mut self, args: &[DagArg], list: Reg, kind: Kind) {
        let is_rest = |arg: &DagArg| self.is_operator(&arg.value, "rest");
        let (forms, how, from_end) = match args {
            [first, forms @ ..] if is_rest(first) => (forms, Comparison::Ge, true),
            [forms @ .., last] if is_rest(last) => (forms, Comparison::Ge, false),
            forms => (forms, Comparison::Eq, false),
        };
        let count = self.fresh();
        self.emit(Inst::Count { list, into: count });
        let wanted = self.number(forms.len());
        self.emit(Inst::Compare { how, a: count, b: wanted });
        for (arg, index) in forms.iter().zip(0u16..) {
            let form = Form::of(arg);
            if form.value.is_unset() && form.name.is_none() {
                continue;
            }
            if from_end {
                let (back, at) = (self.number(forms.len() - usize::from(index)), self.fresh());
                self.emit(Inst::Arith { how: Arithmetic::Sub, a: count, b: back, into: at });
                let into = self.target(form.name);
                self.emit(Inst::ItemAt { list, index: at, into });
                self.match_item(form, into, kind);
            } else {
                let into = self.target(form.name);
                self.emit(Inst::Item { list, index, into });
                self.match_item(form, into, kind);
            }
        }
    }

    fn match_item(&mut self, form: Form<'_>, reg: Reg, kind: Kind) {
        match kind {
            Kind::Attr { .. } => self.match_new_attr(form, reg, kind),
            Kind::Type => self.match_type(form, reg),
            _ => self.match_form(form, reg, kind),
        }
    }

    /// A number that is known, as an `index` attribute.
    fn number(&mut self, number: usize) -> Reg {
        let into = self.fresh();
        self.emit(Inst::Literal { text: Cow::Owned(format!("{number} : index")), into });
        into
    }
}
