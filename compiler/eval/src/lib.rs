//! The reference evaluator: values, memory and frames; dialects supply the meaning of their ops.
//!
//! Purpose: run a module at any level of the road and give the numbers that its text means, so that
//! two stages can be held against each other. Meaning is data: [`Semantics`] maps op names to
//! functions ([`OpFn`]) and to element-wise kernels ([`KernelFn`]); every dialect makes its own
//! table and the caller merges those that it wants.
//! Non-goals: speed beyond "a 512-cubed matmul in seconds", concurrency, undefined behaviour with a
//! hidden choice. What is undefined in MLIR (division by zero, an access out of bounds) is an error
//! that names the op; poison is the zero of its type, a legal refinement.
//!
//! Floating point: every `arith` op rounds once in its own format, so a multiplication followed by
//! an addition is never contracted. `vector.fma`, `math.fma` and machine ops that say so round once
//! for both. Contractions without a declared order (`vector.contract`) multiply and add unfused, in
//! ascending order of the reduction dimensions. NaNs are those that AArch64 gives.

#![warn(missing_docs)]

mod affine;
mod call;
mod error;
mod frame;
mod interp;
mod kernel;
mod memory;
mod nan;
mod nest;
mod program;
mod scalar;
mod semantics;
mod shaped;
mod value;

pub use affine::{Linear, eval_expr, eval_map, linear};
pub use call::{run_function, run_function_with};
pub use error::EvalError;
pub use frame::Frame;
pub use interp::{Exit, Flow, Interp, Limits, run_elementwise};
pub use kernel::Kernel;
pub use memory::{BufferId, Memory, Span};
pub use nest::{Access, Nest, run_nest};
pub use program::Program;
pub use scalar::{Scalar, ScalarType};
pub use semantics::{KernelCx, KernelFn, LaneOp, OpFn, Semantics};
pub use shaped::{Strided, copy_box, for_each_index, kept_dims, row_major_strides};
pub use value::{MemRef, Opaque, OpaqueValue, Tensor, Value, Vector};
