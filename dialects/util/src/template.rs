//! Format strings: text with places for values in it.

/// A piece of a format string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text as it is.
    Text(String),
    /// The value of this number.
    Value(usize),
}

/// The pieces of a format string for `values` values: text and values in turn, braces unescaped.
pub fn pieces(format: &str, values: usize) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let (mut counted, mut numbered) = (0, None::<usize>);
    let mut rest = format;
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(brace) {
            text.push_str(brace);
            rest = after;
            continue;
        }
        if brace == "}" {
            return Err("unmatched '}' in format string".to_owned());
        }
        let Some((number, after)) = rest.split_once('}') else {
            return Err("unclosed '{' in format string".to_owned());
        };
        rest = after;
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        if number.is_empty() {
            pieces.push(Piece::Value(counted));
            counted += 1;
        } else {
            let Ok(index) = number.parse::<u32>() else {
                return Err(format!(
                    "invalid placeholder '{{{number}}}' in format string; expected '{{}}' or \
                     '{{N}}'"
                ));
            };
            pieces.push(Piece::Value(index as usize));
            numbered = numbered.max(Some(index as usize));
        }
    }
    text.push_str(rest);
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    if counted > 0 && numbered.is_some() {
        return Err("cannot mix sequential '{}' and explicit '{N}' placeholders".to_owned());
    }
    let needed = numbered.map_or(counted, |last| last.saturating_add(1));
    if needed != values {
        return Err(format!(
            "format string placeholder count does not match the {values} provided argument(s)"
        ));
    }
    Ok(pieces)
}

/// A name for the text: its letters and digits, with `N` for a value.
pub(crate) fn name(format: &str) -> String {
    const LONGEST: usize = 32;
    let mut name = String::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if name.len() >= LONGEST {
            break;
        }
        match c {
            '{' | '}' if rest.peek() == Some(&c) => {
                rest.next();
            }
            '{' => {
                if !rest.by_ref().any(|c| c == '}') {
                    break;
                }
                name.push('N');
            }
            '.' | '-' | '/' => name.push('_'),
            c if c.is_ascii_alphanumeric() || c == '_' => name.push(c),
            _ => {}
        }
    }
    if name.is_empty() { "formatted".to_owned() } else { name }
}
