//! What is set between tokens.

use std::ops::Range;

use tegula_ir::text::tokens;

use crate::align::align;
use crate::joined;
use crate::segment::Segment;
use crate::trivia::Trivia;

/// How much further than its op a line is indented that the printer would not begin.
const CONTINUED: usize = 4;

/// What comes between two tokens when there is no comment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    Blank,
    /// A new line with so many blanks.
    Line(usize),
}

/// Lays out a part of a text that is cut into segments.
pub(crate) fn lay_out(text: &str, part: Range<usize>, segments: &[Segment]) -> String {
    let mut writer = Writer { text, out: String::new(), last_end: part.start, last: "" };
    for segment in segments {
        if segment.verbatim {
            writer.token(segment.range.clone(), Gap::Line(segment.indent), segment.indent);
            continue;
        }
        let range = segment.range.clone();
        let words: Vec<Range<usize>> = tokens(&text[range.clone()])
            .map(|token| token.start + range.start..token.end + range.start)
            .collect();
        Gaps::new(text, segment, &words).write(&mut writer);
    }
    writer.finish(part.end)
}

/// Writes tokens with what stands before them.
struct Writer<'t> {
    text: &'t str,
    out: String,
    last_end: usize,
    last: &'t str,
}

impl<'t> Writer<'t> {
    /// Writes a token after a gap. Comments before it are indented by so much.
    fn token(&mut self, token: Range<usize>, gap: Gap, comments: usize) {
        let trivia = Trivia::of(&self.text[self.last_end..token.start]);
        let word = &self.text[token.clone()];
        let begin = self.out.is_empty();
        self.comments(&trivia, comments);
        let after_comment = !trivia.comments.is_empty();
        match gap {
            Gap::Line(indent) => {
                let closes = matches!(word, "}" | ")" | "]");
                self.line(indent, trivia.apart && !closes && (after_comment || self.last != "{"));
            }
            // What follows a comment needs a new line whatever the printer sets there.
            _ if after_comment => self.line(comments, false),
            _ if begin => {}
            Gap::Blank => self.out.push(' '),
            Gap::None => {}
        }
        self.out.push_str(word);
        self.last_end = token.end;
        self.last = word;
    }

    fn comments(&mut self, trivia: &Trivia<'_>, indent: usize) {
        for (index, comment) in trivia.comments.iter().enumerate() {
            if comment.trailing && !self.out.is_empty() {
                self.out.push_str("  ");
            } else {
                self.line(indent, comment.apart && (index > 0 || self.last != "{"));
            }
            self.out.push_str(comment.text);
        }
    }

    /// Begins a line, after an empty one when `apart`.
    fn line(&mut self, indent: usize, apart: bool) {
        if self.out.is_empty() {
            return;
        }
        self.out.push_str(if apart { "\n\n" } else { "\n" });
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    fn finish(mut self, end: usize) -> String {
        let trivia = Trivia::of(&self.text[self.last_end..end]);
        self.comments(&trivia, 0);
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }
}

/// An open bracket.
struct Bracket {
    /// The indentation of its line.
    indent: usize,
    /// How many ops it stands in.
    depth: usize,
    /// A line ends behind it.
    broken: bool,
}

/// The gaps before the tokens of a segment.
struct Gaps<'t, 's> {
    text: &'t str,
    segment: &'s Segment,
    words: &'s [Range<usize>],
    matches: Vec<Option<usize>>,
    printed: Vec<Range<usize>>,
}

impl<'t, 's> Gaps<'t, 's> {
    fn new(text: &'t str, segment: &'s Segment, words: &'s [Range<usize>]) -> Gaps<'t, 's> {
        let printed: Vec<Range<usize>> = tokens(&segment.printed).collect();
        let matches = align(text, words, &segment.printed, &printed);
        Gaps { text, segment, words, matches, printed }
    }

    fn write(&self, writer: &mut Writer<'t>) {
        let mut open_ops: Vec<&Range<usize>> = Vec::new();
        let mut ops = self.segment.ops.iter().peekable();
        let mut brackets: Vec<Bracket> = Vec::new();
        let mut indent = self.segment.indent;
        for (at, word) in self.words.iter().enumerate() {
            let text = &self.text[word.clone()];
            open_ops.retain(|op| op.end > word.start);
            let begins = ops.next_if(|op| op.start == word.start);
            // Where the op begins that the token is of.
            let depth = open_ops.len().saturating_sub(usize::from(begins.is_none()));
            let own = self.segment.indent + 2 * depth;
            open_ops.extend(begins);
            let closed = if matches!(text, "}" | ")" | "]") { brackets.pop() } else { None };
            let newline = at > 0 && self.text[self.words[at - 1].end..word.start].contains('\n');
            let gap = match self.printed_gap(at) {
                Some(Gap::Line(indent)) => Gap::Line(indent),
                _ if begins.is_some() => Gap::Line(own),
                printed => match &closed {
                    Some(bracket) if newline || (text == "}" && bracket.broken) => {
                        Gap::Line(bracket.indent)
                    }
                    _ if newline && text.starts_with('^') => Gap::Line(own),
                    // Lines that the text breaks stay so.
                    _ if newline => Gap::Line(match brackets.last() {
                        Some(bracket)
                            if bracket.depth == open_ops.len()
                                && (bracket.broken || self.opens(at)) =>
                        {
                            bracket.indent + 2
                        }
                        _ => own + CONTINUED,
                    }),
                    _ => printed.unwrap_or_else(|| self.written_gap(at)),
                },
            };
            if let Gap::Line(new) = gap {
                if let Some(bracket) = brackets.last_mut() {
                    bracket.broken |= self.opens(at);
                }
                indent = new;
            }
            let comments = match gap {
                Gap::Line(new) if closed.is_some() || text == "}" => new + 2,
                Gap::Line(new) => new,
                _ => indent + CONTINUED,
            };
            writer.token(word.clone(), gap, comments);
            if matches!(text, "{" | "(" | "[") {
                brackets.push(Bracket { indent, depth: open_ops.len(), broken: false });
            }
        }
    }

    /// Whether a bracket opens right before a token.
    fn opens(&self, at: usize) -> bool {
        at > 0 && matches!(&self.text[self.words[at - 1].clone()], "{" | "(" | "[")
    }

    /// What the text has before a token on the same line; commas, equals signs and colons before
    /// types stand as they are printed.
    fn written_gap(&self, at: usize) -> Gap {
        let word = |at: usize| &self.text[self.words[at].clone()];
        let (before, this) = (word(at.saturating_sub(1)), word(at));
        let apart = match before {
            "," | "=" => true,
            ":" => this.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!'),
            _ => this == "=",
        };
        match at > 0 && self.words[at - 1].end == self.words[at].start {
            _ if this == "," => Gap::None,
            true if !apart => Gap::None,
            _ => Gap::Blank,
        }
    }

    fn is_alias(&self, at: usize) -> bool {
        let word = self.text[self.words[at].clone()].as_bytes();
        let result_number = word.get(1).is_some_and(u8::is_ascii_digit);
        matches!(word.first(), Some(b'#' | b'!')) && !result_number
    }

    /// What is printed before a token, when that and the one before it are printed side by side.
    fn printed_gap(&self, at: usize) -> Option<Gap> {
        if at == 0 {
            return Some(Gap::Line(self.segment.indent));
        }
        if joined(self.text, &self.words[at - 1], &self.words[at]) {
            return Some(Gap::None);
        }
        let (before, after) = match (self.matches[at - 1], self.matches[at]) {
            (Some(before), Some(after)) if after == before + 1 => (before, after),
            // An alias stands for more than one word.
            (Some(before), None) if self.is_alias(at) => (before, before + 1),
            (None, Some(after)) if self.is_alias(at - 1) => (after.checked_sub(1)?, after),
            _ => return None,
        };
        let (before, after) = (self.printed.get(before)?, self.printed.get(after)?);
        let between = &self.segment.printed[before.end..after.start];
        Some(match between.rsplit_once('\n') {
            Some((_, blanks)) => {
                let indent = (blanks.len() as isize + self.segment.shift).max(0);
                Gap::Line(indent as usize)
            }
            None if between.is_empty() => Gap::None,
            None => Gap::Blank,
        })
    }
}
