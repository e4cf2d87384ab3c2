//! Names by which passes and patterns find each other: groups, dialects, ops, type converters.
//!
//! A name can be that of something that the files at hand do not include. It is a mistake when it
//! must be there (what is to be converted, the converter) or when it is nearly one that is.

use std::collections::{BTreeMap, BTreeSet};

use tegula_diag::{Diagnostic, Span, nearest};
use tegula_schema::{ConversionDef, DialectDef, PassBody};

use super::span;
use crate::cx::{Cx, Get};

/// The group of the pass of that name, which is built in.
const CANONICALIZE: &str = "canonicalize";

pub(super) fn check(cx: &Cx<'_>, dialects: &[DialectDef], found: &mut Vec<Diagnostic>) {
    let names = Names::of(dialects);
    for pass in dialects.iter().flat_map(|dialect| dialect.passes.iter()) {
        let Some(record) = cx.records.defs.get(pass.def_name.as_ref()) else { continue };
        let at = cx.field_span(record, "body");
        let mut say = |diagnostic: Option<Diagnostic>| {
            found.extend(diagnostic.map(|d| d.at(at).label(record.span, "in this pass")));
        };
        match &pass.body {
            PassBody::Hook(_) => {}
            PassBody::Greedy(groups) => {
                say(groups.is_empty().then(|| {
                    let message = format!("`{}` runs no group of patterns", pass.name);
                    Diagnostic::error("no-group", message)
                }));
                groups.iter().for_each(|group| say(names.group(group)));
            }
            PassBody::Convert(conversion) => {
                conversion.groups.iter().for_each(|group| say(names.group(group)));
                conversion.illegal.iter().for_each(|name| say(names.op_or_dialect(name, true)));
                let others = [&conversion.legal, &conversion.type_legal, &conversion.opaque];
                for name in others.into_iter().flat_map(|list| list.iter()) {
                    say(names.op_or_dialect(name, false));
                }
                say(names.converter(&conversion.converter));
                say(contradiction(conversion));
            }
        }
    }
    twice_named(cx, found);
    for pattern in dialects.iter().flat_map(|dialect| dialect.patterns.iter()) {
        let group = pattern.group.as_ref();
        // A group that several patterns are in is meant.
        if names.run.contains(group) || names.groups.get(group).is_some_and(|&count| count > 1) {
            continue;
        }
        let with_patterns = |run: &&str| *run == CANONICALIZE || names.groups.contains_key(run);
        let run = names.run.iter().copied().filter(with_patterns);
        let Some(near) = nearest(group, run) else { continue };
        let message = format!("`{}` is in the group `{group}`, which no pass runs", pattern.name);
        let place: Option<Span> = span(cx, pattern);
        let diagnostic = Diagnostic::warning("unknown-group", message);
        let diagnostic = diagnostic.note(format!("did you mean `{near}`?"));
        found.extend(place.map(|place| diagnostic.at(place)));
    }
}

/// Names that the lists of a conversion say different things of.
fn contradiction(conversion: &ConversionDef) -> Option<Diagnostic> {
    let ConversionDef { legal, illegal, type_legal, opaque, .. } = conversion;
    let pairs = [
        ("legal", legal, "illegal", illegal),
        ("typeLegal", type_legal, "illegal", illegal),
        ("opaque", opaque, "illegal", illegal),
        ("legal", legal, "typeLegal", type_legal),
    ];
    pairs.iter().find_map(|(one, these, other, those)| {
        let name = these.iter().find(|name| those.contains(name))?;
        let message = format!("`{name}` is both in `{one}` and in `{other}`");
        Some(Diagnostic::error("legal-and-illegal", message))
    })
}

/// Type converters of one name: passes know them by it.
fn twice_named(cx: &Cx<'_>, found: &mut Vec<Diagnostic>) {
    let mut known: BTreeMap<String, Span> = BTreeMap::new();
    for record in cx.records.defs.values().filter(|record| record.isa("TypeConverter")) {
        let name = record.str("name").into_owned();
        if let Some(&first) = known.get(&name) {
            let message = format!("several type converters are named `{name}`");
            let diagnostic = Diagnostic::error("duplicate-converter", message);
            found.push(diagnostic.at(record.span).label(first, "this one, too"));
        } else {
            known.insert(name, record.span);
        }
    }
}

/// What can be named.
struct Names<'d> {
    dialects: BTreeSet<&'d str>,
    ops: BTreeSet<&'d str>,
    converters: BTreeSet<&'d str>,
    /// Groups, with the number of patterns that are in them.
    groups: BTreeMap<&'d str, usize>,
    /// Groups that passes run.
    run: BTreeSet<&'d str>,
}

impl<'d> Names<'d> {
    fn of(dialects: &'d [DialectDef]) -> Names<'d> {
        let all = || dialects.iter();
        let patterns = all().flat_map(|d| d.patterns.iter());
        let groups = |body: &'d PassBody| match body {
            PassBody::Hook(_) => &[],
            PassBody::Greedy(groups) => groups.as_ref(),
            PassBody::Convert(conversion) => conversion.groups.as_ref(),
        };
        let run = all().flat_map(|d| d.passes.iter()).flat_map(|pass| groups(&pass.body));
        let mut counts = BTreeMap::new();
        patterns.for_each(|pattern| *counts.entry(pattern.group.as_ref()).or_insert(0) += 1);
        Names {
            dialects: all().map(|d| d.name.as_ref()).collect(),
            ops: all().flat_map(|d| d.ops.iter()).map(|op| op.name.as_ref()).collect(),
            converters: all().flat_map(|d| d.converters.iter()).map(|c| c.name.as_ref()).collect(),
            groups: counts,
            run: run.map(AsRef::as_ref).chain([CANONICALIZE]).collect(),
        }
    }

    fn group(&self, group: &str) -> Option<Diagnostic> {
        if group == CANONICALIZE || self.groups.contains_key(group) {
            return None;
        }
        let message = format!("no pattern is in the group `{group}`");
        Some(
            Diagnostic::warning("unknown-group", message)
                .suggest(group, self.groups.keys().copied()),
        )
    }

    fn op_or_dialect(&self, name: &str, must: bool) -> Option<Diagnostic> {
        let dialect = name.split_once('.').map(|(dialect, _)| dialect);
        if let Some(dialect) = dialect.filter(|dialect| self.dialects.contains(dialect)) {
            let prefix = format!("{dialect}.");
            let ops = self.ops.iter().copied().filter(|op| op.starts_with(&prefix));
            let message = format!("no op is named `{name}`");
            let unknown = !self.ops.contains(name);
            return unknown.then(|| Diagnostic::warning("unknown-op", message).suggest(name, ops));
        }
        let dialect = dialect.unwrap_or(name);
        if self.dialects.contains(dialect) {
            return None;
        }
        // `scf` is not `cf`: who misspells a word rarely does so at its beginning.
        let begins_alike = |near: &&str| near.chars().next() == dialect.chars().next();
        let near = nearest(dialect, self.dialects.iter().copied()).filter(begins_alike);
        if near.is_none() && !must {
            return None;
        }
        let message = format!("no dialect is named `{dialect}`");
        Some(Diagnostic::warning("unknown-dialect", message).suggest(dialect, near))
    }

    fn converter(&self, name: &str) -> Option<Diagnostic> {
        if name.is_empty() || self.converters.contains(name) {
            return None;
        }
        let message = format!("no type converter is named `{name}`");
        let known = self.converters.iter().copied();
        Some(Diagnostic::error("unknown-converter", message).suggest(name, known))
    }
}
