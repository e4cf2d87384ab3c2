//! Code generation for CPU executables: encodings to pack and mmt4d, tiling, vectors, buffers, loops.

#![warn(missing_docs)]

mod accgemm;
mod accumulator;
mod attrs;
mod builder;
mod dispatch_buffers;
mod dispatch_tensor;
mod distribution;
mod encoding;
mod error;
mod slice;
mod strategy;
mod structured;
mod target;
mod tile;
mod vector;
mod vectorize;

pub use error::{CpuError, CpuResult};
pub use target::CpuTarget;
