//! The `vector` dialect.

#![warn(missing_docs)]

mod combine;
mod memory;
mod reduce;
mod semantics;

pub use semantics::semantics;
