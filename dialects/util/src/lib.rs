//! The `util` dialect.
//!
//! Purpose: functions, calls and globals of the host program, and statements about values; the
//! syntax that host-side dialects share; passes on functions and symbols.
//! Non-goals: anything about tensors, resources or devices.

#![warn(missing_docs)]

pub mod asm;
mod buffers;
mod canonicalize;
pub mod constants;
mod contents;
mod dims;
pub mod expand;
mod extents;
pub mod global_uses;
mod globals;
mod hoistable;
mod hooks;
mod list;
mod passes;
pub mod references;
mod semantics;
mod strings;
mod template;
mod unreachable;
pub mod workload;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/util.rs"));
}

pub use passes::passes;
pub use semantics::semantics;
pub use template::{Piece, pieces};

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::UtilHooks>()
}

/// The Rust that patterns name.
pub fn rewrites() -> tegula_rewrite::RewriteHooks {
    canonicalize::rewrites()
}
