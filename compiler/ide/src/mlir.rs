//! `.mlir` files.

use std::ops::Range;
use std::sync::Arc;

use indexmap::IndexMap;
use tegula_db::{Database, Session, report_diagnostic};
use tegula_diag::{Diagnostic, SourceId, has_errors, nearest};
use tegula_ir::Names;
use tegula_ir::text::{PrintOptions, print_module};
use tegula_neon::Flavour;
use tegula_pipelines::{Phase, Setup};

use crate::file::{Finding, Hover, OutlineItem, finding};
use crate::hover::op_hover;
use crate::virtual_doc::{VirtualDoc, VirtualError};

const SOURCE: SourceId = SourceId(0);

#[derive(Clone)]
pub(crate) struct MlirFile {
    setup: Arc<Setup>,
    session: Session,
}

impl MlirFile {
    pub(crate) fn new(setup: Arc<Setup>, text: &str) -> MlirFile {
        let session = Session::new(Database::new(), setup.clone(), Phase::LAST, text);
        MlirFile { setup, session }
    }

    pub(crate) fn set(&mut self, text: &str) {
        self.session.set_text(text);
    }

    pub(crate) fn text(&self) -> &str {
        self.session.text()
    }

    /// What is wrong with the text.
    pub(crate) fn text_findings(&self) -> Vec<Finding> {
        self.as_findings(&self.session.text_diagnostics(SOURCE))
    }

    /// What is wrong with the text, and what passes say of a text that is right.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let mut found = self.session.text_diagnostics(SOURCE);
        if !has_errors(&found) {
            let map = self.session.source_map(SOURCE);
            let compiled = self.session.compile(Flavour::Elf);
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
        let items = self.session.outline().into_iter();
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
        let (body, op) = self.session.op_at(offset)?;
        Some(op_hover(&self.setup.registry, body.body(), op))
    }

    pub(crate) fn documents(&self) -> Vec<VirtualDoc> {
        let passes = self.session.passes();
        let mut runs: IndexMap<&str, usize> = IndexMap::new();
        let mut out = Vec::new();
        for (_, name) in &passes {
            let run = runs.entry(name).or_default();
            let once = passes.iter().filter(|(_, other)| other == name).count() == 1;
            let suffix = if once { String::new() } else { format!("#{run}") };
            *run += 1;
            out.push(VirtualDoc::IrAfter(format!("{name}{suffix}")));
        }
        out.extend(self.session.outline().into_iter().map(|i| VirtualDoc::AssemblyOf(i.name)));
        out
    }

    pub(crate) fn document(&self, document: &VirtualDoc) -> Result<String, VirtualError> {
        match document {
            VirtualDoc::IrAfter(pass) => {
                let module = self.session.module_after(self.pass(pass)?);
                let registry = &self.setup.registry;
                let text = print_module(registry, &module, &PrintOptions::default());
                let symbols = module.bodies.iter().filter_map(|b| b.symbol_name(b.root()?));
                let names = Names::assign(symbols.collect::<Vec<_>>());
                Ok(names.resolve(&text).into_owned())
            }
            VirtualDoc::AssemblyOf(name) => {
                let text = self.session.assembly_of(name, Flavour::Elf);
                if text.is_empty() {
                    let names: Vec<String> =
                        self.session.outline().into_iter().map(|i| i.name).collect();
                    let near = nearest(name, names.iter().map(String::as_str));
                    let hint = near.map_or(String::new(), |n| format!("; there is @{n}"));
                    return Err(VirtualError(format!("there is no code of @{name}{hint}")));
                }
                Ok(text)
            }
        }
    }

    fn pass(&self, wanted: &str) -> Result<usize, VirtualError> {
        let passes = self.session.passes();
        let (name, occurrence) = match wanted.rsplit_once('#') {
            Some((name, number)) => (name, number.parse::<usize>().ok()),
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
