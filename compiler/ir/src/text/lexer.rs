//! The lexer of MLIR text. It makes one token at a time and never fails: what is no token is an
//! [`Tok::Error`], which the parser reports where it stands.

use std::borrow::Cow;
use std::ops::Range;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tok {
    Eof,
    /// A character or unfinished string that begins no token.
    Error,
    /// `func.func`, `i32`, `x4`
    Bare,
    /// `@name` or `@"name"`
    At,
    /// `%name`
    Percent,
    /// `^name`
    Caret,
    /// `#name`
    Hash,
    /// `!name`
    Bang,
    Int,
    Float,
    Str,
    Arrow,
    Colon,
    ColonColon,
    Comma,
    Equal,
    LParen,
    RParen,
    LBrace,
    RBrace,
    LSquare,
    RSquare,
    Less,
    Greater,
    Minus,
    Plus,
    Star,
    Slash,
    Question,
    VertBar,
    Ellipsis,
    /// `{-#`
    MetaBegin,
    /// `#-}`
    MetaEnd,
}

/// A token: its kind and the bytes that it covers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Tok,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The token of a punctuation's text; none when there is no single one.
#[inline(always)]
pub(crate) fn punctuation(text: &str) -> Option<Tok> {
    Some(match text {
        "->" => Tok::Arrow,
        ":" => Tok::Colon,
        "::" => Tok::ColonColon,
        "," => Tok::Comma,
        "=" => Tok::Equal,
        "(" => Tok::LParen,
        ")" => Tok::RParen,
        "{" => Tok::LBrace,
        "}" => Tok::RBrace,
        "[" => Tok::LSquare,
        "]" => Tok::RSquare,
        "<" => Tok::Less,
        ">" => Tok::Greater,
        "-" => Tok::Minus,
        "+" => Tok::Plus,
        "*" => Tok::Star,
        "/" => Tok::Slash,
        "?" => Tok::Question,
        "|" => Tok::VertBar,
        "..." => Tok::Ellipsis,
        _ => return None,
    })
}

/// The first token at or after `pos`; `pos` must be at most the length of `text`.
pub(crate) fn next_token(text: &[u8], pos: usize) -> Token {
    let start = skip_trivia(text, pos);
    let Some(&first) = text.get(start) else {
        return Token { kind: Tok::Eof, start, end: start };
    };
    let (kind, end) = match first {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => (Tok::Bare, bare_end(text, start + 1)),
        b'0'..=b'9' => number(text, start),
        b'"' => match string_end(text, start) {
            Some(end) => (Tok::Str, end),
            None => (Tok::Error, line_end(text, start)),
        },
        b'@' => match text.get(start + 1) {
            Some(b'"') => match string_end(text, start + 1) {
                Some(end) => (Tok::At, end),
                None => (Tok::Error, line_end(text, start)),
            },
            Some(c) if c.is_ascii_alphabetic() || *c == b'_' => {
                (Tok::At, bare_end(text, start + 2))
            }
            _ => (Tok::Error, start + 1),
        },
        b'#' if text[start..].starts_with(b"#-}") => (Tok::MetaEnd, start + 3),
        b'%' => prefixed(text, start, Tok::Percent),
        b'^' => prefixed(text, start, Tok::Caret),
        b'#' => prefixed(text, start, Tok::Hash),
        b'!' => prefixed(text, start, Tok::Bang),
        b'-' if text.get(start + 1) == Some(&b'>') => (Tok::Arrow, start + 2),
        b':' if text.get(start + 1) == Some(&b':') => (Tok::ColonColon, start + 2),
        b'.' if text[start..].starts_with(b"...") => (Tok::Ellipsis, start + 3),
        b'{' if text[start..].starts_with(b"{-#") => (Tok::MetaBegin, start + 3),
        b'-' => (Tok::Minus, start + 1),
        b':' => (Tok::Colon, start + 1),
        b'{' => (Tok::LBrace, start + 1),
        b',' => (Tok::Comma, start + 1),
        b'=' => (Tok::Equal, start + 1),
        b'(' => (Tok::LParen, start + 1),
        b')' => (Tok::RParen, start + 1),
        b'}' => (Tok::RBrace, start + 1),
        b'[' => (Tok::LSquare, start + 1),
        b']' => (Tok::RSquare, start + 1),
        b'<' => (Tok::Less, start + 1),
        b'>' => (Tok::Greater, start + 1),
        b'+' => (Tok::Plus, start + 1),
        b'*' => (Tok::Star, start + 1),
        b'/' => (Tok::Slash, start + 1),
        b'?' => (Tok::Question, start + 1),
        b'|' => (Tok::VertBar, start + 1),
        _ => {
            // Take the whole character, so that spans stay on character boundaries.
            let mut end = start + 1;
            while text.get(end).is_some_and(|b| b & 0xC0 == 0x80) {
                end += 1;
            }
            (Tok::Error, end)
        }
    };
    Token { kind, start, end }
}

/// The tokens of a text, as the bytes that they cover.
pub fn tokens(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let token = next_token(text.as_bytes(), at);
        at = token.end;
        (token.kind != Tok::Eof).then_some(token.start..token.end)
    })
}

/// The first bracket, or end of the text, at or after `pos`, as [`next_token`] would come to it;
/// `pos` must be between two tokens.
#[inline]
pub(crate) fn next_bracket(text: &[u8], mut pos: usize) -> Token {
    // Brackets, and what they say nothing in, stand where a token begins: no token that begins with
    // another byte holds one of these.
    loop {
        let first = loop {
            match text.get(pos) {
                Some(&c) if BEGINS_BRACKET[usize::from(c)] => break c,
                Some(_) => pos += 1,
                None => return Token { kind: Tok::Eof, start: text.len(), end: text.len() },
            }
        };
        let start = pos;
        let kind = match first {
            b'"' => {
                pos = string_end(text, start).unwrap_or_else(|| line_end(text, start));
                continue;
            }
            b'/' if text.get(start + 1) == Some(&b'/') => {
                pos = line_end(text, start);
                continue;
            }
            b'#' if text[start..].starts_with(b"#-}") => Tok::MetaEnd,
            b'{' if text[start..].starts_with(b"{-#") => Tok::MetaBegin,
            b'(' => Tok::LParen,
            b')' => Tok::RParen,
            b'{' => Tok::LBrace,
            b'}' => Tok::RBrace,
            b'[' => Tok::LSquare,
            b']' => Tok::RSquare,
            _ => {
                pos = start + 1;
                continue;
            }
        };
        let len = if matches!(kind, Tok::MetaBegin | Tok::MetaEnd) { 3 } else { 1 };
        return Token { kind, start, end: start + len };
    }
}

/// Bytes that begin a bracket, a string, a comment or the end of resources.
static BEGINS_BRACKET: [bool; 256] = {
    let mut table = [false; 256];
    let mut at = 0;
    let bytes = b"(){}[]\"/#";
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
};

/// What ends a line, and a comment with it.
pub(super) const LINE_ENDS: [u8; 2] = [b'\n', b'\r'];

fn skip_trivia(text: &[u8], mut pos: usize) -> usize {
    while let Some(&c) = text.get(pos) {
        match c {
            b' ' | b'\t' | b'\n' | b'\r' => pos += 1,
            b'/' if text.get(pos + 1) == Some(&b'/') => pos = line_end(text, pos),
            _ => break,
        }
    }
    pos
}

fn line_end(text: &[u8], pos: usize) -> usize {
    text[pos..].iter().position(|c| LINE_ENDS.contains(c)).map_or(text.len(), |n| pos + n)
}

/// Bytes that go on a word, and those that go on a name behind a sigil.
static GOES_ON: [(bool, bool); 256] = {
    let mut table = [(false, false); 256];
    let mut at = 0;
    while at < table.len() {
        let c = at as u8;
        let word = c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$' | b'.');
        table[at] = (word, word || c == b'-');
        at += 1;
    }
    table
};

/// Whether a byte goes on a word.
#[inline]
pub(super) fn goes_on(c: u8) -> bool {
    GOES_ON[usize::from(c)].0
}

fn bare_end(text: &[u8], mut pos: usize) -> usize {
    while text.get(pos).is_some_and(|&c| goes_on(c)) {
        pos += 1;
    }
    pos
}

/// The end of the string that opens at `start`; none when it is not closed on its line.
pub(crate) fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let mut pos = start + 1;
    loop {
        match text.get(pos)? {
            b'"' => return Some(pos + 1),
            b'\\' => pos += 2,
            b'\n' => return None,
            _ => pos += 1,
        }
    }
}

fn prefixed(text: &[u8], start: usize, kind: Tok) -> (Tok, usize) {
    let mut pos = start + 1;
    match text.get(pos) {
        Some(c) if c.is_ascii_digit() => {
            while text.get(pos).is_some_and(u8::is_ascii_digit) {
                pos += 1;
            }
        }
        Some(&c) if GOES_ON[usize::from(c)].1 => {
            while text.get(pos).is_some_and(|&c| GOES_ON[usize::from(c)].1) {
                // `%a->` and `^a->` hold an arrow after the name.
                if text[pos] == b'-' && text.get(pos + 1) == Some(&b'>') {
                    break;
                }
                pos += 1;
            }
        }
        _ => return (Tok::Error, start + 1),
    }
    (kind, pos)
}

fn number(text: &[u8], start: usize) -> (Tok, usize) {
    let digits = |mut pos: usize| {
        while text.get(pos).is_some_and(u8::is_ascii_digit) {
            pos += 1;
        }
        pos
    };
    if text[start] == b'0'
        && text.get(start + 1) == Some(&b'x')
        && text.get(start + 2).is_some_and(u8::is_ascii_hexdigit)
    {
        let mut pos = start + 2;
        while text.get(pos).is_some_and(u8::is_ascii_hexdigit) {
            pos += 1;
        }
        return (Tok::Int, pos);
    }
    let mut pos = digits(start);
    if text.get(pos) != Some(&b'.') {
        return (Tok::Int, pos);
    }
    pos = digits(pos + 1);
    if matches!(text.get(pos), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(pos + 1), Some(b'+' | b'-')));
        if text.get(pos + 1 + sign).is_some_and(u8::is_ascii_digit) {
            pos = digits(pos + 1 + sign);
        }
    }
    (Tok::Float, pos)
}

/// The text of a string token, quotes included, without its escapes.
pub(crate) fn unescaped(token: &str) -> Cow<'_, str> {
    if token.contains('\\') {
        return Cow::Owned(String::from_utf8_lossy(&unescape(token.as_bytes())).into_owned());
    }
    Cow::Borrowed(token.get(1..token.len().saturating_sub(1)).unwrap_or_default())
}

/// The bytes of a string token, quotes included, without its escapes.
pub(crate) fn unescape(token: &[u8]) -> Vec<u8> {
    let inner = token.get(1..token.len().saturating_sub(1)).unwrap_or_default();
    let mut out = Vec::with_capacity(inner.len());
    let mut at = 0;
    while let Some(&c) = inner.get(at) {
        at += 1;
        if c != b'\\' {
            out.push(c);
            continue;
        }
        match inner.get(at) {
            Some(b'"') => out.push(b'"'),
            Some(b'\\') => out.push(b'\\'),
            Some(b'n') => out.push(b'\n'),
            Some(b't') => out.push(b'\t'),
            Some(&high) if high.is_ascii_hexdigit() => {
                let low = inner.get(at + 1).copied().unwrap_or(b'0');
                let digit = |c: u8| (c as char).to_digit(16).unwrap_or(0) as u8;
                out.push(digit(high) << 4 | digit(low));
                at += 1;
            }
            _ => out.push(b'\\'),
        }
        at += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_found_where_tokens_find_them() {
        let texts = [
            "\"a.b\"(%x#1) ({^bb0(%y-1: i1): // }\n  \"c\\\"}\"[] // (\n}) : (i1) -> ()",
            "{-# a: \"{\" #-} #-} #a-} #b-#-} @\"}\"( @{ %-} ->) ::[ ...]",
            "open \"string { ( \n } @\"other ] \n ) \"end\\",
            "/ } // a { // b\n/( ä{é} <[>] 0x}1.5e-3{ \"\\\n}\" }",
            "",
            "#",
            "/",
            "//",
            "{-#",
        ];
        for text in texts {
            let bytes = text.as_bytes();
            let is_bracket = |token: &Token| {
                let begins = ["(", ")", "{", "}", "[", "]", "{-#", "#-}", ""];
                begins.contains(&&text[token.start..token.end])
            };
            let all = |next: &dyn Fn(usize) -> Token| {
                let (mut found, mut at) = (Vec::new(), 0);
                loop {
                    let token = next(at);
                    found.extend(is_bracket(&token).then_some((token.start, token.end)));
                    if token.kind == Tok::Eof {
                        return found;
                    }
                    at = token.end;
                }
            };
            assert_eq!(
                all(&|at| next_bracket(bytes, at)),
                all(&|at| next_token(bytes, at)),
                "{text}"
            );
        }
    }
}
