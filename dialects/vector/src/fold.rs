//! Folds of vector ops.

use tegula_ir::text::dense_attr;
use tegula_ir::{Attr, AttrData, DYNAMIC, DenseData, FoldContext, FoldResult, Type};

type Folded = Option<Vec<FoldResult>>;

fn result_type(cx: &FoldContext<'_>) -> Option<Type> {
    cx.body.results(cx.op).next().map(|result| cx.body.ty(result))
}

/// A cast to the same type; a cast of a splat constant of the same elements.
pub(crate) fn same_type(cx: &FoldContext<'_>) -> Folded {
    let source = cx.body.operands(cx.op).next()?;
    let ty = result_type(cx)?;
    if cx.body.ty(source) == ty {
        return Some(vec![FoldResult::Value(source)]);
    }
    let constant = (*cx.constants.first()?)?;
    match constant.data() {
        AttrData::Dense { ty: from, data } if from.element() == ty.element() => {
            let data = data.clone();
            Some(vec![FoldResult::Attr(Attr::new(AttrData::Dense { ty, data }))])
        }
        _ => None,
    }
}

/// A broadcast of a constant, or to the same type.
pub(crate) fn broadcast(cx: &FoldContext<'_>) -> Folded {
    let source = cx.body.operands(cx.op).next()?;
    let ty = result_type(cx)?;
    if cx.body.ty(source) == ty {
        return Some(vec![FoldResult::Value(source)]);
    }
    let constant = (*cx.constants.first()?)?;
    let bytes = match constant.data() {
        AttrData::Dense { data: DenseData::Splat(one), .. } => one.to_vec(),
        AttrData::Dense { .. } => return None,
        _ => {
            let scalar = tegula_eval::Scalar::from_attr(constant)?;
            let mut bytes = vec![0; scalar.ty.bytes()];
            scalar.ty.store(scalar.bits, &mut bytes);
            bytes
        }
    };
    Some(vec![FoldResult::Attr(dense_attr(ty, bytes, true))])
}

/// An element or part of a splat constant, of a broadcast, of a list of elements; or everything.
pub(crate) fn extract(cx: &FoldContext<'_>) -> Folded {
    let source = cx.body.operands(cx.op).next()?;
    let ty = result_type(cx)?;
    let position = cx.body.attr(cx.op, "static_position")?.as_dense_array()?;
    if position.is_empty() && cx.body.ty(source) == ty {
        return Some(vec![FoldResult::Value(source)]);
    }
    if let Some(constant) = *cx.constants.first()?
        && let AttrData::Dense { data: DenseData::Splat(one), .. } = constant.data()
    {
        if ty.shape().is_some() {
            return Some(vec![FoldResult::Attr(dense_attr(ty, one.to_vec(), true))]);
        }
        let elem = tegula_eval::ScalarType::of(ty)?;
        let bits = elem.load(one.get(..elem.bytes())?);
        return Some(vec![FoldResult::Attr(tegula_eval::Scalar { ty: elem, bits }.to_attr(ty))]);
    }
    let maker = cx.body.defining_op(source)?;
    let value = match cx.body.name(maker).as_str() {
        "vector.broadcast" => cx.body.operands(maker).next().filter(|&v| cx.body.ty(v) == ty)?,
        "vector.from_elements" => {
            let shape = cx.body.ty(source).shape()?;
            if position.len() != shape.len() || position.iter().any(|&p| p == DYNAMIC || p < 0) {
                return None;
            }
            let at = position.iter().zip(shape).fold(0, |at, (&p, &size)| at * size + p);
            cx.body.operands(maker).nth(at as usize)?
        }
        _ => return None,
    };
    Some(vec![FoldResult::Value(value)])
}
