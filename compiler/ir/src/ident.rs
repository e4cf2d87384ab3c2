//! Identifiers and op names.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::interner::{handle, hash_of};

handle! {
    /// An interned string: attribute names, symbol names, parameter names.
    Ident => Box<str>
}

impl Ident {
    /// Interns a string.
    pub fn of(text: &str) -> Self {
        Ident::interned(hash_of(text), text, |known, text| **known == **text, Box::from)
    }

    /// The string.
    #[inline]
    pub fn as_str(self) -> &'static str {
        self.data()
    }
}

impl fmt::Debug for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<&str> for Ident {
    fn from(text: &str) -> Self {
        Ident::of(text)
    }
}

handle! {
    /// The full name of an op: `arith.addf`.
    OpName => OpNameData
}

/// What is known of an op's name.
pub struct OpNameData {
    text: Box<str>,
    /// The length of the part before the first dot; 0 without a dot.
    dialect: usize,
    /// The number of names that were there before.
    index: usize,
}

impl OpNameData {
    fn new(text: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        OpNameData {
            text: text.into(),
            dialect: text.find('.').unwrap_or(0),
            index: COUNT.fetch_add(1, Ordering::Relaxed),
        }
    }
}

impl OpName {
    /// Interns an op name.
    pub fn of(text: &str) -> Self {
        let same = |known: &OpNameData, text: &&str| *known.text == **text;
        OpName::interned(hash_of(text), text, same, OpNameData::new)
    }

    /// The full name.
    #[inline]
    pub fn as_str(self) -> &'static str {
        &self.data().text
    }

    /// The part before the first dot, or nothing.
    #[inline]
    pub fn dialect(self) -> &'static str {
        let data = self.data();
        &data.text[..data.dialect]
    }
}

impl fmt::Debug for OpName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for OpName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq<str> for OpName {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for OpName {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl From<&str> for OpName {
    fn from(text: &str) -> Self {
        OpName::of(text)
    }
}

/// A table by op name. Looking something up costs two loads: names are numbered, and a name's
/// number leads to the place of what it stands for.
#[derive(Clone)]
pub struct OpTable<T> {
    /// By the number of the name; [`NOWHERE`] for names that stand for nothing.
    places: Vec<u32>,
    values: Vec<(OpName, T)>,
}

const NOWHERE: u32 = u32::MAX;

impl<T> Default for OpTable<T> {
    fn default() -> Self {
        OpTable { places: Vec::new(), values: Vec::new() }
    }
}

impl<T> OpTable<T> {
    /// What the name stands for.
    #[inline]
    pub fn get(&self, name: OpName) -> Option<&T> {
        let place = *self.places.get(name.data().index)?;
        self.values.get(place as usize).map(|(_, value)| value)
    }

    /// What the name stands for, which becomes the default when there is nothing yet.
    pub fn entry(&mut self, name: OpName) -> &mut T
    where
        T: Default,
    {
        if self.get(name).is_none() {
            self.insert(name, T::default());
        }
        let place = self.places[name.data().index];
        &mut self.values[place as usize].1
    }

    /// Lets the name stand for something.
    pub fn insert(&mut self, name: OpName, value: T) {
        let index = name.data().index;
        if self.places.len() <= index {
            self.places.resize(index + 1, NOWHERE);
        }
        match self.values.get_mut(self.places[index] as usize) {
            Some(known) => known.1 = value,
            None => {
                self.places[index] = self.values.len() as u32;
                self.values.push((name, value));
            }
        }
    }

    /// Keeps what `keep` holds for.
    pub fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        self.values.retain(|(_, value)| keep(value));
        self.places.fill(NOWHERE);
        for (place, (name, _)) in self.values.iter().enumerate() {
            self.places[name.data().index] = place as u32;
        }
    }

    /// Whether no name stands for anything.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// All that names stand for, to change.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.values.iter_mut().map(|(_, value)| value)
    }
}
