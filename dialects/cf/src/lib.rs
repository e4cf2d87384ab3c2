//! The `cf` dialect.
//!
//! Purpose: branches between blocks.
//! Non-goals: structured control flow (`scf`).

#![warn(missing_docs)]

mod hooks;
mod semantics;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/cf.rs"));
}

pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::CfHooks>()
}

/// What rewriting needs to know of the dialect: constants that its ops fold to are `arith`'s.
pub fn rewrites() -> tegula_rewrite::RewriteHooks {
    tegula_rewrite::RewriteHooks::new().constant_op("cf", "arith.constant")
}
