//! What casts forget of a shape is known behind a bitcast.

use tegula_dialect_affine::mixed::Mixed;
use tegula_dialect_util::constants::constant_index;
use tegula_ir::{Body, DYNAMIC, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_rewrite::Rewriter;

use crate::slices::preserves;

/// Takes the bitcast of what is cast: the sizes that the cast forgets are static in its result, but
/// for the last one, which may be another.
pub(crate) fn of_cast(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let (registry, body) = (rw.registry, &*rw.body);
    let source = body.operand(op, 0);
    let cast = body.defining_op(source).filter(|&def| body.is(def, "tensor.cast"));
    let Some(cast) = cast else { return rw.no_match(op, "its source is no cast") };
    let origin = body.operand(cast, 0);
    let (from, known) = (body.ty(source), body.ty(origin));
    if !preserves(known, from) {
        return rw.no_match(op, "the cast says more of the shape than what is cast");
    }
    let result = body.result(op, 0);
    let ty = body.ty(result);
    let from_dims = registry.operands_of(body, op, "source_dims");
    let to_dims = registry.operands_of(body, op, "result_dims");
    let sizes = sizes(body, from, &from_dims).zip(sizes(body, ty, &to_dims));
    let Some((before, mut after)) = sizes else {
        return rw.no_match(op, "its sizes are not known");
    };
    let leading = |sizes: &[Mixed]| sizes.split_last().map(|(_, leading)| leading.to_vec());
    if before.is_empty() || leading(&before) != leading(&after) {
        return rw.no_match(op, "other sizes than the last one differ");
    }
    let known_shape = known.shape().unwrap_or(&[]);
    let last = after.len() - 1;
    for (size, &known) in after[..last].iter_mut().zip(known_shape) {
        if known != DYNAMIC {
            *size = Mixed::Constant(known);
        }
    }
    let shape: Vec<i64> = after.iter().map(|s| s.as_constant().unwrap_or(DYNAMIC)).collect();
    let open = |size: &Mixed| match size {
        Mixed::Value(value) => Some(*value),
        Mixed::Constant(_) => None,
    };
    let dims: Vec<ValueId> = after.iter().filter_map(open).collect();
    let dynamic = from.shape().unwrap_or(&[]).iter().zip(known_shape);
    let dynamic = dynamic.filter(|(size, _)| **size == DYNAMIC);
    let origin_dims: Vec<ValueId> = dynamic
        .zip(from_dims)
        .filter(|((_, known), _)| **known == DYNAMIC)
        .map(|(_, dim)| dim)
        .collect();
    let Some(new_ty) = ty.with_shape(&shape) else { return false };
    let new = registry.new_op("iree_tensor_ext.bitcast");
    let new = new
        .operands("source", [origin])
        .operands("source_dims", origin_dims)
        .operands("result_dims", dims)
        .results("result", [new_ty])
        .build();
    let new = rw.insert_value(InsertPoint::Before(op), new);
    rw.replace_with(op, NewOp::new("tensor.cast").operand(new).result(ty));
    true
}

/// The sizes of a shape; values that are constants are constants.
fn sizes(body: &Body, ty: Type, dims: &[ValueId]) -> Option<Vec<Mixed>> {
    let mut dims = dims.iter();
    let size = |&size: &i64| match size {
        DYNAMIC => dims.next().map(|&dim| match constant_index(body, dim) {
            Some(size) => Mixed::Constant(size),
            None => Mixed::Value(dim),
        }),
        size => Some(Mixed::Constant(size)),
    };
    ty.shape()?.iter().map(size).collect()
}
