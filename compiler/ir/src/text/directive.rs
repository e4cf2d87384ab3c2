//! The arguments of custom directives.

use tegula_schema::Str;

use super::asm_parser::{AsmParser, ParseResult};
use super::op_parser::UnresolvedOperand;
use crate::{Attr, BlockId, Ident, RegionId, Type, ValueId};

/// One argument of a custom directive while it is read. What a `ref(…)` names is already there.
#[derive(Clone, Debug)]
pub enum ParseArg {
    /// `$operands` or `operands`
    Operands(Vec<UnresolvedOperand>),
    /// `type($group)`
    Types(Vec<Type>),
    /// `$attribute`
    Attr(Option<Attr>),
    /// `$region`
    Regions(Vec<RegionId>),
    /// `$successor`
    Successors(Vec<BlockId>),
    /// `attr-dict` or `prop-dict`
    Attrs(Vec<(Ident, Attr)>),
    /// A string that the directive is parametrized with.
    Text(Str),
}

/// The arguments of a custom directive while it is read.
pub struct ParseArgs<'a> {
    pub(crate) name: &'a str,
    pub(crate) args: &'a mut [ParseArg],
}

macro_rules! parse_arg {
    ($(#[$doc:meta])* $name:ident, $variant:ident, $ty:ty, $what:literal) => {
        $(#[$doc])*
        pub fn $name(&mut self, p: &AsmParser<'_>, index: usize) -> ParseResult<&mut $ty> {
            match self.args.get_mut(index) {
                Some(ParseArg::$variant(inner)) => Ok(inner),
                _ => Err(p.error(format!(
                    concat!("argument {} of `custom<{}>` is not ", $what), index, self.name
                ))),
            }
        }
    };
}

impl ParseArgs<'_> {
    /// The number of arguments.
    pub fn len(&self) -> usize {
        self.args.len()
    }

    /// Whether there are no arguments.
    pub fn is_empty(&self) -> bool {
        self.args.is_empty()
    }

    parse_arg! {
        /// The operands of argument `index`.
        operands, Operands, Vec<UnresolvedOperand>, "a group of operands"
    }
    parse_arg! {
        /// The types of argument `index`.
        types, Types, Vec<Type>, "a group of types"
    }
    parse_arg! {
        /// The attribute of argument `index`.
        attr, Attr, Option<Attr>, "an attribute"
    }
    parse_arg! {
        /// The regions of argument `index`.
        regions, Regions, Vec<RegionId>, "a group of regions"
    }
    parse_arg! {
        /// The successors of argument `index`.
        successors, Successors, Vec<BlockId>, "a group of successors"
    }
    parse_arg! {
        /// The attributes of argument `index`.
        attrs, Attrs, Vec<(Ident, Attr)>, "an attribute dictionary"
    }

    /// The text of argument `index`; empty when it is none.
    pub fn text(&self, index: usize) -> &str {
        match self.args.get(index) {
            Some(ParseArg::Text(text)) => text,
            _ => "",
        }
    }
}

/// One argument of a custom directive while it is printed.
#[derive(Clone, Debug)]
pub enum PrintArg {
    /// `$operands` or `operands`
    Operands(Vec<ValueId>),
    /// `type($group)`
    Types(Vec<Type>),
    /// `$attribute`
    Attr(Option<Attr>),
    /// `$region`
    Regions(Vec<RegionId>),
    /// `$successor`
    Successors(Vec<BlockId>),
    /// `attr-dict` or `prop-dict`: the op's whole dictionary.
    Attrs(Attr),
    /// A string that the directive is parametrized with.
    Text(Str),
}

/// The arguments of a custom directive while it is printed. Asking for an argument of another kind
/// than it is gives the empty one: a definition that was edited live may disagree with the hook.
#[derive(Clone, Debug)]
pub struct PrintArgs {
    pub(crate) args: Vec<PrintArg>,
}

impl PrintArgs {
    /// The number of arguments.
    pub fn len(&self) -> usize {
        self.args.len()
    }

    /// Whether there are no arguments.
    pub fn is_empty(&self) -> bool {
        self.args.is_empty()
    }

    /// The operands of argument `index`.
    pub fn operands(&self, index: usize) -> &[ValueId] {
        match self.args.get(index) {
            Some(PrintArg::Operands(values)) => values,
            _ => &[],
        }
    }

    /// The types of argument `index`.
    pub fn types(&self, index: usize) -> &[Type] {
        match self.args.get(index) {
            Some(PrintArg::Types(types)) => types,
            _ => &[],
        }
    }

    /// The attribute of argument `index`.
    pub fn attr(&self, index: usize) -> Option<Attr> {
        match self.args.get(index) {
            Some(PrintArg::Attr(attr)) => *attr,
            Some(PrintArg::Attrs(attr)) => Some(*attr),
            _ => None,
        }
    }

    /// The regions of argument `index`.
    pub fn regions(&self, index: usize) -> &[RegionId] {
        match self.args.get(index) {
            Some(PrintArg::Regions(regions)) => regions,
            _ => &[],
        }
    }

    /// The successors of argument `index`.
    pub fn successors(&self, index: usize) -> &[BlockId] {
        match self.args.get(index) {
            Some(PrintArg::Successors(blocks)) => blocks,
            _ => &[],
        }
    }

    /// The text of argument `index`.
    pub fn text(&self, index: usize) -> &str {
        match self.args.get(index) {
            Some(PrintArg::Text(text)) => text,
            _ => "",
        }
    }
}
