//! The `affine` dialect.
//!
//! Purpose: index arithmetic by affine maps, with its composition and folding; the lists of
//! constants and values ([`mixed`]) that other dialects' syntax shares.
//! Non-goals: polyhedral analyses and loop transformations.

#![warn(missing_docs)]

pub mod compose;
mod expand;
mod fold;
mod hooks;
pub mod mixed;
mod rewrite;
mod semantics;
mod syntax;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/affine.rs"));
}

pub use rewrite::rewrites;
pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::AffineHooks>()
}
