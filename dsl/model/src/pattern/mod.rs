//! Patterns and type converters: records to matcher programs.
//!
//! A program has two streams while it is made: what only looks and computes, which goes before the
//! commit, and what edits, which goes after it. An expression of an action is computed before the
//! commit when all that it needs is known there, so that a computation that fails makes the
//! pattern not apply.

mod action;
mod attrs;
mod condition;
mod converter;
mod create;
mod expr;
mod matching;
mod names;
mod ops;

use std::borrow::Cow;
use std::collections::BTreeMap;

use tegula_diag::{Diagnostic, Span};
use tegula_record::{Dag, Record};
use tegula_schema::{ConverterDef, Inst, OpDef, PatternDef, PatternKind, Reg};

use crate::cx::{Cx, Get};
use names::Names;
pub(crate) use ops::OpTable;

/// The register of the root op.
const ROOT: Reg = 0;

/// A pattern while it is lowered.
struct Lowering<'c, 'a> {
    cx: &'c mut Cx<'a>,
    ops: &'c OpTable,
    kind: PatternKind,
    /// What only looks and computes.
    look: Vec<Inst>,
    /// What edits.
    edit: Vec<Inst>,
    /// What ends the life of ops, after everything else.
    end: Vec<Inst>,
    next: usize,
    names: Names,
    /// Registers that are assigned after the commit.
    late: Vec<bool>,
    makes: Vec<String>,
    /// How many values an op that the pattern matches gives, when that is known.
    root_results: Option<usize>,
    /// The definitions of ops that are bound by name.
    op_defs: BTreeMap<String, OpDef>,
    /// Actions are being lowered.
    acting: bool,
    /// In how many negations the place lies.
    negations: usize,
    /// How deep dags are nested.
    depth: usize,
    errors: usize,
}

/// Dags are read by recursion, so their nesting is bounded.
const MAX_DEPTH: usize = 128;

impl<'c, 'a> Lowering<'c, 'a> {
    fn new(cx: &'c mut Cx<'a>, ops: &'c OpTable, kind: PatternKind) -> Lowering<'c, 'a> {
        Lowering {
            cx,
            ops,
            kind,
            look: Vec::new(),
            edit: Vec::new(),
            end: Vec::new(),
            next: 1,
            names: Names::default(),
            late: vec![false],
            makes: Vec::new(),
            root_results: None,
            op_defs: BTreeMap::new(),
            acting: false,
            negations: 0,
            depth: 0,
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
        if inputs.iter().any(|&reg| self.is_late(reg)) {
            self.mark_late(into);
            self.edit.push(inst);
        } else {
            self.look.push(inst);
        }
        into
    }

    /// Adds an instruction that assigns a register after the commit.
    fn late(&mut self, into: Reg, inst: Inst) -> Reg {
        self.mark_late(into);
        self.edit.push(inst);
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
        self.depth += 1;
        let fine = self.depth <= MAX_DEPTH;
        if !fine {
            self.error("pattern-depth", "the pattern is nested too deeply", span);
        }
        fine
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The finished program; none when the pattern has errors.
    fn program(mut self, span: Span) -> Option<(Vec<Inst>, u16, Vec<String>)> {
        if self.next > usize::from(Reg::MAX) || self.look.len() > usize::from(u16::MAX) {
            self.error("pattern-size", "the pattern is too large", span);
        }
        if self.errors > 0 {
            return None;
        }
        let mut code = self.look;
        code.push(Inst::Commit);
        code.append(&mut self.edit);
        code.append(&mut self.end);
        Some((code, u16::try_from(self.next).unwrap_or(u16::MAX), self.makes))
    }
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
    let mut lowering = Lowering::new(cx, ops, kind);
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
    lowering.check_effect(actions.is_empty(), record.span);
    let (code, registers, makes) = lowering.program(record.span)?;
    def.code = Cow::Owned(code);
    def.registers = registers;
    def.makes = makes.into_iter().map(Cow::Owned).collect();
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
