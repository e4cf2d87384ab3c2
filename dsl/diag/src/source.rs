//! Source texts, positions in them, and the table that owns them.

use std::fmt;
use std::ops::Deref;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Names one text in a [`Sources`] table.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// A range of bytes in one source.
///
/// Offsets may lie outside of the text or inside of a character (the text may have been edited
/// since): every consumer clamps them, so a span is never a reason to panic.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The source that the offsets refer to.
    pub source: SourceId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// A span of the bytes `start..end`; an end before the start is moved to it.
    pub fn new(source: SourceId, start: u32, end: u32) -> Self {
        Self { source, start, end: end.max(start) }
    }

    /// The empty span at `offset`.
    pub fn at(source: SourceId, offset: u32) -> Self {
        Self::new(source, offset, offset)
    }

    /// The smallest span that covers both; `self` when they lie in different sources.
    pub fn to(self, other: Span) -> Self {
        if self.source != other.source {
            return self;
        }
        Self::new(self.source, self.start.min(other.start), self.end.max(other.end))
    }

    /// The empty span at this span's end.
    pub fn end_point(self) -> Self {
        Self::at(self.source, self.end)
    }

    /// Whether no byte lies in the span.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Number of bytes in the span.
    pub fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether `offset` lies in the span; its end counts, as a cursor may stand there.
    pub fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.source.0, self.start, self.end)
    }
}

/// A position for people: both numbers count from 1.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineCol {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, counted in characters (Unicode scalar values).
    pub col: u32,
}

/// A text that is shared. It is taken over as it is, for it may be large.
#[derive(Clone, Debug)]
pub struct Text(Shared);

#[derive(Clone, Debug)]
enum Shared {
    Str(Arc<str>),
    String(Arc<String>),
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        match &self.0 {
            Shared::Str(text) => text,
            Shared::String(text) => text,
        }
    }
}

impl Default for Text {
    fn default() -> Text {
        Text::from("")
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(Shared::String(text.into()))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(Shared::Str(text.into()))
    }
}

impl From<Arc<str>> for Text {
    fn from(text: Arc<str>) -> Text {
        Text(Shared::Str(text))
    }
}

impl From<Text> for Arc<str> {
    fn from(text: Text) -> Arc<str> {
        match text.0 {
            Shared::Str(text) => text,
            Shared::String(text) => text.as_str().into(),
        }
    }
}

/// The line of what stands so near to the begin of a text is counted, not looked up.
const NEAR: usize = 4096;

/// One text with its name and line index.
#[derive(Clone, Debug)]
pub struct Source {
    path: Arc<Path>,
    name: Arc<str>,
    text: Text,
    /// Where lines begin, once that was asked for.
    line_starts: OnceLock<Arc<[u32]>>,
    is_virtual: bool,
}

impl Source {
    fn new(path: PathBuf, text: Text, is_virtual: bool) -> Self {
        let name = path.to_string_lossy().into();
        Self { name, path: path.into(), text, line_starts: OnceLock::new(), is_virtual }
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let ends = self.text.bytes().zip(1u32..).filter(|(b, _)| *b == b'\n');
            std::iter::once(0).chain(ends.map(|(_, i)| i)).collect()
        })
    }

    /// The path that the text came from, or the made-up path of a virtual source.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path as text, as diagnostics show it.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The text itself.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// Whether the text has no file behind it (embedded preludes, command-line arguments).
    pub fn is_virtual(&self) -> bool {
        self.is_virtual
    }

    /// Number of lines; the empty text has one.
    pub fn line_count(&self) -> usize {
        self.line_starts().len()
    }

    /// The nearest offset at or before `offset` that is inside of the text and on a character
    /// boundary.
    pub fn clamp(&self, offset: u32) -> usize {
        self.text.floor_char_boundary(offset as usize)
    }

    /// The index, from 0, of the line that `offset` (clamped) lies in.
    pub fn line_index(&self, offset: u32) -> usize {
        let offset = self.clamp(offset);
        match self.line_starts.get() {
            None if offset < NEAR => self.text[..offset].matches('\n').count(),
            _ => {
                let starts = self.line_starts();
                starts.partition_point(|start| *start as usize <= offset).saturating_sub(1)
            }
        }
    }

    /// The bytes of line `index` (from 0), its line end included; `None` past the last line.
    pub fn line_range(&self, index: usize) -> Option<Range<usize>> {
        let start = *self.line_starts().get(index)? as usize;
        let end = self.line_starts().get(index + 1).map_or(self.text.len(), |end| *end as usize);
        Some(start..end)
    }

    /// The text of line `index` (from 0) without its line end, be it LF or CRLF.
    pub fn line(&self, index: usize) -> Option<&str> {
        let line = self.text.get(self.line_range(index)?)?;
        let line = line.strip_suffix('\n').unwrap_or(line);
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    /// The line and column of `offset`, clamped.
    pub fn line_col(&self, offset: u32) -> LineCol {
        let before = &self.text[..self.clamp(offset)];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let col = before[start..].chars().count() as u32 + 1;
        LineCol { line: self.line_index(offset) as u32 + 1, col }
    }

    /// The offset of a line and column; positions past a line's or the text's end are clamped.
    pub fn offset(&self, position: LineCol) -> u32 {
        let index = position.line.saturating_sub(1) as usize;
        let Some(range) = self.line_range(index) else { return self.text.len() as u32 };
        let line = self.line(index).unwrap_or("");
        let col = position.col.saturating_sub(1) as usize;
        let within = line.char_indices().nth(col).map_or(line.len(), |(at, _)| at);
        (range.start + within) as u32
    }
}

/// The texts that spans refer to, in the order in which they were added.
///
/// Adding a path a second time makes a second source: callers that want one source per path
/// ask [`Sources::find`] first. Cloning is cheap, for texts are shared.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<Source>,
}

impl Sources {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the text of a file.
    pub fn add(&mut self, path: impl Into<PathBuf>, text: impl Into<Text>) -> SourceId {
        self.push(Source::new(path.into(), text.into(), false))
    }

    /// Adds a text without a file behind it.
    pub fn add_virtual(&mut self, name: impl Into<PathBuf>, text: impl Into<Text>) -> SourceId {
        self.push(Source::new(name.into(), text.into(), true))
    }

    fn push(&mut self, source: Source) -> SourceId {
        let id = SourceId(self.list.len() as u32);
        self.list.push(source);
        id
    }

    /// The source of `id`.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.list.get(id.0 as usize)
    }

    /// The text of `id`; empty when there is no such source.
    pub fn text(&self, id: SourceId) -> &str {
        self.get(id).map_or("", |source| &source.text)
    }

    /// The path of `id` as text; empty when there is no such source.
    pub fn name(&self, id: SourceId) -> &str {
        self.get(id).map_or("", |source| &source.name)
    }

    /// The first source that was added under `path`.
    pub fn find(&self, path: &Path) -> Option<SourceId> {
        let index = self.list.iter().position(|source| *source.path == *path)?;
        Some(SourceId(index as u32))
    }

    /// All sources with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        (0u32..).map(SourceId).zip(&self.list)
    }

    /// The text under `span`, clamped to the source and to character boundaries.
    pub fn slice(&self, span: Span) -> &str {
        let Some(source) = self.get(span.source) else { return "" };
        let (start, end) = (source.clamp(span.start), source.clamp(span.end));
        source.text.get(start..end).unwrap_or("")
    }

    /// The line and column of the span's start; 1:1 when there is no such source.
    pub fn line_col(&self, span: Span) -> LineCol {
        self.get(span.source).map_or(LineCol { line: 1, col: 1 }, |s| s.line_col(span.start))
    }

    /// `file:line:col` of the span's start.
    pub fn locate(&self, span: Span) -> String {
        let LineCol { line, col } = self.line_col(span);
        format!("{}:{line}:{col}", self.name(span.source))
    }
}
