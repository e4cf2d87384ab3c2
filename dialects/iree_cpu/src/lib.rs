//! The `iree_cpu` dialect.
//!
//! Purpose: the CPUs that code can be made for, and the layouts of encoded tensors on them.
//! Non-goals: applying layouts and tile sizes (codegen/cpu).

#![warn(missing_docs)]

mod hooks;
pub mod layout;
pub mod resolver;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/iree_cpu.rs"));
}

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::CpuHooks>()
}
