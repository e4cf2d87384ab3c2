//! The plain table types that a lowered `.td` model consists of.
//!
//! Purpose: one vocabulary for generated statics and the live registry, so that the engine never
//! knows where a definition came from. Every table is either borrowed from a `static` or owned.
//! Non-goals: parsing, evaluation, any behaviour beyond look-up by name.

#![warn(missing_docs)]

mod dialect;
mod format;
mod hooks;
mod nested;
mod op;
mod pass;
mod pattern;
mod pred;
mod target;
mod types;

pub use dialect::*;
pub use format::*;
pub use hooks::*;
pub use nested::*;
pub use op::*;
pub use pass::*;
pub use pattern::*;
pub use pred::*;
pub use target::*;
pub use types::*;

use std::borrow::Cow;

/// A string that is borrowed from a generated `static` or owned by a live definition.
pub type Str = Cow<'static, str>;

/// A list that is borrowed from a generated `static` or owned by a live definition.
pub type List<T> = Cow<'static, [T]>;

/// Where a definition stands in its `.td` text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Source {
    /// The file's name as it was included.
    pub file: Str,
    /// The line, counted from 1; 0 when unknown.
    pub line: u32,
}
