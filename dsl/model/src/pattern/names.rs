//! What a pattern has bound by name.

use indexmap::IndexMap;
use tegula_diag::Span;
use tegula_schema::{Arity, Reg};

/// What a register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Values, as many as the arity says.
    Value(Arity),
    /// An attribute, perhaps absent.
    Attr {
        /// It may be absent.
        optional: bool,
    },
    /// A type.
    Type,
    /// Several types.
    Types,
    /// An op.
    Op,
    /// Several ops.
    Ops,
    /// What a hook gives: anything.
    Any,
}

impl Kind {
    /// One value.
    pub(super) const VALUE: Kind = Kind::Value(Arity::One);
    /// An attribute that is there.
    pub(super) const ATTR: Kind = Kind::Attr { optional: false };

    /// What a message calls it.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Kind::Value(Arity::One) => "a value",
            Kind::Value(Arity::Optional) => "an optional value",
            Kind::Value(Arity::Variadic) => "values",
            Kind::Attr { optional: false } => "an attribute",
            Kind::Attr { optional: true } => "an optional attribute",
            Kind::Type => "a type",
            Kind::Types => "types",
            Kind::Op => "an op",
            Kind::Ops => "ops",
            Kind::Any => "what a hook gives",
        }
    }
}

/// One name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bind {
    pub(super) reg: Reg,
    pub(super) kind: Kind,
    /// Where it was bound first.
    pub(super) span: Span,
    /// The register with its converted values, once something has asked for them.
    pub(super) converted: Option<Reg>,
    /// It was bound by the match, not by an action.
    pub(super) matched: bool,
}

/// All names of a pattern.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    map: IndexMap<String, Bind>,
    /// Registers that an earlier alternative gave to names which this one has to bind too.
    wanted: IndexMap<String, Bind>,
}

impl Names {
    pub(super) fn get(&self, name: &str) -> Option<Bind> {
        self.map.get(name).copied()
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Bind> {
        self.map.get_mut(name)
    }

    pub(super) fn insert(&mut self, name: &str, bind: Bind) {
        self.map.insert(name.to_owned(), bind);
    }

    /// The register that a name has to be bound to.
    pub(super) fn wanted(&self, name: &str) -> Option<Reg> {
        self.wanted.get(name).map(|bind| bind.reg)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.map.keys().map(String::as_str)
    }

    /// The names that are bound here but not in `before`.
    pub(super) fn since(&self, before: &Names) -> IndexMap<String, Bind> {
        let new = self.map.iter().filter(|(name, _)| !before.map.contains_key(*name));
        new.map(|(name, bind)| (name.clone(), *bind)).collect()
    }

    /// The names of `before`, where those of `wanted` are to get the same registers again.
    pub(super) fn restart(before: &Names, wanted: IndexMap<String, Bind>) -> Names {
        let mut all = before.wanted.clone();
        all.extend(wanted);
        Names { map: before.map.clone(), wanted: all }
    }

    /// The names of this alternative, with the expectations of the pattern around it.
    pub(super) fn resume(self, before: &Names) -> Names {
        Names { map: self.map, wanted: before.wanted.clone() }
    }
}
