//! Reading included files.

use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::Arc;

use tegula_diag::{Diagnostic, SourceId, Sources, Span};
use tegula_syntax::ast::{File, Stmt, StmtKind};
use tegula_syntax::{Includes, Macros, parse_with};

use super::LateFiles;
use crate::{FileLoader, LoadError};

/// How deep includes may nest.
const MAX_INCLUDES: usize = 100;

/// Reads files for a parse.
pub(crate) struct Includer<'a> {
    loader: &'a dyn FileLoader,
    sources: &'a mut Sources,
    known: FxHashMap<PathBuf, SourceId>,
    /// The files that are being read, with the macros that each was entered with and the place of
    /// its `include`.
    open: Vec<(SourceId, Macros, Option<Span>)>,
    pub diagnostics: Vec<Diagnostic>,
}

impl<'a> Includer<'a> {
    pub(crate) fn new(loader: &'a dyn FileLoader, sources: &'a mut Sources) -> Self {
        let known = sources.iter().map(|(id, source)| (source.path().to_owned(), id)).collect();
        Self { loader, sources, known, open: Vec::new(), diagnostics: Vec::new() }
    }

    /// Reads the file that an evaluation starts from.
    pub(crate) fn read_main(&mut self, path: &str, mut macros: Macros) -> Option<Arc<File>> {
        self.read(path, None, &mut macros)
    }

    /// Reads what a parse left open.
    pub(crate) fn read_missing(&mut self, file: &File) -> LateFiles {
        let mut found = LateFiles::default();
        let mut stack: Vec<Arc<Stmt>> = file.items.iter().rev().cloned().collect();
        while let Some(stmt) = stack.pop() {
            if let StmtKind::Include(include) = &stmt.kind
                && include.file.is_none()
            {
                let (span, mut macros) = (include.path_span, include.macros.clone());
                if let Some(file) = self.include(&include.path, span, &mut macros) {
                    found.insert((span.source, span.start), file);
                }
            }
            let children: Vec<_> = stmt.children().cloned().collect();
            stack.extend(children.into_iter().rev());
        }
        found
    }

    fn read(&mut self, path: &str, from: Option<Span>, macros: &mut Macros) -> Option<Arc<File>> {
        let including = from.and_then(|span| self.sources.get(span.source));
        let including = including.map(|source| source.path().to_owned());
        let found = match self.loader.load(path, including.as_deref()) {
            Ok(found) => found,
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
        let Some(found) = found else {
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
            return None;
        };
        let text = found.text.clone();
        let id = match self.known.get(&found.path) {
            Some(id) if self.sources.text(*id) == &*text => *id,
            _ => {
                let id = if found.is_virtual {
                    self.sources.add_virtual(found.path.clone(), found.text)
                } else {
                    self.sources.add(found.path.clone(), found.text)
                };
                self.known.insert(found.path, id);
                id
            }
        };
        // Entered with the same macros, a file takes the same way again.
        if let Some(first) =
            self.open.iter().position(|(open, with, _)| (*open, with) == (id, &*macros))
        {
            self.cycle(first, id, from);
            return None;
        }
        self.open.push((id, macros.clone(), from));
        let (file, diagnostics) = parse_with(id, &text, macros, self);
        self.open.pop();
        self.diagnostics.extend(diagnostics);
        Some(Arc::new(file))
    }

    /// Reports that an open file is included again.
    fn cycle(&mut self, first: usize, id: SourceId, from: Option<Span>) {
        let message = format!("`{}` includes itself", self.sources.name(id));
        let mut diagnostic = Diagnostic::error("include-cycle", message).at_opt(from);
        for (file, _, place) in self.open.iter().skip(first + 1) {
            if let Some(place) = place {
                let label = format!("`{}` is included here", self.sources.name(*file));
                diagnostic = diagnostic.label(*place, label);
            }
        }
        let note = "an `#ifndef` guard around a file's content ends the cycle";
        self.diagnostics.push(diagnostic.note(note));
    }
}

impl Includes for Includer<'_> {
    fn include(&mut self, path: &str, span: Span, macros: &mut Macros) -> Option<Arc<File>> {
        if self.open.len() >= MAX_INCLUDES {
            self.diagnostics.push(
                Diagnostic::error("include-depth", "includes are nested too deeply")
                    .at(span)
                    .note("does a file include itself without an `#ifndef` guard?"),
            );
            return None;
        }
        self.read(path, Some(span), macros)
    }
}
