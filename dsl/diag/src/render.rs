//! Diagnostics to text, by codespan-reporting.

use codespan_reporting::diagnostic as cs;
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term;
use std::ops::Range;

use crate::llvm;
use crate::{Diagnostic, Severity, SourceId, Sources, Span};

/// How a diagnostic is shown.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Style {
    /// With source lines, in plain text.
    Plain,
    /// With source lines and terminal colours.
    Coloured,
    /// One line a diagnostic, `file:line:col: error[code]: message`.
    Short,
    /// As LLVM's tools lay them out, for programs that read those:
    /// `file:line:col: error: message [code]`, the line and a mark below it; labels and the fix are
    /// notes of the same form.
    Llvm,
}

/// Renders diagnostics over a table of sources.
#[derive(Clone, Debug)]
pub struct Renderer<'a> {
    sources: &'a Sources,
    style: Style,
    config: term::Config,
}

impl<'a> Renderer<'a> {
    /// A renderer in the given style.
    pub fn new(sources: &'a Sources, style: Style) -> Self {
        Self { sources, style, config: term::Config::default() }
    }

    /// A renderer of plain text with source lines.
    pub fn plain(sources: &'a Sources) -> Self {
        Self::new(sources, Style::Plain)
    }

    /// All of `diagnostics`, one after the other.
    pub fn render_all<'d>(&self, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) -> String {
        diagnostics.into_iter().map(|diagnostic| self.render(diagnostic)).collect()
    }

    /// One diagnostic; ends in a line end.
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        match self.style {
            Style::Short => return self.short(diagnostic),
            Style::Llvm => return llvm::render(self.sources, diagnostic),
            Style::Plain | Style::Coloured => {}
        }
        let files = View(self.sources);
        let converted = self.convert(diagnostic);
        let rendered = if self.style == Style::Coloured {
            let styles = term::Styles::default();
            let mut buffer = term::termcolor::Ansi::new(Vec::new());
            let mut writer = term::StylesWriter::new(&mut buffer, &styles);
            term::emit_to_write_style(&mut writer, &self.config, &files, &converted)
                .map(|()| String::from_utf8_lossy(&buffer.into_inner()).into_owned())
        } else {
            term::emit_into_string(&self.config, &files, &converted)
        };
        // The view clamps every offset, so the writer has no reason to fail; should it fail all
        // the same, the message matters more than its looks.
        rendered.map_or_else(|_| self.short(diagnostic), |text| tidy(&text))
    }

    fn short(&self, diagnostic: &Diagnostic) -> String {
        let place = match diagnostic.primary {
            Some(span) => format!("{}: ", self.sources.locate(span)),
            None => String::new(),
        };
        let (severity, code) = (diagnostic.severity.as_str(), &diagnostic.code);
        format!("{place}{severity}[{code}]: {}\n", diagnostic.message)
    }

    fn range(&self, span: Span) -> Option<(SourceId, Range<usize>)> {
        let source = self.sources.get(span.source)?;
        let start = source.clamp(span.start);
        Some((span.source, start..source.clamp(span.end).max(start)))
    }

    fn convert(&self, diagnostic: &Diagnostic) -> cs::Diagnostic<SourceId> {
        let mut labels = Vec::new();
        let mut notes = diagnostic.notes.clone();
        let mut own = None;
        for (span, text) in &diagnostic.labels {
            if own.is_none() && diagnostic.primary == Some(*span) {
                own = Some(text.as_str());
            } else if let Some((file, range)) = self.range(*span) {
                labels.push(cs::Label::secondary(file, range).with_message(text));
            } else {
                notes.push(text.clone());
            }
        }
        if let Some((file, range)) = diagnostic.primary.and_then(|span| self.range(span)) {
            labels.insert(0, cs::Label::primary(file, range).with_message(own.unwrap_or("")));
        } else {
            notes.extend(own.map(str::to_owned));
        }
        if let Some(fix) = &diagnostic.fix {
            notes.push(format!("fix: {}", fix.description));
        }
        let severity = match diagnostic.severity {
            Severity::Help => cs::Severity::Help,
            Severity::Note => cs::Severity::Note,
            Severity::Warning => cs::Severity::Warning,
            Severity::Error => cs::Severity::Error,
        };
        cs::Diagnostic::new(severity)
            .with_code(diagnostic.code.as_ref())
            .with_message(&diagnostic.message)
            .with_labels(labels)
            .with_notes(notes)
    }
}

/// Drops blanks at line ends, which the writer leaves after empty source lines and which editors
/// strip from snapshots.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Sources as codespan-reporting wants to see them.
struct View<'a>(&'a Sources);

impl<'a> Files<'a> for View<'a> {
    type FileId = SourceId;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: SourceId) -> Result<&'a str, Error> {
        self.0.get(id).map(|source| &**source.name()).ok_or(Error::FileMissing)
    }

    fn source(&'a self, id: SourceId) -> Result<&'a str, Error> {
        self.0.get(id).map(|source| &**source.text()).ok_or(Error::FileMissing)
    }

    fn line_index(&'a self, id: SourceId, byte_index: usize) -> Result<usize, Error> {
        let source = self.0.get(id).ok_or(Error::FileMissing)?;
        Ok(source.line_index(u32::try_from(byte_index).unwrap_or(u32::MAX)))
    }

    fn line_range(&'a self, id: SourceId, line_index: usize) -> Result<Range<usize>, Error> {
        let source = self.0.get(id).ok_or(Error::FileMissing)?;
        let max = source.line_count().saturating_sub(1);
        source.line_range(line_index).ok_or(Error::LineTooLarge { given: line_index, max })
    }
}
