//! Modules: a header and an ordered list of bodies.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::{Attr, Body, Ident};

/// What the metadata of a text gives a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Bytes, behind the four of their alignment.
    Blob(Arc<[u8]>),
    /// A truth value.
    Bool(bool),
    /// A text.
    Text(Box<str>),
}

/// Resources by name.
pub type Resources = IndexMap<Ident, Resource>;

/// The resources of other tools, by tool.
pub type ExternalResources = Arc<[(Ident, Resources)]>;

/// A module.
#[derive(Clone, Debug)]
pub struct Module {
    /// The module's name, when it has one.
    pub name: Option<Ident>,
    /// Its attributes without the name, as a dictionary.
    pub attrs: Attr,
    /// Its location.
    pub loc: Option<Attr>,
    /// Its top-level ops in order.
    pub bodies: Vec<Body>,
    /// What the text holds for other tools.
    pub external: ExternalResources,
}

impl Default for Module {
    fn default() -> Self {
        Module {
            name: None,
            attrs: Attr::empty_dict(),
            loc: None,
            bodies: Vec::new(),
            external: Arc::new([]),
        }
    }
}

impl Module {
    /// The body whose top-level op defines the symbol.
    pub fn symbol(&self, name: &str) -> Option<&Body> {
        self.symbol_index(name).map(|at| &self.bodies[at])
    }

    /// The position of the body whose top-level op defines the symbol.
    pub fn symbol_index(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|b| b.root().and_then(|root| b.symbol_name(root)) == Some(name))
    }

    /// Sets one of the module's attributes, or removes it.
    pub fn set_attr(&mut self, name: &str, value: Option<Attr>) {
        let name = Ident::of(name);
        let others = self.attrs.as_dict().unwrap_or(&[]).iter().copied();
        let others = others.filter(|(other, _)| *other != name);
        self.attrs = Attr::dict(others.chain(value.map(|value| (name, value))));
    }
}
