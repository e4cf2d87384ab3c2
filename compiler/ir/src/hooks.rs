//! The Rust that dialects add to their tables, by name.
//!
//! A `.td` names a hook where logic cannot be declared; rustgen makes each name a method that the
//! dialect's crate implements, and installs it here. Names are per kind and dialect: an op verifier
//! and a folder may share one.

use rustc_hash::FxHashMap;

use crate::text::{
    AsmParser, AsmPrinter, OpParser, OpPrinter, OpState, ParseArgs, ParseResult, PrintArgs,
};
use crate::verify::Symbols;
use crate::{Attr, Body, OpId, RegionId, Registry, Type, ValueId};

/// What a fold gives for one result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldResult {
    /// An existing value.
    Value(ValueId),
    /// A constant, which the driver materializes.
    Attr(Attr),
}

/// What a fold sees.
pub struct FoldContext<'a> {
    /// The installed definitions.
    pub registry: &'a Registry,
    /// The body, read only.
    pub body: &'a Body,
    /// The op.
    pub op: OpId,
    /// For each operand its constant, when it is known.
    pub constants: &'a [Option<Attr>],
}

/// What a predicate hook judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The type of a value, or of a type parameter.
    Type(Type),
    /// An attribute.
    Attr(Attr),
}

/// Verifies an op whose constraints hold; errors are messages without the op's name.
pub type VerifyFn = fn(&Registry, &Body, OpId) -> Result<(), String>;

/// Verifies what an op refers to, in a whole module; errors are messages without the op's name.
pub type VerifySymbolsFn = fn(&Symbols<'_>, &Body, OpId) -> Result<(), String>;

/// Folds an op: one result for each of the op's results, or nothing.
pub type FoldFn = fn(&FoldContext<'_>) -> Option<Vec<FoldResult>>;

/// Reads the custom form of an op after its name (`customFormat`) into the state.
pub type ParseOpFn = fn(&mut OpParser<'_>, &mut OpState) -> ParseResult<()>;

/// Prints the custom form of an op after its name, beginning with a blank unless the next thing
/// clings to the name.
pub type PrintOpFn = fn(&mut OpPrinter<'_>, OpId);

/// Reads a `custom<Name>(args)` of an op's format into its arguments. False says that nothing of
/// the directive is there, and nothing was consumed: an optional group that it opens is absent
/// then; elsewhere the answer has no meaning.
pub type ParseDirectiveFn = fn(&mut OpParser<'_>, &mut ParseArgs<'_>) -> ParseResult<bool>;

/// Prints a `custom<Name>(args)` of an op's format; a blank before it is already written.
pub type PrintDirectiveFn = fn(&mut OpPrinter<'_>, OpId, &PrintArgs);

/// Reads the parameters of a type or attribute after its name (`customFormat` of a type or
/// attribute), `<` and `>` included, one attribute a parameter ([`Attr::absent`] for none).
pub type ParseParamsFn = fn(&mut AsmParser<'_>) -> ParseResult<Vec<Attr>>;

/// Prints the parameters of a type or attribute after its name, `<` and `>` included.
pub type PrintParamsFn = fn(&mut AsmPrinter<'_>, &[Attr]);

/// Reads a `custom<Name>($params)` of a type's or attribute's format: fills in its parameters, in
/// the order in which the directive lists them. False as for [`ParseDirectiveFn`].
pub type ParseParamDirectiveFn = fn(&mut AsmParser<'_>, &mut [Option<Attr>]) -> ParseResult<bool>;

/// Prints a `custom<Name>($params)` of a type's or attribute's format.
pub type PrintParamDirectiveFn = fn(&mut AsmPrinter<'_>, &[Option<Attr>]);

/// Verifies the parameters of a type or attribute together.
pub type VerifyParamsFn = fn(&Registry, &[Attr]) -> Result<(), String>;

/// Verifies a tensor or memref that has an attribute of these parameters as its encoding or layout.
pub type VerifyEncodingFn = fn(&Registry, &[Attr], Type) -> Result<(), String>;

/// Derives a type from another slot: from a type (for an operand or result) or an attribute.
pub type DeriveTypeFn = fn(&Registry, Subject) -> Option<Type>;

/// Suggests names for results of an op, without `%`; results without one get numbers.
pub type ResultNamesFn = fn(&Registry, &Body, OpId, &mut dyn FnMut(ValueId, &str));

/// Suggests names for the arguments of the entry block of an op's region, without `%`.
pub type RegionArgNamesFn = fn(&Registry, &Body, OpId, RegionId, &mut dyn FnMut(ValueId, &str));

/// Decides a predicate on a type or an attribute.
pub type PredicateFn = fn(&Registry, Subject) -> bool;

/// A table of hooks by the names that the `.td` gives them.
pub type HookTable<F> = FxHashMap<&'static str, F>;

/// The hooks of one dialect, by the names that its tables use.
#[derive(Clone, Default)]
pub struct Hooks {
    /// `OpDef::verifier`.
    pub verify: HookTable<VerifyFn>,
    /// `OpDef::symbol_verifier`.
    pub verify_symbols: HookTable<VerifySymbolsFn>,
    /// `OpDef::folder`.
    pub fold: HookTable<FoldFn>,
    /// `Format::Hook` of ops, reading.
    pub parse_op: HookTable<ParseOpFn>,
    /// `Format::Hook` of ops, printing.
    pub print_op: HookTable<PrintOpFn>,
    /// `FormatElem::Custom` in op formats, reading.
    pub parse_directive: HookTable<ParseDirectiveFn>,
    /// `FormatElem::Custom` in op formats, printing.
    pub print_directive: HookTable<PrintDirectiveFn>,
    /// `ParamFormat::Hook` of types and attributes, reading.
    pub parse_params: HookTable<ParseParamsFn>,
    /// `ParamFormat::Hook` of types and attributes, printing.
    pub print_params: HookTable<PrintParamsFn>,
    /// `FormatElem::Custom` in type and attribute formats, reading.
    pub parse_param_directive: HookTable<ParseParamDirectiveFn>,
    /// `FormatElem::Custom` in type and attribute formats, printing.
    pub print_param_directive: HookTable<PrintParamDirectiveFn>,
    /// `TypeDef::verifier` and `AttrKindDef::verifier`.
    pub verify_params: HookTable<VerifyParamsFn>,
    /// `AttrKindDef::encoding_verifier`.
    pub verify_encoding: HookTable<VerifyEncodingFn>,
    /// `Derivation::Hook`.
    pub derive_type: HookTable<DeriveTypeFn>,
    /// `NameHint::Hook` among an op's `result_names`.
    pub result_names: HookTable<ResultNamesFn>,
    /// `NameHint::Hook` among an op's `region_arg_names`.
    pub region_arg_names: HookTable<RegionArgNamesFn>,
    /// `Pred::Hook`.
    pub predicate: HookTable<PredicateFn>,
}
