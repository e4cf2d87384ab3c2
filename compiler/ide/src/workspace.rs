//! The open files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use tegula_model::tidy;
use tegula_pass::Settings;

use crate::file::{File, Kind, Language};
use crate::guard::{Interrupted, guarded};
use crate::live::Live;
use crate::mlir::MlirFile;
use crate::td::{OpenTexts, TdFile};

/// What answers depend on besides the files.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where `.td` files find what they include.
    pub include: Vec<PathBuf>,
    /// `.td` files whose dialects `.mlir` files are read with; one of the same name as a built-in
    /// one replaces it.
    pub dialects: Vec<PathBuf>,
    /// The CPU that code is made for, instead of the default one.
    pub cpu: Option<String>,
}

/// The CPU that code is made for when nobody says.
const DEFAULT_CPU: &str = "apple-m4";

/// The open files, each with what was found in it so far.
pub struct Workspace {
    live: Live,
    include: Vec<PathBuf>,
    files: IndexMap<PathBuf, File>,
    open: OpenTexts,
}

impl Workspace {
    /// An empty workspace.
    pub fn new(options: Options) -> Workspace {
        let cpu = options.cpu.as_deref().unwrap_or(DEFAULT_CPU);
        // The names are those of the flags of `tegula compile`, so that both make the same code.
        let settings: Settings = [
            ("iree-hal-target-backends", "llvm-cpu"),
            ("iree-llvmcpu-target-cpu", cpu),
            ("iree-llvmcpu-enable-ukernels", "none"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
        // The editor names files by absolute paths.
        let absolute = |path: &PathBuf| tidy(&std::path::absolute(path).unwrap_or(path.clone()));
        let include: Vec<PathBuf> = options.include.iter().map(absolute).collect();
        let dialects = options.dialects.iter().map(absolute).collect();
        Workspace {
            live: Live::new(settings, &include, dialects),
            include,
            files: IndexMap::new(),
            open: OpenTexts::default(),
        }
    }

    /// The CPUs that code can be made for.
    pub fn cpus(&self) -> Vec<String> {
        self.live.setup().cpus()
    }

    /// Why the dialects that files are read with are not those that the `.td` files now define, a
    /// line for each error.
    pub fn dialect_errors(&self) -> &[String] {
        self.live.errors()
    }

    /// Opens a file, or gives an open one another text. Gives the files whose findings may be
    /// others now, this one first. After a bug the file is as good as closed.
    pub fn set(
        &mut self,
        path: &Path,
        language: Language,
        text: &str,
    ) -> Result<Vec<PathBuf>, Interrupted> {
        let path = &tidy(path);
        let done = guarded(|| match (self.files.get_mut(path).map(|f| &mut f.0), language) {
            (Some(Kind::Mlir(file)), Language::Mlir) => file.set(text),
            (Some(Kind::Td(file)), Language::Td) => file.set(text),
            (_, Language::Mlir) => {
                let file = Box::new(MlirFile::new(self.live.setup().clone(), text));
                self.files.insert(path.clone(), File(Kind::Mlir(file)));
            }
            (_, Language::Td) => {
                let file = TdFile::new(path, self.include.clone(), text);
                self.files.insert(path.clone(), File(Kind::Td(file)));
            }
        });
        if let Err(error) = done {
            self.close(path);
            return Err(error);
        }
        let mut changed = vec![path.clone()];
        if language == Language::Td {
            Arc::make_mut(&mut self.open).insert(path.clone(), Arc::from(text));
            changed.extend(self.tell_readers(path));
            changed.extend(self.define(path));
        }
        Ok(changed)
    }

    /// Closes a file. Gives the files whose findings may be others now.
    pub fn close(&mut self, path: &Path) -> Vec<PathBuf> {
        let path = &tidy(path);
        if let Some(File(Kind::Mlir(mut file))) = self.files.shift_remove(path) {
            // Nobody wants what is still being asked of it; an empty text ends that.
            let _ = guarded(|| file.set(""));
        }
        if self.open.contains_key(path) {
            Arc::make_mut(&mut self.open).shift_remove(path);
            let mut changed = self.tell_readers(path);
            changed.extend(self.define(path));
            return changed;
        }
        Vec::new()
    }

    /// Reads the dialects in force again if a file is a part of them; gives the files whose
    /// findings may be others for that.
    fn define(&mut self, path: &Path) -> Vec<PathBuf> {
        let mut changed = Vec::new();
        let mut renew = false;
        if self.live.reads(path) {
            // After a bug in reading the definitions stay what they were.
            renew = guarded(|| self.live.read(&self.open)).unwrap_or(false);
        }
        for (other, file) in &mut self.files {
            let news = match &mut file.0 {
                Kind::Mlir(file) if renew => {
                    // A bug costs the answers about this file; they say so.
                    let _ = guarded(|| file.set_setup(self.live.setup()));
                    true
                }
                Kind::Mlir(_) => false,
                Kind::Td(file) => file.set_problems(self.live.problems_of(other)),
            };
            if news {
                changed.push(other.clone());
            }
        }
        changed
    }

    /// An open file.
    pub fn file(&self, path: &Path) -> Option<&File> {
        self.files.get(&tidy(path))
    }

    /// Tells the open files that read another one of its new text; gives all but that one.
    fn tell_readers(&mut self, path: &Path) -> Vec<PathBuf> {
        let mut readers = Vec::new();
        for (other, file) in &mut self.files {
            if other == path {
                file.set_open(&self.open);
            } else if file.reads(path) {
                file.set_open(&self.open);
                readers.push(other.clone());
            }
        }
        readers
    }
}
