//! Loops, switches and places: programs within instructions.

use std::borrow::Cow;
use std::sync::Arc;

use tegula_record::{Dag, DagArg, Value};
use tegula_schema::{Arity, Block, CaseDef, Gather, Inst, Reg};

use super::expr::Wanted;
use super::matching::Form;
use super::names::{Bind, Kind};
use super::stream::Stream;
use super::{Lowering, Point};

/// What is lowered apart from the program around it.
struct Nested {
    look: Stream,
    edit: Stream,
    end: Stream,
    /// It depends on something that is assigned after the commit.
    late: bool,
}

impl Nested {
    fn edits(&self) -> bool {
        self.late || !self.edit.is_empty() || !self.end.is_empty()
    }

    fn block(self) -> Block {
        let mut all = self.look;
        all.append(self.edit);
        all.append(self.end);
        all.block()
    }
}

/// The lists of a loop.
struct Binders {
    lists: Vec<Reg>,
    items: Vec<(String, Reg, Bind)>,
    /// `(take $name, list, count)`, whose count is computed in each round.
    takes: Vec<Take>,
    late: bool,
}

struct Take {
    name: String,
    list: Reg,
    kind: Kind,
    matched: bool,
    count: DagArg,
    cursor: Reg,
}

impl<'c, 'a> Lowering<'c, 'a> {
    /// Lowers something into streams of its own. Names that it binds are forgotten afterwards.
    fn nested<R>(&mut self, emit: impl FnOnce(&mut Self) -> R) -> (Nested, R) {
        let (look, edit) = (std::mem::take(&mut self.look), std::mem::take(&mut self.edit));
        let end = std::mem::take(&mut self.end);
        let (names, defs) = (self.names.clone(), self.op_defs.clone());
        let (testing, late_test) = (self.testing, self.late_test);
        (self.testing, self.late_test) = (false, false);
        let result = emit(self);
        let nested = Nested {
            look: std::mem::replace(&mut self.look, look),
            edit: std::mem::replace(&mut self.edit, edit),
            end: std::mem::replace(&mut self.end, end),
            late: self.late_test,
        };
        (self.testing, self.late_test) = (testing, late_test | (testing && nested.late));
        (self.names, self.op_defs) = (names, defs);
        (nested, result)
    }

    /// The same for something that only looks.
    fn test<R>(&mut self, emit: impl FnOnce(&mut Self) -> R) -> (Nested, R) {
        self.nested(|this| {
            this.testing = true;
            emit(this)
        })
    }

    /// Reads `(each $x, list)` and `(take $x, list, count)` at the head of a loop; gives them and
    /// the remaining arguments.
    fn binders<'d>(&mut self, dag: &'d Dag) -> Option<(Binders, &'d [DagArg])> {
        let count = dag
            .args
            .iter()
            .take_while(|arg| matches!(self.word(&arg.value), Some("each" | "take")))
            .count();
        let (heads, rest) = dag.args.split_at(count);
        let mut binders =
            Binders { lists: Vec::new(), items: Vec::new(), takes: Vec::new(), late: false };
        for head in heads {
            let inner = head.value.as_dag()?.clone();
            let take = self.word(&head.value) == Some("take");
            let expected = if take { 3 } else { 2 };
            if !self.expect_args(&inner, expected, expected) {
                return None;
            }
            let (Some(name), Value::Unset) = (&inner.args[0].name, &inner.args[0].value) else {
                self.error("pattern-loop", "a name for the element is expected", inner.span);
                return None;
            };
            let known = binders.items.iter().map(|(item, _, bind)| (item.as_str(), bind.span));
            let known = known.chain(binders.takes.iter().map(|t| (t.name.as_str(), t.count.span)));
            let earlier = known.clone().find(|(known, _)| *known == &**name).map(|(_, span)| span);
            let outer = self.names.get(name).map(|bind| bind.span);
            if let Some(first) = earlier.or(outer) {
                self.bound_twice(name, first, inner.args[0].span);
            }
            let (list, kind, matched) = self.list(&inner.args[1])?;
            binders.late |= self.is_late(list);
            if take {
                let cursor = self.fresh();
                binders.takes.push(Take {
                    name: name.to_string(),
                    list,
                    kind,
                    matched,
                    count: inner.args[2].clone(),
                    cursor,
                });
                continue;
            }
            let item = self.fresh();
            if self.is_late(list) {
                self.mark_late(item);
            }
            let kind = match kind {
                Kind::Value(_) | Kind::Op => Kind::VALUE,
                Kind::Ops => Kind::Op,
                Kind::Type | Kind::Types => Kind::Type,
                Kind::Attr { .. } => Kind::ATTR,
                Kind::Any => Kind::Any,
            };
            let bind = Bind { reg: item, kind, span: inner.args[0].span, converted: None, matched };
            binders.lists.push(list);
            binders.items.push((name.to_string(), item, bind));
        }
        if binders.lists.is_empty() {
            let message = "a loop begins with `(each $x, list)`";
            self.error("pattern-loop", message, dag.span);
            return None;
        }
        Some((binders, rest))
    }

    /// A list to loop over. Values that the match has bound are looped over as they are, so that
    /// each element stands for its own converted values.
    fn list(&mut self, arg: &DagArg) -> Option<(Reg, Kind, bool)> {
        if let (Some(name), Value::Unset) = (&arg.name, &arg.value)
            && let Some(bind) = self.names.get(name)
        {
            if self.testing {
                self.late_test |= self.is_late(bind.reg);
            }
            return Some((bind.reg, bind.kind, bind.matched));
        }
        let (reg, kind) = self.expr(arg)?;
        Some((reg, kind, false))
    }

    /// Binds the elements, within the body.
    fn enter_round(&mut self, binders: &Binders) {
        for (name, _, bind) in &binders.items {
            self.names.insert(name, *bind);
        }
        for take in &binders.takes {
            let Some(count) = self.integer(&take.count) else { continue };
            let into = self.fresh();
            let (list, cursor) = (take.list, take.cursor);
            self.compute(&[list, count], into, Inst::Take { list, count, cursor, into });
            let kind = match take.kind {
                Kind::Value(_) | Kind::Op => Kind::Value(Arity::Variadic),
                Kind::Type => Kind::Types,
                kind => kind,
            };
            let bind = Bind {
                reg: into,
                kind,
                span: take.count.span,
                converted: None,
                matched: take.matched,
            };
            self.names.insert(&take.name, bind);
        }
    }

    fn start_takes(&self, binders: &Binders) -> Stream {
        let mut stream = Stream::default();
        for take in &binders.takes {
            let text = Cow::Borrowed("0 : index");
            stream.push(Inst::Literal { text, into: take.cursor }, self.line);
        }
        stream
    }

    /// Adds a loop, where its parts allow.
    fn finish_loop(
        &mut self,
        binders: &Binders,
        body: Nested,
        (gives, gather, into): (Reg, Gather, Reg),
    ) {
        let edits = binders.late || body.edits() || self.is_late(gives);
        let starts = self.start_takes(binders);
        let make = |body: Block, gather: Gather, into: Reg| Inst::Each {
            lists: Cow::Owned(binders.lists.clone()),
            items: Cow::Owned(binders.items.iter().map(|(_, reg, _)| *reg).collect()),
            body,
            gives,
            gather,
            into,
        };
        if self.testing || !edits {
            self.late_test |= self.testing && edits;
            self.look.append(starts);
            let inst = make(body.block(), gather, into);
            self.emit(inst);
            return;
        }
        if !binders.late && !body.late && body.look.may_fail() {
            self.look.append(starts.clone());
            let dummy = self.fresh();
            let inst = make(body.look.clone().block(), Gather::All, dummy);
            self.emit(inst);
        }
        self.mark_late(into);
        let ends = !body.end.is_empty();
        let inst = make(body.block(), gather, into);
        if ends {
            self.end.append(starts);
            self.emit_end(inst);
        } else {
            self.edit.append(starts);
            self.emit_edit(inst);
        }
    }

    /// `(some (each $x, L), conditions…)` and `(all …)`
    pub(super) fn quantified(&mut self, dag: &Dag, gather: Gather) {
        let Some((binders, rest)) = self.binders(dag) else { return };
        let outer = (self.testing, self.late_test);
        let before = self.names.clone();
        let look = std::mem::take(&mut self.look);
        (self.testing, self.late_test) = (true, false);
        self.enter_round(&binders);
        for arg in rest {
            self.condition_arg(arg);
        }
        let look = std::mem::replace(&mut self.look, look);
        let late = self.late_test;
        (self.testing, self.late_test) = (outer.0, outer.1 || late);
        // What the first round that holds has bound stays, but for the names of elements.
        let bound = self.names.since(&before);
        self.names = before;
        if gather == Gather::Any {
            let own = |name: &str| {
                binders.items.iter().any(|(item, ..)| item == name)
                    || binders.takes.iter().any(|take| take.name == name)
            };
            for (name, bind) in bound.iter().filter(|(name, _)| !own(name)) {
                self.names.insert(name, *bind);
            }
        }
        let body = Nested { look, edit: Stream::default(), end: Stream::default(), late };
        let into = self.fresh();
        if self.testing || !(late || binders.late) {
            self.finish_loop(&binders, body, (into, gather, into));
        } else {
            let message = "a condition needs what is known before anything is edited";
            self.error("pattern-place", message, dag.span);
        }
    }

    /// `(filter (each $x, L), conditions…)`
    pub(super) fn filter(&mut self, dag: &Dag) -> Option<(Reg, Kind)> {
        let (binders, rest) = self.binders(dag)?;
        let (body, ()) = self.test(|this| {
            this.enter_round(&binders);
            for arg in rest {
                this.condition_arg(arg);
            }
        });
        let kind = match binders.items.first().map(|(.., bind)| bind.kind) {
            Some(Kind::Value(_)) => Kind::Value(Arity::Variadic),
            Some(Kind::Op) => Kind::Ops,
            Some(Kind::Type) => Kind::Types,
            Some(kind) => kind,
            None => Kind::Any,
        };
        let into = self.fresh();
        self.finish_loop(&binders, body, (into, Gather::Keep, into));
        Some((into, kind))
    }

    /// `(map (each $x, L), …, steps…, E)`
    pub(super) fn map(&mut self, dag: &Dag) -> Option<(Reg, Kind)> {
        let (binders, rest) = self.binders(dag)?;
        let testing = self.testing;
        let (body, value) = self.nested(|this| {
            this.testing = testing;
            this.enter_round(&binders);
            this.steps_and_value(rest, dag, Wanted::default())
        });
        let (gives, kind) = value?;
        let (gather, kind) = match kind {
            Kind::Value(_) | Kind::Op | Kind::Any => (Gather::Values, Kind::Value(Arity::Variadic)),
            Kind::Type | Kind::Types => (Gather::Types, Kind::Types),
            Kind::Attr { .. } => (Gather::Attrs, Kind::ATTR),
            Kind::Ops => {
                self.error("pattern-kind", "a round gives several ops", dag.span);
                return None;
            }
        };
        let into = self.fresh();
        self.finish_loop(&binders, body, (gives, gather, into));
        Some((into, kind))
    }

    /// `(reduce (from $so, E), (each $x, L), …, steps…, F)`
    pub(super) fn reduce(&mut self, dag: &Dag) -> Option<(Reg, Kind)> {
        let Some((start, loops)) = dag.args.split_first() else {
            self.expect_args(dag, 3, usize::MAX);
            return None;
        };
        let from = start.value.as_dag().filter(|_| self.word(&start.value) == Some("from"));
        let (name, given) = match from.map(|from| from.args.as_slice()) {
            Some([DagArg { name: Some(name), value: Value::Unset, .. }, given]) => (name, given),
            _ => {
                let message = "what the first round goes on from is expected: `(from $so, E)`";
                self.error("pattern-loop", message, dag.span);
                return None;
            }
        };
        let (first, kind) = self.expr(given)?;
        let kind = if kind == Kind::Op { Kind::VALUE } else { kind };
        let loops = Dag { args: loops.to_vec(), ..dag.clone() };
        let (binders, rest) = self.binders(&loops)?;
        let into = self.fresh();
        let bind = Bind { reg: into, kind, span: start.span, converted: None, matched: false };
        let testing = self.testing;
        let errors = self.errors;
        let round = |this: &mut Self| {
            this.nested(|this| {
                this.testing = testing;
                this.enter_round(&binders);
                this.names.insert(name, bind);
                this.steps_and_value(rest, &loops, Wanted::default())
            })
        };
        if self.is_late(first) || binders.late {
            self.mark_late(into);
        }
        let (mut body, mut value) = round(self);
        // What the round before has made is there in the rounds that follow.
        let made = value.is_some_and(|(gives, _)| self.is_late(gives)) || body.edits();
        if made && !self.is_late(into) && self.errors == errors {
            self.mark_late(into);
            (body, value) = round(self);
        }
        let (gives, given) = value?;
        let kind = self.join(kind, given, start)?;
        let copy = CaseDef { gives: Some(first), ..CaseDef::default() };
        let copy = Inst::Switch { cases: Cow::Owned(vec![copy]), into };
        if !testing && self.is_late(into) {
            self.emit_edit(copy);
        } else {
            self.emit(copy);
        }
        self.finish_loop(&binders, body, (gives, Gather::Carry, into));
        Some((into, if kind == Kind::Op { Kind::VALUE } else { kind }))
    }

    /// `(forEach (each $x, L), actions…)`
    pub(super) fn for_each(&mut self, dag: &Dag) -> Option<()> {
        let (binders, rest) = self.binders(dag)?;
        let nothing = self.fresh();
        let (body, ()) = self.nested(|this| {
            this.enter_round(&binders);
            for arg in rest {
                this.action_arg(arg);
            }
            this.emit(Inst::Absent { into: nothing });
        });
        let into = self.fresh();
        self.finish_loop(&binders, body, (nothing, Gather::Values, into));
        Some(())
    }

    fn action_arg(&mut self, arg: &DagArg) {
        match arg.value.as_dag() {
            Some(dag) => self.action(&dag.clone()),
            None => self.error("pattern-action", "an action is a dag", arg.span),
        }
    }

    /// Steps, and a value at the end.
    fn steps_and_value(
        &mut self,
        args: &[DagArg],
        dag: &Dag,
        wanted: Wanted<'_>,
    ) -> Option<(Reg, Kind)> {
        let Some((last, steps)) = args.split_last() else {
            self.error("pattern-arity", "a value is expected at the end", dag.span);
            return None;
        };
        for step in steps {
            match step.value.as_dag() {
                Some(step) => self.let_or_action(&step.clone()),
                None => self.error("pattern-action", "a step is a dag", step.span),
            }
        }
        self.expr_for(last, wanted)
    }

    /// `(switch (case C, E), …, (default E))` and `(typeswitch T, (case T, E), …, (default E))`
    pub(super) fn switch(&mut self, dag: &Dag, wanted: Wanted<'_>) -> Option<(Reg, Kind)> {
        let by_type = dag.op.as_def().is_some_and(|name| &**name == "typeswitch");
        let mut args = dag.args.as_slice();
        let mut subject = None;
        if by_type {
            let Some((first, rest)) = args.split_first() else {
                self.expect_args(dag, 2, usize::MAX);
                return None;
            };
            subject = Some(self.type_of_arg(first)?);
            args = rest;
        }
        let mut cases: Vec<(Nested, Nested, Option<Reg>, bool)> = Vec::new();
        let mut kind: Option<Kind> = None;
        for arg in args {
            let (Some(case), Some(word)) = (arg.value.as_dag().cloned(), self.word(&arg.value))
            else {
                self.error("pattern-control", "a case is `(case …, E)`", arg.span);
                return None;
            };
            let rest = match word {
                "default" => case.args.as_slice(),
                "case" if !case.args.is_empty() => &case.args[1..],
                _ => {
                    self.unknown_word(&case, &["case", "default"], "case");
                    return None;
                }
            };
            let tested = word == "case";
            if cases.iter().any(|(.., tested)| !tested) {
                let message = "no case is tried behind `(default …)`";
                self.error("pattern-control", message, arg.span);
            }
            let before = self.names.clone();
            let (test, ()) = self.test_keeping_names(|this| match (tested, subject) {
                (false, _) => {}
                (true, Some(ty)) => {
                    this.late_test |= this.is_late(ty);
                    this.match_type(Form::of(&case.args[0]), ty);
                }
                (true, None) => this.condition_arg(&case.args[0]),
            });
            let testing = self.testing;
            let (then, value) = self.nested(|this| {
                this.testing = testing;
                this.steps_and_value(rest, &case, wanted)
            });
            self.names = before;
            let (gives, given) = value?;
            kind = Some(match kind {
                None => given,
                Some(kind) => self.join(kind, given, arg)?,
            });
            cases.push((test, then, Some(gives), tested));
        }
        let Some(kind) = kind else {
            self.error("pattern-arity", "a case is expected", dag.span);
            return None;
        };
        let into = self.fresh();
        self.finish_switch(cases, into, dag)?;
        // An op stands for its results from here on.
        Some((into, if kind == Kind::Op { Kind::VALUE } else { kind }))
    }

    /// A test whose names stay until the caller forgets them.
    fn test_keeping_names<R>(&mut self, emit: impl FnOnce(&mut Self) -> R) -> (Nested, R) {
        let mut kept = None;
        let (test, result) = self.test(|this| {
            let result = emit(this);
            kept = Some((this.names.clone(), this.op_defs.clone()));
            result
        });
        if let Some((names, defs)) = kept {
            (self.names, self.op_defs) = (names, defs);
        }
        (test, result)
    }

    /// The kind of what either of two cases gives.
    fn join(&mut self, a: Kind, b: Kind, arg: &DagArg) -> Option<Kind> {
        Some(match (a, b) {
            (a, b) if a == b => a,
            (Kind::Any, other) | (other, Kind::Any) => other,
            (Kind::Op, Kind::Value(arity)) | (Kind::Value(arity), Kind::Op) => Kind::Value(arity),
            (Kind::Value(_), Kind::Value(_)) => Kind::Value(Arity::Variadic),
            (Kind::Attr { .. }, Kind::Attr { .. }) => Kind::Attr { optional: true },
            // `(absent)` stands for no value, too.
            (Kind::Attr { optional: true }, Kind::Value(_))
            | (Kind::Value(_), Kind::Attr { optional: true }) => Kind::Value(Arity::Optional),
            (Kind::Type | Kind::Types, Kind::Type | Kind::Types) => Kind::Types,
            (a, b) => {
                let message = format!(
                    "the cases give different things: {} and {}",
                    a.describe(),
                    b.describe()
                );
                self.error("pattern-kind", message, arg.span);
                return None;
            }
        })
    }

    fn finish_switch(
        &mut self,
        cases: Vec<(Nested, Nested, Option<Reg>, bool)>,
        into: Reg,
        dag: &Dag,
    ) -> Option<()> {
        let edits = cases.iter().any(|(test, then, gives, _)| {
            test.late || then.edits() || gives.is_some_and(|reg| self.is_late(reg))
        });
        let late_test = cases.iter().any(|(test, ..)| test.late);
        let complete = cases.iter().any(|(.., tested)| !tested);
        let ends = cases.iter().any(|(_, then, ..)| !then.end.is_empty());
        let mut tests = Vec::new();
        let mut defs = Vec::new();
        for (test, then, gives, _) in cases {
            tests.push(CaseDef {
                test: test.look.clone().block(),
                then: Block::default(),
                gives: None,
            });
            defs.push(CaseDef { test: test.block(), then: then.block(), gives });
        }
        let inst = Inst::Switch { cases: Cow::Owned(defs), into };
        if self.testing || !edits {
            self.late_test |= self.testing && edits;
            self.emit(inst);
            return Some(());
        }
        if !complete && late_test {
            let message = "without a `(default …)` it may be too late to find that no case applies";
            self.error("pattern-control", message, dag.span);
            return None;
        }
        if !complete {
            let dummy = self.fresh();
            self.emit(Inst::Switch { cases: Cow::Owned(tests), into: dummy });
        }
        self.mark_late(into);
        if ends {
            self.emit_end(inst);
        } else {
            self.emit_edit(inst);
        }
        Some(())
    }

    /// `(when condition, actions…)`
    pub(super) fn when(&mut self, dag: &Dag) -> Option<()> {
        let Some((condition, actions)) = dag.args.split_first() else {
            self.expect_args(dag, 2, usize::MAX);
            return None;
        };
        let before = self.names.clone();
        let (test, ()) = self.test_keeping_names(|this| this.condition_arg(condition));
        let (then, ()) = self.nested(|this| {
            for arg in actions {
                this.action_arg(arg);
            }
        });
        self.names = before;
        let nothing = || Nested {
            look: Stream::default(),
            edit: Stream::default(),
            end: Stream::default(),
            late: false,
        };
        let cases = vec![(test, then, None, true), (nothing(), nothing(), None, false)];
        let into = self.fresh();
        self.finish_switch(cases, into, dag)
    }

    /// `(orElse E, F)`: `E` when it is there, else `F`.
    pub(super) fn or_else(&mut self, dag: &Dag, wanted: Wanted<'_>) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 2, 2) {
            return None;
        }
        let there = match (&dag.args[0].name, &dag.args[0].value) {
            (Some(name), Value::Unset) => self.name(name, &dag.args[0], true)?.0,
            _ => self.expr(&dag.args[0])?.0,
        };
        let (test, ()) = self.test(|this| {
            this.late_test |= this.is_late(there);
            this.emit(Inst::Present { reg: there, present: true });
        });
        let testing = self.testing;
        let side = |this: &mut Self, arg: &DagArg| {
            this.nested(|this| {
                this.testing = testing;
                this.expr_for(arg, wanted)
            })
        };
        let (then, first) = side(self, &dag.args[0]);
        let (otherwise, second) = side(self, &dag.args[1]);
        let ((first, a), (second, b)) = (first?, second?);
        let a = match a {
            Kind::Value(Arity::Optional) => Kind::VALUE,
            Kind::Attr { .. } => Kind::ATTR,
            kind => kind,
        };
        let kind = self.join(a, b, &dag.args[1])?;
        let nothing = Nested {
            look: Stream::default(),
            edit: Stream::default(),
            end: Stream::default(),
            late: false,
        };
        let cases =
            vec![(test, then, Some(first), true), (nothing, otherwise, Some(second), false)];
        let into = self.fresh();
        self.finish_switch(cases, into, dag)?;
        Some((into, if kind == Kind::Op { Kind::VALUE } else { kind }))
    }

    /// A type, or the type of a value: the converted one where the value stands for its converted
    /// ones.
    fn type_of_arg(&mut self, arg: &DagArg) -> Option<Reg> {
        let known = arg.name.as_deref().filter(|_| arg.value.is_unset());
        let kind = known.and_then(|name| self.names.get(name)).map(|bind| bind.kind);
        if !matches!(kind, Some(Kind::Value(_) | Kind::Op)) {
            let (reg, kind) = self.expr(arg)?;
            return match kind {
                Kind::Value(_) | Kind::Op | Kind::Attr { .. } => {
                    let into = self.fresh();
                    Some(self.compute(&[reg], into, Inst::TypeOf { from: reg, into }))
                }
                _ => Some(reg),
            };
        }
        let dag = Dag {
            op: Value::Def("typeOf".into()),
            op_name: None,
            args: vec![arg.clone()],
            span: arg.span,
        };
        let value = DagArg { value: Value::Dag(Arc::new(dag)), name: None, span: arg.span };
        self.type_expr(&value)
    }

    /// `(before $op, actions…)` and `(after $op, actions…)`
    pub(super) fn placed(&mut self, dag: &Dag, after: bool) -> Option<()> {
        let (op, actions) = self.op_arg(dag)?;
        self.emit_edit(Inst::At { op, after });
        self.at_point(Point::Op(op, after), actions);
        Some(())
    }

    /// `(block $op, "region", actions…)`
    pub(super) fn block(&mut self, dag: &Dag) -> Option<()> {
        if !self.expect_args(dag, 2, usize::MAX) {
            return None;
        }
        let (op, rest) = self.op_arg(dag)?;
        let index = self.region_index(&dag.args[0], &rest[0])?;
        self.emit_edit(Inst::Block { op, index, new: true });
        self.at_point(Point::Block(op, index), &rest[1..]);
        Some(())
    }

    /// Actions at another place than those that follow.
    fn at_point(&mut self, point: Point, actions: &[DagArg]) {
        let outer = std::mem::replace(&mut self.point, point);
        for arg in actions {
            self.action_arg(arg);
        }
        self.point = outer;
        self.emit_edit(match outer {
            Point::Op(op, after) => Inst::At { op, after },
            Point::Block(op, index) => Inst::Block { op, index, new: false },
        });
    }

    /// `(inline $op, "region", arguments…)`
    pub(super) fn inline(&mut self, dag: &Dag) -> Option<(Reg, Kind)> {
        if !self.expect_args(dag, 2, usize::MAX) {
            return None;
        }
        let (op, rest) = self.op_arg(dag)?;
        let index = self.region_index(&dag.args[0], &rest[0])?;
        let args = rest.iter().skip(1).map(|arg| self.original_value(arg));
        let args: Vec<Reg> = args.collect::<Option<_>>()?;
        let into = self.fresh();
        let inst = Inst::Inline { op, index, args: Cow::Owned(args), into };
        Some((self.late(into, inst), Kind::Value(Arity::Variadic)))
    }
}
