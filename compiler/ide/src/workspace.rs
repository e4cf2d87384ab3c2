//! The open files.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use tegula_diag::Severity;
use tegula_pass::Settings;
use tegula_pipelines::Setup;

use crate::mlir::MlirFile;
use crate::td::TdFile;
use crate::virtual_doc::{VirtualDoc, VirtualError};

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `.mlir`
    Mlir,
    /// `.td`
    Td,
}

impl Language {
    /// The language of a file by its ending.
    pub fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "mlir" => Some(Language::Mlir),
            "td" => Some(Language::Td),
            _ => None,
        }
    }
}

/// Something to say about a range of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where.
    pub range: Range<usize>,
    /// How grave.
    pub severity: Severity,
    /// A stable name of the kind of finding.
    pub code: String,
    /// The sentence, with notes on lines of their own.
    pub message: String,
    /// A replacement that mends it: the range, the text, and what it does.
    pub fix: Option<(Range<usize>, String, String)>,
}

/// One entry of a file's outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineItem {
    /// The name.
    pub name: String,
    /// What it is.
    pub detail: String,
    /// All of it.
    pub range: Range<usize>,
    /// Its name, or its start.
    pub selection: Range<usize>,
}

/// What is under the cursor, in Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// What it is about.
    pub range: Option<Range<usize>>,
    /// The text.
    pub markdown: String,
}

enum File {
    Mlir(Box<MlirFile>),
    Td(TdFile),
}

/// The open files with what was found in them so far.
pub struct Workspace {
    setup: Arc<Setup>,
    include: Vec<PathBuf>,
    files: IndexMap<PathBuf, File>,
}

impl Workspace {
    /// An empty workspace. `.td` files find their includes in the folders given.
    pub fn new(settings: Settings, include: Vec<PathBuf>) -> Workspace {
        Workspace { setup: Setup::new(settings, []), include, files: IndexMap::new() }
    }

    /// Opens a file, or gives an open one another text.
    pub fn set(&mut self, path: &Path, language: Language, text: &str) {
        match (self.files.get_mut(path), language) {
            (Some(File::Mlir(file)), Language::Mlir) => file.set(text),
            (Some(File::Td(file)), Language::Td) => file.set(text),
            (_, Language::Mlir) => {
                let file = Box::new(MlirFile::new(self.setup.clone(), text));
                self.files.insert(path.to_path_buf(), File::Mlir(file));
            }
            (_, Language::Td) => {
                let file = TdFile::new(path, self.include.clone(), text);
                self.files.insert(path.to_path_buf(), File::Td(file));
            }
        }
    }

    /// Closes a file.
    pub fn close(&mut self, path: &Path) {
        self.files.shift_remove(path);
    }

    /// The text of an open file.
    pub fn text(&self, path: &Path) -> Option<&str> {
        Some(match self.files.get(path)? {
            File::Mlir(file) => file.text(),
            File::Td(file) => file.text(),
        })
    }

    /// What is wrong in a file.
    pub fn findings(&self, path: &Path) -> Vec<Finding> {
        match self.files.get(path) {
            Some(File::Mlir(file)) => file.findings(),
            Some(File::Td(file)) => file.findings(),
            None => Vec::new(),
        }
    }

    /// What is in a file.
    pub fn outline(&self, path: &Path) -> Vec<OutlineItem> {
        match self.files.get(path) {
            Some(File::Mlir(file)) => file.outline(),
            Some(File::Td(file)) => file.outline(),
            None => Vec::new(),
        }
    }

    /// What is at an offset of a file.
    pub fn hover(&self, path: &Path, offset: usize) -> Option<Hover> {
        match self.files.get(path)? {
            File::Mlir(file) => file.hover(offset),
            File::Td(file) => file.hover(offset),
        }
    }

    /// A document that is made from a file.
    pub fn document(&self, path: &Path, document: &VirtualDoc) -> Result<String, VirtualError> {
        match self.files.get(path) {
            Some(File::Mlir(file)) => file.document(document),
            Some(File::Td(_)) => Err(VirtualError("only .mlir files have IR and assembly".into())),
            None => Err(VirtualError(format!("{} is not open", path.display()))),
        }
    }
}
