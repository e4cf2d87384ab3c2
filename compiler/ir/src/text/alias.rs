//! The names that a text defines: aliases (`#map = …`, `!t = …`) and resources.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{Attr, ExternalResources, Ident, Resources, Type};

/// What the aliases of a text stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AliasTable {
    attrs: FxHashMap<Box<str>, Attr>,
    types: FxHashMap<Box<str>, Type>,
    /// Those whose definitions are wrong, with their sigils.
    broken: Vec<Box<str>>,
    /// The bytes that attributes may name.
    resources: FxHashMap<Ident, Arc<[u8]>>,
    external: Vec<(Ident, Resources)>,
}

/// The code of the error for a use of an alias whose definition is wrong, which has been told.
pub(crate) const BROKEN_ALIAS: &str = "broken-alias";

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

    /// Remembers that the definition of an alias, `#name` or `!name`, is wrong.
    pub(crate) fn insert_broken(&mut self, name: &str) {
        self.broken.push(name.into());
    }

    /// Remembers bytes that attributes may name.
    pub(crate) fn insert_resource(&mut self, key: Ident, blob: Arc<[u8]>) {
        self.resources.insert(key, blob);
    }

    /// The bytes of that name.
    pub(crate) fn resource(&self, key: Ident) -> Option<Arc<[u8]>> {
        self.resources.get(&key).cloned()
    }

    /// Remembers what the text holds for another tool.
    pub(crate) fn insert_external(&mut self, owner: Ident, entries: Resources) {
        self.external.push((owner, entries));
    }

    /// What the text holds for other tools.
    pub(crate) fn external(&self) -> ExternalResources {
        self.external.as_slice().into()
    }

    /// Whether the definition of an alias, `#name` or `!name`, is wrong.
    pub(crate) fn is_broken(&self, name: &str) -> bool {
        self.broken.iter().any(|broken| **broken == *name)
    }

    /// What `#name` stands for.
    pub fn attr(&self, name: &str) -> Option<Attr> {
        self.attrs.get(name).copied()
    }

    /// The names of attributes, sorted.
    pub(crate) fn attr_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.attrs.keys().map(|name| &**name).collect();
        names.sort_unstable();
        names
    }

    /// The names of types, sorted.
    pub(crate) fn type_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.types.keys().map(|name| &**name).collect();
        names.sort_unstable();
        names
    }

    /// What `!name` stands for.
    pub fn ty(&self, name: &str) -> Option<Type> {
        self.types.get(name).copied()
    }
}
