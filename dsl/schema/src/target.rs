//! Targets: what code generation may know of a machine.

use crate::{List, Source, Str};

/// A machine, or a family of them, that code is made for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TargetDef {
    /// The `.td` definition's name.
    pub def_name: Str,
    /// The name on the command line (`aarch64`).
    pub name: Str,
    /// One line for listings.
    pub summary: Str,
    /// The part of the compiler that makes code for it, as `#hal.executable.target` names it.
    pub backend: Str,
    /// The target triple's architecture part.
    pub arch: Str,
    /// The width of a vector register in bits.
    pub vector_bits: u32,
    /// The number of vector registers.
    pub vector_registers: u32,
    /// The natural alignment of memory that the program allocates, in bytes.
    pub alignment: u32,
    /// Features that every such machine has.
    pub features: List<Str>,
    /// Features that a machine may have, and that flags can switch on.
    pub optional_features: List<Str>,
    /// Inner tile shapes, the preferred one first among those whose features hold.
    pub tiles: List<TileDef>,
    /// Further numbers by name.
    pub params: List<TargetParam>,
    /// Texts by name, for what only other tools read (`data_layout`).
    pub texts: List<TargetText>,
    /// Where it is defined.
    pub source: Source,
}

/// A candidate for the inner tile of a contraction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TileDef {
    /// The element type of the left side, in MLIR text; empty for any, as for the others.
    pub lhs: Str,
    /// The element type of the right side.
    pub rhs: Str,
    /// The element type of the result.
    pub out: Str,
    /// Rows of the result.
    pub m: u32,
    /// Columns of the result.
    pub n: u32,
    /// The depth.
    pub k: u32,
    /// Features that it needs.
    pub requires: List<Str>,
}

/// A number that a target states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TargetParam {
    /// Its name.
    pub name: Str,
    /// Its value.
    pub value: i64,
}

/// A text that a target states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TargetText {
    /// Its name.
    pub name: Str,
    /// The text.
    pub text: Str,
}

impl TileDef {
    /// Whether the tile is for these element types, in MLIR text.
    pub fn is_for(&self, lhs: &str, rhs: &str, out: &str) -> bool {
        let fits = |own: &str, other: &str| own.is_empty() || own == other;
        fits(&self.lhs, lhs) && fits(&self.rhs, rhs) && fits(&self.out, out)
    }
}

impl TargetDef {
    /// The text of that name.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.iter().find(|t| t.name == name).map(|t| t.text.as_ref())
    }

    /// The number of that name.
    pub fn param(&self, name: &str) -> Option<i64> {
        self.params.iter().find(|p| p.name == name).map(|p| p.value)
    }
}
