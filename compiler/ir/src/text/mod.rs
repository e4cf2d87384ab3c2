//! MLIR text in and out.
//!
//! A text is split into items by a cheap scan ([`split`]): alias definitions and top-level ops.
//! Each item's text is parsed on its own, given the alias table, into one [`Body`](crate::Body), so
//! that an edit of one item leaves the others as they are, and an error in one item is reported
//! beside those of others. Printing names values, blocks and aliases as MLIR does, byte for byte.

mod alias;
mod asm_parser;
mod asm_printer;
mod big;
mod collect;
mod defaults;
mod directive;
mod float;
mod function;
mod lexer;
mod names;
mod op_parser;
mod op_printer;
mod parse_attr;
mod parse_dense;
mod parse_format;
mod parse_module;
mod parse_op;
mod parse_params;
mod parse_type;
mod print_attr;
mod print_dense;
mod print_format;
mod print_module;
mod print_params;
mod print_type;
mod recover;
mod resources;
mod resplit;
mod scope;
mod source_map;
mod spacing;
mod sparse;
mod split;
mod used;
mod watch;
mod wide_float;

pub use alias::AliasTable;
pub use asm_parser::{AsmParser, ParseError, ParseResult, TextOrigin};
pub use asm_printer::{AsmPrinter, LocationLookup, PrintOptions};
pub use defaults::{
    attr_default, attr_from_text, enum_attr, enum_attr_keyword, enum_keyword, enum_value,
    param_default, type_from_text,
};
pub use directive::{ParseArg, ParseArgs, PrintArg, PrintArgs};
pub use float::{float_from_f64, float_to_f64};
pub use function::FunctionSignature;
pub use lexer::tokens;
pub use op_parser::{OpParser, OpState, RegionArg, UnresolvedOperand};
pub use op_printer::OpPrinter;
pub use parse_dense::{dense_attr, dense_of};
pub use parse_format::derive_type;
pub use parse_module::{
    ParseOptions, ParsedItem, parse_aliases, parse_item, parse_module, parse_module_with,
};
pub use print_module::{print_attr, print_module, print_op, print_pieces, print_type};
pub use resplit::resplit;
pub use source_map::SourceMap;
pub use split::{Item, ItemKind, MARKER, ModuleFrame, Split, modules, split};

pub(crate) use print_format::region_group;

/// Runs a step of a recursion on a stack that grows with the nesting of the text.
pub(crate) fn grow<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, step)
}
