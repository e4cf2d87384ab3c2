//! The Rust that the definitions of this dialect name.

use tegula_dialect_affine::mixed;
use tegula_ir::text::{OpParser, OpPrinter, ParseArgs, ParseResult, PrintArgs};
use tegula_ir::verify::Symbols;
use tegula_ir::{Attr, Body, FoldContext, FoldResult, OpId, Registry};

use crate::generated::Hooks;
use crate::verify::{operand_type, result_type};
use crate::{fold, syntax, verify};

/// The hooks of the dialect.
pub struct MemRefHooks;

impl Hooks for MemRefHooks {
    fn verify_alloc(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::alloc(body, op)
    }
    fn verify_indices_of_first(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::indices(body, op, 0)
    }
    fn verify_indices_of_second(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::indices(body, op, 1)
    }
    fn verify_assume_alignment(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        match body.attr(op, "alignment").and_then(Attr::as_int) {
            Some(alignment) if alignment > 0 && (alignment as u64).is_power_of_two() => Ok(()),
            _ => Err("alignment must be power of 2".to_owned()),
        }
    }
    fn verify_cast(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        match (operand_type(body, op, 0), result_type(body, op)) {
            (Some(from), Some(to)) if !verify::compatible(from, to) => {
                Err(format!("operand type '{from}' and result type '{to}' are cast incompatible"))
            }
            _ => Ok(()),
        }
    }
    fn verify_memory_space_cast(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        match (operand_type(body, op, 0), result_type(body, op)) {
            (Some(from), Some(to)) if verify::elsewhere(from) != verify::elsewhere(to) => {
                Err(format!("operand type '{from}' and result type '{to}' are cast incompatible"))
            }
            _ => Ok(()),
        }
    }
    fn verify_extract_strided_metadata(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::metadata(body, op)
    }
    fn verify_global(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::global(registry, body, op)
    }
    fn verify_symbols_get_global(
        symbols: &Symbols<'_>,
        body: &Body,
        op: OpId,
    ) -> Result<(), String> {
        verify::get_global(symbols, body, op)
    }
    fn verify_subview(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::subview(body, op)
    }
    fn verify_reinterpret_cast(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::reinterpret_cast(body, op)
    }
    fn verify_collapse_shape(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::reshape(body, op)
    }
    fn verify_expand_shape(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::expand_shape(body, op)
    }
    fn fold_dim(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::dim(cx)
    }
    fn fold_cast(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::cast(cx)
    }
    fn fold_subview(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::subview(cx)
    }
    fn parse_directive_dynamic_index_list(
        p: &mut OpParser<'_>,
        args: &mut ParseArgs<'_>,
    ) -> ParseResult<bool> {
        mixed::parse_dynamic_index_list(p, args)
    }
    fn print_directive_dynamic_index_list(p: &mut OpPrinter<'_>, op: OpId, args: &PrintArgs) {
        mixed::print_dynamic_index_list(p, op, args);
    }
    fn parse_directive_global_type_and_initial_value(
        p: &mut OpParser<'_>,
        args: &mut ParseArgs<'_>,
    ) -> ParseResult<bool> {
        syntax::parse_global(p, args)
    }
    fn print_directive_global_type_and_initial_value(
        p: &mut OpPrinter<'_>,
        _: OpId,
        args: &PrintArgs,
    ) {
        syntax::print_global(p, args);
    }
}
