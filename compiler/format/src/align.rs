//! Which tokens of a text are which of those that were printed for it.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// For each token of the text, the printed one that it matches.
pub(crate) fn align(
    text: &str,
    tokens: &[Range<usize>],
    printed: &str,
    printed_tokens: &[Range<usize>],
) -> Vec<Option<usize>> {
    let (old, old_at) = words(text, tokens);
    let (new, new_at) = words(printed, printed_tokens);
    let mut matches = vec![None; tokens.len()];
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            for n in 0..len {
                matches[old_at[old_index + n]] = Some(new_at[new_index + n]);
            }
        }
    }
    matches
}

/// The words to compare, with the tokens that they stand for. Names of values and blocks are all
/// the same word, and so are floating-point numbers; elements of literals are none, since the same ones can be written in many ways.
fn words<'t>(text: &'t str, tokens: &[Range<usize>]) -> (Vec<&'t str>, Vec<usize>) {
    let (mut words, mut places) = (Vec::new(), Vec::new());
    let mut open = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        let word = &text[token.clone()];
        let literal = words.last() == Some(&"dense") && word == "<";
        if open > 0 {
            match word {
                "<" => open += 1,
                ">" => open -= 1,
                _ => {}
            }
            if open > 0 {
                continue;
            }
        }
        open = if literal { 1 } else { open };
        words.push(match word.as_bytes().first() {
            Some(b'%') => "%",
            Some(b'^') => "^",
            Some(b'0'..=b'9') if word.contains('.') => "0.0",
            _ => word,
        });
        places.push(at);
    }
    (words, places)
}
