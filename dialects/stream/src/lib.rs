//! The `stream` dialect.
//!
//! Purpose: resources, their sizes and lifetimes, and the order of work on them; the passes from
//! tensors to commands on allocated memory.
//! Non-goals: forming dispatches (flow), the runtime's objects (hal).

#![warn(missing_docs)]

mod canonicalize;
mod config;
mod conversion;
pub mod dispatch;
mod entries;
mod hooks;
mod listings;
mod parameters;
mod passes;
mod run_dispatch;
mod semantics;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/stream.rs"));
}

pub use run_dispatch::Interface;
pub use semantics::{semantics, tensor_bytes, view};

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::StreamHooks>()
}

/// The Rust that patterns name.
pub fn rewrites() -> tegula_rewrite::RewriteHooks {
    conversion::rewrites(canonicalize::rewrites())
}

/// The implementations of the passes in `passes.td`.
pub fn passes() -> Vec<tegula_pass::PassImpl> {
    let mut all = conversion::passes();
    all.extend(passes::scheduling());
    all
}
