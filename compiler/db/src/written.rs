//! A program as it is written: its text, cut into inputs, and where they stand in it.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Setter;
use tegula_diag::{Diagnostic, SourceId, Span};
use tegula_ir::text::{ItemKind, SourceMap, Split, resplit};
use tegula_ir::verify::verify_calls;
use tegula_ir::{Attr, FrozenBody, Ident, OpId};
use tegula_package::Signature;
use tegula_pass::Report;
use tegula_pipelines::{EmitError, Phase, Setup};

use crate::parse::{
    aliases, item_body, item_signature, item_unwritten_reads, parsed, written_header,
};
use crate::place::{holds, item_dispatched, item_out_of_phase, item_refers};
use crate::road::Touched;
use crate::{Database, Frame, Item, Program};

/// A program under edit, before anything is made of it. A clone answers questions on another
/// thread; giving either another text waits until questions to the others are given up (see
/// [`cancellable`](crate::cancellable)).
#[derive(Clone)]
pub struct Written {
    db: Database,
    program: Program,
    text: Arc<str>,
    split: Arc<Split>,
    /// The top-level ops in order.
    items: Arc<[Item]>,
    /// Which parts of the text the frame's texts are made of.
    frame: Arc<FrameMap>,
    /// Where each item stands in the text, in order of the items.
    ranges: Arc<[Range<usize>]>,
    /// Symbols that are defined again: the name, the first item and the other one.
    redefined: Arc<[(Ident, usize, usize)]>,
    /// The inputs by name, those of earlier texts included, so that what comes back is known again.
    known: Arc<FxHashMap<String, Item>>,
}

/// Where the pieces of the frame's texts stand in the program's text.
#[derive(Clone, Debug, Default)]
struct FrameMap {
    /// Offset in the texts of aliases, length, and offset in the program's text; in order.
    aliases: Vec<(usize, usize, usize)>,
    /// The same for the aliases and the header together.
    header: Vec<(usize, usize, usize)>,
}

/// Why a function has no C signature, and the location of the op in the way.
pub type NoSignature = (EmitError, Option<Attr>);

/// Where something of the program stands in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The name of the item.
    pub name: String,
    /// The bytes of the text.
    pub range: Range<usize>,
}

impl Written {
    /// An empty program.
    pub fn new(db: Database, setup: Arc<Setup>, phase: Phase) -> Written {
        let program = Program::new(&db, Arc::default(), setup, phase);
        Written {
            db,
            program,
            text: Arc::from(""),
            split: Arc::default(),
            items: Arc::default(),
            frame: Arc::default(),
            ranges: Arc::default(),
            redefined: Arc::default(),
            known: Arc::default(),
        }
    }

    /// The database.
    pub fn db(&self) -> &Database {
        &self.db
    }

    pub(crate) fn db_mut(&mut self) -> &mut Database {
        &mut self.db
    }

    /// The program.
    pub fn program(&self) -> Program {
        self.program
    }

    /// The text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    pub(crate) fn parts(&mut self) -> (&mut Database, Program, &[Item]) {
        (&mut self.db, self.program, &self.items)
    }

    /// The item of a name.
    pub(crate) fn item_named(&self, name: &str) -> Option<Item> {
        self.known.get(name).copied().filter(|item| self.items.contains(item))
    }

    /// Reads the text with other definitions, or compiles it for another target, from now on;
    /// whether these are others.
    pub fn set_setup(&mut self, setup: Arc<Setup>) -> bool {
        let other = *self.program.setup(&self.db) != setup;
        if other {
            self.program.set_setup(&mut self.db).to(setup);
        }
        other
    }

    /// Replaces the text. Inputs change where it differs.
    pub fn set_text(&mut self, text: &str) -> Touched {
        let cut = resplit(&self.split, &self.text, text);
        let mut frame = Frame::default();
        let mut map = FrameMap::default();
        let mut items = Vec::new();
        let mut ranges = Vec::new();
        let mut twins: FxHashMap<Ident, (usize, u32)> = FxHashMap::default();
        let mut redefined = Vec::new();
        let mut touched = Touched::default();
        for item in &cut.items {
            let piece = &text[item.range.clone()];
            if item.kind != ItemKind::Op {
                map.aliases.push((frame.aliases.len(), piece.len(), item.range.start));
                frame.aliases.push_str(piece);
                frame.aliases.push('\n');
                continue;
            }
            let (first, twin) = twins.entry(item.name).or_insert((ranges.len(), 0));
            let name = match *twin {
                0 => item.name.as_str().to_owned(),
                n => {
                    redefined.push((item.name, *first, ranges.len()));
                    format!("{}#{n}", item.name)
                }
            };
            *twin += 1;
            let (item_of_name, changed) = self.item(name, piece);
            if changed {
                touched.items.insert(item_of_name);
            }
            items.push(item_of_name);
            ranges.push(item.range.clone());
        }
        map.header = map.aliases.clone();
        if let Some(module) = &cut.module {
            // The head ends before the brace that the tail begins after.
            let after = "{}";
            let (head, tail) = (&text[module.head.clone()], &text[module.tail.clone()]);
            // A line end stands between the aliases and the header.
            let start = frame.aliases.len() + 1;
            map.header.push((start, head.len(), module.head.start));
            map.header.push((start + head.len() + after.len(), tail.len(), module.tail.start));
            frame.header = format!("{head}{after}{tail}");
        }
        if **self.program.frame(&self.db) != frame {
            self.program.set_frame(&mut self.db).to(Arc::new(frame));
            touched.frame = true;
        }
        if *self.items != *items {
            let before: FxHashSet<Item> = self.items.iter().copied().collect();
            touched.items.extend(items.iter().filter(|item| !before.contains(item)));
            touched.list = true;
            self.items = items.into();
        }
        self.text = Arc::from(text);
        self.split = Arc::new(cut);
        self.frame = Arc::new(map);
        self.ranges = ranges.into();
        self.redefined = redefined.into();
        touched
    }

    /// The input of a name, and whether its text is another one now.
    fn item(&mut self, name: String, text: &str) -> (Item, bool) {
        match self.known.get(&name) {
            Some(&item) if **item.text(&self.db) == *text => (item, false),
            Some(&item) => {
                item.set_text(&mut self.db).to(Arc::from(text));
                (item, true)
            }
            None => {
                let item = Item::new(&self.db, name.clone(), Arc::from(text));
                Arc::make_mut(&mut self.known).insert(name, item);
                (item, true)
            }
        }
    }

    /// The passes of the plan in order, each with its number.
    pub fn passes(&self) -> Vec<(usize, String)> {
        let setup = self.program.setup(&self.db);
        let plan = setup.plan(self.program.phase(&self.db)).unwrap_or_default();
        plan.steps().iter().map(|s| (s.index, s.pass.def.name.to_string())).collect()
    }

    /// The C signatures of the public functions, in order; for one that has none, why, and where.
    pub fn signatures(&self) -> Vec<Result<Arc<Signature>, NoSignature>> {
        self.functions().into_iter().map(|(_, signature)| signature).collect()
    }

    /// The public functions in order, each with its C signature or why it has none, and where.
    pub fn functions(&self) -> Vec<(String, Result<Arc<Signature>, NoSignature>)> {
        let mut out = Vec::new();
        for &item in &*self.items {
            let Some(signature) = item_signature(&self.db, self.program, item) else { continue };
            let signature = signature.map_err(|error| {
                let body = item_body(&self.db, self.program, item, 0);
                let loc = body.zip(error.op).map(|(body, op)| body.body().loc(op));
                (error, loc)
            });
            out.push((item.name(&self.db).clone(), signature));
        }
        out
    }

    /// Where the first line of the item of that name stands.
    pub fn place_of(&self, source: SourceId, name: &str) -> Option<Span> {
        let at = self.items.iter().position(|item| item.name(&self.db) == name)?;
        Some(self.first_line(source, at))
    }

    /// The op at an offset of the text: its item's body and the op in it.
    pub fn op_at(&self, offset: usize) -> Option<(Arc<FrozenBody>, OpId)> {
        let source = SourceId(0);
        let at = self.ranges.iter().position(|r| r.start <= offset && offset <= r.end)?;
        let item = *self.items.get(at)?;
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
        let own = &aliases(&self.db, self.program).1;
        out.extend(own.iter().map(|d| self.frame.relocate(d, source, &self.frame.aliases)));
        // The header is parsed with the aliases before it, which have been reported already.
        let header = &written_header(&self.db, self.program).1;
        let header = header.iter().filter(|d| !own.contains(d));
        out.extend(header.map(|d| self.frame.relocate(d, source, &self.frame.header)));
        for (&item, range) in self.items.iter().zip(&*self.ranges) {
            let found = &parsed(&self.db, self.program, item).diagnostics;
            out.extend(found.iter().map(|d| relocate(d, source, range.start, range.end)));
        }
        for &(name, first, again) in &*self.redefined {
            let message = format!("redefinition of symbol named '{name}'");
            out.push(
                Diagnostic::error("verify", message)
                    .at(self.first_line(source, again))
                    .label(self.first_line(source, first), "see existing symbol definition here"),
            );
        }
        out
    }

    /// What reads tensors that nothing has written, as warnings.
    pub fn unwritten_reads(&self, source: SourceId) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        for (&item, range) in self.items.iter().zip(&*self.ranges) {
            let found = item_unwritten_reads(&self.db, self.program, item);
            out.extend(found.iter().map(|d| relocate(d, source, range.start, range.end)));
        }
        out
    }

    /// What keeps the program from being one that has been through the setup's phase, dispatches to
    /// what is not there, and what else refers to what is not there or not such, as errors.
    pub fn misplaced(&self, source: SourceId) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        for (&item, range) in self.items.iter().zip(&*self.ranges) {
            let there = |symbol: Attr| {
                let root = symbol.as_symbol_root().and_then(|root| self.item_named(root.as_str()));
                root.is_some_and(|root| holds(&self.db, self.program, root, symbol))
            };
            let early = item_out_of_phase(&self.db, self.program, item);
            let entries = item_dispatched(&self.db, self.program, item);
            let nowhere = entries.iter().filter(|(entry, _)| !there(*entry)).map(|(_, e)| e);
            let found = early.iter().chain(nowhere);
            out.extend(found.map(|d| relocate(d, source, range.start, range.end)));
        }
        if out.is_empty() {
            out = self.wrong_calls(source);
        }
        out
    }

    /// What is wrong with what ops call and refer to.
    fn wrong_calls(&self, source: SourceId) -> Vec<Diagnostic> {
        let mut map = SourceMap::new();
        let (mut all, mut referring) = (Vec::new(), Vec::new());
        for (&item, range) in self.items.iter().zip(&*self.ranges) {
            let parsed = parsed(&self.db, self.program, item);
            let refers = item_refers(&self.db, self.program, item);
            for ((name, body), spans) in parsed.bodies.iter().zip(&parsed.spans) {
                let Some(body) = body.as_ref().map(|body| body.body()) else { continue };
                all.push(body);
                if refers {
                    referring.push(body);
                }
                map.insert(*name, source, range.start as u32, spans.clone());
            }
        }
        let registry = &self.program.setup(&self.db).registry;
        verify_calls(registry, all.into_iter(), referring.into_iter(), &map)
    }

    /// Where the first line of an item stands.
    fn first_line(&self, source: SourceId, item: usize) -> Span {
        let range = self.ranges.get(item).cloned().unwrap_or_default();
        let text = self.text.get(range.clone()).unwrap_or_default();
        let len = text.lines().next().map_or(0, |line| line.trim_end().len());
        Span::new(source, range.start as u32, (range.start + len) as u32)
    }

    /// Where the ops of the text stand.
    pub fn source_map(&self, source: SourceId) -> SourceMap {
        let mut map = SourceMap::new();
        for (&item, range) in self.items.iter().zip(&*self.ranges) {
            let parsed = parsed(&self.db, self.program, item);
            for ((name, _), spans) in parsed.bodies.iter().zip(&parsed.spans) {
                map.insert(*name, source, range.start as u32, spans.clone());
            }
        }
        map
    }

    /// The items of the text in order.
    pub fn outline(&self) -> Vec<Located> {
        let items = self.items.iter().zip(&*self.ranges);
        items
            .map(|(item, range)| Located {
                name: item.name(&self.db).clone(),
                range: range.clone(),
            })
            .collect()
    }
}

impl FrameMap {
    /// Moves a diagnostic of one of the frame's texts to where the text stands. What lies between
    /// pieces goes to the end of the piece before it.
    fn relocate(
        &self,
        diagnostic: &Diagnostic,
        source: SourceId,
        pieces: &[(usize, usize, usize)],
    ) -> Diagnostic {
        relocate_by(diagnostic, source, |offset| {
            let after = pieces.partition_point(|&(start, ..)| start <= offset);
            match after.checked_sub(1).and_then(|at| pieces.get(at)) {
                Some(&(start, len, base)) => base + (offset - start).min(len),
                None => 0,
            }
        })
    }
}

/// Moves a diagnostic of an item's text to where the item stands.
fn relocate(diagnostic: &Diagnostic, source: SourceId, base: usize, end: usize) -> Diagnostic {
    relocate_by(diagnostic, source, |offset| (base + offset).min(end))
}

fn relocate_by(
    diagnostic: &Diagnostic,
    source: SourceId,
    offset: impl Fn(usize) -> usize,
) -> Diagnostic {
    let moved = |span: Span| {
        let place = |at: u32| offset(at as usize) as u32;
        Span::new(source, place(span.start), place(span.end))
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

/// A report of a pass as a diagnostic; one about no op is about the module.
pub fn report_diagnostic(report: &Report, map: &SourceMap) -> Diagnostic {
    let mut message = report.message.clone();
    if !report.op.is_empty() {
        message = format!("'{}' op {message}", report.op);
    }
    let mut out = Diagnostic::new(report.severity, report.code.clone(), message)
        .at_opt(report.loc.map_or(map.module(), |loc| map.locate(loc)));
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
