//! A dialect: the unit in which definitions are installed.

use crate::{
    AttrKindDef, ConverterDef, EnumDef, List, OpDef, PassDef, PatternDef, PipelineDef, Str,
    TargetDef, TypeDef,
};

/// Everything that one dialect's `.td` declares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DialectDef {
    /// The name before the dot: `arith`.
    pub name: Str,
    /// One line for listings.
    pub summary: Str,
    /// Markdown for the reference.
    pub description: Str,
    /// A hash of the lowered definition; compiled accessors and hooks carry the one they were
    /// generated for.
    pub schema_hash: u64,
    /// Written for MLIR's own tools: what it leaves to C++ is that of the compiled dialect.
    pub foreign: bool,
    /// The ops in order of definition.
    pub ops: List<OpDef>,
    /// The types in order of definition.
    pub types: List<TypeDef>,
    /// The attribute kinds in order of definition.
    pub attrs: List<AttrKindDef>,
    /// The enums that attributes and formats refer to by name.
    pub enums: List<EnumDef>,
    /// Rewrite patterns, folds among them.
    pub patterns: List<PatternDef>,
    /// Type converters that conversions refer to by name.
    pub converters: List<ConverterDef>,
    /// Passes that belong to this dialect.
    pub passes: List<PassDef>,
    /// Named pipelines.
    pub pipelines: List<PipelineDef>,
    /// Machines that code is made for.
    pub targets: List<TargetDef>,
}
