//! The parser of everything below ops: words, punctuation, lists, types and attributes.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tegula_diag::{Diagnostic, SourceId, Span, did_you_mean};

use super::alias::{AliasTable, BROKEN_ALIAS};
use super::lexer::{Tok, Token, next_token, punctuation, unescape};
use crate::{Attr, DYNAMIC, Ident, Registry, Type};

/// A parse that failed, with the diagnostic that says why.
#[derive(Clone, Debug)]
pub struct ParseError(pub(crate) Box<Diagnostic>);

impl ParseError {
    /// The diagnostic.
    pub fn into_diagnostic(self) -> Diagnostic {
        *self.0
    }

    /// Adds a sentence to the diagnostic.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> ParseError {
        self.0.notes.push(text.into());
        self
    }

    /// Asks whether the name that is nearest to an unknown one was meant, if one is near enough.
    #[must_use]
    pub fn suggest<'a>(self, name: &str, names: impl IntoIterator<Item = &'a str>) -> ParseError {
        match did_you_mean(name, names) {
            Some(question) => self.note(question),
            None => self,
        }
    }
}

/// The types of an op's operands.
pub(crate) type Inputs = SmallVec<[Type; 4]>;

/// The types of an op's results.
pub(crate) type Results = SmallVec<[Type; 2]>;

/// What a parsing function gives.
pub type ParseResult<T> = Result<T, ParseError>;

/// Where a text stands: the source, and the offset of the text's first byte in it.
#[derive(Clone, Copy, Debug)]
pub struct TextOrigin {
    /// The source.
    pub source: SourceId,
    /// The offset of the text in the source.
    pub base: u32,
}

/// A parser over one text. Hooks of types and attributes read their parameters through it.
pub struct AsmParser<'a> {
    pub(crate) registry: &'a Registry,
    pub(crate) text: &'a str,
    pub(crate) origin: TextOrigin,
    pub(crate) tok: Token,
    /// The end of the last token that was consumed.
    pub(crate) last_end: usize,
    pub(crate) aliases: &'a AliasTable,
    /// Types by the text that they were read from; the alias table is fixed for a parser, so equal
    /// text gives an equal type.
    pub(crate) type_memo: FxHashMap<&'a str, Type>,
    /// Signatures of ops by the rest of the line that they were read from.
    pub(crate) signature_memo: FxHashMap<&'a str, (Inputs, Results)>,
    /// Dialect attributes likewise.
    pub(crate) attr_memo: FxHashMap<&'a str, Attr>,
}

impl<'a> AsmParser<'a> {
    /// A parser at the start of a text.
    pub fn new(
        registry: &'a Registry,
        text: &'a str,
        origin: TextOrigin,
        aliases: &'a AliasTable,
    ) -> AsmParser<'a> {
        let tok = next_token(text.as_bytes(), 0);
        AsmParser {
            registry,
            text,
            origin,
            tok,
            last_end: 0,
            aliases,
            type_memo: FxHashMap::default(),
            signature_memo: FxHashMap::default(),
            attr_memo: FxHashMap::default(),
        }
    }

    /// The installed definitions.
    pub fn registry(&self) -> &'a Registry {
        self.registry
    }

    // ---- errors and places

    pub(crate) fn span_of(&self, start: usize, end: usize) -> Span {
        let base = self.origin.base;
        Span::new(self.origin.source, base + start as u32, base + end as u32)
    }

    /// The span of the current token.
    pub fn span(&self) -> Span {
        self.span_of(self.tok.start, self.tok.end)
    }

    /// The offset of the current token in the text, for [`AsmParser::span_from`].
    pub fn offset(&self) -> usize {
        self.tok.start
    }

    /// The span from an offset to the end of the last token that was consumed.
    pub fn span_from(&self, start: usize) -> Span {
        self.span_of(start, self.last_end.max(start))
    }

    /// An error at the current token.
    pub fn error(&self, message: impl Into<String>) -> ParseError {
        self.error_at(self.span(), message)
    }

    /// An error at a place.
    pub fn error_at(&self, span: Span, message: impl Into<String>) -> ParseError {
        ParseError(Box::new(Diagnostic::error("syntax", message).at(span)))
    }

    /// The error for an alias that has no value.
    pub(crate) fn no_alias<'n>(
        &self,
        sigil: &str,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> ParseError {
        let written = format!("{sigil}{name}");
        if self.aliases.is_broken(&written) {
            let message = format!("the definition of `{written}` is wrong");
            let diagnostic = Diagnostic::error(BROKEN_ALIAS, message).at(self.span());
            return ParseError(Box::new(diagnostic));
        }
        self.error(format!("`{written}` is not defined")).suggest(name, known)
    }

    /// An error at the current token that says what was expected and what is there.
    pub(crate) fn expected(&self, what: &str) -> ParseError {
        let found = match self.tok.kind {
            Tok::Eof => "the end of the text".to_owned(),
            Tok::Error if self.token_text() == "@" => {
                "an `@` without a name: letters, digits and `_$.-`, or a string".to_owned()
            }
            Tok::Error if self.token_text().starts_with(['"', '@']) => {
                "a string that is not closed".to_owned()
            }
            Tok::Error => {
                let character = self.token_text();
                return self.error(format!("unexpected character `{character}`, expected {what}"));
            }
            _ => format!("`{}`", self.token_text()),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    // ---- tokens

    pub(crate) fn token_text(&self) -> &'a str {
        self.slice(self.tok.start, self.tok.end)
    }

    pub(crate) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or("")
    }

    pub(crate) fn advance(&mut self) {
        self.last_end = self.tok.end;
        self.tok = next_token(self.text.as_bytes(), self.tok.end);
    }

    /// Goes on at a byte offset; used where tokens are cut differently (dimension lists).
    pub(crate) fn reset_to(&mut self, pos: usize) {
        self.last_end = pos;
        self.tok = next_token(self.text.as_bytes(), pos);
    }

    /// The text from the current token on.
    pub(crate) fn rest(&self) -> &'a str {
        self.slice(self.tok.start, self.text.len())
    }

    pub(crate) fn peek(&self) -> Token {
        next_token(self.text.as_bytes(), self.tok.end)
    }

    pub(crate) fn eat_tok(&mut self, kind: Tok) -> bool {
        let found = self.tok.kind == kind;
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn expect_tok(&mut self, kind: Tok, what: &str) -> ParseResult<()> {
        if self.eat_tok(kind) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// Whether the text ends here.
    pub fn at_end(&self) -> bool {
        self.tok.kind == Tok::Eof
    }

    /// Whether this keyword or punctuation comes next. Which of both it is, is decided where this is
    /// inlined: most literals are constants.
    #[inline(always)]
    pub fn at(&self, literal: &str) -> bool {
        match punctuation(literal) {
            Some(kind) => self.tok.kind == kind,
            None if self.tok.kind == Tok::Bare => self.token_text() == literal,
            None => {
                // Joint punctuation (`=>`) is several tokens without blanks between them.
                !literal.is_empty()
                    && !literal.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
                    && self.text[self.tok.start..].starts_with(literal)
            }
        }
    }

    /// Whether a word comes next that begins a builtin type.
    pub(crate) fn at_type_word(&self) -> bool {
        let word = self.token_text();
        self.tok.kind == Tok::Bare
            && self.at_attr()
            && !matches!(
                word,
                "true"
                    | "false"
                    | "unit"
                    | "dense"
                    | "affine_map"
                    | "affine_set"
                    | "array"
                    | "strided"
                    | "sparse"
                    | "dense_resource"
                    | "distinct"
                    | "loc"
            )
    }

    /// Consumes this keyword or punctuation if it comes next.
    #[inline(always)]
    pub fn eat(&mut self, literal: &str) -> bool {
        if !self.at(literal) {
            return false;
        }
        self.reset_to(self.tok.start + literal.len());
        true
    }

    /// Consumes this keyword or punctuation. `::` gives a `:` where one has to stand.
    #[inline(always)]
    pub fn expect(&mut self, literal: &str) -> ParseResult<()> {
        if self.eat(literal) { Ok(()) } else { self.not_there(literal) }
    }

    #[cold]
    fn not_there(&mut self, literal: &str) -> ParseResult<()> {
        if literal == ":" && self.tok.kind == Tok::ColonColon {
            self.reset_to(self.tok.start + 1);
            return Ok(());
        }
        Err(self.expected(&format!("`{literal}`")))
    }

    // ---- words and literals

    /// A keyword, if one comes next.
    pub fn eat_keyword(&mut self) -> Option<&'a str> {
        if self.tok.kind != Tok::Bare {
            return None;
        }
        let text = self.token_text();
        self.advance();
        Some(text)
    }

    /// A keyword.
    pub fn keyword(&mut self) -> ParseResult<&'a str> {
        self.eat_keyword().ok_or_else(|| self.expected("a keyword"))
    }

    /// One of these keywords, if one comes next.
    pub fn eat_keyword_of(&mut self, allowed: &[&str]) -> Option<&'a str> {
        if self.tok.kind != Tok::Bare || !allowed.contains(&self.token_text()) {
            return None;
        }
        self.eat_keyword()
    }

    /// One of these keywords.
    pub fn keyword_of(&mut self, allowed: &[&str]) -> ParseResult<&'a str> {
        match self.eat_keyword_of(allowed) {
            Some(word) => Ok(word),
            None => {
                let list: Vec<String> = allowed.iter().map(|w| format!("`{w}`")).collect();
                let error = self.expected(&format!("one of {}", list.join(", ")));
                let word = (self.tok.kind == Tok::Bare).then(|| self.token_text());
                Err(match word {
                    Some(word) => error.suggest(word, allowed.iter().copied()),
                    None => error,
                })
            }
        }
    }

    /// A keyword or a string in quotes.
    pub fn keyword_or_string(&mut self) -> ParseResult<String> {
        match self.tok.kind {
            Tok::Str => self.string(),
            _ => self
                .eat_keyword()
                .map(str::to_owned)
                .ok_or_else(|| self.expected("a keyword or a string")),
        }
    }

    /// The bytes of a string in quotes, if one comes next.
    pub fn eat_string_bytes(&mut self) -> Option<Vec<u8>> {
        if self.tok.kind != Tok::Str {
            return None;
        }
        let bytes = unescape(self.token_text().as_bytes());
        self.advance();
        Some(bytes)
    }

    /// A UTF-8 string in quotes, if one comes next.
    pub fn eat_string(&mut self) -> Option<String> {
        let bytes = self.eat_string_bytes()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A string in quotes.
    pub fn string(&mut self) -> ParseResult<String> {
        self.check_escapes()?;
        self.eat_string().ok_or_else(|| self.expected("a string"))
    }

    /// What is escaped in a string that comes next is a quote, a backslash, a line end, a tab or
    /// any byte as two hexadecimal digits.
    pub(crate) fn check_escapes(&self) -> ParseResult<()> {
        let text = self.token_text().as_bytes();
        let mut at = 0;
        while self.tok.kind == Tok::Str
            && let Some(&c) = text.get(at)
        {
            let hex = |n: usize| text.get(at + n).is_some_and(u8::is_ascii_hexdigit);
            at += match (c, text.get(at + 1)) {
                (b'\\', Some(b'"' | b'\\' | b'n' | b't')) => 2,
                (b'\\', _) if hex(1) && hex(2) => 3,
                (b'\\', _) => {
                    let start = self.tok.start + at;
                    let span = self.span_of(start, (start + 2).min(self.tok.end));
                    return Err(self.error_at(span, "unknown escape in a string"));
                }
                _ => 1,
            };
        }
        Ok(())
    }

    /// A symbol's name without `@`, if one comes next.
    pub fn eat_symbol_name(&mut self) -> Option<Ident> {
        if self.tok.kind != Tok::At {
            return None;
        }
        let text = &self.token_text()[1..];
        let name = match text.starts_with('"') {
            true => Ident::of(&String::from_utf8_lossy(&unescape(text.as_bytes()))),
            false => Ident::of(text),
        };
        self.advance();
        Some(name)
    }

    /// A symbol's name, `@name`.
    pub fn symbol_name(&mut self) -> ParseResult<Ident> {
        self.eat_symbol_name().ok_or_else(|| self.expected("a symbol name"))
    }

    /// An integer of any size with an optional sign, if one comes next. Hexadecimal digits too.
    pub fn eat_wide_integer(&mut self) -> ParseResult<Option<i128>> {
        let start = self.tok.start;
        let negative = self.tok.kind == Tok::Minus && self.peek().kind == Tok::Int;
        if negative {
            self.advance();
        }
        if self.tok.kind != Tok::Int {
            return Ok(None);
        }
        let text = self.token_text();
        let value = match text.strip_prefix("0x") {
            Some(hex) => u128::from_str_radix(hex, 16),
            None => text.parse::<u128>(),
        };
        self.advance();
        let too_large =
            || self.error_at(self.span_from(start), "the integer does not fit 128 bits");
        let value = value.map_err(|_| too_large())?;
        if negative {
            let limit = 1u128 << 127;
            if value > limit {
                return Err(too_large());
            }
            return Ok(Some((value as i128).wrapping_neg()));
        }
        Ok(Some(i128::try_from(value).map_err(|_| too_large())?))
    }

    /// An integer with an optional sign, if one comes next.
    pub fn eat_integer(&mut self) -> ParseResult<Option<i64>> {
        let start = self.tok.start;
        let Some(value) = self.eat_wide_integer()? else { return Ok(None) };
        match i64::try_from(value) {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(self.error_at(self.span_from(start), "the integer does not fit 64 bits")),
        }
    }

    /// An integer with an optional sign.
    pub fn integer(&mut self) -> ParseResult<i64> {
        self.eat_integer()?.ok_or_else(|| self.expected("an integer"))
    }

    /// `true` or `false`.
    pub fn boolean(&mut self) -> ParseResult<bool> {
        Ok(self.keyword_of(&["true", "false"])? == "true")
    }

    // ---- lists

    /// Elements with commas between them, at least one.
    pub fn comma_list<T>(
        &mut self,
        mut each: impl FnMut(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<Vec<T>> {
        let mut items = vec![each(self)?];
        while self.eat_tok(Tok::Comma) {
            items.push(each(self)?);
        }
        Ok(items)
    }

    /// Elements with commas between `open` and `close`, perhaps none.
    pub fn delimited<T>(
        &mut self,
        open: &str,
        close: &str,
        each: impl FnMut(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<Vec<T>> {
        self.expect(open)?;
        self.list_until(close, each)
    }

    /// Elements with commas up to `close`, perhaps none; the opening is consumed already.
    pub fn list_until<T>(
        &mut self,
        close: &str,
        each: impl FnMut(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<Vec<T>> {
        if self.eat(close) {
            return Ok(Vec::new());
        }
        let items = self.comma_list(each)?;
        self.expect(close)?;
        Ok(items)
    }

    /// Dimensions `4x?x8`. With `trailing` each is followed by `x` (`4x?xf32`); without it `x`
    /// stands between them. None when no dimension comes next.
    pub fn dims(&mut self, trailing: bool) -> ParseResult<Vec<i64>> {
        let mut dims = Vec::new();
        loop {
            let at = self.tok.start;
            let (value, end) = match self.tok.kind {
                Tok::Question => (DYNAMIC, at + 1),
                Tok::Int => {
                    // `0x8` is the dimension 0 and `x8`, not a hexadecimal number.
                    let digits = self.token_text().bytes().take_while(u8::is_ascii_digit).count();
                    let text = self.slice(at, at + digits);
                    let value = text.parse::<i64>().map_err(|_| {
                        self.error_at(
                            self.span_of(at, at + digits),
                            "the dimension does not fit 64 bits",
                        )
                    })?;
                    (value, at + digits)
                }
                _ if dims.is_empty() || trailing => return Ok(dims),
                _ => return Err(self.expected("a dimension")),
            };
            dims.push(value);
            if self.text.as_bytes().get(end) == Some(&b'x') {
                self.reset_to(end + 1);
                continue;
            }
            let blanks = self.text[end..].bytes().take_while(u8::is_ascii_whitespace).count();
            if trailing && self.text.as_bytes().get(end + blanks) == Some(&b'x') {
                self.reset_to(end + blanks + 1);
            } else if trailing {
                self.reset_to(end);
                return Err(self.expected("`x` after a dimension"));
            } else {
                self.reset_to(end);
                return Ok(dims);
            }
        }
    }

    /// Skips text up to the closing bracket of the `<` that comes next, which it consumes too, and
    /// returns it with both brackets. Brackets of all kinds must balance.
    pub(crate) fn balanced(&mut self) -> ParseResult<&'a str> {
        let start = self.tok.start;
        let Some(end) = balanced_end(self.text.as_bytes(), start) else {
            return Err(self.error("the bracket is not closed"));
        };
        self.reset_to(end);
        Ok(self.slice(start, end))
    }
}

/// The end of the bracketed text that opens at `start`; none when its brackets do not balance.
pub(crate) fn balanced_end(text: &[u8], start: usize) -> Option<usize> {
    let mut stack: SmallVec<[u8; 16]> = SmallVec::new();
    let mut pos = start;
    loop {
        let closes = match text.get(pos)? {
            b'<' if text.get(pos + 1) == Some(&b'=') => {
                pos += 2;
                continue;
            }
            b'<' => Some(b'>'),
            b'(' => Some(b')'),
            b'[' => Some(b']'),
            b'{' => Some(b'}'),
            b'"' => {
                pos = super::lexer::string_end(text, pos)?;
                continue;
            }
            b'-' if text.get(pos + 1) == Some(&b'>') => {
                pos += 2;
                continue;
            }
            // Comparisons in affine constraints.
            b'>' if text.get(pos + 1) == Some(&b'=') && stack.last() != Some(&b'>') => {
                pos += 2;
                continue;
            }
            c @ (b'>' | b')' | b']' | b'}') => {
                if stack.pop() != Some(*c) {
                    return None;
                }
                if stack.is_empty() {
                    return Some(pos + 1);
                }
                None
            }
            _ => None,
        };
        stack.extend(closes);
        pos += 1;
        if stack.is_empty() {
            return None;
        }
    }
}
