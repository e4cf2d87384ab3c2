//! A uniform view of the linalg ops that a dispatch may hold.

use tegula_ir::{AffineMap, Attr, Body, NewOp, OpId, Type, ValueId};

use crate::attrs;
use crate::builder::Builder;
use crate::error::{CpuResult, fail};

/// Which op it is, as far as codegen cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `linalg.fill`
    Fill,
    /// `linalg.generic`
    Generic,
    /// `linalg.mmt4d`
    Mmt4d,
    /// `linalg.pack`
    Pack,
    /// `linalg.unpack`
    Unpack,
}

/// The kind of an op; none when it is no linalg op that codegen knows.
pub(crate) fn kind(body: &Body, op: OpId) -> Option<Kind> {
    match body.name(op).as_str() {
        "linalg.fill" => Some(Kind::Fill),
        "linalg.generic" => Some(Kind::Generic),
        "linalg.mmt4d" => Some(Kind::Mmt4d),
        "linalg.pack" => Some(Kind::Pack),
        "linalg.unpack" => Some(Kind::Unpack),
        _ => None,
    }
}

/// An op over an iteration space, with one indexing map an operand: fill, generic, mmt4d.
#[derive(Clone, Debug)]
pub(crate) struct Loops {
    pub(crate) op: OpId,
    pub(crate) kind: Kind,
    pub(crate) ins: Vec<ValueId>,
    pub(crate) outs: Vec<ValueId>,
    /// Of the inputs, then of the outputs.
    pub(crate) maps: Vec<AffineMap>,
    /// For each loop whether it is a reduction.
    pub(crate) reduction: Vec<bool>,
    /// For each loop its trip count as the operands' types tell it, `DYNAMIC` when none does.
    pub(crate) extents: Vec<i64>,
}

impl Loops {
    /// Reads an op; an error when it is malformed or its maps give no extent for some loop.
    pub(crate) fn of(body: &Body, op: OpId) -> CpuResult<Loops> {
        let Some(kind) = kind(body, op).filter(|k| !matches!(k, Kind::Pack | Kind::Unpack)) else {
            return fail(op, "unsupported-op", format!("{} is not supported here", body.name(op)));
        };
        let operands: Vec<ValueId> = body.operands(op).collect();
        let segments = segments(body, op);
        let num_ins = match segments.as_slice() {
            [ins, outs] if ins + outs == operands.len() => *ins,
            _ => return fail(op, "malformed-op", "operand groups do not match the operands"),
        };
        let (ins, outs) = operands.split_at(num_ins);
        let rank = outs.first().map_or(0, |&o| rank_of(body, o));
        let (maps, reduction) = match kind {
            Kind::Fill => (fill_maps(rank), vec![false; rank]),
            Kind::Mmt4d => (mmt4d_maps(), vec![false, false, true, false, false, true]),
            _ => generic_maps(body, op)?,
        };
        if maps.len() != operands.len() {
            return fail(op, "malformed-op", "there must be one indexing map an operand");
        }
        let mut extents = vec![None; reduction.len()];
        for (&value, map) in operands.iter().zip(&maps) {
            let shape = body.ty(value).shape().unwrap_or(&[]);
            for (expr, &size) in map.results().iter().zip(shape) {
                if let Some(dim) = expr.as_dim()
                    && let Some(slot) = extents.get_mut(dim as usize)
                    && slot.is_none_or(|known| known == tegula_ir::DYNAMIC)
                {
                    *slot = Some(size);
                }
            }
        }
        let Some(extents) = extents.into_iter().collect::<Option<Vec<i64>>>() else {
            return fail(op, "unknown-extent", "no operand tells the extent of some loop");
        };
        let (ins, outs) = (ins.to_vec(), outs.to_vec());
        Ok(Loops { op, kind, ins, outs, maps, reduction, extents })
    }

    /// The map of output `index`.
    pub(crate) fn out_map(&self, index: usize) -> AffineMap {
        self.maps[self.ins.len() + index]
    }

    /// Whether all loops are parallel.
    pub(crate) fn is_parallel(&self) -> bool {
        self.reduction.iter().all(|r| !r)
    }

    /// Whether every map is a projected permutation.
    pub(crate) fn is_projected(&self) -> bool {
        self.maps.iter().all(|m| m.is_projected_permutation())
    }
}

/// A pack or an unpack. `packed` is the tiled side, `plain` the other.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    pub(crate) source: ValueId,
    pub(crate) dest: ValueId,
    pub(crate) padding: Option<ValueId>,
    /// For each inner dimension the plain dimension that it tiles.
    pub(crate) inner_dims_pos: Vec<usize>,
    /// The sizes of the inner dimensions.
    pub(crate) inner_tiles: Vec<i64>,
    /// For each outer dimension of the packed side its plain dimension.
    pub(crate) outer_dims_perm: Vec<usize>,
    /// The shapes of the plain and of the packed side.
    pub(crate) plain: &'static [i64],
    pub(crate) packed: &'static [i64],
}

impl Packing {
    /// Reads a pack or unpack with static inner tiles.
    pub(crate) fn of(body: &Body, op: OpId) -> CpuResult<Packing> {
        let operands: Vec<ValueId> = body.operands(op).collect();
        let [source, dest, rest @ ..] = operands.as_slice() else {
            return fail(op, "malformed-op", "a source and a destination are needed");
        };
        let is_pack = body.is(op, "linalg.pack");
        let padding = if is_pack { rest.first().copied() } else { None };
        let list = |name: &str| body.attr(op, name).and_then(Attr::as_dense_array).unwrap_or(&[]);
        let inner_tiles = list("static_inner_tiles").to_vec();
        if inner_tiles.iter().any(|&t| t <= 0) || rest.len() > usize::from(padding.is_some()) {
            return fail(op, "dynamic-inner-tile", "inner tiles must be positive constants");
        }
        let (Some(source_shape), Some(dest_shape)) =
            (body.ty(*source).shape(), body.ty(*dest).shape())
        else {
            return fail(op, "malformed-op", "the operands must be ranked");
        };
        let (plain, packed) =
            if is_pack { (source_shape, dest_shape) } else { (dest_shape, source_shape) };
        let rank = plain.len();
        let inner_dims_pos: Vec<usize> =
            list("inner_dims_pos").iter().map(|&d| d as usize).collect();
        let mut outer_dims_perm: Vec<usize> =
            list("outer_dims_perm").iter().map(|&d| d as usize).collect();
        if outer_dims_perm.is_empty() {
            outer_dims_perm = (0..rank).collect();
        }
        let valid = inner_dims_pos.len() == inner_tiles.len()
            && packed.len() == rank + inner_tiles.len()
            && attrs::is_permutation(&outer_dims_perm, rank)
            && attrs::is_injective(&inner_dims_pos, rank);
        if !valid {
            return fail(op, "malformed-op", "the dimension lists do not fit the operands");
        }
        Ok(Packing {
            source: *source,
            dest: *dest,
            padding,
            inner_dims_pos,
            inner_tiles,
            outer_dims_perm,
            plain,
            packed,
        })
    }

    /// The inner tile of a plain dimension, 1 when it is not tiled.
    pub(crate) fn tile_of(&self, plain_dim: usize) -> i64 {
        let at = self.inner_dims_pos.iter().position(|&d| d == plain_dim);
        at.map_or(1, |at| self.inner_tiles[at])
    }

    /// The permutation that takes the plain side, each dimension split into (outer, inner) when it
    /// is tiled, to the packed side: for each packed dimension its place in the split shape.
    pub(crate) fn split_to_packed(&self) -> Vec<i64> {
        let mut place = Vec::new();
        let mut next = 0;
        for dim in 0..self.plain.len() {
            place.push(next);
            next += if self.inner_dims_pos.contains(&dim) { 2 } else { 1 };
        }
        let outer = self.outer_dims_perm.iter().map(|&dim| place[dim]);
        let inner = self.inner_dims_pos.iter().map(|&dim| place[dim] + 1);
        outer.chain(inner).collect()
    }
}

/// The operand group sizes of an op that has several variadic groups.
pub(crate) fn segments(body: &Body, op: OpId) -> Vec<usize> {
    let list = body.attr(op, "operandSegmentSizes").and_then(Attr::as_dense_array).unwrap_or(&[]);
    list.iter().map(|&n| usize::try_from(n).unwrap_or(0)).collect()
}

fn rank_of(body: &Body, value: ValueId) -> usize {
    body.ty(value).shape().map_or(0, <[i64]>::len)
}

fn fill_maps(rank: usize) -> Vec<AffineMap> {
    let rank = rank as u32;
    vec![AffineMap::get(rank, 0, &[]), AffineMap::identity(rank)]
}

/// `(m1, n1, k1, m0, n0, k0)`, see `linalg.mmt4d`.
pub(crate) fn mmt4d_maps() -> Vec<AffineMap> {
    vec![
        attrs::dims_map(6, &[0, 2, 3, 5]),
        attrs::dims_map(6, &[1, 2, 4, 5]),
        attrs::dims_map(6, &[0, 1, 3, 4]),
    ]
}

fn generic_maps(body: &Body, op: OpId) -> CpuResult<(Vec<AffineMap>, Vec<bool>)> {
    let maps = body.attr(op, "indexing_maps").and_then(Attr::as_array).unwrap_or(&[]);
    let maps: Option<Vec<AffineMap>> = maps.iter().map(|a| a.as_map()).collect();
    let kinds = body.attr(op, "iterator_types").and_then(Attr::as_array).unwrap_or(&[]);
    let kinds: Option<Vec<bool>> = kinds.iter().map(|&a| attrs::is_reduction(a)).collect();
    match (maps, kinds) {
        (Some(maps), Some(kinds)) if maps.iter().all(|m| m.dims() as usize == kinds.len()) => {
            Ok((maps, kinds))
        }
        _ => fail(op, "malformed-op", "indexing maps and iterator types do not fit"),
    }
}

/// Makes a fill, mmt4d, pack or unpack on tensors; `attrs` are taken from another op of the kind.
pub(crate) fn named(
    b: &mut Builder<'_, '_>,
    name: &'static str,
    ins: &[ValueId],
    outs: &[ValueId],
    attrs: Attr,
) -> OpId {
    let types: Vec<Type> = outs.iter().map(|&o| b.body().ty(o)).collect();
    let mut new = NewOp::new(name)
        .operands(ins.iter().copied())
        .operands(outs.iter().copied())
        .attrs(attrs)
        .results(types.iter().copied());
    let has_body = matches!(name, "linalg.fill" | "linalg.mmt4d");
    if has_body {
        new = new.attr("operandSegmentSizes", attrs::segments(&[ins.len(), outs.len()]));
    }
    let op = b.op(new);
    if has_body {
        named_body(b, op, ins.len() + outs.len());
    }
    op
}

/// Named ops carry their scalar computation in a region that text does not show.
fn named_body(b: &mut Builder<'_, '_>, op: OpId, operands: usize) {
    let resume = b.rw.insertion_point();
    let region = b.rw.add_region(op);
    let elements: Vec<Type> =
        (0..operands).map(|i| b.body().ty(b.body().operand(op, i)).element_or_self()).collect();
    let block = b.rw.append_block(region, &elements);
    let args: Vec<ValueId> = b.body().block_args(block).to_vec();
    b.at(tegula_ir::InsertPoint::End(block));
    let value = match args.as_slice() {
        [lhs, rhs, acc] => {
            let ty = b.body().ty(*acc);
            let [multiply, plus] =
                if ty.is_float() { FLOAT_MULTIPLY_ADD } else { INTEGER_MULTIPLY_ADD };
            let product = b.value(NewOp::new(multiply).operand(*lhs).operand(*rhs).result(ty));
            b.value(NewOp::new(plus).operand(*acc).operand(product).result(ty))
        }
        _ => args[0],
    };
    b.op(NewOp::new("linalg.yield").operand(value));
    if let Some(resume) = resume {
        b.at(resume);
    }
}

/// Whether a generic's region computes `out + in0 * in1` on floats, in either order.
pub(crate) fn is_multiply_add(body: &Body, op: OpId) -> bool {
    multiplies_and_adds(body, op, FLOAT_MULTIPLY_ADD)
}

/// The same on integers of one width.
pub(crate) fn is_integer_multiply_add(body: &Body, op: OpId) -> bool {
    multiplies_and_adds(body, op, INTEGER_MULTIPLY_ADD)
}

const FLOAT_MULTIPLY_ADD: [&str; 2] = ["arith.mulf", "arith.addf"];
const INTEGER_MULTIPLY_ADD: [&str; 2] = ["arith.muli", "arith.addi"];

fn multiplies_and_adds(body: &Body, op: OpId, [multiply, plus]: [&str; 2]) -> bool {
    let Some(block) = body.region_entry(op, 0) else { return false };
    let &[a, b, acc] = body.block_args(block) else { return false };
    let ops: Vec<OpId> = body.block_ops(block).collect();
    let &[mul, add, end] = ops.as_slice() else { return false };
    let same = |op: OpId, x: ValueId, y: ValueId| {
        let operands: Vec<ValueId> = body.operands(op).collect();
        operands == [x, y] || operands == [y, x]
    };
    body.is(mul, multiply)
        && body.is(add, plus)
        && body.is(end, "linalg.yield")
        && same(mul, a, b)
        && same(add, acc, body.result(mul, 0))
        && body.operands(end).eq([body.result(add, 0)])
}
