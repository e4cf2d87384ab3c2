//! The Rust that patterns name.

use rustc_hash::{FxHashMap, FxHashSet};
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
    /// Several ops.
    Ops(Vec<OpId>),
}

/// Decides something about bound things without changing anything.
pub type PredicateFn = fn(&Registry, &Body, &[Bound]) -> bool;

/// Computes an attribute, a type or existing values from bound things without changing anything;
/// none means that the pattern does not apply.
pub type ComputeFn = fn(&Registry, &Body, &[Bound]) -> Option<Bound>;

/// Builds ops at the insertion point, right before the root, and gives values of theirs (or one of
/// the ops). It runs after the match has committed, so it may not fail.
pub type BuildFn = fn(&mut Rewriter<'_>, &[Bound]) -> Bound;

/// A whole pattern in Rust: looks at the root op and, when it applies, edits and gives `true`.
/// It edits nothing when it gives `false`.
pub type RewriteFn = fn(&mut Rewriter<'_>, OpId) -> bool;

/// The native hooks that patterns name.
#[derive(Clone, Default)]
pub struct RewriteHooks {
    /// Predicates.
    pub predicates: FxHashMap<&'static str, PredicateFn>,
    /// Computations.
    pub computes: FxHashMap<&'static str, ComputeFn>,
    /// Builders.
    pub builders: FxHashMap<&'static str, BuildFn>,
    /// Whole patterns.
    pub rewrites: FxHashMap<&'static str, RewriteFn>,
    /// By dialect, the op that materializes a constant which an op of the dialect folds to: an op
    /// that is `ConstantLike`, with its value in `value`. Without an entry it is looked for among
    /// the dialect's own ops.
    pub constant_ops: FxHashMap<&'static str, &'static str>,
    /// Ops whose regions keep their own constants though they see values from outside.
    pub constant_regions: FxHashSet<&'static str>,
}

impl Bound {
    /// The one value, when it is one.
    pub fn value(&self) -> Option<ValueId> {
        match self {
            Bound::Value(value) => Some(*value),
            Bound::Values(values) if values.len() == 1 => values.first().copied(),
            _ => None,
        }
    }

    /// The values; none for what is not a value.
    pub fn values(&self) -> &[ValueId] {
        match self {
            Bound::Value(value) => std::slice::from_ref(value),
            Bound::Values(values) => values,
            _ => &[],
        }
    }

    /// The attribute.
    pub fn attr(&self) -> Option<Attr> {
        match self {
            Bound::Attr(attr) => Some(*attr),
            _ => None,
        }
    }

    /// The type.
    pub fn ty(&self) -> Option<Type> {
        match self {
            Bound::Type(ty) => Some(*ty),
            Bound::Types(types) if types.len() == 1 => types.first().copied(),
            _ => None,
        }
    }

    /// The types; none for what is not a type.
    pub fn types(&self) -> &[Type] {
        match self {
            Bound::Type(ty) => std::slice::from_ref(ty),
            Bound::Types(types) => types,
            _ => &[],
        }
    }

    /// The op.
    pub fn op(&self) -> Option<OpId> {
        match self {
            Bound::Op(op) => Some(*op),
            _ => None,
        }
    }
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

    /// Adds a computation.
    #[must_use]
    pub fn compute(mut self, name: &'static str, f: ComputeFn) -> Self {
        self.computes.insert(name, f);
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

    /// Lets the regions of an op keep their own constants though they see values from outside.
    #[must_use]
    pub fn constant_region(mut self, op: &'static str) -> Self {
        self.constant_regions.insert(op);
        self
    }

    /// Adds all hooks of another table; those win over hooks of the same name.
    pub fn merge(&mut self, other: RewriteHooks) {
        self.predicates.extend(other.predicates);
        self.computes.extend(other.computes);
        self.builders.extend(other.builders);
        self.rewrites.extend(other.rewrites);
        self.constant_ops.extend(other.constant_ops);
        self.constant_regions.extend(other.constant_regions);
    }
}
