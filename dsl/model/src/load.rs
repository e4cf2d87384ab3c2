//! Reading `.td` files from disk or memory, with the prelude built in.

use std::path::{Path, PathBuf};

use tegula_diag::{Diagnostic, Sources, has_errors};
use tegula_record::{FileLoader, LoadError, LoadedFile, Records, read_file};
use tegula_schema::DialectDef;

use crate::{lower, prelude};

/// Finds included files: the prelude by its `tegula/` names, then beside the including file, then
/// in the include directories, then as the path stands.
#[derive(Clone, Debug, Default)]
pub struct Loader {
    directories: Vec<PathBuf>,
}

impl Loader {
    /// A loader with these include directories.
    pub fn new(directories: &[PathBuf]) -> Loader {
        Loader { directories: directories.to_vec() }
    }
}

impl FileLoader for Loader {
    fn load(&self, path: &str, from: Option<&Path>) -> Result<Option<LoadedFile>, LoadError> {
        if let Some((name, text)) = prelude::FILES.iter().find(|(name, _)| *name == path) {
            return Ok(Some(LoadedFile {
                path: PathBuf::from(name),
                text: (*text).into(),
                is_virtual: true,
            }));
        }
        let beside = from.and_then(Path::parent).map(|folder| folder.join(path));
        let others = self.directories.iter().map(|directory| directory.join(path));
        for candidate in beside.into_iter().chain(others).chain([PathBuf::from(path)]) {
            if !candidate.is_file() {
                continue;
            }
            let path = tidy(&candidate);
            let text = read_file(&path)?;
            return Ok(Some(LoadedFile { path, text, is_virtual: false }));
        }
        Ok(None)
    }

    fn searched(&self) -> Vec<String> {
        self.directories.iter().map(|directory| directory.display().to_string()).collect()
    }
}

/// The path without `.` and without `x/..`, so that one file has one name.
pub fn tidy(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// What reading a `.td` file yields.
#[derive(Debug)]
pub struct Loaded {
    /// The records, for who wants more than tables.
    pub records: Records,
    /// The dialects, those of included files among them; empty after errors in evaluation.
    pub dialects: Vec<DialectDef>,
    /// The one among them that the file itself defines, or that its definitions without a dialect
    /// gather in.
    pub main: Option<usize>,
    /// Everything that was found, in the order of the stages.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a `.td` file with all that it includes and lowers it.
pub fn load(path: &Path, directories: &[PathBuf], sources: &mut Sources) -> Loaded {
    load_with(path, &Loader::new(directories), directories, sources)
}

/// The same with texts from another place than the disk.
pub fn load_with(
    path: &Path,
    loader: &dyn FileLoader,
    roots: &[PathBuf],
    sources: &mut Sources,
) -> Loaded {
    let name = path.to_string_lossy();
    let (records, mut diagnostics) = tegula_record::load(&name, loader, sources);
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut all_roots = vec![folder];
    all_roots.extend(roots.iter().cloned());
    all_roots.retain(|root| !root.as_os_str().is_empty());
    if has_errors(&diagnostics) {
        // What is missing altogether would be missed everywhere.
        if !diagnostics.iter().any(tegula_record::may_lack) {
            diagnostics.extend(crate::lower::mistakes(&records, sources, &all_roots));
            diagnostics.sort_by_key(|d| d.primary.map(|span| (span.source, span.start)));
        }
        return Loaded { records, dialects: Vec::new(), main: None, diagnostics };
    }
    let lowered = lower(&records, sources, &all_roots);
    diagnostics.extend(lowered.diagnostics);
    let file = sources.find(path);
    let main = lowered.sources.iter().position(|source| Some(*source) == file);
    Loaded { records, dialects: lowered.dialects, main, diagnostics }
}

/// Reads definitions for a running registry: the dialects that the file and its includes define.
pub fn load_live(
    path: &Path,
    directories: &[PathBuf],
    sources: &mut Sources,
) -> (Vec<DialectDef>, Vec<Diagnostic>) {
    let loaded = load(path, directories, sources);
    (loaded.dialects, loaded.diagnostics)
}
