//! The aliases that a text defines (`#map = …`, `!t = …`).

use rustc_hash::FxHashMap;

use crate::{Attr, Type};

/// What the aliases of a text stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AliasTable {
    attrs: FxHashMap<Box<str>, Attr>,
    types: FxHashMap<Box<str>, Type>,
}

impl AliasTable {
    /// A table without aliases.
    pub fn new() -> AliasTable {
        AliasTable::default()
    }

    /// Defines `#name`.
    pub fn insert_attr(&mut self, name: &str, attr: Attr) {
        self.attrs.insert(name.into(), attr);
    }

    /// Defines `!name`.
    pub fn insert_type(&mut self, name: &str, ty: Type) {
        self.types.insert(name.into(), ty);
    }

    /// What `#name` stands for.
    pub fn attr(&self, name: &str) -> Option<Attr> {
        self.attrs.get(name).copied()
    }

    /// What `!name` stands for.
    pub fn ty(&self, name: &str) -> Option<Type> {
        self.types.get(name).copied()
    }
}
