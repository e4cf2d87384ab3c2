//! What constraints cannot say of constants and casts.

use tegula_ir::{Attr, AttrData, Body, OpId, Registry, TypeData};

/// An integer is a constant of its own type only.
pub(crate) fn constant(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let Some(value) = body.attr(op, "value") else { return Ok(()) };
    let ty = body.ty(body.result(op, 0));
    match (value.data(), ty.data()) {
        (AttrData::Integer { ty: given, .. }, TypeData::Integer { .. }) if *given != ty => {
            Err(format!("is an integer of type '{given}', not '{ty}'"))
        }
        (AttrData::Integer { .. }, TypeData::Float(_)) => Err(format!("is an integer, not '{ty}'")),
        _ if is_value(value) => Ok(()),
        _ => Err(format!("{value} is no constant")),
    }
}

/// Whether an attribute stands for what LLVM's constants can be.
fn is_value(value: Attr) -> bool {
    match value.data() {
        AttrData::Array(items) => items.iter().all(|&item| {
            is_value(item)
                || ["llvm.undef", "llvm.poison", "llvm.zero"]
                    .iter()
                    .any(|name| item.dialect_params(name).is_some())
        }),
        _ => value.value_type().is_some() || value.as_str().is_some(),
    }
}

/// More bits come out than go in.
pub(crate) fn widening(_: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let (from, to) = (body.ty(body.operand(op, 0)), body.ty(body.result(op, 0)));
    if from.shape() != to.shape() {
        return Err(format!("'{from}' and '{to}' are of different shapes"));
    }
    let bits = [from, to].map(|ty| ty.element_or_self().bit_width().unwrap_or(0));
    if bits[0] >= bits[1] {
        return Err(format!("'{to}' has no more bits than '{from}'"));
    }
    Ok(())
}
