//! `iree-codegen-optimize-tensor-insert-extract-slices`: values instead of tiles in memory.
//!
//! Reads go through slices to the tensor that they are cut from, a tile written into a slice is
//! written into the whole, a read of what was just written is the value written, and an
//! accumulator that a loop carries as a tile is carried as a vector.

use tegula_ir::{Attr, BlockId, Body, InsertPoint, NewOp, OpId, Type, ValueId, ValueKind};
use tegula_rewrite::Rewriter;

use crate::builder::Builder;
use crate::cleanup;
use crate::error::CpuResult;
use crate::slice;
use crate::structured::segments;
use crate::vector;

/// Runs the pass on a function.
pub(crate) fn run(rw: &mut Rewriter<'_>, func: OpId) -> CpuResult {
    let mut b = Builder::new(rw, func)?;
    let mut changed = false;
    loop {
        let mut round = false;
        let ops: Vec<OpId> = b.body().walk(func).collect();
        for op in ops {
            if b.body().is_erased(op) {
                continue;
            }
            round |= match b.body().name(op).as_str() {
                "vector.transfer_read" => read_of_write(&mut b, op) || read_of_slice(&mut b, op),
                "tensor.insert_slice" => insert_of_write(&mut b, op),
                "scf.for" => carry_vectors(&mut b, op),
                _ => false,
            };
        }
        round |= cleanup::erase_dead(b.rw, func);
        if !round {
            break;
        }
        changed = true;
    }
    changed |= cleanup::hoist_invariants(b.rw, func);
    Ok(changed)
}

/// The parts of a transfer op.
pub(crate) struct Transfer {
    /// The vector written; none for a read.
    pub(crate) value: Option<ValueId>,
    /// The tensor or memref.
    pub(crate) base: ValueId,
    pub(crate) indices: Vec<ValueId>,
    pub(crate) padding: Option<ValueId>,
    pub(crate) mask: Option<ValueId>,
}

/// Reads a transfer op whose map is the identity.
pub(crate) fn transfer(body: &Body, op: OpId) -> Option<Transfer> {
    let is_read = body.is(op, "vector.transfer_read");
    if !is_read && !body.is(op, "vector.transfer_write") {
        return None;
    }
    let map = body.attr(op, "permutation_map").and_then(Attr::as_map);
    if map.is_some_and(|m| !m.is_identity()) {
        return None;
    }
    let operands: Vec<ValueId> = body.operands(op).collect();
    let groups = segments(body, op);
    let &[first, second, third, masked] = groups.as_slice() else { return None };
    if first != 1 || first + second + third + masked != operands.len() {
        return None;
    }
    let (value, base, from, count, padding) = if is_read {
        (None, operands[0], 1, second, operands.get(1 + second).copied())
    } else {
        (Some(operands[0]), operands[1], 2, third, None)
    };
    let indices = operands.get(from..from + count)?.to_vec();
    let mask = if masked == 1 { operands.last().copied() } else { None };
    Some(Transfer { value, base, indices, padding, mask })
}

/// Whether a transfer without mask covers a whole static tensor.
fn is_whole(b: &Builder<'_, '_>, t: &Transfer, vector: Type) -> bool {
    t.mask.is_none()
        && b.body().ty(t.base).shape() == vector.shape()
        && t.indices.iter().all(|&i| b.constant_of(i) == Some(0))
}

fn read_of_write(b: &mut Builder<'_, '_>, op: OpId) -> bool {
    let body = b.body();
    let Some(read) = transfer(body, op) else { return false };
    let Some(def) = body.defining_op(read.base) else { return false };
    let Some(write) = transfer(body, def) else { return false };
    let Some(value) = write.value else { return false };
    let same = read.mask.is_none()
        && write.mask.is_none()
        && read.indices == write.indices
        && body.ty(value) == body.ty(body.result(op, 0));
    if same {
        b.rw.replace(op, &[value]);
    }
    same
}

fn read_of_slice(b: &mut Builder<'_, '_>, op: OpId) -> bool {
    let Some(read) = transfer(b.body(), op) else { return false };
    let Some(def) =
        b.body().defining_op(read.base).filter(|&d| b.body().is(d, "tensor.extract_slice"))
    else {
        return false;
    };
    let source = b.body().operand(def, 0);
    let rank = b.body().ty(source).shape().map_or(0, <[i64]>::len);
    let (Some(ranges), Some(padding)) = (slice::ranges_of(b.body(), def, 1), read.padding) else {
        return false;
    };
    if rank != read.indices.len() || ranges.len() != rank {
        return false;
    }
    b.at(InsertPoint::Before(op));
    let indices = shifted(b, &read.indices, &ranges);
    let ty = b.body().ty(b.body().result(op, 0));
    let value = vector::transfer_read(b, ty, source, &indices, padding, read.mask);
    b.rw.replace(op, &[value]);
    true
}

fn shifted(b: &mut Builder<'_, '_>, indices: &[ValueId], ranges: &[slice::Range]) -> Vec<ValueId> {
    let mut out = Vec::new();
    for (&index, range) in indices.iter().zip(ranges) {
        let index = b.fold(index);
        let sum = b.add(range.offset, index);
        out.push(b.materialize(sum));
    }
    out
}

/// `insert_slice(write(v, extract_slice(dest)), dest)` at one place is a write into `dest`. When the
/// window is all that is written, a mask or exact size keeps the write inside of it.
fn insert_of_write(b: &mut Builder<'_, '_>, op: OpId) -> bool {
    let body = b.body();
    let (source, dest) = (body.operand(op, 0), body.operand(op, 1));
    let Some(def) = body.defining_op(source) else { return false };
    let Some(write) = transfer(body, def) else { return false };
    let Some(window) = body.defining_op(write.base).filter(|&w| body.is(w, "tensor.extract_slice"))
    else {
        return false;
    };
    let (Some(value), Some(from), Some(to)) =
        (write.value, slice::ranges_of(body, window, 1), slice::ranges_of(body, op, 2))
    else {
        return false;
    };
    if body.operand(window, 0) != dest || from != to || write.indices.len() != to.len() {
        return false;
    }
    b.at(InsertPoint::Before(op));
    let indices = shifted(b, &write.indices, &to);
    let result = vector::transfer_write(b, value, dest, &indices, write.mask);
    b.rw.replace(op, &[result]);
    true
}

/// Loop-carried tiles that the body reads and writes as a whole become vectors.
fn carry_vectors(b: &mut Builder<'_, '_>, op: OpId) -> bool {
    let Some(block) = b.body().region_entry(op, 0) else { return false };
    let Some(end) = b.body().last_op(block) else { return false };
    let count = b.body().num_results(op);
    let Some((at, vector)) = (0..count).find_map(|i| Some((i, carried(b, op, block, end, i)?)))
    else {
        return false;
    };
    let arg = b.body().block_args(block)[at + 1];
    let init = b.body().operand(op, at + 3);
    let ty = b.body().ty(vector);
    let zero = b.index(0);
    let indices = vec![zero; ty.shape().map_or(0, <[i64]>::len)];
    let padding = b.f32(0.0);
    b.at(InsertPoint::Before(op));
    let first = vector::transfer_read(b, ty, init, &indices, padding, None);
    let readers: Vec<OpId> = b.body().users(arg).collect();
    b.rw.set_operand(end, at, vector);
    for reader in readers {
        if b.body().is(reader, "vector.transfer_read") {
            b.rw.replace(reader, &[arg]);
        }
    }
    // What is left are writes over the whole tile, whose results the yield no longer uses.
    let writers: Vec<OpId> =
        b.body().users(arg).filter(|&u| b.body().is(u, "vector.transfer_write")).collect();
    for writer in writers {
        if b.body().results_unused(writer) {
            b.rw.erase(writer);
        }
    }
    b.rw.set_type(arg, ty);
    let made = rebuilt_loop(b, op, at, first, ty);
    let carried = b.body().result(made, at);
    b.at(InsertPoint::After(made));
    let tile = vector::transfer_write(b, carried, init, &indices, None);
    let mut values: Vec<ValueId> = b.body().results(made).collect();
    values[at] = tile;
    b.rw.replace(op, &values);
    true
}

/// The loop with another value for one of its initial values; takes the region of the old one.
fn rebuilt_loop(b: &mut Builder<'_, '_>, op: OpId, at: usize, init: ValueId, ty: Type) -> OpId {
    let mut operands: Vec<ValueId> = b.body().operands(op).collect();
    operands[at + 3] = init;
    let mut types: Vec<Type> = b.body().results(op).map(|r| b.body().ty(r)).collect();
    types[at] = ty;
    let new = NewOp::new("scf.for").operands(operands).results(types).attrs(b.body().attrs(op));
    let made = b.rw.insert(InsertPoint::Before(op), new.loc(b.body().loc(op)));
    let region = b.rw.add_region(made);
    if let Some(old) = b.body().region(op, 0) {
        b.rw.take_region(old, region);
    }
    made
}

/// The vector that a loop yields for carried tile `at`, when the body touches the tile only by
/// whole reads and yields a whole write.
fn carried(b: &Builder<'_, '_>, op: OpId, block: BlockId, end: OpId, at: usize) -> Option<ValueId> {
    let body = b.body();
    let arg = *body.block_args(block).get(at + 1)?;
    let yielded = body.operands(end).nth(at)?;
    let write = transfer(body, body.defining_op(yielded)?)?;
    let value = write.value?;
    let ty = body.ty(value);
    if !is_whole(b, &write, ty) || !body.has_one_use(yielded) || body.ty(yielded) != body.ty(arg) {
        return None;
    }
    // The write must be the loop's own, so that the vector is a value of this iteration.
    if !matches!(body.definition(yielded), ValueKind::Result(def, _) if body.is_ancestor(op, def)) {
        return None;
    }
    let whole_uses = body.users(arg).all(|user| {
        transfer(body, user).is_some_and(|t| {
            t.base == arg
                && match t.value {
                    Some(_) => user == body.defining_op(yielded).unwrap_or(op),
                    None => body.ty(body.result(user, 0)) == ty && is_whole(b, &t, ty),
                }
        })
    });
    whole_uses.then_some(value)
}
