//! `iree-codegen-generic-vectorization`: linalg ops on tiles become vector ops.
//!
//! A tile is vectorized when bounds of its sizes are known and a register file can hold it. Where a
//! size may be smaller than the vector, or is, reads and writes carry a mask; a masked read of a
//! pack gives the padding value outside, so that nothing beyond the tensor is ever read.

use rustc_hash::FxHashMap;
use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_rewrite::Rewriter;

use crate::attrs;
use crate::builder::{Builder, Idx, upper_bound};
use crate::error::CpuResult;
use crate::slice;
use crate::structured::{self, Kind, Loops, Packing};
use crate::target::CpuTarget;
use crate::vector;

/// Runs the pass on a function.
pub(crate) fn run(rw: &mut Rewriter<'_>, func: OpId, target: &CpuTarget) -> CpuResult {
    let mut b = Builder::new(rw, func)?;
    let ops: Vec<OpId> = b
        .body()
        .walk(func)
        .filter(|&op| structured::kind(b.body(), op).is_some() && b.body().num_results(op) == 1)
        .collect();
    let mut changed = false;
    for op in ops {
        b.at(InsertPoint::Before(op));
        if let Some(value) = vectorized(&mut b, op, target)? {
            b.rw.replace(op, &[value]);
            changed = true;
        }
    }
    Ok(changed)
}

/// The tensor that an op gives, by vector ops; none when the op stays.
fn vectorized(b: &mut Builder<'_, '_>, op: OpId, target: &CpuTarget) -> CpuResult<Option<ValueId>> {
    let operands_ok = b.body().operands(op).all(|v| {
        let ty = b.body().ty(v);
        ty.element_or_self() == Type::f32()
    });
    if !operands_ok {
        return Ok(None);
    }
    match structured::kind(b.body(), op) {
        Some(Kind::Pack) => {
            let pack = Packing::of(b.body(), op)?;
            Ok(vectorized_pack(b, &pack, target))
        }
        Some(Kind::Unpack) => {
            let unpack = Packing::of(b.body(), op)?;
            Ok(vectorized_unpack(b, &unpack, target))
        }
        Some(_) => {
            let loops = Loops::of(b.body(), op)?;
            if loops.outs.len() != 1 || !loops.is_projected() {
                return Ok(None);
            }
            match loops.kind {
                Kind::Fill => Ok(vectorized_fill(b, &loops, target)),
                Kind::Mmt4d => Ok(vectorized_contraction(b, &loops, target)),
                _ if structured::is_multiply_add(b.body(), op) && !loops.is_parallel() => {
                    Ok(vectorized_contraction(b, &loops, target))
                }
                _ => Ok(vectorized_elementwise(b, &loops, target)),
            }
        }
        None => Ok(None),
    }
}

/// The sizes of a tensor, as the op tells that it comes from.
fn sizes_of(body: &Body, value: ValueId) -> Option<Vec<Idx>> {
    let ty = body.ty(value);
    let shape = ty.shape()?;
    if ty.has_static_shape() {
        return Some(shape.iter().map(|&s| Idx::Const(s)).collect());
    }
    let op = body.defining_op(value)?;
    match body.name(op).as_str() {
        "tensor.extract_slice" => {
            Some(slice::ranges_of(body, op, 1)?.into_iter().map(|r| r.size).collect())
        }
        "tensor.empty" => {
            let mut dynamic = body.operands(op);
            shape
                .iter()
                .map(|&s| {
                    if s == tegula_ir::DYNAMIC {
                        dynamic.next().map(Idx::Value)
                    } else {
                        Some(Idx::Const(s))
                    }
                })
                .collect()
        }
        "vector.transfer_write" | "tensor.insert_slice" => sizes_of(body, body.operand(op, 1)),
        _ if structured::kind(body, op).is_some() => {
            let at = body.num_operands(op).checked_sub(1)?;
            let at = if body.name(op) == "linalg.pack" || body.name(op) == "linalg.unpack" {
                1
            } else {
                at
            };
            sizes_of(body, body.operand(op, at))
        }
        _ => None,
    }
}

/// The smallest static shape that holds these sizes.
fn bounds(body: &Body, sizes: &[Idx]) -> Option<Vec<i64>> {
    sizes.iter().map(|&s| upper_bound(body, s)).collect()
}

/// Whether a vector of this shape can stand for a tile.
fn fits(shape: &[i64], target: &CpuTarget) -> bool {
    let total = shape.iter().try_fold(1i64, |n, &d| n.checked_mul(d));
    total.is_some_and(|n| n > 0 && n <= target.max_vector_elements(32))
}

/// A mask of the sizes, unless they fill the vector.
fn mask_of(b: &mut Builder<'_, '_>, shape: &[i64], sizes: &[Idx]) -> Option<ValueId> {
    let full = sizes.iter().zip(shape).all(|(s, &d)| s.constant() == Some(d));
    if full {
        return None;
    }
    let operands: Vec<ValueId> = sizes.iter().map(|&s| b.materialize(s)).collect();
    let ty = Type::vector(shape, Type::int(1));
    Some(b.value(NewOp::new("vector.create_mask").operands(operands).result(ty)))
}

/// All of a tensor as a vector of the given shape.
fn read(b: &mut Builder<'_, '_>, tensor: ValueId, shape: &[i64], sizes: &[Idx]) -> ValueId {
    let mask = mask_of(b, shape, sizes);
    let padding = b.f32(0.0);
    let zero = b.index(0);
    let ty = Type::vector(shape, Type::f32());
    vector::transfer_read(b, ty, tensor, &vec![zero; shape.len()], padding, mask)
}

/// The tensor with a vector written over it, as far as `sizes` reach.
fn write(
    b: &mut Builder<'_, '_>,
    value: ValueId,
    tensor: ValueId,
    shape: &[i64],
    sizes: &[Idx],
) -> ValueId {
    let mask = mask_of(b, shape, sizes);
    let zero = b.index(0);
    vector::transfer_write(b, value, tensor, &vec![zero; shape.len()], mask)
}

fn vectorized_fill(b: &mut Builder<'_, '_>, loops: &Loops, target: &CpuTarget) -> Option<ValueId> {
    let dest = loops.outs[0];
    let sizes = sizes_of(b.body(), dest)?;
    let shape = bounds(b.body(), &sizes).filter(|s| fits(s, target))?;
    let splat = vector::broadcast(b, loops.ins[0], &shape);
    Some(write(b, splat, dest, &shape, &sizes))
}

/// Masked-off elements of an operand are zeros, and reach only masked-off sums: a reduction loop is
/// never masked, since its tiles divide it.
fn vectorized_contraction(
    b: &mut Builder<'_, '_>,
    loops: &Loops,
    target: &CpuTarget,
) -> Option<ValueId> {
    let &[lhs, rhs] = loops.ins.as_slice() else { return None };
    let acc = loops.outs[0];
    let mut tiles = Vec::new();
    for value in [lhs, rhs, acc] {
        let sizes = sizes_of(b.body(), value)?;
        let shape = bounds(b.body(), &sizes).filter(|s| fits(s, target))?;
        tiles.push((value, shape, sizes));
    }
    let mut values = Vec::new();
    for (value, shape, sizes) in &tiles {
        values.push(read(b, *value, shape, sizes));
    }
    let maps: Vec<Attr> = loops.maps.iter().map(|&m| Attr::map(m)).collect();
    let iterators: Vec<Attr> =
        loops.reduction.iter().map(|&r| attrs::iterator("vector", r)).collect();
    let contract = NewOp::new("vector.contract")
        .operands(values)
        .attr("indexing_maps", Attr::array(&maps))
        .attr("iterator_types", Attr::array(&iterators))
        .attr("kind", Attr::dialect("vector.kind", &[Attr::string("add")]))
        .result(Type::vector(&tiles[2].1, Type::f32()));
    let value = b.value(contract);
    Some(write(b, value, acc, &tiles[2].1, &tiles[2].2))
}

/// Reads a tile of the plain side with padding, splits each tiled dimension, and permutes.
fn vectorized_pack(b: &mut Builder<'_, '_>, pack: &Packing, target: &CpuTarget) -> Option<ValueId> {
    let packed_sizes = sizes_of(b.body(), pack.dest)?;
    let packed_shape = bounds(b.body(), &packed_sizes).filter(|s| fits(s, target))?;
    let plain_sizes = sizes_of(b.body(), pack.source)?;
    let plain_shape = plain_shape(pack, &packed_shape);
    let padding = match pack.padding {
        Some(value) => value,
        None => b.f32(0.0),
    };
    let mask = mask_of(b, &plain_shape, &plain_sizes);
    let zero = b.index(0);
    let ty = Type::vector(&plain_shape, Type::f32());
    let indices = vec![zero; plain_shape.len()];
    let value = vector::transfer_read(b, ty, pack.source, &indices, padding, mask);
    let (split, permutation) = split_shape(pack, &packed_shape);
    let value = vector::shape_cast(b, value, &split);
    let value = vector::transpose(b, value, &permutation);
    Some(write(b, value, pack.dest, &packed_shape, &packed_sizes))
}

/// The inverse: permutes, joins, and writes as far as the destination reaches.
fn vectorized_unpack(
    b: &mut Builder<'_, '_>,
    unpack: &Packing,
    target: &CpuTarget,
) -> Option<ValueId> {
    let packed_sizes = sizes_of(b.body(), unpack.source)?;
    let packed_shape = bounds(b.body(), &packed_sizes).filter(|s| fits(s, target))?;
    let plain_sizes = sizes_of(b.body(), unpack.dest)?;
    let plain_shape = plain_shape(unpack, &packed_shape);
    let value = read(b, unpack.source, &packed_shape, &packed_sizes);
    let (split, permutation) = split_shape(unpack, &packed_shape);
    let mut inverse = vec![0; permutation.len()];
    for (to, &from) in permutation.iter().enumerate() {
        inverse[from as usize] = to as i64;
    }
    let value = vector::transpose(b, value, &inverse);
    debug_assert_eq!(b.body().ty(value).shape(), Some(split.as_slice()));
    let value = vector::shape_cast(b, value, &plain_shape);
    Some(write(b, value, unpack.dest, &plain_shape, &plain_sizes))
}

/// The plain shape that a packed tile stands for.
fn plain_shape(packing: &Packing, packed: &[i64]) -> Vec<i64> {
    let mut shape = vec![1; packing.plain.len()];
    for (outer, &dim) in packing.outer_dims_perm.iter().enumerate() {
        shape[dim] = packed[outer] * packing.tile_of(dim);
    }
    shape
}

/// The plain shape with tiled dimensions split, and the permutation from it to the packed shape.
fn split_shape(packing: &Packing, packed: &[i64]) -> (Vec<i64>, Vec<i64>) {
    let permutation = packing.split_to_packed();
    let mut split = vec![1; permutation.len()];
    for (to, &from) in permutation.iter().enumerate() {
        split[from as usize] = packed[to];
    }
    (split, permutation)
}

/// Ops that mean the same on vectors, element by element, and that machines have.
const ELEMENTWISE: &[&str] = &[
    "arith.addf",
    "arith.subf",
    "arith.mulf",
    "arith.divf",
    "arith.maximumf",
    "arith.minimumf",
    "arith.maxnumf",
    "arith.minnumf",
    "arith.negf",
];

fn vectorized_elementwise(
    b: &mut Builder<'_, '_>,
    loops: &Loops,
    target: &CpuTarget,
) -> Option<ValueId> {
    let block = b.body().region_entry(loops.op, 0)?;
    let ops: Vec<OpId> = b.body().block_ops(block).collect();
    let (&end, inner) = ops.split_last()?;
    let supported = inner.iter().all(|&op| {
        let name = b.body().name(op);
        let floats = b.body().results(op).all(|r| b.body().ty(r) == Type::f32());
        floats && (ELEMENTWISE.contains(&name.as_str()) || name == "arith.constant")
    });
    let out_map = loops.out_map(0);
    if !supported || !loops.is_parallel() || out_map.results().len() != loops.extents.len() {
        return None;
    }
    let dest = loops.outs[0];
    let out_sizes = sizes_of(b.body(), dest)?;
    let mut sizes = vec![Idx::Const(1); loops.extents.len()];
    for (expr, &size) in out_map.results().iter().zip(&out_sizes) {
        sizes[expr.as_dim()? as usize] = size;
    }
    let shape = bounds(b.body(), &sizes).filter(|s| fits(s, target))?;
    let mut values: FxHashMap<ValueId, ValueId> = FxHashMap::default();
    let args: Vec<ValueId> = b.body().block_args(block).to_vec();
    let operands: Vec<ValueId> = loops.ins.iter().chain(&loops.outs).copied().collect();
    for (index, (&arg, &operand)) in args.iter().zip(&operands).enumerate() {
        if b.body().is_unused(arg) {
            continue;
        }
        let value = operand_vector(b, loops, index, operand, &shape, &sizes);
        values.insert(arg, value);
    }
    for &op in inner {
        let operands: Vec<ValueId> = b.body().operands(op).collect();
        let operands: Vec<ValueId> =
            operands.into_iter().map(|v| mapped(b, &mut values, v, &shape)).collect();
        let result = b.body().result(op, 0);
        let value = if b.body().is(op, "arith.constant") {
            vector::broadcast(b, result, &shape)
        } else {
            let new = NewOp::new(b.body().name(op))
                .operands(operands)
                .attrs(b.body().attrs(op))
                .result(Type::vector(&shape, Type::f32()));
            b.value(new)
        };
        values.insert(result, value);
    }
    let yielded = b.body().operands(end).next()?;
    let value = mapped(b, &mut values, yielded, &shape);
    let permutation: Option<Vec<i64>> =
        out_map.results().iter().map(|e| e.as_dim().map(i64::from)).collect();
    let value = vector::transpose(b, value, &permutation?);
    let out_shape: Vec<i64> = b.body().ty(value).shape()?.to_vec();
    Some(write(b, value, dest, &out_shape, &out_sizes))
}

/// The vector that stands for a scalar of the region.
fn mapped(
    b: &mut Builder<'_, '_>,
    values: &mut FxHashMap<ValueId, ValueId>,
    value: ValueId,
    shape: &[i64],
) -> ValueId {
    if let Some(&known) = values.get(&value) {
        return known;
    }
    let splat = vector::broadcast(b, value, shape);
    values.insert(value, splat);
    splat
}

/// An operand as a vector over all loops: read, its dimensions put in loop order, then repeated
/// along the loops that it does not know.
fn operand_vector(
    b: &mut Builder<'_, '_>,
    loops: &Loops,
    index: usize,
    operand: ValueId,
    shape: &[i64],
    sizes: &[Idx],
) -> ValueId {
    if b.body().ty(operand).shape().is_none() {
        return vector::broadcast(b, operand, shape);
    }
    let dims: Vec<usize> =
        loops.maps[index].results().iter().filter_map(|e| e.as_dim().map(|d| d as usize)).collect();
    let own_shape: Vec<i64> = dims.iter().map(|&d| shape[d]).collect();
    let own_sizes: Vec<Idx> = dims.iter().map(|&d| sizes[d]).collect();
    let value = read(b, operand, &own_shape, &own_sizes);
    let mut order: Vec<usize> = (0..dims.len()).collect();
    order.sort_by_key(|&at| dims[at]);
    let permutation: Vec<i64> = order.iter().map(|&at| at as i64).collect();
    let value = vector::transpose(b, value, &permutation);
    let widened: Vec<i64> =
        (0..shape.len()).map(|d| if dims.contains(&d) { shape[d] } else { 1 }).collect();
    let value = vector::shape_cast(b, value, &widened);
    vector::broadcast(b, value, shape)
}
