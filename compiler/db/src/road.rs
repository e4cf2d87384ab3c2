//! The road that symbols take through the phases of the plan.
//!
//! A phase is made of queries on its [`Level`] and on a [`Stage`] for each symbol. This carries
//! their results to the inputs of the next phase, only where they differ from what stands there:
//! what an edit costs depends on what differs because of it, and not on the size of the module,
//! which a check of all that a query on the module has read would do.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Setter;
use tegula_ir::{Body, FrozenBody, Ident, has_identity};
use tegula_pass::{Header, Phase as Step};

use crate::crossing::{Becomes, Crossing, Row, crossings};
use crate::database::{Database, Db, give_up_if};
use crate::inputs::{Given, Stage};
use crate::parallel::ask_all;
use crate::parse::{body_count, item_body, written_header};
use crate::phase::{Outcome, header_outcome, outcome, remember_outcomes};
use crate::whole::whole;
use crate::{Item, Program};

/// A symbol, the same after any edit that leaves where it comes from in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Track(u32);

impl Track {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a symbol comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Origin {
    /// Body number `.1` of an item.
    Item(Item, usize),
    /// The `.1`-th that header phase `.0` adds.
    Header(usize, usize),
    /// The `.2`-th that phase `.1` splits off of a symbol.
    Part(Track, usize, usize),
    /// Made by phase `.0` for a content that its name identifies, whoever asked for it first.
    Content(usize, Ident),
    /// The `.1`-th that phase `.0`, which sees the whole module, adds.
    Whole(usize, usize),
}

/// What edits touch.
#[derive(Debug, Default)]
pub struct Touched {
    /// Items with another text, or that were not there before.
    pub(crate) items: FxHashSet<Item>,
    /// Other items, or another order.
    pub(crate) list: bool,
    /// The text around the items.
    pub(crate) frame: bool,
}

/// One program on its way; empty until it sets off.
#[derive(Default)]
pub(crate) struct Road {
    /// One for each phase, and one for the end.
    pub(crate) levels: Vec<Crossing>,
    tracks: FxHashMap<Origin, Track>,
    origins: Vec<Origin>,
    /// The symbols of each item.
    first: FxHashMap<Item, Vec<Track>>,
    touched: Touched,
    /// Every phase is let go once it is crossed.
    one_way: bool,
}

impl Road {
    /// A road that is taken once, on which no more is kept than what the way ahead needs. For an
    /// edit it is [taken again](Road::again).
    pub(crate) fn one_way() -> Road {
        Road { one_way: true, ..Road::default() }
    }

    /// Begins anew where a phase was let go that is asked for, and from then on keeps all of them.
    pub(crate) fn again(&mut self) {
        if self.one_way && !self.levels.is_empty() {
            *self = Road::default();
        }
    }

    /// Notes what an edit touches.
    pub(crate) fn touch(&mut self, touched: Touched) {
        self.again();
        self.touched.items.extend(touched.items);
        self.touched.list |= touched.list;
        self.touched.frame |= touched.frame;
    }

    /// Takes the road as far as anything on it may differ. When this is given up, by unwinding, the
    /// next call goes on from there.
    pub(crate) fn advance(&mut self, db: &mut Database, program: Program, items: &[Item]) {
        if self.levels.is_empty() {
            self.levels = crossings(db, program);
            remember_outcomes(db, !self.one_way);
            self.touched.list = true;
            self.touched.frame = true;
        }
        self.set_off(db, program, items);
        let nothing = Arc::new(Body::new().freeze());
        for at in 0..self.levels.len() - 1 {
            self.cross(db, at);
            if self.one_way {
                self.levels[at].let_go(db, &nothing);
            }
        }
    }

    /// What the written program brings to the first phase.
    fn set_off(&mut self, db: &mut Database, program: Program, items: &[Item]) {
        if self.touched.frame {
            let header = written_header(db, program).0.clone();
            self.carry_header(db, 0, &header);
            self.touched.items.extend(items);
            self.touched.frame = false;
        }
        for &item in items {
            if !self.touched.items.contains(&item) {
                continue;
            }
            let bodies: Vec<_> = (0..body_count(db, program, item))
                .map(|index| item_body(db, program, item, index))
                .collect();
            let mut tracks = Vec::new();
            for (index, body) in bodies.iter().enumerate() {
                let Some(body) = body else { continue };
                let track = self.track(Origin::Item(item, index));
                tracks.push(track);
                self.carry(db, 0, track, body);
            }
            if self.first.get(&item) != Some(&tracks) {
                self.first.insert(item, tracks);
                self.touched.list = true;
            }
            self.touched.items.remove(&item);
        }
        self.touched.items.clear();
        if self.touched.list {
            let tracks = items.iter().filter_map(|item| self.first.get(item));
            let order = tracks.flatten().copied().collect();
            self.levels[0].set_order(order);
            self.touched.list = false;
        }
    }

    /// Crosses one phase.
    fn cross(&mut self, db: &mut Database, at: usize) {
        if self.levels[at].is_settled() {
            return;
        }
        let Some(step) = self.levels[at].level.step(db).clone() else { return };
        match &*step {
            Step::Module(pass) if self.levels[at].is_idle(db, pass) => {}
            Step::Module(_) | Step::FixedPoint(_) => return self.cross_whole(db, at, &step),
            Step::Header(_) => self.cross_header(db, at),
            Step::Solved(..) => self.levels[at].solve(db),
            Step::BySubject(..) => self.levels[at].talk(db),
            Step::BottomUp(..) => self.levels[at].link(db),
            // The plan's stretches have no groups.
            Step::Local(_) | Step::Group(..) => {}
        }
        let pending = match &*step {
            Step::BottomUp(..) => self.levels[at].callees_first.clone(),
            _ => self.levels[at].pending(),
        };
        if !matches!(*step, Step::BottomUp(..)) {
            let here = &self.levels[at];
            let rows = pending.iter().filter_map(|&track| here.row(track));
            let touched = rows.filter(|row| !row.is_untouched(&step)).map(|row| row.stage);
            ask_all(db, touched.collect(), here.passes.len(), |db, stage| {
                outcome(db, stage);
            });
        }
        for track in pending {
            // A bottom-up phase finds callers dirty on its way.
            if self.levels[at].dirty.contains(&track) {
                give_up_if(db.stop());
                self.cross_symbol(db, at, track, &step);
            }
        }
        if !matches!(*step, Step::Header(_)) {
            let header = self.levels[at].level.header(db).clone();
            self.carry_header(db, at + 1, &header);
        }
        if std::mem::take(&mut self.levels[at].reordered) {
            self.reorder(db, at);
        }
        self.levels[at].stale = false;
        self.levels[at].gone.clear();
    }

    /// Takes one symbol through a phase that sees one at a time.
    fn cross_symbol(&mut self, db: &mut Database, at: usize, track: Track, step: &Step) {
        let here = &mut self.levels[at];
        let Some(row) = here.row_mut(track) else { return };
        let new = match row.is_untouched(step) {
            true => Outcome::same(row.stage.body(db).clone()),
            false => outcome(db, row.stage).clone(),
        };
        let old = row.outcome.replace(new.clone());
        here.dirty.remove(&track);
        if old.as_ref().is_some_and(|old| same_outcome(old, &new)) {
            return;
        }
        let callers = here.callers.get(&track).into_iter().flatten();
        here.dirty.extend(callers.copied());
        let mut becomes = Vec::new();
        for (index, body) in new.emitted.iter().enumerate() {
            match identity_of(body) {
                Some(name) => {
                    becomes.push(self.track(Origin::Content(at, name)));
                    // Whose content it is shows when all symbols are there.
                    self.levels[at].reordered = true;
                }
                None => {
                    let part = self.track(Origin::Part(track, at, index));
                    self.carry(db, at + 1, part, body);
                    becomes.push(part);
                }
            }
        }
        if let Some(body) = &new.body {
            self.carry(db, at + 1, track, body);
            becomes.push(track);
        }
        let becomes = match becomes[..] {
            [] => Becomes::Nothing,
            [one] if one == track => Becomes::Itself,
            _ => Becomes::These(becomes),
        };
        self.levels[at].set_becomes(track, becomes);
    }

    /// The order after a phase that sees one symbol at a time.
    fn reorder(&mut self, db: &mut Database, at: usize) {
        let mut order = Vec::new();
        let mut contents: Vec<(Track, Arc<FrozenBody>)> = Vec::new();
        let mut known = FxHashSet::default();
        let head = header_outcome(db, self.levels[at].level).clone();
        for (index, body) in head.iter().flat_map(|head| &head.added).enumerate() {
            let track = self.track(Origin::Header(at, index));
            self.carry(db, at + 1, track, body);
            order.push(track);
        }
        for (parent, becomes) in self.levels[at].becoming() {
            let becomes = match becomes {
                Becomes::Nothing => continue,
                Becomes::Itself => {
                    order.push(parent);
                    continue;
                }
                Becomes::These(tracks) => tracks,
            };
            for (place, &track) in becomes.iter().enumerate() {
                if !matches!(self.origins[track.index()], Origin::Content(..)) {
                    order.push(track);
                // A content belongs to whoever asked for it first.
                } else if known.insert(track) {
                    let made = self.levels[at].row(parent).and_then(|row| row.outcome.as_ref());
                    let emitted = made.and_then(|made| made.emitted.get(place));
                    contents.extend(emitted.map(|body| (track, body.clone())));
                    order.push(track);
                }
            }
        }
        for (track, body) in contents {
            self.carry(db, at + 1, track, &body);
        }
        self.levels[at + 1].set_order(order);
    }

    fn cross_header(&mut self, db: &mut Database, at: usize) {
        if !self.levels[at].stale {
            return;
        }
        if let Some(made) = header_outcome(db, self.levels[at].level).clone() {
            self.carry_header(db, at + 1, &made.header);
        }
        self.levels[at].reordered = true;
    }

    /// Crosses a phase that sees the whole module. Symbols are known again by name, those without
    /// one by position.
    fn cross_whole(&mut self, db: &mut Database, at: usize, step: &Step) {
        let here = &self.levels[at];
        let mut bodies = Vec::new();
        let mut named = FxHashMap::default();
        let mut anonymous = Vec::new();
        for &track in &here.order {
            let Some(row) = here.row(track) else { continue };
            let body = row.stage.body(db);
            match name_of(body) {
                Some(name) => drop(named.insert(name, track)),
                None => anonymous.push(track),
            }
            bodies.push(body.clone());
        }
        let made = whole(db, here.level, step, &bodies);
        self.carry_header(db, at + 1, &made.header);
        let mut anonymous = anonymous.into_iter();
        let mut order = Vec::new();
        for (place, body) in made.bodies.iter().flatten().enumerate() {
            let known = match name_of(body) {
                Some(name) => named.remove(&name),
                None => anonymous.next(),
            };
            let track = known.unwrap_or_else(|| self.track(Origin::Whole(at, place)));
            self.carry(db, at + 1, track, body);
            order.push(track);
        }
        self.levels[at + 1].set_order(order);
        let here = &mut self.levels[at];
        here.whole = Some(made);
        here.dirty.clear();
        here.stale = false;
        here.reordered = false;
        here.gone.clear();
    }

    fn carry_header(&mut self, db: &mut Database, at: usize, header: &Header) {
        let here = &mut self.levels[at];
        if here.level.header(db) != header {
            here.level.set_header(db).to(header.clone());
            here.dirty.extend(&here.order);
            here.stale = true;
        }
    }

    fn carry(&mut self, db: &mut Database, at: usize, track: Track, body: &Arc<FrozenBody>) {
        match self.levels[at].row(track).map(|row| row.stage) {
            Some(stage) if same_body(stage.body(db), body) => return,
            Some(stage) => drop(stage.set_body(db).to(body.clone())),
            None => {
                let item = self.source_item(track);
                let level = self.levels[at].level;
                let stage = Stage::new(db, level, item, body.clone(), Given::Nothing);
                self.levels[at].insert(track, Row::new(stage));
            }
        }
        self.levels[at].dirty.insert(track);
    }

    fn track(&mut self, origin: Origin) -> Track {
        *self.tracks.entry(origin).or_insert_with(|| {
            self.origins.push(origin);
            Track(self.origins.len() as u32 - 1)
        })
    }

    /// The item that a symbol goes back to.
    fn source_item(&self, track: Track) -> Option<Item> {
        let mut at = track;
        loop {
            match *self.origins.get(at.index())? {
                Origin::Item(item, _) => return Some(item),
                Origin::Part(by, ..) => at = by,
                Origin::Header(..) | Origin::Content(..) | Origin::Whole(..) => return None,
            }
        }
    }
}

fn name_of(body: &FrozenBody) -> Option<Ident> {
    let body = body.body();
    body.symbol_name(body.root()?).map(Ident::of)
}

/// The symbol's name when it identifies its content.
fn identity_of(body: &FrozenBody) -> Option<Ident> {
    name_of(body).filter(|name| has_identity(name.as_str()))
}

fn same_body(a: &Arc<FrozenBody>, b: &Arc<FrozenBody>) -> bool {
    Arc::ptr_eq(a, b) || a == b
}

/// The same comes out.
fn same_outcome(a: &Outcome, b: &Outcome) -> bool {
    a.body.is_some() == b.body.is_some()
        && a.emitted.len() == b.emitted.len()
        && a.body.iter().zip(&b.body).all(|(a, b)| same_body(a, b))
        && a.emitted.iter().zip(&b.emitted).all(|(a, b)| same_body(a, b))
}
