//! Operations.

use crate::{AttrDef, Constraint, Format, List, Source, Str};

/// One operation of a dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct OpDef {
    /// The `.td` definition's name: `AddFOp`.
    pub def_name: Str,
    /// The full name: `arith.addf`.
    pub name: Str,
    /// One line for listings and hover.
    pub summary: Str,
    /// Markdown for the reference.
    pub description: Str,
    /// Operand groups in order.
    pub operands: List<ValueDef>,
    /// Result groups in order.
    pub results: List<ValueDef>,
    /// Inherent attributes in order.
    pub attrs: List<AttrDef>,
    /// Region groups in order.
    pub regions: List<RegionDef>,
    /// Successor groups in order.
    pub successors: List<SuccessorDef>,
    /// Traits and interfaces by name, with their text arguments.
    pub traits: List<TraitDef>,
    /// Equations between types that formats and builders infer from.
    pub type_rules: List<TypeRule>,
    /// The custom syntax.
    pub format: Format,
    /// How results are named in text; empty means numbers.
    pub result_names: List<NameHint>,
    /// How the arguments of each region's entry block are named in text.
    pub region_arg_names: List<NameHint>,
    /// A hook that verifies the op after all constraints hold.
    pub verifier: Option<Str>,
    /// A hook that verifies the symbols that the op names, in a whole module.
    pub symbol_verifier: Option<Str>,
    /// A hook that folds the op to values or attributes.
    pub folder: Option<Str>,
    /// Where it is defined.
    pub source: Source,
}

/// How many values or regions a group stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Arity {
    /// Just one.
    #[default]
    One,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
}

/// A group of operands or results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ValueDef {
    /// The group's name.
    pub name: Str,
    /// What each value's type has to satisfy.
    pub constraint: Constraint,
    /// How many values it stands for.
    pub arity: Arity,
    /// What the op does to the memory behind the value.
    pub effects: Effects,
}

/// Memory effects, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Effects(pub u8);

impl Effects {
    /// Reads memory.
    pub const READ: Effects = Effects(1);
    /// Writes memory.
    pub const WRITE: Effects = Effects(2);
    /// Allocates memory.
    pub const ALLOC: Effects = Effects(4);
    /// Frees memory.
    pub const FREE: Effects = Effects(8);

    /// Whether all bits of `other` are set.
    pub const fn contains(self, other: Effects) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A group of regions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RegionDef {
    /// The group's name.
    pub name: Str,
    /// How many regions it stands for.
    pub arity: Arity,
    /// Each region has at most this many blocks; 0 means any number.
    pub max_blocks: u32,
    /// Each region has at least one block.
    pub non_empty: bool,
}

/// A group of successor blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SuccessorDef {
    /// The group's name.
    pub name: Str,
    /// How many blocks it stands for.
    pub arity: Arity,
    /// The operand group that is passed to the block's arguments.
    pub operands: Option<Str>,
}

/// A trait or interface of an op: `Pure`, `SingleBlockImplicitTerminator<scf.yield>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TraitDef {
    /// The trait's name as it is used in C++ MLIR without namespaces.
    pub name: Str,
    /// Its arguments as text.
    pub args: List<Str>,
}

/// An equation between the types of an op's operands and results.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeRule {
    /// All of these slots have the same type (`AllTypesMatch`, `SameOperandsAndResultType`).
    Same(List<Slot>),
    /// All of these slots have the same element type.
    SameElement(List<Slot>),
    /// All of these slots have the same shape.
    SameShape(List<Slot>),
    /// `to` has the type that `how` derives from `from` (`TypesMatchWith`).
    Derived {
        /// The known slot.
        from: Slot,
        /// The slot that follows from it.
        to: Slot,
        /// The derivation.
        how: Derivation,
        /// What the message says when it does not hold.
        summary: Str,
    },
}

/// How one type follows from another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Derivation {
    /// The element type.
    ElementType,
    /// The same shape with element type `i1`; `i1` for scalars.
    BoolOf,
    /// The type of the typed attribute in that slot.
    AttrType,
    /// The type inside a dialect type's parameter of this name.
    Param(Str),
    /// Decided by a hook of the dialect.
    Hook(Str),
}

/// One slot of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// Operand group by index.
    Operand(u16),
    /// Result group by index.
    Result(u16),
    /// Inherent attribute by index.
    Attr(u16),
}

/// How values are named in text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NameHint {
    /// This fixed name, for the group of the given index.
    Fixed {
        /// The result or argument group.
        group: u16,
        /// The name without `%`.
        name: Str,
    },
    /// Decided by a hook of the dialect (`c%value` of constants).
    Hook(Str),
}

impl OpDef {
    /// Whether the op has the trait or interface of this name.
    pub fn has_trait(&self, name: &str) -> bool {
        self.traits.iter().any(|t| t.name == name)
    }

    /// The index of the inherent attribute of this name.
    pub fn attr_index(&self, name: &str) -> Option<usize> {
        self.attrs.iter().position(|a| a.name == name)
    }

    /// The index of the operand group of this name.
    pub fn operand_index(&self, name: &str) -> Option<usize> {
        self.operands.iter().position(|o| o.name == name)
    }

    /// The index of the result group of this name.
    pub fn result_index(&self, name: &str) -> Option<usize> {
        self.results.iter().position(|r| r.name == name)
    }
}
