//! The `arith` dialect.

#![warn(missing_docs)]

mod kernels;

pub use kernels::semantics;
