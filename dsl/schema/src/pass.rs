//! Passes and pipelines.

use crate::{List, Source, Str};

/// One pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PassDef {
    /// The `.td` definition's name: `FormDispatchRegionsPass`.
    pub def_name: Str,
    /// The argument on the command line: `iree-dispatch-creation-form-dispatch-regions`.
    pub name: Str,
    /// The op that it is anchored on (`func.func`), or empty for any.
    pub anchor: Str,
    /// One line for listings.
    pub summary: Str,
    /// Markdown for the reference.
    pub description: Str,
    /// How far it sees.
    pub scope: Scope,
    /// Options in order.
    pub options: List<OptionDef>,
    /// Statistics in order.
    pub statistics: List<StatisticDef>,
    /// Facts that must hold before it.
    pub requires: List<Str>,
    /// Facts that hold after it.
    pub establishes: List<Str>,
    /// Facts that it destroys.
    pub invalidates: List<Str>,
    /// What it does.
    pub body: PassBody,
    /// Of a bottom-up pass: the name of the pass that simplifies what it sees, or empty.
    pub simplified_by: Str,
    /// Whether it is part of the pass that its pipeline is told as, and not told itself.
    pub quiet: bool,
    /// Where it is defined.
    pub source: Source,
}

/// A number that a pass counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct StatisticDef {
    /// The name, `num-cse'd`.
    pub name: Str,
    /// What it is the number of.
    pub summary: Str,
}

/// How far a pass sees, and so what an edit can reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Its own body.
    #[default]
    Local,
    /// Its own body, from which it may split off new symbols.
    Outline,
    /// A summary of each body, one solve over the module, a projection per body, an apply.
    Solved,
    /// Its own body and the results of what it calls, in bottom-up order.
    BottomUp,
    /// The module's attributes, and new symbols at its head; no body.
    Header,
    /// Symbols into fewer symbols.
    Merge,
    /// The whole module; the reason stands in the description.
    Module,
}

/// What a pass does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PassBody {
    /// A Rust implementation of the dialect, by name.
    Hook(Str),
    /// A greedy rewrite with the patterns of these groups.
    Greedy(List<Str>),
    /// A conversion with the patterns of these groups.
    Convert(ConversionDef),
}

impl Default for PassBody {
    fn default() -> Self {
        PassBody::Hook(Str::Borrowed(""))
    }
}

/// A dialect conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ConversionDef {
    /// Pattern groups.
    pub groups: List<Str>,
    /// The type converter by name, or empty.
    pub converter: Str,
    /// Dialects and ops that are legal afterwards.
    pub legal: List<Str>,
    /// Dialects and ops that are illegal afterwards.
    pub illegal: List<Str>,
    /// Ops that are legal when all their types are (`dynamically legal`).
    pub type_legal: List<Str>,
    /// Ops that are legal with all that is in them, which is not looked at.
    pub opaque: List<Str>,
    /// Ops that are neither legal nor illegal are an error.
    pub full: bool,
}

/// One option of a pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct OptionDef {
    /// The option's name in pipeline text.
    pub name: Str,
    /// What values it takes.
    pub kind: OptionKind,
    /// The default in pipeline text.
    pub default: Str,
    /// One line for listings.
    pub summary: Str,
}

/// What values an option takes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum OptionKind {
    /// `true` or `false`.
    #[default]
    Bool,
    /// An integer.
    Int,
    /// Text.
    String,
    /// One of these words.
    Choice(List<Str>),
    /// A list of the only element's kind, with commas.
    ListOf(List<OptionKind>),
}

/// A named pipeline in MLIR's textual syntax.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PipelineDef {
    /// The name on the command line.
    pub name: Str,
    /// One line for listings.
    pub summary: Str,
    /// Options in order.
    pub options: List<OptionDef>,
    /// The passes, as pipeline text, in which `$name` stands for the value of an option.
    pub text: Str,
    /// The `.td` name of the pass that it is told as; empty when its passes are told alone.
    pub pass: Str,
    /// Where it is defined.
    pub source: Source,
}
