//! Reading included files.

use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tegula_diag::{Diagnostic, SourceId, Sources, Span};
use tegula_syntax::ast::File;
use tegula_syntax::{Includes, Macros, Scanned, parse_scanned, scan};

use crate::{FileLoader, LoadError};

/// How deep includes may nest.
const MAX_INCLUDES: usize = 100;

/// A parsed file with the files that it includes.
#[derive(Debug)]
pub(crate) struct Unit {
    pub file: Arc<File>,
    /// The included files by the offset of their path.
    pub includes: Vec<(u32, Unit)>,
}

impl Unit {
    /// The file that the `include` at an offset reads.
    pub(crate) fn included(&self, at: u32) -> Option<&Unit> {
        let index = self.includes.binary_search_by_key(&at, |(at, _)| *at).ok()?;
        self.includes.get(index).map(|(_, unit)| unit)
    }
}

/// A file that is being read.
struct Open {
    source: SourceId,
    /// The macros that it was entered with.
    macros: Macros,
    /// The place of its `include`.
    from: Option<Span>,
    includes: Vec<(u32, Unit)>,
}

/// What a text parses to.
struct Parsed {
    scanned: Scanned,
    file: Arc<File>,
    diagnostics: Vec<Diagnostic>,
}

/// Reads files. A text that is read again is parsed again only where macros make it another one.
pub(crate) struct Includer<'a> {
    loader: &'a dyn FileLoader,
    sources: &'a mut Sources,
    known: FxHashMap<PathBuf, SourceId>,
    /// The files by the path that was asked for and the file that asked.
    found: FxHashMap<(Option<SourceId>, Box<str>), SourceId>,
    parsed: FxHashMap<SourceId, Vec<Parsed>>,
    open: Vec<Open>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Includer<'a> {
    pub(crate) fn new(loader: &'a dyn FileLoader, sources: &'a mut Sources) -> Self {
        let known = sources.iter().map(|(id, source)| (source.path().to_owned(), id)).collect();
        Self {
            loader,
            sources,
            known,
            found: FxHashMap::default(),
            parsed: FxHashMap::default(),
            open: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// Reads a file that an evaluation starts from, and says what is wrong with it and what it
    /// includes.
    pub(crate) fn read_main(
        &mut self,
        path: &str,
        mut macros: Macros,
    ) -> (Option<Unit>, Vec<Diagnostic>) {
        let unit = self.read(path, None, &mut macros);
        (unit, std::mem::take(&mut self.diagnostics))
    }

    fn read(&mut self, path: &str, from: Option<Span>, macros: &mut Macros) -> Option<Unit> {
        let key = (from.map(|span| span.source), path.into());
        let id = match self.found.get(&key) {
            Some(id) => *id,
            None => {
                let id = self.find(path, from)?;
                self.found.insert(key, id);
                id
            }
        };
        // Entered with the same macros, a file takes the same way again.
        let first = |open: &Open| (open.source, &open.macros) == (id, &*macros);
        if let Some(first) = self.open.iter().position(first) {
            self.cycle(first, id, from);
            return None;
        }
        self.open.push(Open { source: id, macros: macros.clone(), from, includes: Vec::new() });
        let text = self.sources.get(id).map(|source| source.text().clone()).unwrap_or_default();
        let scanned = scan(id, &text, macros, self);
        let includes = self.open.pop().map(|open| open.includes).unwrap_or_default();
        let all = self.parsed.entry(id).or_default();
        let known = all.iter().position(|parsed| parsed.scanned == scanned);
        let index = known.unwrap_or_else(|| {
            let (file, diagnostics) = parse_scanned(id, &scanned);
            all.push(Parsed { scanned, file: Arc::new(file), diagnostics });
            all.len() - 1
        });
        let parsed = all.get(index)?;
        self.diagnostics.extend(parsed.diagnostics.iter().cloned());
        Some(Unit { file: parsed.file.clone(), includes })
    }

    /// The source that a path names.
    fn find(&mut self, path: &str, from: Option<Span>) -> Option<SourceId> {
        let including = from.and_then(|span| self.sources.get(span.source));
        let including = including.map(|source| source.path().to_owned());
        let found = match self.loader.load(path, including.as_deref()) {
            Ok(Some(found)) => found,
            Ok(None) => {
                self.missing(path, from);
                return None;
            }
            Err(LoadError::Unreadable(message)) => {
                self.diagnostics.push(Diagnostic::error("file-read", message).at_opt(from));
                return None;
            }
            Err(LoadError::NotText(error)) => {
                let mut diagnostic = error.locate(self.sources);
                if let Some(from) = from {
                    diagnostic = diagnostic.label(from, "included here");
                }
                self.diagnostics.push(diagnostic);
                return None;
            }
        };
        match self.known.get(&found.path) {
            Some(id) if self.sources.text(*id) == &*found.text => Some(*id),
            _ => {
                let id = if found.is_virtual {
                    self.sources.add_virtual(found.path.clone(), found.text)
                } else {
                    self.sources.add(found.path.clone(), found.text)
                };
                self.known.insert(found.path, id);
                Some(id)
            }
        }
    }

    fn missing(&mut self, path: &str, from: Option<Span>) {
        let message = match from {
            Some(_) => format!("could not find include file '{path}'"),
            None => format!("Could not open input file '{path}': there is no such file"),
        };
        let mut diagnostic = Diagnostic::error("include-not-found", message).at_opt(from);
        let searched = self.loader.searched();
        // The file that was asked for itself is not searched for.
        if from.is_some() {
            diagnostic = diagnostic.note(if searched.is_empty() {
                "there are no include directories; `-I DIR` adds one".to_owned()
            } else {
                format!("searched in {}", searched.join(", "))
            });
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports that an open file is included again.
    fn cycle(&mut self, first: usize, id: SourceId, from: Option<Span>) {
        let message = format!("`{}` includes itself", self.sources.name(id));
        let mut diagnostic = Diagnostic::error("include-cycle", message).at_opt(from);
        for open in self.open.iter().skip(first + 1) {
            if let Some(place) = open.from {
                let label = format!("`{}` is included here", self.sources.name(open.source));
                diagnostic = diagnostic.label(place, label);
            }
        }
        let note = "an `#ifndef` guard around a file's content ends the cycle";
        self.diagnostics.push(diagnostic.note(note));
    }
}

impl Includes for Includer<'_> {
    fn include(&mut self, path: &str, span: Span, macros: &mut Macros) {
        if self.open.len() >= MAX_INCLUDES {
            self.diagnostics.push(
                Diagnostic::error("include-depth", "includes are nested too deeply")
                    .at(span)
                    .note("does a file include itself without an `#ifndef` guard?"),
            );
            return;
        }
        let unit = self.read(path, Some(span), macros);
        if let (Some(unit), Some(open)) = (unit, self.open.last_mut()) {
            open.includes.push((span.start, unit));
        }
    }
}
