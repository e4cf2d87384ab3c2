//! Where the ops of a body come from.

use super::OpId;
use crate::{Attr, AttrData, Ident, LocData};

/// The locations of ops by op id. Most ops stand in the text of one item, so that a number says
/// where.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locs {
    /// The item whose text the numbers mean.
    item: Option<Ident>,
    places: Vec<Place>,
    /// All other locations.
    others: Vec<Attr>,
}

/// A location of an op of one body: the number of an op in the item's text or, with the high bit,
/// of another location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place(u32);

const OTHER: u32 = 1 << 31;

impl Locs {
    /// The place of the op of that number in an item's text.
    pub(crate) fn in_item(&mut self, item: Ident, ordinal: u32) -> Place {
        if *self.item.get_or_insert(item) == item && ordinal < OTHER {
            return Place(ordinal);
        }
        self.other(Attr::new(AttrData::Loc(LocData::Item { item, ordinal })))
    }

    /// The place of a location.
    pub(crate) fn place(&mut self, loc: Attr) -> Place {
        match loc.data() {
            AttrData::Loc(LocData::Item { item, ordinal }) => self.in_item(*item, *ordinal),
            _ => self.other(loc),
        }
    }

    fn other(&mut self, loc: Attr) -> Place {
        if self.others.last() != Some(&loc) {
            self.others.push(loc);
        }
        Place(OTHER | (self.others.len() as u32 - 1))
    }

    /// The location that a place stands for.
    pub(crate) fn at(&self, place: Place) -> Attr {
        let unknown = LocData::Unknown;
        let data = match self.others.get((place.0 ^ OTHER) as usize) {
            Some(&other) => return other,
            None => self.item.map_or(unknown, |item| LocData::Item { item, ordinal: place.0 }),
        };
        Attr::new(AttrData::Loc(data))
    }

    pub(crate) fn of(&self, op: OpId) -> Place {
        self.places[op.index()]
    }

    pub(crate) fn get(&self, op: OpId) -> Attr {
        self.at(self.of(op))
    }

    pub(crate) fn set(&mut self, op: OpId, place: Place) {
        self.places[op.index()] = place;
    }

    pub(crate) fn push(&mut self, place: Place) {
        self.places.push(place);
    }

    /// Makes room for the places of so many ops.
    pub(crate) fn reserve(&mut self, ops: usize) {
        self.places.reserve(ops);
    }

    /// Gives back the room that is not needed.
    pub(crate) fn trim(&mut self) {
        super::room::trim(&mut self.places);
    }

    /// A table with room for more ops than there are.
    pub(crate) fn roomy(&self) -> Locs {
        let mut places = Vec::with_capacity(self.places.len() + self.places.len() / 2);
        places.extend_from_slice(&self.places);
        Locs { item: self.item, places, others: self.others.clone() }
    }

    /// The locations of some ops in their order.
    pub(crate) fn of_ops(&self, ops: &[OpId]) -> Locs {
        let mut locs = Locs { item: self.item, ..Locs::default() };
        locs.places.reserve_exact(ops.len());
        for &op in ops {
            let place = match self.of(op) {
                place if place.0 & OTHER == 0 => place,
                other => locs.other(self.at(other)),
            };
            locs.push(place);
        }
        locs
    }
}
