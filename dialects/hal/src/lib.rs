//! The `hal` dialect.
//!
//! Purpose: the border of the program to its caller, devices, and executables as the runtime has
//! them; the passes that settle both.
//! Non-goals: how resources are scheduled (stream), what device code does (codegen).

#![warn(missing_docs)]

mod barriers;
mod constants;
pub mod executable;
mod hooks;
pub mod host;
mod objects;
mod passes;
mod rewrites;
mod semantics;
mod to_vm;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/hal.rs"));
}

pub use passes::{passes, resolve_export_ordinals};
pub use rewrites::rewrites;
pub use semantics::{BufferView, semantics};

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::HalHooks>()
}
