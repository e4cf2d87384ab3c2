//! The Rust that the definitions of this dialect name.

use tegula_ir as ir;
use tegula_ir::text;
use tegula_ir::{Attr, DYNAMIC, Type};

use crate::generated::Hooks;

/// The hooks of the dialect.
pub struct CodegenHooks;

impl Hooks for CodegenHooks {
    fn verify_load_from_buffer(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let buffer = body.operands(op).next().map(|v| body.ty(v));
        verify_same_shape(buffer, body.results(op).next().map(|r| body.ty(r)))
    }

    fn verify_store_to_buffer(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let mut types = body.operands(op).map(|v| body.ty(v));
        let tensor = types.next();
        verify_same_shape(types.next(), tensor)
    }

    fn parse_workgroup_count_hint(
        p: &mut text::OpParser<'_>,
        state: &mut text::OpState,
    ) -> text::ParseResult<()> {
        p.expect("sizes")?;
        p.expect("(")?;
        let (mut values, mut constants) = (Vec::new(), Vec::new());
        if !p.eat(")") {
            loop {
                match p.eat_operand()? {
                    Some(value) => {
                        values.push(value);
                        constants.push(DYNAMIC);
                    }
                    None => constants.push(p.integer()?),
                }
                if !p.eat(",") {
                    break;
                }
            }
            p.expect(")")?;
        }
        let values = p.resolve_same(&values, Type::index())?;
        state.operands.extend(values);
        state.attr("static_sizes", Attr::i64_array(&constants));
        p.attr_dict(state)
    }

    fn print_workgroup_count_hint(p: &mut text::OpPrinter<'_>, op: ir::OpId) {
        let constants = p.body().attr(op, "static_sizes").and_then(Attr::as_dense_array);
        let mut values = p.body().operands(op);
        p.write(" sizes(");
        for (index, &constant) in constants.unwrap_or(&[]).iter().enumerate() {
            p.write(if index > 0 { ", " } else { "" });
            match constant {
                DYNAMIC => match values.next() {
                    Some(value) => p.operand(value),
                    None => p.write("?"),
                },
                constant => p.display(constant),
            }
        }
        p.write(")");
        p.attr_dict(op, &["static_sizes"]);
    }
}

fn verify_same_shape(buffer: Option<Type>, tensor: Option<Type>) -> Result<(), String> {
    let (Some(buffer), Some(tensor)) = (buffer, tensor) else { return Ok(()) };
    if buffer.shape() != tensor.shape() || buffer.element() != tensor.element() {
        return Err(format!("the buffer `{buffer}` and the tensor `{tensor}` differ in shape"));
    }
    Ok(())
}
