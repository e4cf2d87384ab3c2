//! AArch64 NEON: machine instructions, selection, register allocation, assembly text.
//!
//! Purpose: the dialect `neon` (its instructions are rows of `neon.td`), the way from loops over
//! memrefs and native vectors to it, register allocation, and assembly text for ELF and Mach-O.
//! Non-goals: choosing tiles and vector shapes (tegula-cpu), encoding instructions (the external
//! assembler), finding that assembler (tegula-toolchain).

#![warn(missing_docs)]

mod asm;
mod condition;
mod dialect;
mod entry;
pub mod eval;
mod hooks;
mod instr;
mod machine;
mod passes;
pub mod select;
#[cfg(test)]
mod testing;
pub mod types;

pub use asm::{AsmFile, AsmFunction, AsmStats, Flavour, Piece, Visibility, mangle};
pub use dialect::entry;
pub use entry::{
    HostFunction, NoEntry, STACK_SCRATCH_LIMIT, has_entry, host_functions, workgroup_function,
    workspace_size,
};
pub use hooks::rewrites;
pub use instr::{Control, Instance, InstrRow, InstrTable, RegFile, RegSlot};
pub use machine::{MachineError, assemble};
pub use passes::{PIPELINE, passes};
