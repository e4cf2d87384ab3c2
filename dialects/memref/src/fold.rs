//! Folds of views of memory.

use tegula_ir::{Attr, DYNAMIC, FoldContext, FoldResult};

type Folded = Option<Vec<FoldResult>>;

/// A size that the type states, or that the allocation was given.
pub(crate) fn dim(cx: &FoldContext<'_>) -> Folded {
    let source = cx.body.operands(cx.op).next()?;
    let shape = cx.body.ty(source).shape()?;
    let index = usize::try_from((*cx.constants.get(1)?)?.as_int()?).ok()?;
    let size = *shape.get(index)?;
    if size != DYNAMIC {
        return Some(vec![FoldResult::Attr(Attr::index(size))]);
    }
    let maker = cx.body.defining_op(source)?;
    if !matches!(cx.body.name(maker).as_str(), "memref.alloc" | "memref.alloca") {
        return None;
    }
    let dynamic = shape[..index].iter().filter(|&&size| size == DYNAMIC).count();
    Some(vec![FoldResult::Value(cx.body.operands(maker).nth(dynamic)?)])
}

/// A cast to the same type.
pub(crate) fn cast(cx: &FoldContext<'_>) -> Folded {
    let source = cx.body.operands(cx.op).next()?;
    let result = cx.body.results(cx.op).next()?;
    (cx.body.ty(source) == cx.body.ty(result)).then(|| vec![FoldResult::Value(source)])
}

/// A subview that is all of its source.
pub(crate) fn subview(cx: &FoldContext<'_>) -> Folded {
    let source = cx.body.operands(cx.op).next()?;
    let ty = cx.body.ty(source);
    let result = cx.body.results(cx.op).next()?;
    let list = |name: &str| cx.body.attr(cx.op, name).and_then(Attr::as_dense_array);
    let whole = cx.body.ty(result) == ty
        && ty.has_static_shape()
        && list("static_offsets")?.iter().all(|&offset| offset == 0)
        && list("static_strides")?.iter().all(|&stride| stride == 1)
        && list("static_sizes") == ty.shape();
    whole.then(|| vec![FoldResult::Value(source)])
}
