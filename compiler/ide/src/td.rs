//! `.td` files.
//!
//! A file that is only a part of others (patterns that a dialect's file includes) is read through
//! the file beside it that includes it, since it means nothing by itself.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use tegula_diag::{Diagnostic, Sources};
use tegula_model::{Loader, load_with};
use tegula_pipelines::Problem;
use tegula_record::{FileLoader, LoadError, LoadedFile, Records};

use crate::file::{Finding, Hover, OutlineItem, finding};
use crate::hover::op_definition;
use crate::problem::problem_diagnostic;

/// The texts of all open `.td` files.
pub(crate) type OpenTexts = Arc<IndexMap<PathBuf, Arc<str>>>;

/// A file. Another text makes another state; clones of the earlier one keep theirs.
#[derive(Clone)]
pub(crate) struct TdFile {
    state: Arc<State>,
}

struct State {
    path: PathBuf,
    include: Vec<PathBuf>,
    text: Arc<str>,
    open: OpenTexts,
    /// What does not fit together in the definitions in force that this file is a part of.
    problems: Arc<[Problem]>,
    /// Computed when the first question needs it.
    checked: OnceLock<Checked>,
}

/// What a text gives.
struct Checked {
    records: Records,
    sources: Sources,
    diagnostics: Vec<Diagnostic>,
    /// Definitions of ops by the name of their record, in Markdown.
    ops: IndexMap<String, String>,
}

impl TdFile {
    pub(crate) fn new(path: &Path, include: Vec<PathBuf>, text: &str) -> TdFile {
        let state = State {
            path: path.to_path_buf(),
            include,
            text: Arc::from(text),
            open: OpenTexts::default(),
            problems: Arc::default(),
            checked: OnceLock::new(),
        };
        TdFile { state: Arc::new(state) }
    }

    pub(crate) fn set(&mut self, text: &str) {
        if *self.state.text != *text {
            self.change(Arc::from(text), self.state.open.clone(), self.state.problems.clone());
        }
    }

    pub(crate) fn set_open(&mut self, open: &OpenTexts) {
        self.change(self.state.text.clone(), open.clone(), self.state.problems.clone());
    }

    /// Says what does not fit together in the definitions in force; whether that is news.
    pub(crate) fn set_problems(&mut self, problems: Arc<[Problem]>) -> bool {
        let news = *self.state.problems != *problems;
        if news {
            self.change(self.state.text.clone(), self.state.open.clone(), problems);
        }
        news
    }

    fn change(&mut self, text: Arc<str>, open: OpenTexts, problems: Arc<[Problem]>) {
        self.state = Arc::new(State {
            path: self.state.path.clone(),
            include: self.state.include.clone(),
            text,
            open,
            problems,
            checked: OnceLock::new(),
        });
    }

    pub(crate) fn text(&self) -> &str {
        &self.state.text
    }

    /// Whether a file is among those that this one was read with. One that is not checked yet
    /// reads whatever is asked for.
    pub(crate) fn reads(&self, other: &Path) -> bool {
        self.state.checked.get().is_none_or(|checked| {
            checked.sources.find(other).is_some()
                || checked.diagnostics.iter().any(|d| d.is_error())
        })
    }

    pub(crate) fn findings(&self) -> Vec<Finding> {
        let Checked { sources, diagnostics, .. } = self.state.checked();
        let own = sources.find(&self.state.path);
        let Some(source) = own.or(sources.iter().map(|(id, _)| id).next()) else {
            return Vec::new();
        };
        let here = |d: &&Diagnostic| d.primary.is_none_or(|span| Some(span.source) == own);
        let found = diagnostics.iter().filter(here);
        let mut out: Vec<Finding> = found.map(|d| finding(d, source, self.text())).collect();
        // What is wrong in another file belongs to that file; that this one can't be judged
        // because of it is said at its top.
        for diagnostic in diagnostics.iter().filter(|d| !here(d) && d.is_error()) {
            let mut moved = diagnostic.clone();
            let place = diagnostic.primary.map(|span| sources.locate(span));
            moved.message = format!("{}: {}", place.unwrap_or_default(), diagnostic.message);
            moved.primary = None;
            moved.labels.clear();
            moved.fix = None;
            out.push(finding(&moved, source, self.text()));
        }
        for problem in self.state.problems.iter() {
            let found = problem_diagnostic(sources, problem);
            let here = found.primary.is_some_and(|span| Some(span.source) == own);
            if here || problem.source.is_none() {
                out.push(finding(&found, source, self.text()));
            }
        }
        out
    }

    pub(crate) fn outline(&self) -> Vec<OutlineItem> {
        let Checked { sources, records, .. } = self.state.checked();
        let Some(own) = sources.find(&self.state.path) else { return Vec::new() };
        let text = self.text();
        let records = records.defs.values().filter(|r| !r.anonymous && r.span.source == own);
        let mut out: Vec<OutlineItem> = records
            .map(|record| {
                let end = text.floor_char_boundary(record.span.end as usize);
                let range = text.floor_char_boundary(record.span.start as usize).min(end)..end;
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
        let (word, range) = word_at(self.text(), offset)?;
        let Checked { records, ops, .. } = self.state.checked();
        if let Some(text) = ops.get(word) {
            return Some(Hover { range: Some(range), markdown: text.clone() });
        }
        let record = records.def(word)?;
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

impl State {
    fn checked(&self) -> &Checked {
        self.checked.get_or_init(|| {
            let overlay = Overlay {
                own: Some((&self.path, &self.text)),
                open: &self.open,
                disk: Loader::new(&self.include),
            };
            let root = root_of(&self.path, &overlay);
            let mut sources = Sources::new();
            let loaded = load_with(&root, &overlay, &self.include, &mut sources);
            let ops = loaded.dialects.iter().flat_map(|dialect| dialect.ops.iter());
            let ops = ops.map(|op| (op.def_name.to_string(), op_definition(op))).collect();
            Checked { ops, records: loaded.records, sources, diagnostics: loaded.diagnostics }
        })
    }
}

/// The editor's texts over what is on disk.
pub(crate) struct Overlay<'a> {
    /// A file with a text that goes before all others.
    pub(crate) own: Option<(&'a Path, &'a Arc<str>)>,
    pub(crate) open: &'a OpenTexts,
    pub(crate) disk: Loader,
}

impl Overlay<'_> {
    fn text_of(&self, path: &Path) -> Option<Arc<str>> {
        match self.own {
            Some((own, text)) if own == path => Some(text.clone()),
            _ => self.open.get(path).cloned(),
        }
    }
}

impl FileLoader for Overlay<'_> {
    fn load(&self, path: &str, from: Option<&Path>) -> Result<Option<LoadedFile>, LoadError> {
        if from.is_none()
            && let Some(text) = self.text_of(Path::new(path))
        {
            return Ok(Some(LoadedFile { path: path.into(), text, is_virtual: false }));
        }
        let mut loaded = self.disk.load(path, from);
        if let Ok(Some(file)) = &mut loaded
            && !file.is_virtual
            && let Some(text) = self.text_of(&file.path)
        {
            file.text = text;
        }
        loaded
    }

    fn searched(&self) -> Vec<String> {
        self.disk.searched()
    }
}

/// The file through which another one is read: the first one beside it, in order of name, that
/// includes it, and so on; itself when there is none.
fn root_of(path: &Path, texts: &Overlay<'_>) -> PathBuf {
    let mut seen = vec![path.to_path_buf()];
    let mut root = path.to_path_buf();
    while let Some(next) = includer(&root, texts).filter(|next| !seen.contains(next)) {
        seen.push(next.clone());
        root = next;
    }
    root
}

fn includer(path: &Path, texts: &Overlay<'_>) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let entries = std::fs::read_dir(path.parent()?).ok()?;
    let mut beside: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    beside.retain(|p| p != path && p.extension().is_some_and(|e| e == "td"));
    beside.sort();
    let folder = path.parent()?.file_name().unwrap_or_default().to_string_lossy();
    let lines = [format!("include \"{name}\""), format!("include \"{folder}/{name}\"")];
    beside.into_iter().find(|candidate| {
        let text = texts
            .text_of(candidate)
            .map(Ok)
            .unwrap_or_else(|| std::fs::read_to_string(candidate).map(Arc::from));
        let includes = |l: &str| lines.iter().any(|line| l.trim_start().starts_with(line.as_str()));
        text.is_ok_and(|text| text.lines().any(includes))
    })
}

/// The identifier at an offset.
fn word_at(text: &str, offset: usize) -> Option<(&str, Range<usize>)> {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let offset = offset.min(text.len());
    let (before, after) = (text.get(..offset)?, text.get(offset..)?);
    let start = before
        .rfind(|c| !inside(c))
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
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
