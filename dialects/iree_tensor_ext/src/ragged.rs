//! What has to hold of tensors of ragged rows.

use tegula_ir::{Attr, Body, DYNAMIC, OpId, Registry, Type, TypeData};

/// The first ragged dimension of a type, and the second one.
pub(crate) fn sparse_dims(ty: Type) -> Option<[i64; 2]> {
    let attr = match ty.data() {
        TypeData::MemRef { layout, .. } => (*layout)?,
        _ => ty.encoding()?,
    };
    let row = attr.dialect_params("iree_tensor_ext.ragged_shape")?.first()?.as_int()?;
    Some([row, row.checked_add(1)?])
}

/// Both ragged dimensions are there.
pub(crate) fn verify_layout(row: Option<i64>, ty: Type) -> Result<(), String> {
    let rank = ty.shape().map_or(0, <[i64]>::len) as i64;
    let is_layout = matches!(ty.data(), TypeData::MemRef { .. });
    if is_layout && row.is_none_or(|row| row < 0 || row >= rank - 1) {
        return Err(
            "sparse dimensions specified are greater than the rank of the shaped type".into()
        );
    }
    Ok(())
}

/// Row numbers, row lengths and all other dimensions of what a dimension is read as.
pub(crate) fn verify_cast(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let ty = |name: &str| registry.operand_of(body, op, name).map(|value| body.ty(value));
    let result = body.ty(body.result(op, 0));
    let (Some(source), Some(lengths)) = (ty("source"), ty("columnLengths")) else { return Ok(()) };
    let Some([row, _]) = sparse_dims(result) else {
        let place = if matches!(result.data(), TypeData::MemRef { .. }) {
            "a layout"
        } else {
            "an encoding"
        };
        return Err(format!(
            "expected result type to have {place} attribute that implements the \
             `SparseShapeAttrInterface`"
        ));
    };
    let shape = |ty: Type| ty.shape().unwrap_or(&[]);
    let (from, to, lengths) = (shape(source), shape(result), shape(lengths));
    let ragged = body.attr(op, "raggedDim").and_then(Attr::as_int).unwrap_or(-1);
    let Some(at) = usize::try_from(ragged).ok().filter(|&at| at < from.len()) else {
        return Err(format!(
            "expected `ragged_dim` to be less than {}, i.e the rank of source",
            from.len()
        ));
    };
    let &[lengths] = lengths else {
        return Err("expected `column_lengths` to be of rank 1".to_owned());
    };
    if to.len() != from.len() + 1 {
        return Err(format!(
            "expected result rank to be {}, i.e. one more than the source rank, but got {}",
            from.len() + 1,
            to.len()
        ));
    }
    if row != ragged {
        return Err(format!(
            "mismatch in specified `ragged_dim` value of {ragged} and `raggedRow` value in the \
             sparse encoding {row}"
        ));
    }
    verify_rows(registry.operand_of(body, op, "numRaggedRows").is_some(), lengths, to, at)?;
    if to[at + 1] != DYNAMIC {
        return Err(format!(
            "expected dimension {} of result, i.e. `ragged_dim` + 1, to be dynamic",
            at + 1
        ));
    }
    verify_others(from, to, at)?;
    let open = source.dynamic_dims();
    let given = registry.operands_of(body, op, "sourceDynamicDims").len();
    if open != given {
        return Err(format!(
            "mismatch in number of dynamic dimensions specified for source, expected {open} \
             values, got {given}"
        ));
    }
    Ok(())
}

/// The number of rows is a value, or both types say it.
fn verify_rows(given: bool, lengths: i64, to: &[i64], at: usize) -> Result<(), String> {
    if given {
        if lengths != DYNAMIC {
            return Err("invalid to have static dimensions for `column_lengths` when \
                        `num_ragged_rows` is dynamic"
                .to_owned());
        }
        if to[at] != DYNAMIC {
            return Err(format!(
                "invalid to have static value for dimension {at} of result when \
                 `num_ragged_rows` is specified as dynamic value"
            ));
        }
        return Ok(());
    }
    if lengths == DYNAMIC || lengths <= 1 {
        return Err("expected shape of `column_lengths` to be static and greater than 1 when \
                    `num_ragged_rows` is unspecified, i.e. number of ragged rows is statically \
                    known"
            .to_owned());
    }
    if to[at] != lengths - 1 {
        return Err(format!(
            "expected shape of dimension {at} of result, i.e. the `ragged_dim`, to be static and \
             equal to {} when `num_ragged_rows` is unspecified, i.e number of ragged rows is \
             statically known",
            lengths - 1
        ));
    }
    Ok(())
}

/// Dimensions that are not ragged stay.
fn verify_others(from: &[i64], to: &[i64], at: usize) -> Result<(), String> {
    for (dim, &size) in from.iter().enumerate().filter(|&(dim, _)| dim != at) {
        let other = dim + usize::from(dim > at);
        let given = to[other];
        if size == DYNAMIC && given != DYNAMIC {
            return Err(format!(
                "expected dimension {other} of result to be dynamic since the corresponding \
                 dimension {dim} in the source is dynamic"
            ));
        }
        if size != given {
            let given = if given == DYNAMIC { "?".to_owned() } else { given.to_string() };
            return Err(format!(
                "expected shape of dimension {other} of result to match the shape of dimension \
                 {dim} of source, but got {given} and {size} respectively"
            ));
        }
    }
    Ok(())
}

/// The ragged dimensions become one, and the others stay.
pub(crate) fn verify_linearize(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let (source, result) = (body.ty(body.operand(op, 0)), body.ty(body.result(op, 0)));
    let Some([row, column]) = sparse_dims(source) else {
        return Err("expected source type to have a ragged tensor encoding".to_owned());
    };
    if result.encoding().is_some() || !result.has_plain_layout() {
        return Err("expected result type to have no encoding or identity layout".to_owned());
    }
    let (from, to) = (source.shape().unwrap_or(&[]), result.shape().unwrap_or(&[]));
    if to.len() + 1 != from.len() {
        return Err(format!(
            "expected result rank to be {} (source rank - number of sparse dimensions + 1), but \
             got {}",
            from.len() - 1,
            to.len()
        ));
    }
    for (dim, &size) in from.iter().enumerate() {
        let place = dim as i64;
        if place == row || place == column {
            continue;
        }
        let other = dim - usize::from(place > row);
        if size != DYNAMIC && to[other] != DYNAMIC && size != to[other] {
            return Err(format!(
                "expected source dimension {dim} with size {size} to be preserved in result \
                 dimension {other} but got size {}",
                to[other]
            ));
        }
    }
    let open = result.dynamic_dims();
    let given = registry.operands_of(body, op, "resultDynamicDims").len();
    if open != given {
        return Err(format!(
            "value set has {open} dynamic dimensions but only {given} dimension values are attached"
        ));
    }
    Ok(())
}
