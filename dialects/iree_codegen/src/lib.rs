//! The `iree_codegen` dialect.
//!
//! Purpose: what code generation for any target shares: tensors and buffers at the border of a
//! dispatch, and its configuration.
//! Non-goals: the passes of code generation (codegen/cpu).

#![warn(missing_docs)]

mod hooks;
mod semantics;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/iree_codegen.rs"));
}

pub use semantics::semantics;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::CodegenHooks>()
}
