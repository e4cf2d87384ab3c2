//! Conversions that must make an op go for which no pattern is there.

use std::collections::BTreeSet;

use tegula_diag::Diagnostic;
use tegula_schema::{ConversionDef, DialectDef, PassBody, PatternDef, PatternKind, Str};

use crate::cx::{Cx, Get};

pub(super) fn check(cx: &Cx<'_>, dialects: &[DialectDef], found: &mut Vec<Diagnostic>) {
    for pass in dialects.iter().flat_map(|dialect| dialect.passes.iter()) {
        let PassBody::Convert(conversion) = &pass.body else { continue };
        let Some(record) = cx.records.defs.get(pass.def_name.as_ref()) else { continue };
        let body = cx.field_def(record, "body");
        let known: BTreeSet<String> = body.map_or_else(BTreeSet::new, |body| {
            body.strs("unconvertedNames").iter().map(ToString::to_string).collect()
        });
        let left = uncovered(dialects, conversion);
        let is_known = |name: &str| known.iter().any(|known| stands_for(known, name));
        let missing: Vec<&str> = left.iter().filter(|name| !is_known(name)).copied().collect();
        if !missing.is_empty() {
            let message = format!(
                "`{}` must make `{}` go, but no pattern is there for {}",
                pass.name,
                missing.join("`, `"),
                if missing.len() == 1 { "it" } else { "them" }
            );
            found.push(
                Diagnostic::warning("conversion-uncovered", message)
                    .at(record.span)
                    .note("`unconverted = […]` lists ops that are refused on purpose"),
            );
        }
        let mut covered = known.iter().filter(|name| !left.iter().any(|l| stands_for(name, l)));
        if let Some(first) = covered.next() {
            let message = format!("`{first}` is said to be unconverted, which it is not");
            found.push(Diagnostic::warning("conversion-covered", message).at(record.span));
        }
    }
}

/// Whether a name of the list is an op's, or that of a family (`hal.fence.*`) which the op is of.
fn stands_for(known: &str, op: &str) -> bool {
    match known.strip_suffix('*') {
        Some(family) => op.starts_with(family),
        None => known == op,
    }
}

/// The ops that must go and for which the groups hold nothing.
fn uncovered<'d>(dialects: &'d [DialectDef], conversion: &ConversionDef) -> BTreeSet<&'d str> {
    let groups = |pattern: &PatternDef| conversion.groups.contains(&pattern.group);
    let patterns = || dialects.iter().flat_map(|d| d.patterns.iter()).filter(|p| groups(p));
    if patterns().any(|p| p.root.is_empty() && p.kind != PatternKind::Legal) {
        return BTreeSet::new();
    }
    let roots: BTreeSet<&str> = patterns().map(|p| p.root.as_ref()).collect();
    let mut left = BTreeSet::new();
    for dialect in dialects {
        for op in dialect.ops.iter() {
            let name = op.name.as_ref();
            if must_go(conversion, name) && !roots.contains(name) {
                left.insert(name);
            }
        }
    }
    left
}

/// Whether a conversion's lists say that an op must go.
pub(super) fn must_go(conversion: &ConversionDef, op: &str) -> bool {
    let names = |list: &[Str], name: &str| list.iter().any(|n| n == name);
    let stays = [&conversion.legal, &conversion.type_legal, &conversion.opaque];
    let dialect = op.split('.').next().unwrap_or(op);
    names(&conversion.illegal, op)
        || names(&conversion.illegal, dialect) && !stays.iter().any(|list| names(list, op))
}
