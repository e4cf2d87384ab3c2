//! Definitions are evaluated and lowered to tables, or mistakes in them are told with their places.

#![no_main]

use std::path::{Path, PathBuf};

use libfuzzer_sys::fuzz_target;
use tegula_diag::{Diagnostic, Renderer, Sources, has_errors};
use tegula_model::{Loader, load_with};
use tegula_record::{FileLoader, LoadError, LoadedFile, json, print};

const INPUT: &str = "input.td";

/// The input, and the prelude that it may include; nothing from disk.
struct Input<'a>(&'a str, Loader);

impl FileLoader for Input<'_> {
    fn load(&self, path: &str, from: Option<&Path>) -> Result<Option<LoadedFile>, LoadError> {
        if path == INPUT {
            let (path, text) = (PathBuf::from(INPUT), self.0.into());
            return Ok(Some(LoadedFile { path, text, is_virtual: true }));
        }
        if path.starts_with("tegula/") { self.1.load(path, from) } else { Ok(None) }
    }
}

fuzz_target!(|text: &str| {
    let input = Input(text, Loader::default());
    let mut sources = Sources::new();
    let loaded = load_with(Path::new(INPUT), &input, &[], &mut sources);
    let is_lost = |found: &&Diagnostic| found.is_error() && found.primary.is_none();
    let lost = loaded.diagnostics.iter().find(is_lost);
    assert!(lost.is_none(), "an error without a place: {lost:?}");
    let _ = Renderer::plain(&sources).render_all(&loaded.diagnostics);
    if !has_errors(&loaded.diagnostics) {
        let _ = json::dump(&loaded.records, &sources);
        let _ = print::dump(&loaded.records);
    }
});
