//! What the road found wrong with a program, told in terms of the text that the user wrote.
//!
//! Passes speak of the ops that they see, which the user never wrote, and each part that one op
//! became fails on its own. Here every op of the text gets one error that names it.

use std::collections::{BTreeMap, BTreeSet};

use tegula_db::{Compiled, Session, report_diagnostic};
use tegula_diag::{Diagnostic, SourceId, Span};
use tegula_ir::text::{SourceMap, parse_module};
use tegula_ir::verify::Symbols;
use tegula_ir::{Body, Module, OpId, Registry, Type};
use tegula_neon::Flavour;
use tegula_pass::Report;

/// More reasons than this say no more about one op.
const MOST_REASONS: usize = 3;

/// Errors about machine ops, in words that mean nothing outside of the code generator.
const INSIDE: [&str; 10] = [
    "bad-immediate",
    "branch-to-entry",
    "flags-lost",
    "foreign-block",
    "no-register",
    "no-text",
    "not-a-register",
    "not-an-instruction",
    "operand-count",
    "register-allocation",
];

/// What a program compiles to, and why it has no code otherwise. Nothing is found in one that
/// compiles; one that does not has an error at least.
pub fn compile(
    session: &mut Session,
    source: SourceId,
    flavour: Flavour,
) -> (Compiled, Vec<Diagnostic>) {
    let compiled = session.compile(flavour);
    let mut found = Vec::new();
    if compiled.failed || !compiled.reports.is_empty() {
        let map = session.written().source_map(source);
        found = Program::new(session, source).failures(session, &compiled, &map);
    }
    if found.is_empty() && compiled.failed {
        found.push(Diagnostic::error("not-compiled", "a function could not be compiled"));
    }
    (compiled, found)
}

/// What passes up to the session's phase say, about the ops of the text.
pub fn reports(session: &mut Session, source: SourceId) -> Vec<Diagnostic> {
    let reports = session.reports();
    if reports.is_empty() {
        return Vec::new();
    }
    let map = session.written().source_map(source);
    Program::new(session, source).findings(&reports, &map)
}

/// A program without the functions that no call leads to from the one named. Blanks stand in their
/// place, so that everything else keeps its own.
pub fn reached(registry: &Registry, text: &str, from: &str) -> String {
    let (module, map, _) = parse_module(registry, SourceId(0), text);
    let calls = Calls::new(registry, &module);
    let mut out = text.to_owned();
    for body in &module.bodies {
        let Some(root) = body.root() else { continue };
        let function = matches!(body.name(root).as_str(), "func.func" | "util.func");
        let Some(name) = body.symbol_name(root).filter(|_| function) else { continue };
        let Some(span) = map.op_span(body, root) else { continue };
        if name == from || calls.reaches(from, name) {
            continue;
        }
        let range = span.start as usize..span.end as usize;
        if let Some(own) = text.get(range.clone()) {
            let blank: String = own.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }).collect();
            out.replace_range(range, &blank);
        }
    }
    out
}

/// The ops of a text by the place where they stand.
struct Program {
    names: BTreeMap<Span, String>,
    /// In order of the text.
    items: Vec<Item>,
}

/// A top-level op.
struct Item {
    symbol: Option<String>,
    span: Span,
    /// What in it no code can be generated for, or else why it can't be called.
    refused: Vec<Diagnostic>,
}

impl Item {
    fn holds(&self, diagnostic: &Diagnostic) -> bool {
        let inside = |span: Span| self.span.start <= span.start && span.end <= self.span.end;
        diagnostic.primary.is_some_and(inside)
    }
}

impl Program {
    /// Reads the text once more; called only when something went wrong.
    fn new(session: &Session, source: SourceId) -> Program {
        let setup = session.program().setup(session.db());
        let (module, map, _) = parse_module(&setup.registry, source, session.written().text());
        let mut out = Program { names: BTreeMap::new(), items: Vec::new() };
        let calls = Calls::new(&setup.registry, &module);
        for body in &module.bodies {
            let wrong = calls.symbols.verify(body);
            let mut refused: Vec<_> = wrong.iter().map(|error| error.to_diagnostic(&map)).collect();
            for op in body.walk_all() {
                let Some(span) = map.op_span(body, op) else { continue };
                out.names.insert(span, body.name(op).as_str().to_owned());
                if wrong.iter().any(|error| error.op == op) {
                    continue;
                }
                let found = calls.refusal(body, op);
                let found = found.or_else(|| refusal(&setup.registry, body, op));
                refused.extend(found.map(|d| d.at(span)));
            }
            let Some(root) = body.root() else { continue };
            if let Some(span) = map.op_span(body, root) {
                let symbol = body.symbol_name(root).map(str::to_owned);
                out.items.push(Item { symbol, span, refused });
            }
        }
        for (name, signature) in session.written().functions() {
            let Err((error, loc)) = signature else { continue };
            let item = out.items.iter_mut().find(|i| i.symbol.as_deref() == Some(&name));
            // Passes trip over what the interface has no place for, somewhere and in some way.
            if let Some(item) = item.filter(|item| item.refused.is_empty()) {
                let place = loc.and_then(|loc| map.locate(loc)).unwrap_or(item.span);
                item.refused.push(Diagnostic::error(error.code, error.message).at(place));
            }
        }
        out
    }

    /// Why the program has no code: of each function what its types rule out, or else what was
    /// found on the road.
    fn failures(&self, session: &Session, compiled: &Compiled, map: &SourceMap) -> Vec<Diagnostic> {
        let mut found = self.findings(&compiled.reports, map);
        for piece in &compiled.pieces {
            let Some((error, loc)) = &piece.error else { continue };
            let name = piece.item.map(|item| item.name(session.db()).as_str());
            let item = self.items.iter().find(|i| name.is_some() && i.symbol.as_deref() == name);
            // A function whose passes gave up has no text for that reason.
            if item.is_some_and(|item| found.iter().any(|d| d.is_error() && item.holds(d))) {
                continue;
            }
            let place = loc.and_then(|loc| map.locate(loc)).or(item.map(|item| item.span));
            let mut message = error.message.clone();
            let written = place.and_then(|span| self.names.get(&span));
            if let Some(written) = written.filter(|_| INSIDE.contains(&error.code)) {
                message = format!("'{written}' op can't be compiled: it has no machine code");
            }
            found.push(Diagnostic::error(error.code, message).at_opt(place));
        }
        let mut out: Vec<Diagnostic> = Vec::new();
        for item in self.items.iter().filter(|item| !item.refused.is_empty()) {
            if found.iter().any(|d| item.holds(d)) {
                found.retain(|d| !item.holds(d));
                out.extend(item.refused.iter().cloned());
            }
        }
        out.extend(merged(found));
        out.sort_by_key(|d| d.primary.map_or((true, 0), |p| (false, p.start)));
        out
    }

    /// What passes said, about the ops of the text.
    fn findings(&self, reports: &[Report], map: &SourceMap) -> Vec<Diagnostic> {
        reports.iter().map(|report| self.finding(report, map)).collect()
    }

    fn finding(&self, report: &Report, map: &SourceMap) -> Diagnostic {
        let mut out = report_diagnostic(report, map);
        let Some(written) = out.primary.and_then(|span| self.names.get(&span)) else { return out };
        let seen = report.op.as_str();
        // The same op in another dialect, `func.call` as `util.call`, is told as it was written.
        let dialect = |name: &str| name.split_once('.').map_or(0, |(dialect, _)| dialect.len());
        let same = seen.get(dialect(seen)..) == written.get(dialect(written)..);
        let message = match same {
            true => report.message.replace(&format!("`{seen}`"), &format!("`{written}`")),
            false => report.message.clone(),
        };
        out.message = format!("'{written}' op can't be compiled: {message}");
        if let Some(note) = out.notes.first_mut()
            && seen != written
            && !report.pass.is_empty()
            && !seen.is_empty()
        {
            note.push_str(&format!(", where it is a '{seen}' op"));
        }
        out
    }
}

/// One error for each place; what else was found there becomes a note.
fn merged(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = Vec::new();
    for diagnostic in found {
        let twin = out.iter_mut().find(|d| match d.primary {
            Some(_) => d.primary == diagnostic.primary && d.severity == diagnostic.severity,
            None => **d == diagnostic,
        });
        match twin {
            None => out.push(diagnostic),
            Some(twin) if twin.message == diagnostic.message => {}
            Some(twin) => {
                let reason = diagnostic.message.split_once("can't be compiled: ");
                let reason = reason.map_or(diagnostic.message.as_str(), |(_, reason)| reason);
                let note = format!("besides: {reason}");
                let reasons = twin.notes.iter().filter(|n| n.starts_with("besides: ")).count();
                if reasons < MOST_REASONS && !twin.notes.contains(&note) {
                    twin.notes.push(note);
                }
            }
        }
    }
    out
}

/// Who calls whom.
struct Calls<'a> {
    symbols: Symbols<'a>,
    /// For each function the names of those that it calls.
    edges: BTreeMap<&'a str, BTreeSet<&'static str>>,
}

impl<'a> Calls<'a> {
    fn new(registry: &'a Registry, module: &'a Module) -> Calls<'a> {
        let symbols = Symbols::new(registry, module.bodies.iter());
        let mut edges = BTreeMap::new();
        for body in &module.bodies {
            let Some(name) = body.root().and_then(|root| body.symbol_name(root)) else { continue };
            let called = body.walk_all().filter_map(|op| symbols.callee(body, op));
            edges.insert(name, called.map(|(name, _)| name).collect());
        }
        Calls { symbols, edges }
    }

    /// Why no code can be generated for a call whose callee exists: every call is replaced by the
    /// callee's body.
    fn refusal(&self, body: &Body, op: OpId) -> Option<Diagnostic> {
        let (callee, Some((there, function))) = self.symbols.callee(body, op)? else { return None };
        let why = if there.region_entry(function, 0).is_none() {
            format!("@{callee} has no body here")
        } else if body
            .root()
            .and_then(|root| body.symbol_name(root))
            .is_some_and(|caller| self.reaches(callee, caller))
        {
            format!("@{callee} leads back to this call, and recursion is not supported")
        } else {
            return None;
        };
        let name = body.name(op);
        let message = format!("'{name}' op can't be compiled: {why}");
        Some(Diagnostic::error("unsupported-call", message))
    }

    /// Whether calls lead from one function to another.
    fn reaches(&self, from: &str, to: &str) -> bool {
        let mut seen = BTreeSet::from([from]);
        let mut work = vec![from];
        while let Some(at) = work.pop() {
            if at == to {
                return true;
            }
            let next = self.edges.get(at).into_iter().flatten().copied();
            work.extend(next.filter(|&name| seen.insert(name)));
        }
        false
    }
}

/// Why no code can be generated for an op, going by the types of its operands and results.
fn refusal(registry: &Registry, body: &Body, op: OpId) -> Option<Diagnostic> {
    // Ops that end a block or only make a tensor hand on what others compute.
    if !body.successors(op).is_empty() {
        let message = format!(
            "'{}' op can't be compiled: branches between blocks are not supported",
            body.name(op)
        );
        return Some(Diagnostic::error("unsupported-op", message));
    }
    let ends = registry.op(body.name(op)).is_some_and(|info| info.terminator);
    if ends || body.operands(op).next().is_none() {
        return None;
    }
    let mut types = body.operands(op).chain(body.results(op)).map(|value| body.ty(value));
    let (ty, code, why) = types.find_map(|ty| why_not(ty).map(|(code, why)| (ty, code, why)))?;
    let name = body.name(op);
    let error = Diagnostic::error(code, format!("'{name}' op on `{ty}` can't be compiled: {why}"));
    Some(error.note("code is generated for tensors of f32 with static shapes"))
}

/// What rules a type out for code generation.
fn why_not(ty: Type) -> Option<(&'static str, &'static str)> {
    let shape = ty.shape()?;
    if !ty.has_static_shape() {
        return Some(("dynamic-shape", "its shape must be static"));
    }
    if ty.element() != Some(Type::f32()) {
        return Some(("unsupported-type", "its elements must be f32"));
    }
    let bytes = shape.iter().try_fold(4i64, |bytes, &size| bytes.checked_mul(size));
    bytes.is_none().then_some(("tensor-size", "its size in bytes overflows 64 bits"))
}
