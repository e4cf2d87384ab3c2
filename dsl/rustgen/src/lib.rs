//! Schema tables to Rust statics and typed wrappers.
//!
//! Purpose: [`build`] is all that a dialect's build script calls; [`generate()`] is the pure
//! function behind it. Generated text cites the `.td` line of each definition.
//! Non-goals: reading `.td` (tegula-model), and knowledge of any dialect.

#![warn(missing_docs)]

mod build;
mod doc;
mod generate;
mod hooks;
mod names;
mod share;
mod tables;

pub use build::build;
pub use generate::generate;
