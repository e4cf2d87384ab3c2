//! The `linalg` dialect.
//!
//! Purpose: structured ops on tensors and memrefs, their iteration spaces, and the generalization of
//! named ones.
//! Non-goals: tiling and layout decisions, which code generation takes.

#![warn(missing_docs)]

mod convolution;
mod fusion;
mod generic;
mod hooks;
mod move_inits;
mod named;
mod operands;
mod payload;
mod rewrite;
mod semantics;
mod structure;
mod syntax;
mod unit_dims;
mod verify;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/linalg.rs"));
}

pub use convolution::is_convolution;
pub use fusion::{can_fuse, fuse};
pub use named::{Flavour, build_region};
pub use operands::empty_like;
pub use rewrite::rewrites;
pub use semantics::semantics;
pub use structure::{
    Structure, is_contraction, iterator_attr, iterator_keyword, named_contraction, structure,
};

/// The dialect with its hooks.
pub fn entry() -> tegula_ir::DialectEntry {
    generated::entry::<hooks::LinalgHooks>()
}
