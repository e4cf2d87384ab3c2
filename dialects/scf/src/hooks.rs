//! The Rust that the definitions of this dialect name.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult};
use tegula_ir::{Body, OpId, Registry};

use crate::generated::Hooks;
use crate::{forall, syntax, verify};

/// The hooks of the dialect.
pub struct ScfHooks;

impl Hooks for ScfHooks {
    fn verify_for(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::for_loop(body, op)
    }
    fn verify_forall(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::forall(body, op)
    }
    fn verify_in_parallel(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::in_parallel(registry, body, op)
    }
    fn verify_if(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::conditional(body, op)
    }
    fn verify_while(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::while_loop(body, op)
    }
    fn verify_index_switch(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::index_switch(body, op)
    }
    fn verify_yield(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        verify::yields(body, op)
    }
    fn parse_for(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_for(p, state)
    }
    fn print_for(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_for(p, op);
    }
    fn parse_if(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_if(p, state)
    }
    fn print_if(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_if(p, op);
    }
    fn parse_while(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_while(p, state)
    }
    fn print_while(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_while(p, op);
    }
    fn parse_index_switch(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_index_switch(p, state)
    }
    fn print_index_switch(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_index_switch(p, op);
    }
    fn parse_execute_region(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_execute_region(p, state)
    }
    fn print_execute_region(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_execute_region(p, op);
    }
    fn parse_forall(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        forall::parse(p, state)
    }
    fn print_forall(p: &mut OpPrinter<'_>, op: OpId) {
        forall::print(p, op);
    }
    fn parse_in_parallel(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        let region = p.region(&[])?;
        state.regions.push(region);
        p.attr_dict(state)
    }
    fn print_in_parallel(p: &mut OpPrinter<'_>, op: OpId) {
        if let Some(region) = p.body().region(op, 0) {
            p.write(" ");
            p.region_with(region, false, false, false);
        }
        p.attr_dict(op, &[]);
    }
}
