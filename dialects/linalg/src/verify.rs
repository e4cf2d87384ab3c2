//! What must hold of structured ops.

use tegula_dialect_affine::mixed::{Mixed, mixed, mixed_segment};
use tegula_eval::linear;
use tegula_ir::{Attr, Body, DYNAMIC, OpId, Type, TypeData};

use crate::structure::{num_inputs, structure};

fn operand(body: &Body, op: OpId, index: usize) -> Option<Type> {
    body.operands(op).nth(index).map(|value| body.ty(value))
}

/// Maps, iterator types, operands, region and results of a structured op agree.
pub(crate) fn structured(body: &Body, op: OpId) -> Result<(), String> {
    let Some(space) = structure(body, op) else {
        return Err("expected indexing maps and iterator types".to_owned());
    };
    let count = body.num_operands(op);
    if space.maps.len() != count {
        return Err(format!(
            "expected the number of indexing_map ({}) to be equal to the number of input/output \
             operands ({count})",
            space.maps.len()
        ));
    }
    let dims = space.parallel.len();
    let mut extents: Vec<Option<i64>> = vec![None; dims];
    for (index, (&map, value)) in space.maps.iter().zip(body.operands(op)).enumerate() {
        if map.data().symbols != 0 {
            return Err(format!("unexpected symbols in indexing_map #{index}"));
        }
        if map.dims() as usize != dims {
            return Err(format!(
                "expected indexing_map #{index} to have {dims} dim(s) to match the number of loops"
            ));
        }
        let shape = body.ty(value).shape().unwrap_or(&[]);
        if map.results().len() != shape.len() {
            return Err(format!(
                "expected operand rank ({}) to match the result rank of indexing_map #{index} ({})",
                shape.len(),
                map.results().len()
            ));
        }
        for (expr, &size) in map.results().iter().zip(shape) {
            let slot = expr.as_dim().and_then(|dim| extents.get_mut(dim as usize));
            if let Some(slot) = slot.filter(|_| size != DYNAMIC) {
                slot.get_or_insert(size);
            }
        }
    }
    bounds(body, op, &space.maps, &extents)?;
    region(body, op)?;
    results(body, op)
}

/// Static shapes hold everything that static loops access.
fn bounds(
    body: &Body,
    op: OpId,
    maps: &[tegula_ir::AffineMap],
    extents: &[Option<i64>],
) -> Result<(), String> {
    let Some(extents) = extents.iter().copied().collect::<Option<Vec<i64>>>() else {
        return Ok(());
    };
    if extents.iter().any(|&extent| extent <= 0) {
        return Ok(());
    }
    for (index, (&map, value)) in maps.iter().zip(body.operands(op)).enumerate() {
        let shape = body.ty(value).shape().unwrap_or(&[]);
        for (dim, (&expr, &size)) in map.results().iter().zip(shape).enumerate() {
            let Some(form) = linear(expr, extents.len()).filter(|_| size != DYNAMIC) else {
                continue;
            };
            let (least, greatest) = form.range(&extents);
            let exact = expr.as_dim().is_some();
            if least < 0 || greatest >= size || (exact && greatest + 1 != size) {
                return Err(format!(
                    "inferred input/output operand #{index} has shape's dimension #{dim} to be {}, \
                     but found {size}",
                    greatest + 1
                ));
            }
        }
    }
    Ok(())
}

/// The region takes an element of each operand and yields one for each output.
fn region(body: &Body, op: OpId) -> Result<(), String> {
    let Some(block) = body.region_entry(op, 0) else {
        return Err("expects to have 1 region with 1 block".to_owned());
    };
    let wanted: Vec<Type> =
        body.operands(op).map(|value| body.ty(value).element_or_self()).collect();
    let args: Vec<Type> = body.block_args(block).iter().map(|&arg| body.ty(arg)).collect();
    if args.len() != wanted.len() {
        return Err(format!(
            "expected as many non-induction variable region arguments as the number of \
             input/output operands: {} and {}",
            args.len(),
            wanted.len()
        ));
    }
    if let Some(at) = args.iter().zip(&wanted).position(|(a, b)| a != b) {
        return Err(format!(
            "expected type of bb argument #{at} ('{}') to match element or self type of the \
             corresponding operand ('{}')",
            args[at], wanted[at]
        ));
    }
    let yielded = body.last_op(block).filter(|&last| body.is(last, "linalg.yield"));
    let Some(yielded) = yielded else {
        return Err("expects its region to end with 'linalg.yield'".to_owned());
    };
    let given: Vec<Type> = body.operands(yielded).map(|value| body.ty(value)).collect();
    if given != wanted[num_inputs(body, op).min(wanted.len())..] {
        return Err("expected the yielded values to have the element types of the outputs".into());
    }
    Ok(())
}

/// There is a result for each output that is a tensor, of its type.
fn results(body: &Body, op: OpId) -> Result<(), String> {
    let outputs = body.operands(op).skip(num_inputs(body, op)).map(|value| body.ty(value));
    let tensors: Vec<Type> =
        outputs.filter(|ty| matches!(ty.data(), TypeData::RankedTensor { .. })).collect();
    let given: Vec<Type> = body.results(op).map(|value| body.ty(value)).collect();
    if given.len() != tensors.len() {
        return Err(format!(
            "expected the number of results ({}) to be equal to the number of output tensors ({})",
            given.len(),
            tensors.len()
        ));
    }
    match given.iter().zip(&tensors).position(|(a, b)| a != b) {
        Some(at) => Err(format!(
            "expected type of operand #{} ('{}') to match type of corresponding result ('{}')",
            num_inputs(body, op) + at,
            tensors[at],
            given[at]
        )),
        None => Ok(()),
    }
}

/// `linalg.index` stands in a structured op that has the dimension.
pub(crate) fn index(body: &Body, op: OpId) -> Result<(), String> {
    let Some(parent) = body.parent_op(op) else { return Ok(()) };
    let Some(space) = structure(body, parent) else {
        return Err("expected parent op with LinalgOp interface".to_owned());
    };
    let dim = body.attr(op, "dim").and_then(Attr::as_int).unwrap_or(-1);
    if !(0..space.parallel.len() as i64).contains(&dim) {
        return Err(format!(
            "expected dim ({dim}) to be lower than the number of loops ({}) of the enclosing \
             LinalgOp",
            space.parallel.len()
        ));
    }
    Ok(())
}

/// The packed type has the plain dimensions in tiles.
fn relayout(
    body: &Body,
    op: OpId,
    plain: Type,
    packed: Type,
    tiles: &[Mixed],
    padded: bool,
) -> Result<(), String> {
    let list = |name: &str| body.attr(op, name).and_then(Attr::as_dense_array).unwrap_or(&[]);
    let (inner, permutation) = (list("inner_dims_pos"), list("outer_dims_perm"));
    let (Some(shape), Some(wide)) = (plain.shape(), packed.shape()) else { return Ok(()) };
    let rank = shape.len() as i64;
    let mut seen = inner.to_vec();
    seen.sort_unstable();
    seen.dedup();
    if seen.len() != inner.len() || inner.iter().any(|pos| !(0..rank).contains(pos)) {
        return Err("invalid inner_dims_pos vector".to_owned());
    }
    let mut order = permutation.to_vec();
    order.sort_unstable();
    if !permutation.is_empty() && order.iter().copied().ne(0..rank) {
        return Err("invalid outer_dims_perm vector".to_owned());
    }
    if tiles.len() != inner.len() {
        return Err("tiling factors must equal the number of dimensions to tile".to_owned());
    }
    if tiles.iter().any(|tile| tile.as_constant() == Some(0)) {
        return Err("invalid zero tile factor".to_owned());
    }
    if wide.len() != shape.len() + inner.len() {
        return Err("packed rank != (unpacked rank + num tiling factors)".to_owned());
    }
    for (dim, &size) in shape.iter().enumerate() {
        let tile = inner.iter().position(|&pos| pos == dim as i64);
        let tile = tile.map_or(Some(1), |at| tiles[at].as_constant());
        let outer = permutation.iter().position(|&p| p == dim as i64).unwrap_or(dim);
        let Some(tile) = tile else { continue };
        let outer_size = wide[outer];
        if size == DYNAMIC || outer_size == DYNAMIC {
            continue;
        }
        if outer_size != size.div_euclid(tile) + i64::from(size.rem_euclid(tile) != 0) {
            return Err(format!(
                "expected dimension {outer} of '{packed}' to hold {size} in tiles of {tile}"
            ));
        }
        if !padded && size % tile != 0 {
            return Err(
                "invalid tile factor or output size provided. Only full tiles are supported when \
                 padding_value is not set"
                    .to_owned(),
            );
        }
    }
    for (tile, &size) in tiles.iter().zip(&wide[shape.len()..]) {
        if tile.as_constant().is_some_and(|tile| size != tile) {
            return Err(
                "mismatch in inner tile sizes specified and shaped of tiled dimension in the \
                 packed type"
                    .to_owned(),
            );
        }
    }
    Ok(())
}

pub(crate) fn pack(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(plain), Some(packed)) = (operand(body, op, 0), operand(body, op, 1)) else {
        return Ok(());
    };
    let Some(tiles) = mixed_segment(body, op, "static_inner_tiles", 3) else {
        return Err("requires inner tiles".to_owned());
    };
    let padding = tegula_dialect_affine::mixed::segment(body, op, 2).unwrap_or_default();
    if padding.first().is_some_and(|&value| Some(body.ty(value)) != plain.element()) {
        return Err("expected padding_value of the element type".to_owned());
    }
    relayout(body, op, plain, packed, &tiles, !padding.is_empty())
}

pub(crate) fn unpack(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(packed), Some(plain)) = (operand(body, op, 0), operand(body, op, 1)) else {
        return Ok(());
    };
    let Some(tiles) = mixed(body, op, "static_inner_tiles", body.operands(op).skip(2)) else {
        return Err("requires inner tiles".to_owned());
    };
    relayout(body, op, plain, packed, &tiles, true)
}
