//! `.mlir` files.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;
use tegula_db::{Database, Session, Written};
use tegula_diag::{Diagnostic, Severity, SourceId, did_you_mean, has_errors};
use tegula_ir::Names;
use tegula_ir::text::{PrintOptions, print_module};
use tegula_neon::Flavour;
use tegula_pipelines::{Phase, Setup};

use crate::file::{Finding, Hover, OutlineItem, finding};
use crate::hover::op_hover;
use crate::report;
use crate::virtual_doc::{VirtualDoc, VirtualError, find_pass};

const SOURCE: SourceId = SourceId(0);

/// What is said of functions that can't be called from C.
const NOT_CALLABLE: [&str; 4] = ["no-c-signature", "no-entry", "no-schedule", "symbol-clash"];

/// An open `.mlir` file. Clones answer questions on other threads. What is asked of the text alone
/// is answered from a database of its own, so that it need not wait for the compiler.
#[derive(Clone)]
pub(crate) struct MlirFile {
    setup: Arc<Setup>,
    written: Written,
    /// The number of this text, and that of the last one.
    revision: u64,
    latest: Arc<AtomicU64>,
    session: Arc<Mutex<Session>>,
}

impl MlirFile {
    pub(crate) fn new(setup: Arc<Setup>, text: &str) -> MlirFile {
        let mut written = Written::new(Database::new(), setup.clone(), Phase::LAST);
        written.set_text(text);
        let session = Session::new(Database::new(), setup.clone(), Phase::LAST, "");
        MlirFile {
            setup,
            written,
            revision: 0,
            latest: Arc::default(),
            session: Arc::new(Mutex::new(session)),
        }
    }

    pub(crate) fn set(&mut self, text: &str) {
        self.revision += 1;
        // What is being compiled ends now.
        self.latest.store(self.revision, Ordering::Release);
        self.written.set_text(text);
    }

    /// Reads the text with other definitions from now on.
    pub(crate) fn set_setup(&mut self, setup: &Arc<Setup>) {
        self.revision += 1;
        self.latest.store(self.revision, Ordering::Release);
        self.setup = setup.clone();
        self.written.set_setup(setup.clone());
    }

    pub(crate) fn text(&self) -> &str {
        self.written.text()
    }

    /// Asks the compiler, which takes this text in hand first; unwinds when there is another text.
    fn compiler<T>(&self, ask: impl FnOnce(&mut Session) -> T) -> T {
        // A question that was given up has left what it did in order.
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let (latest, own) = (self.latest.clone(), self.revision);
        session.give_up_when(move || latest.load(Ordering::Acquire) != own);
        session.set_setup(self.setup.clone());
        session.set_text(self.text());
        ask(&mut session)
    }

    /// What is wrong with the text.
    pub(crate) fn text_findings(&self) -> Vec<Finding> {
        self.as_findings(&self.of_text())
    }

    /// What is wrong with the text, and why a text that is right can't be compiled.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        self.as_findings(&self.diagnostics())
    }

    /// What is found without compiling.
    fn of_text(&self) -> Vec<Diagnostic> {
        let mut found = self.written.text_diagnostics(SOURCE);
        found.extend(self.written.unwritten_reads(SOURCE));
        if !has_errors(&found) {
            found.extend(self.written.misplaced(SOURCE));
        }
        found
    }

    /// The words are those of `tegula compile`.
    fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut found = self.of_text();
        if !has_errors(&found) {
            let compiled =
                self.compiler(|session| report::compile(session, SOURCE, Flavour::Elf).1);
            found.extend(compiled);
        }
        for diagnostic in &mut found {
            // The program is right; that a function can't be called from C is not its fault.
            if NOT_CALLABLE.contains(&&*diagnostic.code) {
                diagnostic.severity = Severity::Warning;
            }
        }
        found
    }

    /// One finding for what several symbols say of the same op.
    fn as_findings(&self, diagnostics: &[Diagnostic]) -> Vec<Finding> {
        let mut out: Vec<Finding> = Vec::new();
        for diagnostic in diagnostics {
            let mut found = finding(diagnostic, SOURCE, self.text());
            found.range = first_line(self.text(), found.range);
            if !out.contains(&found) {
                out.push(found);
            }
        }
        out
    }

    pub(crate) fn outline(&self) -> Vec<OutlineItem> {
        let items = self.written.outline().into_iter();
        items
            .map(|item| {
                let text = &self.text()[item.range.clone()];
                let word = text.split([' ', '(', '\n']).find(|w| !w.is_empty());
                let start = item.range.start;
                let name = text.find(&format!("@{}", item.name)).map(|at| start + at);
                let selection = match name {
                    Some(at) => at..at + item.name.len() + 1,
                    None => start..start,
                };
                OutlineItem {
                    name: item.name,
                    detail: word.unwrap_or_default().to_owned(),
                    range: item.range,
                    selection,
                }
            })
            .collect()
    }

    pub(crate) fn hover(&self, offset: usize) -> Option<Hover> {
        let (body, op) = self.written.op_at(offset)?;
        Some(op_hover(&self.setup.registry, body.body(), op))
    }

    pub(crate) fn formatted(&self) -> Option<String> {
        tegula_format::format(&self.setup.registry, SOURCE, self.text()).ok()
    }

    pub(crate) fn documents(&self) -> Vec<VirtualDoc> {
        let passes = self.written.passes();
        let mut runs: IndexMap<&str, usize> = IndexMap::new();
        let mut out = Vec::new();
        for (_, name) in &passes {
            let run = runs.entry(name).or_default();
            let once = passes.iter().filter(|(_, other)| other == name).count() == 1;
            let suffix = if once { String::new() } else { format!("#{run}") };
            *run += 1;
            out.push(VirtualDoc::IrAfter(format!("{name}{suffix}")));
        }
        out.extend(self.written.outline().into_iter().map(|i| VirtualDoc::AssemblyOf(i.name)));
        out
    }

    pub(crate) fn document(&self, document: &VirtualDoc) -> Result<String, VirtualError> {
        match document {
            VirtualDoc::IrAfter(pass) => {
                let number = find_pass(&self.written.passes(), pass)
                    .map_err(|error| VirtualError(error.to_string()))?;
                let module = self.compiler(|session| session.module_after(number));
                let registry = &self.setup.registry;
                let text = print_module(registry, &module, &PrintOptions::default());
                let symbols = module.bodies.iter().filter_map(|b| b.symbol_name(b.root()?));
                let names = Names::assign(symbols.collect::<Vec<_>>());
                Ok(names.resolve(&text).into_owned())
            }
            VirtualDoc::AssemblyOf(name) => self.assembly_of(name),
        }
    }

    /// The assembly text of a function of a program that compiles; what fails otherwise.
    fn assembly_of(&self, name: &str) -> Result<String, VirtualError> {
        let items = self.written.outline();
        let Some(item) = items.iter().find(|item| item.name == name) else {
            let hint = did_you_mean(name, items.iter().map(|i| i.name.as_str()));
            let hint = hint.map_or(String::new(), |hint| format!("; {hint}"));
            return Err(VirtualError(format!("the program has no @{name}{hint}")));
        };
        let found = self.diagnostics();
        let own = |d: &&Diagnostic| {
            d.primary.is_some_and(|span| item.range.contains(&(span.start as usize)))
        };
        let errors: Vec<&Diagnostic> = found.iter().filter(|d| d.is_error()).collect();
        // What is wrong in the function itself is told before what is wrong elsewhere.
        if let Some(error) = errors.iter().copied().find(own).or(errors.first().copied()) {
            let more = match errors.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            let error = self.told(error);
            return Err(VirtualError(format!("the program does not compile: {error}{more}")));
        }
        let text = self.compiler(|session| session.assembly_of(name, Flavour::Elf));
        if !text.is_empty() {
            return Ok(text);
        }
        Err(VirtualError(match found.iter().find(own) {
            Some(warning) => format!("there is no code of @{name}: {}", self.told(warning)),
            None => format!("there is no code of @{name}"),
        }))
    }

    /// A diagnostic in one line, with its place.
    fn told(&self, diagnostic: &Diagnostic) -> String {
        let Some(span) = diagnostic.primary else { return diagnostic.message.clone() };
        let text = self.text();
        let before = &text[..text.floor_char_boundary(span.start as usize)];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{line}:{column}: {}", diagnostic.message)
    }
}

/// What of a range stands on its first line: an op with regions is marked where it begins, not all
/// over the function.
fn first_line(text: &str, range: Range<usize>) -> Range<usize> {
    let line = text.get(range.clone()).and_then(|t| t.lines().next());
    range.start..range.start + line.map_or(0, str::len)
}
