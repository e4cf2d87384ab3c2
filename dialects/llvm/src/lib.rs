//! The `llvm` dialect.
//!
//! Purpose: LLVM IR as MLIR writes it, so that what other compilers made can be read and compared.
//! Non-goals: lowering to LLVM IR or from it, and running it.

#![warn(missing_docs)]

mod aggregate;
mod branches;
mod bundles;
mod calls;
mod enums;
mod function;
mod gep;
mod hooks;
mod landingpad;
mod memory;
mod symbols;
mod types;
mod verify;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/llvm.rs"));
}

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::LlvmHooks>()
}
