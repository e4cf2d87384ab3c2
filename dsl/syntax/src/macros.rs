//! The macros of the preprocessor: names that are defined or not.

use std::collections::BTreeSet;
use std::sync::Arc;

/// A set of defined macros; cloning shares it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Macros(Arc<BTreeSet<Arc<str>>>);

impl Macros {
    /// Whether `name` is defined.
    pub fn is_defined(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// Defines `name`; whether it was not defined before.
    pub fn define(&mut self, name: &str) -> bool {
        !self.is_defined(name) && Arc::make_mut(&mut self.0).insert(name.into())
    }
}
