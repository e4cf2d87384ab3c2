//! Positions of the protocol and byte offsets.

use std::ops::Range;

use lsp_types::{Position, PositionEncodingKind};

/// What a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// 16-bit units.
    Utf16,
}

impl Encoding {
    /// Bytes when the client offers them, since everything else here counts bytes.
    pub(crate) fn choose(offered: Option<&[PositionEncodingKind]>) -> Encoding {
        let utf8 = offered.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8));
        if utf8 { Encoding::Utf8 } else { Encoding::Utf16 }
    }

    /// The protocol's name.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn columns(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
        }
    }
}

/// The lines of a text. A line ends with `\n`, `\r\n` or a lone `\r`, as the protocol has it.
#[derive(Clone, Debug)]
pub(crate) struct LineIndex {
    /// Where lines start; the first is 0.
    starts: Vec<usize>,
}

impl LineIndex {
    pub(crate) fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|&(at, &byte)| {
            byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
        });
        LineIndex { starts: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect() }
    }

    /// The number of lines; the empty text has one.
    pub(crate) fn count(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of a line without its end.
    fn line(&self, text: &str, line: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(line)?;
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let content = text.get(start..end)?.trim_end_matches(['\r', '\n']);
        Some(start..start + content.len())
    }

    /// The offset of a position. A column beyond the end of its line is the end, and one inside of
    /// a character its start; a line beyond the last is none.
    pub(crate) fn offset(
        &self,
        text: &str,
        encoding: Encoding,
        position: Position,
    ) -> Option<usize> {
        let range = self.line(text, position.line as usize)?;
        let line = text.get(range.clone())?;
        let column = position.character as usize;
        let mut seen = 0;
        for (at, char) in line.char_indices() {
            seen += match encoding {
                Encoding::Utf8 => char.len_utf8(),
                Encoding::Utf16 => char.len_utf16(),
            };
            if seen > column {
                return Some(range.start + at);
            }
        }
        Some(range.end)
    }

    /// The position of an offset; one beyond the text is its end, and one inside of a character
    /// its start.
    pub(crate) fn position(&self, text: &str, encoding: Encoding, offset: usize) -> Position {
        let offset = text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let before = text.get(start..offset).unwrap_or_default();
        // Between the two bytes of a line end there is no position.
        let before = before.trim_end_matches('\r');
        Position::new(line as u32, encoding.columns(before) as u32)
    }

    /// The positions of a range.
    pub(crate) fn range(
        &self,
        text: &str,
        encoding: Encoding,
        range: &Range<usize>,
    ) -> lsp_types::Range {
        lsp_types::Range {
            start: self.position(text, encoding, range.start),
            end: self.position(text, encoding, range.end.max(range.start)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Encoding, LineIndex};
    use lsp_types::Position;

    /// Every offset at a character's start goes to a position and back.
    fn check(text: &str) {
        let index = LineIndex::new(text);
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            for (offset, _) in text
                .char_indices()
                .filter(|&(at, char)| char != '\n' || !text[..at].ends_with('\r'))
            {
                let position = index.position(text, encoding, offset);
                assert_eq!(
                    index.offset(text, encoding, position),
                    Some(offset),
                    "{text:?} {encoding:?} {offset} {position:?}"
                );
            }
        }
    }

    #[test]
    fn round_trip() {
        for text in ["", "a", "a\nb", "ä\r\n𝄞x\r\n", "\r\r\n\n", "a\rb", "é\n\n\n", "x\n"] {
            check(text);
        }
    }

    #[test]
    fn columns_are_clamped() {
        let text = "𝄞x\nab";
        let index = LineIndex::new(text);
        let at = |encoding, line, column| index.offset(text, encoding, Position::new(line, column));
        assert_eq!(at(Encoding::Utf16, 0, 1), Some(0), "inside of a surrogate pair");
        assert_eq!(at(Encoding::Utf16, 0, 2), Some(4));
        assert_eq!(at(Encoding::Utf8, 0, 3), Some(0), "inside of a character");
        assert_eq!(at(Encoding::Utf8, 0, 4), Some(4));
        assert_eq!(at(Encoding::Utf16, 0, 99), Some(5));
        assert_eq!(at(Encoding::Utf16, 1, u32::MAX), Some(8));
        assert_eq!(at(Encoding::Utf16, 2, 0), None);
    }
}
