//! The scan before parsing: comments and preprocessor.
//!
//! Comments, directives and inactive regions become blanks of the same length, so that offsets
//! in the result are offsets in the text. The scan also meets every active `include` in order,
//! and lets the caller read the file right there, because macros that an included file defines
//! hold for the rest of the including file.

use tegula_diag::{Diagnostic, SourceId, Span};

use crate::{Includes, Macros};

/// What a scan finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scanned {
    /// The text, as long as it was, with blanks for comments and what is not active.
    pub text: String,
    /// What was wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// Scans the text of one file, with the macros that are defined before it and something that reads
/// included files. Afterwards `macros` holds what is defined behind the text.
pub fn scan(
    source: SourceId,
    text: &str,
    macros: &mut Macros,
    includes: &mut dyn Includes,
) -> Scanned {
    if u32::try_from(text.len()).is_err() {
        let diagnostic = Diagnostic::error("file-size", "files of 4 GiB and more are not read");
        let at = Span::at(source, 0);
        return Scanned { text: String::new(), diagnostics: vec![diagnostic.at(at)] };
    }
    let mut scanner = Scanner {
        source,
        text,
        bytes: text.as_bytes(),
        out: text.as_bytes().to_vec(),
        pos: 0,
        regions: Vec::new(),
        diagnostics: Vec::new(),
    };
    scanner.run(macros, includes);
    let Scanner { out, diagnostics, .. } = scanner;
    // Only whole characters are blanked, so the text is still UTF-8.
    let text = String::from_utf8(out).unwrap_or_default();
    Scanned { text, diagnostics }
}

/// One open `#ifdef` or `#ifndef`.
struct Region {
    span: Span,
    active: bool,
    in_else: bool,
}

struct Scanner<'a> {
    source: SourceId,
    text: &'a str,
    bytes: &'a [u8],
    out: Vec<u8>,
    pos: usize,
    regions: Vec<Region>,
    diagnostics: Vec<Diagnostic>,
}

const DIRECTIVES: [&str; 5] = ["ifdef", "ifndef", "else", "endif", "define"];

impl Scanner<'_> {
    fn run(&mut self, macros: &mut Macros, includes: &mut dyn Includes) {
        let mut line_is_blank = true;
        if self.text.starts_with('\u{feff}') {
            self.blank(0, 3);
            self.pos = 3;
        }
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\n' => {
                    line_is_blank = true;
                    self.pos += 1;
                    if !self.is_active() {
                        self.skip_inactive_line(macros);
                    }
                    continue;
                }
                b' ' | b'\t' | b'\r' => {
                    self.pos += 1;
                    continue;
                }
                b'/' if self.peek(1) == Some(b'/') => {
                    let end = self.line_end();
                    self.blank(self.pos, end);
                    self.pos = end;
                    continue;
                }
                b'/' if self.peek(1) == Some(b'*') => {
                    self.block_comment();
                    continue;
                }
                b'#' if line_is_blank && self.directive_word().is_some() => {
                    self.directive(macros);
                    if !self.is_active() {
                        self.skip_inactive_line(macros);
                    }
                    continue;
                }
                b'"' => self.string(),
                b'[' if self.peek(1) == Some(b'{') => self.code(),
                b'!' | b'$' if self.peek(1).is_some_and(is_word) => {
                    self.pos += 1;
                    self.word();
                }
                _ if is_word(byte) => {
                    if self.word() == "include" {
                        self.include(macros, includes);
                    }
                }
                _ => self.pos += 1,
            }
            line_is_blank = false;
        }
        for region in std::mem::take(&mut self.regions) {
            self.diagnostics.push(
                Diagnostic::error("unterminated-ifdef", "reached EOF without matching #endif")
                    .at(region.span),
            );
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.pos + ahead).copied()
    }

    fn is_active(&self) -> bool {
        self.regions.iter().all(|region| region.active)
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start as u32, end as u32)
    }

    fn line_end(&self) -> usize {
        let rest = self.bytes.get(self.pos..).unwrap_or(&[]);
        rest.iter().position(|b| *b == b'\n').map_or(self.bytes.len(), |at| self.pos + at)
    }

    fn blank(&mut self, start: usize, end: usize) {
        for byte in self.out.get_mut(start..end).into_iter().flatten() {
            if !matches!(*byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }

    fn word(&mut self) -> &str {
        let start = self.pos;
        while self.peek(0).is_some_and(is_word) {
            self.pos += 1;
        }
        self.text.get(start..self.pos).unwrap_or("")
    }

    fn block_comment(&mut self) {
        let start = self.pos;
        let mut depth = 0usize;
        while self.pos < self.bytes.len() {
            match (self.peek(0), self.peek(1)) {
                (Some(b'/'), Some(b'*')) => {
                    depth += 1;
                    self.pos += 2;
                }
                (Some(b'*'), Some(b'/')) => {
                    depth -= 1;
                    self.pos += 2;
                    if depth == 0 {
                        break;
                    }
                }
                _ => self.pos += 1,
            }
        }
        if depth > 0 {
            self.diagnostics.push(
                Diagnostic::error("unterminated-comment", "unterminated comment")
                    .at(self.span(start, start + 2))
                    .note("comments nest: each `/*` needs its own `*/`"),
            );
        }
        self.blank(start, self.pos);
    }

    /// Steps over a string. One without an end is replaced by `?`, so that what surrounds it still
    /// parses and the error is reported once.
    fn string(&mut self) {
        let start = self.pos;
        self.pos += 1;
        loop {
            match self.peek(0) {
                Some(b'"') => {
                    self.pos += 1;
                    return;
                }
                Some(b'\\') if !matches!(self.peek(1), None | Some(b'\n' | b'\r')) => {
                    self.pos += 2;
                }
                Some(b'\n') | None => break,
                Some(_) => self.pos += 1,
            }
        }
        // The rest of such a line is most often `,`, `;` or `>`, which was meant to follow.
        let line = self.text.get(start..self.pos).unwrap_or("").trim_end();
        let kept =
            line.len() - line.trim_end_matches([';', ',', '>', ')', ']', '{', '}', ' ']).len();
        let end = start + line.len() - kept;
        self.diagnostics.push(
            Diagnostic::error("unterminated-string", "end of line in string literal")
                .at(self.span(start, end))
                .fix(self.span(end, end), "\"", "end the string with `\"`")
                .note("strings end on the line where they begin; `[{ … }]` may span lines"),
        );
        self.replace_by_unset(start, end);
        self.pos = end.max(start + 1);
    }

    fn code(&mut self) {
        let start = self.pos;
        let rest = self.text.get(start + 2..).unwrap_or("");
        if let Some(length) = rest.find("}]") {
            self.pos = start + 2 + length + 2;
            return;
        }
        self.diagnostics.push(
            Diagnostic::error("unterminated-code", "unterminated code block")
                .at(self.span(start, start + 2)),
        );
        self.pos = self.bytes.len();
        self.replace_by_unset(start, self.pos);
    }

    fn replace_by_unset(&mut self, start: usize, end: usize) {
        self.blank(start, end);
        if let Some(byte) = self.out.get_mut(start) {
            *byte = b'?';
        }
    }

    fn include(&mut self, macros: &mut Macros, includes: &mut dyn Includes) {
        let rest = self.text.get(self.pos..).unwrap_or("");
        let start = self.pos + (rest.len() - rest.trim_start().len());
        if self.bytes.get(start) != Some(&b'"') {
            return;
        }
        self.pos = start;
        let errors = self.diagnostics.len();
        self.string();
        if self.diagnostics.len() > errors {
            return;
        }
        let path = self.text.get(start + 1..self.pos - 1).unwrap_or("");
        includes.include(path, self.span(start, self.pos), macros);
    }

    /// The directive at the current `#`, if it is one.
    fn directive_word(&self) -> Option<&'static str> {
        let rest = self.text.get(self.pos + 1..)?;
        DIRECTIVES.into_iter().find(|word| {
            rest.strip_prefix(word).is_some_and(|rest| !rest.bytes().next().is_some_and(is_word))
        })
    }

    /// Handles the directive at the current `#` and steps to the end of its line.
    fn directive(&mut self, macros: &mut Macros) {
        let start = self.pos;
        let Some(word) = self.directive_word() else { return };
        let end = self.line_end();
        let after = start + 1 + word.len();
        let rest = self.text.get(after..end).unwrap_or("");
        let name = rest.trim_start();
        let name_start = after + (rest.len() - name.len());
        let name = name.get(..name.bytes().take_while(|b| is_word(*b)).count()).unwrap_or("");
        let span = self.span(start, after);
        let needs_name = matches!(word, "ifdef" | "ifndef" | "define");
        if needs_name && name.is_empty() {
            self.diagnostics.push(
                Diagnostic::error("preprocessor", format!("expected macro name after #{word}"))
                    .at(span),
            );
        }
        self.blank(start, after);
        self.pos = if needs_name { name_start + name.len() } else { after };
        self.blank(after, self.pos);
        self.directive_end(word, needs_name);
        let active = self.is_active();
        match word {
            "ifdef" | "ifndef" => {
                let active = macros.is_defined(name) == (word == "ifdef");
                self.regions.push(Region { span, active, in_else: false });
            }
            "define" if active => {
                if !name.is_empty() && !macros.define(name) {
                    self.diagnostics.push(
                        Diagnostic::warning(
                            "preprocessor",
                            format!("duplicate definition of macro: {name}"),
                        )
                        .at(self.span(name_start, name_start + name.len())),
                    );
                }
            }
            "define" => {}
            "else" => match self.regions.last_mut() {
                Some(region) if !region.in_else => {
                    region.active = !region.active;
                    region.in_else = true;
                }
                Some(region) => {
                    let earlier = region.span;
                    self.diagnostics.push(
                        Diagnostic::error("preprocessor", "double #else")
                            .at(span)
                            .label(earlier, "the conditional"),
                    );
                }
                None => self.unmatched(word, span),
            },
            _ => {
                if self.regions.pop().is_none() {
                    self.unmatched(word, span);
                }
            }
        }
    }

    /// Steps over the comments behind a directive, which may span lines, and whatever else is
    /// there, which is an error.
    fn directive_end(&mut self, word: &str, needs_name: bool) {
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(b' ' | b'\t' | b'\r'), _) => self.pos += 1,
                (Some(b'/'), Some(b'*')) => self.block_comment(),
                (Some(b'/'), Some(b'/')) | (Some(b'\n') | None, _) => break,
                _ => {
                    let end = self.line_end();
                    let rest = self.text.get(self.pos..end).unwrap_or("").trim_end().len();
                    let name = if needs_name { " NAME" } else { "" };
                    let message = format!("only comments are supported after #{word}{name}");
                    self.diagnostics.push(
                        Diagnostic::error("preprocessor", message)
                            .at(self.span(self.pos, self.pos + rest)),
                    );
                    break;
                }
            }
        }
        let end = self.line_end();
        self.blank(self.pos, end);
        self.pos = end;
    }

    fn unmatched(&mut self, word: &str, span: Span) {
        let or_else = if word == "else" { " or #ifndef" } else { "" };
        let message = format!("#{word} without #ifdef{or_else}");
        self.diagnostics.push(Diagnostic::error("preprocessor", message).at(span));
    }

    /// Blanks from here to the end of the line, unless the line holds a directive, which is
    /// handled.
    fn skip_inactive_line(&mut self, macros: &mut Macros) {
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(b' ' | b'\t' | b'\r'), _) => self.pos += 1,
                (Some(b'/'), Some(b'*')) => self.block_comment(),
                _ => break,
            }
        }
        if self.peek(0) == Some(b'#') && self.directive_word().is_some() {
            self.directive(macros);
            return;
        }
        let end = self.line_end();
        self.blank(self.pos, end);
        self.pos = end;
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoIncludes;

    fn check(text: &str, want: &str, errors: usize) {
        let scanned = scan(SourceId(0), text, &mut Macros::default(), &mut NoIncludes);
        assert_eq!(scanned.text, want);
        assert_eq!(scanned.text.len(), text.len(), "offsets are kept");
        assert_eq!(scanned.diagnostics.len(), errors, "{:?}", scanned.diagnostics);
    }

    #[test]
    fn comments_become_blanks() {
        check("a // é\nb", "a      \nb", 0);
        check("a /* x /* y */\n z */ b", "a             \n      b", 0);
        check("\"//\" [{ /* }] 1", "\"//\" [{ /* }] 1", 0);
        check("a /* b", "a     ", 1);
        check("a // b", "a     ", 0);
    }

    #[test]
    fn conditionals() {
        check("#ifdef A\nx\n#else\ny\n#endif\nz", "        \n \n     \ny\n      \nz", 0);
        check(
            "#define A\n#ifndef A\r\nx\"\r\n#endif // q\nz",
            "         \n         \r\n  \r\n           \nz",
            0,
        );
        check(
            "#ifdef A\n#ifdef B\nx\n#else\ny\n#endif\nz\n#endif",
            "        \n        \n \n     \n \n      \n \n      ",
            0,
        );
        check("a #else b", "a #else b", 0);
        check("#else\n#endif\n#ifdef A\n", "     \n      \n        \n", 3);
        check("#ifdef A x\n#endif", "          \n      ", 1);
    }

    #[test]
    fn a_string_without_end_is_one_error() {
        check("x = \"abc;\ny", "x = ?   ;\ny", 1);
        check("x = \"a\\\"b\";", "x = \"a\\\"b\";", 0);
        check("x = [{ a\nb", "x = ?   \n ", 1);
    }
}
