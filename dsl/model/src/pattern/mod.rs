//! Patterns and type converters: records to matcher programs.
//!
//! A program has two streams while it is made: what only looks and computes, which goes before the
//! commit, and what edits, which goes after it. An expression of an action is computed before the
//! commit when all that it needs is known there, so that a computation that fails makes the
//! pattern not apply.

mod action;
mod attrs;
pub(crate) mod check;
mod condition;
mod control;
mod converter;
mod create;
mod expr;
mod literal;
mod matching;
mod names;
mod ops;
mod query;
mod stream;

use std::borrow::Cow;
use std::collections::BTreeMap;

use tegula_diag::{Diagnostic, SourceId, Span};
use tegula_record::{Dag, Record};
use tegula_schema::{ConverterDef, Inst, List, OpDef, PatternDef, PatternKind, Reg};

use crate::cx::{Cx, Get};
use names::Names;
pub(crate) use ops::OpTable;
use stream::Stream;

/// The register of the root op.
const ROOT: Reg = 0;

/// A pattern while it is lowered.
struct Lowering<'c, 'a> {
    cx: &'c mut Cx<'a>,
    ops: &'c OpTable,
    kind: PatternKind,
    /// What only looks and computes.
    look: Stream,
    /// What edits.
    edit: Stream,
    /// What ends the life of ops, after everything else.
    end: Stream,
    /// The file of the definition, and the line that is being lowered; 0 for other files.
    file: SourceId,
    line: u32,
    /// A test is being lowered: it only looks, and everything stays in order.
    testing: bool,
    /// The test depends on something that is assigned after the commit.
    late_test: bool,
    /// Where ops are made.
    point: Point,
    next: usize,
    names: Names,
    /// Registers that are assigned after the commit.
    late: Vec<bool>,
    makes: Vec<String>,
    /// How many values an op that the pattern matches gives, when that is known.
    root_results: Option<usize>,
    /// The definitions of ops that are bound by name.
    op_defs: BTreeMap<String, OpDef>,
    /// The names of the ops whose arguments are being matched.
    around: Vec<String>,
    /// Actions are being lowered.
    acting: bool,
    /// In how many negations the place lies.
    negations: usize,
    /// How deep dags are nested.
    depth: usize,
    /// The program is too large, which has been said.
    overflown: bool,
    errors: usize,
}

/// A place where ops are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Point {
    /// Right before an op, or behind it.
    Op(Reg, bool),
    /// At the end of the last block of an op's region.
    Block(Reg, u16),
}

/// Dags are read by recursion, so their nesting is bounded.
const MAX_DEPTH: usize = 128;

impl<'c, 'a> Lowering<'c, 'a> {
    fn new(
        cx: &'c mut Cx<'a>,
        ops: &'c OpTable,
        kind: PatternKind,
        file: SourceId,
    ) -> Lowering<'c, 'a> {
        Lowering {
            cx,
            ops,
            kind,
            look: Stream::default(),
            edit: Stream::default(),
            end: Stream::default(),
            file,
            line: 0,
            testing: false,
            late_test: false,
            point: Point::Op(ROOT, false),
            next: 1,
            names: Names::default(),
            late: vec![false],
            makes: Vec::new(),
            root_results: None,
            op_defs: BTreeMap::new(),
            around: Vec::new(),
            acting: false,
            negations: 0,
            depth: 0,
            overflown: false,
            errors: 0,
        }
    }

    fn error(&mut self, code: &'static str, message: impl Into<String>, span: Span) {
        self.report(Diagnostic::error(code, message).at(span));
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.errors += 1;
        self.cx.diagnostics.push(diagnostic);
    }

    /// Adds an instruction that looks.
    fn emit(&mut self, inst: Inst) {
        self.look.push(inst, self.line);
    }

    /// Adds an instruction that edits.
    fn emit_edit(&mut self, inst: Inst) {
        self.edit.push(inst, self.line);
    }

    /// Adds an instruction that ends the life of an op.
    fn emit_end(&mut self, inst: Inst) {
        self.end.push(inst, self.line);
    }

    /// What is emitted from here on comes from that place.
    fn at(&mut self, span: Span) {
        self.line = if span.source == self.file { self.cx.sources.line_col(span).line } else { 0 };
    }

    /// A register that nothing uses yet. Their number is checked at the end.
    fn fresh(&mut self) -> Reg {
        let reg = Reg::try_from(self.next).unwrap_or(Reg::MAX);
        self.next += 1;
        self.late.push(false);
        reg
    }

    fn is_late(&self, reg: Reg) -> bool {
        self.late.get(usize::from(reg)).copied().unwrap_or(false)
    }

    fn mark_late(&mut self, reg: Reg) {
        if let Some(late) = self.late.get_mut(usize::from(reg)) {
            *late = true;
        }
    }

    /// Adds an instruction that computes, as early as its inputs allow.
    fn compute(&mut self, inputs: &[Reg], into: Reg, inst: Inst) -> Reg {
        let late = inputs.iter().any(|&reg| self.is_late(reg));
        if self.testing {
            self.late_test |= late;
            self.emit(inst);
        } else if late {
            self.mark_late(into);
            self.emit_edit(inst);
        } else {
            self.emit(inst);
        }
        into
    }

    /// Adds an instruction that assigns a register after the commit.
    fn late(&mut self, into: Reg, inst: Inst) -> Reg {
        self.mark_late(into);
        self.emit_edit(inst);
        into
    }

    /// The definition that a dag's operator names.
    fn operator(&mut self, dag: &Dag) -> Option<&'a Record> {
        let found = self.cx.def(&dag.op);
        if found.is_none() {
            let message = format!("the operator must be a definition, not {}", dag.op.kind());
            self.error("pattern-operator", message, dag.span);
        }
        found
    }

    /// Goes one dag deeper; false, with an error, when that is too deep.
    fn enter(&mut self, span: Span) -> bool {
        self.at(span);
        // What is made of functions may double with each of them.
        if self.is_too_large() {
            if !std::mem::replace(&mut self.overflown, true) {
                self.error("pattern-size", "the pattern is too large", span);
            }
            return false;
        }
        self.depth += 1;
        let fine = self.depth <= MAX_DEPTH;
        if !fine {
            self.error("pattern-depth", "the pattern is nested too deeply", span);
        }
        fine
    }

    fn is_too_large(&self) -> bool {
        self.next > usize::from(Reg::MAX)
            || self.look.len() + self.edit.len() > usize::from(u16::MAX)
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The finished program; none when the pattern has errors.
    fn program(mut self, span: Span) -> Option<Program> {
        if !self.overflown && self.is_too_large() {
            self.error("pattern-size", "the pattern is too large", span);
        }
        if self.errors > 0 {
            return None;
        }
        let mut code = self.look;
        code.push(Inst::Commit, 0);
        code.append(self.edit);
        code.append(self.end);
        Some(Program {
            code: Cow::Owned(code.code),
            lines: Cow::Owned(code.lines),
            registers: u16::try_from(self.next).unwrap_or(u16::MAX),
            makes: self.makes,
        })
    }
}

/// A finished program.
struct Program {
    code: List<Inst>,
    lines: List<u32>,
    registers: u16,
    makes: Vec<String>,
}

/// Lowers a record of the class `Pattern`; none when it has errors, which are reported.
pub(crate) fn pattern<'a>(
    cx: &mut Cx<'a>,
    ops: &OpTable,
    record: &'a Record,
) -> Option<PatternDef> {
    let kind = if record.isa("Fold") {
        PatternKind::Fold
    } else if record.isa("ConversionPattern") {
        PatternKind::Convert
    } else if record.isa("LegalWhen") {
        PatternKind::Legal
    } else {
        PatternKind::Rewrite
    };
    let field_span = |field: &str| record.fields.get(field).map_or(record.span, |field| field.span);
    let benefit = record.number("benefit").unwrap_or(1);
    let Ok(benefit) = u32::try_from(benefit) else {
        let message = format!("a benefit is a number from 0 to {}", u32::MAX);
        cx.error("pattern-benefit", message, field_span("benefit"));
        return None;
    };
    let mut def = PatternDef {
        name: Cow::Owned(record.name.to_string()),
        group: record.str("group"),
        benefit,
        kind,
        source: cx.source(record.span),
        ..PatternDef::default()
    };
    let Some(source) = record.graph("match") else {
        cx.error("pattern-match", format!("`{}` has no match", record.name), record.span);
        return None;
    };
    let source = source.clone();
    let mut lowering = Lowering::new(cx, ops, kind, record.span.source);
    let root = lowering.root(&source)?;
    lowering.root_results = lowering.cx.def(&source.op).and_then(|op| ops.results(op));
    def.root = Cow::Owned(root.unwrap_or_default());
    if record.isa("NativePattern") {
        def.registers = 1;
        def.code = Cow::Owned(vec![Inst::Rewrite { hook: record.str("hook") }]);
        return Some(def);
    }
    lowering.match_op(&source, ROOT);
    for condition in record.items("where") {
        match condition.as_dag() {
            Some(dag) => lowering.condition(&dag.clone()),
            None => {
                lowering.error("pattern-condition", "a condition is a dag", field_span("where"))
            }
        }
    }
    let actions = record.items("actions");
    // What the match should have bound would be reported as unbound.
    let sound = lowering.errors == 0;
    for action in actions.iter().filter(|_| sound) {
        match action.as_dag() {
            Some(dag) => lowering.action(&dag.clone()),
            None => lowering.error("pattern-action", "an action is a dag", field_span("actions")),
        }
    }
    if kind != PatternKind::Legal {
        lowering.check_effect(actions.is_empty(), record.span);
    }
    let program = lowering.program(record.span)?;
    def.code = program.code;
    def.lines = program.lines;
    def.registers = program.registers;
    def.makes = program.makes.into_iter().map(Cow::Owned).collect();
    Some(def)
}

/// Lowers a record of the class `TypeConverter`.
pub(crate) fn converter<'a>(
    cx: &mut Cx<'a>,
    ops: &OpTable,
    record: &'a Record,
) -> Option<ConverterDef> {
    converter::lower(cx, ops, record)
}
