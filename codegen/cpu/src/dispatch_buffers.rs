//! `iree-codegen-bufferize-dispatch-tensor-load-store`: loads from and stores to dispatch tensors
//! become `load_from_buffer` and `store_to_buffer` on memrefs of the same bindings.

use tegula_ir::{Attr, InsertPoint, NewOp, OpId, ValueId};
use tegula_rewrite::Rewriter;

use crate::builder::Builder;
use crate::dispatch_tensor as dt;
use crate::error::{CpuResult, fail};
use crate::slice;

/// Runs the pass on a function.
pub(crate) fn run(rw: &mut Rewriter<'_>, func: OpId) -> CpuResult {
    let mut b = Builder::new(rw, func)?;
    let ops: Vec<OpId> = b.body().walk(func).collect();
    let mut changed = false;
    for op in ops {
        match b.body().name(op).as_str() {
            dt::LOAD => {
                let buffer = buffer_of(&mut b, op, 0)?;
                let tensor = b.body().ty(b.body().result(op, 0));
                let new =
                    NewOp::new("iree_codegen.load_from_buffer").operand(buffer).result(tensor);
                b.rw.replace_with(op, new);
            }
            dt::STORE => {
                let buffer = buffer_of(&mut b, op, 1)?;
                let tensor = b.body().operand(op, 0);
                let new =
                    NewOp::new("iree_codegen.store_to_buffer").operand(tensor).operand(buffer);
                b.rw.replace_with(op, new);
            }
            _ => continue,
        }
        changed = true;
    }
    Ok(changed)
}

/// The memref that an access reads or writes: the whole binding, or a subview of it.
fn buffer_of(b: &mut Builder<'_, '_>, access: OpId, operand: usize) -> CpuResult<ValueId> {
    let dispatch = b.body().operand(access, operand);
    let subspan = b.body().defining_op(dispatch).filter(|&op| b.body().is(op, dt::SUBSPAN));
    let Some(subspan) = subspan else {
        return fail(access, "unknown-binding", "the dispatch tensor must come from a binding");
    };
    let whole = memref_of(b, subspan)?;
    let shape = b.body().ty(whole).shape().unwrap_or(&[]);
    let access_list = |name: &str| b.body().attr(access, name).and_then(Attr::as_dense_array);
    let tensor_op =
        if operand == 0 { b.body().result(access, 0) } else { b.body().operand(access, 0) };
    let tensor = b.body().ty(tensor_op).shape().unwrap_or(&[]);
    if access_list("static_sizes").is_some_and(|s| s.len() == tensor.len() && s != tensor) {
        return fail(access, "malformed-op", "the access has other sizes than its tensor");
    }
    let is_whole = dt::whole_access(shape)
        .into_iter()
        .all(|(name, value)| access_list(name) == value.as_dense_array());
    if is_whole {
        return Ok(whole);
    }
    let (Some(offsets), Some(sizes), Some(strides)) =
        (access_list("static_offsets"), access_list("static_sizes"), access_list("static_strides"))
    else {
        return fail(access, "malformed-op", "the access has no offsets, sizes and strides");
    };
    let all = [offsets, sizes, strides];
    if all.iter().any(|l| l.len() != shape.len() || l.contains(&tegula_ir::DYNAMIC)) {
        return fail(access, "dynamic-access", "only static accesses to bindings are supported");
    }
    if tensor != sizes {
        return fail(access, "rank-reducing-access", "the access must keep the rank");
    }
    b.at(InsertPoint::Before(access));
    match slice::static_subview(b, whole, offsets, sizes, strides) {
        Some(view) => Ok(view),
        None => fail(access, "malformed-op", "the access lies outside of the binding"),
    }
}

/// A memref view of the same bytes, right before the subspan; made once a subspan.
fn memref_of(b: &mut Builder<'_, '_>, subspan: OpId) -> CpuResult<ValueId> {
    if let Some(before) = b.body().prev_op(subspan)
        && b.body().is(before, dt::SUBSPAN)
        && b.body().attrs(before) == b.body().attrs(subspan)
        && b.body().operands(before).eq(b.body().operands(subspan))
        && b.body().ty(b.body().result(before, 0)).shape().is_some()
    {
        return Ok(b.body().result(before, 0));
    }
    let ty = b.body().ty(b.body().result(subspan, 0));
    let offset = match segments_offset(b, subspan) {
        Some(value) => b.constant_of(value),
        None => Some(0),
    };
    let space = dt::memory_space(b.body(), subspan);
    let memref = dt::bound_type(ty).and_then(|t| dt::memref_type(t, offset, space));
    let Some(memref) = memref else {
        return fail(
            subspan,
            "unsupported-binding",
            "the binding's tensor must be static and plain",
        );
    };
    let operands: Vec<ValueId> = b.body().operands(subspan).collect();
    let new = NewOp::new(dt::SUBSPAN)
        .operands(operands)
        .attrs(b.body().attrs(subspan))
        .result(memref)
        .loc(b.body().loc(subspan));
    Ok(b.rw.insert_value(InsertPoint::Before(subspan), new))
}

/// The byte offset operand of a subspan.
fn segments_offset(b: &Builder<'_, '_>, subspan: OpId) -> Option<ValueId> {
    let groups = crate::structured::segments(b.body(), subspan);
    match groups.first() {
        Some(0) => None,
        _ => b.body().operands(subspan).next(),
    }
}
