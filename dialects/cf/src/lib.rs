//! The `cf` dialect.
//!
//! Purpose: branches between blocks.
//! Non-goals: structured control flow (`scf`).

#![warn(missing_docs)]

pub mod cases;
mod hooks;
mod rewrites;
mod semantics;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/cf.rs"));
}

pub use rewrites::rewrites;
pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::CfHooks>()
}
