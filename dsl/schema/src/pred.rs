//! Structured predicates over types and attributes.

use crate::{List, Str};

/// A named requirement on a value's type or on an attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// The `.td` definition's name, for look-up and messages.
    pub name: Str,
    /// What a message calls it: "must be {summary}".
    pub summary: Str,
    /// The requirement itself.
    pub pred: Pred,
    /// For a type: the one type that satisfies it, in MLIR text, when there is just one
    /// (`BuildableType`); formats and patterns then need not spell it.
    pub buildable: Option<Str>,
}

/// A predicate on one subject: a type, or an attribute where the variant says so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pred {
    /// Holds always.
    #[default]
    Any,
    /// All hold.
    And(List<Pred>),
    /// At least one holds.
    Or(List<Pred>),
    /// The only element does not hold.
    Not(List<Pred>),

    /// The type is the builtin or dialect type of this name: `index`, `tensor`, `vector`,
    /// `memref`, `function`, `tuple`, `none`, `complex`, or `stream.resource`.
    TypeKind(Str),
    /// The type, printed, is exactly this text (`i32`, `f32`).
    TypeText(Str),
    /// An integer type; `width` 0 means any, `sign` restricts signedness when given.
    Integer {
        /// The width in bits, or 0.
        width: u32,
        /// The signedness, or any.
        sign: Option<Signedness>,
    },
    /// A floating-point type; `width` 0 means any.
    Float {
        /// The width in bits, or 0.
        width: u32,
    },
    /// A shaped type (tensor, vector, memref) whose element type satisfies the only element.
    ElementType(List<Pred>),
    /// A shaped type with a rank among these.
    Rank(List<i64>),
    /// A shaped type that has a rank.
    HasRank,
    /// A shaped type all of whose dimensions are static.
    StaticShape,
    /// A shaped type whose elements lie in row-major order: a tensor without an encoding, a memref
    /// of the identity layout.
    PlainLayout,
    /// Parameter `name` of a dialect type or attribute satisfies the only element.
    Param(Str, List<Pred>),

    /// The attribute is of the builtin or dialect kind of this name: `unit`, `bool`, `integer`,
    /// `float`, `string`, `array`, `dictionary`, `type`, `symbol_ref`, `flat_symbol_ref`,
    /// `affine_map`, `integer_set`, `dense_elements`, `elements` (dense, resource or sparse),
    /// `dense_array`, `location`, or `hal.pipeline.layout`.
    AttrKind(Str),
    /// A typed attribute whose type satisfies the only element.
    AttrType(List<Pred>),
    /// A type attribute whose type satisfies the only element.
    TypeAttrOf(List<Pred>),
    /// An array attribute (or dense array) each of whose elements satisfies the only element.
    ArrayOf(List<Pred>),
    /// An integer attribute with `min <= value <= max`.
    IntRange(i64, i64),
    /// An array or dense array attribute with `min <= length <= max`.
    Length(u32, u32),
    /// A dense array attribute of this element type (`i64`).
    DenseArrayOf(Str),
    /// The attribute, printed, is exactly this text.
    AttrText(Str),
    /// A case of the enum of this name.
    EnumCase(Str),

    /// Decided by a hook of the dialect.
    Hook(Str),
}

/// How an integer type reads its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signedness {
    /// `i32`
    Signless,
    /// `si32`
    Signed,
    /// `ui32`
    Unsigned,
}
