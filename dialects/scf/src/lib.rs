//! The `scf` dialect.
//!
//! Purpose: structured control flow.
//! Non-goals: branches between blocks (`cf`), schedules.

#![warn(missing_docs)]

mod forall;
mod hooks;
mod semantics;
mod switches;
mod syntax;
mod to_cf;
mod verify;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/scf.rs"));
}

pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::ScfHooks>()
}

/// The Rust of its passes.
pub fn passes() -> Vec<tegula_pass::PassImpl> {
    let run = tegula_pass::PassRun::Local(to_cf::run);
    vec![tegula_pass::PassImpl { name: "convert-scf-to-cf", run }]
}

/// What rewriting needs to know of the dialect: constants that its ops fold to are `arith`'s.
pub fn rewrites() -> tegula_rewrite::RewriteHooks {
    tegula_rewrite::RewriteHooks::new()
        .constant_op("scf", "arith.constant")
        .rewrite("scf_merge_switches", switches::merge)
}
