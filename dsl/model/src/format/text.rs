//! Where the bytes of a format string stand in its file.

use tegula_diag::{Diagnostic, Sources, Span};

/// A string value together with the place of each of its bytes.
///
/// A value that was computed (pasted, interpolated) has no such places; everything in it is then
/// located at the whole field.
pub(crate) struct FormatText<'a> {
    /// The string.
    pub(crate) text: &'a str,
    whole: Span,
    /// For each byte of `text` where it begins and ends in the file: an escape is longer than what
    /// it stands for. At last where the text ends.
    offsets: Option<Vec<(u32, u32)>>,
}

impl<'a> FormatText<'a> {
    /// Finds the bytes of `text` in the literals under `span`.
    pub(crate) fn new(text: &'a str, span: Span, sources: &Sources) -> FormatText<'a> {
        FormatText { text, whole: span, offsets: offsets(text, span, sources.slice(span)) }
    }

    /// The place of the bytes `start..end`.
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        let Some(offsets) = &self.offsets else { return self.whole };
        let end = end.max(start);
        let Some(&(first, _)) = offsets.get(start) else { return self.whole.end_point() };
        // The end is one past the last byte, not the next byte's place: literals may be apart.
        let last = match end.checked_sub(1).filter(|_| end > start) {
            Some(last) => offsets.get(last).map_or(first, |(_, end)| *end),
            None => first,
        };
        Span::new(self.whole.source, first, last)
    }

    /// Takes back the changes that diagnostics propose where places are not known byte by byte:
    /// they would replace the whole field.
    pub(crate) fn keep_only_exact_fixes(&self, diagnostics: &mut [Diagnostic]) {
        if self.offsets.is_none() {
            diagnostics.iter_mut().for_each(|diagnostic| diagnostic.fix = None);
        }
    }

    /// The whole field.
    pub(crate) fn whole(&self) -> Span {
        self.whole
    }
}

/// Reads string and code literals in `source`, which begins at `span.start`; none when they don't
/// join to `text`.
fn offsets(text: &str, span: Span, source: &str) -> Option<Vec<(u32, u32)>> {
    let bytes = source.as_bytes();
    let mut joined = Vec::new();
    let mut offsets = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"[{") {
            let end = source[at + 2..].find("}]").map_or(bytes.len(), |len| at + 2 + len);
            for (offset, &byte) in bytes[at + 2..end].iter().enumerate() {
                joined.push(byte);
                let start = span.start + (at + 2 + offset) as u32;
                offsets.push((start, start + 1));
            }
            at = end + 2;
        } else if bytes[at] == b'"' {
            at += 1;
            while at < bytes.len() && bytes[at] != b'"' {
                let start = at;
                let mut byte = bytes[at];
                if byte == b'\\' && at + 1 < bytes.len() {
                    at += 1;
                    byte = match bytes[at] {
                        b'n' => b'\n',
                        b't' => b'\t',
                        other => other,
                    };
                }
                joined.push(byte);
                at += 1;
                offsets.push((span.start + start as u32, span.start + at as u32));
            }
            at += 1;
        } else if bytes[at..].starts_with(b"//") {
            at = source[at..].find('\n').map_or(bytes.len(), |len| at + len);
        } else if bytes[at].is_ascii_whitespace() || joined.is_empty() {
            // The span may begin before the literal, at the field's name.
            at += 1;
        } else {
            break;
        }
    }
    let end = offsets.last().map_or(span.start, |(_, end)| *end);
    offsets.push((end, end));
    (joined == text.as_bytes()).then_some(offsets)
}
