//! What must hold of tensor ops.

use tegula_eval::kept_dims;
use tegula_ir::{Attr, Body, DYNAMIC, OpId, Type};

pub(crate) fn operand_type(body: &Body, op: OpId, index: usize) -> Option<Type> {
    body.operands(op).nth(index).map(|value| body.ty(value))
}

pub(crate) fn result_type(body: &Body, op: OpId) -> Option<Type> {
    body.results(op).next().map(|value| body.ty(value))
}

/// The dynamic dimensions of the result are as many as the operands after the first `skip`.
pub(crate) fn dynamic_sizes(body: &Body, op: OpId, skip: usize) -> Result<(), String> {
    let Some(shape) = result_type(body, op).and_then(Type::shape) else { return Ok(()) };
    let wanted = shape.iter().filter(|&&size| size == DYNAMIC).count();
    let given = body.num_operands(op).saturating_sub(skip);
    if wanted != given {
        return Err(format!("incorrect number of dynamic sizes, has {given}, expected {wanted}"));
    }
    Ok(())
}

/// There are as many indices as the container has dimensions.
pub(crate) fn indices(body: &Body, op: OpId, container: usize) -> Result<(), String> {
    let Some(shape) = operand_type(body, op, container).and_then(Type::shape) else {
        return Ok(());
    };
    let given = body.num_operands(op).saturating_sub(container + 1);
    if given != shape.len() {
        return Err(format!("incorrect number of indices: {given} for rank {}", shape.len()));
    }
    Ok(())
}

fn constants(body: &Body, op: OpId, name: &str) -> &'static [i64] {
    body.attr(op, name).and_then(Attr::as_dense_array).unwrap_or(&[])
}

/// The lists of a slice have an entry for each dimension of `whole`, and its sizes fit `part`, which
/// may leave out dimensions of size one.
pub(crate) fn slice(body: &Body, op: OpId, whole: Type, part: Type) -> Result<(), String> {
    let (Some(shape), Some(part_shape)) = (whole.shape(), part.shape()) else { return Ok(()) };
    let rank = shape.len();
    let sizes = constants(body, op, "static_sizes");
    for (what, name) in
        [("offset", "static_offsets"), ("size", "static_sizes"), ("stride", "static_strides")]
    {
        let count = constants(body, op, name).len();
        if count != rank {
            return Err(format!("expected {rank} {what} values, got {count}"));
        }
    }
    if whole.element() != part.element() {
        return Err("expected the slice to have the element type of the whole".to_owned());
    }
    if kept_dims(sizes, part_shape).is_none() {
        return Err(format!(
            "expected type of sizes {sizes:?} or a rank-reduced version, got {part}"
        ));
    }
    let offsets = constants(body, op, "static_offsets");
    let steps = constants(body, op, "static_strides");
    for dim in 0..rank {
        let known = [shape[dim], sizes[dim], offsets[dim], steps[dim]];
        if known.contains(&DYNAMIC) {
            continue;
        }
        let last = offsets[dim] + (sizes[dim] - 1).max(0) * steps[dim];
        if offsets[dim] < 0 || sizes[dim] < 0 || (sizes[dim] > 0 && last >= shape[dim]) {
            return Err(format!(
                "slice along dimension {dim} runs out-of-bounds: {last} >= {}",
                shape[dim]
            ));
        }
    }
    Ok(())
}

/// The sizes that are given for a result are as many as its dimensions, and those of its type.
fn output_shape(body: &Body, op: OpId, shape: &[i64]) -> Result<(), String> {
    let sizes = constants(body, op, "static_output_shape");
    if sizes.len() != shape.len() {
        return Err(format!("has {} sizes for {} dimensions", sizes.len(), shape.len()));
    }
    let dynamic = sizes.iter().filter(|&&size| size == DYNAMIC).count();
    let given = body.num_operands(op).saturating_sub(1);
    if dynamic != given {
        return Err(format!("needs {dynamic} dynamic sizes, but {given} are given"));
    }
    let differs = |(size, dim): (&i64, &i64)| *dim != DYNAMIC && size != dim;
    match sizes.iter().zip(shape).position(differs) {
        Some(at) => Err(format!("has another size than its type in dimension {at}")),
        None => Ok(()),
    }
}

/// What is concatenated has as many dimensions as the result and its elements; all sizes but those
/// along the dimension agree.
pub(crate) fn concat(body: &Body, op: OpId) -> Result<(), String> {
    let Some(to) = result_type(body, op) else { return Ok(()) };
    let Some(shape) = to.shape() else { return Ok(()) };
    let along =
        body.attr(op, "dim").and_then(Attr::as_int).and_then(|dim| usize::try_from(dim).ok());
    let Some(along) = along.filter(|&dim| dim < shape.len()) else {
        return Err("concatenates along a dimension that there is not".to_owned());
    };
    if body.num_operands(op) == 0 {
        return Err("requires at least one input".to_owned());
    }
    for input in body.operands(op).map(|value| body.ty(value)) {
        if input.element() != to.element() {
            return Err(format!("elements of '{input}' and of '{to}' are of different types"));
        }
        let own = input.shape().unwrap_or(&[]);
        let differs = |(dim, (&a, &b)): (usize, (&i64, &i64))| {
            dim != along && a != b && a != DYNAMIC && b != DYNAMIC
        };
        if own.len() != shape.len() || own.iter().zip(shape).enumerate().any(differs) {
            return Err(format!("'{input}' cannot be a part of '{to}' along dimension {along}"));
        }
    }
    let parts = body.operands(op).filter_map(|value| body.ty(value).shape()).map(|s| s[along]);
    let whole = parts.into_iter().try_fold(0i64, |sum, part| match part {
        DYNAMIC => None,
        part => sum.checked_add(part),
    });
    match whole {
        Some(whole) if shape[along] != DYNAMIC && shape[along] != whole => {
            Err(format!("'{to}' does not match the inferred size {whole} of dimension {along}"))
        }
        _ => Ok(()),
    }
}

/// The groups of a reshape cover all dimensions of the higher rank in order, and static sizes agree.
pub(crate) fn reshape(body: &Body, op: OpId, expands: bool) -> Result<(), String> {
    let (Some(from), Some(to)) = (operand_type(body, op, 0), result_type(body, op)) else {
        return Ok(());
    };
    if from.element() != to.element() {
        return Err(format!("elements of '{from}' and of '{to}' are of different types"));
    }
    let (Some(from), Some(to)) = (from.shape(), to.shape()) else { return Ok(()) };
    let (more, less) = if expands { (to, from) } else { (from, to) };
    if more.len() < less.len() {
        return Err(format!(
            "expected the expanded type to have a higher (or same) rank than the collapsed type, \
             but ranks are {} and {}",
            more.len(),
            less.len()
        ));
    }
    if body.attr(op, "static_output_shape").is_some() {
        output_shape(body, op, to)?;
    }
    let (high, low) = if from.len() >= to.len() { (from, to) } else { (to, from) };
    let groups = body.attr(op, "reassociation").and_then(Attr::as_array).unwrap_or(&[]);
    if groups.len() != low.len() {
        return Err(format!("expected {} reassociation groups, got {}", low.len(), groups.len()));
    }
    if low.is_empty() {
        return match high.iter().find(|&&size| size != 1 && size != DYNAMIC) {
            Some(size) => Err(format!("expected dimension {size} to be one, for no group has it")),
            None => Ok(()),
        };
    }
    let mut next = 0;
    for (group, &size) in groups.iter().zip(low) {
        let mut product = Some(1);
        for dim in group.as_array().unwrap_or(&[]) {
            if dim.as_int() != Some(next as i64) || next >= high.len() {
                return Err("expected reassociation groups to cover all dimensions in order".into());
            }
            product = product.filter(|_| high[next] != DYNAMIC).map(|p: i64| p * high[next]);
            next += 1;
        }
        match product {
            Some(product) if size != DYNAMIC && size != product => {
                return Err(format!("expected dimension {size} to be the product {product}"));
            }
            _ => {}
        }
    }
    if next != high.len() {
        return Err("expected reassociation groups to cover all dimensions in order".to_owned());
    }
    Ok(())
}

/// The two types may stand for the same tensor.
pub(crate) fn compatible(from: Type, to: Type) -> bool {
    if from.element() != to.element() {
        return false;
    }
    let is_unranked = from.shape().is_none() || to.shape().is_none();
    is_unranked || from.has_compatible_shape(to)
}

/// The border sizes fit the result, and the region yields an element.
pub(crate) fn pad(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(from), Some(to)) = (operand_type(body, op, 0), result_type(body, op)) else {
        return Ok(());
    };
    let (Some(shape), Some(wide)) = (from.shape(), to.shape()) else { return Ok(()) };
    let (low, high) = (constants(body, op, "static_low"), constants(body, op, "static_high"));
    if low.len() != shape.len() || high.len() != shape.len() || wide.len() != shape.len() {
        return Err(format!("expected {} low and high values", shape.len()));
    }
    for dim in 0..shape.len() {
        let known = [shape[dim], low[dim], high[dim], wide[dim]];
        if !known.contains(&DYNAMIC) && shape[dim] + low[dim] + high[dim] != wide[dim] {
            return Err(format!(
                "specified type {to} does not match the padded size {} of dimension {dim}",
                shape[dim] + low[dim] + high[dim]
            ));
        }
    }
    let entry = body.region_entry(op, 0);
    let args = entry.map_or(&[][..], |block| body.block_args(block));
    if args.len() != shape.len() || args.iter().any(|&arg| !body.ty(arg).is_index()) {
        return Err(format!("expected the block to have {} index arguments", shape.len()));
    }
    let yielded = entry.and_then(|b| body.last_op(b)).and_then(|y| operand_type(body, y, 0));
    if yielded.is_some_and(|ty| Some(ty) != from.element()) {
        return Err("expected yield type to match shape element type".to_owned());
    }
    Ok(())
}
