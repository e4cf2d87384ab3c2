//! The `linalg` dialect.

#![warn(missing_docs)]

mod semantics;
mod structure;

pub use semantics::semantics;
pub use structure::{Structure, is_contraction, structure};
