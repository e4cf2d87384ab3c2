//! The `hal_inline` dialect.
//!
//! Purpose: buffers and buffer views of the runtime in host memory, without devices or waiting.
//! Non-goals: executables that are loaded (hal_loader), asynchronous execution (hal).

#![warn(missing_docs)]

use tegula_dialect_util::shared_directives;

mod inline_executables;
mod semantics;

pub use semantics::semantics;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/hal_inline.rs"));
}

struct HalInlineHooks;

impl generated::Hooks for HalInlineHooks {
    shared_directives!(size_aware_type);
}

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<HalInlineHooks>()
}

/// The implementations of the passes in `passes.td`.
pub fn passes() -> Vec<tegula_pass::PassImpl> {
    vec![tegula_pass::PassImpl {
        name: "iree-hal-inline-executables",
        run: tegula_pass::PassRun::Module(inline_executables::run),
    }]
}
