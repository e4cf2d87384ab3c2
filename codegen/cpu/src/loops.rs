//! `convert-linalg-to-loops`: linalg ops on buffers become scalar loops.
//!
//! The road for whatever was not vectorized: any indexing map, any region.

use tegula_ir::{InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_rewrite::{IrMapping, Rewriter};

use crate::access;
use crate::builder::{Builder, Idx};
use crate::cleanup;
use crate::error::{CpuResult, fail};
use crate::structured::{self, Kind, Loops, Packing};

/// Runs the pass on a function.
pub(crate) fn run(rw: &mut Rewriter<'_>, func: OpId) -> CpuResult {
    let mut b = Builder::new(rw, func)?;
    let ops: Vec<OpId> = b
        .body()
        .walk(func)
        .filter(|&op| structured::kind(b.body(), op).is_some() && b.body().num_results(op) == 0)
        .collect();
    let changed = !ops.is_empty();
    for op in ops {
        lower(&mut b, op)?;
    }
    if changed {
        cleanup::erase_dead(b.rw, func);
    }
    Ok(changed)
}

/// Puts loops in the place of an op on buffers. Insertion goes on where it was.
pub(crate) fn lower(b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
    let resume = b.rw.insertion_point();
    b.at(InsertPoint::Before(op));
    match structured::kind(b.body(), op) {
        Some(Kind::Pack) => pack(b, op)?,
        Some(Kind::Unpack) => unpack(b, op)?,
        _ => nest_of(b, op)?,
    }
    if let Some(resume) = resume {
        b.at(resume);
    }
    b.rw.erase(op);
    Ok(())
}

/// Loops from 0 to each extent, outermost first; `inner` makes the innermost body.
pub(crate) fn nest(
    b: &mut Builder<'_, '_>,
    extents: &[Idx],
    inner: &mut dyn FnMut(&mut Builder<'_, '_>, &[Idx]) -> CpuResult<()>,
) -> CpuResult<()> {
    nest_from(b, extents, &mut Vec::new(), inner)
}

fn nest_from(
    b: &mut Builder<'_, '_>,
    extents: &[Idx],
    at: &mut Vec<Idx>,
    inner: &mut dyn FnMut(&mut Builder<'_, '_>, &[Idx]) -> CpuResult<()>,
) -> CpuResult<()> {
    let Some(&extent) = extents.get(at.len()) else { return inner(b, at) };
    if extent == Idx::Const(1) {
        at.push(Idx::Const(0));
        let done = nest_from(b, extents, at, inner);
        at.pop();
        return done;
    }
    let bounds = [b.index(0), b.materialize(extent), b.index(1)];
    b.for_loop(bounds, &[], |b, iv, _| {
        at.push(Idx::Value(iv));
        let done = nest_from(b, extents, at, inner);
        at.pop();
        done.map(|()| Vec::new())
    })?;
    Ok(())
}

fn nest_of(b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
    let loops = Loops::of(b.body(), op)?;
    let operands: Vec<ValueId> = loops.ins.iter().chain(&loops.outs).copied().collect();
    let extents = extents_of(b, &loops, &operands)?;
    let Some(block) = b.body().region_entry(op, 0) else {
        return fail(op, "malformed-op", "a structured op has a region");
    };
    nest(b, &extents, &mut |b, at| {
        let mut mapping = IrMapping::new();
        let args: Vec<ValueId> = b.body().block_args(block).to_vec();
        let mut places = Vec::new();
        for (index, &operand) in operands.iter().enumerate() {
            let exprs = loops.maps[index].results();
            let place: Vec<Idx> = exprs.iter().map(|&e| access::apply(b, e, at)).collect();
            let scalar = b.body().ty(operand).shape().is_none();
            if scalar {
                mapping.map(args[index], operand);
            } else if !b.body().is_unused(args[index]) {
                let value = access::load(b, operand, &place);
                mapping.map(args[index], value);
            }
            places.push(place);
        }
        let inner: Vec<OpId> = b.body().block_ops(block).collect();
        for op in inner {
            if b.body().is(op, "linalg.index") {
                let dim = b.body().attr(op, "dim").and_then(|a| a.as_int()).unwrap_or(0);
                let index = at.get(dim as usize).copied().unwrap_or(Idx::Const(0));
                let value = b.materialize(index);
                mapping.map(b.body().result(op, 0), value);
            } else if b.body().is(op, "linalg.yield") {
                let values: Vec<ValueId> = b.body().operands(op).collect();
                for (out, value) in values.into_iter().enumerate() {
                    let to = loops.ins.len() + out;
                    access::store(b, mapping.get_or_same(value), operands[to], &places[to]);
                }
            } else {
                let point = b.rw.insertion_point().unwrap_or(InsertPoint::Before(loops.op));
                let copy = b.rw.clone_op(op, point, &mut mapping);
                if matches!(point, InsertPoint::After(_) | InsertPoint::Start(_)) {
                    b.at(InsertPoint::After(copy));
                }
            }
        }
        Ok(())
    })
}

/// The trip count of each loop, read from some operand that a plain dimension indexes.
fn extents_of(b: &Builder<'_, '_>, loops: &Loops, operands: &[ValueId]) -> CpuResult<Vec<Idx>> {
    let mut extents = Vec::new();
    for dim in 0..loops.extents.len() {
        if loops.extents[dim] != tegula_ir::DYNAMIC {
            extents.push(Idx::Const(loops.extents[dim]));
            continue;
        }
        let found = operands.iter().zip(&loops.maps).find_map(|(&operand, map)| {
            let at = map.results().iter().position(|e| e.as_dim() == Some(dim as u32))?;
            access::sizes(b, operand)?.get(at).copied()
        });
        match found {
            Some(extent) => extents.push(extent),
            None => {
                return fail(loops.op, "unknown-extent", "no operand tells the extent of a loop");
            }
        }
    }
    Ok(extents)
}

fn static_or_view_sizes(b: &Builder<'_, '_>, op: OpId, memref: ValueId) -> CpuResult<Vec<Idx>> {
    match access::sizes(b, memref) {
        Some(sizes) => Ok(sizes),
        None => fail(op, "unknown-extent", "the sizes of a buffer are not known"),
    }
}

/// The plain index of an element of the packed side.
fn plain_index(b: &mut Builder<'_, '_>, packing: &Packing, packed: &[Idx]) -> Vec<Idx> {
    let rank = packing.plain.len();
    let mut plain = vec![Idx::Const(0); rank];
    for (outer, &dim) in packing.outer_dims_perm.iter().enumerate() {
        plain[dim] = b.scaled(packed[outer], packing.tile_of(dim), 0);
    }
    for (inner, &dim) in packing.inner_dims_pos.iter().enumerate() {
        plain[dim] = b.add(plain[dim], packed[rank + inner]);
    }
    plain
}

fn pack(b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
    let pack = Packing::of(b.body(), op)?;
    let packed_sizes = static_or_view_sizes(b, op, pack.dest)?;
    let plain_sizes = static_or_view_sizes(b, op, pack.source)?;
    nest(b, &packed_sizes, &mut |b, at| {
        let plain = plain_index(b, &pack, at);
        let value = match pack.padding {
            None => access::load(b, pack.source, &plain),
            Some(padding) => {
                let inside = all_below(b, &plain, &plain_sizes);
                let ty = b.body().ty(padding);
                let choice = b.if_else(
                    inside,
                    &[ty],
                    |b| Ok(vec![access::load(b, pack.source, &plain)]),
                    |_| Ok(vec![padding]),
                )?;
                b.body().result(choice, 0)
            }
        };
        access::store(b, value, pack.dest, at);
        Ok(())
    })
}

/// Whether each index is below its bound.
fn all_below(b: &mut Builder<'_, '_>, indices: &[Idx], bounds: &[Idx]) -> ValueId {
    let mut all: Option<ValueId> = None;
    for (&index, &bound) in indices.iter().zip(bounds) {
        let (index, bound) = (b.materialize(index), b.materialize(bound));
        let below = compare(b, SLT, index, bound);
        all = Some(match all {
            None => below,
            Some(before) => {
                b.value(NewOp::new("arith.andi").operands([before, below]).result(Type::int(1)))
            }
        });
    }
    match all {
        Some(value) => value,
        None => b.constant(tegula_ir::Attr::bool(true), Type::int(1)),
    }
}

/// The numbers of `arith.cmpi` predicates.
pub(crate) const EQ: i64 = 0;
pub(crate) const SLT: i64 = 2;

/// Compares two indices.
pub(crate) fn compare(b: &mut Builder<'_, '_>, predicate: i64, x: ValueId, y: ValueId) -> ValueId {
    let new = NewOp::new("arith.cmpi")
        .operands([x, y])
        .attr("predicate", tegula_ir::Attr::i64(predicate))
        .result(Type::int(1));
    b.value(new)
}

fn unpack(b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
    let unpack = Packing::of(b.body(), op)?;
    let plain_sizes = static_or_view_sizes(b, op, unpack.dest)?;
    let rank = unpack.plain.len();
    nest(b, &plain_sizes, &mut |b, at| {
        let mut packed = vec![Idx::Const(0); rank + unpack.inner_tiles.len()];
        for (outer, &dim) in unpack.outer_dims_perm.iter().enumerate() {
            let (quotient, rest) = access::split(b, at[dim], unpack.tile_of(dim));
            packed[outer] = quotient;
            if let Some(inner) = unpack.inner_dims_pos.iter().position(|&d| d == dim) {
                packed[rank + inner] = rest;
            }
        }
        let value = access::load(b, unpack.source, &packed);
        access::store(b, value, unpack.dest, at);
        Ok(())
    })
}
