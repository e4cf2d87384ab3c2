//! The `vector` dialect.
//!
//! Purpose: vectors of any rank, and their traffic with memory.
//! Non-goals: machine vectors (`neon`).

#![warn(missing_docs)]

mod combine;
mod fold;
mod hooks;
mod memory;
mod reduce;
mod semantics;
mod syntax;
mod transfer_syntax;
mod verify;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/vector.rs"));
}

pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::VectorHooks>()
}

/// What rewriting needs to know of the dialect: constants that its ops fold to are `arith`'s.
pub fn rewrites() -> tegula_rewrite::RewriteHooks {
    tegula_rewrite::RewriteHooks::new().constant_op("vector", "arith.constant")
}
