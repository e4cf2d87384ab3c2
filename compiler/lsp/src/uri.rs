//! URIs and paths.

use std::path::PathBuf;

use tegula_ide::VirtualDoc;

/// The scheme of virtual documents.
pub(crate) const SCHEME: &str = "tegula";

/// What a document's URI names: the path of a `file:` URI, and for other schemes the URI itself, so
/// that documents without a file have a key, too. Two spellings of one file are one path.
pub(crate) fn to_path(uri: &str) -> PathBuf {
    let Some(rest) = strip_scheme(uri, "file") else { return PathBuf::from(uri) };
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let path = match rest.strip_prefix("//") {
        // The authority is empty or the local machine's name.
        Some(after) => after.find('/').map_or("", |at| &after[at..]),
        None => rest,
    };
    let decoded = decode(path);
    // `/c:/x` is `c:/x` on Windows.
    let drive = cfg!(windows) && decoded.as_bytes().get(2) == Some(&b':');
    PathBuf::from(if drive { decoded[1..].to_owned() } else { decoded })
}

/// Reads `tegula:/ir-after/PASS?SOURCE`: the document, and the spellings that the source's URI can
/// have, the likelier first (editors escape a query or don't).
pub(crate) fn virtual_document(uri: &str) -> Option<(VirtualDoc, Vec<String>)> {
    let rest = strip_scheme(uri, SCHEME)?;
    let (document, source) = rest.split_once('?')?;
    let document = VirtualDoc::parse(&decode(document.trim_start_matches('/')))?;
    let decoded = decode(source);
    // Escapes of an escaped query are those of the URI in it.
    let sources = if source.contains("%3A") || source.contains("%3a") {
        vec![decoded, source.to_owned()]
    } else {
        vec![source.to_owned(), decoded]
    };
    Some((document, sources))
}

fn strip_scheme<'a>(uri: &'a str, scheme: &str) -> Option<&'a str> {
    let (found, rest) = uri.split_once(':')?;
    found.eq_ignore_ascii_case(scheme).then_some(rest)
}

/// Replaces `%XX`. What is no escape stays, and bytes that are no UTF-8 become `U+FFFD`.
fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| (*bytes.get(at)? as char).to_digit(16);
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{to_path, virtual_document};
    use std::path::Path;
    use tegula_ide::VirtualDoc;

    #[test]
    fn paths() {
        let cases = [
            ("file:///a/b.mlir", "/a/b.mlir"),
            ("file:///a%20b/%C3%BC.td", "/a b/ü.td"),
            ("file://localhost/a.td", "/a.td"),
            ("FILE:/a.td", "/a.td"),
            ("file:///100%.td", "/100%.td"),
            ("file:///%2", "/%2"),
            ("file:", ""),
            ("untitled:Untitled-1", "untitled:Untitled-1"),
        ];
        for (uri, path) in cases {
            assert_eq!(to_path(uri), Path::new(path), "{uri}");
        }
    }

    #[test]
    fn virtual_documents() {
        let (document, sources) =
            virtual_document("tegula:/ir-after/canonicalize%232?file:///a%20b.mlir").expect("one");
        assert_eq!(document, VirtualDoc::IrAfter("canonicalize#2".into()));
        assert_eq!(to_path(&sources[0]), Path::new("/a b.mlir"));
        let escaped = "tegula:/assembly-of/f?file%3A%2F%2F%2Fa%2520b.mlir";
        let (document, sources) = virtual_document(escaped).expect("one");
        assert_eq!(document, VirtualDoc::AssemblyOf("f".into()));
        assert_eq!(to_path(&sources[0]), Path::new("/a b.mlir"));
        for wrong in ["tegula:/ir-after/x", "tegula:/x/y?file:///a", "file:///a", "", "tegula:"] {
            assert_eq!(virtual_document(wrong), None, "{wrong}");
        }
    }
}
