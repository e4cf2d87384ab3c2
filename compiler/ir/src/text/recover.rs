//! Where the parser goes on after an op with an error, so that one run tells of all of them.

use super::asm_parser::{ParseError, ParseResult};
use super::lexer::Tok;
use super::op_parser::OpParser;
use crate::OpName;

impl OpParser<'_> {
    /// Keeps the error of the op that begins at `start` and goes on behind that op: at a line that
    /// begins like an op, at a label, or at the end of the block. What the op would have defined
    /// is lost. When the text ends before that, the block's end is what is missing, and the error
    /// is given back.
    pub(crate) fn skip_op(&mut self, start: usize, error: ParseError) -> ParseResult<()> {
        if self.tok.kind == Tok::Eof {
            return Err(error);
        }
        self.reset_to(start);
        self.lose_results();
        let mut depth = 0usize;
        loop {
            let line_end = self.tok.end;
            match self.tok.kind {
                Tok::Eof => return Err(error),
                Tok::LParen | Tok::LSquare | Tok::LBrace => depth += 1,
                Tok::RParen | Tok::RSquare => depth = depth.saturating_sub(1),
                Tok::RBrace if depth == 0 => break,
                Tok::RBrace => depth -= 1,
                _ => {}
            }
            self.advance();
            let new_line = self.slice(line_end, self.tok.start).contains('\n');
            if depth == 0 && new_line && (self.tok.kind == Tok::Caret || self.begins_op()) {
                break;
            }
        }
        self.errors.push(error);
        Ok(())
    }

    /// Keeps the error of a block's arguments, the parenthesis of which is at `start`, and goes on
    /// with its ops, to which the arguments are lost. Without `):` on that line the error is given
    /// back.
    pub(crate) fn skip_args(&mut self, start: usize, error: ParseError) -> ParseResult<()> {
        self.reset_to(start);
        let mut names = Vec::new();
        let mut closed = false;
        while !(closed && self.tok.kind == Tok::Colon) {
            closed = self.tok.kind == Tok::RParen;
            if self.tok.kind == Tok::Percent {
                names.push(self.token_text());
            }
            let line_end = self.tok.end;
            self.advance();
            let new_line = self.slice(line_end, self.tok.start).contains('\n');
            if new_line || self.tok.kind == Tok::Eof {
                return Err(error);
            }
        }
        self.lost.extend(names);
        self.errors.push(error);
        Ok(())
    }

    /// Notes the names before `=` as lost.
    fn lose_results(&mut self) {
        let start = self.tok.start;
        let mut names = Vec::new();
        while self.tok.kind == Tok::Percent {
            names.push(self.token_text());
            self.advance();
            if self.tok.kind == Tok::Colon {
                self.advance();
                self.advance();
            }
            if self.tok.kind == Tok::Comma {
                self.advance();
            }
        }
        if self.tok.kind == Tok::Equal {
            self.lost.extend(names);
        }
        self.reset_to(start);
    }

    /// Whether the current token, the first of its line, begins an op and not the next line of
    /// one: results before `=`, a name in quotes before `(`, or a name that ops have.
    fn begins_op(&self) -> bool {
        match self.tok.kind {
            Tok::Percent => self.results_before_equal(),
            Tok::Str => self.peek().kind == Tok::LParen,
            Tok::Bare => {
                let text = self.token_text();
                let default = self.default_dialects.last().copied().unwrap_or("");
                text.contains('.')
                    || self.registry.op(OpName::of(&format!("{default}.{text}"))).is_some()
            }
            _ => false,
        }
    }

    /// Whether `%a, %b =` comes next.
    fn results_before_equal(&self) -> bool {
        let line = self.rest().lines().next().unwrap_or("");
        let Some((names, _)) = line.split_once('=') else { return false };
        names.split(',').all(|name| {
            let name = name.trim();
            name.strip_prefix('%').is_some_and(|name| !name.contains(char::is_whitespace))
        })
    }
}
