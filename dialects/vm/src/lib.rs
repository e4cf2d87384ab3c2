//! The `vm` dialect.
//!
//! Purpose: programs of the runtime's virtual machine, and what the host program's dialects become
//! in it.
//! Non-goals: the module file (tegula-bytecode); whoever declares imports of its own (`hal`, `hal_inline`) says how
//! its ops become calls of them.

#![warn(missing_docs)]

mod blocks;
mod branch_on_value;
mod branch_table;
mod calls;
mod external;
mod fold;
mod hooks;
mod imports;
mod library;
mod liveness;
mod passes;
mod rewrites;
mod symbols;
mod text_name;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/vm.rs"));
}

pub use liveness::{Liveness, takes_ref};
pub use passes::passes;
pub use rewrites::rewrites;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::VmHooks>()
}

/// Whether values of a type are counted references.
pub fn is_ref(ty: tegula_ir::Type) -> bool {
    ["vm.ref", "vm.buffer", "vm.list"].iter().any(|name| ty.dialect_params(name).is_some())
}
