//! The Rust that the definitions of this dialect name.

use tegula_dialect_affine::mixed;
use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseArgs, ParseResult, PrintArgs};
use tegula_ir::{Body, FoldContext, FoldResult, OpId, Registry, Type};

use crate::generated::Hooks;
use crate::{fold, syntax, transfer_syntax, verify};

/// The hooks of the dialect.
pub struct VectorHooks;

fn operand(body: &Body, op: OpId, index: usize) -> Option<Type> {
    body.operands(op).nth(index).map(|value| body.ty(value))
}

fn result(body: &Body, op: OpId) -> Option<Type> {
    body.results(op).next().map(|value| body.ty(value))
}

impl Hooks for VectorHooks {
    fn verify_broadcast(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::broadcast(body, op)
    }
    fn verify_extract(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::extract(body, op)
    }
    fn verify_insert(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::insert(body, op)
    }
    fn verify_shuffle(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::shuffle(body, op)
    }
    fn verify_extract_strided_slice(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::extract_strided_slice(body, op)
    }
    fn verify_insert_strided_slice(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::insert_strided_slice(body, op)
    }
    fn verify_shape_cast(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::shape_cast(body, op)
    }
    fn verify_bitcast(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::bitcast(body, op)
    }
    fn verify_transpose(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::transpose(body, op)
    }
    fn verify_to_elements(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::to_elements(body, op)
    }
    fn verify_from_elements(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::from_elements(body, op)
    }
    fn verify_contract(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::contract(body, op)
    }
    fn verify_outerproduct(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::outerproduct(body, op)
    }
    fn verify_reduction(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::reduction(body, op)
    }
    fn verify_multi_reduction(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::multi_reduction(body, op)
    }
    fn verify_create_mask(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::create_mask(body, op)
    }
    fn verify_constant_mask(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::constant_mask(body, op)
    }
    fn verify_interleave(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::interleave(body, op)
    }
    fn verify_mask(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::mask(registry, body, op)
    }
    fn verify_load(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::access(body, op, 0, 0, result(body, op))
    }
    fn verify_store(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::access(body, op, 1, 0, operand(body, op, 0))
    }
    fn verify_masked_load(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::access(body, op, 0, 2, result(body, op))
    }
    fn verify_masked_store(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        let value = body.operands(op).last().map(|value| body.ty(value));
        verify::access(body, op, 0, 2, value)
    }
    fn verify_transfer_read(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::transfer(body, op, operand(body, op, 0), result(body, op))
    }
    fn verify_transfer_write(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::transfer(body, op, operand(body, op, 1), operand(body, op, 0))
    }
    fn fold_broadcast(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::broadcast(cx)
    }
    fn fold_extract(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::extract(cx)
    }
    fn fold_same_type(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::same_type(cx)
    }
    fn parse_shuffle(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_shuffle(p, state)
    }
    fn print_shuffle(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_shuffle(p, op);
    }
    fn parse_reduction(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_reduction(p, state)
    }
    fn print_reduction(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_reduction(p, op);
    }
    fn parse_contract(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_contract(p, state)
    }
    fn print_contract(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_contract(p, op);
    }
    fn parse_outerproduct(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_outerproduct(p, state)
    }
    fn print_outerproduct(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_outerproduct(p, op);
    }
    fn parse_mask(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_mask(p, state)
    }
    fn print_mask(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_mask(p, op);
    }
    fn parse_transfer_read(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        transfer_syntax::parse_read(p, state)
    }
    fn print_transfer_read(p: &mut OpPrinter<'_>, op: OpId) {
        transfer_syntax::print_read(p, op);
    }
    fn parse_transfer_write(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        transfer_syntax::parse_write(p, state)
    }
    fn print_transfer_write(p: &mut OpPrinter<'_>, op: OpId) {
        transfer_syntax::print_write(p, op);
    }
    fn parse_to_elements(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_to_elements(p, state)
    }
    fn print_to_elements(p: &mut OpPrinter<'_>, op: OpId) {
        let source = p.body().operands(op).next();
        syntax::print_elements(p, op, source);
    }
    fn parse_from_elements(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_from_elements(p, state)
    }
    fn print_from_elements(p: &mut OpPrinter<'_>, op: OpId) {
        let result = p.body().results(op).next();
        syntax::print_elements(p, op, result);
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
