//! The Rust that the definitions of this dialect name.

use tegula_dialect_affine::mixed;
use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseArgs, ParseResult, PrintArgs};
use tegula_ir::{Attr, Body, OpId, RegionId, Registry, ValueId};

use crate::generated::Hooks;
use crate::payload::{self, Output};
use crate::structure::num_inputs;
use crate::{syntax, verify};

/// The hooks of the dialect.
pub struct LinalgHooks;

impl Hooks for LinalgHooks {
    fn verify_structured(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::structured(body, op)
    }
    fn verify_index(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::index(body, op)
    }
    fn verify_pack(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::pack(body, op)
    }
    fn verify_unpack(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::unpack(body, op)
    }
    fn parse_generic(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_generic(p, state)
    }
    fn print_generic(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_generic(p, op);
    }
    fn parse_named(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_named(p, state)
    }
    fn print_named(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_named(p, op);
    }
    fn parse_elementwise(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_elementwise(p, state)
    }
    fn print_elementwise(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_elementwise(p, op);
    }
    fn parse_transpose(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_permuting(p, state, "permutation")
    }
    fn print_transpose(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_permuting(p, op, "permutation");
    }
    fn parse_broadcast(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_permuting(p, state, "dimensions")
    }
    fn print_broadcast(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_permuting(p, op, "dimensions");
    }
    fn parse_reduce(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        payload::parse(p, state, Output::First, true)
    }
    fn print_reduce(p: &mut OpPrinter<'_>, op: OpId) {
        payload::print(p, op, Output::First);
    }
    fn parse_map(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        payload::parse(p, state, Output::Nowhere, false)
    }
    fn print_map(p: &mut OpPrinter<'_>, op: OpId) {
        payload::print(p, op, Output::Nowhere);
    }
    /// Arguments for inputs are `in`, those for outputs `init`.
    fn region_arg_names_payload(
        _: &Registry,
        body: &Body,
        op: OpId,
        region: RegionId,
        name: &mut dyn FnMut(ValueId, &str),
    ) {
        let inputs = num_inputs(body, op);
        let Some(block) = body.first_block(region) else { return };
        for (index, &arg) in body.block_args(block).iter().enumerate() {
            name(arg, if index < inputs { "in" } else { "init" });
        }
    }
    /// Arguments for inputs are `in`, those for outputs `out`.
    fn region_arg_names_structured(
        _: &Registry,
        body: &Body,
        op: OpId,
        region: RegionId,
        name: &mut dyn FnMut(ValueId, &str),
    ) {
        let sizes = body.attr(op, "operandSegmentSizes").and_then(Attr::as_dense_array);
        let inputs = sizes.and_then(|sizes| sizes.first().copied()).unwrap_or(0);
        let Some(block) = body.first_block(region) else { return };
        for (index, &arg) in body.block_args(block).iter().enumerate() {
            name(arg, if (index as i64) < inputs { "in" } else { "out" });
        }
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
