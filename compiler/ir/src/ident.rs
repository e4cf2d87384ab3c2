//! Identifiers and op names.

use std::fmt;

use crate::interner::handle;

handle! {
    /// An interned string: attribute names, symbol names, parameter names.
    Ident => Box<str>, IDENTS
}

impl Ident {
    /// Interns a string.
    pub fn of(text: &str) -> Self {
        Ident(IDENTS.intern_ref(text))
    }

    /// The string.
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

/// The full name of an op: `arith.addf`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct OpName(pub(crate) Ident);

impl OpName {
    /// Interns an op name.
    pub fn of(text: &str) -> Self {
        OpName(Ident::of(text))
    }

    /// The full name.
    pub fn as_str(self) -> &'static str {
        self.0.as_str()
    }

    /// The part before the first dot, or nothing.
    pub fn dialect(self) -> &'static str {
        let name = self.as_str();
        // Names are short: looking byte by byte is faster than a searcher for long text.
        name.bytes().position(|b| b == b'.').map_or("", |dot| &name[..dot])
    }

    /// The identifier.
    pub fn ident(self) -> Ident {
        self.0
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
