//! Groups of dimensions that reshapes merge and split.

use tegula_ir::{Attr, Body, DYNAMIC, InsertPoint, NewOp, OpId, Type, TypeData};
use tegula_rewrite::Rewriter;

/// The groups of dimensions that become those which are left: each takes the ones behind it, and
/// the first those before it as well.
pub fn groups_behind(rank: usize, left: &[usize]) -> Vec<Vec<usize>> {
    (0..left.len())
        .map(|at| {
            let from = if at == 0 { 0 } else { left[at] };
            let to = left.get(at + 1).copied().unwrap_or(rank);
            (from..to).collect()
        })
        .collect()
}

/// The groups of dimensions that become those which are left: each takes the ones before it, and
/// the last those behind it as well.
pub(crate) fn groups_before(rank: usize, left: &[usize]) -> Vec<Vec<usize>> {
    (0..left.len())
        .map(|at| {
            let from = if at == 0 { 0 } else { left[at - 1] + 1 };
            let to = if at + 1 == left.len() { rank } else { left[at] + 1 };
            (from..to).collect()
        })
        .collect()
}

/// Groups of dimensions as reshapes have them.
pub fn reassociation(groups: &[Vec<usize>]) -> Attr {
    let group = |dims: &Vec<usize>| {
        Attr::array(&dims.iter().map(|&dim| Attr::i64(dim as i64)).collect::<Vec<_>>())
    };
    Attr::array(&groups.iter().map(group).collect::<Vec<_>>())
}

/// A tensor type with only these dimensions.
pub fn with_dims(ty: Type, left: &[usize]) -> Option<Type> {
    let TypeData::RankedTensor { shape, element, encoding } = ty.data() else { return None };
    let sizes: Option<Vec<i64>> = left.iter().map(|&at| shape.get(at).copied()).collect();
    Some(Type::tensor(&sizes?, *element, *encoding))
}

/// The dimensions that are not known to be of size one; none when all are such.
pub(crate) fn long_dims(ty: Type) -> Option<Vec<usize>> {
    let shape = ty.shape()?;
    let long: Vec<usize> = (0..shape.len()).filter(|&dim| shape[dim] != 1).collect();
    (long.len() != shape.len()).then_some(long)
}

/// Dimensions of size one that one reshape adds and the next one merges with others need not be
/// added.
pub(crate) fn drop_units_between(rewriter: &mut Rewriter<'_>, collapse: OpId) -> bool {
    let body = &*rewriter.body;
    let expand = body.defining_op(body.operand(collapse, 0));
    let Some(expand) = expand.filter(|&op| body.is(op, "tensor.expand_shape")) else {
        return false;
    };
    let (Some(split), Some(merged)) = (groups_of(body, expand), groups_of(body, collapse)) else {
        return false;
    };
    let source = body.operand(expand, 0);
    let (between, to) = (body.ty(body.result(expand, 0)), body.ty(body.result(collapse, 0)));
    let (Some(shape), Some(out)) = (between.shape(), to.shape()) else { return false };
    let dropped = dropped_between(shape, out, &split, &merged);
    let left: Vec<usize> = (0..shape.len()).filter(|&dim| !dropped[dim]).collect();
    let Some(ty) = with_dims(between, &left).filter(|_| left.len() < shape.len()) else {
        return false;
    };
    let dynamic: Vec<_> = body.operands(expand).skip(1).collect();
    let (split, merged) = (renumbered(&split, &dropped), renumbered(&merged, &dropped));
    let at = InsertPoint::Before(collapse);
    let mut value = source;
    if split.is_empty() && !left.is_empty() || split.iter().any(|group| group.len() > 1) {
        let sizes: Vec<i64> = left.iter().map(|&dim| shape[dim]).collect();
        let new = NewOp::new("tensor.expand_shape")
            .operand(value)
            .operands(dynamic)
            .attr("reassociation", reassociation(&split))
            .attr("static_output_shape", Attr::i64_array(&sizes))
            .loc(rewriter.body.loc(expand));
        value = rewriter.insert_value(at, new.result(ty));
    }
    if merged.iter().any(|group| group.len() > 1) {
        let new = NewOp::new("tensor.collapse_shape")
            .operand(value)
            .attr("reassociation", reassociation(&merged))
            .loc(rewriter.body.loc(collapse));
        value = rewriter.insert_value(at, new.result(to));
    }
    rewriter.replace(collapse, &[value]);
    true
}

/// Which dimensions need not be there: a size stays one by its first, and a split gives something.
fn dropped_between(
    shape: &[i64],
    out: &[i64],
    split: &[Vec<usize>],
    merged: &[Vec<usize>],
) -> Vec<bool> {
    let mut dropped = vec![false; shape.len()];
    for (group, &size) in merged.iter().zip(out) {
        for (at, &dim) in group.iter().enumerate() {
            let needed = at == 0 && (size == 1 || group.len() == 1);
            dropped[dim] = shape[dim] == 1 && !needed;
        }
    }
    for group in split {
        if let Some(&first) = group.first().filter(|_| group.iter().all(|&dim| dropped[dim])) {
            dropped[first] = false;
        }
    }
    dropped
}

/// Groups without what is dropped; those of which nothing is left go.
fn renumbered(groups: &[Vec<usize>], dropped: &[bool]) -> Vec<Vec<usize>> {
    let mut next = 0..;
    groups
        .iter()
        .map(|group| {
            let left = group.iter().filter(|&&dim| !dropped[dim]).count();
            next.by_ref().take(left).collect()
        })
        .filter(|group: &Vec<usize>| !group.is_empty())
        .collect()
}

fn groups_of(body: &Body, op: OpId) -> Option<Vec<Vec<usize>>> {
    let rank =
        body.ty(body.result(op, 0)).shape()?.len().max(body.ty(body.operand(op, 0)).shape()?.len());
    let group = |attr: &Attr| -> Option<Vec<usize>> {
        let dims = attr.as_array()?.iter().map(|dim| usize::try_from(dim.as_int()?).ok());
        dims.map(|dim| dim.filter(|&dim| dim < rank)).collect()
    };
    body.attr(op, "reassociation")?.as_array()?.iter().map(group).collect()
}

/// The dimensions whose size is not known, as attributes.
pub(crate) fn dynamic_dims(shape: &[i64]) -> Attr {
    let dynamic: Vec<usize> = (0..shape.len()).filter(|&dim| shape[dim] == DYNAMIC).collect();
    dims_attr(&dynamic)
}

/// Dimensions as attributes.
pub(crate) fn dims_attr(dims: &[usize]) -> Attr {
    Attr::array(&dims.iter().map(|&dim| Attr::index(dim as i64)).collect::<Vec<_>>())
}
