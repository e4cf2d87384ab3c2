//! Types, attribute kinds and enums that a dialect defines.

use crate::{Constraint, FormatElem, List, Nested, Source, Str};

/// A dialect type: `!stream.resource<external>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TypeDef {
    /// The `.td` definition's name.
    pub def_name: Str,
    /// The full name without `!`: `stream.resource`.
    pub name: Str,
    /// One line for listings.
    pub summary: Str,
    /// Markdown for the reference.
    pub description: Str,
    /// The parameters in order.
    pub params: List<ParamDef>,
    /// How the parameters are written after the name.
    pub format: ParamFormat,
    /// The stem of the alias under which uses of it are printed (`encoding` gives `#encoding`,
    /// `#encoding1`), with `$param` replaced by that parameter's text; empty for no alias.
    pub alias: Str,
    /// A hook that checks the parameters together.
    pub verifier: Option<Str>,
    /// Traits and interfaces.
    pub traits: List<Str>,
    /// Where it is defined.
    pub source: Source,
}

/// A dialect attribute: `#hal.pipeline.layout<…>`. The same shape as a type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AttrKindDef {
    /// The `.td` definition's name.
    pub def_name: Str,
    /// The full name without `#`: `hal.pipeline.layout`.
    pub name: Str,
    /// One line for listings.
    pub summary: Str,
    /// Markdown for the reference.
    pub description: Str,
    /// The name under which a module prints the attribute apart (`#encoding = …`), without `#`; empty
    /// for attributes that stand where they are used. `$param` in it is that parameter's text, with
    /// `_` for dots and dashes.
    pub alias: Str,
    /// The parameters in order.
    pub params: List<ParamDef>,
    /// How the parameters are written after the name.
    pub format: ParamFormat,
    /// A hook that checks the parameters together.
    pub verifier: Option<Str>,
    /// A hook that checks a type that has the attribute as its encoding or layout.
    pub encoding_verifier: Option<Str>,
    /// Traits and interfaces.
    pub traits: List<Str>,
    /// Where it is defined.
    pub source: Source,
}

/// How a type or attribute writes its parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ParamFormat {
    /// No parameters, nothing after the name.
    #[default]
    None,
    /// A format program over the parameters; [`FormatElem::Attr`] is a parameter by index.
    Program(List<FormatElem>),
    /// A pair of hooks of the dialect, by name.
    Hook(Str),
}

/// One parameter of a type or attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ParamDef {
    /// The parameter's name.
    pub name: Str,
    /// What the parameter holds and how it is written.
    pub kind: ParamKind,
    /// It may be absent.
    pub optional: bool,
    /// The value, in MLIR attribute text, that is elided when printing.
    pub default: Option<Str>,
}

/// What a parameter holds. All parameters are stored as attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ParamKind {
    /// Any attribute, written as an attribute.
    #[default]
    Attr,
    /// A type, written as a type, stored as a type attribute.
    Type,
    /// An integer, written bare, stored as an `i64` attribute.
    Int,
    /// A boolean, written `true` or `false`.
    Bool,
    /// A string in quotes.
    String,
    /// A case of the enum of this name, written as its keyword. As a parameter it is stored as a
    /// string attribute of that keyword; as an op's attribute (`I64EnumAttr`) it is stored as an
    /// integer of the enum's width.
    Enum(Str),
    /// A list, written with commas, stored as an array attribute.
    Array(Nested<ParamKind>),
    /// A builtin or dialect attribute of the given kind, written without the `#dialect.name`
    /// prefix where the format says so.
    AttrOf(Str),
    /// Dimensions written `4x8x?`, stored as a dense `i64` array with `i64::MIN` for `?`.
    Dims,
    /// A list written `[1, 2]` (in a type: `1, 2`), stored as `array<elem: 1, 2>` of this element
    /// type.
    DenseArray(Str),
    /// A symbol's own name: a string attribute, written `@name`.
    SymbolName,
}

/// An enum attribute's cases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EnumDef {
    /// The `.td` definition's name.
    pub name: Str,
    /// One line for listings.
    pub summary: Str,
    /// The full attribute name when it is a dialect attribute (`hal.descriptor_type`), or empty.
    pub attr_name: Str,
    /// The width in bits of the underlying integer.
    pub width: u32,
    /// Cases are bits that may be combined with the separator.
    pub bit_enum: bool,
    /// What stands between combined cases: `|`.
    pub separator: Str,
    /// A case that stands for several bits is written in their place, and not beside them.
    pub primary_groups: bool,
    /// The cases in order.
    pub cases: List<EnumCase>,
}

/// One case of an enum.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EnumCase {
    /// The case's symbol.
    pub symbol: Str,
    /// The keyword in text.
    pub keyword: Str,
    /// The integer value.
    pub value: i64,
}

/// A requirement on a named attribute of an op.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AttrDef {
    /// The attribute's name.
    pub name: Str,
    /// What it has to satisfy.
    pub constraint: Constraint,
    /// How a format reads and prints it bare.
    pub kind: ParamKind,
    /// The type that the format elides, in MLIR text (`i64` for `I64Attr`); empty when spelled.
    pub value_type: Str,
    /// It may be absent.
    pub optional: bool,
    /// The value, in MLIR text, that stands for an absent attribute and is elided when printing.
    pub default: Option<Str>,
}
