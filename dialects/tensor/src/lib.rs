//! The `tensor` dialect.
//!
//! Purpose: values of a shape, their slices and reshapes.
//! Non-goals: structured computation (`linalg`).

#![warn(missing_docs)]

mod fold;
mod hooks;
mod semantics;
mod syntax;
mod verify;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/tensor.rs"));
}

pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::TensorHooks>()
}

/// What rewriting needs to know of the dialect: constants that its ops fold to are `arith`'s.
pub fn rewrites() -> tegula_rewrite::RewriteHooks {
    tegula_rewrite::RewriteHooks::new().constant_op("tensor", "arith.constant")
}
