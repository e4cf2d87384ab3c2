//! What stands between two tokens: comments and line ends.

/// A comment, from `//` to the end of its line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Comment<'t> {
    pub(crate) text: &'t str,
    /// It stands behind the token before it, on the same line.
    pub(crate) trailing: bool,
    /// An empty line stands before it.
    pub(crate) apart: bool,
}

/// The blanks, line ends and comments between two tokens.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Trivia<'t> {
    pub(crate) comments: Vec<Comment<'t>>,
    /// The next token stands on another line than the one before.
    pub(crate) line: bool,
    /// An empty line stands before the next token.
    pub(crate) apart: bool,
    /// There is something.
    pub(crate) some: bool,
}

impl<'t> Trivia<'t> {
    /// Reads what stands between two tokens.
    pub(crate) fn of(text: &'t str) -> Trivia<'t> {
        let mut trivia = Trivia { some: !text.is_empty(), ..Trivia::default() };
        let mut lines = text.split('\n').peekable();
        let (mut first, mut empty) = (true, false);
        while let Some(line) = lines.next() {
            let comment = line.trim();
            if !comment.is_empty() {
                trivia.comments.push(Comment { text: comment, trailing: first, apart: empty });
                empty = false;
            } else if !first && lines.peek().is_some() {
                empty = true;
            }
            trivia.line |= lines.peek().is_some();
            first = false;
        }
        trivia.apart = empty;
        trivia
    }
}
