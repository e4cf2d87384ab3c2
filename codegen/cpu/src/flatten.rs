//! `iree-codegen-flatten-memref-subspan`: memory has one dimension.
//!
//! Bindings and scratch become as many elements in a row, and indices of accesses one index. Views
//! are part of the indices already where loops were made.

use tegula_ir::{InsertPoint, OpId, Type, TypeData, ValueId};
use tegula_rewrite::Rewriter;

use crate::builder::{Builder, Idx};
use crate::dispatch_tensor as dt;
use crate::error::{CpuResult, fail};
use crate::{cleanup, slice};

/// Runs the pass on a function.
pub(crate) fn run(rw: &mut Rewriter<'_>, func: OpId) -> CpuResult {
    cleanup::erase_dead(rw, func);
    let mut b = Builder::new(rw, func)?;
    let made: Vec<ValueId> = b
        .body()
        .walk(func)
        .filter(|&op| {
            matches!(b.body().name(op).as_str(), dt::SUBSPAN | "memref.alloc" | "memref.alloca")
        })
        .flat_map(|op| b.body().results(op))
        .collect();
    let mut changed = false;
    for memref in made {
        changed |= flatten(&mut b, memref)?;
    }
    Ok(changed)
}

fn flatten(b: &mut Builder<'_, '_>, memref: ValueId) -> CpuResult {
    let ty = b.body().ty(memref);
    let TypeData::MemRef { shape, element, space, .. } = ty.data() else { return Ok(false) };
    if shape.len() <= 1 && ty.has_plain_layout() {
        return Ok(false);
    }
    let Some(op) = b.body().defining_op(memref) else { return Ok(false) };
    let (Some(elements), Some((strides, _))) = (ty.num_elements(), slice::strided(ty)) else {
        return fail(op, "unsupported-memory", "only memory of a static shape can be flattened");
    };
    let users: Vec<OpId> = b.body().users(memref).collect();
    for user in users {
        let first = match b.body().name(user).as_str() {
            "memref.load" => 1,
            "memref.store" if b.body().operand(user, 1) == memref => 2,
            name => {
                let message = format!("{name} on memory of several dimensions is not supported");
                return fail(user, "unsupported-op", message);
            }
        };
        b.at(InsertPoint::Before(user));
        let operands: Vec<ValueId> = b.body().operands(user).collect();
        let (kept, indices) = operands.split_at(first);
        let mut at = Idx::Const(0);
        for (&index, &stride) in indices.iter().zip(&strides) {
            let index = b.fold(index);
            let scaled = b.scaled(index, stride, 0);
            at = b.add(at, scaled);
        }
        let at = b.materialize(at);
        let operands: Vec<ValueId> = kept.iter().copied().chain([at]).collect();
        b.rw.set_operands(user, &operands);
    }
    b.rw.set_type(memref, Type::memref(&[elements], *element, None, *space));
    Ok(true)
}
