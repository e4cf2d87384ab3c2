//! `.mlir` files.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;
use tegula_db::{Database, Session, Written, report_diagnostic};
use tegula_diag::{Diagnostic, SourceId, has_errors, nearest};
use tegula_ir::Names;
use tegula_ir::text::{PrintOptions, print_module};
use tegula_neon::Flavour;
use tegula_pipelines::{Phase, Setup};

use crate::file::{Finding, Hover, OutlineItem, finding};
use crate::hover::op_hover;
use crate::virtual_doc::{VirtualDoc, VirtualError};

const SOURCE: SourceId = SourceId(0);

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

    pub(crate) fn text(&self) -> &str {
        self.written.text()
    }

    /// Asks the compiler, which takes this text in hand first; unwinds when there is another text.
    fn compiler<T>(&self, ask: impl FnOnce(&mut Session) -> T) -> T {
        // A question that was given up has left what it did in order.
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let (latest, own) = (self.latest.clone(), self.revision);
        session.give_up_when(move || latest.load(Ordering::Acquire) != own);
        session.set_text(self.text());
        ask(&mut session)
    }

    /// What is wrong with the text.
    pub(crate) fn text_findings(&self) -> Vec<Finding> {
        self.as_findings(&self.written.text_diagnostics(SOURCE))
    }

    /// What is wrong with the text, and what passes say of a text that is right.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let mut found = self.written.text_diagnostics(SOURCE);
        if !has_errors(&found) {
            let map = self.written.source_map(SOURCE);
            let compiled = self.compiler(|session| session.compile(Flavour::Elf));
            found.extend(compiled.reports.iter().map(|r| report_diagnostic(r, &map)));
            // The program is right; that a function can't be called from C is not its fault.
            for (error, loc) in compiled.pieces.iter().filter_map(|p| p.error.as_ref()) {
                found.push(
                    Diagnostic::warning(error.code, error.message.clone())
                        .at_opt(loc.and_then(|loc| map.locate(loc))),
                );
            }
        }
        self.as_findings(&found)
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
                let number = self.pass(pass)?;
                let module = self.compiler(|session| session.module_after(number));
                let registry = &self.setup.registry;
                let text = print_module(registry, &module, &PrintOptions::default());
                let symbols = module.bodies.iter().filter_map(|b| b.symbol_name(b.root()?));
                let names = Names::assign(symbols.collect::<Vec<_>>());
                Ok(names.resolve(&text).into_owned())
            }
            VirtualDoc::AssemblyOf(name) => {
                let text = self.compiler(|session| session.assembly_of(name, Flavour::Elf));
                if text.is_empty() {
                    let names: Vec<String> =
                        self.written.outline().into_iter().map(|i| i.name).collect();
                    let near = nearest(name, names.iter().map(String::as_str));
                    let hint = near.map_or(String::new(), |n| format!("; there is @{n}"));
                    return Err(VirtualError(format!("there is no code of @{name}{hint}")));
                }
                Ok(text)
            }
        }
    }

    fn pass(&self, wanted: &str) -> Result<usize, VirtualError> {
        let passes = self.written.passes();
        let (name, occurrence) = match wanted.rsplit_once('#') {
            Some((name, number)) => (name, Some(number.parse::<usize>().unwrap_or(usize::MAX))),
            None => (wanted, None),
        };
        let found: Vec<usize> =
            passes.iter().filter(|(_, n)| n == name).map(|&(index, _)| index).collect();
        let index = match occurrence {
            Some(at) => found.get(at),
            None => found.last(),
        };
        index.copied().ok_or_else(|| {
            let near = nearest(name, passes.iter().map(|(_, n)| n.as_str()));
            let hint = near.map_or(String::new(), |n| format!("; a similar name is {n}"));
            VirtualError(format!("no pass {wanted} runs{hint}"))
        })
    }
}

/// What of a range stands on its first line: an op with regions is marked where it begins, not all
/// over the function.
fn first_line(text: &str, range: Range<usize>) -> Range<usize> {
    let line = text.get(range.clone()).and_then(|t| t.lines().next());
    range.start..range.start + line.map_or(0, str::len)
}
