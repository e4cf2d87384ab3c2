//! Transfers between memory and machine vectors.

use tegula_ir::{Attr, AttrData, InsertPoint, NewOp, OpId, Type, TypeData, ValueId};

use super::Native;
use super::lanes::{self, Lanes};
use crate::access;
use crate::bufferize;
use crate::builder::{Builder, Idx};
use crate::dispatch_tensor as dt;
use crate::error::{CpuResult, fail};
use crate::loops;
use crate::slice;
use crate::slices::{Transfer, transfer};

/// Where the elements of a transfer lie: a memref without views, and the index of the first.
struct Place {
    memref: ValueId,
    base: Vec<Idx>,
    strides: Vec<i64>,
}

impl Native {
    pub(super) fn read(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let (t, place) = self.transfer_place(b, op)?;
        let ty = b.body().ty(b.body().result(op, 0));
        let shape = ty.shape().unwrap_or(&[]).to_vec();
        let (count, native) = self.form(op, ty)?;
        let Some(sizes) = self.mask_sizes(op, &t, &shape)? else {
            let value = self.load_all(b, &place, &shape, native);
            self.define(b, op, value);
            return Ok(());
        };
        let Some(padding) = t.padding else {
            return fail(op, "malformed-op", "a masked read needs a padding value");
        };
        let types = self.piece_types(op, ty)?;
        let value = match full(b, &shape, &sizes) {
            Full::Never => self.load_some(b, &place, &shape, &sizes, padding, native)?,
            Full::When(condition) => {
                let choice = two_sides(b, op, condition, &types, |b, end, is_full| {
                    let value = if is_full {
                        self.load_all(b, &place, &shape, native)
                    } else {
                        self.load_some(b, &place, &shape, &sizes, padding, native)?
                    };
                    b.rw.set_operands(end, &value.pieces);
                    Ok(())
                })?;
                self.lanes_of(&types, b.body().results(choice).collect())
            }
        };
        debug_assert_eq!(
            value.pieces.len(),
            if native { count / self.lanes as usize } else { count }
        );
        self.define(b, op, value);
        Ok(())
    }

    pub(super) fn write(&mut self, b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<()> {
        let (t, place) = self.transfer_place(b, op)?;
        let Some(vector) = t.value else {
            return fail(op, "malformed-op", "a write without a value");
        };
        let shape = b.body().ty(vector).shape().unwrap_or(&[]).to_vec();
        let value = self.pieces(b, op, vector)?;
        match self.mask_sizes(op, &t, &shape)? {
            None => self.store_all(b, &value, &place, &shape),
            Some(sizes) => match full(b, &shape, &sizes) {
                Full::Never => self.store_some(b, &value, &place, &shape, &sizes)?,
                Full::When(condition) => {
                    two_sides(b, op, condition, &[], |b, _, is_full| {
                        if is_full {
                            self.store_all(b, &value, &place, &shape);
                            return Ok(());
                        }
                        self.store_some(b, &value, &place, &shape, &sizes)
                    })?;
                }
            },
        }
        self.dead.push(op);
        Ok(())
    }

    fn transfer_place(
        &mut self,
        b: &mut Builder<'_, '_>,
        op: OpId,
    ) -> CpuResult<(Transfer, Place)> {
        let Some(t) = transfer(b.body(), op) else {
            return fail(
                op,
                "unsupported-op",
                "only transfers without a permutation are supported",
            );
        };
        let indices: Vec<Idx> = t.indices.iter().map(|&i| b.fold(i)).collect();
        let (memref, base) = access::resolve(b, t.base, &indices);
        let Some((strides, _)) = slice::strided(b.body().ty(memref)) else {
            return fail(op, "unsupported-layout", "only strided buffers are supported");
        };
        let vector = t.value.unwrap_or_else(|| b.body().result(op, 0));
        let rank = b.body().ty(vector).shape().map(<[i64]>::len);
        if rank != Some(strides.len()) || strides.contains(&tegula_ir::DYNAMIC) {
            return fail(
                op,
                "unsupported-layout",
                "the buffer must have static strides and the vector's rank",
            );
        }
        Ok((t, Place { memref, base, strides }))
    }

    /// The sizes of a transfer's mask; none when it is full.
    fn mask_sizes(&self, op: OpId, t: &Transfer, shape: &[i64]) -> CpuResult<Option<Vec<Idx>>> {
        let Some(mask) = t.mask else { return Ok(None) };
        let Some(sizes) = self.masks.get(&mask) else {
            return fail(
                op,
                "unsupported-op",
                "only masks made by vector.create_mask are supported",
            );
        };
        let is_full = sizes.iter().zip(shape).all(|(s, &d)| s.constant().is_some_and(|c| c >= d));
        Ok((!is_full).then(|| sizes.clone()))
    }

    fn load_all(
        &mut self,
        b: &mut Builder<'_, '_>,
        place: &Place,
        shape: &[i64],
        native: bool,
    ) -> Lanes {
        let count = shape.iter().product::<i64>() as usize;
        let width = if native { self.lanes as usize } else { 1 };
        let ty = self.native_type();
        let mut pieces = Vec::new();
        for first in (0..count).step_by(width) {
            if width == 1 {
                pieces.push(load_element(b, place, &lanes::index_of(shape, first)));
            } else if let Some((memref, indices)) = self.native_place(b, place, shape, first) {
                let new = NewOp::new("vector.load").operand(memref).operands(indices).result(ty);
                pieces.push(b.value(new));
            } else {
                let elements: Vec<ValueId> = (first..first + width)
                    .map(|at| load_element(b, place, &lanes::index_of(shape, at)))
                    .collect();
                let scalars = Lanes::scalars(elements);
                let places: Vec<usize> = (0..width).collect();
                pieces.push(scalars.gather(b, &mut lanes::Cache::default(), &places, ty));
            }
        }
        if native { Lanes::native(pieces, width) } else { Lanes::scalars(pieces) }
    }

    fn store_all(&mut self, b: &mut Builder<'_, '_>, value: &Lanes, place: &Place, shape: &[i64]) {
        let width = if value.is_scalar() { 1 } else { self.lanes as usize };
        let mut cache = lanes::Cache::default();
        for (at, &piece) in value.pieces.iter().enumerate() {
            let first = at * width;
            if width > 1
                && let Some((memref, indices)) = self.native_place(b, place, shape, first)
            {
                b.op(NewOp::new("vector.store").operands([piece, memref]).operands(indices));
                continue;
            }
            for element in first..first + width {
                let scalar = value.element(b, &mut cache, element);
                let index = shifted(b, place, &lanes::index_of(shape, element));
                access::store(b, scalar, place.memref, &index);
            }
        }
    }

    /// Where a machine vector that begins at element `first` lies, when its elements are side by
    /// side. It must lie within the innermost dimension; where it does not, a view of the same
    /// binding joins the innermost dimensions.
    fn native_place(
        &mut self,
        b: &mut Builder<'_, '_>,
        place: &Place,
        shape: &[i64],
        first: usize,
    ) -> Option<(ValueId, Vec<ValueId>)> {
        let position = |at: usize| -> i64 {
            lanes::index_of(shape, at).iter().zip(&place.strides).map(|(i, s)| i * s).sum()
        };
        let start = position(first);
        let together =
            (1..self.lanes as usize).all(|lane| position(first + lane) == start + lane as i64);
        if !together {
            return None;
        }
        let index = lanes::index_of(shape, first);
        let last_lane = lanes::index_of(shape, first + self.lanes as usize - 1);
        let rank = shape.len();
        // The innermost dimension that tells the lanes apart, and no dimension outside of it.
        let outer_same = rank > 0 && index[..rank - 1] == last_lane[..rank - 1];
        let indices = shifted(b, place, &index);
        if outer_same {
            let indices = indices.into_iter().map(|i| b.materialize(i)).collect();
            return Some((place.memref, indices));
        }
        let joined = (0..rank).find(|&d| index[d] != last_lane[d])?;
        self.joined_view(b, place, joined, &indices)
    }

    /// A view of a contiguous memref in which dimensions from `joined` on are one.
    fn joined_view(
        &mut self,
        b: &mut Builder<'_, '_>,
        place: &Place,
        joined: usize,
        indices: &[Idx],
    ) -> Option<(ValueId, Vec<ValueId>)> {
        let ty = b.body().ty(place.memref);
        let TypeData::MemRef { shape, element, layout, space } = ty.data() else { return None };
        let contiguous = (joined..shape.len()).rev().try_fold(1, |expected: i64, d| {
            (place.strides[d] == expected).then(|| expected * shape[d])
        });
        let extent = contiguous?;
        let mut view_shape = shape[..joined].to_vec();
        view_shape.push(extent);
        let view = match self.views.get(&(place.memref, view_shape.clone())) {
            Some(&view) => view,
            None => {
                let subspan = b.body().defining_op(place.memref)?;
                if !b.body().is(subspan, dt::SUBSPAN) {
                    return None;
                }
                let layout = layout.map(|layout| match layout.data() {
                    AttrData::Strided { offset, .. } => {
                        let mut strides = place.strides[..joined].to_vec();
                        strides.push(1);
                        Attr::new(AttrData::Strided { strides: strides.into(), offset: *offset })
                    }
                    _ => layout,
                });
                let new = NewOp::new(dt::SUBSPAN)
                    .operands(b.body().operands(subspan))
                    .attrs(b.body().attrs(subspan))
                    .result(Type::memref(&view_shape, *element, layout, *space))
                    .loc(b.body().loc(subspan));
                let view = b.rw.insert_value(InsertPoint::After(subspan), new);
                self.views.insert((place.memref, view_shape), view);
                view
            }
        };
        let mut last = Idx::Const(0);
        for (&index, &stride) in indices.iter().zip(&place.strides).skip(joined) {
            let scaled = b.scaled(index, stride, 0);
            last = b.add(last, scaled);
        }
        let mut out: Vec<ValueId> = indices[..joined].iter().map(|&i| b.materialize(i)).collect();
        out.push(b.materialize(last));
        Some((view, out))
    }

    /// The elements within `sizes`, through scratch that holds the padding elsewhere.
    fn load_some(
        &mut self,
        b: &mut Builder<'_, '_>,
        place: &Place,
        shape: &[i64],
        sizes: &[Idx],
        padding: ValueId,
        native: bool,
    ) -> CpuResult<Lanes> {
        let scratch = self.scratch_place(b, shape);
        let count = shape.iter().product::<i64>() as usize;
        let filled = if native {
            let splat = lanes::splat(b, padding, self.native_type());
            Lanes::native(vec![splat; count / self.lanes as usize], self.lanes as usize)
        } else {
            Lanes::scalars(vec![padding; count])
        };
        let dense = squeezed(shape, shape);
        self.store_all(b, &filled, &scratch, &dense);
        loops::nest(b, sizes, &mut |b, at| {
            let from = offset_by(b, place, at);
            let value = access::load(b, place.memref, &from);
            access::store(b, value, scratch.memref, &squeezed(shape, at));
            Ok(())
        })?;
        Ok(self.load_all(b, &scratch, &dense, native))
    }

    /// Writes the elements within `sizes`, through scratch.
    fn store_some(
        &mut self,
        b: &mut Builder<'_, '_>,
        value: &Lanes,
        place: &Place,
        shape: &[i64],
        sizes: &[Idx],
    ) -> CpuResult<()> {
        let scratch = self.scratch_place(b, shape);
        self.store_all(b, value, &scratch, &squeezed(shape, shape));
        loops::nest(b, sizes, &mut |b, at| {
            let to = offset_by(b, place, at);
            let value = access::load(b, scratch.memref, &squeezed(shape, at));
            access::store(b, value, place.memref, &to);
            Ok(())
        })
    }

    /// Scratch of that shape without extents of 1, which would break machine vectors up.
    fn scratch_place(&mut self, b: &mut Builder<'_, '_>, shape: &[i64]) -> Place {
        let shape = squeezed(shape, shape);
        let memref = match self.scratch.get(&shape) {
            Some(&known) => known,
            None => {
                let made = bufferize::alloca(b, &shape, Type::f32());
                self.scratch.insert(shape.clone(), made);
                made
            }
        };
        let strides = slice::strided(b.body().ty(memref)).map_or_else(Vec::new, |(s, _)| s);
        Place { memref, base: vec![Idx::Const(0); shape.len()], strides }
    }
}

/// The entries of a list for dimensions of a shape that are not 1.
fn squeezed<T: Copy>(shape: &[i64], list: &[T]) -> Vec<T> {
    shape.iter().zip(list).filter(|(extent, _)| **extent != 1).map(|(_, &entry)| entry).collect()
}

/// A choice whose sides `fill` makes, full side first; it is told the yield that ends the side.
fn two_sides(
    b: &mut Builder<'_, '_>,
    op: OpId,
    condition: ValueId,
    types: &[Type],
    mut fill: impl FnMut(&mut Builder<'_, '_>, OpId, bool) -> CpuResult<()>,
) -> CpuResult<OpId> {
    let choice = b.if_else(condition, types, |_| Ok(Vec::new()), |_| Ok(Vec::new()))?;
    let resume = b.rw.insertion_point();
    for side in 0..2 {
        let end = b.body().region_entry(choice, side).and_then(|block| b.body().last_op(block));
        let Some(end) = end else {
            return fail(op, "malformed-op", "a choice without its sides");
        };
        b.at(InsertPoint::Before(end));
        fill(b, end, side == 0)?;
    }
    if let Some(resume) = resume {
        b.at(resume);
    }
    Ok(choice)
}

enum Full {
    /// Some size is known to be too small.
    Never,
    /// When this holds.
    When(ValueId),
}

/// When sizes fill a shape. At least one of them does not for sure.
fn full(b: &mut Builder<'_, '_>, shape: &[i64], sizes: &[Idx]) -> Full {
    let mut all: Option<ValueId> = None;
    for (&size, &extent) in sizes.iter().zip(shape) {
        match size {
            Idx::Const(c) if c < extent => return Full::Never,
            Idx::Const(_) => {}
            Idx::Value(size) => {
                let extent = b.index(extent);
                let equal = loops::compare(b, loops::EQ, size, extent);
                all = Some(match all {
                    None => equal,
                    Some(before) => b.value(
                        NewOp::new("arith.andi").operands([before, equal]).result(Type::int(1)),
                    ),
                });
            }
        }
    }
    match all {
        Some(condition) => Full::When(condition),
        None => Full::Never,
    }
}

fn shifted(b: &mut Builder<'_, '_>, place: &Place, index: &[i64]) -> Vec<Idx> {
    let mut out = Vec::new();
    for (&base, &offset) in place.base.iter().zip(index) {
        out.push(b.add(base, Idx::Const(offset)));
    }
    out
}

fn offset_by(b: &mut Builder<'_, '_>, place: &Place, index: &[Idx]) -> Vec<Idx> {
    let mut out = Vec::new();
    for (&base, &offset) in place.base.iter().zip(index) {
        out.push(b.add(base, offset));
    }
    out
}

fn load_element(b: &mut Builder<'_, '_>, place: &Place, index: &[i64]) -> ValueId {
    let index = shifted(b, place, index);
    access::load(b, place.memref, &index)
}
