//! `.td` files.

use std::path::{Path, PathBuf};

use tegula_diag::{Diagnostic, Sources};
use tegula_model::{Loader, load_with};
use tegula_record::{FileLoader, Records};

use crate::mlir::finding;
use crate::workspace::{Finding, Hover, OutlineItem};

pub(crate) struct TdFile {
    path: PathBuf,
    include: Vec<PathBuf>,
    text: String,
    checked: Checked,
}

/// What a text gives.
struct Checked {
    records: Records,
    sources: Sources,
    diagnostics: Vec<Diagnostic>,
    /// Definitions by name, in Markdown.
    ops: Vec<(String, String)>,
}

/// The editor's text of one file over what is on disk.
struct Overlay<'a> {
    path: &'a Path,
    text: &'a str,
    disk: Loader,
}

impl FileLoader for Overlay<'_> {
    fn load(
        &self,
        path: &str,
        from: Option<&Path>,
    ) -> Result<Option<tegula_record::LoadedFile>, String> {
        if from.is_none() && Path::new(path) == self.path {
            return Ok(Some(tegula_record::LoadedFile {
                path: self.path.to_path_buf(),
                text: self.text.into(),
                is_virtual: false,
            }));
        }
        self.disk.load(path, from)
    }

    fn searched(&self) -> Vec<String> {
        self.disk.searched()
    }
}

impl TdFile {
    pub(crate) fn new(path: &Path, include: Vec<PathBuf>, text: &str) -> TdFile {
        let mut include = include;
        include.extend(path.parent().map(Path::to_path_buf));
        let checked = check(path, &include, text);
        TdFile { path: path.to_path_buf(), include, text: text.to_owned(), checked }
    }

    pub(crate) fn set(&mut self, text: &str) {
        if self.text != text {
            self.text = text.to_owned();
            self.checked = check(&self.path, &self.include, text);
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn findings(&self) -> Vec<Finding> {
        let own = self.checked.sources.find(&self.path);
        let here = |d: &&Diagnostic| d.primary.is_none_or(|span| Some(span.source) == own);
        let found = self.checked.diagnostics.iter().filter(here);
        let mut out: Vec<Finding> = found.map(|d| finding(d, self.text.len())).collect();
        let elsewhere = self.checked.diagnostics.iter().filter(|d| !here(d));
        for diagnostic in elsewhere {
            let mut moved = diagnostic.clone();
            let place = diagnostic.primary.map(|span| self.checked.sources.locate(span));
            moved.message = format!("{}: {}", place.unwrap_or_default(), diagnostic.message);
            moved.primary = None;
            moved.fix = None;
            out.push(finding(&moved, self.text.len()));
        }
        out
    }

    pub(crate) fn outline(&self) -> Vec<OutlineItem> {
        let Some(own) = self.checked.sources.find(&self.path) else { return Vec::new() };
        let records = self.checked.records.defs.values().filter(|r| !r.anonymous);
        let mut out: Vec<OutlineItem> = records
            .filter(|record| record.span.source == own)
            .map(|record| {
                let range = record.span.start as usize..record.span.end as usize;
                let class = record.superclasses.last();
                OutlineItem {
                    name: record.name.to_string(),
                    detail: class.map(|(name, _)| name.to_string()).unwrap_or_default(),
                    range: range.clone(),
                    selection: range,
                }
            })
            .collect();
        out.sort_by_key(|item| item.range.start);
        out
    }

    pub(crate) fn hover(&self, offset: usize) -> Option<Hover> {
        let (word, range) = word_at(&self.text, offset)?;
        if let Some((_, text)) = self.checked.ops.iter().find(|(name, _)| name == word) {
            return Some(Hover { range: Some(range), markdown: text.clone() });
        }
        let record = self.checked.records.def(word)?;
        let parents: Vec<String> =
            record.superclasses.iter().map(|(name, _)| format!("`{name}`")).collect();
        let mut text = format!("**`{word}`**");
        if !parents.is_empty() {
            text.push_str(&format!(" is a {}", parents.join(", ")));
        }
        text.push('\n');
        if let Some(tegula_record::Value::Str(summary)) = record.get("summary") {
            text.push_str(&format!("\n{summary}\n"));
        }
        Some(Hover { range: Some(range), markdown: text })
    }
}

fn check(path: &Path, include: &[PathBuf], text: &str) -> Checked {
    let mut sources = Sources::new();
    let overlay = Overlay { path, text, disk: Loader::new(include) };
    let loaded = load_with(path, &overlay, include, &mut sources);
    let ops = loaded.dialects.iter().flat_map(|dialect| dialect.ops.iter());
    let ops = ops.map(|op| {
        let description = op.description.trim();
        (op.def_name.to_string(), format!("**`{}`** — {}\n\n{description}\n", op.name, op.summary))
    });
    let ops = ops.collect();
    Checked { ops, records: loaded.records, sources, diagnostics: loaded.diagnostics }
}

/// The identifier at an offset.
fn word_at(text: &str, offset: usize) -> Option<(&str, std::ops::Range<usize>)> {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let offset = offset.min(text.len());
    let (before, after) = (text.get(..offset)?, text.get(offset..)?);
    let start = before.rfind(|c| !inside(c)).map_or(0, |at| {
        at + before[at..].chars().next().map_or(1, char::len_utf8)
    });
    let end = offset + after.find(|c| !inside(c)).unwrap_or(after.len());
    (start < end).then(|| (&text[start..end], start..end))
}

#[cfg(test)]
mod tests {
    use super::word_at;

    #[test]
    fn words() {
        let text = "def Foo_Op : é Bar;";
        assert_eq!(word_at(text, 5), Some(("Foo_Op", 4..10)));
        assert_eq!(word_at(text, 10), Some(("Foo_Op", 4..10)));
        assert_eq!(word_at(text, 11), None);
        assert_eq!(word_at(text, 1000), None);
    }
}
