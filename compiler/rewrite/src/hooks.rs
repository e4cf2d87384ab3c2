//! The Rust that patterns name.

use rustc_hash::FxHashMap;
use tegula_ir::{Attr, Body, OpId, Registry, Type, ValueId};

use crate::Rewriter;

/// Something that a pattern has bound, or a literal of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A value.
    Value(ValueId),
    /// The values of a variadic group.
    Values(Vec<ValueId>),
    /// An attribute.
    Attr(Attr),
    /// An optional attribute that is absent.
    Absent,
    /// A type.
    Type(Type),
    /// The types of a variadic group.
    Types(Vec<Type>),
    /// An op.
    Op(OpId),
}

/// Decides something about bound things without changing anything.
pub type PredicateFn = fn(&Registry, &Body, &[Bound]) -> bool;

/// Makes something from bound things: an attribute, a type, or values (by building ops at the
/// insertion point). None means that the rewrite cannot be done, which must be found out before
/// anything is edited.
pub type BuildFn = fn(&mut Rewriter<'_>, &[Bound]) -> Option<Bound>;

/// A whole pattern in Rust: looks at the root op and, when it applies, edits and gives `true`.
/// It edits nothing when it gives `false`.
pub type RewriteFn = fn(&mut Rewriter<'_>, OpId) -> bool;

/// The native hooks that patterns name.
#[derive(Clone, Default)]
pub struct RewriteHooks {
    /// Predicates.
    pub predicates: FxHashMap<&'static str, PredicateFn>,
    /// Builders.
    pub builders: FxHashMap<&'static str, BuildFn>,
    /// Whole patterns.
    pub rewrites: FxHashMap<&'static str, RewriteFn>,
    /// By dialect, the op that materializes a constant which an op of the dialect folds to: an op
    /// that is `ConstantLike`, with its value in `value`. Without an entry it is looked for among
    /// the dialect's own ops.
    pub constant_ops: FxHashMap<&'static str, &'static str>,
}

impl RewriteHooks {
    /// No hooks.
    pub fn new() -> RewriteHooks {
        RewriteHooks::default()
    }

    /// Adds a predicate.
    #[must_use]
    pub fn predicate(mut self, name: &'static str, f: PredicateFn) -> Self {
        self.predicates.insert(name, f);
        self
    }

    /// Adds a builder.
    #[must_use]
    pub fn builder(mut self, name: &'static str, f: BuildFn) -> Self {
        self.builders.insert(name, f);
        self
    }

    /// Adds a whole pattern.
    #[must_use]
    pub fn rewrite(mut self, name: &'static str, f: RewriteFn) -> Self {
        self.rewrites.insert(name, f);
        self
    }

    /// Names the op that materializes constants for a dialect (`tensor` → `arith.constant`).
    #[must_use]
    pub fn constant_op(mut self, dialect: &'static str, op: &'static str) -> Self {
        self.constant_ops.insert(dialect, op);
        self
    }

    /// Adds all hooks of another table; those win over hooks of the same name.
    pub fn merge(&mut self, other: RewriteHooks) {
        self.predicates.extend(other.predicates);
        self.builders.extend(other.builders);
        self.rewrites.extend(other.rewrites);
        self.constant_ops.extend(other.constant_ops);
    }
}
