//! The syntax of `.td` files: text to an owned tree and all errors.
//!
//! The language is the whole of LLVM's TableGen. A scan blanks comments and inactive preprocessor
//! regions ([`scan`] lets included files define macros on the way), a splitter cuts the
//! text into top-level items, and pest parses each of them by `td.pest`, the only grammar. An
//! item that fails is taken apart into its head and its body statements, so that one mistake
//! costs one statement.
//!
//! Non-goals: what names mean, which types fit (`tegula-record`), and reading files.

extern crate alloc;

pub mod ast;
mod bang;
mod lower;
mod lower_value;
mod macros;
mod parse;
mod parser;
mod scan;
mod split;

pub use bang::BangOp;
pub use macros::Macros;
pub use parse::{Includes, NoIncludes, parse, parse_scanned};
pub use scan::{Scanned, scan};
