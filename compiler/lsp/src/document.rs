//! The text of an open document as the client has it.

use std::collections::BTreeSet;

use lsp_types::{TextDocumentContentChangeEvent, Uri};
use tegula_ide::{Finding, Language};

use crate::position::{Encoding, LineIndex};

/// An open document.
pub(crate) struct Document {
    /// As the client spells it.
    pub(crate) uri: Uri,
    pub(crate) language: Language,
    /// The client's number of the text.
    pub(crate) version: i32,
    pub(crate) text: String,
    pub(crate) lines: LineIndex,
    /// Our number of the state: another text of a file that this one reads makes another state.
    pub(crate) revision: u64,
    /// Findings of this state are still to be asked for.
    pub(crate) dirty: bool,
    /// A check is on its way, of this state or of an earlier one.
    pub(crate) checking: bool,
    /// What was published last, and for which state.
    pub(crate) findings: Vec<Finding>,
    pub(crate) found_for: u64,
    /// The virtual documents that the client has of it, by URI.
    pub(crate) shown: BTreeSet<String>,
}

impl Document {
    pub(crate) fn new(uri: Uri, language: Language, version: i32, text: String) -> Document {
        let lines = LineIndex::new(&text);
        Document {
            uri,
            language,
            version,
            text,
            lines,
            revision: 0,
            dirty: true,
            checking: false,
            findings: Vec::new(),
            found_for: 0,
            shown: BTreeSet::new(),
        }
    }

    /// Applies changes in order, each to the text that the one before it left. False when one of
    /// them starts on a line that does not exist: client and server no longer have the same text.
    pub(crate) fn apply(
        &mut self,
        encoding: Encoding,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) -> bool {
        for change in changes {
            match change.range {
                None => self.text = change.text,
                Some(range) => {
                    let offset = |at| self.lines.offset(&self.text, encoding, at);
                    // The line after the last is how some clients name the end of the text.
                    let start = match offset(range.start) {
                        Some(start) => start,
                        None if self.is_after_last(range.start) => self.text.len(),
                        None => return false,
                    };
                    let end = offset(range.end).unwrap_or(self.text.len()).max(start);
                    self.text.replace_range(start..end, &change.text);
                }
            }
            self.lines = LineIndex::new(&self.text);
        }
        true
    }

    fn is_after_last(&self, position: lsp_types::Position) -> bool {
        self.lines.count() == position.line as usize && position.character == 0
    }

    /// The positions of a range of bytes.
    pub(crate) fn range(
        &self,
        encoding: Encoding,
        range: &std::ops::Range<usize>,
    ) -> lsp_types::Range {
        self.lines.range(&self.text, encoding, range)
    }
}

#[cfg(test)]
mod tests {
    use super::Document;
    use crate::position::Encoding;
    use lsp_types::{Position, Range, TextDocumentContentChangeEvent};
    use tegula_ide::Language;

    fn check(text: &str, changes: &[(u32, u32, u32, u32, &str)], expected: Option<&str>) {
        let uri = "file:///a.td".parse().expect("a URI");
        let mut document = Document::new(uri, Language::Td, 1, text.to_owned());
        let changes = changes.iter().map(|&(line, column, to_line, to_column, text)| {
            let range = Range::new(Position::new(line, column), Position::new(to_line, to_column));
            TextDocumentContentChangeEvent {
                range: Some(range),
                range_length: None,
                text: text.to_owned(),
            }
        });
        let applied = document.apply(Encoding::Utf16, changes.collect());
        assert_eq!(applied.then_some(document.text.as_str()), expected);
    }

    #[test]
    fn changes() {
        check("ab\ncd", &[(0, 1, 1, 1, "X")], Some("aXd"));
        check("ab\ncd", &[(0, 0, 0, 0, "1\n"), (1, 2, 1, 2, "!")], Some("1\nab!\ncd"));
        check("𝄞é\n", &[(0, 2, 0, 3, "")], Some("𝄞\n"));
        check("a\r\nb", &[(0, 9, 0, 9, "x")], Some("ax\r\nb"));
        check("a", &[(0, 0, 7, 0, "b")], Some("b"));
        check("a\n", &[(2, 0, 2, 0, "b")], Some("a\nb"));
        check("abc", &[(0, 2, 0, 1, "x")], Some("abxc"));
        check("a", &[(9, 0, 9, 0, "b")], None);
    }
}
