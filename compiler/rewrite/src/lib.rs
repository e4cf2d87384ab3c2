//! The rewriter, the matcher engine, and the greedy and conversion drivers.
//!
//! Purpose: every edit of a body goes through a [`Rewriter`], which tells its listener, so that
//! drivers keep worklists, provenance and undo logs without knowing what a pattern does. Patterns
//! are tables ([`tegula_schema::PatternDef`]) that one interpreter runs, whatever their source.
//! Non-goals: pass order and scopes (tegula-pass), dataflow (tegula-analysis), dialect knowledge:
//! what a `.td` cannot say arrives as a [`RewriteHooks`] table.

#![warn(missing_docs)]

mod apply;
mod check;
mod clone;
mod convert;
mod dims;
mod expand;
mod first;
mod fold;
mod greedy;
mod hooks;
mod link;
mod listener;
mod lists;
mod machine;
mod ranges;
mod regions;
mod rewriter;
mod sizes;
mod why;
mod worklist;

pub use clone::{IrMapping, Unmapped, clone_into};
pub use convert::{ConversionError, ConversionResult, convert};
pub use dims::{dims_of, operand_dims};
pub use fold::{constant, create_or_fold, fold_op};
pub use greedy::{Application, BrokenPattern, GreedyConfig, GreedyResult, greedy, order_uses};
pub use hooks::{Bound, BuildFn, ComputeFn, PredicateFn, RewriteFn, RewriteHooks};
pub use link::{LinkError, Pattern, PatternIndex, Patterns};
pub use listener::{Listener, NoListener};
pub use lists::captures;
pub use machine::{Failure, constant_of};
pub use ranges::Ranges;
pub use regions::{drop_block_arg, reached_blocks, simplify as simplify_region};
pub use rewriter::Rewriter;
pub use sizes::{operand_size, result_size, size_of, tied_operand, ties};
pub use why::{Explanation, explain};
