//! The Rust that the definitions of this dialect name.

use tegula_dialect_util::asm;
use tegula_ir as ir;
use tegula_ir::text;
use tegula_ir::{Attr, Type};

use crate::generated::Hooks;
use crate::{ragged, slices};

/// The hooks of the dialect.
pub struct TensorExtHooks;

const ACCESS: [&str; 3] = ["readonly", "readwrite", "writeonly"];

impl Hooks for TensorExtHooks {
    fn verify_dispatch_tensor_load(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let source = registry.operand_of(body, op, "source").map(|v| body.ty(v));
        verify_slice(body, op, source, "writeonly")
    }

    fn verify_dispatch_tensor_store(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        let target = registry.operand_of(body, op, "target").map(|v| body.ty(v));
        verify_slice(body, op, target, "readonly")?;
        let value = registry.operand_of(body, op, "value").map(|v| body.ty(v));
        let sizes = body.attr(op, "static_sizes").and_then(Attr::as_dense_array);
        let (Some(value), Some(sizes)) = (value, sizes) else { return Ok(()) };
        if !value.shape().is_some_and(|shape| slices::is_reduced(sizes, shape)) {
            let expected = value.element().map(|element| Type::tensor(sizes, element, None));
            let expected = expected.map_or(String::new(), |ty| format!("'{ty}' "));
            return Err(format!(
                "expected type to be {expected}or a rank-reduced version. (size mismatch)"
            ));
        }
        Ok(())
    }

    fn verify_compute_barrier(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        if body.ty(body.operand(op, 0)) != body.ty(body.result(op, 0)) {
            return Err("value and result types must match".to_owned());
        }
        Ok(())
    }

    fn verify_encoding_ragged_shape(
        _: &ir::Registry,
        params: &[Attr],
        ty: Type,
    ) -> Result<(), String> {
        ragged::verify_layout(params.first().and_then(|row| row.as_int()), ty)
    }

    fn verify_cast_to_ragged_shape(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        ragged::verify_cast(registry, body, op)
    }

    fn verify_linearize_ragged_dims(
        registry: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
    ) -> Result<(), String> {
        ragged::verify_linearize(registry, body, op)
    }

    fn parse_params_dispatch_tensor(p: &mut text::AsmParser<'_>) -> text::ParseResult<Vec<Attr>> {
        p.expect("<")?;
        let access = p.keyword_of(&ACCESS)?;
        p.expect(":")?;
        let bound = p.ty()?;
        p.expect(">")?;
        Ok(vec![Attr::string(access), Attr::ty(bound)])
    }

    fn print_params_dispatch_tensor(p: &mut text::AsmPrinter<'_>, params: &[Attr]) {
        let &[access, bound] = params else { return };
        p.write("<");
        p.write(access.as_str().unwrap_or_default());
        p.write(":");
        match bound.as_type() {
            Some(ty) => p.ty(ty),
            None => p.attr(bound),
        }
        p.write(">");
    }

    fn parse_directive_dynamic_index_list(
        p: &mut text::OpParser<'_>,
        args: &mut text::ParseArgs<'_>,
    ) -> text::ParseResult<bool> {
        asm::parse_dynamic_index_list(p, args)
    }

    fn print_directive_dynamic_index_list(
        p: &mut text::OpPrinter<'_>,
        op: ir::OpId,
        args: &text::PrintArgs,
    ) {
        asm::print_dynamic_index_list(p, op, args);
    }
}

/// A slice has as many offsets, sizes and strides as the dispatch tensor has dimensions. `denied` is
/// the access that the op can't use.
fn verify_slice(
    body: &ir::Body,
    op: ir::OpId,
    dispatch: Option<Type>,
    denied: &str,
) -> Result<(), String> {
    let Some(dispatch) = dispatch else { return Ok(()) };
    let Some(&[access, bound]) = dispatch.dialect_params("iree_tensor_ext.dispatch.tensor") else {
        return Ok(());
    };
    if access.as_str() == Some(denied) {
        return Err(format!("can't use a {denied} dispatch tensor"));
    }
    let shape = bound.as_type().and_then(Type::shape).unwrap_or(&[]);
    for name in ["static_offsets", "static_sizes", "static_strides"] {
        let list = body.attr(op, name).and_then(Attr::as_dense_array).unwrap_or(&[]);
        if list.len() != shape.len() {
            return Err(format!("needs {} {name}, has {}", shape.len(), list.len()));
        }
    }
    Ok(())
}
