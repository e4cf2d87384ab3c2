//! Rectangular slices of tensors and memrefs.

use tegula_ir::{Attr, AttrData, Body, DYNAMIC, NewOp, OpId, Type, TypeData, ValueId};

use crate::attrs;
use crate::builder::{Builder, Idx};

/// One dimension of a slice of stride 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Range {
    pub(crate) offset: Idx,
    pub(crate) size: Idx,
}

impl Range {
    /// All of a dimension.
    pub(crate) fn whole(extent: i64) -> Range {
        Range { offset: Idx::Const(0), size: Idx::Const(extent) }
    }
}

/// Whether the ranges cover a static shape.
pub(crate) fn covers(ranges: &[Range], shape: &[i64]) -> bool {
    ranges.iter().zip(shape).all(|(range, &extent)| *range == Range::whole(extent))
}

/// The offsets and sizes of a slice op, when all its strides are 1. `first` is the position of its
/// first offset operand among the operands.
pub(crate) fn ranges_of(body: &Body, op: OpId, first: usize) -> Option<Vec<Range>> {
    let list = |name: &str| body.attr(op, name).and_then(Attr::as_dense_array);
    if list("static_strides")?.iter().any(|&s| s != 1) {
        return None;
    }
    let mut dynamic = body.operands(op).skip(first);
    let mut read =
        |statics: &[i64]| -> Option<Vec<Idx>> {
            statics
                .iter()
                .map(|&s| {
                    if s == DYNAMIC { dynamic.next().map(Idx::Value) } else { Some(Idx::Const(s)) }
                })
                .collect()
        };
    let offsets = read(list("static_offsets")?)?;
    let sizes = read(list("static_sizes")?)?;
    Some(offsets.into_iter().zip(sizes).map(|(offset, size)| Range { offset, size }).collect())
}

/// Adds the offset, size and stride groups to a slice op that has `before` operand groups of one.
fn with_ranges(mut new: NewOp, before: usize, ranges: &[Range]) -> NewOp {
    let mut groups = vec![1; before];
    let indices = |pick: fn(&Range) -> Idx| -> Vec<Idx> { ranges.iter().map(pick).collect() };
    for (name, list) in
        [("static_offsets", indices(|r| r.offset)), ("static_sizes", indices(|r| r.size))]
    {
        let values = list.iter().filter_map(|i| match i {
            Idx::Value(v) => Some(*v),
            Idx::Const(_) => None,
        });
        let values: Vec<ValueId> = values.collect();
        groups.push(values.len());
        let statics: Vec<i64> = list.iter().map(|i| i.static_or_dynamic()).collect();
        new = new.operands(values).attr(name, Attr::i64_array(&statics));
    }
    groups.push(0);
    new.attr("static_strides", Attr::i64_array(&vec![1; ranges.len()]))
        .attr("operandSegmentSizes", attrs::segments(&groups))
}

/// The type of a slice of a tensor.
pub(crate) fn slice_type(source: Type, ranges: &[Range]) -> Type {
    let shape: Vec<i64> = ranges.iter().map(|r| r.size.static_or_dynamic()).collect();
    Type::tensor(&shape, source.element_or_self(), None)
}

/// A slice of a tensor; the tensor itself when the slice is all of it.
pub(crate) fn extract(b: &mut Builder<'_, '_>, source: ValueId, ranges: &[Range]) -> ValueId {
    let ty = b.body().ty(source);
    if covers(ranges, ty.shape().unwrap_or(&[])) {
        return source;
    }
    let new = NewOp::new("tensor.extract_slice").operand(source);
    let new = with_ranges(new, 1, ranges).result(slice_type(ty, ranges));
    b.value(new)
}

/// A tensor with one slice replaced.
pub(crate) fn insert(
    b: &mut Builder<'_, '_>,
    source: ValueId,
    dest: ValueId,
    ranges: &[Range],
) -> ValueId {
    let ty = b.body().ty(dest);
    if covers(ranges, ty.shape().unwrap_or(&[])) {
        return source;
    }
    let new = NewOp::new("tensor.insert_slice").operand(source).operand(dest);
    b.value(with_ranges(new, 2, ranges).result(ty))
}

/// A tensor whose contents do not matter, of the sizes of these ranges.
pub(crate) fn empty(b: &mut Builder<'_, '_>, element: Type, ranges: &[Range]) -> ValueId {
    let shape: Vec<i64> = ranges.iter().map(|r| r.size.static_or_dynamic()).collect();
    let dynamic = ranges.iter().filter_map(|r| match r.size {
        Idx::Value(v) => Some(v),
        Idx::Const(_) => None,
    });
    let dynamic: Vec<ValueId> = dynamic.collect();
    let ty = Type::tensor(&shape, element, None);
    b.value(NewOp::new("tensor.empty").operands(dynamic).result(ty))
}

/// The view of part of a memref; none when the ranges are not of its rank, or it has no strides.
pub(crate) fn view(b: &mut Builder<'_, '_>, buffer: ValueId, ranges: &[Range]) -> Option<ValueId> {
    let ty = b.body().ty(buffer);
    let (strides, base) = strided(ty).filter(|(strides, _)| strides.len() == ranges.len())?;
    let TypeData::MemRef { element, space, .. } = ty.data() else { return None };
    let known = ranges.iter().zip(&strides).try_fold(base, |at, (range, &stride)| {
        let offset = range.offset.constant()?;
        if at == DYNAMIC || stride == DYNAMIC { None } else { Some(at + offset * stride) }
    });
    let layout = AttrData::Strided { strides: strides.into(), offset: known.unwrap_or(DYNAMIC) };
    let shape: Vec<i64> = ranges.iter().map(|r| r.size.static_or_dynamic()).collect();
    let ty = Type::memref(&shape, *element, Some(Attr::new(layout)), *space);
    let new = NewOp::new("memref.subview").operand(buffer);
    Some(b.value(with_ranges(new, 1, ranges).result(ty)))
}

/// The strides and the offset of a memref in elements; none when the layout is no strided one.
pub(crate) fn strided(memref: Type) -> Option<(Vec<i64>, i64)> {
    let TypeData::MemRef { shape, layout, .. } = memref.data() else { return None };
    match layout.map(Attr::data) {
        None => {
            let mut strides = vec![1i64; shape.len()];
            for dim in (1..shape.len()).rev() {
                strides[dim - 1] = strides[dim].checked_mul(shape[dim])?;
            }
            Some((strides, 0))
        }
        Some(AttrData::Strided { strides, offset }) => Some((strides.to_vec(), *offset)),
        Some(_) => None,
    }
}

/// A static view of part of a memref, which may step over elements; none when it does not lie in
/// the memref.
pub(crate) fn static_subview(
    b: &mut Builder<'_, '_>,
    source: ValueId,
    offsets: &[i64],
    sizes: &[i64],
    steps: &[i64],
) -> Option<ValueId> {
    let ty = b.body().ty(source);
    let (strides, base) = strided(ty)?;
    let TypeData::MemRef { shape, element, space, .. } = ty.data() else { return None };
    let mut offset = Some(base).filter(|&o| o != DYNAMIC);
    for (dim, &stride) in strides.iter().enumerate() {
        let (first, size, step) = (offsets[dim], sizes[dim], steps[dim]);
        let last = (size - 1).checked_mul(step)?.checked_add(first)?;
        if first < 0 || size < 0 || step <= 0 || (size > 0 && last >= shape[dim]) {
            return None;
        }
        offset = match offset {
            Some(o) => Some(first.checked_mul(stride)?.checked_add(o)?),
            None => None,
        };
    }
    let view_strides: Vec<i64> = strides.iter().zip(steps).map(|(s, t)| s * t).collect();
    let layout =
        AttrData::Strided { strides: view_strides.into(), offset: offset.unwrap_or(DYNAMIC) };
    let view = Type::memref(sizes, *element, Some(Attr::new(layout)), *space);
    let new = NewOp::new("memref.subview")
        .operand(source)
        .attr("static_offsets", Attr::i64_array(offsets))
        .attr("static_sizes", Attr::i64_array(sizes))
        .attr("static_strides", Attr::i64_array(steps))
        .attr("operandSegmentSizes", attrs::segments(&[1, 0, 0, 0]))
        .result(view);
    Some(b.value(new))
}
