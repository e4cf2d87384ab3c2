//! Offsets, sizes and strides of slices that are constants.

use tegula_dialect_util::constants::constant_index;
use tegula_ir::{Attr, Body, DYNAMIC, InsertPoint, NewOp, OpId, Registry, Type, ValueId};
use tegula_rewrite::{Bound, Rewriter};

/// The lists of a slice: its values, and its constants.
const LISTS: [(&str, &str); 3] =
    [("offsets", "static_offsets"), ("sizes", "static_sizes"), ("strides", "static_strides")];

/// A list once its constant values are constants: the values that are left, and the constants.
type List = (Vec<ValueId>, Vec<i64>);

fn folded(registry: &Registry, body: &Body, op: OpId, list: (&str, &str)) -> Option<List> {
    let mut values = registry.operands_of(body, op, list.0).into_iter();
    let (mut left, mut constants) = (Vec::new(), Vec::new());
    for &entry in body.attr(op, list.1)?.as_dense_array()? {
        let value = if entry == DYNAMIC { Some(values.next()?) } else { None };
        let constant = value.map_or(Some(entry), |value| constant_index(body, value));
        left.extend(value.filter(|_| constant.is_none()));
        constants.push(constant.unwrap_or(DYNAMIC));
    }
    Some((left, constants))
}

/// The lists of a slice and the type that it has by them, when constants are among its values.
fn slice(rw: &mut Rewriter<'_>, op: OpId, ty: Type) -> Option<(Vec<List>, Type)> {
    let (registry, body) = (rw.registry, &*rw.body);
    let lists = LISTS.iter().map(|&list| folded(registry, body, op, list));
    let lists: Vec<List> = lists.collect::<Option<_>>()?;
    let before = LISTS.iter().map(|list| registry.operands_of(body, op, list.0).len());
    if lists.iter().map(|(values, _)| values.len()).eq(before) {
        rw.no_match(op, "none of its offsets, sizes and strides is a constant");
        return None;
    }
    let dropped = dropped(&lists[1].1, ty)?;
    let kept = lists[1].1.iter().zip(&dropped).filter(|(_, dropped)| !**dropped);
    let shape: Vec<i64> = kept.map(|(&size, _)| size).collect();
    Some((lists, Type::tensor(&shape, ty.element()?, None)))
}

/// Which dimensions of size one the type of a slice leaves out.
fn dropped(sizes: &[i64], ty: Type) -> Option<Vec<bool>> {
    let shape = ty.shape()?;
    let mut open = sizes.len().checked_sub(shape.len())?;
    let mut at = 0;
    let drops = |&size: &i64| {
        if open == 0 || size != 1 || shape.get(at) == Some(&1) {
            at += 1;
            return false;
        }
        open -= 1;
        true
    };
    Some(sizes.iter().map(drops).collect())
}

fn set_lists(rw: &mut Rewriter<'_>, op: OpId, lists: &[List]) {
    let registry = rw.registry;
    rw.modify(op, |body| {
        for ((values, constants), list) in LISTS.iter().zip(lists) {
            registry.set_operands_of(body, op, values, &list.0);
            body.set_attr(op, constants, Attr::i64_array(&list.1));
        }
    });
}

/// A load at constants has a type that says so.
pub(crate) fn load(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let result = rw.body.result(op, 0);
    let ty = rw.body.ty(result);
    let Some((lists, new_ty)) = slice(rw, op, ty) else { return false };
    set_lists(rw, op, &lists);
    if new_ty != ty {
        rw.set_type(result, new_ty);
        let cast = NewOp::new("tensor.cast").operand(result).result(ty);
        let at = InsertPoint::After(op);
        let cast = rw.insert(at, cast);
        let casted = rw.body.result(cast, 0);
        rw.replace_uses_if(result, casted, |body, slot| body.use_owner(slot) != cast);
    }
    true
}

/// A store at constants takes a value whose type says so.
pub(crate) fn store(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let value = rw.body.operand(op, 0);
    let ty = rw.body.ty(value);
    let Some((lists, new_ty)) = slice(rw, op, ty) else { return false };
    set_lists(rw, op, &lists);
    if new_ty != ty {
        let cast = NewOp::new("tensor.cast").operand(value).result(new_ty);
        let cast = rw.insert_value(InsertPoint::Before(op), cast);
        rw.set_operand(op, 0, cast);
    }
    true
}

/// Whether a type says all of a shape that another says.
pub(crate) fn preserves(ty: Type, other: Type) -> bool {
    let (Some(shape), Some(said)) = (ty.shape(), other.shape()) else { return false };
    shape.len() == said.len()
        && ty.element() == other.element()
        && ty.encoding() == other.encoding()
        && shape.iter().zip(said).all(|(&size, &said)| size != DYNAMIC || said == DYNAMIC)
}

/// Whether a shape is that of slices of these sizes, which may leave out sizes of one.
pub(crate) fn is_reduced(sizes: &[i64], shape: &[i64]) -> bool {
    let mut left = shape.iter().peekable();
    sizes.iter().all(|size| left.next_if_eq(&size).is_some() || *size == 1) && left.next().is_none()
}

/// Whether a value may be stored in place of what it is cast to: its type says as much, and fits
/// the sizes of the slice.
pub(crate) fn knows_more(_: &Registry, _: &Body, bound: &[Bound]) -> bool {
    let [ty, cast, sizes] = bound else { return false };
    let sizes = sizes.attr().and_then(Attr::as_dense_array);
    let (Some(ty), Some(cast), Some(sizes)) = (ty.ty(), cast.ty(), sizes) else { return false };
    preserves(ty, cast) && ty.shape().is_some_and(|shape| is_reduced(sizes, shape))
}
