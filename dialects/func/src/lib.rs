//! The `func` dialect.
//!
//! Purpose: functions and calls.
//! Non-goals: calling conventions, which host and device dialects decide.

#![warn(missing_docs)]

mod hooks;
mod semantics;
pub mod syntax;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/func.rs"));
}

pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::FuncHooks>()
}
