//! Folds of tensor ops whose tensors are constants.

use tegula_eval::{Scalar, ScalarType};
use tegula_ir::text::{dense_attr, dense_of};
use tegula_ir::{Attr, AttrData, DenseData, FoldContext, FoldResult, Type};

type Folded = Option<Vec<FoldResult>>;

/// The elements of a dense attribute in row-major order.
struct Elements {
    ty: Type,
    shape: &'static [i64],
    width: usize,
    bytes: Vec<u8>,
}

impl Elements {
    fn of(attr: Attr) -> Option<Elements> {
        let AttrData::Dense { ty, data } = attr.data() else { return None };
        let width = ScalarType::of(ty.element()?)?.bytes();
        let count = usize::try_from(ty.num_elements()?).ok()?;
        let bytes = match data {
            DenseData::Splat(one) => one.repeat(count),
            DenseData::Bytes(all) => all.to_vec(),
        };
        let shape = ty.shape()?;
        (bytes.len() == width * count).then_some(Elements { ty: *ty, shape, width, bytes })
    }

    /// Where the bytes of an element are; none outside of the tensor.
    fn place(&self, index: &[i64]) -> Option<std::ops::Range<usize>> {
        if index.len() != self.shape.len() {
            return None;
        }
        let mut at = 0;
        for (&index, &size) in index.iter().zip(self.shape) {
            if !(0..size).contains(&index) {
                return None;
            }
            at = at * usize::try_from(size).ok()? + usize::try_from(index).ok()?;
        }
        Some(at * self.width..(at + 1) * self.width)
    }

    fn attr(self) -> Attr {
        dense_attr(self.ty, self.bytes, false)
    }
}

/// The constants of a group of operands, all of them known.
fn constants(cx: &FoldContext<'_>, group: &str) -> Option<Vec<Attr>> {
    let range = cx.registry.operand_range(cx.body, cx.op, group)?;
    cx.constants.get(range)?.iter().copied().collect()
}

fn constant(cx: &FoldContext<'_>, operand: &str) -> Option<Attr> {
    constants(cx, operand)?.first().copied()
}

fn indices(cx: &FoldContext<'_>, group: &str) -> Option<Vec<i64>> {
    constants(cx, group)?.iter().map(|attr| attr.as_int()).collect()
}

/// The tensor of one element as a tensor without dimensions, and that element.
fn single(element: Attr, ty: Type) -> Option<Elements> {
    let scalar = Type::tensor(&[], ty.element()?, None);
    Elements::of(dense_of(scalar, &[element])?)
}

/// All positions of a shape in row-major order.
fn positions(shape: &[i64]) -> impl Iterator<Item = Vec<i64>> {
    let count = shape.iter().product::<i64>().max(0);
    (0..count).map(|number| {
        let mut left = number;
        let mut index: Vec<i64> = shape
            .iter()
            .rev()
            .map(|&size| {
                let at = left % size;
                left /= size;
                at
            })
            .collect();
        index.reverse();
        index
    })
}

fn shifted(index: &[i64], start: &[i64]) -> Option<Vec<i64>> {
    index.iter().zip(start).map(|(&a, &b)| a.checked_add(b)).collect()
}

/// An element of a constant.
pub(crate) fn load(cx: &FoldContext<'_>) -> Folded {
    let source = Elements::of(constant(cx, "source")?)?;
    let place = source.place(&indices(cx, "indices")?)?;
    let bytes = source.bytes.get(place)?;
    let ty = source.ty.element()?;
    let elem = ScalarType::of(ty)?;
    let scalar = Scalar { ty: elem, bits: elem.load(bytes) };
    Some(vec![FoldResult::Attr(scalar.to_attr(ty))])
}

/// A constant with an element that is known.
pub(crate) fn store(cx: &FoldContext<'_>) -> Folded {
    let mut target = Elements::of(constant(cx, "target")?)?;
    let value = single(constant(cx, "value")?, target.ty)?;
    let place = target.place(&indices(cx, "indices")?)?;
    target.bytes.get_mut(place)?.copy_from_slice(&value.bytes);
    Some(vec![FoldResult::Attr(target.attr())])
}

/// A part of a constant.
pub(crate) fn slice(cx: &FoldContext<'_>) -> Folded {
    let source = Elements::of(constant(cx, "source")?)?;
    let start = indices(cx, "start_indices")?;
    let lengths = indices(cx, "lengths")?;
    let ty = cx.body.ty(cx.body.results(cx.op).next()?);
    if ty.shape() != Some(&lengths) || start.len() != lengths.len() {
        return None;
    }
    let mut bytes = Vec::new();
    for index in positions(&lengths) {
        bytes.extend_from_slice(source.bytes.get(source.place(&shifted(&index, &start)?)?)?);
    }
    Some(vec![FoldResult::Attr(dense_attr(ty, bytes, false))])
}

/// A constant with a part of it replaced by another, and what replaces all of a tensor.
pub(crate) fn update(cx: &FoldContext<'_>) -> Folded {
    let known = constant(cx, "update").zip(constant(cx, "target"));
    if let Some(((update, target), start)) = known.zip(indices(cx, "start_indices")) {
        let (update, mut target) = (Elements::of(update)?, Elements::of(target)?);
        for (index, bytes) in positions(update.shape).zip(update.bytes.chunks(update.width)) {
            let place = target.place(&shifted(&index, &start)?)?;
            target.bytes.get_mut(place)?.copy_from_slice(bytes);
        }
        return Some(vec![FoldResult::Attr(target.attr())]);
    }
    let operand = |name: &str| cx.registry.operand_of(cx.body, cx.op, name);
    let (update, target) = (operand("update")?, operand("target")?);
    let ty = cx.body.ty(update);
    (ty == cx.body.ty(target) && ty.has_static_shape()).then(|| vec![FoldResult::Value(update)])
}
