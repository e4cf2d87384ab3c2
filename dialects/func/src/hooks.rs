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

    fn verify_return(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        let Some(func) = body.parent_op(op) else { return Ok(()) };
        let ty = body.attr(func, "function_type").and_then(Attr::as_type);
        let Some(TypeData::Function { results, .. }) = ty.map(|ty| ty.data()) else {
            return Ok(());
        };
        let given: Vec<Type> = body.operands(op).map(|v| body.ty(v)).collect();
        if given.len() != results.len() {
            return Err(format!(
                "has {} operands, but enclosing function (@{}) returns {}",
                given.len(),
                body.symbol_name(func).unwrap_or_default(),
                results.len()
            ));
        }
        for (index, (given, wanted)) in given.iter().zip(results).enumerate() {
            if given != wanted {
                return Err(format!(
                    "type of return operand {index} ('{given}') doesn't match function result \
                     type ('{wanted}') in function @{}",
                    body.symbol_name(func).unwrap_or_default()
                ));
            }
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
