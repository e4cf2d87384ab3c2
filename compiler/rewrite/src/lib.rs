//! The rewriter, the matcher engine, and the greedy and conversion drivers.
//!
//! Purpose: every edit of a body goes through a [`Rewriter`], which tells its listener, so that
//! drivers keep worklists, provenance and undo logs without knowing what a pattern does. Patterns
//! are tables ([`tegula_schema::PatternDef`]) that one interpreter runs, whatever their source.
//! Non-goals: pass order and scopes (tegula-pass), dataflow (tegula-analysis), dialect knowledge:
//! what a `.td` cannot say arrives as a [`RewriteHooks`] table.

#![warn(missing_docs)]

mod clone;
mod hooks;
mod listener;
mod rewriter;

pub use clone::{IrMapping, Unmapped, clone_into};
pub use hooks::{Bound, BuildFn, PredicateFn, RewriteFn, RewriteHooks};
pub use listener::{Listener, NoListener};
pub use rewriter::Rewriter;
