//! Which attributes and types get an alias, and in what order the aliases are defined.
//!
//! Everything that will be printed is visited in printing order. An alias is defined after those
//! that it uses: aliases are ordered by depth, and among equals types before attributes, then by
//! name, then by first visit.

use std::fmt::Write;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::asm_printer::AsmPrinter;
use super::names::{AliasNames, sanitize_with};
use crate::{Attr, AttrData, LocData, Type, TypeData};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Subject {
    Attr(Attr),
    Type(Type),
}

#[derive(Clone, Default)]
struct Visited {
    /// The stem, or nothing when the subject gets no alias itself.
    stem: Option<Arc<str>>,
    depth: usize,
    /// Defined after the ops (locations).
    deferred: bool,
    children: Vec<usize>,
}

/// What was visited so far.
#[derive(Default)]
pub(crate) struct Collector {
    visited: IndexMap<Subject, Visited, FxBuildHasher>,
    /// The deepest child of each subject that is being visited, and its children.
    open: Vec<(usize, Vec<usize>)>,
    /// What is visited now may be defined after the ops.
    pub(crate) deferrable: bool,
    /// What was visited for its own sake, and whether it might be defined after the ops.
    asked: Vec<(Subject, bool)>,
}

/// One alias that is to be defined.
pub(crate) struct AliasDef {
    pub(crate) name: Arc<str>,
    pub(crate) subject: Subject,
    pub(crate) deferred: bool,
}

impl Collector {
    fn mark_needed(&mut self, index: usize) {
        let mut work = vec![index];
        while let Some(index) = work.pop() {
            if let Some((_, entry)) = self.visited.get_index_mut(index)
                && entry.deferred
            {
                entry.deferred = false;
                work.extend(entry.children.iter().copied());
            }
        }
    }

    /// Whether nothing that was visited gets an alias.
    pub(crate) fn is_empty(&self) -> bool {
        self.visited.values().all(|visited| visited.stem.is_none())
    }

    /// All that was visited.
    pub(crate) fn subjects(&self) -> impl Iterator<Item = Subject> + '_ {
        self.visited.keys().copied()
    }

    /// What was visited for its own sake, in order.
    pub(crate) fn into_asked(self) -> Vec<(Subject, bool)> {
        self.asked
    }

    /// Assigns names to what was visited.
    pub(crate) fn finish(self) -> (AliasNames, Vec<AliasDef>) {
        let mut order: Vec<(Subject, Visited)> = self.visited.into_iter().collect();
        order.retain(|(_, v)| v.stem.is_some());
        order.sort_by(|(a, x), (b, y)| {
            let kind = |s: &Subject| matches!(s, Subject::Attr(_));
            // A type comes before an attribute of the same depth.
            (x.depth, kind(a), &x.stem).cmp(&(y.depth, kind(b), &y.stem))
        });
        let mut used: FxHashSet<String> = FxHashSet::default();
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        let mut names = AliasNames::default();
        let mut defs = Vec::new();
        for (subject, visited) in order {
            let Some(stem) = visited.stem else { continue };
            let unique = unique(&stem, &mut used, &mut counts);
            let name: Arc<str> = match subject {
                Subject::Attr(attr) => {
                    let name: Arc<str> = format!("#{unique}").into();
                    names.attrs.insert(attr, name.clone());
                    name
                }
                Subject::Type(ty) => {
                    let name: Arc<str> = format!("!{unique}").into();
                    names.types.insert(ty, name.clone());
                    name
                }
            };
            defs.push(AliasDef { name, subject, deferred: visited.deferred });
        }
        (names, defs)
    }
}

fn unique(
    stem: &str,
    used: &mut FxHashSet<String>,
    counts: &mut FxHashMap<String, usize>,
) -> String {
    if used.insert(stem.to_owned()) {
        return stem.to_owned();
    }
    let digit = stem.ends_with(|c: char| c.is_ascii_digit());
    let base = if digit { format!("{stem}_") } else { stem.to_owned() };
    let count = counts.entry(base.clone()).or_insert(1);
    loop {
        let name = format!("{base}{count}");
        *count += 1;
        if used.insert(name.clone()) {
            return name;
        }
    }
}

impl AsmPrinter<'_> {
    pub(crate) fn collect_attr(&mut self, attr: Attr) {
        self.collect(Subject::Attr(attr));
    }

    pub(crate) fn collect_type(&mut self, ty: Type) {
        self.collect(Subject::Type(ty));
    }

    /// Visits a location, whose alias may be defined after the ops.
    pub(crate) fn collect_loc(&mut self, loc: Attr) {
        let loc = self.resolved_loc(loc);
        let Some(collector) = &mut self.collector else { return };
        let before = std::mem::replace(&mut collector.deferrable, true);
        self.collect(Subject::Attr(loc));
        if let Some(collector) = &mut self.collector {
            collector.deferrable = before;
        }
    }

    /// Visits what was visited elsewhere.
    pub(crate) fn collect_again(&mut self, asked: Vec<(Subject, bool)>) {
        for (subject, deferrable) in asked {
            if let Some(collector) = &mut self.collector {
                collector.deferrable = deferrable;
            }
            self.collect(subject);
        }
    }

    pub(crate) fn collect(&mut self, subject: Subject) {
        let Some(collector) = &mut self.collector else { return };
        let known = collector.visited.get_index_of(&subject);
        let says_more =
            known.is_none_or(|at| !collector.deferrable && collector.visited[at].deferred);
        if says_more && collector.open.is_empty() {
            collector.asked.push((subject, collector.deferrable));
        }
        if let Some(index) = known {
            if !collector.deferrable {
                collector.mark_needed(index);
            }
            self.record(index);
            return;
        }
        let deferred = collector.deferrable;
        let (index, _) =
            collector.visited.insert_full(subject, Visited { deferred, ..Visited::default() });
        collector.open.push((0, Vec::new()));
        let stem = self.alias_stem(subject);
        super::grow(|| match subject {
            Subject::Attr(attr) => self.visit_attr(attr),
            Subject::Type(ty) => self.visit_type(ty),
        });
        // What hooks printed on the way only served to find what they print.
        self.out.clear();
        let Some(collector) = &mut self.collector else { return };
        let (deepest, children) = collector.open.pop().unwrap_or_default();
        if let Some((_, entry)) = collector.visited.get_index_mut(index) {
            entry.depth = if deepest > 0 { deepest + 1 } else { usize::from(stem.is_some()) };
            entry.stem = stem.map(Into::into);
            entry.children = children;
        }
        self.record(index);
    }

    fn record(&mut self, index: usize) {
        let Some(collector) = &mut self.collector else { return };
        let depth = collector.visited.get_index(index).map_or(0, |(_, v)| v.depth);
        if let Some((deepest, children)) = collector.open.last_mut() {
            *deepest = (*deepest).max(depth);
            children.push(index);
        }
    }

    fn visit_attr(&mut self, attr: Attr) {
        match attr.data() {
            AttrData::Dialect { name, params } => self.attr_params(*name, params),
            AttrData::Dict(entries) => entries.iter().for_each(|&(_, a)| self.collect_attr(a)),
            AttrData::Array(items) => items.iter().for_each(|&a| self.collect_attr(a)),
            AttrData::Type(ty) => self.collect_type(*ty),
            AttrData::Distinct { inner, .. } => self.collect_attr(*inner),
            AttrData::Loc(LocData::Name(_, child))
                if !matches!(child.data(), AttrData::Loc(LocData::Unknown)) =>
            {
                self.collect_attr(*child);
            }
            AttrData::Loc(LocData::CallSite(callee, caller)) => {
                self.collect_attr(*callee);
                self.collect_attr(*caller);
            }
            AttrData::Loc(LocData::Fused(metadata, locs)) => {
                metadata.iter().chain(locs).for_each(|&a| self.collect_attr(a));
            }
            _ => {}
        }
    }

    fn visit_type(&mut self, ty: Type) {
        match ty.data() {
            TypeData::Dialect { name, params } => self.type_params(*name, params),
            TypeData::Function { inputs, results } => {
                inputs.iter().chain(results).for_each(|&t| self.collect_type(t));
            }
            TypeData::Tuple(types) => types.iter().for_each(|&t| self.collect_type(t)),
            TypeData::RankedTensor { element, encoding, .. } => {
                self.collect_type(*element);
                encoding.iter().for_each(|&a| self.collect_attr(a));
            }
            TypeData::MemRef { element, layout, space, .. } => {
                self.collect_type(*element);
                layout.iter().chain(space).for_each(|&a| self.collect_attr(a));
            }
            TypeData::UnrankedMemRef { element, space } => {
                self.collect_type(*element);
                space.iter().for_each(|&a| self.collect_attr(a));
            }
            TypeData::UnrankedTensor { element }
            | TypeData::Vector { element, .. }
            | TypeData::Complex(element) => self.collect_type(*element),
            _ => {}
        }
    }

    fn alias_stem(&self, subject: Subject) -> Option<String> {
        let stem = match subject {
            Subject::Attr(attr) => match attr.data() {
                AttrData::AffineMap(_) => "map".to_owned(),
                AttrData::IntegerSet(_) => "set".to_owned(),
                AttrData::Loc(_) => "loc".to_owned(),
                AttrData::Distinct { inner, .. } if !matches!(inner.data(), AttrData::Unit) => {
                    "distinct".to_owned()
                }
                AttrData::Dialect { name, params } => {
                    let (_, def) = self.registry.attr(name.as_str())?;
                    stem_of(&def.alias, &def.params, params)?
                }
                _ => return None,
            },
            Subject::Type(ty) => match ty.data() {
                TypeData::Tuple(types) if types.len() > 16 => "tuple".to_owned(),
                TypeData::Dialect { name, params } => {
                    let (_, def) = self.registry.ty(name.as_str())?;
                    stem_of(&def.alias, &def.params, params)?
                }
                _ => return None,
            },
        };
        Some(stem)
    }
}

/// The alias stem of a definition with `$param` replaced by the parameters' texts, in small letters,
/// and `$param[entry]` by an entry of a dictionary between underscores, where it has that.
fn stem_of(template: &str, defs: &[tegula_schema::ParamDef], params: &[Attr]) -> Option<String> {
    if template.is_empty() {
        return None;
    }
    let mut out = String::new();
    let mut parts = template.split('$');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(part.len());
        // The longest parameter name that the text begins with.
        let found = (1..=end).rev().find_map(|n| {
            let index = defs.iter().position(|d| d.name == part[..n])?;
            Some((n, index))
        });
        let Some((n, index)) = found else {
            out.push_str(part);
            continue;
        };
        let (param, rest) = (params.get(index), &part[n..]);
        let entry = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        if let Some((entry, rest)) = entry {
            if let Some(value) = param.and_then(|param| param.get(entry)?.as_int()) {
                // Writing to a string does not fail.
                let _ = write!(out, "_{value}_");
            }
            out.push_str(rest);
            continue;
        }
        if let Some(param) = param {
            match (param.as_str(), param.as_int()) {
                (Some(text), _) => out.push_str(&text.to_ascii_lowercase()),
                (None, Some(number)) => drop(write!(out, "{number}")),
                (None, None) => drop(write!(out, "{param}")),
            }
        }
        out.push_str(rest);
    }
    // Aliases have no dots or dashes in them here: those of targets are written with `_`.
    let valid = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'$' | b'_');
    let text: String = out.chars().map(|c| if matches!(c, '-' | '.') { '_' } else { c }).collect();
    Some(sanitize_with(&text, valid))
}
