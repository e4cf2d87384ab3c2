//! Text from bytes, and where bytes stop being text.

use std::path::{Path, PathBuf};

use crate::{Diagnostic, Sources, Span};

/// Bytes that are no text.
#[derive(Clone, Debug)]
pub struct NotText {
    path: PathBuf,
    diagnostic: Diagnostic,
    /// The text up to the bytes in the way, something to show in their place, and where that stands.
    shown: Option<(String, u32, u32)>,
}

impl NotText {
    /// The error, at the first byte that is wrong; what is readable up to there becomes a source.
    pub fn locate(self, sources: &mut Sources) -> Diagnostic {
        match self.shown {
            Some((text, start, end)) => {
                let source = sources.add(self.path, text);
                self.diagnostic.at(Span::new(source, start, end))
            }
            None => self.diagnostic,
        }
    }
}

/// The text of a file's bytes: UTF-8, without the mark that some editors begin a file with and do
/// not show.
pub fn decode(path: &Path, bytes: Vec<u8>) -> Result<String, Box<NotText>> {
    let fail =
        |diagnostic, shown| Err(Box::new(NotText { path: path.to_path_buf(), diagnostic, shown }));
    let name = path.display();
    let mut text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.as_bytes();
            let byte = bytes.get(at).copied().unwrap_or_default();
            let message = format!("{name} is no UTF-8 text: byte 0x{byte:02X} is invalid");
            let diagnostic = Diagnostic::error("invalid-utf8", message);
            if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
                return fail(diagnostic.note("it looks like UTF-16; save it as UTF-8"), None);
            }
            return fail(diagnostic, shown(bytes, at, char::REPLACEMENT_CHARACTER));
        }
    };
    if text.len() >= u32::MAX as usize {
        let message = format!("{name} is larger than 4 GiB");
        return fail(Diagnostic::error("input-too-large", message), None);
    }
    if let Some(at) = text.find('\0') {
        let message = format!("{name} is no text: it holds a zero byte");
        let diagnostic = Diagnostic::error("not-text", message);
        return fail(diagnostic, shown(text.as_bytes(), at, '\u{2400}'));
    }
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// The text before an offset, what follows being anything, with a character in its place.
fn shown(bytes: &[u8], at: usize, instead: char) -> Option<(String, u32, u32)> {
    let mut text = String::from_utf8_lossy(bytes.get(..at)?).into_owned();
    let start = u32::try_from(text.len()).ok()?;
    text.push(instead);
    let end = u32::try_from(text.len()).ok()?;
    Some((text, start, end))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::decode;
    use crate::Sources;

    /// Line and column.
    type Place = Option<(u32, u32)>;

    fn check(bytes: &[u8], expected: Result<&str, (&str, Place)>) {
        let mut sources = Sources::new();
        let found = decode(Path::new("a.td"), bytes.to_vec());
        let found = found.map_err(|error| error.locate(&mut sources));
        match (&found, expected) {
            (Ok(text), Ok(expected)) => assert_eq!(text, expected),
            (Err(found), Err((code, place))) => {
                assert_eq!(found.code, code);
                let found = found.primary.map(|span| sources.line_col(span));
                assert_eq!(found.map(|at| (at.line, at.col)), place);
            }
            _ => panic!("{found:?}"),
        }
    }

    #[test]
    fn texts() {
        check(b"", Ok(""));
        check("\u{feff}é\r\n".as_bytes(), Ok("é\r\n"));
        check(b"def a;\n// gr\xFC\xDFe\n", Err(("invalid-utf8", Some((2, 6)))));
        check("é\n\u{1d11e}\0".as_bytes(), Err(("not-text", Some((2, 2)))));
        check(b"cut \xE2\x82", Err(("invalid-utf8", Some((1, 5)))));
        check(b"\xFF\xFEd\0", Err(("invalid-utf8", None)));
    }
}
