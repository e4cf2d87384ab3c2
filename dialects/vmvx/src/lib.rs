//! The `vmvx` dialect.
//!
//! Purpose: device code as functions of the host, on buffers.
//! Non-goals: who calls them (hal_inline), bytecode.

#![warn(missing_docs)]

mod entry_point;

use tegula_pass::{PassImpl, PassRun};

mod generated {
    include!(concat!(env!("OUT_DIR"), "/vmvx.rs"));
}

struct VmvxHooks;

impl generated::Hooks for VmvxHooks {}

/// The dialect.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<VmvxHooks>()
}

/// The implementations of the passes in `passes.td`.
pub fn passes() -> Vec<PassImpl> {
    vec![PassImpl { name: "tegula-vmvx-entry-point", run: PassRun::Local(entry_point::run) }]
}
