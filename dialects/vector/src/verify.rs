//! What must hold of vector ops.

use tegula_ir::{AffineMap, Attr, Body, DYNAMIC, OpId, Registry, Type, TypeData, ValueId};

use crate::combine::{combine, kind_of};

fn operand(body: &Body, op: OpId, index: usize) -> Option<Type> {
    body.operands(op).nth(index).map(|value| body.ty(value))
}

fn result(body: &Body, op: OpId) -> Option<Type> {
    body.results(op).next().map(|value| body.ty(value))
}

fn shape(ty: Type) -> &'static [i64] {
    ty.shape().unwrap_or(&[])
}

fn list(body: &Body, op: OpId, name: &str) -> Vec<i64> {
    let attr = body.attr(op, name);
    let values = attr.and_then(|attr| match attr.as_dense_array() {
        Some(values) => Some(values.to_vec()),
        None => attr.as_array()?.iter().map(|item| item.as_int()).collect(),
    });
    values.unwrap_or_default()
}

fn is_vector(ty: Type) -> bool {
    matches!(ty.data(), TypeData::Vector { .. })
}

fn same_element(a: Type, b: Type) -> Result<(), String> {
    if a.element_or_self() != b.element_or_self() {
        return Err(format!("element types of {a} and {b} differ"));
    }
    Ok(())
}

/// The source's dimensions are the result's trailing ones, or of size one.
pub(crate) fn broadcast(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(from), Some(to)) = (operand(body, op, 0), result(body, op)) else { return Ok(()) };
    same_element(from, to)?;
    if from.is_shaped() && !is_vector(from) {
        return Err("source type is not a vector".to_owned());
    }
    let Some(skip) = shape(to).len().checked_sub(shape(from).len()) else {
        return Err("source rank higher than destination rank".to_owned());
    };
    let fits = shape(from).iter().zip(&shape(to)[skip..]).all(|(&f, &t)| f == t || f == 1);
    if fits { Ok(()) } else { Err(format!("dimension mismatch ({from} to {to})")) }
}

/// The position leaves the dimensions of the part.
fn position(body: &Body, op: OpId, whole: Type, part: Type) -> Result<(), String> {
    let position = list(body, op, "static_position");
    same_element(whole, part)?;
    let Some(rest) = shape(whole).get(position.len()..) else {
        return Err("expected position attribute of no more than the rank of the vector".to_owned());
    };
    if rest.is_empty() && is_vector(part) && shape(part).is_empty() {
        return Err("expected a scalar instead of a 0-d vector".to_owned());
    }
    if part.is_shaped() && !is_vector(part) {
        return Err(format!("position leaves a part of a vector, not {part}"));
    }
    if rest != shape(part) && !(rest.is_empty() && shape(part) == [1]) {
        return Err(format!("position leaves a part of shape {rest:?}, not {part}"));
    }
    let outside = position
        .iter()
        .zip(shape(whole))
        .position(|(&p, &size)| p != DYNAMIC && !(-1..size).contains(&p));
    match outside {
        Some(dim) => Err(format!(
            "expected position attribute #{} to be a non-negative integer smaller than the \
             corresponding vector dimension or poison (-1)",
            dim + 1
        )),
        None => Ok(()),
    }
}

pub(crate) fn extract(body: &Body, op: OpId) -> Result<(), String> {
    match (operand(body, op, 0), result(body, op)) {
        (Some(whole), Some(part)) => position(body, op, whole, part),
        _ => Ok(()),
    }
}

pub(crate) fn insert(body: &Body, op: OpId) -> Result<(), String> {
    match (operand(body, op, 1), operand(body, op, 0)) {
        (Some(whole), Some(part)) => position(body, op, whole, part),
        _ => Ok(()),
    }
}

pub(crate) fn shuffle(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(a), Some(b), Some(to)) =
        (operand(body, op, 0), operand(body, op, 1), result(body, op))
    else {
        return Ok(());
    };
    let rows = |ty: Type| shape(ty).first().copied().unwrap_or(1);
    let mask = list(body, op, "mask");
    if mask.iter().any(|&choice| choice < -1 || choice >= rows(a) + rows(b)) {
        return Err("mask index out of range".to_owned());
    }
    if shape(a).get(1..) != shape(b).get(1..) || shape(to).get(1..) != shape(a).get(1..) {
        return Err("dimension mismatch".to_owned());
    }
    if rows(to) != mask.len() as i64 {
        return Err("mask length mismatch".to_owned());
    }
    same_element(a, to)?;
    same_element(a, b)
}

/// The result is twice as long as each of the two.
pub(crate) fn interleave(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(from), Some(to)) = (operand(body, op, 0), result(body, op)) else { return Ok(()) };
    let mut wanted = shape(from).to_vec();
    match wanted.last_mut() {
        Some(last) => *last = last.saturating_mul(2),
        None => wanted.push(2),
    }
    if wanted != shape(to) {
        return Err(
            "failed to verify that type of 'result' is double the width of the inputs".to_owned()
        );
    }
    same_element(from, to)
}

/// The box lies inside of the whole, dimension by dimension.
fn inside(whole: &[i64], offsets: &[i64], sizes: &[i64]) -> Result<(), String> {
    let skip = offsets.len().saturating_sub(sizes.len());
    for (dim, &offset) in offsets.iter().enumerate() {
        let size = dim.checked_sub(skip).and_then(|d| sizes.get(d)).copied().unwrap_or(1);
        let limit = whole.get(dim).copied().unwrap_or(0);
        if offset < 0 || size < 0 || offset + size > limit {
            return Err(format!(
                "expected offsets and sizes of dimension {dim} to stay within {limit}"
            ));
        }
    }
    Ok(())
}

pub(crate) fn extract_strided_slice(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(from), Some(to)) = (operand(body, op, 0), result(body, op)) else { return Ok(()) };
    let (offsets, sizes) = (list(body, op, "offsets"), list(body, op, "sizes"));
    let strides = list(body, op, "strides");
    if offsets.len() != sizes.len() || offsets.len() != strides.len() {
        return Err("expected offsets, sizes and strides attributes of same size".to_owned());
    }
    if strides.iter().any(|&stride| stride != 1) {
        return Err("expected strides to be 1".to_owned());
    }
    inside(shape(from), &offsets, &sizes)?;
    let mut wanted = sizes.clone();
    wanted.extend(shape(from).iter().skip(sizes.len()));
    if wanted != shape(to) {
        return Err(format!("expected result type of shape {wanted:?}, got {to}"));
    }
    same_element(from, to)
}

pub(crate) fn insert_strided_slice(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(part), Some(whole)) = (operand(body, op, 0), operand(body, op, 1)) else {
        return Ok(());
    };
    let (offsets, strides) = (list(body, op, "offsets"), list(body, op, "strides"));
    if offsets.len() != shape(whole).len() {
        return Err("expected offsets of same size as destination vector rank".to_owned());
    }
    if strides.len() != shape(part).len() {
        return Err("expected strides of same size as source vector rank".to_owned());
    }
    if strides.iter().any(|&stride| stride != 1) {
        return Err("expected strides to be 1".to_owned());
    }
    inside(shape(whole), &offsets, shape(part))?;
    same_element(part, whole)
}

pub(crate) fn shape_cast(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(from), Some(to)) = (operand(body, op, 0), result(body, op)) else { return Ok(()) };
    if from.num_elements() != to.num_elements() {
        return Err("has different source and result element counts".to_owned());
    }
    same_element(from, to)
}

pub(crate) fn bitcast(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(from), Some(to)) = (operand(body, op, 0), result(body, op)) else { return Ok(()) };
    if shape(from).len() != shape(to).len() {
        return Err("failed to verify that all of {source, result} have same rank".to_owned());
    }
    let bits = |ty: Type| {
        let width = i64::from(ty.element()?.bit_width()?);
        ty.num_elements()?.checked_mul(width)
    };
    if bits(from) != bits(to) {
        return Err("source/result bitwidth must be equal".to_owned());
    }
    Ok(())
}

pub(crate) fn transpose(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(from), Some(to)) = (operand(body, op, 0), result(body, op)) else { return Ok(()) };
    let permutation = list(body, op, "permutation");
    let mut seen = permutation.clone();
    seen.sort_unstable();
    if seen.iter().copied().ne(0..shape(from).len() as i64) {
        return Err("transposition must be a permutation of the dimensions".to_owned());
    }
    let wanted: Vec<i64> = permutation.iter().map(|&p| shape(from)[p as usize]).collect();
    if wanted != shape(to) {
        return Err(format!("dimension mismatch: expected shape {wanted:?}, got {to}"));
    }
    same_element(from, to)
}

/// There is a value of the element type for each element.
fn elements(
    body: &Body,
    ty: Option<Type>,
    values: impl Iterator<Item = ValueId>,
) -> Result<(), String> {
    let Some(ty) = ty else { return Ok(()) };
    let types: Vec<Type> = values.map(|value| body.ty(value)).collect();
    if let Some(wanted) = ty.num_elements().filter(|&wanted| wanted != types.len() as i64) {
        return Err(format!("expected {wanted} elements, has {}", types.len()));
    }
    match types.into_iter().find(|&one| Some(one) != ty.element()) {
        Some(other) => Err(format!("expected elements of {ty}, has one of type {other}")),
        None => Ok(()),
    }
}

pub(crate) fn to_elements(body: &Body, op: OpId) -> Result<(), String> {
    elements(body, operand(body, op, 0), body.results(op))
}

pub(crate) fn from_elements(body: &Body, op: OpId) -> Result<(), String> {
    elements(body, result(body, op), body.operands(op))
}

/// The combining kind applies to the elements.
fn kind_fits(body: &Body, op: OpId, ty: Type) -> Result<(), String> {
    let kind = kind_of(body, op);
    match tegula_eval::ScalarType::of(ty.element_or_self()) {
        Some(elem) if combine(kind, elem).is_none() => {
            Err(format!("unsupported combining kind '{kind}' for type '{}'", ty.element_or_self()))
        }
        _ => Ok(()),
    }
}

pub(crate) fn contract(body: &Body, op: OpId) -> Result<(), String> {
    let maps: Option<Vec<AffineMap>> = body
        .attr(op, "indexing_maps")
        .and_then(|maps| maps.as_array()?.iter().map(|m| m.as_map()).collect());
    let maps = maps.unwrap_or_default();
    if maps.len() != 3 {
        return Err("expected an indexing map for each vector operand".to_owned());
    }
    let dims = body.attr(op, "iterator_types").and_then(Attr::as_array).map_or(0, <[Attr]>::len);
    let mut extents = vec![None; dims];
    for (index, map) in maps.iter().enumerate() {
        let Some(ty) = operand(body, op, index) else { return Ok(()) };
        if map.dims() as usize != dims {
            return Err(format!("expected indexing map {index} to have {dims} number of inputs"));
        }
        if map.results().len() != shape(ty).len() {
            return Err(format!(
                "expected indexing map {index} to have {} number of outputs",
                shape(ty).len()
            ));
        }
        if !map.is_projected_permutation() {
            return Err(format!("expected indexing map {index} to be a projected permutation"));
        }
        for (expr, &size) in map.results().iter().zip(shape(ty)) {
            let slot = expr.as_dim().and_then(|dim| extents.get_mut(dim as usize));
            match slot {
                Some(slot @ None) => *slot = Some(size),
                Some(Some(known)) if *known != size => {
                    return Err("invalid contracting dimension map: sizes differ".to_owned());
                }
                _ => {}
            }
        }
    }
    if operand(body, op, 2) != result(body, op) {
        return Err("expected the result to have the type of the accumulator".to_owned());
    }
    match result(body, op) {
        Some(ty) => kind_fits(body, op, ty),
        None => Ok(()),
    }
}

pub(crate) fn outerproduct(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(a), Some(b), Some(to)) =
        (operand(body, op, 0), operand(body, op, 1), result(body, op))
    else {
        return Ok(());
    };
    let mut wanted = shape(a).to_vec();
    wanted.extend(shape(b));
    if shape(a).len() != 1 || wanted != shape(to) {
        return Err(format!("expected operands of the result's dimensions, got {a} and {b}"));
    }
    if b.is_shaped() && !(is_vector(b) && shape(b).len() == 1) {
        return Err("expected 1-d vector for operand #2".to_owned());
    }
    same_element(a, to)?;
    same_element(b, to)?;
    if operand(body, op, 2).is_some_and(|acc| acc != to) {
        return Err("expected operand #3 of same type as result type".to_owned());
    }
    kind_fits(body, op, to)
}

pub(crate) fn reduction(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(from), Some(to)) = (operand(body, op, 0), result(body, op)) else { return Ok(()) };
    if shape(from).len() > 1 {
        return Err(format!("unsupported reduction rank: {}", shape(from).len()));
    }
    if Some(to) != from.element() {
        return Err(format!("unsupported reduction type '{to}' for kind '{}'", kind_of(body, op)));
    }
    if operand(body, op, 1).is_some_and(|acc| acc != to) {
        return Err("failed to verify that dest and acc have the same type".to_owned());
    }
    kind_fits(body, op, from)
}

pub(crate) fn multi_reduction(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(from), Some(to)) = (operand(body, op, 0), result(body, op)) else { return Ok(()) };
    let dims = list(body, op, "reduction_dims");
    let kept: Vec<i64> = (0i64..)
        .zip(shape(from))
        .filter(|(dim, _)| !dims.contains(dim))
        .map(|(_, &size)| size)
        .collect();
    let rank = shape(from).len() as i64;
    if let Some(outside) = dims.iter().find(|dim| !(0..rank).contains(dim)) {
        return Err(format!("reduction dimension out of range: {outside}"));
    }
    same_element(from, to)?;
    if kept != shape(to) || is_vector(to) == kept.is_empty() {
        return Err(format!("destination type {to} is incompatible with source type {from}"));
    }
    kind_fits(body, op, from)
}

pub(crate) fn create_mask(body: &Body, op: OpId) -> Result<(), String> {
    let rank = result(body, op).map_or(0, |ty| shape(ty).len());
    let given = body.num_operands(op);
    if rank == 0 && given != 1 {
        return Err("must specify exactly one operand for 0-D create_mask".to_owned());
    }
    if given != rank && rank != 0 {
        return Err("must specify an operand for each result vector dimension".to_owned());
    }
    Ok(())
}

pub(crate) fn constant_mask(body: &Body, op: OpId) -> Result<(), String> {
    let bounds = list(body, op, "mask_dim_sizes");
    let Some(ty) = result(body, op) else { return Ok(()) };
    if shape(ty).is_empty() {
        return match bounds.as_slice() {
            [0 | 1] => Ok(()),
            [_] => Err("mask dim size must be either 0 or 1 for 0-D vectors".to_owned()),
            _ => Err("array attr must have length 1 for 0-D vectors".to_owned()),
        };
    }
    if bounds.len() != shape(ty).len() {
        return Err("must specify array attr of size equal vector result rank".to_owned());
    }
    if bounds.iter().zip(shape(ty)).any(|(&bound, &size)| bound < 0 || bound > size) {
        return Err("array attr of size out of bounds of vector result dimension size".to_owned());
    }
    if bounds.contains(&0) && bounds.iter().any(|&bound| bound != 0) {
        return Err(
            "expected all mask dim sizes to be zeros, as a result of conjunction with zero \
                    mask dim"
                .to_owned(),
        );
    }
    Ok(())
}

/// The region holds one op that a mask can restrict, and yields what that op gives; or nothing.
pub(crate) fn mask(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let Some(block) = body.region_entry(op, 0) else { return Ok(()) };
    let types = |op: OpId| body.results(op).map(|value| body.ty(value)).collect::<Vec<_>>();
    let ops: Vec<OpId> = body.block_ops(block).collect();
    let (masked, end) = match ops[..] {
        [end] => (None, end),
        [masked, end] => (Some(masked), end),
        _ => return Err("expects only one operation to mask".to_owned()),
    };
    if body.num_operands(end) != body.num_results(op) {
        return Err("expects number of results to match mask region yielded values".to_owned());
    }
    let Some(masked) = masked else { return Ok(()) };
    let info = registry.op(body.name(masked));
    if !info.is_some_and(|info| info.def().has_trait("MaskableOpInterface")) {
        return Err("expects a MaskableOpInterface within the mask region".to_owned());
    }
    if body.num_results(masked) != body.num_results(op) {
        return Err(
            "expects number of results to match maskable operation number of results".to_owned()
        );
    }
    if body.results(masked).ne(body.operands(end)) {
        return Err(
            "expects all the results from the MaskableOpInterface to match all the values \
                    returned by the terminator"
                .to_owned(),
        );
    }
    if types(masked) != types(op) {
        return Err("expects result type to match maskable operation result type".to_owned());
    }
    Ok(())
}

/// A load or store of a vector at as many indices as the memref has dimensions.
pub(crate) fn access(
    body: &Body,
    op: OpId,
    base: usize,
    trailing: usize,
    vector: Option<Type>,
) -> Result<(), String> {
    let (Some(memref), Some(vector)) = (operand(body, op, base), vector) else { return Ok(()) };
    let indices = body.num_operands(op).saturating_sub(base + 1 + trailing);
    if indices != shape(memref).len() {
        return Err(format!("requires {} indices", shape(memref).len()));
    }
    if shape(vector).len() > shape(memref).len() && memref.element() != Some(vector) {
        return Err("has a vector of higher rank than the memref".to_owned());
    }
    if memref.element() != Some(vector) {
        same_element(memref, vector)?;
    }
    Ok(())
}

/// A transfer's map takes the base's dimensions to the vector's.
pub(crate) fn transfer(
    body: &Body,
    op: OpId,
    base: Option<Type>,
    vector: Option<Type>,
) -> Result<(), String> {
    let (Some(base), Some(vector)) = (base, vector) else { return Ok(()) };
    let Some(map) = body.attr(op, "permutation_map").and_then(Attr::as_map) else {
        return Err("requires a permutation map".to_owned());
    };
    let indices = list(body, op, "operandSegmentSizes");
    let group = if body.is(op, "vector.transfer_read") { 1 } else { 2 };
    let indices = indices.get(group).copied().unwrap_or(0);
    let rank = shape(base).len();
    if indices != rank as i64 {
        return Err(format!("requires {rank} indices"));
    }
    let inner = base.element().map_or(0, |element| shape(element).len());
    if map.dims() as usize != rank || map.results().len() + inner != shape(vector).len() {
        return Err("requires a permutation_map with the ranks of the source and the vector".into());
    }
    let plain =
        |expr: &tegula_ir::AffineExpr| expr.as_dim().is_some() || expr.as_constant() == Some(0);
    if !map.results().iter().all(plain) {
        return Err("requires a projected permutation_map (at most one dim or the zero \
                    constant can appear in each result)"
            .to_owned());
    }
    let bounds = body.attr(op, "in_bounds").and_then(Attr::as_array).map_or(0, <[Attr]>::len);
    if bounds != map.results().len() {
        return Err("expects the in_bounds attr of same rank as permutation_map results".into());
    }
    Ok(())
}
