//! Tiling of the op that a dispatch stores, with its producers fused into the tile loops.
//!
//! `iree-llvmcpu-tile` serves packs, `iree-llvmcpu-tile-and-fuse-producer-consumer` the rest. A tile
//! of the result is inserted into the loop-carried destination; whatever produces its operands is
//! computed for that tile only. Where a relayout's tiles reach a ragged edge, they keep their form
//! with smaller, dynamic sizes (`affine.min`), which vectorization turns into masks. Other ops have
//! the last, smaller tile peeled off each loop, so that all sizes are static and nothing is masked.

use rustc_hash::FxHashMap;
use tegula_ir::{Body, InsertPoint, OpId, ValueId};
use tegula_rewrite::{IrMapping, Rewriter};

use crate::builder::{Builder, Idx};
use crate::error::CpuResult;
use crate::slice::{self, Range};
use crate::strategy;
use crate::structured::{self, Kind, Loops, Packing};
use crate::target::CpuTarget;

/// Runs on a function whose pipeline is, or is not, that for data tiling.
pub(crate) fn run(
    rw: &mut Rewriter<'_>,
    func: OpId,
    target: &CpuTarget,
    data_tiling: bool,
) -> CpuResult {
    let is_data_tiling = strategy::pipeline_of(rw.body, func) == Some(strategy::DATA_TILING);
    if is_data_tiling != data_tiling {
        return Ok(false);
    }
    let mut b = Builder::new(rw, func)?;
    let entry = b.entry();
    let stores: Vec<OpId> = b
        .body()
        .block_ops(entry)
        .filter(|&op| b.body().is(op, "iree_codegen.store_to_buffer"))
        .collect();
    let mut changed = false;
    for store in stores {
        let value = b.body().operand(store, 0);
        let Some(root) = b.body().defining_op(value) else { continue };
        if structured::kind(b.body(), root).is_some() && b.body().num_results(root) == 1 {
            b.at(InsertPoint::Before(root));
            changed |= Tiler::new(target).root(&mut b, root)?;
        }
    }
    erase_unused(&mut b);
    Ok(changed)
}

/// Erases ops of the entry block that nothing uses any more, last first.
fn erase_unused(b: &mut Builder<'_, '_>) {
    let entry = b.entry();
    let mut ops: Vec<OpId> = b.body().block_ops(entry).collect();
    ops.reverse();
    for op in ops {
        let computes = matches!(b.body().name(op).dialect(), "linalg" | "tensor" | "affine");
        if computes && b.body().results_unused(op) {
            b.rw.erase(op);
        }
    }
}

struct Tiler<'t> {
    target: &'t CpuTarget,
    /// Tiles of producers that were made for the current tile.
    made: FxHashMap<(OpId, Vec<Range>), ValueId>,
}

/// Makes one tile: from the indices of the loops and the destination, the new destination.
type TileFn<'f, 't> =
    &'f mut dyn FnMut(&mut Tiler<'t>, &mut Builder<'_, '_>, &[Idx], ValueId) -> CpuResult<ValueId>;

/// The loops of a nest.
struct Nest {
    /// How many tiles there are along each loop.
    counts: Vec<i64>,
    /// Whether the last tile stands after the loop, since it is smaller than the others.
    peeled: Vec<bool>,
}

impl<'t> Tiler<'t> {
    fn new(target: &'t CpuTarget) -> Self {
        Tiler { target, made: FxHashMap::default() }
    }

    fn root(&mut self, b: &mut Builder<'_, '_>, root: OpId) -> CpuResult<bool> {
        if let Some(unpack) = unpacked(b.body(), root) {
            return self.repack_root(b, root, unpack);
        }
        let Some(tiles) = strategy::tiles_of(b.body(), root, "vector_common_parallel") else {
            return Ok(false);
        };
        match structured::kind(b.body(), root) {
            Some(Kind::Pack) => self.pack_root(b, root, &tiles),
            Some(Kind::Unpack) => self.unpack_root(b, root),
            Some(_) => self.loops_root(b, root, &tiles),
            None => Ok(false),
        }
    }

    /// Loops over `nest`, carrying the destination; `tile` gives the new destination.
    fn nest(
        &mut self,
        b: &mut Builder<'_, '_>,
        nest: &Nest,
        init: ValueId,
        tile: TileFn<'_, 't>,
    ) -> CpuResult<ValueId> {
        self.nest_from(b, nest, &mut Vec::new(), init, tile)
    }

    fn nest_from(
        &mut self,
        b: &mut Builder<'_, '_>,
        nest: &Nest,
        at: &mut Vec<Idx>,
        dest: ValueId,
        tile: TileFn<'_, 't>,
    ) -> CpuResult<ValueId> {
        let Some(&count) = nest.counts.get(at.len()) else {
            self.made.clear();
            return tile(self, b, at, dest);
        };
        if count == 1 {
            at.push(Idx::Const(0));
            let value = self.nest_from(b, nest, at, dest, tile);
            at.pop();
            return value;
        }
        let peeled = nest.peeled.get(at.len()) == Some(&true);
        let bounds = [b.index(0), b.index(count - i64::from(peeled)), b.index(1)];
        let op = b.for_loop(bounds, &[dest], |b, iv, args| {
            at.push(Idx::Value(iv));
            let value = self.nest_from(b, nest, at, args[0], tile);
            at.pop();
            Ok(vec![value?])
        })?;
        let dest = b.body().result(op, 0);
        if !peeled {
            return Ok(dest);
        }
        at.push(Idx::Const(count - 1));
        let value = self.nest_from(b, nest, at, dest, tile);
        at.pop();
        value
    }

    /// The loops run over the packed outer dimensions. Where the source is contiguous along a
    /// dimension of which a tile would read less than a register, more tiles are taken at once.
    fn pack_root(&mut self, b: &mut Builder<'_, '_>, root: OpId, tiles: &[i64]) -> CpuResult<bool> {
        let pack = Packing::of(b.body(), root)?;
        let rank = pack.plain.len();
        let mut tiles = tiles.to_vec();
        tiles.resize(rank, 1);
        let bits = b.body().ty(pack.source).element_or_self().bit_width().unwrap_or(32);
        let lanes = self.target.lanes(bits.into());
        if let Some(last) = rank.checked_sub(1)
            && let Some(outer) = pack.outer_dims_perm.iter().position(|&d| d == last)
        {
            let inner = pack.tile_of(last);
            if inner < lanes && lanes % inner == 0 {
                tiles[outer] = tiles[outer].max(lanes / inner).min(pack.packed[outer].max(1));
            }
        }
        let counts = (0..rank).map(|d| div_ceil(pack.packed[d], tiles[d])).collect();
        let dest = pack.dest;
        let value =
            self.nest(b, &Nest { counts, peeled: Vec::new() }, dest, &mut |this, b, at, dest| {
                let mut packed = Vec::new();
                let mut plain = vec![Range::whole(1); rank];
                for (outer, &index) in at.iter().enumerate() {
                    let dim = pack.outer_dims_perm[outer];
                    let (tile, inner) = (tiles[outer], pack.tile_of(dim));
                    let offset = b.scaled(index, tile, 0);
                    let size = b.clamp(index, tile, tile, pack.packed[outer]);
                    packed.push(Range { offset, size });
                    let offset = b.scaled(index, tile * inner, 0);
                    let size = b.clamp(index, tile * inner, tile * inner, pack.plain[dim]);
                    plain[dim] = Range { offset, size };
                }
                packed.extend(pack.inner_tiles.iter().map(|&t| Range::whole(t)));
                let source = this.operand(b, pack.source, &plain, true)?;
                Ok(pack_tile(b, root, &pack, source, dest, &packed))
            })?;
        b.rw.replace(root, &[value]);
        Ok(true)
    }

    /// The loops run over the tiles of the source.
    fn unpack_root(&mut self, b: &mut Builder<'_, '_>, root: OpId) -> CpuResult<bool> {
        let unpack = Packing::of(b.body(), root)?;
        let rank = unpack.plain.len();
        let counts: Vec<i64> = unpack.packed[..rank].to_vec();
        let dest = unpack.dest;
        let value =
            self.nest(b, &Nest { counts, peeled: Vec::new() }, dest, &mut |this, b, at, dest| {
                let mut packed = Vec::new();
                let mut plain = vec![Range::whole(1); rank];
                for (outer, &index) in at.iter().enumerate() {
                    let dim = unpack.outer_dims_perm[outer];
                    let inner = unpack.tile_of(dim);
                    packed.push(Range { offset: index, size: Idx::Const(1) });
                    let offset = b.scaled(index, inner, 0);
                    let size = b.clamp(index, inner, inner, unpack.plain[dim]);
                    plain[dim] = Range { offset, size };
                }
                packed.extend(unpack.inner_tiles.iter().map(|&t| Range::whole(t)));
                let source = this.operand(b, unpack.source, &packed, true)?;
                let window = slice::extract(b, dest, &plain);
                let part = clone_with(b, root, &[source, window]);
                Ok(slice::insert(b, part, dest, &plain))
            })?;
        b.rw.replace(root, &[value]);
        Ok(true)
    }

    /// A pack of what is unpacked: the loops run over parts that are whole tiles of both layouts,
    /// and what is plain between them is no larger than such a part.
    fn repack_root(
        &mut self,
        b: &mut Builder<'_, '_>,
        root: OpId,
        unpack_op: OpId,
    ) -> CpuResult<bool> {
        let (pack, unpack) = (Packing::of(b.body(), root)?, Packing::of(b.body(), unpack_op)?);
        let rank = pack.plain.len();
        let parts: Vec<i64> =
            (0..rank).map(|dim| lcm(pack.tile_of(dim), unpack.tile_of(dim))).collect();
        let counts = (0..rank).map(|dim| div_ceil(pack.plain[dim], parts[dim])).collect();
        let peeled = (0..rank).map(|dim| pack.plain[dim] % parts[dim] != 0).collect();
        let element = b.body().ty(pack.source).element_or_self();
        let dest = pack.dest;
        let value = self.nest(b, &Nest { counts, peeled }, dest, &mut |this, b, at, dest| {
            let plain: Vec<Range> = (at.iter().enumerate())
                .map(|(dim, &index)| part(b, index, parts[dim], pack.plain[dim]))
                .collect();
            let mut outer = |layout: &Packing| -> Vec<Range> {
                let outer = layout.outer_dims_perm.iter().zip(layout.packed);
                let outer = outer.map(|(&dim, &extent)| {
                    part(b, at[dim], parts[dim] / layout.tile_of(dim), extent)
                });
                outer.chain(layout.inner_tiles.iter().map(|&tile| Range::whole(tile))).collect()
            };
            let (to, from) = (outer(&pack), outer(&unpack));
            let source = this.operand(b, unpack.source, &from, true)?;
            let window = slice::empty(b, element, &plain);
            let source = clone_with(b, unpack_op, &[source, window]);
            Ok(pack_tile(b, root, &pack, source, dest, &to))
        })?;
        b.rw.replace(root, &[value]);
        Ok(true)
    }

    fn loops_root(
        &mut self,
        b: &mut Builder<'_, '_>,
        root: OpId,
        tiles: &[i64],
    ) -> CpuResult<bool> {
        let loops = Loops::of(b.body(), root)?;
        if !loops.is_projected() || loops.outs.len() != 1 {
            return Ok(false);
        }
        let sizes: Vec<i64> = (0..loops.extents.len())
            .map(|dim| match tiles.get(dim) {
                Some(&tile) if tile > 0 && !loops.reduction[dim] => tile,
                _ => loops.extents[dim],
            })
            .collect();
        let counts = sizes
            .iter()
            .zip(&loops.extents)
            .map(|(&t, &e)| if t == e { 1 } else { div_ceil(e, t) });
        let counts: Vec<i64> = counts.collect();
        let peeled =
            sizes.iter().zip(&loops.extents).map(|(&t, &e)| t != e && e % t != 0).collect();
        let dest = loops.outs[0];
        let value = self.nest(b, &Nest { counts, peeled }, dest, &mut |this, b, at, dest| {
            let mut ranges = Vec::new();
            for (dim, &index) in at.iter().enumerate() {
                let (tile, extent) = (sizes[dim], loops.extents[dim]);
                ranges.push(match tile == extent {
                    true => Range::whole(extent),
                    false => part(b, index, tile, extent),
                });
            }
            let out = project(&loops, loops.ins.len(), &ranges);
            let window = slice::extract(b, dest, &out);
            let part = this.loops_tile(b, &loops, &ranges, window)?;
            Ok(slice::insert(b, part, dest, &out))
        })?;
        b.rw.replace(root, &[value]);
        Ok(true)
    }

    /// The op on these ranges of its loops, writing to `window`.
    fn loops_tile(
        &mut self,
        b: &mut Builder<'_, '_>,
        loops: &Loops,
        ranges: &[Range],
        window: ValueId,
    ) -> CpuResult<ValueId> {
        let mut operands = Vec::new();
        for (at, &value) in loops.ins.iter().enumerate() {
            let part = project(loops, at, ranges);
            let each_once = loops.maps[at].results().len() == loops.extents.len();
            operands.push(self.operand(b, value, &part, each_once)?);
        }
        operands.push(window);
        Ok(clone_with(b, loops.op, &operands))
    }

    /// A slice of an operand: computed when its producer can be fused, else extracted. A reduction
    /// is fused only where the tiles read each of its results once.
    fn operand(
        &mut self,
        b: &mut Builder<'_, '_>,
        value: ValueId,
        ranges: &[Range],
        each_once: bool,
    ) -> CpuResult<ValueId> {
        if b.body().ty(value).shape().is_none() {
            return Ok(value);
        }
        let producer = b.body().defining_op(value);
        if let Some(op) = producer
            && b.body().is(op, "tensor.empty")
        {
            return Ok(slice::empty(b, b.body().ty(value).element_or_self(), ranges));
        }
        let fusable = producer.filter(|&op| {
            matches!(structured::kind(b.body(), op), Some(Kind::Fill | Kind::Generic | Kind::Mmt4d))
                && b.body().num_results(op) == 1
        });
        if let Some(op) = fusable
            && let Ok(loops) = Loops::of(b.body(), op)
            && loops.is_projected()
            && loops.outs.len() == 1
            && (each_once || loops.is_parallel())
        {
            let key = (op, ranges.to_vec());
            if let Some(&made) = self.made.get(&key) {
                return Ok(made);
            }
            let part = self.producer(b, &loops, ranges)?;
            self.made.insert(key, part);
            return Ok(part);
        }
        Ok(slice::extract(b, value, ranges))
    }

    /// The tile of a producer's result, with full ranges for loops that the result does not show.
    fn producer(
        &mut self,
        b: &mut Builder<'_, '_>,
        loops: &Loops,
        result: &[Range],
    ) -> CpuResult<ValueId> {
        let mut ranges: Vec<Range> = loops.extents.iter().map(|&e| Range::whole(e)).collect();
        for (expr, &range) in loops.out_map(0).results().iter().zip(result) {
            if let Some(dim) = expr.as_dim() {
                ranges[dim as usize] = range;
            }
        }
        let window = self.operand(b, loops.outs[0], result, true)?;
        self.loops_tile(b, loops, &ranges, window)
    }
}

/// Packs a part of what an op packs, into ranges of a destination; gives the new destination.
fn pack_tile(
    b: &mut Builder<'_, '_>,
    op: OpId,
    pack: &Packing,
    source: ValueId,
    dest: ValueId,
    ranges: &[Range],
) -> ValueId {
    let window = slice::extract(b, dest, ranges);
    let mut operands = vec![source, window];
    operands.extend(pack.padding);
    let part = clone_with(b, op, &operands);
    slice::insert(b, part, dest, ranges)
}

/// The `index`-th part of a loop that runs over full tiles only: the last is peeled when it is
/// smaller.
fn part(b: &mut Builder<'_, '_>, index: Idx, tile: i64, extent: i64) -> Range {
    let offset = b.scaled(index, tile, 0);
    let size = match index {
        Idx::Value(_) => Idx::Const(tile),
        Idx::Const(_) => b.clamp(index, tile, tile, extent),
    };
    Range { offset, size }
}

/// The unpack whose result an op packs.
fn unpacked(body: &Body, op: OpId) -> Option<OpId> {
    let source = body.operands(op).next().filter(|_| is_kind(body, op, Kind::Pack))?;
    body.defining_op(source).filter(|&source| is_kind(body, source, Kind::Unpack))
}

fn is_kind(body: &Body, op: OpId, kind: Kind) -> bool {
    structured::kind(body, op) == Some(kind)
}

/// The ranges of an operand under ranges of the loops.
fn project(loops: &Loops, operand: usize, ranges: &[Range]) -> Vec<Range> {
    let dims = loops.maps[operand].results().iter().filter_map(|e| e.as_dim());
    dims.map(|d| ranges[d as usize]).collect()
}

/// The same op on other operands, the last of them the destination; its result is the
/// destination's type.
fn clone_with(b: &mut Builder<'_, '_>, op: OpId, operands: &[ValueId]) -> ValueId {
    let at = b.rw.insertion_point().unwrap_or(InsertPoint::Before(op));
    let copy = b.rw.clone_op(op, at, &mut IrMapping::new());
    if matches!(at, InsertPoint::After(_) | InsertPoint::Start(_)) {
        b.at(InsertPoint::After(copy));
    }
    b.rw.set_operands(copy, operands);
    let is_packing = matches!(structured::kind(b.body(), op), Some(Kind::Pack | Kind::Unpack));
    let dest = if is_packing { operands[1] } else { operands[operands.len() - 1] };
    let ty = b.body().ty(dest);
    let result = b.body().result(copy, 0);
    b.rw.set_type(result, ty);
    result
}

/// Tiles the reduction loops of contractions inside of tile loops, by `vector_reduction`: a loop
/// that carries the accumulator.
pub(crate) fn run_reduction(rw: &mut Rewriter<'_>, func: OpId) -> CpuResult {
    let mut b = Builder::new(rw, func)?;
    let ops: Vec<OpId> = b.body().walk(func).filter(|&op| is_contraction(b.body(), op)).collect();
    let mut changed = false;
    for op in ops {
        changed |= reduction(&mut b, op)?;
    }
    Ok(changed)
}

fn is_contraction(body: &Body, op: OpId) -> bool {
    match structured::kind(body, op) {
        Some(Kind::Mmt4d) => true,
        Some(Kind::Generic) => structured::is_multiply_add(body, op),
        _ => false,
    }
}

fn reduction(b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<bool> {
    let Some(tiles) = strategy::tiles_of(b.body(), op, "vector_reduction") else {
        return Ok(false);
    };
    let loops = Loops::of(b.body(), op)?;
    let dims: Vec<usize> = (0..loops.extents.len())
        .filter(|&d| {
            let tile = tiles.get(d).copied().unwrap_or(0);
            loops.reduction[d]
                && tile > 0
                && loops.extents[d] != tile
                && loops.extents[d] % tile == 0
        })
        .collect();
    if dims.is_empty() {
        return Ok(false);
    }
    b.at(InsertPoint::Before(op));
    let acc = loops.outs[0];
    let value = reduction_from(b, &loops, &tiles, &dims, &mut Vec::new(), acc)?;
    b.rw.replace(op, &[value]);
    Ok(true)
}

fn reduction_from(
    b: &mut Builder<'_, '_>,
    loops: &Loops,
    tiles: &[i64],
    dims: &[usize],
    at: &mut Vec<ValueId>,
    acc: ValueId,
) -> CpuResult<ValueId> {
    let Some(&dim) = dims.get(at.len()) else {
        let mut ranges: Vec<Range> = loops.extents.iter().map(|&e| Range::whole(e)).collect();
        for (&dim, &iv) in dims.iter().zip(at.iter()) {
            ranges[dim] = Range { offset: Idx::Value(iv), size: Idx::Const(tiles[dim]) };
        }
        let mut operands = Vec::new();
        for (index, &value) in loops.ins.iter().enumerate() {
            operands.push(slice::extract(b, value, &project(loops, index, &ranges)));
        }
        operands.push(acc);
        return Ok(clone_with(b, loops.op, &operands));
    };
    let bounds = [b.index(0), b.index(loops.extents[dim]), b.index(tiles[dim])];
    let op = b.for_loop(bounds, &[acc], |b, iv, args| {
        at.push(iv);
        let value = reduction_from(b, loops, tiles, dims, at, args[0]);
        at.pop();
        Ok(vec![value?])
    })?;
    Ok(b.body().result(op, 0))
}

fn lcm(a: i64, b: i64) -> i64 {
    let (mut gcd, mut rest) = (a, b);
    while rest != 0 {
        (gcd, rest) = (rest, gcd % rest);
    }
    a / gcd * b
}

fn div_ceil(a: i64, b: i64) -> i64 {
    a / b + i64::from(a % b != 0)
}
