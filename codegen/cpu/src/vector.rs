//! Making ops of the vector dialect.

use tegula_ir::{Attr, NewOp, Type, ValueId};

use crate::attrs;
use crate::builder::Builder;

/// Reads a vector from a tensor or memref; lanes that the mask switches off are `padding`.
pub(crate) fn transfer_read(
    b: &mut Builder<'_, '_>,
    ty: Type,
    source: ValueId,
    indices: &[ValueId],
    padding: ValueId,
    mask: Option<ValueId>,
) -> ValueId {
    let rank = indices.len();
    let new = NewOp::new("vector.transfer_read")
        .operand(source)
        .operands(indices.iter().copied())
        .operand(padding)
        .operands(mask)
        .attr("permutation_map", Attr::map(tegula_ir::AffineMap::identity(rank as u32)))
        .attr("in_bounds", attrs::all_true(rank))
        .attr("operandSegmentSizes", attrs::segments(&[1, rank, 1, usize::from(mask.is_some())]))
        .result(ty);
    b.value(new)
}

/// A tensor with a vector written over it, where the mask does not switch lanes off.
pub(crate) fn transfer_write(
    b: &mut Builder<'_, '_>,
    value: ValueId,
    dest: ValueId,
    indices: &[ValueId],
    mask: Option<ValueId>,
) -> ValueId {
    let ty = b.body().ty(dest);
    let new = write_op(value, dest, indices, mask).result(ty);
    b.value(new)
}

/// The description of a write without results, as on memrefs.
pub(crate) fn write_op(
    value: ValueId,
    dest: ValueId,
    indices: &[ValueId],
    mask: Option<ValueId>,
) -> NewOp {
    let rank = indices.len();
    NewOp::new("vector.transfer_write")
        .operand(value)
        .operand(dest)
        .operands(indices.iter().copied())
        .operands(mask)
        .attr("permutation_map", Attr::map(tegula_ir::AffineMap::identity(rank as u32)))
        .attr("in_bounds", attrs::all_true(rank))
        .attr("operandSegmentSizes", attrs::segments(&[1, 1, rank, usize::from(mask.is_some())]))
}

/// The value in every place of a vector of that shape; the value itself when it has that shape.
pub(crate) fn broadcast(b: &mut Builder<'_, '_>, value: ValueId, shape: &[i64]) -> ValueId {
    let ty = b.body().ty(value);
    let wanted = Type::vector(shape, ty.element_or_self());
    if ty == wanted {
        return value;
    }
    b.value(NewOp::new("vector.broadcast").operand(value).result(wanted))
}

/// The same elements in another shape.
pub(crate) fn shape_cast(b: &mut Builder<'_, '_>, value: ValueId, shape: &[i64]) -> ValueId {
    let ty = b.body().ty(value);
    let wanted = Type::vector(shape, ty.element_or_self());
    if ty == wanted {
        return value;
    }
    b.value(NewOp::new("vector.shape_cast").operand(value).result(wanted))
}

/// The vector with dimension `i` of the result being dimension `permutation[i]` of the operand.
pub(crate) fn transpose(b: &mut Builder<'_, '_>, value: ValueId, permutation: &[i64]) -> ValueId {
    if permutation.iter().enumerate().all(|(to, &from)| to as i64 == from) {
        return value;
    }
    let ty = b.body().ty(value);
    let shape = ty.shape().unwrap_or(&[]);
    let shape: Vec<i64> = permutation.iter().map(|&from| shape[from as usize]).collect();
    let new = NewOp::new("vector.transpose")
        .operand(value)
        .attr("permutation", Attr::i64_array(permutation))
        .result(Type::vector(&shape, ty.element_or_self()));
    b.value(new)
}
