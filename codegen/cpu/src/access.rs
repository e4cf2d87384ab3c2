//! Scalar accesses to memrefs, with views folded into the indices.

use tegula_ir::{AffineExpr, AffineExprData, AffineMap, AffineOp, Attr, NewOp, Type, ValueId};

use crate::builder::{Builder, Idx};
use crate::slice;

/// The memref under views, and what the indices are in it.
pub(crate) fn resolve(
    b: &mut Builder<'_, '_>,
    memref: ValueId,
    indices: &[Idx],
) -> (ValueId, Vec<Idx>) {
    let (mut at, mut indices) = (memref, indices.to_vec());
    while let Some(op) = b.body().defining_op(at) {
        if b.body().is(op, "memref.assume_alignment") {
            at = b.body().operand(op, 0);
            continue;
        }
        if !b.body().is(op, "memref.subview") {
            break;
        }
        let Some((offsets, steps)) = view_of(b.body(), op) else { break };
        if offsets.len() != indices.len() {
            break;
        }
        for ((index, offset), step) in indices.iter_mut().zip(offsets).zip(steps) {
            let scaled = b.scaled(*index, step, 0);
            *index = b.add(offset, scaled);
        }
        at = b.body().operand(op, 0);
    }
    (at, indices)
}

/// The offsets and static steps of a view.
fn view_of(body: &tegula_ir::Body, op: tegula_ir::OpId) -> Option<(Vec<Idx>, Vec<i64>)> {
    let steps = body.attr(op, "static_strides").and_then(Attr::as_dense_array)?.to_vec();
    if steps.contains(&tegula_ir::DYNAMIC) {
        return None;
    }
    let offsets = body.attr(op, "static_offsets").and_then(Attr::as_dense_array)?;
    let mut dynamic = body.operands(op).skip(1);
    let offsets: Option<Vec<Idx>> = offsets
        .iter()
        .map(|&o| {
            if o == tegula_ir::DYNAMIC {
                dynamic.next().map(Idx::Value)
            } else {
                Some(Idx::Const(o))
            }
        })
        .collect();
    Some((offsets?, steps))
}

/// Reads one element.
pub(crate) fn load(b: &mut Builder<'_, '_>, memref: ValueId, indices: &[Idx]) -> ValueId {
    let (memref, indices) = resolve(b, memref, indices);
    let element = b.body().ty(memref).element_or_self();
    let indices: Vec<ValueId> = indices.into_iter().map(|i| b.materialize(i)).collect();
    b.value(NewOp::new("memref.load").operand(memref).operands(indices).result(element))
}

/// Writes one element.
pub(crate) fn store(b: &mut Builder<'_, '_>, value: ValueId, memref: ValueId, indices: &[Idx]) {
    let (memref, indices) = resolve(b, memref, indices);
    let indices: Vec<ValueId> = indices.into_iter().map(|i| b.materialize(i)).collect();
    b.op(NewOp::new("memref.store").operand(value).operand(memref).operands(indices));
}

/// The sizes of a memref; dynamic ones as the view tells that makes them.
pub(crate) fn sizes(b: &Builder<'_, '_>, memref: ValueId) -> Option<Vec<Idx>> {
    let ty = b.body().ty(memref);
    let shape = ty.shape()?;
    if ty.has_static_shape() {
        return Some(shape.iter().map(|&s| Idx::Const(s)).collect());
    }
    let op = b.body().defining_op(memref)?;
    if !b.body().is(op, "memref.subview") {
        return None;
    }
    Some(slice::ranges_of(b.body(), op, 1)?.into_iter().map(|r| r.size).collect())
}

/// One affine expression applied to indices, folded when all of them are known.
pub(crate) fn apply(b: &mut Builder<'_, '_>, expr: AffineExpr, dims: &[Idx]) -> Idx {
    match expr.data() {
        AffineExprData::Dim(d) => dims.get(*d as usize).copied().unwrap_or(Idx::Const(0)),
        AffineExprData::Constant(c) => Idx::Const(*c),
        AffineExprData::Symbol(_) => Idx::Const(0),
        AffineExprData::Binary(op, x, y) => {
            let (x, y) = (apply(b, *x, dims), apply(b, *y, dims));
            binary(b, *op, x, y)
        }
    }
}

fn binary(b: &mut Builder<'_, '_>, op: AffineOp, x: Idx, y: Idx) -> Idx {
    match (op, x, y) {
        (AffineOp::Add, x, y) => b.add(x, y),
        (AffineOp::Mul, x, Idx::Const(c)) | (AffineOp::Mul, Idx::Const(c), x) => b.scaled(x, c, 0),
        (AffineOp::Mod, Idx::Const(x), Idx::Const(y)) if y > 0 => Idx::Const(x.rem_euclid(y)),
        (AffineOp::FloorDiv, Idx::Const(x), Idx::Const(y)) if y > 0 => Idx::Const(x.div_euclid(y)),
        (AffineOp::FloorDiv | AffineOp::Mod, Idx::Value(v), Idx::Const(1)) => {
            if op == AffineOp::Mod { Idx::Const(0) } else { Idx::Value(v) }
        }
        (op, x, y) => {
            let (x, y) = (b.materialize(x), b.materialize(y));
            let pair =
                AffineExpr::new(AffineExprData::Binary(op, AffineExpr::dim(0), AffineExpr::dim(1)));
            let new = NewOp::new("affine.apply")
                .operands([x, y])
                .attr("map", Attr::map(AffineMap::get(2, 0, &[pair])))
                .result(Type::index());
            Idx::Value(b.value(new))
        }
    }
}

/// `index floordiv divisor` and `index mod divisor` of an index that is not negative.
pub(crate) fn split(b: &mut Builder<'_, '_>, index: Idx, divisor: i64) -> (Idx, Idx) {
    let make = |op| {
        let divisor = AffineExpr::constant(divisor);
        AffineExpr::new(AffineExprData::Binary(op, AffineExpr::dim(0), divisor))
    };
    match index {
        Idx::Const(c) => (Idx::Const(c.div_euclid(divisor)), Idx::Const(c.rem_euclid(divisor))),
        Idx::Value(_) if divisor == 1 => (index, Idx::Const(0)),
        Idx::Value(v) => {
            let mut one = |expr| {
                let new = NewOp::new("affine.apply")
                    .operand(v)
                    .attr("map", Attr::map(AffineMap::get(1, 0, &[expr])))
                    .result(Type::index());
                Idx::Value(b.value(new))
            };
            (one(make(AffineOp::FloorDiv)), one(make(AffineOp::Mod)))
        }
    }
}
