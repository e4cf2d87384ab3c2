//! Code generation for CPU executables: encodings to pack and mmt4d, tiling, vectors, buffers, loops.

#![warn(missing_docs)]

mod access;
mod accgemm;
mod accumulator;
mod attrs;
mod bufferize;
mod builder;
mod cleanup;
mod dispatch_buffers;
mod dispatch_tensor;
mod distribution;
mod encoding;
mod error;
mod loops;
mod lower_affine;
mod native;
mod passes;
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
