//! The Rust that the definitions of this dialect name.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseArgs, ParseResult, PrintArgs};
use tegula_ir::{Attr, Body, FoldContext, FoldResult, OpId, Registry};

use crate::generated::Hooks;
use crate::{fold, mixed, syntax};

/// The hooks of the dialect.
pub struct AffineHooks;

/// The operands must be as many as the map takes.
fn verify_map(body: &Body, op: OpId) -> Result<usize, String> {
    let map = body.attr(op, "map").and_then(Attr::as_map).ok_or("requires a map")?;
    if body.num_operands(op) as u32 != map.dims() + map.symbols() {
        return Err("operand count and affine map dimension and symbol count must match".into());
    }
    Ok(map.results().len())
}

fn basis_len(body: &Body, op: OpId) -> usize {
    body.attr(op, "static_basis").and_then(Attr::as_dense_array).map_or(0, <[i64]>::len)
}

impl Hooks for AffineHooks {
    fn verify_apply(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        match verify_map(body, op)? {
            1 => Ok(()),
            _ => Err("mapping must produce one value".to_owned()),
        }
    }
    fn verify_min_max(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        match verify_map(body, op)? {
            0 => Err("affine map expect at least one result".to_owned()),
            _ => Ok(()),
        }
    }
    fn verify_delinearize_index(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        let (basis, results) = (basis_len(body, op), body.num_results(op));
        if basis != results && basis + 1 != results {
            return Err(format!("should return an index for each basis element, has {results}"));
        }
        Ok(())
    }
    fn verify_linearize_index(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
        let indices = mixed::segment(body, op, 0).map_or(0, |values| values.len());
        let basis = basis_len(body, op);
        if basis != indices && basis + 1 != indices {
            return Err(format!("should be passed a basis element for each index, has {basis}"));
        }
        Ok(())
    }
    fn fold_apply(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::apply(cx)
    }
    fn fold_min(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::extremum(cx, |values| values.into_iter().min())
    }
    fn fold_max(cx: &FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::extremum(cx, |values| values.into_iter().max())
    }
    fn parse_apply(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_map_op(p, state)
    }
    fn print_apply(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_map_op(p, op);
    }
    fn parse_min_max(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_map_op(p, state)
    }
    fn print_min_max(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_map_op(p, op);
    }
    fn parse_for(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
        syntax::parse_for(p, state)
    }
    fn print_for(p: &mut OpPrinter<'_>, op: OpId) {
        syntax::print_for(p, op);
    }
    fn parse_directive_basis_list(
        p: &mut OpParser<'_>,
        args: &mut ParseArgs<'_>,
    ) -> ParseResult<bool> {
        mixed::parse_directive(p, args, "(", ")")
    }
    fn print_directive_basis_list(p: &mut OpPrinter<'_>, _: OpId, args: &PrintArgs) {
        let constants = args.attr(1).and_then(Attr::as_dense_array).unwrap_or(&[]);
        mixed::print_list(p, constants, args.operands(0), ("(", ")"));
    }
}
