//! MLIR text laid out as it is printed, word for word the same.
//!
//! Only the blanks and line ends between tokens change: names of values, aliases, locations and
//! comments stay as they are written. Each item is parsed and printed, and its tokens are matched
//! with those that were printed ([`align`]); where two neighbours match, the blanks between them are
//! those of the printer, elsewhere those of the text, made regular ([`layout`]).

mod align;
mod layout;
mod segment;
mod trivia;

use std::ops::Range;

use tegula_diag::{Diagnostic, SourceId, Span};
use tegula_ir::Registry;
use tegula_ir::text::{MARKER, modules, tokens};

/// A text laid out anew, ending in a line end. Parts between lines `// -----` are modules of their
/// own. Ops need not verify, and may be unregistered; what does not parse is an error.
pub fn format(
    registry: &Registry,
    source: SourceId,
    text: &str,
) -> Result<String, Vec<Diagnostic>> {
    let mut out = String::with_capacity(text.len());
    let mut errors = Vec::new();
    for (index, part) in modules(text, MARKER).into_iter().enumerate() {
        if index > 0 {
            let blank = if out.is_empty() { "" } else { "\n" };
            out.push_str(&format!("{blank}{MARKER}\n"));
        }
        match segment::segments(registry, source, text, part.clone()) {
            Ok(segments) => {
                let laid_out = layout::lay_out(text, part, &segments);
                if index > 0 && !laid_out.is_empty() {
                    out.push('\n');
                }
                out.push_str(&laid_out);
            }
            Err(found) => errors.extend(found),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    match first_change(text, &out) {
        None => Ok(out),
        Some(at) => {
            let message = "cannot be laid out without a change of what it says";
            let span = Span::new(source, at as u32, at as u32 + 1);
            Err(vec![Diagnostic::error("layout-changes-text", message).at(span)])
        }
    }
}

/// Whether two tokens are one word, such as `%0#1` and `4x8xf32`: a blank between them would say
/// something else.
fn joined(text: &str, before: &Range<usize>, after: &Range<usize>) -> bool {
    let inside = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'?' | b'*' | b'#');
    before.end == after.start
        && text[before.clone()].bytes().next_back().is_some_and(inside)
        && text[after.clone()].bytes().next().is_some_and(inside)
}

/// Where the first token is that is another one in the second text, or joined to the one before in
/// one of them only.
fn first_change(before: &str, after: &str) -> Option<usize> {
    let (mut old, mut new) = (tokens(before), tokens(after));
    let mut last = (0..0, 0..0);
    loop {
        match (old.next(), new.next()) {
            (None, None) => return None,
            (Some(a), Some(b))
                if before[a.clone()] == after[b.clone()]
                    && joined(before, &last.0, &a) == joined(after, &last.1, &b) =>
            {
                last = (a, b);
            }
            (a, _) => return Some(a.map_or(before.len(), |a| a.start)),
        }
    }
}
