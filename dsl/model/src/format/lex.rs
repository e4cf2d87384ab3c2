//! The tokens of a format.

use tegula_diag::Diagnostic;

use super::FormatText;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `` `text` ``, without the backquotes.
    Literal,
    /// `$name`, without the dollar.
    Variable,
    /// `type`, `attr-dict`
    Word,
    /// `"text"` as an argument of a custom directive, without the quotes.
    Quoted,
    /// `(`, `)`, `<`, `>`, `,`, `^`, `:`, `?`, `|`
    Punct(char),
    /// After everything else.
    End,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    pub(crate) text: &'a str,
    /// Bytes of the format text, delimiters included.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Cuts a format into tokens. Errors are reported and the offending character is skipped.
pub(crate) fn lex<'a>(source: &FormatText<'a>, out: &mut Vec<Diagnostic>) -> Vec<Token<'a>> {
    let text = source.text;
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        match byte {
            b if b.is_ascii_whitespace() => at += 1,
            b'`' | b'"' => match text[at + 1..].find(byte as char) {
                Some(len) => {
                    at += len + 2;
                    let kind = if byte == b'`' { Kind::Literal } else { Kind::Quoted };
                    tokens.push(Token { kind, text: &text[start + 1..at - 1], start, end: at });
                }
                None => {
                    let rest = text[at..].lines().next().unwrap_or_default().trim_end();
                    out.push(
                        Diagnostic::error(
                            "format-unterminated-literal",
                            if byte == b'`' {
                                "the literal has no closing backquote"
                            } else {
                                "the string has no closing quote"
                            },
                        )
                        .at(source.span(start, start + rest.len().max(1))),
                    );
                    at = bytes.len();
                }
            },
            b'$' => {
                at = word_end(bytes, at + 1);
                let name = &text[start + 1..at];
                if name.is_empty() {
                    out.push(
                        Diagnostic::error("format-unexpected-character", "`$` without a name")
                            .at(source.span(start, at)),
                    );
                } else {
                    tokens.push(Token { kind: Kind::Variable, text: name, start, end: at });
                }
            }
            b'(' | b')' | b'<' | b'>' | b',' | b'^' | b':' | b'?' | b'|' => {
                at += 1;
                let kind = Kind::Punct(byte as char);
                tokens.push(Token { kind, text: &text[start..at], start, end: at });
            }
            b if b.is_ascii_alphabetic() || b == b'_' => {
                at = word_end(bytes, at);
                // `-` joins the words of a directive; an arrow ends it.
                while bytes.get(at) == Some(&b'-')
                    && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic)
                {
                    at = word_end(bytes, at + 1);
                }
                tokens.push(Token { kind: Kind::Word, text: &text[start..at], start, end: at });
            }
            _ => {
                let ch = if text[at..].starts_with("->") {
                    "->"
                } else {
                    let len = text[at..].chars().next().map_or(1, char::len_utf8);
                    &text[at..at + len]
                };
                at += ch.len();
                out.push(
                    Diagnostic::error(
                        "format-unexpected-character",
                        format!("`{ch}` has no meaning in a format"),
                    )
                    .at(source.span(start, at))
                    .fix(
                        source.span(start, at),
                        format!("`{ch}`"),
                        "make it a literal",
                    ),
                );
            }
        }
    }
    tokens.push(Token { kind: Kind::End, text: "", start: bytes.len(), end: bytes.len() });
    tokens
}

fn word_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
        at += 1;
    }
    at
}
