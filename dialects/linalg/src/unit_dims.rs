//! Loops that run once: what an op's iteration space and operands are without them.

use tegula_dialect_tensor::reshape::{groups_behind, with_dims};
use tegula_ir::{AffineExpr, AffineMap, Attr, AttrData, Body, DYNAMIC, OpId, Registry, Type};

use crate::structure::{Structure, structure};

/// An op without the loops that run once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dropped {
    /// The iteration space.
    pub structure: Structure,
    /// For each operand which of its dimensions are merged; none when it stays.
    pub merged: Vec<Option<Vec<Vec<usize>>>>,
    /// The types of the operands.
    pub types: Vec<Type>,
    /// For each loop its number; none when it is gone.
    pub loops: Vec<Option<u32>>,
}

/// What the op is without the loops of extent one. None when nothing changes, when the operands'
/// shapes don't tell the loops' extents, and when an operand has an encoding that depends on its
/// shape.
pub(crate) fn drop_unit_dims(registry: &Registry, body: &Body, op: OpId) -> Option<Dropped> {
    let old = structure(body, op)?;
    let types: Vec<Type> = body.operands(op).map(|value| body.ty(value)).collect();
    if types.len() != old.maps.len() || nested_index(body, op) {
        return None;
    }
    let unit: Vec<bool> = extents(&old, &types)?.into_iter().map(|extent| extent == 1).collect();
    let mut new = Dropped {
        structure: Structure { maps: Vec::new(), parallel: kept(&old.parallel, &unit) },
        merged: Vec::new(),
        types: Vec::new(),
        loops: numbers(&unit),
    };
    for (&ty, &map) in types.iter().zip(&old.maps) {
        let Some(shape) = ty.shape() else {
            new.structure.maps.push(map.drop_dims(&unit));
            new.merged.push(None);
            new.types.push(ty);
            continue;
        };
        let is_unit = |position: usize| {
            let first = map.results().get(position).is_some_and(|&expr| is_first(expr, &unit));
            first && shape.get(position) == Some(&1)
        };
        let left: Vec<usize> = (0..shape.len()).filter(|&position| !is_unit(position)).collect();
        new.structure.maps.push(map.sub_map(&left).drop_dims(&unit));
        if left.len() == shape.len() {
            new.merged.push(None);
            new.types.push(ty);
        } else {
            new.merged.push(Some(groups_behind(shape.len(), &left)));
            new.types.push(without_units(registry, ty, &left)?);
        }
    }
    let changed = new.structure != old;
    (changed && concatenated(&new.structure.maps).inverse_permutation().is_some()).then_some(new)
}

/// Whether the iteration number is asked for in a region of a region, where it stays.
fn nested_index(body: &Body, op: OpId) -> bool {
    body.walk(op).any(|inner| body.is(inner, "linalg.index") && body.parent_op(inner) != Some(op))
}

/// The extents of the loops, by the first dimension of an operand that a loop is alone.
fn extents(structure: &Structure, types: &[Type]) -> Option<Vec<i64>> {
    let sizes: Vec<i64> = types
        .iter()
        .zip(&structure.maps)
        .flat_map(|(ty, map)| {
            let shape = ty.shape().unwrap_or(&[]);
            (0..map.results().len()).map(|at| shape.get(at).copied().unwrap_or(DYNAMIC))
        })
        .collect();
    let inverse = concatenated(&structure.maps).inverse_permutation()?;
    let size = |expr: &AffineExpr| sizes.get(expr.as_dim()? as usize).copied();
    inverse.results().iter().map(size).collect()
}

/// The results of all maps, one after the other.
fn concatenated(maps: &[AffineMap]) -> AffineMap {
    let results: Vec<AffineExpr> = maps.iter().flat_map(|map| map.results()).copied().collect();
    AffineMap::get(maps.first().map_or(0, |map| map.dims()), 0, &results)
}

/// Whether an index is always the first.
fn is_first(expr: AffineExpr, unit: &[bool]) -> bool {
    match expr.as_dim() {
        Some(dim) => unit.get(dim as usize) == Some(&true),
        None => expr.as_constant() == Some(0),
    }
}

fn kept(parallel: &[bool], unit: &[bool]) -> Vec<bool> {
    parallel.iter().zip(unit).filter(|&(_, &unit)| !unit).map(|(&parallel, _)| parallel).collect()
}

fn numbers(unit: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0;
    let mut number = |&unit: &bool| {
        if unit {
            return None;
        }
        next += 1;
        Some(next - 1)
    };
    unit.iter().map(&mut number).collect()
}

/// A tensor type with only these dimensions. Of encodings only those can stay that fit any shape.
fn without_units(registry: &Registry, ty: Type, left: &[usize]) -> Option<Type> {
    let fits = ty.encoding().is_none_or(|encoding| fits_any_shape(registry, encoding));
    with_dims(ty, left).filter(|_| fits)
}

fn fits_any_shape(registry: &Registry, encoding: Attr) -> bool {
    let AttrData::Dialect { name, .. } = encoding.data() else { return false };
    let def = registry.attr(name.as_str());
    def.is_some_and(|(_, def)| def.traits.iter().any(|name| name == "EncodingOfAnyShape"))
}
