//! The Rust that the definitions of this dialect name.

use tegula_dialect_affine::mixed;
use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseArgs, ParseResult, PrintArgs};
use tegula_ir::{Body, FoldContext, FoldResult, OpId, Registry};

use crate::generated::Hooks;
use crate::verify::{operand_type, result_type};
use crate::{fold, syntax, verify};

/// The hooks of the dialect.
pub struct TensorHooks;

impl Hooks for TensorHooks {
    fn verify_dynamic_sizes(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::dynamic_sizes(body, op, 0)
    }
    fn verify_splat(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::dynamic_sizes(body, op, 1)
    }
    fn verify_cast(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        match (operand_type(body, op, 0), result_type(body, op)) {
            (Some(from), Some(to)) if !verify::compatible(from, to) => {
                Err(format!("operand type '{from}' and result type '{to}' are cast incompatible"))
            }
            _ => Ok(()),
        }
    }
    fn verify_bitcast(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        let width = |ty: tegula_ir::Type| ty.element().and_then(|e| e.bit_width());
        match (operand_type(body, op, 0), result_type(body, op)) {
            (Some(from), Some(to)) if width(from) != width(to) || from.shape() != to.shape() => {
                Err(format!("operand type '{from}' and result type '{to}' are cast incompatible"))
            }
            _ => Ok(()),
        }
    }
    fn verify_indices_of_first(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::indices(body, op, 0)
    }
    fn verify_indices_of_second(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::indices(body, op, 1)
    }
    fn verify_from_elements(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        let element = result_type(body, op).and_then(|ty| ty.element());
        let other = body.operands(op).map(|v| body.ty(v)).find(|&ty| Some(ty) != element);
        if let Some(other) = other {
            return Err(format!("takes a value of type '{other}' as an element of another type"));
        }
        let count = result_type(body, op).and_then(|ty| ty.num_elements());
        match count {
            Some(count) if count != body.num_operands(op) as i64 => {
                Err(format!("expected {count} elements, has {}", body.num_operands(op)))
            }
            _ => Ok(()),
        }
    }
    fn verify_extract_slice(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        match (operand_type(body, op, 0), result_type(body, op)) {
            (Some(whole), Some(part)) => verify::slice(body, op, whole, part),
            _ => Ok(()),
        }
    }
    fn verify_insert_slice(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        match (operand_type(body, op, 1), operand_type(body, op, 0)) {
            (Some(whole), Some(part)) => verify::slice(body, op, whole, part),
            _ => Ok(()),
        }
    }
    fn verify_collapse_shape(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::reshape(body, op, false)
    }
    fn verify_expand_shape(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::reshape(body, op, true)
    }
    fn verify_concat(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::concat(body, op)
    }
    fn verify_pad(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::pad(body, op)
    }
    fn fold_dim(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::dim(cx)
    }
    fn fold_rank(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::rank(cx)
    }
    fn fold_cast(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::cast(cx)
    }
    fn fold_extract(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::extract(cx)
    }
    fn fold_splat(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::splat(cx)
    }
    fn fold_extract_slice(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::extract_slice(cx)
    }
    fn fold_insert_slice(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::insert_slice(cx)
    }
    fn fold_reshape(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::reshape(cx)
    }
    fn parse_from_elements(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_from_elements(p, state)
    }
    fn print_from_elements(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_from_elements(p, op);
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
}
