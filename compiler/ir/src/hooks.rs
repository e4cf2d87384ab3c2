//! The Rust that dialects add to their tables, by name.

use rustc_hash::FxHashMap;

use crate::{Attr, Body, OpId, Registry, ValueId};

/// What a fold gives for one result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldResult {
    /// An existing value.
    Value(ValueId),
    /// A constant, which the driver materializes.
    Attr(Attr),
}

/// What a fold sees.
pub struct FoldContext<'a> {
    /// The installed definitions.
    pub registry: &'a Registry,
    /// The body, read only.
    pub body: &'a Body,
    /// The op.
    pub op: OpId,
    /// For each operand its constant, when it is known.
    pub constants: &'a [Option<Attr>],
}

/// Verifies an op whose constraints hold; errors are messages without the op's name.
pub type VerifyFn = fn(&Registry, &Body, OpId) -> Result<(), String>;

/// Folds an op: one result for each of the op's results, or nothing.
pub type FoldFn = fn(&FoldContext<'_>) -> Option<Vec<FoldResult>>;

/// The hooks of one dialect, by the names that its tables use.
#[derive(Clone, Default)]
pub struct Hooks {
    /// Op verifiers.
    pub verify: FxHashMap<&'static str, VerifyFn>,
    /// Folds.
    pub fold: FxHashMap<&'static str, FoldFn>,
}
