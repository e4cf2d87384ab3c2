//! Assembly formats as programs.

use crate::{List, Slot, Str};

/// The custom syntax of an op.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Only the generic form.
    #[default]
    Generic,
    /// A declarative format (`assemblyFormat`).
    Program(List<FormatElem>),
    /// A pair of parse and print hooks (`hasCustomAssemblyFormat`), by name.
    Hook(Str),
}

/// One element of a format.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FormatElem {
    /// A keyword or punctuation, with MLIR's rules for the blanks around it.
    Literal(Str),
    /// Explicit white space: a blank, a newline, or nothing when empty.
    Whitespace(Str),
    /// The operands of a group.
    Operand(u16),
    /// An inherent attribute (or, in a type's or attribute's format, a parameter).
    Attr(u16),
    /// The regions of a group.
    Region(u16),
    /// The successors of a group.
    Successor(u16),
    /// `operands`: all of them.
    Operands,
    /// `regions`: all of them.
    Regions,
    /// `successors`: all of them.
    Successors,
    /// `attr-dict` or `attr-dict-with-keyword`.
    AttrDict {
        /// Preceded by `attributes` when not empty.
        keyword: bool,
    },
    /// `prop-dict`.
    PropDict,
    /// `params`: all parameters, by position (types and attributes only).
    Params,
    /// `struct(params)`: parameters as `name = value`; empty means all.
    Struct(List<u16>),
    /// `type(…)` of an operand or result group.
    Type(Slot),
    /// `type(operands)`.
    OperandTypes,
    /// `type(results)`.
    ResultTypes,
    /// `functional-type(ins, outs)`.
    FunctionalType(FunctionalSide, FunctionalSide),
    /// `qualified(…)`: the inner element is written with its full prefix.
    Qualified(List<FormatElem>),
    /// `ref(…)`: only as an argument of `custom`.
    Ref(List<FormatElem>),
    /// `custom<Name>(args)`: hooks of the dialect parse and print it.
    Custom(Str, List<FormatElem>),
    /// `(` then… `)?` with an anchor, and `:(` else… `)`.
    Optional {
        /// Written when the anchor is present.
        then: List<FormatElem>,
        /// Written when it is absent.
        otherwise: List<FormatElem>,
        /// The anchor.
        anchor: Anchor,
        /// The anchor was marked with `^` on an inverted condition.
        inverted: bool,
    },
    /// `oilist(…)`: clauses in any order.
    OiList(List<OiClause>),
}

/// What a functional type's side refers to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FunctionalSide {
    /// All operands.
    Operands,
    /// All results.
    Results,
    /// One group.
    Group(Slot),
}

/// What decides whether an optional group is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// The group or attribute in that slot is present.
    Slot(Slot),
    /// The region group has a non-empty region.
    Region(u16),
    /// The successor group is not empty.
    Successor(u16),
    /// A custom directive that parsed something; printing asks its slots.
    Custom(List<Slot>),
    /// The parameter is present and not its default (types and attributes only).
    Param(u16),
}

/// One clause of an `oilist`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OiClause {
    /// The keyword that opens it.
    pub keyword: Str,
    /// What follows.
    pub elems: List<FormatElem>,
}
