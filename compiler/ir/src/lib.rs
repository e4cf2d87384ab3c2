//! Types, attributes, bodies and modules; MLIR text in and out; the verifier.
//!
//! Purpose: the one representation that every pass reads and edits. Types, attributes, identifiers
//! and affine expressions are interned process-wide: `Copy` handles, equality by id, no order.
//! A [`Module`] is a header and an ordered list of top-level [`Body`]s, each the arena of one
//! top-level op.
//! Non-goals: rewriting policy (tegula-rewrite), pass order (tegula-pass), incrementality
//! (tegula-db). This crate knows no dialect; definitions reach it through a [`Registry`].

#![warn(missing_docs)]

mod affine;
mod affine_simplify;
mod attr;
mod body;
mod foreign;
mod groups;
mod hooks;
mod ident;
mod identity;
mod interner;
mod live;
mod module;
mod registry;
mod successors;
pub mod text;
mod threads;
mod ty;
pub mod verify;
mod wide;

pub use affine::*;
pub use affine_simplify::{ceil_div, floor_div, row_major_strides, strides_and_offset};
pub use attr::*;
pub use body::*;
pub use groups::*;
pub use hooks::*;
pub use ident::*;
pub use identity::*;
pub use live::{DisabledHooks, DisabledReason};
pub use module::*;
pub use registry::*;
pub use successors::*;
pub use threads::Threads;
pub use ty::*;
pub use wide::WideInt;
