//! What a pattern asks of the program around its root: users, regions, sizes, ties.

use std::borrow::Cow;
use std::sync::Arc;

use tegula_diag::nearest;
use tegula_record::{Dag, Value};
use tegula_schema::{Arity, Block, Gather, Inst, List, OpDef, PatternKind, Reg, Str};

use super::expr::Wanted;
use super::matching::Form;
use super::names::{Bind, Kind};
use super::{Lowering, ROOT};

impl<'c, 'a> Lowering<'c, 'a> {
    /// `(maybe F)`: matches `F` when it can; what it binds is absent otherwise.
    pub(super) fn match_maybe(&mut self, dag: &Arc<Dag>, reg: Reg, kind: Kind) {
        if !self.expect_args(dag, 1, 1) {
            return;
        }
        let before = self.names.clone();
        let choice = self.look.len();
        self.emit(Inst::Choice { otherwise: 0 });
        self.match_form(Form::of(&dag.args[0]), reg, kind);
        let bound = self.names.since(&before);
        let cut = self.look.len();
        self.emit(Inst::Cut { to: 0 });
        let jump = self.look.len();
        self.emit(Inst::Jump { to: 0 });
        let otherwise = self.label();
        for bind in bound.values() {
            self.emit(Inst::Absent { into: bind.reg });
        }
        let end = self.label();
        self.look.code[choice] = Inst::Choice { otherwise };
        self.look.code[cut] = Inst::Cut { to: otherwise };
        self.look.code[jump] = Inst::Jump { to: end };
        for name in bound.keys() {
            if let Some(bind) = self.names.get_mut(name) {
                bind.kind = match bind.kind {
                    Kind::Value(Arity::One) => Kind::Value(Arity::Optional),
                    Kind::Attr { .. } => Kind::Attr { optional: true },
                    kind => kind,
                };
            }
        }
    }

    /// `(tied F)`: the value, or the first of those that it is tied to, which matches `F`.
    pub(super) fn match_tied(&mut self, dag: &Arc<Dag>, reg: Reg) {
        if !self.expect_args(dag, 1, 1) {
            return;
        }
        let (list, item) = (self.fresh(), self.fresh());
        self.emit(Inst::Tied { value: reg, into: list });
        let outer = std::mem::take(&mut self.look);
        self.match_form(Form::of(&dag.args[0]), item, Kind::VALUE);
        let body = std::mem::replace(&mut self.look, outer).block();
        self.loop_over(vec![list], vec![item], body, Gather::Any);
    }

    /// `(converted T)`: the type that the operand's becomes matches `T`.
    pub(super) fn match_converted(&mut self, dag: &Arc<Dag>, reg: Reg) {
        if !self.expect_args(dag, 1, 1) {
            return;
        }
        if self.kind != PatternKind::Convert {
            let message = "`converted` stands only in conversion patterns";
            self.error("pattern-place", message, dag.span);
        }
        let (ty, into) = (self.fresh(), self.fresh());
        self.emit(Inst::TypeOf { from: reg, into: ty });
        self.emit(Inst::ConvertType { from: ty, into });
        self.match_type(Form::of(&dag.args[0]), into);
    }

    fn loop_over(&mut self, lists: Vec<Reg>, items: Vec<Reg>, body: Block, gather: Gather) {
        let into = self.fresh();
        self.emit(Inst::Each {
            lists: Cow::Owned(lists),
            items: Cow::Owned(items),
            body,
            gives: into,
            gather,
            into,
        });
    }

    /// `(matches E, F)`: what is computed matches a form of its kind.
    pub(super) fn matches(&mut self, dag: &Dag) {
        if !self.expect_args(dag, 2, 2) {
            return;
        }
        let Some((reg, kind)) = self.expr(&dag.args[0]) else { return };
        let form = Form::of(&dag.args[1]);
        match kind {
            Kind::Op => self.match_op_form(form, reg),
            Kind::Type | Kind::Types => self.match_type(form, reg),
            Kind::Attr { .. } => {
                self.match_new_attr(form, reg, kind);
            }
            Kind::Value(_) | Kind::Any => self.match_form(form, reg, kind),
            Kind::Ops => self.error("pattern-kind", "several ops match no form", form.span),
        }
    }

    /// An op in a register matches `(Op:$o …)`, `Op:$o`, or one of several.
    fn match_op_form(&mut self, form: Form<'_>, reg: Reg) {
        if let Value::Dag(dag) = form.value
            && self.is_operator(form.value, "anyOf")
            && !dag.args.is_empty()
        {
            let args = dag.args.clone();
            self.alternatives(args.len(), dag.span, |this, index| {
                this.match_op_form(Form::of(&args[index]), reg);
            });
            return;
        }
        match form.value {
            Value::Dag(dag) => {
                let dag = dag.clone();
                let Some(record) = self.operator(&dag) else { return };
                if !record.isa("Trait") {
                    let Some(op) = self.op_def(record, dag.span) else { return };
                    self.emit(Inst::IsOp { op: reg, name: op.name.clone() });
                }
                self.match_op(&dag, reg);
            }
            value => match self.cx.def(value) {
                Some(record) => {
                    let Some(op) = self.op_def(record, form.span) else { return };
                    self.emit(Inst::IsOp { op: reg, name: op.name.clone() });
                    if let Some(name) = form.name {
                        self.bind(name, reg, Kind::Op, form.span);
                        self.op_defs.insert(name.to_owned(), op);
                    }
                }
                None => self.no_form("an op", form),
            },
        }
    }

    /// `(within $op, Op:$o)`: the nearest op around it of that name, or of one of several.
    pub(super) fn within(&mut self, dag: &Dag) {
        self.nearest_op(dag, |op, names, into| Inst::Ancestor { op, names, into });
    }

    /// `(preceded $op, Op:$o)`: the nearest op before it, or before what is around it.
    pub(super) fn preceded(&mut self, dag: &Dag) {
        self.nearest_op(dag, |op, names, into| Inst::Earlier { op, names, into });
    }

    fn nearest_op(&mut self, dag: &Dag, inst: impl FnOnce(Reg, List<Str>, Reg) -> Inst) {
        if !self.expect_args(dag, 2, 2) {
            return;
        }
        let Some(op) = self.op(&dag.args[0]) else { return };
        let form = Form::of(&dag.args[1]);
        let several = self.is_operator(form.value, "anyOf");
        let forms = match form.value.as_dag() {
            Some(dag) if several => dag.args.iter().map(Form::of).collect(),
            _ => vec![form],
        };
        let mut names = Vec::new();
        for form in &forms {
            let Some(record) = self.cx.def(form.value) else {
                self.no_form("an op", *form);
                return;
            };
            let Some(def) = self.op_def(record, form.span) else { return };
            if let (Some(name), false) = (form.name, several) {
                self.op_defs.insert(name.to_owned(), def.clone());
            }
            names.push(def.name);
        }
        let into = self.target(form.name);
        self.emit(inst(op, Cow::Owned(names), into));
        if let Some(name) = form.name {
            self.bind_op(name, into, form.span);
        }
    }

    /// Expressions that ask something; none when the word is no such expression.
    pub(super) fn query(&mut self, dag: &Dag, word: &str) -> Option<Option<(Reg, Kind)>> {
        Some(match word {
            "users" => self.asked(dag, Kind::Ops, |value, into| Inst::Users { value, into }),
            "ties" => self
                .asked(dag, Kind::Value(Arity::Variadic), |value, into| Inst::Tied { value, into }),
            "sizeOf" => {
                self.asked(dag, Kind::VALUE, |value, into| Inst::SizeOf { value, at: ROOT, into })
            }
            "shape" => self.of_type(dag, |from, into| Inst::Shape { from, into }),
            "withShape" => self.of_type_and_list(dag, Kind::Type, |from, sizes, into| {
                Inst::WithShape { from, sizes, into }
            }),
            "dense" => self.of_type_and_list(dag, Kind::ATTR, |ty, list, into| Inst::Dense {
                ty,
                list,
                into,
            }),
            "bitWidth" => self.of_type(dag, |from, into| Inst::BitWidth { from, into }),
            "splat" => self.asked_attr(dag, |from, into| Inst::Splat { from, into }),
            "toInt" => self.int_of(dag),
            "unique" => self.unique(dag),
            "nestedOps" => self.of_op(dag, Kind::Ops, |op, into| Inst::NestedOps { op, into }),
            "captures" => self
                .of_op(dag, Kind::Value(Arity::Variadic), |op, into| Inst::Captures { op, into }),
            "partsOf" => self.parts_of(dag),
            "bodyOps" => self.of_region(dag, Kind::Ops, |op, index, into| Inst::RegionOps {
                op,
                index,
                into,
            }),
            "blockArgs" => self.of_region(dag, Kind::Value(Arity::Variadic), |op, index, into| {
                Inst::RegionArgs { op, index, into }
            }),
            "attrOf" => self.attr_of(dag),
            "dims" => self.dims(dag),
            "clone" => self.clone_op(dag),
            _ => return None,
        })
    }

    fn asked(
        &mut self,
        dag: &Dag,
        kind: Kind,
        inst: impl FnOnce(Reg, Reg) -> Inst,
    ) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 1, 1) {
            return None;
        }
        let from = self.original_value(&dag.args[0])?;
        let into = self.fresh();
        Some((self.compute(&[from], into, inst(from, into)), kind))
    }

    fn asked_attr(
        &mut self,
        dag: &Dag,
        inst: impl FnOnce(Reg, Reg) -> Inst,
    ) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 1, 1) {
            return None;
        }
        let from = self.attr(&dag.args[0], None)?;
        let into = self.fresh();
        Some((self.compute(&[from], into, inst(from, into)), Kind::ATTR))
    }

    fn of_type(&mut self, dag: &Dag, inst: impl FnOnce(Reg, Reg) -> Inst) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 1, 1) {
            return None;
        }
        let from = self.type_expr(&dag.args[0])?;
        let into = self.fresh();
        Some((self.compute(&[from], into, inst(from, into)), Kind::ATTR))
    }

    /// What a shaped type and an array give.
    fn of_type_and_list(
        &mut self,
        dag: &Dag,
        kind: Kind,
        inst: impl FnOnce(Reg, Reg, Reg) -> Inst,
    ) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 2, 2) {
            return None;
        }
        let ty = self.type_expr(&dag.args[0])?;
        let list = self.attr(&dag.args[1], None)?;
        let into = self.fresh();
        Some((self.compute(&[ty, list], into, inst(ty, list, into)), kind))
    }

    /// `(toInt E, T)`: the integer with another type.
    fn int_of(&mut self, dag: &Dag) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 2, 2) {
            return None;
        }
        let from = self.integer(&dag.args[0])?;
        let ty = self.type_expr(&dag.args[1])?;
        let into = self.fresh();
        Some((self.compute(&[from, ty], into, Inst::IntOf { from, ty, into }), Kind::ATTR))
    }

    fn unique(&mut self, dag: &Dag) -> Option<(Reg, Kind)> {
        let (list, kind) = self.sole_expr(dag)?;
        let into = self.fresh();
        let kind = if kind == Kind::Op { Kind::Value(Arity::Variadic) } else { kind };
        Some((self.compute(&[list], into, Inst::Unique { list, into }), kind))
    }

    fn of_op(
        &mut self,
        dag: &Dag,
        kind: Kind,
        inst: impl FnOnce(Reg, Reg) -> Inst,
    ) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 1, 1) {
            return None;
        }
        let (op, _) = self.op_arg(dag)?;
        let into = self.fresh();
        Some((self.compute(&[op], into, inst(op, into)), kind))
    }

    /// `(partsOf $x)`: what a pattern has given for a value, of whatever types.
    fn parts_of(&mut self, dag: &Dag) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 1, 1) || !self.expect_action(dag) || !self.expect_converter(dag) {
            return None;
        }
        let from = self.original_value(&dag.args[0])?;
        let into = self.fresh();
        Some((self.late(into, Inst::Parts { from, into }), Kind::Value(Arity::Variadic)))
    }

    fn of_region(
        &mut self,
        dag: &Dag,
        kind: Kind,
        inst: impl FnOnce(Reg, u16, Reg) -> Inst,
    ) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 2, 2) {
            return None;
        }
        let (op, rest) = self.op_arg(dag)?;
        let index = self.region_index(&dag.args[0], &rest[0])?;
        let into = self.fresh();
        Some((self.compute(&[op], into, inst(op, index, into)), kind))
    }

    /// `(attrOf $op, "name")`, `(attrOf $op, "name", (absent))` where it may be absent.
    fn attr_of(&mut self, dag: &Dag) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 2, 3) {
            return None;
        }
        let (op, rest) = self.op_arg(dag)?;
        let name = self.name_arg(&rest[0])?;
        let optional = match rest.get(1) {
            Some(arg) if self.word(&arg.value) == Some("absent") => true,
            Some(arg) => {
                let message = "`(absent)` says that the attribute may be absent";
                self.error("pattern-expr", message, arg.span);
                return None;
            }
            None => false,
        };
        let into = self.fresh();
        let inst = Inst::Attr { op, name: Cow::Owned(name), optional, default: None, into };
        Some((self.compute(&[op], into, inst), Kind::Attr { optional }))
    }

    /// `(dims T, $dynamic, Const_Op)`
    fn dims(&mut self, dag: &Dag) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 3, 3) || !self.expect_action(dag) {
            return None;
        }
        let from = self.type_expr(&dag.args[0])?;
        let dynamic = self.value(&dag.args[1], Wanted::default())?;
        let op = self.cx.def(&dag.args[2].value).and_then(|record| self.ops.get(record));
        let makes = |op: &OpDef| op.has_trait("ConstantLike") && op.attr_index("value").is_some();
        let Some(op) = op.filter(makes) else {
            let message = "an op that makes constants is expected";
            self.error("pattern-expr", message, dag.args[2].span);
            return None;
        };
        if !self.makes.iter().any(|name| *name == op.name) {
            self.makes.push(op.name.to_string());
        }
        let into = self.fresh();
        let inst = Inst::Dims { from, dynamic, constant: op.name, into };
        Some((self.late(into, inst), Kind::Value(Arity::Variadic)))
    }

    /// `(clone $op)`
    fn clone_op(&mut self, dag: &Dag) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 1, 1) || !self.expect_action(dag) {
            return None;
        }
        let (op, _) = self.op_arg(dag)?;
        let into = self.fresh();
        Some((self.late(into, Inst::CloneOp { op, into }), Kind::Op))
    }

    /// A call of a `Function`: its names are its parameters only.
    pub(super) fn call(
        &mut self,
        dag: &Dag,
        record: &'a tegula_record::Record,
        wanted: Wanted<'_>,
    ) -> Option<(Reg, Kind)> {
        use crate::cx::Get;
        let params = record.graph("parameters")?.clone();
        if !self.expect_args(dag, params.args.len(), params.args.len()) {
            return None;
        }
        let mut bound = Vec::new();
        for (param, arg) in params.args.iter().zip(&dag.args) {
            let Some(name) = param.name.as_deref() else {
                self.error("pattern-function", "a parameter is a name", param.span);
                return None;
            };
            let plain = match (&arg.name, &arg.value) {
                (Some(name), Value::Unset) => self.names.get(name),
                _ => None,
            };
            let bind = match plain {
                Some(bind) => bind,
                None => {
                    let (reg, kind) = self.expr(arg)?;
                    Bind { reg, kind, span: arg.span, converted: None, matched: false }
                }
            };
            bound.push((name.to_owned(), bind));
        }
        let outer = std::mem::take(&mut self.names);
        let defs = std::mem::take(&mut self.op_defs);
        for (name, bind) in bound {
            self.names.insert(&name, bind);
        }
        let steps = record.items("lets").to_vec();
        let mut result = None;
        let mut sound = true;
        for step in &steps {
            match step.as_dag() {
                Some(step) => self.let_or_action(&step.clone()),
                None => sound = false,
            }
        }
        if let (true, Some(value)) = (sound, record.get("result")) {
            let span = value.as_dag().map_or(record.span, |dag| dag.span);
            let arg = tegula_record::DagArg { value: value.clone(), name: None, span };
            result = self.expr_for(&arg, wanted);
        }
        self.names = outer;
        self.op_defs = defs;
        self.at(dag.span);
        result
    }

    /// A step before a value: `(bind …)`, or an action where actions may stand.
    pub(super) fn let_or_action(&mut self, dag: &Arc<Dag>) {
        if self.is_operator_of(dag, "bind") {
            self.bind_expr(dag);
        } else if self.expect_action(dag) {
            self.action(dag);
        }
    }

    fn is_operator_of(&self, dag: &Dag, word: &str) -> bool {
        dag.op.as_def().is_some_and(|name| &**name == word)
    }

    /// A message about a word that is none, with one that is near.
    pub(super) fn unknown_word(&mut self, dag: &Dag, expected: &[&str], what: &str) {
        let word = dag.op.as_def().map_or("this", |name| &**name).to_owned();
        let mut diagnostic =
            tegula_diag::Diagnostic::error("pattern-control", format!("`{word}` is no {what}"))
                .at(dag.span);
        if let Some(near) = nearest(&word, expected.iter().copied()) {
            diagnostic = diagnostic.note(format!("a similar word is `{near}`"));
        }
        self.report(diagnostic);
    }
}
