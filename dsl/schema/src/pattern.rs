//! Rewrite patterns as matcher and builder programs.

use crate::{Source, Str};

/// One rewrite pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PatternDef {
    /// The `.td` definition's name.
    pub name: Str,
    /// The group that passes refer to; `canonicalize` and `fold` are those of the canonicalizer.
    pub group: Str,
    /// The full name of the op at the root.
    pub root: Str,
    /// Higher is tried first.
    pub benefit: u32,
    /// Where it is defined.
    pub source: Source,
}
