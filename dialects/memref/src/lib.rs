//! The `memref` dialect.
//!
//! Purpose: views of memory.
//! Non-goals: where memory comes from on a device (`hal`).

#![warn(missing_docs)]

mod fold;
mod hooks;
mod semantics;
mod syntax;
mod verify;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/memref.rs"));
}

pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::MemRefHooks>()
}

/// What rewriting needs to know of the dialect: constants that its ops fold to are `arith`'s.
pub fn rewrites() -> tegula_rewrite::RewriteHooks {
    tegula_rewrite::RewriteHooks::new().constant_op("memref", "arith.constant")
}
