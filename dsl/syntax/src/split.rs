//! Cuts a scanned text into items without parsing them.
//!
//! The cut follows brackets, `;` and statement keywords only, so that a mistake stays within the
//! item that holds it. Angle brackets don't count as brackets here: nothing that is cut at can
//! stand between them.

use std::ops::Range;

/// A token as far as cutting is concerned.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word that is not behind `!` or `$`.
    Word,
    /// A single punctuation character.
    Punct(u8),
    /// A string, a code block, an operator or a variable.
    Other,
}

/// A token with its place.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// The tokens of `text[range]`; offsets are those of `text`.
pub(crate) fn tokens(text: &str, range: Range<usize>) -> Tokens<'_> {
    Tokens { text: text.as_bytes(), pos: range.start, end: range.end.min(text.len()) }
}

/// An iterator over tokens.
pub(crate) struct Tokens<'a> {
    text: &'a [u8],
    pos: usize,
    end: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let text = self.text.get(..self.end)?;
        while text.get(self.pos)?.is_ascii_whitespace() {
            self.pos += 1;
        }
        let start = self.pos;
        let byte = *text.get(start)?;
        let word_end = |from: usize| {
            let rest = text.get(from..).unwrap_or(&[]);
            from + rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count()
        };
        let (kind, end) = match byte {
            b'"' => (Kind::Other, string_end(text, start)),
            b'[' if text.get(start + 1) == Some(&b'{') => (Kind::Other, code_end(text, start)),
            b'!' | b'$' => (Kind::Other, word_end(start + 1)),
            _ if byte.is_ascii_alphanumeric() || byte == b'_' => (Kind::Word, word_end(start)),
            _ if !byte.is_ascii() => {
                let rest = text.get(start + 1..).unwrap_or(&[]);
                // Continuation bytes of UTF-8 belong to the character before them.
                (Kind::Other, start + 1 + rest.iter().take_while(|b| **b & 0xc0 == 0x80).count())
            }
            _ => (Kind::Punct(byte), start + 1),
        };
        self.pos = end;
        Some(Token { kind, start, end })
    }
}

fn string_end(text: &[u8], start: usize) -> usize {
    let mut pos = start + 1;
    while let Some(byte) = text.get(pos) {
        match byte {
            b'"' => return pos + 1,
            b'\\' => pos += 2,
            _ => pos += 1,
        }
    }
    text.len()
}

fn code_end(text: &[u8], start: usize) -> usize {
    let rest = text.get(start + 2..).unwrap_or(&[]);
    rest.windows(2).position(|pair| pair == b"}]").map_or(text.len(), |at| start + 2 + at + 2)
}

/// Whether a statement begins with this word.
pub(crate) fn starts_statement(word: &str) -> bool {
    matches!(
        word,
        "assert"
            | "class"
            | "def"
            | "defm"
            | "defset"
            | "deftype"
            | "defvar"
            | "dump"
            | "foreach"
            | "if"
            | "include"
            | "let"
            | "multiclass"
    )
}

/// Whether a word is followed by a statement of the same item.
fn leads_on(word: &str) -> bool {
    matches!(word, "in" | "then" | "else")
}

/// The open brackets. `;` and `}` close what was left open inside of them, so that a forgotten
/// `)` costs one item.
#[derive(Default)]
struct Brackets(Vec<u8>);

impl Brackets {
    /// Whether the token closes a bracket that was never opened.
    fn step(&mut self, punct: u8) -> bool {
        match punct {
            b'(' | b'[' | b'{' => self.0.push(punct),
            b')' | b']' => {
                let open = if punct == b')' { b'(' } else { b'[' };
                if self.0.last() == Some(&open) {
                    self.0.pop();
                }
            }
            b';' => self.drop_to_brace(),
            b'}' => {
                self.drop_to_brace();
                return self.0.pop().is_none();
            }
            _ => {}
        }
        false
    }

    fn drop_to_brace(&mut self) {
        while self.0.last().is_some_and(|open| *open != b'{') {
            self.0.pop();
        }
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// One item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// Its bytes, from its first token to its last.
    pub range: Range<usize>,
    /// Whether it was cut where braces don't balance.
    pub forced: bool,
    /// The deepest nesting in it; what a recursive parse of it would need.
    pub nesting: usize,
}

/// Cuts `text[range]` into statements.
pub(crate) fn statements(text: &str, range: Range<usize>) -> Vec<Chunk> {
    let (mut chunks, balanced) = cut(text, range.clone(), false);
    if !balanced && let Some(last) = chunks.pop() {
        // The last item swallowed the rest. Cut that again, now at keywords in the first column
        // too: they are legal inside of `let … in {`, but here something is wrong anyway.
        let (rest, _) = cut(text, last.range.start..range.end, true);
        chunks.extend(rest.into_iter().map(|chunk| Chunk { forced: true, ..chunk }));
    }
    chunks
}

fn cut(text: &str, range: Range<usize>, by_column: bool) -> (Vec<Chunk>, bool) {
    let mut chunks = Vec::new();
    let mut brackets = Brackets::default();
    // The current item: its start, its end so far, and whether a statement may go on in it.
    let mut current: Option<(usize, usize)> = None;
    let mut leads = false;
    let mut nesting = Nesting::default();
    let mut tokens = tokens(text, range).peekable();
    while let Some(token) = tokens.next() {
        let word = match token.kind {
            Kind::Word => text.get(token.start..token.end).unwrap_or(""),
            _ => "",
        };
        let first_column = || {
            let before = token.start.checked_sub(1).and_then(|at| text.as_bytes().get(at));
            before.is_none_or(|b| *b == b'\n')
        };
        if let Some((start, end)) = current
            && starts_statement(word)
            && !leads
            && (brackets.is_empty() || by_column && word != "let" && first_column())
        {
            let nesting = std::mem::take(&mut nesting).deepest;
            chunks.push(Chunk { range: start..end, forced: false, nesting });
            brackets = Brackets::default();
            current = None;
        }
        let start = current.map_or(token.start, |(start, _)| start);
        current = Some((start, token.end));
        leads = leads_on(word);
        nesting.step(token.kind, word);
        let Kind::Punct(punct) = token.kind else { continue };
        let stray = brackets.step(punct);
        if !brackets.is_empty() {
            continue;
        }
        let next = tokens.peek();
        let next_word = match next {
            Some(Token { kind: Kind::Word, start, end }) => text.get(*start..*end).unwrap_or(""),
            _ => "",
        };
        let done = match punct {
            b';' => next_word != "else",
            b'}' if stray => true,
            b'}' => match next.map(|next| next.kind) {
                Some(Kind::Word) => !leads_on(next_word),
                Some(Kind::Punct(b'}')) | None => true,
                _ => false,
            },
            _ => false,
        };
        if done {
            let nesting = std::mem::take(&mut nesting).deepest;
            chunks.push(Chunk { range: start..token.end, forced: false, nesting });
            current = None;
        }
    }
    if let Some((start, end)) = current {
        chunks.push(Chunk { range: start..end, forced: false, nesting: nesting.deepest });
    }
    (chunks, brackets.is_empty())
}

/// Cuts the inside of a class or def body into its items.
pub(crate) fn body_items(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    let mut brackets = Brackets::default();
    let mut current: Option<(usize, usize)> = None;
    for token in tokens(text, range) {
        let start = current.map_or(token.start, |(start, _)| start);
        current = Some((start, token.end));
        if let Kind::Punct(punct) = token.kind {
            brackets.step(punct);
            if punct == b';' && brackets.is_empty() {
                items.push(start..token.end);
                current = None;
            }
        }
    }
    items.extend(current.map(|(start, end)| start..end));
    items
}

/// How an item is put together: its head, and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tail {
    /// The inside of the braces that end the item.
    Braces(Range<usize>),
    /// Statements that follow `in`, `then` or `else` without braces.
    Statement(Range<usize>),
    /// Nothing: the item ends with `;` or is unfinished.
    None,
}

/// Splits an item into its head, up to the body or past `in` and `then`, and its tail; an `else`
/// comes as a second tail.
pub(crate) fn parts(text: &str, range: Range<usize>) -> (Range<usize>, Tail, Option<Tail>) {
    let keyword = tokens(text, range.clone()).next();
    let keyword = keyword.and_then(|token| text.get(token.start..token.end)).unwrap_or("");
    let divider = match keyword {
        "let" | "foreach" => "in",
        "if" => "then",
        _ => {
            return match last_braces(text, range.clone()) {
                Some((open, inside)) => (range.start..open, Tail::Braces(inside), None),
                None => (range, Tail::None, None),
            };
        }
    };
    let mut brackets = Brackets::default();
    let mut head = None;
    let mut other = None;
    for token in tokens(text, range.clone()) {
        match token.kind {
            Kind::Punct(punct) => {
                brackets.step(punct);
            }
            Kind::Word if brackets.is_empty() => match text.get(token.start..token.end) {
                Some(word) if word == divider && head.is_none() => head = Some(token.end),
                Some("else") if divider == "then" && head.is_some() => other = Some(token),
                _ => {}
            },
            _ => {}
        }
    }
    let Some(head) = head else { return (range, Tail::None, None) };
    let tail = |range: Range<usize>| {
        let mut all = tokens(text, range.clone());
        match all.next().map(|token| token.kind) {
            Some(Kind::Punct(b'{')) => match last_braces(text, range.clone()) {
                Some((_, inside)) => Tail::Braces(inside),
                None => Tail::Statement(range),
            },
            Some(_) => Tail::Statement(range),
            None => Tail::None,
        }
    };
    match other {
        Some(word) => (range.start..head, tail(head..word.start), Some(tail(word.end..range.end))),
        None => (range.start..head, tail(head..range.end), None),
    }
}

/// The last brace pair at depth 0 of an item, when the item ends with it (or is cut off inside of
/// it): the offset of `{` and the range inside.
fn last_braces(text: &str, range: Range<usize>) -> Option<(usize, Range<usize>)> {
    let mut brackets = Brackets::default();
    let mut open = None;
    let mut found = None;
    for token in tokens(text, range.clone()) {
        let Kind::Punct(punct) = token.kind else {
            found = found.filter(|_| !brackets.is_empty());
            continue;
        };
        if punct == b'{' && brackets.is_empty() {
            open = Some(token.end);
            found = None;
        } else if punct != b';' && brackets.is_empty() {
            found = None;
        }
        brackets.step(punct);
        if punct == b'}' && brackets.is_empty() {
            found = open.map(|open| (open - 1, open..token.start));
        }
    }
    if brackets.is_empty() { found } else { open.map(|open| (open - 1, open..range.end)) }
}

/// The nesting of an item, counting brackets of all kinds and chained statements.
#[derive(Default)]
struct Nesting {
    depth: usize,
    chain: usize,
    pastes: usize,
    deepest: usize,
    /// Whether a statement ended; what it nested is over unless `else` goes on with it.
    ended: bool,
}

impl Nesting {
    fn step(&mut self, kind: Kind, word: &str) {
        if std::mem::take(&mut self.ended) && word != "else" {
            self.chain = 0;
        }
        match kind {
            Kind::Punct(b'(' | b'[' | b'{' | b'<') => self.depth += 1,
            Kind::Punct(b')' | b']' | b'>') => self.depth = self.depth.saturating_sub(1),
            Kind::Punct(b'}') => {
                self.depth = self.depth.saturating_sub(1);
                self.ended = true;
            }
            Kind::Punct(b';') => self.ended = true,
            // A paste nests to its right, and `in`, `then` and `else` nest statements.
            Kind::Punct(b'#') => self.pastes += 1,
            Kind::Word if leads_on(word) => self.chain += 1,
            _ => {}
        }
        if let Kind::Punct(b',' | b';' | b')' | b']' | b'}') = kind {
            self.pastes = 0;
        }
        self.deepest = self.deepest.max(self.depth + self.chain + self.pastes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &[&str]) {
        let got: Vec<&str> =
            statements(text, 0..text.len()).into_iter().map(|c| &text[c.range]).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn statements_end_where_they_should() {
        check(
            "class A; def B : A { int x = {1,0}; }",
            &["class A;", "def B : A { int x = {1,0}; }"],
        );
        check("let x = {1} in { def a; }\ndef b;", &["let x = {1} in { def a; }", "def b;"]);
        check(
            "let x = 1 in\nlet y = 2 in def a; def b;",
            &["let x = 1 in\nlet y = 2 in def a;", "def b;"],
        );
        check(
            "if c then { def a; } else def b; def c;",
            &["if c then { def a; } else def b;", "def c;"],
        );
        check("include \"a\"\ninclude \"b\" def c;", &["include \"a\"", "include \"b\"", "def c;"]);
        check(
            "foreach i = {0-3} in def x#i; class B;",
            &["foreach i = {0-3} in def x#i;", "class B;"],
        );
        check("class A<bits<2> b = {0,1}> { } foo", &["class A<bits<2> b = {0,1}> { }", "foo"]);
    }

    #[test]
    fn mistakes_stay_local() {
        check("clas A { int x; } def b;", &["clas A { int x; }", "def b;"]);
        check("def a def b;", &["def a", "def b;"]);
        check("def a { int x = !add(1, ; } def b;", &["def a { int x = !add(1, ; }", "def b;"]);
        check(
            "def a { int x;\n\ndef b { int y; }\ndef c;",
            &["def a { int x;", "def b { int y; }", "def c;"],
        );
        check("def a { } } def b;", &["def a { }", "}", "def b;"]);
    }

    #[test]
    fn items_come_apart() {
        let text = "if a then { x } else { y }";
        let (head, then, other) = parts(text, 0..text.len());
        assert_eq!(&text[head], "if a then");
        assert_eq!((then, other), (Tail::Braces(11..14), Some(Tail::Braces(22..25))));
        let text = "class A<bits<1> b = {0}> : B { int x = {0}; }";
        let (head, tail, _) = parts(text, 0..text.len());
        assert_eq!(&text[head], "class A<bits<1> b = {0}> : B ");
        assert_eq!(tail, Tail::Braces(30..44));
        assert_eq!(body_items(text, 30..44), vec![31..43]);
    }
}
