//! Executables as libraries that IREE's runtime loads.
//!
//! Purpose: the tables and functions that the runtime's interface for executables asks for, around
//! device functions of machine ops, and the pass that has all of it assembled and linked.
//! Non-goals: instructions (tegula-neon), calling tools (tegula-toolchain), functions that C calls
//! (tegula-package).

#![warn(missing_docs)]

mod serialize;
mod tables;
#[cfg(test)]
mod tests;

use tegula_pass::{PassImpl, PassRun};

pub use serialize::{BINARIES, INTERMEDIATES};
pub use tables::{Entry, library_text};

mod generated {
    include!(concat!(env!("OUT_DIR"), "/passes.rs"));
}

struct LibraryHooks;

impl generated::Hooks for LibraryHooks {}

/// The definitions of the passes, as those of a dialect without ops.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<LibraryHooks>()
}

/// The implementations of the passes in `passes.td`.
pub fn passes() -> Vec<PassImpl> {
    vec![PassImpl {
        name: "iree-hal-serialize-target-executables",
        run: PassRun::Local(serialize::run),
    }]
}
