//! The `math` dialect.
//!
//! Purpose: functions of numbers beyond arithmetic, and the meaning of those that are exact or
//! rounded once.
//! Non-goals: approximations; who wants a function computed lowers it.

#![warn(missing_docs)]

mod kernels;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/math.rs"));
}

pub use kernels::semantics;

/// The definitions name no Rust.
struct NoHooks;

impl generated::Hooks for NoHooks {}

/// The dialect.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<NoHooks>()
}
