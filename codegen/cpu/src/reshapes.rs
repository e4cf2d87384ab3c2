//! Reshapes that add dimensions of extent one, carried to where a dispatch's tensors come from and
//! go to: what a binding holds is the same in either shape.

use tegula_ir::{Attr, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_rewrite::{IrMapping, Rewriter};

use crate::attrs;
use crate::builder::Builder;
use crate::dispatch_tensor as dt;
use crate::error::CpuResult;
use crate::structured;

/// A vector of tiles as a matrix of one row. What is read from a binding is read in that shape, and
/// a fill fills it; else an op reshapes.
pub(crate) fn as_row(b: &mut Builder<'_, '_>, value: ValueId) -> ValueId {
    let tiles = b.body().ty(value);
    let shape: Vec<i64> = tiles.shape().unwrap_or(&[]).iter().flat_map(|&size| [1, size]).collect();
    let ty = Type::tensor(&shape, tiles.element_or_self(), None);
    let maker = b.body().defining_op(value);
    match maker.map(|op| (op, b.body().name(op).as_str())) {
        Some((load, dt::LOAD)) if covers(b, load, b.body().operand(load, 0)) => {
            let dispatch = in_shape(b, b.body().operand(load, 0), ty);
            let new = NewOp::new(dt::LOAD).operand(dispatch).attrs(b.body().attrs(load));
            let whole = dt::whole_access(&shape);
            b.value(
                whole.into_iter().fold(new, |new, (name, list)| new.attr(name, list)).result(ty),
            )
        }
        Some((fill, "linalg.fill")) => {
            let empty = b.value(NewOp::new("tensor.empty").result(ty));
            let scalar = b.body().operand(fill, 0);
            let made = structured::named(b, "linalg.fill", &[scalar], &[empty], Attr::empty_dict());
            b.body().result(made, 0)
        }
        _ => b.value(
            NewOp::new("tensor.expand_shape")
                .operand(value)
                .attr("reassociation", pairs(shape.len()))
                .attr("static_output_shape", Attr::i64_array(&shape))
                .result(ty),
        ),
    }
}

/// The vector of tiles that a matrix of one row is.
pub(crate) fn from_row(b: &mut Builder<'_, '_>, row: ValueId, ty: Type) -> ValueId {
    let rank = b.body().ty(row).shape().map_or(0, <[i64]>::len);
    collapsed(b, row, ty, pairs(rank))
}

/// A tensor with groups of adjacent dimensions merged.
pub(crate) fn collapsed(
    b: &mut Builder<'_, '_>,
    value: ValueId,
    ty: Type,
    groups: Attr,
) -> ValueId {
    let reshape = NewOp::new("tensor.collapse_shape").operand(value).attr("reassociation", groups);
    b.value(reshape.result(ty))
}

/// `[[0, 1], [2, 3], …]`
fn pairs(rank: usize) -> Attr {
    let dims: Vec<i64> = (0..rank as i64).collect();
    attrs::index_lists(&dims.chunks(2).map(<[i64]>::to_vec).collect::<Vec<_>>())
}

/// What is stored after a reshape is stored in the shape that it had before.
pub(crate) fn stores_before_reshapes(rw: &mut Rewriter<'_>, func: OpId) -> CpuResult {
    let mut b = Builder::new(rw, func)?;
    let stores: Vec<OpId> = b.body().walk(func).filter(|&op| b.body().is(op, dt::STORE)).collect();
    let mut changed = false;
    for store in stores {
        let value = b.body().operand(store, 0);
        let reshape = b.body().defining_op(value);
        let Some(reshape) = reshape.filter(|&op| b.body().is(op, "tensor.collapse_shape")) else {
            continue;
        };
        let target = b.body().operand(store, 1);
        if !covers(&b, store, target) {
            continue;
        }
        let source = b.body().operand(reshape, 0);
        let ty = b.body().ty(source);
        let target = in_shape(&mut b, target, ty);
        b.rw.set_operand(store, 0, source);
        b.rw.set_operand(store, 1, target);
        for (name, list) in dt::whole_access(ty.shape().unwrap_or(&[])) {
            b.rw.set_attr(store, name, list);
        }
        changed = true;
    }
    Ok(changed)
}

/// Whether an access is to all of a dispatch tensor of static shape.
fn covers(b: &Builder<'_, '_>, access: OpId, dispatch: ValueId) -> bool {
    let bound = dt::bound_type(b.body().ty(dispatch)).filter(|ty| ty.has_static_shape());
    let same = |(name, list): (&str, Attr)| b.body().attr(access, name) == Some(list);
    bound.and_then(Type::shape).is_some_and(|shape| dt::whole_access(shape).into_iter().all(same))
}

/// The same binding as a dispatch tensor of another shape.
fn in_shape(b: &mut Builder<'_, '_>, dispatch: ValueId, ty: Type) -> ValueId {
    let rebound = dt::with_bound(b.body().ty(dispatch), ty);
    let Some(subspan) = b.body().defining_op(dispatch) else { return dispatch };
    let copy = b.rw.clone_op(subspan, InsertPoint::After(subspan), &mut IrMapping::new());
    let made = b.body().result(copy, 0);
    b.rw.set_type(made, rebound);
    made
}
