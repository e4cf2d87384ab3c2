//! The syntax of transfers.

use tegula_ir::text::{OpParser, OpPrinter, OpState, ParseResult, UnresolvedOperand};
use tegula_ir::{AffineExpr, AffineMap, Attr, OpId, Type, ValueId};

use tegula_dialect_affine::mixed::segment;

/// The map that takes the trailing dimensions of the base as they are, which text leaves out.
pub(crate) fn minor_identity(base_rank: usize, vector_rank: usize) -> AffineMap {
    let first = base_rank.saturating_sub(vector_rank) as u32;
    let results: Vec<AffineExpr> = (first..base_rank as u32).map(AffineExpr::dim).collect();
    AffineMap::get(base_rank as u32, 0, &results)
}

/// The type of the mask of a transfer: the dimensions that the vector takes from the base, in the
/// base's order.
pub(crate) fn mask_type(vector: Type, map: AffineMap) -> Type {
    let shape = vector.shape().unwrap_or(&[]);
    let mut dims: Vec<(u32, i64)> = map
        .results()
        .iter()
        .zip(shape)
        .filter_map(|(expr, &size)| Some((expr.as_dim()?, size)))
        .collect();
    dims.sort_by_key(|&(dim, _)| dim);
    let sizes: Vec<i64> = dims.into_iter().map(|(_, size)| size).collect();
    Type::vector(&sizes, Type::int(1))
}

/// The rank of the base that a map speaks of, and of the vector; elements that are vectors
/// themselves take part of the vector's rank.
fn default_map(base: Type, vector: Type) -> AffineMap {
    let inner = base.element().and_then(Type::shape).map_or(0, <[i64]>::len);
    let rank = vector.shape().map_or(0, <[i64]>::len).saturating_sub(inner);
    minor_identity(base.shape().map_or(0, <[i64]>::len), rank)
}

/// Fills in what text leaves out: the map and the bounds.
fn complete(state: &mut OpState, base: Type, vector: Type) -> AffineMap {
    let map = match state.get_attr("permutation_map").and_then(Attr::as_map) {
        Some(map) => map,
        None => {
            let map = default_map(base, vector);
            state.attr("permutation_map", Attr::map(map));
            map
        }
    };
    if state.get_attr("in_bounds").is_none() {
        let bounds = vec![Attr::bool(false); map.results().len()];
        state.attr("in_bounds", Attr::array(&bounds));
    }
    map
}

struct Common {
    base: UnresolvedOperand,
    indices: Vec<UnresolvedOperand>,
}

fn parse_base(p: &mut OpParser<'_>) -> ParseResult<Common> {
    Ok(Common { base: p.operand()?, indices: p.operands_in("[", "]")? })
}

/// Reads `%base[%i], %padding, %mask {…} : base, vector`.
pub(crate) fn parse_read(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let common = parse_base(p)?;
    p.expect(",")?;
    let padding = p.operand()?;
    let mask = if p.eat(",") { Some(p.operand()?) } else { None };
    p.attr_dict(state)?;
    let at = p.span();
    let types = p.colon_types()?;
    let &[base, vector] = types.as_slice() else {
        return Err(p.error_at(at, "requires two types"));
    };
    let (Some(element), Some(_)) = (base.element(), vector.shape()) else {
        return Err(p.error_at(at, "requires a shaped type and a vector type"));
    };
    let map = complete(state, base, vector);
    state.operands.push(p.resolve(common.base, base)?);
    state.operands.extend(p.resolve_same(&common.indices, Type::index())?);
    state.operands.push(p.resolve(padding, element)?);
    if let Some(mask) = mask {
        state.operands.push(p.resolve(mask, mask_type(vector, map))?);
    }
    state.operand_segments(&[1, common.indices.len(), 1, mask.iter().count()]);
    state.results.push(vector);
    Ok(())
}

/// Reads `%vector, %base[%i], %mask {…} : vector, base`.
pub(crate) fn parse_write(p: &mut OpParser<'_>, state: &mut OpState) -> ParseResult<()> {
    let value = p.operand()?;
    p.expect(",")?;
    let common = parse_base(p)?;
    let mask = if p.eat(",") { Some(p.operand()?) } else { None };
    p.attr_dict(state)?;
    let at = p.span();
    let types = p.colon_types()?;
    let &[vector, base] = types.as_slice() else {
        return Err(p.error_at(at, "requires two types"));
    };
    if vector.shape().is_none() || base.shape().is_none() {
        return Err(p.error_at(at, "requires a vector type and a shaped type"));
    }
    let map = complete(state, base, vector);
    state.operands.push(p.resolve(value, vector)?);
    state.operands.push(p.resolve(common.base, base)?);
    state.operands.extend(p.resolve_same(&common.indices, Type::index())?);
    if let Some(mask) = mask {
        state.operands.push(p.resolve(mask, mask_type(vector, map))?);
    }
    state.operand_segments(&[1, 1, common.indices.len(), mask.iter().count()]);
    if matches!(base.data(), tegula_ir::TypeData::RankedTensor { .. }) {
        state.results.push(base);
    }
    Ok(())
}

/// Prints the attributes without what goes without saying.
fn print_attrs(p: &mut OpPrinter<'_>, op: OpId, base: Type, vector: Type) {
    let body = p.body();
    let mut elided = Vec::new();
    let map = body.attr(op, "permutation_map").and_then(Attr::as_map);
    if map == Some(default_map(base, vector)) {
        elided.push("permutation_map");
    }
    let bounds = body.attr(op, "in_bounds").and_then(Attr::as_array).unwrap_or(&[]);
    if bounds.iter().all(|bound| bound.as_bool() == Some(false)) {
        elided.push("in_bounds");
    }
    p.attr_dict(op, &elided);
}

fn group(p: &OpPrinter<'_>, op: OpId, index: usize) -> Vec<ValueId> {
    segment(p.body(), op, index).unwrap_or_default()
}

/// Prints a read.
pub(crate) fn print_read(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let (Some(base), Some(vector)) = (body.operands(op).next(), body.results(op).next()) else {
        return;
    };
    p.write(" ");
    p.operand(base);
    p.write("[");
    p.operands(group(p, op, 1));
    p.write("]");
    for value in group(p, op, 2).into_iter().chain(group(p, op, 3)) {
        p.write(", ");
        p.operand(value);
    }
    print_attrs(p, op, body.ty(base), body.ty(vector));
    p.colon_types_of([base, vector]);
}

/// Prints a write.
pub(crate) fn print_write(p: &mut OpPrinter<'_>, op: OpId) {
    let body = p.body();
    let mut operands = body.operands(op);
    let (Some(vector), Some(base)) = (operands.next(), operands.next()) else { return };
    p.write(" ");
    p.operands([vector, base]);
    p.write("[");
    p.operands(group(p, op, 2));
    p.write("]");
    for mask in group(p, op, 3) {
        p.write(", ");
        p.operand(mask);
    }
    print_attrs(p, op, body.ty(base), body.ty(vector));
    p.colon_types_of([vector, base]);
}
