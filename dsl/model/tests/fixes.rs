//! What is proposed helps: a change that a diagnostic states removes that diagnostic alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use tegula_diag::{Diagnostic, Sources};
use tegula_model::{Loader, load_with};
use tegula_record::{FileLoader, LoadError, LoadedFile};

/// One text under the path of a file; includes come from disk.
struct Edited<'a> {
    path: &'a Path,
    text: &'a str,
    rest: Loader,
}

impl FileLoader for Edited<'_> {
    fn load(&self, path: &str, from: Option<&Path>) -> Result<Option<LoadedFile>, LoadError> {
        if Path::new(path) == self.path {
            let (path, text) = (self.path.to_path_buf(), self.text.into());
            return Ok(Some(LoadedFile { path, text, is_virtual: false }));
        }
        self.rest.load(path, from)
    }
}

fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let mut open = vec![root.join("dsl"), root.join("patterns"), root.join("live")];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of fixtures") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "td") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn diagnose(path: &Path, text: &str) -> (Vec<Diagnostic>, Sources) {
    let dialects = [Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dialects")];
    let loader = Edited { path, text, rest: Loader::new(&dialects) };
    let mut sources = Sources::new();
    let loaded = load_with(path, &loader, &dialects, &mut sources);
    (loaded.diagnostics, sources)
}

/// What was found, without places, which a change moves.
fn said(diagnostics: &[Diagnostic]) -> BTreeMap<(String, String), usize> {
    let mut said = BTreeMap::new();
    for d in diagnostics {
        *said.entry((d.code.to_string(), d.message.clone())).or_insert(0) += 1;
    }
    said
}

#[test]
fn a_stated_change_removes_its_diagnostic_alone() {
    let mut wrong = Vec::new();
    let mut tried = BTreeSet::new();
    for path in fixtures() {
        let text = std::fs::read_to_string(&path).expect("the fixture is text");
        let (before, sources) = diagnose(&path, &text);
        for diagnostic in &before {
            let Some(fix) = &diagnostic.fix else { continue };
            if Some(fix.span.source) != sources.find(&path) {
                continue;
            }
            tried.insert(diagnostic.code.to_string());
            let (start, end) = (fix.span.start as usize, fix.span.end as usize);
            let changed = format!("{}{}{}", &text[..start], fix.replacement, &text[end..]);
            let mut wanted = said(&before);
            let key = (diagnostic.code.to_string(), diagnostic.message.clone());
            match wanted.get_mut(&key) {
                Some(1) => drop(wanted.remove(&key)),
                Some(count) => *count -= 1,
                None => {}
            }
            let after = said(&diagnose(&path, &changed).0);
            if after != wanted {
                let (gone, new): (Vec<_>, Vec<_>) = (
                    wanted.iter().filter(|(key, n)| after.get(*key) != Some(n)).collect(),
                    after.iter().filter(|(key, n)| wanted.get(*key) != Some(n)).collect(),
                );
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                wrong.push(format!(
                    "{name}: `{}` ({}) by `{}`\n  without: {gone:?}\n  with: {new:?}",
                    diagnostic.message, diagnostic.code, fix.description
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried.len() >= 10, "kinds of diagnostics that state a change: {tried:?}");
}

#[test]
fn fixtures_show_many_kinds_of_diagnostics() {
    let mut codes = BTreeSet::new();
    for path in fixtures() {
        let text = std::fs::read_to_string(&path).expect("the fixture is text");
        codes.extend(diagnose(&path, &text).0.iter().map(|d| d.code.to_string()));
    }
    assert!(codes.len() >= 60, "{} kinds: {codes:?}", codes.len());
}
