//! Printing before it is known which aliases there are.
//!
//! Most programs need none. Text is printed as if there were none; as soon as something is to be
//! printed that gets an alias, or holds what gets one, the printer goes over to collecting.

use rustc_hash::FxHashMap;

use super::asm_printer::AsmPrinter;
use super::collect::{Collector, Subject};
use crate::{Attr, AttrData, TypeData};

/// Longer texts are printed anew.
const SHORT: usize = 128;

/// What a printer knows that watches for aliases.
#[derive(Default)]
pub(crate) struct Watch {
    /// Whether subjects get no alias and hold nothing that does.
    plain: FxHashMap<Subject, bool>,
    /// The short texts of dialect attributes that get none.
    texts: FxHashMap<Attr, Box<str>>,
    /// Something is printed as a part of which nothing is collected.
    inside: bool,
    /// Something was printed in such a part that may have got an alias elsewhere.
    pub(crate) uncertain: bool,
}

impl AsmPrinter<'_> {
    /// Prints a subject, for which nothing is collected when it is plain.
    pub(crate) fn watched(&mut self, subject: Subject, print: impl FnOnce(&mut Self)) {
        if is_leaf(subject) {
            return print(self);
        }
        // What is in doubt already needs no look at its parts.
        let doubted = self.watch.as_ref().is_none_or(|watch| watch.inside && watch.uncertain);
        if doubted {
            return super::grow(|| print(self));
        }
        let plain = self.is_plain(subject);
        let Some(watch) = &mut self.watch else { return };
        if !plain && !watch.inside {
            let collector = self.collector.insert(Collector::default());
            collector.deferrable = false;
            return self.collect(subject);
        }
        watch.uncertain |= !plain;
        let outer = std::mem::replace(&mut watch.inside, true);
        super::grow(|| print(self));
        if let Some(watch) = &mut self.watch {
            watch.inside = outer;
        }
    }

    /// Prints a dialect attribute in full.
    pub(crate) fn watched_attr(&mut self, attr: Attr, print: impl FnOnce(&mut Self)) {
        let texts = self.watch.as_ref().map(|watch| &watch.texts);
        if let Some(text) = texts.and_then(|texts| texts.get(&attr)) {
            self.out.push_str(text);
            return;
        }
        let start = self.out.len();
        let resources = self.resources.len();
        self.watched(Subject::Attr(attr), print);
        // What names a resource for the first time is printed again where it comes next.
        if self.collector.is_none()
            && self.resources.len() == resources
            && let Some(watch) = &mut self.watch
            && watch.plain.get(&Subject::Attr(attr)) == Some(&true)
            && let Some(text) = self.out.get(start..).filter(|text| text.len() <= SHORT)
        {
            watch.texts.insert(attr, text.into());
        }
    }

    fn is_plain(&mut self, subject: Subject) -> bool {
        let known = self.watch.as_ref().and_then(|watch| watch.plain.get(&subject).copied());
        known.unwrap_or_else(|| {
            let out = std::mem::take(&mut self.out);
            self.collector = Some(Collector::default());
            self.collect(subject);
            let found = self.collector.take().unwrap_or_default();
            let plain = found.is_empty();
            self.out = out;
            if let Some(watch) = &mut self.watch {
                watch.plain.insert(subject, plain);
                // So are the parts of what is plain.
                if plain {
                    watch.plain.extend(found.subjects().map(|part| (part, true)));
                }
            }
            plain
        })
    }
}

/// Whether a subject is made of nothing else and never gets an alias.
fn is_leaf(subject: Subject) -> bool {
    match subject {
        Subject::Type(ty) => matches!(
            ty.data(),
            TypeData::Integer { .. }
                | TypeData::Float(_)
                | TypeData::Index
                | TypeData::None
                | TypeData::Token
        ),
        Subject::Attr(attr) => match attr.data() {
            AttrData::Integer { ty, .. } | AttrData::Float { ty, .. } => {
                is_leaf(Subject::Type(*ty))
            }
            AttrData::Type(ty) => is_leaf(Subject::Type(*ty)),
            AttrData::Unit
            | AttrData::String { ty: None, .. }
            | AttrData::SymbolRef { .. }
            | AttrData::Strided { .. } => true,
            AttrData::DenseArray { element, .. } => is_leaf(Subject::Type(*element)),
            _ => false,
        },
    }
}
