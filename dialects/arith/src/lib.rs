//! The `arith` dialect.
//!
//! Purpose: arithmetic on integers, indices and floats; its kernels fold constants and evaluate.
//! Non-goals: elementary functions, whose results depend on the library that computes them.

#![warn(missing_docs)]

mod fold;
mod hooks;
mod kernels;
mod predicates;
mod syntax;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/arith.rs"));
}

pub use kernels::semantics;
pub use predicates::rewrites;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::ArithHooks>()
}
