//! The `builtin` dialect.
//!
//! Purpose: modules, and casts between types whose conversion is not finished.
//! Non-goals: builtin types and attributes, which tegula-ir knows.

#![warn(missing_docs)]

mod hooks;
mod semantics;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/builtin.rs"));
}

pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::BuiltinHooks>()
}
