//! The `flow` dialect.
//!
//! Purpose: dispatches over tensors; the passes that form dispatches, choose encodings and outline
//! executables.
//! Non-goals: resources and their lifetimes (stream), what happens in a dispatch (codegen).

#![warn(missing_docs)]

mod closure;
mod computations;
mod encodings;
mod folds;
mod fusion;
mod hooks;
mod kinds;
mod listings;
mod nest;
mod passes;
mod regions;
mod semantics;
mod sizes;
mod structured;
mod uses;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/flow.rs"));
}

pub use passes::passes;
pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::FlowHooks>()
}

/// The Rust that patterns name.
pub fn rewrites() -> tegula_rewrite::RewriteHooks {
    tegula_rewrite::RewriteHooks::new()
        .constant_op("flow", "arith.constant")
        .rewrite("flow_region_results", closure::region_results)
        .rewrite("flow_workgroups_closure", closure::workgroups)
        .rewrite("flow_workgroups_workload", closure::workload)
        .rewrite("flow_workgroups_slice_workload", closure::slice_workload)
}
