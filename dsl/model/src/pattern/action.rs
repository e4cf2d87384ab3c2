//! Actions.

use std::borrow::Cow;

use tegula_diag::{Diagnostic, Span, nearest};
use tegula_record::{Dag, DagArg};
use tegula_schema::{Arity, Inst, PatternKind, Reg};

use super::expr::Wanted;
use super::names::Kind;
use super::ops::{number_of_results, segment};
use super::{Lowering, ROOT};

const WORDS: &[&str] = &[
    "replace",
    "replaceOp",
    "erase",
    "setAttr",
    "removeAttr",
    "setOperand",
    "build",
    "bind",
    "takeRegion",
    "convertRegion",
    "fold",
    "when",
    "forEach",
    "before",
    "after",
    "block",
    "replaceUses",
    "setType",
    "moveBefore",
    "moveAfter",
    "inline",
    "refuse",
];

impl<'c, 'a> Lowering<'c, 'a> {
    /// Whether actions are being lowered.
    pub(super) fn in_actions(&self) -> bool {
        self.acting
    }

    /// One action.
    pub(super) fn action(&mut self, dag: &Dag) {
        self.acting = true;
        if self.enter(dag.span) {
            // What went wrong is reported where it did.
            let _ = self.action_of(dag);
        }
        self.leave();
    }

    fn action_of(&mut self, dag: &Dag) -> Option<()> {
        let record = self.operator(dag)?;
        let word = &*record.name;
        if (word == "fold") != (self.kind == PatternKind::Fold) {
            let message = if word == "fold" {
                "`fold` stands only in folds"
            } else {
                "a fold has `(fold …)` as its only action"
            };
            self.error("pattern-place", message, dag.span);
            return None;
        }
        match word {
            "fold" => {
                let mut with = Vec::new();
                let mut single = true;
                for arg in &dag.args {
                    let (reg, kind) = self.expr(arg)?;
                    single &= matches!(kind, Kind::VALUE | Kind::Attr { .. });
                    let fine = !matches!(kind, Kind::Type | Kind::Types | Kind::Ops);
                    self.expect_kind(kind, fine, "a value or an attribute", arg)?;
                    with.push(reg);
                }
                if with.is_empty() {
                    self.error("pattern-arity", "`fold` takes at least 1 argument", dag.span);
                } else if let Some(results) = self.root_results
                    && single
                    && results != with.len()
                {
                    let s = if results == 1 { "" } else { "s" };
                    let message = format!(
                        "the op has {results} result{s}, but `fold` names {} values for them",
                        with.len()
                    );
                    self.error("pattern-arity", message, dag.span);
                }
                self.emit_end(Inst::Fold { with: Cow::Owned(with) });
            }
            "replace" => {
                let with = self.replacements(&dag.args, true)?;
                self.expect_as_many(dag, &dag.args, self.root_results);
                self.expect_there(ROOT, dag.span);
                self.emit_end(Inst::Replace { op: ROOT, with: Cow::Owned(with) });
            }
            "replaceOp" => {
                let (op, rest) = self.op_arg(dag)?;
                let with = self.replacements(rest, false)?;
                let def = dag.args[0].name.as_deref().and_then(|name| self.op_defs.get(name));
                let results = def.and_then(number_of_results);
                self.expect_as_many(dag, rest, results);
                self.expect_there(op, dag.span);
                self.emit_end(Inst::Replace { op, with: Cow::Owned(with) });
            }
            "erase" => {
                if !self.expect_args(dag, 0, 1) {
                    return None;
                }
                let op = if dag.args.is_empty() { ROOT } else { self.op_arg(dag)?.0 };
                self.expect_there(op, dag.span);
                self.emit_end(Inst::Erase { op });
            }
            "setAttr" => {
                if !self.expect_args(dag, 3, 3) {
                    return None;
                }
                let (op, rest) = self.op_arg(dag)?;
                let name = self.name_arg(&rest[0])?;
                let def = dag.args[0].name.as_deref().and_then(|op| self.op_defs.get(op));
                let attr = def.and_then(|def| def.attrs.get(def.attr_index(&name)?)).cloned();
                let wanted =
                    Wanted { attr: attr.as_ref(), number: Some("i64"), ..Wanted::default() };
                let (value, kind) = self.expr_for(&rest[1], wanted)?;
                let fine = matches!(kind, Kind::Attr { .. } | Kind::Type | Kind::Types | Kind::Any);
                self.expect_kind(kind, fine, "an attribute", &rest[1])?;
                self.emit_edit(Inst::SetAttr { op, name: Cow::Owned(name), value });
            }
            "removeAttr" => {
                if !self.expect_args(dag, 2, 2) {
                    return None;
                }
                let (op, rest) = self.op_arg(dag)?;
                let name = self.name_arg(&rest[0])?;
                let def = dag.args[0].name.as_deref().and_then(|op| self.op_defs.get(op));
                let attr = def.and_then(|def| def.attrs.get(def.attr_index(&name)?));
                if let Some(attr) = attr.filter(|a| !a.optional && a.default.is_none()) {
                    let message = format!("the attribute `{}` is never absent", attr.name);
                    self.error("pattern-attr", message, rest[0].span);
                }
                let value = self.fresh();
                self.late(value, Inst::Absent { into: value });
                self.emit_edit(Inst::SetAttr { op, name: Cow::Owned(name), value });
            }
            "setOperand" => self.set_operand(dag)?,
            "build" => {
                let (hook, args) = self.hook_args(dag)?;
                let into = self.fresh();
                self.late(into, Inst::Build { hook, args: Cow::Owned(args), into });
            }
            "bind" => self.bind_expr(dag),
            "when" => self.when(dag)?,
            "forEach" => self.for_each(dag)?,
            "before" | "after" => self.placed(dag, word == "after")?,
            "block" => self.block(dag)?,
            "replaceUses" => {
                if !self.expect_args(dag, 2, 3) {
                    return None;
                }
                let from = self.original_value(&dag.args[0])?;
                let to = self.value(&dag.args[1], Wanted::default())?;
                let except = match dag.args.get(2) {
                    Some(arg) => Some(self.op(arg)?),
                    None => None,
                };
                self.emit_edit(Inst::ReplaceUses { from, to, except });
            }
            "setType" => {
                if !self.expect_args(dag, 2, 2) {
                    return None;
                }
                let value = self.original_value(&dag.args[0])?;
                let ty = self.type_expr(&dag.args[1])?;
                self.emit_edit(Inst::SetType { value, ty });
            }
            "moveBefore" | "moveAfter" => {
                if !self.expect_args(dag, 2, 2) {
                    return None;
                }
                let (op, rest) = self.op_arg(dag)?;
                let to = self.op(&rest[0])?;
                self.emit_edit(Inst::Move { op, to, after: word == "moveAfter" });
            }
            "inline" => {
                self.inline(dag)?;
            }
            "refuse" => {
                if self.kind != PatternKind::Convert {
                    let message = "`refuse` stands only in conversion patterns";
                    self.error("pattern-place", message, dag.span);
                    return None;
                }
                let message = match dag.args.as_slice() {
                    [only] => only.value.as_str().map(|text| text.to_string()),
                    _ => None,
                };
                let Some(message) = message else {
                    self.error("pattern-expr", "`refuse` takes a sentence", dag.span);
                    return None;
                };
                self.emit(Inst::Refuse { message: Cow::Owned(message) });
            }
            "takeRegion" => {
                if !self.expect_args(dag, 4, 4) {
                    return None;
                }
                let (from, rest) = self.op_arg(dag)?;
                let from_index = self.region_index(&dag.args[0], &rest[0])?;
                let to = self.op(&rest[1])?;
                let to_index = self.region_index(&rest[1], &rest[2])?;
                self.emit_edit(Inst::TakeRegion { from, from_index, to, to_index });
            }
            "convertRegion" => {
                if self.kind != PatternKind::Convert {
                    let message = "`convertRegion` stands only in conversion patterns";
                    self.error("pattern-place", message, dag.span);
                    return None;
                }
                if !self.expect_args(dag, 2, 2) {
                    return None;
                }
                let (op, rest) = self.op_arg(dag)?;
                let index = self.region_index(&dag.args[0], &rest[0])?;
                self.emit_edit(Inst::ConvertRegion { op, index });
            }
            _ if record.isa("Op") => {
                self.create(dag, record, None, false)?;
            }
            word => {
                let mut diagnostic =
                    Diagnostic::error("pattern-action", format!("`{word}` is no action"))
                        .at(dag.span);
                if let Some(near) = nearest(word, WORDS.iter().copied()) {
                    diagnostic = diagnostic.note(format!("a similar word is `{near}`"));
                }
                self.report(diagnostic);
            }
        }
        Some(())
    }

    /// Reports an op that an action before has replaced or erased for certain.
    fn expect_there(&mut self, op: Reg, span: Span) {
        let gone = |inst: &Inst| matches!(inst, Inst::Replace { op: other, .. } | Inst::Erase { op: other } if *other == op);
        if self.end.code.iter().any(gone) {
            let message = "an action before this one replaces or erases the op already";
            self.error("pattern-twice", message, span);
        }
    }

    /// The op that a dag's first argument names, and the other arguments.
    pub(super) fn op_arg<'d>(&mut self, dag: &'d Dag) -> Option<(Reg, &'d [DagArg])> {
        let Some((first, rest)) = dag.args.split_first() else {
            self.error("pattern-arity", "an op is expected", dag.span);
            return None;
        };
        Some((self.op(first)?, rest))
    }

    /// An expression that must be an op.
    pub(super) fn op(&mut self, arg: &DagArg) -> Option<Reg> {
        let (reg, kind) = self.expr(arg)?;
        self.expect_kind(kind, matches!(kind, Kind::Op | Kind::Any), "an op", arg)?;
        Some(reg)
    }

    pub(super) fn name_arg(&mut self, arg: &DagArg) -> Option<String> {
        let text = arg.value.as_str().map(|text| text.to_string());
        if text.is_none() {
            self.error("pattern-expr", "a name is expected, as a string", arg.span);
        }
        text
    }

    /// The number of a region, which may be given by its name when the op's definition is known.
    pub(super) fn region_index(&mut self, op: &DagArg, arg: &DagArg) -> Option<u16> {
        let Some(name) = arg.value.as_str() else { return self.small(arg) };
        let def = op.name.as_deref().and_then(|name| self.op_defs.get(name));
        let at = def.and_then(|def| def.regions.iter().position(|region| region.name == **name));
        let at = at.and_then(|at| u16::try_from(at).ok());
        if at.is_none() {
            let message = format!("no region is known by the name `{name}`");
            self.error("pattern-region", message, arg.span);
        }
        at
    }

    fn small(&mut self, arg: &DagArg) -> Option<u16> {
        let number = arg.value.as_int().and_then(|number| u16::try_from(number).ok());
        if number.is_none() {
            self.error("pattern-expr", "a small number is expected", arg.span);
        }
        number
    }

    /// `(setOperand $op, "name", V)`: the op must have been matched or made by its definition.
    fn set_operand(&mut self, dag: &Dag) -> Option<()> {
        if !self.expect_args(dag, 3, 3) {
            return None;
        }
        let (op, rest) = self.op_arg(dag)?;
        let name = self.name_arg(&rest[0])?;
        let (value, kind) = self.expr(&rest[1])?;
        let absent = self.word(&rest[1].value) == Some("absent");
        let fine = matches!(kind, Kind::Value(_) | Kind::Op | Kind::Any) || absent;
        self.expect_kind(kind, fine, "a value", &rest[1])?;
        let def = dag.args[0].name.as_deref().and_then(|name| self.op_defs.get(name)).cloned();
        let Some(def) = def else {
            let message = "which op this is, is not known; bind it as `(Op:$o …)`";
            self.error("pattern-kind", message, dag.args[0].span);
            return None;
        };
        let Some(group) = def.operand_index(&name) else {
            let message = format!("`{}` has no operand `{name}`", def.name);
            let diagnostic = Diagnostic::error("pattern-operand", message).at(rest[0].span);
            let names = def.operands.iter().map(|o| o.name.as_ref());
            self.report(diagnostic.suggest(&name, names));
            return None;
        };
        if absent && def.operands[group].arity == Arity::One {
            self.error("pattern-operand", "the operand is never absent", rest[1].span);
        }
        let segment = segment(&def, false, group)?;
        self.emit_edit(Inst::SetOperand { op, segment, value });
        Some(())
    }

    /// Whether anything that is emitted satisfies a predicate, in blocks too.
    fn changes(&self, edits: &dyn Fn(&Inst) -> bool) -> bool {
        fn any(code: &[Inst], edits: &dyn Fn(&Inst) -> bool) -> bool {
            code.iter().any(|inst| match inst {
                Inst::Each { body, .. } => any(&body.code, edits),
                Inst::Switch { cases, .. } => cases.iter().any(|c| any(&c.then.code, edits)),
                inst => edits(inst),
            })
        }
        [&self.look, &self.edit, &self.end].iter().any(|stream| any(&stream.code, edits))
    }

    /// Every pattern must do something.
    pub(super) fn check_effect(&mut self, none: bool, span: Span) {
        let edits = |inst: &Inst| {
            matches!(
                inst,
                Inst::Replace { .. }
                    | Inst::Erase { .. }
                    | Inst::SetAttr { .. }
                    | Inst::SetOperand { .. }
                    | Inst::Build { .. }
                    | Inst::TakeRegion { .. }
                    | Inst::ConvertRegion { .. }
                    | Inst::Fold { .. }
                    | Inst::ReplaceUses { .. }
                    | Inst::SetType { .. }
                    | Inst::Move { .. }
                    | Inst::Inline { .. }
                    | Inst::Refuse { .. }
            )
        };
        if self.errors == 0 && (none || !self.changes(&edits)) {
            let (message, note) = match self.kind {
                PatternKind::Fold => (
                    "the fold names nothing that the root folds to",
                    "`(fold …)` names a value or an attribute for each result",
                ),
                _ => (
                    "the pattern would apply forever: it leaves the root as it is",
                    "`(replace …)`, `(erase)` or `(setAttr …)` changes the root",
                ),
            };
            self.report(Diagnostic::error("pattern-no-effect", message).at(span).note(note));
        }
    }
}
