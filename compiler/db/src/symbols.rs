//! Which symbols there are at each point of the plan.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use tegula_ir::{FrozenBody, has_identity};

use crate::parse::body_count;
use crate::phase::{header_outcome, outcome, plan};
use crate::shards::{Sources, entry, shard, shards};
use crate::whole::whole_symbols;
use crate::{Item, Program};
use tegula_pass::Phase as Step;

/// A symbol by where it comes from, so that it is the same symbol after any edit that leaves its
/// origin in place.
#[salsa::interned(debug, revisions = usize::MAX)]
pub(crate) struct Symbol<'db> {
    /// Where it comes from.
    #[returns(copy)]
    pub(crate) origin: Origin<'db>,
}

/// Where a symbol comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub(crate) enum Origin<'db> {
    /// Body number `.1` of an item.
    Item(Item, u32),
    /// The `.1`-th that a header phase adds.
    Header(u32, u32),
    /// The `.2`-th that phase `.1` splits off of a symbol.
    Emitted(Symbol<'db>, u32, u32),
    /// Made by phase `.0` for a content that its name identifies, whoever asked for it first.
    Content(u32, Name<'db>),
    /// The `.1`-th that a phase over the whole module adds.
    Whole(u32, u32),
}

/// A name that identifies content.
#[salsa::interned(debug, revisions = usize::MAX)]
pub(crate) struct Name<'db> {
    /// The text.
    #[returns(ref)]
    pub(crate) text: String,
}

/// The item that a symbol goes back to.
pub(crate) fn source_item<'db>(db: &'db dyn salsa::Database, symbol: Symbol<'db>) -> Option<Item> {
    let mut at = symbol;
    loop {
        match at.origin(db) {
            Origin::Item(item, _) => return Some(item),
            Origin::Emitted(by, ..) => at = by,
            Origin::Header(..) | Origin::Content(..) | Origin::Whole(..) => return None,
        }
    }
}

/// The symbols at one point of the plan.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Symbols<'db> {
    /// In module order.
    pub(crate) list: Vec<Symbol<'db>>,
    /// Some phase gave up on a symbol before.
    pub(crate) failed: bool,
}

/// The symbols at the start of a phase.
#[salsa::tracked(returns(ref))]
pub(crate) fn symbols_at<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: usize,
) -> Symbols<'db> {
    let Some(before) = phase.checked_sub(1) else {
        let mut list = Vec::new();
        for &item in program.items(db) {
            for index in 0..body_count(db, program, item) {
                list.push(Symbol::new(db, Origin::Item(item, index as u32)));
            }
        }
        return Symbols { list, failed: false };
    };
    let previous = symbols_at(db, program, before);
    let number = before as u32;
    match plan(db, program).0.phases.get(before) {
        Some(Step::Header(_)) => {
            let outcome = &header_outcome(db, program, before).1;
            let added = outcome.emitted.len() as u32;
            let new = (0..added).map(|i| Symbol::new(db, Origin::Header(number, i)));
            Symbols {
                list: new.chain(previous.list.iter().copied()).collect(),
                failed: previous.failed || outcome.failed,
            }
        }
        Some(Step::Module(_) | Step::FixedPoint(_)) => {
            let mut symbols = whole_symbols(db, program, before).clone();
            symbols.failed |= previous.failed;
            symbols
        }
        Some(Step::Local(_) | Step::Solved(..) | Step::BottomUp(..)) => {
            let mut out = Symbols { list: Vec::new(), failed: previous.failed };
            let mut contents = FxHashSet::default();
            for &symbol in &previous.list {
                let after = shape(db, program, before, symbol);
                out.failed |= after.failed;
                for (index, name) in after.emitted.iter().enumerate() {
                    match name {
                        Some(name) if !contents.insert(name.as_str()) => {}
                        Some(name) => {
                            let name = Name::new(db, name.clone());
                            out.list.push(Symbol::new(db, Origin::Content(number, name)));
                        }
                        None => {
                            let origin = Origin::Emitted(symbol, number, index as u32);
                            out.list.push(Symbol::new(db, origin));
                        }
                    }
                }
                if after.stays {
                    out.list.push(symbol);
                }
            }
            out
        }
        None => previous.clone(),
    }
}

/// What a phase does to the list of symbols at one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// For each new symbol its name when that identifies its content.
    emitted: Vec<Option<String>>,
    stays: bool,
    failed: bool,
}

/// What a phase does to the list of symbols at one of them; edits within bodies end here.
#[salsa::tracked(returns(ref))]
pub(crate) fn shape<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: usize,
    symbol: Symbol<'db>,
) -> Shape {
    let after = outcome(db, program, phase, symbol);
    Shape {
        emitted: after.emitted.iter().map(|b| identity_of(b)).collect(),
        stays: after.body.is_some(),
        failed: after.failed,
    }
}

/// The symbol's name when it identifies its content.
pub(crate) fn identity_of(body: &FrozenBody) -> Option<String> {
    let body = body.body();
    let name = body.symbol_name(body.root()?)?;
    has_identity(name).then(|| name.to_owned())
}

/// The body of a content that a phase made, from the first symbol that asked for it.
#[salsa::tracked(returns(clone))]
pub(crate) fn content_body<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: u32,
    name: Name<'db>,
) -> Option<Arc<FrozenBody>> {
    let sources = shard(content_sources(db, program, phase), name)?;
    let (symbol, index) = *entry(sources.entries(db), name)?;
    outcome(db, program, phase as usize, symbol).emitted.get(index).cloned()
}

/// Who asked first for each content that a phase made.
#[salsa::tracked(returns(ref))]
fn content_sources<'db>(
    db: &'db dyn salsa::Database,
    program: Program,
    phase: u32,
) -> Vec<Sources<'db>> {
    let mut first = FxHashSet::default();
    let mut out = Vec::new();
    for &symbol in &symbols_at(db, program, phase as usize).list {
        for (index, name) in shape(db, program, phase as usize, symbol).emitted.iter().enumerate() {
            if let Some(name) = name {
                let name = Name::new(db, name.clone());
                if first.insert(name) {
                    out.push((name, (symbol, index)));
                }
            }
        }
    }
    shards(out, |number, entries| Sources::new(db, number, entries))
}
