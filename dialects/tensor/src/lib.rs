//! The `tensor` dialect.

#![warn(missing_docs)]

mod semantics;

pub use semantics::semantics;
