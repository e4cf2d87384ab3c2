//! The `vm` dialect.
//!
//! Purpose: programs of the runtime's virtual machine, and what the host program's dialects become
//! in it.
//! Non-goals: the module file and the passes that number what is in it; whoever declares imports of
//! its own (`hal_inline`) says how its ops become calls of them.

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
mod nest;
mod rewrites;
mod symbols;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/vm.rs"));
}

pub use rewrites::rewrites;

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::VmHooks>()
}

/// The implementations of the passes in `passes.td`.
pub fn passes() -> Vec<tegula_pass::PassImpl> {
    vec![tegula_pass::PassImpl {
        name: "tegula-vm-nest",
        run: tegula_pass::PassRun::Module(nest::run),
    }]
}
