//! The Rust that the definitions of this dialect name.

use tegula_ir as ir;
use tegula_ir::{Attr, Type, TypeData};

use crate::generated::Hooks;
use crate::syntax;

/// The hooks of the dialect.
pub struct FuncHooks;

impl Hooks for FuncHooks {
    fn verify_func(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        let ty = body.attr(op, "function_type").and_then(Attr::as_type);
        let Some(TypeData::Function { inputs, .. }) = ty.map(|ty| ty.data()) else {
            return Err("requires a function type".to_owned());
        };
        let Some(entry) = body.region_entry(op, 0) else { return Ok(()) };
        let args: Vec<Type> = body.block_args(entry).iter().map(|&a| body.ty(a)).collect();
        if args != inputs[..] {
            return Err("entry block arguments differ from the inputs of the function type".into());
        }
        Ok(())
    }

    fn parse_func(
        p: &mut ir::text::OpParser<'_>,
        state: &mut ir::text::OpState,
    ) -> ir::text::ParseResult<()> {
        syntax::parse_function(p, state)
    }

    fn print_func(p: &mut ir::text::OpPrinter<'_>, op: ir::OpId) {
        syntax::print_function(p, op);
    }

    fn parse_call_indirect(
        p: &mut ir::text::OpParser<'_>,
        state: &mut ir::text::OpState,
    ) -> ir::text::ParseResult<()> {
        let callee = p.operand()?;
        let args = p.operands_in("(", ")")?;
        p.attr_dict(state)?;
        let at = p.span();
        let ty = p.colon_type()?;
        let TypeData::Function { inputs, results } = ty.data() else {
            return Err(p.error_at(at, "expected a function type"));
        };
        state.operands.push(p.resolve(callee, ty)?);
        p.resolve_into(&args, inputs, state)?;
        state.results.extend(results.iter().copied());
        Ok(())
    }

    fn print_call_indirect(p: &mut ir::text::OpPrinter<'_>, op: ir::OpId) {
        let body = p.body();
        let mut operands = body.operands(op);
        let Some(callee) = operands.next() else { return };
        p.write(" ");
        p.operand(callee);
        p.write("(");
        p.operands(operands);
        p.write(")");
        p.attr_dict(op, &[]);
        p.write(" : ");
        p.ty(body.ty(callee));
    }
}
