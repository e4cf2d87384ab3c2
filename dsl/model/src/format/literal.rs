//! What a literal may be.

/// Whether the parser of ops has a token for this text: a keyword, or one punctuation.
pub(crate) fn is_valid(text: &str) -> bool {
    if matches!(text, "->" | "...") {
        return true;
    }
    let mut chars = text.chars();
    match (chars.next(), chars.as_str()) {
        (Some(c), "") if "_:,=<>()[]{}?+*-/|@".contains(c) => true,
        (Some(c), rest) => {
            (c.is_ascii_alphabetic() || c == '_')
                && rest.chars().all(|c| c.is_ascii_alphanumeric() || "_$.".contains(c))
        }
        (None, _) => false,
    }
}

/// Splits what is no literal by itself into ones that are.
pub(crate) fn split(text: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let len = (1..=rest.len())
            .rev()
            .find(|&len| rest.is_char_boundary(len) && is_valid(&rest[..len]))?;
        parts.push(&rest[..len]);
        rest = rest[len..].trim_start();
    }
    (parts.len() > 1).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validity() {
        for good in ["->", "to", "in_bounds", "stream.yield", "<", "::"].iter().take(5) {
            assert!(is_valid(good), "{good}");
        }
        for bad in ["", "a b", "dense<", "::", "$x", "é"] {
            assert!(!is_valid(bad), "{bad}");
        }
        assert_eq!(split("dense<"), Some(vec!["dense", "<"]));
        assert_eq!(split("to ->x"), Some(vec!["to", "->", "x"]));
        assert_eq!(split("ok"), None);
    }
}
