//! Identities of symbols whose printed name depends on the rest of the module.
//!
//! A pass that makes a symbol such as `@_encoding_3` does not know how many others of its kind the
//! module has, and must not: otherwise one edit would renumber its neighbours. It names the symbol
//! by an identity, a token of the name's stem and a key of the symbol's origin or content, and
//! [`Names`] gives each identity a number when text is made. Text holds the tokens verbatim until
//! then, so that pieces of text can be kept and resolved late.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

const OPEN: char = '\u{E000}';
const MIDDLE: char = '\u{E001}';
const CLOSE: char = '\u{E002}';

/// The token that stands for "the stem and a number yet to be given", for a key that is equal for
/// equal origins or contents. It may be a whole symbol name or a part of one.
pub fn identity(stem: &str, key: u64) -> String {
    format!("{OPEN}{stem}{MIDDLE}{key:016x}{CLOSE}")
}

/// Whether a name holds an identity token.
pub fn has_identity(name: &str) -> bool {
    name.contains(OPEN)
}

/// Printed names for the identities of one module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    printed: FxHashMap<String, String>,
}

impl Names {
    /// Numbers the identities among the module's symbol names, given in module order: each stem
    /// counts from 0 and skips names that are taken.
    pub fn assign<'a>(symbols: impl IntoIterator<Item = &'a str> + Clone) -> Names {
        let taken: FxHashSet<&str> =
            symbols.clone().into_iter().filter(|name| !has_identity(name)).collect();
        let mut next: FxHashMap<&str, u64> = FxHashMap::default();
        let mut printed = FxHashMap::default();
        for token in symbols.into_iter().flat_map(tokens) {
            if printed.contains_key(token) {
                continue;
            }
            let stem = stem_of(token);
            let counter = next.entry(stem).or_default();
            let name = loop {
                let name = format!("{stem}{counter}");
                *counter += 1;
                if !taken.contains(name.as_str()) {
                    break name;
                }
            };
            printed.insert(token.to_owned(), name);
        }
        Names { printed }
    }

    /// Replaces every identity token in a text by its printed name. A token without one, which no
    /// symbol of the module bears, reads as its stem and key.
    pub fn resolve<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if !has_identity(text) {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(OPEN) {
            let (before, from) = rest.split_at(start);
            out.push_str(before);
            let Some(end) = from.find(CLOSE).map(|at| at + CLOSE.len_utf8()) else {
                rest = from;
                break;
            };
            let (token, after) = from.split_at(end);
            match self.printed.get(token) {
                Some(name) => out.push_str(name),
                None => out.push_str(&token.replace([OPEN, MIDDLE, CLOSE], "")),
            }
            rest = after;
        }
        out.push_str(rest);
        Cow::Owned(out)
    }
}

fn tokens(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices(OPEN).filter_map(move |(start, _)| {
        let end = name[start..].find(CLOSE)?;
        Some(&name[start..start + end + CLOSE.len_utf8()])
    })
}

fn stem_of(token: &str) -> &str {
    token.trim_start_matches(OPEN).split(MIDDLE).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_module_order_and_skip_taken_names() {
        let (a, b) = (identity("_encoding_", 7), identity("_encoding_", 3));
        let names = Names::assign([a.as_str(), "_encoding_1", b.as_str(), a.as_str()]);
        assert_eq!(
            names.resolve(&format!("@{a}::@{a}_f @{b}")),
            "@_encoding_0::@_encoding_0_f @_encoding_2"
        );
    }

    #[test]
    fn unknown_and_unfinished_tokens_stay_readable() {
        let names = Names::default();
        assert_eq!(names.resolve(&identity("x_", 1)), "x_0000000000000001");
        assert_eq!(names.resolve("a\u{E000}b"), "a\u{E000}b");
    }
}
