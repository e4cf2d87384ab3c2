//! Folds of tensor ops.

use tegula_dialect_affine::mixed::{Mixed, mixed_segment};
use tegula_ir::text::dense_attr;
use tegula_ir::{Attr, AttrData, DYNAMIC, DenseData, FoldContext, FoldResult, Type};

type Folded = Option<Vec<FoldResult>>;

fn operand(cx: &FoldContext<'_>, index: usize) -> Option<tegula_ir::ValueId> {
    cx.body.operands(cx.op).nth(index)
}

fn result_type(cx: &FoldContext<'_>) -> Option<Type> {
    cx.body.results(cx.op).next().map(|result| cx.body.ty(result))
}

/// A size that the type states, or that the op which makes the tensor was given.
pub(crate) fn dim(cx: &FoldContext<'_>) -> Folded {
    let body = cx.body;
    let source = operand(cx, 0)?;
    let shape = body.ty(source).shape()?;
    let index = usize::try_from((*cx.constants.get(1)?)?.as_int()?).ok()?;
    let size = *shape.get(index)?;
    if size != DYNAMIC {
        return Some(vec![FoldResult::Attr(Attr::index(size))]);
    }
    let maker = body.defining_op(source)?;
    let dynamic = shape[..index].iter().filter(|&&size| size == DYNAMIC).count();
    let value = match body.name(maker).as_str() {
        "tensor.empty" | "tensor.generate" => body.operands(maker).nth(dynamic)?,
        "tensor.extract_slice" => {
            // Only without dropped dimensions is the number of the dimension that of the size.
            let sizes = mixed_segment(body, maker, "static_sizes", 2)?;
            match sizes.get(index).filter(|_| sizes.len() == shape.len())? {
                Mixed::Value(value) => *value,
                Mixed::Constant(size) => {
                    return Some(vec![FoldResult::Attr(Attr::index(*size))]);
                }
            }
        }
        _ => return None,
    };
    Some(vec![FoldResult::Value(value)])
}

/// The rank that the type states.
pub(crate) fn rank(cx: &FoldContext<'_>) -> Folded {
    let rank = cx.body.ty(operand(cx, 0)?).shape()?.len() as i64;
    Some(vec![FoldResult::Attr(Attr::index(rank))])
}

/// A cast to the same type, or back to the type that another cast came from.
pub(crate) fn cast(cx: &FoldContext<'_>) -> Folded {
    let source = operand(cx, 0)?;
    let ty = result_type(cx)?;
    if cx.body.ty(source) == ty {
        return Some(vec![FoldResult::Value(source)]);
    }
    let inner = cx.body.defining_op(source)?;
    if !cx.body.is(inner, cx.body.name(cx.op).as_str()) {
        return None;
    }
    let original = cx.body.operands(inner).next()?;
    (cx.body.ty(original) == ty).then(|| vec![FoldResult::Value(original)])
}

/// An element of a constant or of a splat.
pub(crate) fn extract(cx: &FoldContext<'_>) -> Folded {
    let tensor = operand(cx, 0)?;
    if let Some(maker) = cx.body.defining_op(tensor)
        && cx.body.is(maker, "tensor.splat")
    {
        return Some(vec![FoldResult::Value(cx.body.operands(maker).next()?)]);
    }
    let constant = (*cx.constants.first()?)?;
    let AttrData::Dense { ty, data } = constant.data() else { return None };
    let elem = tegula_eval::ScalarType::of(ty.element()?)?;
    let bytes: &[u8] = match data {
        DenseData::Splat(one) => one,
        DenseData::Bytes(all) => {
            let mut at = 0i64;
            for (index, &size) in cx.constants[1..].iter().zip(ty.shape()?) {
                let index = (*index)?.as_int().filter(|i| (0..size).contains(i))?;
                at = at * size + index;
            }
            all.get(at as usize * elem.bytes()..)?
        }
    };
    let scalar = tegula_eval::Scalar { ty: elem, bits: elem.load(bytes.get(..elem.bytes())?) };
    Some(vec![FoldResult::Attr(scalar.to_attr(ty.element()?))])
}

/// A splat of a constant.
pub(crate) fn splat(cx: &FoldContext<'_>) -> Folded {
    let ty = result_type(cx).filter(|ty| ty.has_static_shape())?;
    let scalar = tegula_eval::Scalar::from_attr((*cx.constants.first()?)?)?;
    let mut bytes = vec![0; scalar.ty.bytes()];
    scalar.ty.store(scalar.bits, &mut bytes);
    Some(vec![FoldResult::Attr(dense_attr(ty, bytes, true))])
}

/// Whether a slice with these lists is all of a tensor of that static shape.
fn is_whole(cx: &FoldContext<'_>, whole: Type) -> bool {
    let list = |name: &str| cx.body.attr(cx.op, name).and_then(Attr::as_dense_array);
    let Some(shape) = whole.shape().filter(|_| whole.has_static_shape()) else { return false };
    list("static_offsets").is_some_and(|offsets| offsets.iter().all(|&o| o == 0))
        && list("static_strides").is_some_and(|strides| strides.iter().all(|&s| s == 1))
        && list("static_sizes") == Some(shape)
}

/// A slice that is all of its source, a slice of a splat constant, and what was just inserted.
pub(crate) fn extract_slice(cx: &FoldContext<'_>) -> Folded {
    let source = operand(cx, 0)?;
    let (from, ty) = (cx.body.ty(source), result_type(cx)?);
    if from == ty && is_whole(cx, from) {
        return Some(vec![FoldResult::Value(source)]);
    }
    if let Some(constant) = (*cx.constants.first()?).filter(|_| ty.has_static_shape())
        && let AttrData::Dense { data: DenseData::Splat(one), .. } = constant.data()
    {
        return Some(vec![FoldResult::Attr(dense_attr(ty, one.to_vec(), true))]);
    }
    let inserted = cx.body.defining_op(source)?;
    if !cx.body.is(inserted, "tensor.insert_slice") {
        return None;
    }
    let part = cx.body.operands(inserted).next()?;
    let lists = [("static_offsets", 1), ("static_sizes", 2), ("static_strides", 3)];
    let same = lists.iter().all(|&(name, group)| {
        mixed_segment(cx.body, cx.op, name, group)
            == mixed_segment(cx.body, inserted, name, group + 1)
    });
    (same && cx.body.ty(part) == ty).then(|| vec![FoldResult::Value(part)])
}

/// An insertion that replaces everything, or puts back what was taken from the same place.
pub(crate) fn insert_slice(cx: &FoldContext<'_>) -> Folded {
    let (source, dest) = (operand(cx, 0)?, operand(cx, 1)?);
    let ty = result_type(cx)?;
    if cx.body.ty(source) == ty && is_whole(cx, ty) {
        return Some(vec![FoldResult::Value(source)]);
    }
    let taken = cx.body.defining_op(source)?;
    if !cx.body.is(taken, "tensor.extract_slice") || cx.body.operands(taken).next() != Some(dest) {
        return None;
    }
    let lists = [("static_offsets", 1), ("static_sizes", 2), ("static_strides", 3)];
    let same = lists.iter().all(|&(name, group)| {
        mixed_segment(cx.body, taken, name, group) == mixed_segment(cx.body, cx.op, name, group + 1)
    });
    same.then(|| vec![FoldResult::Value(dest)])
}

/// A reshape to the same type, one that undoes another, and one of a splat constant.
pub(crate) fn reshape(cx: &FoldContext<'_>) -> Folded {
    let source = operand(cx, 0)?;
    let ty = result_type(cx)?;
    if cx.body.ty(source) == ty && ty.has_static_shape() {
        return Some(vec![FoldResult::Value(source)]);
    }
    if let Some(constant) = (*cx.constants.first()?).filter(|_| ty.has_static_shape())
        && let AttrData::Dense { data, .. } = constant.data()
    {
        return Some(vec![FoldResult::Attr(Attr::new(AttrData::Dense { ty, data: data.clone() }))]);
    }
    let inner = cx.body.defining_op(source)?;
    let undoes = match cx.body.name(cx.op).as_str() {
        "tensor.expand_shape" => "tensor.collapse_shape",
        _ => "tensor.expand_shape",
    };
    if !cx.body.is(inner, undoes)
        || cx.body.attr(inner, "reassociation") != cx.body.attr(cx.op, "reassociation")
    {
        return None;
    }
    let original = cx.body.operands(inner).next()?;
    (cx.body.ty(original) == ty).then(|| vec![FoldResult::Value(original)])
}
