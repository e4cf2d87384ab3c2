//! Schema tables to Rust statics and typed wrappers.
//!
//! Purpose: [`build`] is all that a dialect's build script calls; [`generate()`] is the pure
//! function behind it, [`reference()`] the same for documentation. Generated text cites the `.td` line of each definition.
//! Non-goals: reading `.td` (tegula-model), and knowledge of any dialect.

#![warn(missing_docs)]

mod access;
mod build;
mod doc;
mod enums;
mod generate;
mod hooks;
mod names;
mod params;
mod reference;
mod share;
mod signature;
mod tables;
mod wrappers;

pub use build::build;
pub use generate::generate;
pub use reference::reference;
