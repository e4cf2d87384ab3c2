//! The `tensor` dialect.
//!
//! Purpose: values of a shape, their slices and reshapes.
//! Non-goals: structured computation (`linalg`).

#![warn(missing_docs)]

mod carried;
mod fold;
mod hooks;
pub mod reshape;
mod rewrite;
mod semantics;
mod syntax;
mod verify;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/tensor.rs"));
}

pub use rewrite::rewrites;
pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::TensorHooks>()
}
