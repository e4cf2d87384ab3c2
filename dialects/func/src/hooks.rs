//! The Rust that the definitions of this dialect name.

use tegula_ir as ir;
use tegula_ir::{Attr, TypeData};

use crate::generated::Hooks;
use crate::syntax;

/// The hooks of the dialect.
pub struct FuncHooks;

impl Hooks for FuncHooks {
    fn verify_symbols_constant(
        symbols: &ir::verify::Symbols<'_>,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let Some((there, function)) = symbols.named(body, op, "value", "func.func") else {
            let name = body.attr(op, "value").and_then(Attr::as_symbol_root);
            let name = name.map_or("", |name| name.as_str());
            return Err(format!("reference to undefined function '{name}'"));
        };
        let ty = there.attr(function, "function_type").and_then(Attr::as_type);
        if body.results(op).next().map(|result| body.ty(result)) != ty {
            return Err("reference to function with mismatched type".to_owned());
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
