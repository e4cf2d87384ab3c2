//! The `scf` dialect.
//!
//! Purpose: structured control flow.
//! Non-goals: branches between blocks (`cf`), schedules.

#![warn(missing_docs)]

mod forall;
mod hooks;
mod semantics;
mod syntax;
mod verify;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/scf.rs"));
}

pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::ScfHooks>()
}
