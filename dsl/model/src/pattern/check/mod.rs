//! What can be found wrong with patterns only when all of them are known.

mod converters;
mod coverage;
mod cycles;
mod facts;
mod references;

use std::collections::BTreeMap;

use tegula_diag::{Diagnostic, Span};
use tegula_schema::{DialectDef, Inst, PatternDef, PatternKind};

use crate::cx::Cx;
use facts::Facts;

/// Checks the patterns and conversions of all dialects against each other.
pub(crate) fn run(cx: &mut Cx<'_>, dialects: &[DialectDef]) {
    let mut found = Vec::new();
    let mut sets: BTreeMap<(&str, &str), Vec<&PatternDef>> = BTreeMap::new();
    for pattern in dialects.iter().flat_map(|dialect| dialect.patterns.iter()) {
        if pattern.kind != PatternKind::Legal && !pattern.root.is_empty() {
            sets.entry((&pattern.group, &pattern.root)).or_default().push(pattern);
        }
    }
    for set in sets.values_mut() {
        set.sort_by_key(|pattern| std::cmp::Reverse(pattern.benefit));
        unreachable(cx, set, &mut found);
    }
    cycles::check(cx, dialects, &mut found);
    converters::check(cx, dialects, &mut found);
    references::check(cx, dialects, &mut found);
    coverage::check(cx, dialects, &mut found);
    cx.diagnostics.extend(found);
}

/// The place of a pattern's definition.
fn span(cx: &Cx<'_>, pattern: &PatternDef) -> Option<Span> {
    cx.records.defs.get(pattern.name.as_ref()).map(|record| record.span)
}

/// Whether the pattern only says why something cannot be done, or is Rust.
fn decides_elsewhere(pattern: &PatternDef) -> bool {
    let elsewhere = |inst: &Inst| matches!(inst, Inst::Refuse { .. } | Inst::Rewrite { .. });
    pattern.code.iter().any(elsewhere)
}

/// Patterns that never apply since another one that matches whatever they match goes first. The
/// patterns are in the order in which they are tried.
fn unreachable(cx: &Cx<'_>, set: &[&PatternDef], found: &mut Vec<Diagnostic>) {
    let facts: Vec<Facts> = set.iter().map(|pattern| Facts::of(pattern)).collect();
    for (at, pattern) in set.iter().enumerate() {
        if decides_elsewhere(pattern) {
            continue;
        }
        let first =
            set.iter().zip(&facts).take(at).find(|(earlier, known)| {
                !decides_elsewhere(earlier) && known.follow_from(&facts[at])
            });
        let Some((earlier, known)) = first else { continue };
        let Some(place) = span(cx, pattern) else { continue };
        let equal = earlier.benefit == pattern.benefit && facts[at].follow_from(known);
        let (code, message) = if equal {
            (
                "pattern-overlap",
                format!(
                    "`{}` matches the same as `{}` at equal benefit, so that it never applies",
                    pattern.name, earlier.name
                ),
            )
        } else {
            (
                "pattern-unreachable",
                format!(
                    "`{}` never applies: `{}` matches whatever it matches and goes first",
                    pattern.name, earlier.name
                ),
            )
        };
        let mut diagnostic = Diagnostic::error(code, message).at(place);
        if let Some(first) = span(cx, earlier) {
            diagnostic = diagnostic.label(first, "this one goes first");
        }
        if !equal {
            diagnostic = diagnostic.note("`let benefit = n;` puts a pattern before others");
        }
        found.push(diagnostic);
    }
}
