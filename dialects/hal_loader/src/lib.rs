//! The `hal_loader` dialect.
//!
//! Purpose: executables that are loaded at run time and called in place.
//! Non-goals: buffers (hal_inline), queues and devices (hal).

#![warn(missing_docs)]

mod count_workgroups;
mod hooks;
mod materialize_executables;
mod resolve_export_ordinals;

use tegula_pass::{PassImpl, PassRun};

mod generated {
    include!(concat!(env!("OUT_DIR"), "/hal_loader.rs"));
}

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::HalLoaderHooks>()
}

/// The implementations of the passes in `passes.td`.
pub fn passes() -> Vec<PassImpl> {
    vec![
        PassImpl {
            name: "tegula-hal-loader-count-workgroups",
            run: PassRun::Module(count_workgroups::run),
        },
        PassImpl {
            name: "iree-hal-loader-materialize-executables",
            run: PassRun::Outline(materialize_executables::run),
        },
        PassImpl {
            name: "iree-hal-loader-resolve-export-ordinals",
            run: PassRun::Module(resolve_export_ordinals::run),
        },
    ]
}
