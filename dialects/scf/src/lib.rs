//! The `scf` dialect.

#![warn(missing_docs)]

mod semantics;

pub use semantics::semantics;
