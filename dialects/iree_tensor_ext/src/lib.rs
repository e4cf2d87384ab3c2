//! The `iree_tensor_ext` dialect.
//!
//! Purpose: tensors at the border of a dispatch, and placeholders for workgroup counts.
//! Non-goals: what lies behind a binding (stream, hal), tiling (codegen).

#![warn(missing_docs)]

mod hooks;
mod semantics;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/iree_tensor_ext.rs"));
}

pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::TensorExtHooks>()
}
