//! `iree-codegen-materialize-device-encoding`: encodings become layouts.
//!
//! `set_encoding` becomes `linalg.pack`, a contraction on encoded operands `linalg.mmt4d`,
//! `unset_encoding` `linalg.unpack`, and dispatch tensors get packed shapes. Every size comes from
//! the `encoding_info` of the resolved layouts that the dispatch tensors carry, or, for tensors that
//! never leave the dispatch, from the target's resolver; an encoding that neither resolves is an
//! error.

use rustc_hash::FxHashMap;
use tegula_dialect_iree_cpu::layout::PackedLayout;
use tegula_dialect_iree_cpu::resolver::resolve;
use tegula_ir::{AffineMap, Attr, DYNAMIC, InsertPoint, NewOp, OpId, Type, TypeData, ValueId};
use tegula_rewrite::{IrMapping, Rewriter};

use crate::attrs;
use crate::builder::Builder;
use crate::cleanup;
use crate::dispatch_tensor as dt;
use crate::error::{CpuResult, fail};
use crate::reshapes;
use crate::structured::{self, Loops, Packing};
use crate::target::target_config_around;

/// How a tensor is tiled in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layout {
    inner_dims_pos: Vec<usize>,
    inner_tiles: Vec<i64>,
    outer_dims_perm: Vec<usize>,
}

impl Layout {
    /// Reads the encoding of a tensor,
    /// `#iree_encoding.layout<[#….cpu_encoding_resolver<configuration = {…}>]>`.
    fn of(ty: Type) -> Option<Layout> {
        let layouts = ty.encoding()?.dialect_params("iree_encoding.layout")?.first()?.as_array()?;
        Layout::of_packed(PackedLayout::read(*layouts.first()?)?, ty)
    }

    fn of_packed(mut layout: PackedLayout, ty: Type) -> Option<Layout> {
        if layout.scalable_tiles.contains(&true) {
            return None;
        }
        if layout.is_identity() && layout.outer_dims_perm.is_empty() {
            layout.outer_dims_perm = (0..ty.shape()?.len() as i64).collect();
        }
        let dims = |list: Vec<i64>| -> Option<Vec<usize>> {
            list.into_iter().map(|d| usize::try_from(d).ok()).collect()
        };
        Some(Layout {
            inner_dims_pos: dims(layout.inner_dims_pos)?,
            inner_tiles: layout.inner_tile_sizes,
            outer_dims_perm: dims(layout.outer_dims_perm)?,
        })
    }

    /// The packed shape of a static plain shape; an error text when it does not fit.
    fn packed(&self, plain: &[i64]) -> Result<Vec<i64>, &'static str> {
        let rank = plain.len();
        let fits = attrs::is_permutation(&self.outer_dims_perm, rank)
            && attrs::is_injective(&self.inner_dims_pos, rank)
            && self.inner_tiles.len() == self.inner_dims_pos.len()
            && self.inner_tiles.iter().all(|&t| t > 0);
        if !fits {
            return Err("the encoding_info does not fit the tensor's rank");
        }
        if plain.contains(&DYNAMIC) {
            return Err("dynamic shapes are not supported");
        }
        let mut outer = plain.to_vec();
        for (&dim, &tile) in self.inner_dims_pos.iter().zip(&self.inner_tiles) {
            outer[dim] = outer[dim].div_euclid(tile) + i64::from(outer[dim] % tile != 0);
        }
        let outer = self.outer_dims_perm.iter().map(|&d| outer[d]);
        let shape: Vec<i64> = outer.chain(self.inner_tiles.iter().copied()).collect();
        match shape.iter().try_fold(4i64, |n, &d| n.checked_mul(d)) {
            Some(_) => Ok(shape),
            None => Err("the packed size overflows 64 bits"),
        }
    }

    /// Whether some tile reaches beyond the plain shape.
    fn pads(&self, plain: &[i64]) -> bool {
        self.inner_dims_pos.iter().zip(&self.inner_tiles).any(|(&d, &t)| plain[d] % t != 0)
    }
}

/// Runs the pass on a function.
pub(crate) fn run(rw: &mut Rewriter<'_>, func: OpId) -> CpuResult {
    let mut b = Builder::new(rw, func)?;
    let layouts = with_inner_layouts(&b, known_layouts(&b));
    let ops: Vec<OpId> = b.body().walk(func).collect();
    let mut pass = Materialize { layouts, ..Materialize::default() };
    for op in ops {
        if !b.body().is_erased(op) {
            pass.visit(&mut b, op)?;
        }
    }
    let changed = pass.changed;
    if changed {
        cleanup::erase_dead(rw, func);
    }
    Ok(changed | tegula_pass::cse(rw.registry, rw.body, func))
}

/// What each encoding is resolved to, as loads from resolved dispatch tensors tell it.
fn known_layouts(b: &Builder<'_, '_>) -> FxHashMap<Attr, Layout> {
    let mut layouts = FxHashMap::default();
    for op in b.body().walk(b.func) {
        let (tensor, dispatch) = match b.body().name(op).as_str() {
            dt::LOAD => (b.body().result(op, 0), b.body().operand(op, 0)),
            dt::STORE => (b.body().operand(op, 0), b.body().operand(op, 1)),
            _ => continue,
        };
        let Some(encoding) = b.body().ty(tensor).encoding() else { continue };
        let bound = dt::bound_type(b.body().ty(dispatch));
        if let Some(layout) = bound.and_then(Layout::of) {
            layouts.entry(encoding).or_insert(layout);
        }
    }
    layouts
}

/// Adds what the target's resolver says of encodings that no dispatch tensor has.
fn with_inner_layouts(
    b: &Builder<'_, '_>,
    mut layouts: FxHashMap<Attr, Layout>,
) -> FxHashMap<Attr, Layout> {
    let Some(config) = target_config_around(b.body(), b.func) else { return layouts };
    for op in b.body().walk(b.func) {
        for ty in b.body().results(op).map(|value| b.body().ty(value)) {
            let Some(encoding) = ty.encoding() else { continue };
            if layouts.contains_key(&encoding) || Layout::of(ty).is_some() {
                continue;
            }
            let chosen = resolve(b.rw.registry, config, ty, false);
            if let Some(layout) = chosen.and_then(|chosen| Layout::of_packed(chosen, ty)) {
                layouts.insert(encoding, layout);
            }
        }
    }
    layouts
}

#[derive(Default)]
struct Materialize {
    /// What each encoding is resolved to.
    layouts: FxHashMap<Attr, Layout>,
    /// The layouts of tensors that are packed by now.
    packed: FxHashMap<ValueId, Layout>,
    /// The shapes that packed dispatch tensors had.
    plain: FxHashMap<ValueId, &'static [i64]>,
    changed: bool,
}

impl Materialize {
    fn layout(&self, ty: Type) -> Option<Layout> {
        let encoding = ty.encoding()?;
        self.layouts.get(&encoding).cloned().or_else(|| Layout::of(ty))
    }

    /// The packed form of a tensor type; the type itself when it has no encoding.
    fn converted(&self, op: OpId, ty: Type) -> CpuResult<Type> {
        let TypeData::RankedTensor { shape, element, encoding: Some(_) } = ty.data() else {
            return Ok(ty);
        };
        let Some(layout) = self.layout(ty) else {
            return fail(op, "unresolved-encoding", "no dispatch tensor resolves this encoding");
        };
        match layout.packed(shape) {
            Ok(packed) => Ok(Type::tensor(&packed, *element, None)),
            Err(why) => fail(op, "unsupported-encoding", why),
        }
    }

    fn visit(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        match b.body().name(op).as_str() {
            dt::SUBSPAN => self.subspan(b, op),
            dt::LOAD | dt::STORE => self.load_store(b, op),
            "iree_encoding.set_encoding" => self.set_encoding(b, op),
            "iree_encoding.unset_encoding" => self.unset_encoding(b, op),
            "linalg.generic" => self.generic(b, op),
            "tensor.empty" | "linalg.fill" => self.retype_results(b, op),
            _ => Ok(()),
        }
    }

    fn subspan(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let result = b.body().result(op, 0);
        let ty = b.body().ty(result);
        let Some(bound) = dt::bound_type(ty) else { return Ok(()) };
        let packed = self.converted(op, bound)?;
        if packed != bound {
            b.rw.set_type(result, dt::with_bound(ty, packed));
            self.plain.insert(result, bound.shape().unwrap_or(&[]));
            self.changed = true;
        }
        Ok(())
    }

    /// The dispatch tensor is packed by now; the access must cover all of it.
    fn load_store(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let is_load = b.body().is(op, dt::LOAD);
        let tensor = if is_load { b.body().result(op, 0) } else { b.body().operand(op, 0) };
        let dispatch = b.body().operand(op, usize::from(!is_load));
        let Some(&plain) = self.plain.get(&dispatch) else { return Ok(()) };
        let Some(bound) = dt::bound_type(b.body().ty(dispatch)) else { return Ok(()) };
        let list = |name: &str| b.body().attr(op, name).and_then(Attr::as_dense_array);
        let origin = list("static_offsets").is_some_and(|o| o.iter().all(|&x| x == 0));
        if !origin || list("static_sizes") != Some(plain) {
            return fail(op, "unsupported-encoding", "a packed tensor is accessed as a whole only");
        }
        let shape = bound.shape().unwrap_or(&[]);
        for (name, value) in dt::whole_access(shape) {
            b.rw.set_attr(op, name, value);
        }
        if is_load {
            if let Some(layout) = self.layout(b.body().ty(tensor)) {
                self.packed.insert(tensor, layout);
            }
            b.rw.set_type(tensor, bound);
        }
        self.changed = true;
        Ok(())
    }

    fn set_encoding(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let source = b.body().operand(op, 0);
        let encoded = b.body().ty(b.body().result(op, 0));
        let packed = self.converted(op, encoded)?;
        let (Some(layout), Some(plain)) = (self.layout(encoded), encoded.shape()) else {
            return fail(op, "unresolved-encoding", "the result has no encoding");
        };
        // A single element lies in every layout as it does without.
        let same =
            if plain.is_empty() { Some(source) } else { unpacked(b, source, &layout, packed) };
        if let Some(same) = same.filter(|_| !layout.pads(plain)) {
            b.rw.replace(op, &[same]);
            self.packed.insert(same, layout);
            self.changed = true;
            return Ok(());
        }
        b.at(InsertPoint::Before(op));
        let dest = b.value(NewOp::new("tensor.empty").result(packed));
        let mut pack = pack_op("linalg.pack", &layout).operand(source).operand(dest);
        let pads = layout.pads(plain);
        if pads {
            // Products with padding are 0 * 0; the rows and columns that they reach are dropped.
            let element = packed.element_or_self();
            let zero = zero_of(op, element)?;
            let zero = b.constant(zero, element);
            pack = pack.operand(zero);
        }
        let groups = attrs::segments(&[1, 1, usize::from(pads), 0]);
        let made = b.op(pack.attr("operandSegmentSizes", groups).result(packed));
        let value = b.body().result(made, 0);
        b.rw.replace(op, &[value]);
        self.packed.insert(value, layout);
        self.changed = true;
        Ok(())
    }

    fn unset_encoding(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let source = b.body().operand(op, 0);
        let plain = b.body().ty(b.body().result(op, 0));
        // The source was packed when its producer was visited, which lost its encoding.
        let Some(layout) = self.packed.get(&source).cloned() else {
            return fail(op, "unresolved-encoding", "the source's encoding is not resolved");
        };
        b.at(InsertPoint::Before(op));
        let dest = b.value(NewOp::new("tensor.empty").result(plain));
        let unpack = pack_op("linalg.unpack", &layout).operand(source).operand(dest).result(plain);
        let made = b.op(unpack);
        let value = b.body().result(made, 0);
        b.rw.replace(op, &[value]);
        self.changed = true;
        Ok(())
    }

    fn retype_results(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        for result in b.body().results(op) {
            let ty = b.body().ty(result);
            if let Some(layout) = self.layout(ty) {
                let packed = self.converted(op, ty)?;
                b.rw.set_type(result, packed);
                self.packed.insert(result, layout);
                self.changed = true;
            }
        }
        Ok(())
    }

    fn generic(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let result_types: Vec<Type> = b.body().results(op).map(|r| b.body().ty(r)).collect();
        let Some(out_layout) = result_types.first().and_then(|&ty| self.layout(ty)) else {
            return Ok(());
        };
        let packed: Vec<Type> =
            result_types.iter().map(|&ty| self.converted(op, ty)).collect::<CpuResult<_>>()?;
        let loops = Loops::of(b.body(), op)?;
        let operands: Vec<ValueId> = b.body().operands(op).collect();
        b.at(InsertPoint::Before(op));
        let made = if loops.is_parallel() {
            self.elementwise(b, &loops, &packed, &out_layout)?
        } else {
            self.contraction(b, &loops, &out_layout)?
        };
        let values: Vec<ValueId> = b.body().results(made).collect();
        b.rw.replace(op, &values);
        // What was read in another shape is not needed any more.
        let makers: Vec<OpId> =
            operands.into_iter().filter_map(|v| b.body().defining_op(v)).collect();
        for maker in makers {
            cleanup::erase_unused(b.rw, maker);
        }
        for value in values {
            self.packed.insert(value, out_layout.clone());
        }
        self.changed = true;
        Ok(())
    }

    /// The packed op is the same op on more dimensions: each operand is read by those of them that
    /// its own layout has. What is computed on padding nobody reads.
    fn elementwise(
        &self,
        b: &mut Builder<'_, '_>,
        loops: &Loops,
        packed: &[Type],
        out: &Layout,
    ) -> CpuResult<OpId> {
        let rank = packed.first().and_then(|ty| ty.shape()).map_or(0, <[i64]>::len);
        let operands: Vec<ValueId> = loops.ins.iter().chain(&loops.outs).copied().collect();
        let mut maps = Vec::with_capacity(operands.len());
        let counts = b.body().walk(loops.op).any(|op| b.body().is(op, "linalg.index"));
        for (&value, &map) in operands.iter().zip(&loops.maps) {
            let shape = b.body().ty(value).shape().unwrap_or(&[]);
            let dims: Option<Vec<u32>> = match self.packed.get(&value) {
                Some(layout) => packed_dims((map, layout), (loops.maps[loops.ins.len()], out)),
                None if shape.is_empty() => Some(Vec::new()),
                None => (map.is_identity() && Some(shape) == packed[0].shape())
                    .then(|| (0..rank as u32).collect()),
            };
            let Some(dims) = dims.filter(|_| !counts) else {
                return fail(
                    loops.op,
                    "unsupported-encoding",
                    "an elementwise op on encoded tensors needs operands whose layouts fit",
                );
            };
            maps.push(Attr::map(attrs::dims_map(rank as u32, &dims)));
        }
        let copy = b.rw.clone_op(loops.op, InsertPoint::Before(loops.op), &mut IrMapping::new());
        let iterators = vec![attrs::iterator("linalg", false); rank];
        b.rw.set_attr(copy, "indexing_maps", Attr::array(&maps));
        b.rw.set_attr(copy, "iterator_types", Attr::array(&iterators));
        let results: Vec<ValueId> = b.body().results(copy).collect();
        for (&result, &ty) in results.iter().zip(packed) {
            b.rw.set_type(result, ty);
        }
        Ok(copy)
    }

    /// `acc[x, y] += first[x, k] * second[y, k]` in tiles: the accumulator's layout says which of
    /// the two operands comes first (a narrow N is computed transposed). A vector is one row, and
    /// comes first.
    fn contraction(
        &self,
        b: &mut Builder<'_, '_>,
        loops: &Loops,
        acc_layout: &Layout,
    ) -> CpuResult<OpId> {
        let unsupported =
            "only contractions of two operands tiled as (m, k) and (n, k) into (m, n)";
        let &[lhs, rhs] = loops.ins.as_slice() else {
            return fail(loops.op, "unsupported-encoding", unsupported);
        };
        let &[acc] = loops.outs.as_slice() else {
            return fail(loops.op, "unsupported-encoding", unsupported);
        };
        let integers = structured::is_integer_multiply_add(b.body(), loops.op);
        if !integers && !structured::is_multiply_add(b.body(), loops.op) {
            return fail(loops.op, "unsupported-encoding", "only multiply-add contractions");
        }
        let tiled = |value: ValueId, at: usize| -> Option<Vec<u32>> {
            tiled_loops(loops.maps[at], self.packed.get(&value)?)
        };
        let k = loops.reduction.iter().position(|&r| r).map(|d| d as u32);
        let acc_dims = inner_loops(loops.maps[2], acc_layout);
        let (Some(l), Some(r), Some(acc_dims), Some(k)) =
            (tiled(lhs, 0), tiled(rhs, 1), acc_dims, k)
        else {
            return fail(loops.op, "unsupported-encoding", unsupported);
        };
        // A side without a loop of its own is one row.
        let (x, y) = match acc_dims[..] {
            [x, y] => (vec![x, k], vec![y, k]),
            [y] => (vec![k], vec![y, k]),
            _ => return fail(loops.op, "unsupported-encoding", unsupported),
        };
        let sides = if l == x && r == y {
            [lhs, rhs]
        } else if l == y && r == x {
            [rhs, lhs]
        } else {
            return fail(loops.op, "unsupported-encoding", unsupported);
        };
        if acc_dims.len() == 2 {
            return Ok(structured::named(b, "linalg.mmt4d", &sides, &[acc], Attr::empty_dict()));
        }
        let [row, acc_row] = [sides[0], acc].map(|value| reshapes::as_row(b, value));
        let ins = [row, sides[1]];
        let made = structured::named(b, "linalg.mmt4d", &ins, &[acc_row], Attr::empty_dict());
        let whole = b.body().result(made, 0);
        let ty = b.body().ty(acc);
        let vector = reshapes::from_row(b, whole, ty);
        Ok(b.body().defining_op(vector).unwrap_or(made))
    }
}

/// The loops that tile an operand, when its outer dimensions go in the same order as its inner.
fn tiled_loops(map: AffineMap, layout: &Layout) -> Option<Vec<u32>> {
    let inner = inner_loops(map, layout)?;
    let outer = loops_at(map, &layout.outer_dims_perm)?;
    (inner == outer).then_some(inner)
}

/// The dimensions of a packed nest that an operand has, in its order: the nest has the dimensions of
/// its packed result. None when the operand is tiled in another way.
fn packed_dims(
    (map, layout): (AffineMap, &Layout),
    (out_map, out): (AffineMap, &Layout),
) -> Option<Vec<u32>> {
    let in_out = |dim: usize| {
        let looped = map.results().get(dim)?.as_dim()?;
        out_map.results().iter().position(|e| e.as_dim() == Some(looped))
    };
    let outer = layout.outer_dims_perm.iter().map(|&dim| {
        let place = in_out(dim)?;
        let alike = layout.inner_dims_pos.contains(&dim) == out.inner_dims_pos.contains(&place);
        out.outer_dims_perm.iter().position(|&d| d == place).filter(|_| alike)
    });
    let inner = layout.inner_dims_pos.iter().zip(&layout.inner_tiles).map(|(&dim, tile)| {
        let place = in_out(dim)?;
        let at = out.inner_dims_pos.iter().position(|&d| d == place)?;
        (out.inner_tiles.get(at) == Some(tile)).then_some(out.outer_dims_perm.len() + at)
    });
    outer.chain(inner).map(|at| at.map(|at| at as u32)).collect()
}

fn inner_loops(map: AffineMap, layout: &Layout) -> Option<Vec<u32>> {
    loops_at(map, &layout.inner_dims_pos)
}

fn loops_at(map: AffineMap, positions: &[usize]) -> Option<Vec<u32>> {
    positions.iter().map(|&p| map.results().get(p)?.as_dim()).collect()
}

/// What a tensor is unpacked from, when it lay there as it is to lie.
fn unpacked(
    b: &Builder<'_, '_>,
    tensor: ValueId,
    layout: &Layout,
    packed: Type,
) -> Option<ValueId> {
    let op = b.body().defining_op(tensor).filter(|&op| b.body().is(op, "linalg.unpack"))?;
    let packing = Packing::of(b.body(), op).ok()?;
    let same = b.body().ty(packing.source) == packed
        && packing.inner_dims_pos == layout.inner_dims_pos
        && packing.inner_tiles == layout.inner_tiles
        && packing.outer_dims_perm == layout.outer_dims_perm;
    same.then_some(packing.source)
}

fn pack_op(name: &'static str, layout: &Layout) -> NewOp {
    let dims =
        |list: &[usize]| Attr::i64_array(&list.iter().map(|&d| d as i64).collect::<Vec<_>>());
    NewOp::new(name)
        .attr("outer_dims_perm", dims(&layout.outer_dims_perm))
        .attr("inner_dims_pos", dims(&layout.inner_dims_pos))
        .attr("static_inner_tiles", Attr::i64_array(&layout.inner_tiles))
}

fn zero_of(op: OpId, element: Type) -> CpuResult<Attr> {
    match element.data() {
        TypeData::Float(_) => Ok(Attr::new(tegula_ir::AttrData::Float { bits: 0, ty: element })),
        TypeData::Integer { .. } => Ok(Attr::int(0, element)),
        _ => fail(op, "unsupported-element-type", "only integers and floats can be packed"),
    }
}
