//! One program that is edited: its text, cut into inputs, and where they stand in it.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use salsa::Setter;
use tegula_diag::{Diagnostic, SourceId, Span};
use tegula_ir::text::{ItemKind, SourceMap, split};
use tegula_ir::{Attr, FrozenBody, Ident, Module, OpId};
use tegula_neon::Flavour;
use tegula_pass::Report;
use tegula_package::Signature;
use tegula_pipelines::{EmitError, Phase, Setup};

use crate::output::{module, module_after};
use crate::parse::{aliases, item_body, item_signature, parsed, written_header};
use crate::phase::plan;
use crate::{Compiled, Database, Frame, Item, Program, compiled, reports};

/// A program under edit.
pub struct Session {
    db: Database,
    program: Program,
    text: Arc<str>,
    /// Where each item stands in the text, in order of the program's items.
    ranges: Vec<Range<usize>>,
    /// The inputs by name, those of earlier texts included, so that what comes back is known again.
    items: FxHashMap<String, Item>,
}

/// Where something of the program stands in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The name of the item.
    pub name: String,
    /// The bytes of the text.
    pub range: Range<usize>,
}

impl Session {
    /// A session on a text.
    pub fn new(db: Database, setup: Arc<Setup>, phase: Phase, text: &str) -> Session {
        let program = Program::new(&db, Vec::new(), Arc::default(), setup, phase);
        let mut session = Session {
            db,
            program,
            text: Arc::from(""),
            ranges: Vec::new(),
            items: FxHashMap::default(),
        };
        session.set_text(text);
        session
    }

    /// The database.
    pub fn db(&self) -> &Database {
        &self.db
    }

    /// The program.
    pub fn program(&self) -> Program {
        self.program
    }

    /// The text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Compiles with other definitions or another target from now on.
    pub fn set_setup(&mut self, setup: Arc<Setup>) {
        if *self.program.setup(&self.db) != setup {
            self.program.set_setup(&mut self.db).to(setup);
        }
    }

    /// Compiles up to another phase from now on.
    pub fn set_phase(&mut self, phase: Phase) {
        if self.program.phase(&self.db) != phase {
            self.program.set_phase(&mut self.db).to(phase);
        }
    }

    /// Replaces the text. Inputs change where it differs.
    pub fn set_text(&mut self, text: &str) {
        let cut = split(text);
        let mut frame = Frame::default();
        if let Some(module) = &cut.module {
            frame.header = format!("module {}}}{}", &text[module.head.clone()], &text[module.tail.clone()]);
            if module.generic {
                frame.header = format!("{}{}", &text[module.head.clone()], &text[module.tail.clone()]);
            }
        }
        let mut items = Vec::new();
        let mut ranges = Vec::new();
        let mut twins: FxHashMap<Ident, u32> = FxHashMap::default();
        for item in &cut.items {
            let piece = &text[item.range.clone()];
            if item.kind != ItemKind::Op {
                frame.aliases.push_str(piece);
                frame.aliases.push('\n');
                continue;
            }
            let twin = twins.entry(item.name).or_default();
            let name = match *twin {
                0 => item.name.as_str().to_owned(),
                n => format!("{}#{n}", item.name),
            };
            *twin += 1;
            items.push(self.item(name, piece));
            ranges.push(item.range.clone());
        }
        if **self.program.frame(&self.db) != frame {
            self.program.set_frame(&mut self.db).to(Arc::new(frame));
        }
        if *self.program.items(&self.db) != items {
            self.program.set_items(&mut self.db).to(items);
        }
        self.text = Arc::from(text);
        self.ranges = ranges;
    }

    fn item(&mut self, name: String, text: &str) -> Item {
        match self.items.get(&name) {
            Some(&item) => {
                if **item.text(&self.db) != *text {
                    item.set_text(&mut self.db).to(Arc::from(text));
                }
                item
            }
            None => {
                let item = Item::new(&self.db, name.clone(), Arc::from(text));
                self.items.insert(name, item);
                item
            }
        }
    }

    /// Compiles the text to assembly pieces.
    pub fn compile(&self, flavour: Flavour) -> Compiled {
        compiled(&self.db, self.program, flavour)
    }

    /// The C signatures of the public functions, in order; for one that has none, why, and where.
    pub fn signatures(&self) -> Vec<Result<Arc<Signature>, (EmitError, Option<Attr>)>> {
        let mut out = Vec::new();
        for &item in self.program.items(&self.db) {
            let Some(signature) = item_signature(&self.db, self.program, item) else { continue };
            out.push(signature.map_err(|error| {
                let body = item_body(&self.db, self.program, item, 0);
                let loc = body.zip(error.op).map(|(body, op)| body.body().loc(op));
                (error, loc)
            }));
        }
        out
    }

    /// What all passes said.
    pub fn reports(&self) -> Vec<Report> {
        reports(&self.db, self.program)
    }

    /// The module after the phase.
    pub fn module(&self) -> Module {
        module(&self.db, self.program)
    }

    /// The module after a pass, by its number in the plan.
    pub fn module_after(&self, pass: usize) -> Module {
        module_after(&self.db, self.program, pass)
    }

    /// The passes of the plan in order, each with its number.
    pub fn passes(&self) -> Vec<(usize, String)> {
        let plan = plan(&self.db, self.program);
        plan.0.steps().iter().map(|s| (s.index, s.pass.def.name.to_string())).collect()
    }

    /// The assembly text that goes back to one item.
    pub fn assembly_of(&self, item: &str, flavour: Flavour) -> String {
        let item = self.items.get(item).copied();
        let compiled = self.compile(flavour);
        let own = compiled.pieces.iter().filter(|piece| piece.item == item);
        own.map(|piece| &*piece.text).collect()
    }

    /// The op at an offset of the text: its item's body and the op in it.
    pub fn op_at(&self, offset: usize) -> Option<(Arc<FrozenBody>, OpId)> {
        let source = SourceId(0);
        let at = self.ranges.iter().position(|r| r.start <= offset && offset <= r.end)?;
        let item = *self.program.items(&self.db).get(at)?;
        let parsed = parsed(&self.db, self.program, item);
        let inside = (offset - self.ranges[at].start) as u32;
        for ((name, body), spans) in parsed.bodies.iter().zip(&parsed.spans) {
            let Some(body) = body else { continue };
            let mut map = SourceMap::new();
            map.insert(*name, source, 0, spans.clone());
            if let Some(op) = map.op_at(body.body(), source, inside) {
                return Some((body.clone(), op));
            }
        }
        None
    }

    /// What is wrong with the text itself, located in it.
    pub fn text_diagnostics(&self, source: SourceId) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        let frame = aliases(&self.db, self.program).1.iter();
        let frame = frame.chain(&written_header(&self.db, self.program).1);
        // Positions in the frame are not kept: aliases are put together from several places.
        out.extend(frame.map(|d| relocate(d, source, 0, self.text.len())));
        for (&item, range) in self.program.items(&self.db).iter().zip(&self.ranges) {
            let found = &parsed(&self.db, self.program, item).diagnostics;
            out.extend(found.iter().map(|d| relocate(d, source, range.start, range.end)));
        }
        out
    }

    /// Where the ops of the text stand.
    pub fn source_map(&self, source: SourceId) -> SourceMap {
        let mut map = SourceMap::new();
        for (&item, range) in self.program.items(&self.db).iter().zip(&self.ranges) {
            let parsed = parsed(&self.db, self.program, item);
            for ((name, _), spans) in parsed.bodies.iter().zip(&parsed.spans) {
                map.insert(*name, source, range.start as u32, spans.clone());
            }
        }
        map
    }

    /// The items of the text in order.
    pub fn outline(&self) -> Vec<Located> {
        let items = self.program.items(&self.db).iter().zip(&self.ranges);
        items
            .map(|(item, range)| Located { name: item.name(&self.db).clone(), range: range.clone() })
            .collect()
    }
}

/// Moves a diagnostic of an item's text to where the item stands.
fn relocate(diagnostic: &Diagnostic, source: SourceId, base: usize, end: usize) -> Diagnostic {
    let moved = |span: Span| {
        let clamp = |offset: u32| (base + offset as usize).min(end) as u32;
        Span::new(source, clamp(span.start), clamp(span.end))
    };
    let mut out = diagnostic.clone();
    out.primary = out.primary.map(moved);
    for (span, _) in &mut out.labels {
        *span = moved(*span);
    }
    if let Some(fix) = &mut out.fix {
        fix.span = moved(fix.span);
    }
    out
}

/// A report of a pass as a diagnostic.
pub fn report_diagnostic(report: &Report, map: &SourceMap) -> Diagnostic {
    let mut message = report.message.clone();
    if !report.op.is_empty() {
        message = format!("'{}' op {message}", report.op);
    }
    let mut out = Diagnostic::new(report.severity, report.code.clone(), message)
        .at_opt(report.loc.and_then(|loc| map.locate(loc)));
    if !report.pass.is_empty() {
        out = out.note(format!("found by the pass {}", report.pass));
    }
    for (loc, text) in &report.notes {
        out = match loc.and_then(|loc| map.locate(loc)) {
            Some(span) => out.label(span, text.clone()),
            None => out.note(text.clone()),
        };
    }
    out
}
