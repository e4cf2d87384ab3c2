//! Code generation for CPU executables: encodings to pack and mmt4d, tiling, vectors, buffers, loops.
//!
//! Purpose: the passes that take each dispatch's function from encoded tensors to loops over
//! machine vectors of memory ([`CONFIGURE`], then [`TRANSLATE`]), which instruction selection reads.
//! Tile sizes are functions of the target and of shapes.
//! Non-goals: what instructions there are and how addresses are formed (tegula-neon), and what runs
//! before a dispatch has a target.
//!
//! Afterwards a function holds `hal.interface.binding.subspan`, `memref.alloca`, `scf.for`,
//! `scf.if`, `arith` on scalars and machine vectors, loads and stores of elements and of machine
//! vectors, and `vector.fma`, `broadcast`, `extract`, `insert` and `shuffle` on them.

#![warn(missing_docs)]

mod access;
mod accgemm;
mod accumulator;
mod attrs;
mod bufferize;
mod builder;
mod cleanup;
mod describe_target;
mod dispatch_buffers;
mod dispatch_config;
mod dispatch_tensor;
mod distribution;
mod encoding;
mod error;
mod flatten;
mod loops;
mod lower_affine;
mod native;
mod passes;
mod propagate;
mod reshapes;
mod slice;
mod slices;
mod strategy;
mod structured;
mod target;
mod tile;
mod unroll;
mod vector;
mod vectorize;

pub use error::{CpuError, CpuResult};
pub use passes::{CONFIGURE, TRANSLATE, passes};
pub use target::CpuTarget;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/passes.rs"));
}

struct CodegenHooks;

impl generated::Hooks for CodegenHooks {}

/// The definitions of the passes, as those of a dialect without ops.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<CodegenHooks>()
}
