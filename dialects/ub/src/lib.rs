//! The `ub` dialect.
//!
//! Purpose: undefined behaviour made explicit.
//! Non-goals: analyses that find it.

#![warn(missing_docs)]

mod hooks;
mod semantics;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/ub.rs"));
}

pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::UbHooks>()
}
