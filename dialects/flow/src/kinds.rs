//! Kinds of ops that dispatches are formed by: what only widens or narrows elements, and what is
//! cheaper to compute again than to pass.

use tegula_ir::{Attr, AttrData, Body, DenseData, OpId, Type, TypeData};

use crate::structured::Structured;

/// Constant tensors up to this size are code rather than data.
const INLINE_BYTES: u64 = 256;

/// What a nest without sums does to the width of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    Grows,
    Shrinks,
}

/// Whether the op gives wider elements than it reads, by little work.
pub fn widens(body: &Body, op: OpId) -> bool {
    width_change(body, op) == Some(Width::Grows)
}

/// Whether the op gives narrower elements than it reads, as many.
pub fn narrows(body: &Body, op: OpId) -> bool {
    width_change(body, op) == Some(Width::Shrinks)
}

/// The number of bits of an element that is a number.
fn number_bits(ty: Type) -> Option<u32> {
    match ty.data() {
        TypeData::Integer { .. } | TypeData::Float(_) => ty.bit_width(),
        _ => None,
    }
}

/// Compares the result's elements with the widest of those inputs that have the most dimensions.
fn width_change(body: &Body, op: OpId) -> Option<Width> {
    let structured = Structured::read(body, op).filter(|_| body.is(op, "linalg.generic"))?;
    if structured.inits.len() != 1 || !structured.is_parallel() {
        return None;
    }
    let rank = |value| match body.ty(value).data() {
        TypeData::RankedTensor { shape, .. } => Some(shape.len()),
        _ => None,
    };
    let largest = structured.inputs.iter().filter_map(|&v| rank(v)).max().filter(|&r| r > 0)?;
    let inputs = structured.inputs.iter().filter(|&&v| rank(v) == Some(largest));
    let bits: Vec<u32> =
        inputs.map(|&v| number_bits(body.ty(v).element_or_self())).collect::<Option<_>>()?;
    let read = bits.into_iter().max()?;
    let result = body.results(op).next()?;
    let given = number_bits(body.ty(result).element_or_self())?;
    if read < given {
        let block = body.region_entry(op, 0)?;
        let cheap = body.block_ops(block).all(|op| body.name(op).dialect() != "math");
        return cheap.then_some(Width::Grows);
    }
    (given < read && rank(result) == Some(largest)).then_some(Width::Shrinks)
}

/// Whether the op only repeats elements along new dimensions.
pub fn broadcasts(body: &Body, op: OpId) -> bool {
    if body.is(op, "linalg.broadcast") {
        return true;
    }
    let Some(structured) = Structured::read(body, op) else { return false };
    let (&[input, out], 1) = (&structured.maps[..], structured.inputs.len()) else { return false };
    let block = body.region_entry(op, 0);
    body.is(op, "linalg.generic")
        && structured.is_parallel()
        && input.results().len() < out.results().len()
        && input.is_projected_permutation()
        && out.is_identity()
        && block.is_some_and(|block| body.first_op(block) == body.last_op(block))
}

/// Dialects of ops that may be computed again where they are used.
const CLONED_DIALECTS: &[&str] = &["affine", "arith", "iree_encoding", "linalg", "tensor"];

/// Whether the op is cheaper to compute again in each dispatch that uses it than to pass.
pub fn is_cloned(body: &Body, op: OpId) -> bool {
    let name = body.name(op);
    if !CLONED_DIALECTS.contains(&name.dialect()) {
        return false;
    }
    match name.as_str() {
        "affine.apply"
        | "arith.index_cast"
        | "linalg.fill"
        | "tensor.empty"
        | "tensor.extract"
        | "tensor.extract_slice"
        | "iree_encoding.unset_encoding" => true,
        "arith.constant" => body
            .attr(op, "value")
            .is_some_and(|value| is_inlined(body.ty(body.result(op, 0)), value)),
        _ if widens(body, op) => true,
        _ => {
            let mut values = body.operands(op).chain(body.results(op));
            name.dialect() == "arith" && values.all(|v| number_bits(body.ty(v)).is_some())
        }
    }
}

/// Whether a constant is code rather than data.
fn is_inlined(ty: Type, value: Attr) -> bool {
    let Some(shape) = ty.shape() else { return true };
    match value.data() {
        AttrData::Dense { data: DenseData::Splat(_), .. } => true,
        AttrData::Dense { .. } => {
            let count: u64 = shape.iter().map(|&size| size.unsigned_abs()).product();
            let bits = ty.element_or_self().bit_width().map_or(u64::MAX, u64::from);
            count.saturating_mul(bits) / 8 <= INLINE_BYTES
        }
        _ => false,
    }
}
