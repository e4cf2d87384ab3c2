//! The definitions that `.mlir` files are read with: the built-in ones, and over them those of
//! `.td` files, which are read with the texts of the open files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tegula_diag::{Diagnostic, Sources, has_errors};
use tegula_model::{Loader, load_with};
use tegula_pass::Settings;
use tegula_pipelines::{Problem, Setup};
use tegula_schema::DialectDef;

use crate::problem::problem_diagnostic;
use crate::td::{OpenTexts, Overlay};

/// The definitions in force.
pub(crate) struct Live {
    settings: Settings,
    include: Vec<PathBuf>,
    dialects: Vec<PathBuf>,
    setup: Arc<Setup>,
    /// The definitions that it has over the built-in ones.
    defs: Vec<DialectDef>,
    /// Texts of the last reading.
    sources: Sources,
    /// What the last reading found wrong, as lines to show.
    errors: Vec<String>,
    problems: Arc<[Problem]>,
}

impl Live {
    /// The built-in definitions with the dialects of these files.
    pub(crate) fn new(settings: Settings, include: &[PathBuf], dialects: Vec<PathBuf>) -> Live {
        let mut live = Live {
            setup: Setup::new(settings.clone(), []),
            settings,
            include: include.to_vec(),
            dialects,
            defs: Vec::new(),
            sources: Sources::new(),
            errors: Vec::new(),
            problems: Arc::default(),
        };
        if !live.dialects.is_empty() {
            live.read(&OpenTexts::default());
        }
        live
    }

    /// The definitions in force: those of the last reading without an error.
    pub(crate) fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// Why the last reading is not in force, a line for each error.
    pub(crate) fn errors(&self) -> &[String] {
        &self.errors
    }

    /// What of the last reading does not fit together, if the file is a part of it.
    pub(crate) fn problems_of(&self, path: &Path) -> Arc<[Problem]> {
        match self.sources.find(path) {
            Some(_) => self.problems.clone(),
            None => Arc::default(),
        }
    }

    /// Whether another text of a file may make other definitions.
    pub(crate) fn reads(&self, path: &Path) -> bool {
        // A file that could not be found may be there now.
        !self.dialects.is_empty() && (self.sources.find(path).is_some() || !self.errors.is_empty())
    }

    /// Reads the files again; whether other definitions are in force for it. Those with errors never
    /// are.
    pub(crate) fn read(&mut self, open: &OpenTexts) -> bool {
        let overlay = Overlay { own: None, open, disk: Loader::new(&self.include) };
        let mut sources = Sources::new();
        let mut found: Vec<Diagnostic> = Vec::new();
        let mut defs = Vec::new();
        for path in &self.dialects {
            let loaded = load_with(path, &overlay, &self.include, &mut sources);
            found.extend(loaded.diagnostics);
            defs.extend(loaded.dialects);
        }
        let mut setup = None;
        if !has_errors(&found) {
            let made = match defs == self.defs {
                true => self.setup.clone(),
                false => Setup::new(self.settings.clone(), defs.iter().cloned()),
            };
            self.problems = made.problems().into();
            found.extend(self.problems.iter().map(|p| problem_diagnostic(&sources, p)));
            setup = Some(made);
        }
        let line = |d: &Diagnostic| match d.primary {
            Some(span) => format!("{}: {}", sources.locate(span), d.message),
            None => d.message.clone(),
        };
        self.errors = found.iter().filter(|d| d.is_error()).map(line).collect();
        self.sources = sources;
        match setup.filter(|_| self.errors.is_empty()) {
            Some(setup) => {
                let other = setup != self.setup;
                (self.setup, self.defs) = (setup, defs);
                other
            }
            None => false,
        }
    }
}
