//! The `iree_encoding` dialect.
//!
//! Purpose: encodings of tensors, and the loops of the contractions that they speak of.
//! Non-goals: the layouts of machines (iree_cpu, iree_gpu), packing (codegen).

#![warn(missing_docs)]

pub mod contraction;
pub mod encoding;
mod hooks;
pub mod resolver;
mod semantics;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/iree_encoding.rs"));
}

pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::EncodingHooks>()
}
