//! A table inside of a table of the same type.

use std::hash::{Hash, Hasher};
use std::ops::Deref;

/// A value that is borrowed from a generated `static` or owned by a live definition, and that may
/// be of the type that it stands in. It compares and hashes as the value.
#[derive(Clone, Debug)]
pub enum Nested<T: 'static> {
    /// Borrowed.
    Static(&'static T),
    /// Owned.
    Owned(Box<T>),
}

impl<T> Nested<T> {
    /// An owned value.
    pub fn new(value: T) -> Self {
        Nested::Owned(Box::new(value))
    }
}

impl<T> Deref for Nested<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Nested::Static(value) => value,
            Nested::Owned(value) => value,
        }
    }
}

impl<T: PartialEq> PartialEq for Nested<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Nested<T> {}

impl<T: Hash> Hash for Nested<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}
