//! Where included files come from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tegula_diag::{NotText, decode};

/// A text that a loader found.
#[derive(Clone, Debug)]
pub struct LoadedFile {
    /// The path by which diagnostics name it.
    pub path: PathBuf,
    /// The text.
    pub text: Arc<str>,
    /// Whether there is no file behind it.
    pub is_virtual: bool,
}

/// Why a file that is there gives no text.
#[derive(Clone, Debug)]
pub enum LoadError {
    /// It can't be read, as this sentence says.
    Unreadable(String),
    /// It is no text.
    NotText(Box<NotText>),
}

/// The text of a file on disk.
pub fn read_file(path: &Path) -> Result<Arc<str>, LoadError> {
    match std::fs::read(path) {
        Ok(bytes) => decode(path, bytes).map(Arc::from).map_err(LoadError::NotText),
        Err(error) => {
            let error = error.to_string();
            // The system's number of the error says nothing to who reads this.
            let reason = error.split(" (os error ").next().unwrap_or_default();
            let message = format!("`{}` can't be read: {reason}", path.display());
            Err(LoadError::Unreadable(message))
        }
    }
}

/// Finds the texts of files.
pub trait FileLoader {
    /// The text that `path` names in an `include`, or on the command line when `from` (the
    /// including file) is missing. `Ok(None)` when there is no such file; an error when there is
    /// one that can't be read.
    fn load(&self, path: &str, from: Option<&Path>) -> Result<Option<LoadedFile>, LoadError>;

    /// The places that were searched, for the error message.
    fn searched(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Loads from disk, searching include directories in order, and from texts in memory.
///
/// A path is tried as it is, then under each directory, then among the texts in memory, then
/// beside the including file.
#[derive(Clone, Debug, Default)]
pub struct Files {
    directories: Vec<PathBuf>,
    virtual_files: BTreeMap<String, Arc<str>>,
    no_disk: bool,
}

impl Files {
    /// A loader without include directories.
    pub fn new() -> Self {
        Self::default()
    }

    /// A loader that knows only texts in memory.
    pub fn in_memory() -> Self {
        Self { no_disk: true, ..Self::default() }
    }

    /// Adds an include directory.
    #[must_use]
    pub fn dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directories.push(directory.into());
        self
    }

    /// Adds a text in memory under the path by which it is included.
    #[must_use]
    pub fn file(mut self, path: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        self.virtual_files.insert(path.into(), text.into());
        self
    }

    fn read(&self, path: &Path) -> Result<Option<LoadedFile>, LoadError> {
        if self.no_disk || !path.is_file() {
            return Ok(None);
        }
        let text = read_file(path)?;
        Ok(Some(LoadedFile { path: path.into(), text, is_virtual: false }))
    }
}

impl FileLoader for Files {
    fn load(&self, path: &str, from: Option<&Path>) -> Result<Option<LoadedFile>, LoadError> {
        if let Some(file) = self.read(Path::new(path))? {
            return Ok(Some(file));
        }
        for directory in &self.directories {
            if let Some(file) = self.read(&directory.join(path))? {
                return Ok(Some(file));
            }
        }
        if let Some(text) = self.virtual_files.get(path) {
            let text = text.clone();
            return Ok(Some(LoadedFile { path: path.into(), text, is_virtual: true }));
        }
        match from.and_then(Path::parent) {
            Some(parent) => self.read(&parent.join(path)),
            None => Ok(None),
        }
    }

    fn searched(&self) -> Vec<String> {
        self.directories.iter().map(|directory| directory.display().to_string()).collect()
    }
}
