//! The Rust that the definitions of this dialect name.

use tegula_ir as ir;
use tegula_ir::{Attr, AttrData, FoldResult, Type, TypeData};

use crate::generated::Hooks;
use crate::{fold, syntax};

/// The hooks of the dialect.
pub struct ArithHooks;

/// The types of an op's first operand and first result, without their shapes; what is wrong with
/// the shapes. Shapes stay as they are, and so does what else the type of a tensor says.
fn cast_types(body: &ir::Body, op: ir::OpId) -> Result<Option<(Type, Type)>, String> {
    let (Some(from), Some(to)) = (body.operands(op).next(), body.results(op).next()) else {
        return Ok(None);
    };
    let (from, to) = (body.ty(from), body.ty(to));
    let is_unranked = |ty: Type| ty.is_shaped() && ty.shape().is_none();
    if from.shape() != to.shape() || is_unranked(from) || is_unranked(to) {
        let message = "failed to verify that input and output have the same tensor dimensions";
        return Err(message.to_owned());
    }
    if from.encoding() != to.encoding() {
        return Err(incompatible(body, op));
    }
    Ok(Some((from.element_or_self(), to.element_or_self())))
}

fn incompatible(body: &ir::Body, op: ir::OpId) -> String {
    let types: Vec<String> = body
        .operands(op)
        .chain(body.results(op))
        .map(|value| format!("'{}'", body.ty(value)))
        .collect();
    match types.as_slice() {
        [from, to] => format!("operand type {from} and result type {to} are cast incompatible"),
        _ => "operand and result are cast incompatible".to_owned(),
    }
}

impl Hooks for ArithHooks {
    fn verify_constant(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        let value = body.attr(op, "value");
        match value.map(|value| value.data()) {
            Some(AttrData::Integer { ty, .. } | AttrData::WideInteger { ty, .. }) => {
                match ty.data() {
                    TypeData::Integer { sign, .. }
                        if *sign != tegula_schema::Signedness::Signless =>
                    {
                        Err("integer return type must be signless".to_owned())
                    }
                    _ => Ok(()),
                }
            }
            Some(
                AttrData::Float { .. }
                | AttrData::Dense { .. }
                | AttrData::DenseResource { .. }
                | AttrData::Sparse { .. },
            ) => Ok(()),
            _ => Err("value must be an integer, float, or elements attribute".to_owned()),
        }
    }

    fn verify_cast(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        cast_types(body, op).map(|_| ())
    }

    fn verify_widens(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        let Some((from, to)) = cast_types(body, op)? else { return Ok(()) };
        if from.bit_width() >= to.bit_width() {
            return Err(format!("result type '{to}' must be wider than operand type '{from}'"));
        }
        Ok(())
    }

    fn verify_narrows(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        let Some((from, to)) = cast_types(body, op)? else { return Ok(()) };
        if from.bit_width() <= to.bit_width() {
            return Err(format!("result type '{to}' must be shorter than operand type '{from}'"));
        }
        Ok(())
    }

    fn verify_index_cast(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        match cast_types(body, op)? {
            Some((from, to)) if from.is_index() == to.is_index() => Err(incompatible(body, op)),
            _ => Ok(()),
        }
    }

    fn verify_bitcast(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        match cast_types(body, op)? {
            Some((from, to)) if from.bit_width() != to.bit_width() => Err(incompatible(body, op)),
            _ => Ok(()),
        }
    }

    fn verify_select(_: &ir::Registry, body: &ir::Body, op: ir::OpId) -> Result<(), String> {
        let (Some(condition), Some(result)) = (body.operands(op).next(), body.results(op).next())
        else {
            return Ok(());
        };
        let (condition, ty) = (body.ty(condition), body.ty(result));
        if condition.is_int(1) || condition == ty.with_element(Type::int(1)) {
            return Ok(());
        }
        Err(format!(
            "failed to verify that condition is signless i1 or has matching shape: '{condition}' \
             and '{ty}'"
        ))
    }

    fn fold_constant(cx: &ir::FoldContext<'_>) -> Option<Vec<FoldResult>> {
        Some(vec![FoldResult::Attr(cx.body.attr(cx.op, "value")?)])
    }

    fn fold_elementwise(cx: &ir::FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::elementwise(cx)
    }

    fn fold_select(cx: &ir::FoldContext<'_>) -> Option<Vec<FoldResult>> {
        fold::select(cx)
    }

    fn parse_select(
        p: &mut ir::text::OpParser<'_>,
        state: &mut ir::text::OpState,
    ) -> ir::text::ParseResult<()> {
        syntax::parse_select(p, state)
    }

    fn print_select(p: &mut ir::text::OpPrinter<'_>, op: ir::OpId) {
        syntax::print_select(p, op);
    }

    fn result_names_constant(
        _: &ir::Registry,
        body: &ir::Body,
        op: ir::OpId,
        name: &mut dyn FnMut(ir::ValueId, &str),
    ) {
        let value: Option<Attr> = body.attr(op, "value");
        if let (Some(value), Some(result)) = (value, body.results(op).next()) {
            name(result, &syntax::constant_name(value));
        }
    }
}
