//! What must hold of views of memory.

use tegula_eval::kept_dims;
use tegula_ir::text::{print_attr, print_type};
use tegula_ir::verify::Symbols;
use tegula_ir::{
    Attr, AttrData, Body, DYNAMIC, OpId, Registry, Type, TypeData, strides_and_offset,
};

use crate::syntax::tensor_of;

pub(crate) fn operand_type(body: &Body, op: OpId, index: usize) -> Option<Type> {
    body.operands(op).nth(index).map(|value| body.ty(value))
}

pub(crate) fn result_type(body: &Body, op: OpId) -> Option<Type> {
    body.results(op).next().map(|value| body.ty(value))
}

fn constants(body: &Body, op: OpId, name: &str) -> &'static [i64] {
    body.attr(op, name).and_then(Attr::as_dense_array).unwrap_or(&[])
}

/// The dynamic dimensions of the type are as many as the sizes, and the symbols of its layout as
/// the symbol operands.
pub(crate) fn alloc(body: &Body, op: OpId) -> Result<(), String> {
    let Some(ty) = result_type(body, op) else { return Ok(()) };
    let [sizes, symbols] = constants(body, op, "operandSegmentSizes") else { return Ok(()) };
    if ty.dynamic_dims() as i64 != *sizes {
        return Err("dimension operand count does not equal memref dynamic dimension count".into());
    }
    let wanted = match layout(ty).map(Attr::data) {
        Some(AttrData::AffineMap(map)) => i64::from(map.symbols()),
        _ => 0,
    };
    if wanted != *symbols {
        return Err(format!(
            "symbol operand count does not equal memref symbol count: expected {wanted}, got \
             {symbols}"
        ));
    }
    Ok(())
}

/// Memory of the module has a known size, and begins as elements of its own type if they are given.
pub(crate) fn global(registry: &Registry, body: &Body, op: OpId) -> Result<(), String> {
    let Some(ty) = body.attr(op, "type").and_then(Attr::as_type) else { return Ok(()) };
    let Some(tensor) = tensor_of(ty).filter(|tensor| tensor.has_static_shape()) else {
        let shown = print_type(registry, ty);
        return Err(format!("type should be a memref of static shape, but got {shown}"));
    };
    let Some(initial) = body.attr(op, "initial_value") else { return Ok(()) };
    match initial.data() {
        AttrData::Unit => Ok(()),
        AttrData::Dense { ty, .. }
        | AttrData::DenseStrings { ty, .. }
        | AttrData::DenseResource { ty, .. }
        | AttrData::Sparse { ty, .. } => {
            if *ty == tensor {
                return Ok(());
            }
            let (wanted, given) = (print_type(registry, tensor), print_type(registry, *ty));
            Err(format!("initial value should be of type {wanted}, but is of type {given}"))
        }
        _ => {
            let shown = print_attr(registry, initial);
            Err(format!("initial value should be elements or nothing, but got {shown}"))
        }
    }
}

/// What is named is memory of the module, of the type that it is taken for.
pub(crate) fn get_global(symbols: &Symbols<'_>, body: &Body, op: OpId) -> Result<(), String> {
    let name = body.attr(op, "name").and_then(Attr::as_symbol_root);
    let name = name.map_or("", |name| name.as_str());
    let Some((there, global)) = symbols.named(body, op, "name", "memref.global") else {
        return Err(format!("'{name}' does not reference a valid global memref"));
    };
    let wanted = there.attr(global, "type").and_then(Attr::as_type);
    match (result_type(body, op), wanted) {
        (Some(ty), Some(wanted)) if ty != wanted => Err(format!(
            "result type '{ty}' does not match type '{wanted}' of the global memref @{name}"
        )),
        _ => Ok(()),
    }
}

/// There are as many indices as the view has dimensions.
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

/// The type of a subview before dimensions are dropped: strides and offset follow from the source.
fn inferred_layout(source: Type, offsets: &[i64], steps: &[i64]) -> Option<(Vec<i64>, i64)> {
    let (strides, offset) = strides_and_offset(source)?;
    let times = |a: i64, b: i64| match (a, b) {
        (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
        (a, b) => a.checked_mul(b).unwrap_or(DYNAMIC),
    };
    let mut total = offset;
    for (&o, &s) in offsets.iter().zip(&strides) {
        let part = times(o, s);
        // Nothing times an unknown stride is nothing.
        let part = if o == 0 { 0 } else { part };
        total = match (total, part) {
            (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
            (a, b) => a.checked_add(b).unwrap_or(DYNAMIC),
        };
    }
    Some((steps.iter().zip(&strides).map(|(&step, &s)| times(step, s)).collect(), total))
}

pub(crate) fn subview(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(source), Some(result)) = (operand_type(body, op, 0), result_type(body, op)) else {
        return Ok(());
    };
    let (Some(shape), Some(part)) = (source.shape(), result.shape()) else { return Ok(()) };
    let offsets = constants(body, op, "static_offsets");
    let sizes = constants(body, op, "static_sizes");
    let steps = constants(body, op, "static_strides");
    for (what, list) in [("offset", offsets), ("size", sizes), ("stride", steps)] {
        if list.len() != shape.len() {
            return Err(format!("expected {} {what} values, got {}", shape.len(), list.len()));
        }
    }
    if source.element() != result.element() {
        return Err("expected result element type to be that of the source".to_owned());
    }
    let Some(kept) = kept_dims(sizes, part) else {
        return Err(format!(
            "expected result type to have sizes {sizes:?} or a rank-reduced version, got {result}"
        ));
    };
    for dim in 0..shape.len() {
        let known = [shape[dim], sizes[dim], offsets[dim], steps[dim]];
        let last =
            offsets[dim].wrapping_add(sizes[dim].saturating_sub(1).max(0).wrapping_mul(steps[dim]));
        if !known.contains(&DYNAMIC) && sizes[dim] > 0 && (last >= shape[dim] || offsets[dim] < 0) {
            return Err(format!(
                "slice along dimension {dim} runs out-of-bounds: {last} >= {}",
                shape[dim]
            ));
        }
    }
    let (Some((strides, offset)), Some((given, given_offset))) =
        (inferred_layout(source, offsets, steps), strides_and_offset(result))
    else {
        return Ok(());
    };
    // Strides of dimensions of size one say nothing.
    let strides_fit =
        kept.iter().zip(&given).zip(part).all(|((&dim, &stride), &size)| {
            size == 1 || stride == strides[dim] || stride == DYNAMIC
        });
    if !strides_fit || (given_offset != offset && given_offset != DYNAMIC) {
        return Err(format!(
            "expected result layout with offset {} and strides of the source, got {result}",
            if offset == DYNAMIC { "?".to_owned() } else { offset.to_string() }
        ));
    }
    Ok(())
}

/// Two types may stand for the same view.
pub(crate) fn compatible(from: Type, to: Type) -> bool {
    if from.element() != to.element() {
        return false;
    }
    let (Some(a), Some(b)) = (from.shape(), to.shape()) else { return true };
    let fits = |a: i64, b: i64| a == b || a == DYNAMIC || b == DYNAMIC;
    if a.len() != b.len() || !a.iter().zip(b).all(|(&a, &b)| fits(a, b)) {
        return false;
    }
    match (strides_and_offset(from), strides_and_offset(to)) {
        (Some((s, o)), Some((t, p))) => {
            fits(o, p) && s.iter().zip(&t).zip(a).all(|((&s, &t), &size)| size == 1 || fits(s, t))
        }
        _ => layout(from) == layout(to),
    }
}

fn layout(ty: Type) -> Option<Attr> {
    match ty.data() {
        TypeData::MemRef { layout, .. } => *layout,
        _ => None,
    }
}

/// The same view anywhere.
pub(crate) fn elsewhere(ty: Type) -> Option<Type> {
    match ty.data() {
        TypeData::MemRef { shape, element, layout, .. } => {
            Some(Type::memref(shape, *element, *layout, None))
        }
        TypeData::UnrankedMemRef { element, .. } => {
            Some(Type::new(TypeData::UnrankedMemRef { element: *element, space: None }))
        }
        _ => None,
    }
}

fn space(ty: Type) -> Option<Attr> {
    match ty.data() {
        TypeData::MemRef { space, .. } | TypeData::UnrankedMemRef { space, .. } => *space,
        _ => None,
    }
}

/// The base has the elements and the place of the view, and there are a size and a stride for each
/// dimension.
pub(crate) fn metadata(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(source), Some(base)) = (operand_type(body, op, 0), result_type(body, op)) else {
        return Ok(());
    };
    let rank = source.shape().map_or(0, <[i64]>::len);
    let wanted = Type::memref(&[], source.element_or_self(), None, space(source));
    if base != wanted {
        return Err(format!("expected a base of type '{wanted}', but got '{base}'"));
    }
    if body.num_results(op) != 2 + 2 * rank {
        return Err(format!("expected {rank} sizes and strides"));
    }
    Ok(())
}

/// The type of the result is what the offset, the sizes and the strides make of the source.
pub(crate) fn reinterpret_cast(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(source), Some(result)) = (operand_type(body, op, 0), result_type(body, op)) else {
        return Ok(());
    };
    let shape = result.shape().unwrap_or(&[]);
    let sizes = constants(body, op, "static_sizes");
    let steps = constants(body, op, "static_strides");
    let [offset] = *constants(body, op, "static_offsets") else {
        return Err("expected one offset".to_owned());
    };
    if sizes.len() != shape.len() || steps.len() != shape.len() {
        return Err(format!("expected {} sizes and strides", shape.len()));
    }
    if space(source) != space(result) {
        return Err(format!(
            "different memory spaces specified for source type '{source}' and result memref type \
             '{result}'"
        ));
    }
    if source.element() != result.element() {
        let (from, to) = (source.element_or_self(), result.element_or_self());
        return Err(format!(
            "source element type ('{from}') does not match result element type ('{to}')"
        ));
    }
    for (what, list) in [("offsets", &[offset][..]), ("sizes", sizes)] {
        if let Some(below) = list.iter().find(|&&value| value < 0 && value != DYNAMIC) {
            return Err(format!("expected {what} to be non-negative, but got {below}"));
        }
    }
    let known = |value: i64| match value {
        DYNAMIC => "dynamic".to_owned(),
        value => value.to_string(),
    };
    let mut wanted = vec![("size", sizes, shape)];
    let layout = strides_and_offset(result);
    if let Some((strides, start)) = &layout {
        if *start != offset {
            return Err(format!(
                "expected result type with offset = {} instead of {}",
                known(offset),
                known(*start)
            ));
        }
        wanted.push(("stride", steps, strides));
    }
    for (what, wanted, given) in wanted {
        let mut pairs = wanted.iter().zip(given).enumerate();
        if let Some((dim, (&want, &have))) = pairs.find(|(_, (want, have))| want != have) {
            return Err(format!(
                "expected result type with {what} = {} instead of {} in dim = {dim}",
                known(want),
                known(have)
            ));
        }
    }
    Ok(())
}

/// The sizes that are given are those of the result's type.
pub(crate) fn expand_shape(body: &Body, op: OpId) -> Result<(), String> {
    let shape = result_type(body, op).and_then(Type::shape).unwrap_or(&[]);
    let sizes = constants(body, op, "static_output_shape");
    if sizes.len() != shape.len() {
        return Err(format!(
            "expected number of static shape bounds to be equal to the output rank ({}) but found \
             {} inputs instead",
            shape.len(),
            sizes.len()
        ));
    }
    reshape(body, op)?;
    match sizes.iter().zip(shape).position(|(given, size)| given != size) {
        Some(at) => Err(format!("invalid output shape provided at pos {at}")),
        None => Ok(()),
    }
}

/// The groups cover all dimensions of the higher rank in order, and each is as large as the
/// dimension that it stands for.
pub(crate) fn reshape(body: &Body, op: OpId) -> Result<(), String> {
    let (Some(source), Some(result)) = (operand_type(body, op, 0), result_type(body, op)) else {
        return Ok(());
    };
    let (Some(from), Some(to)) = (source.shape(), result.shape()) else { return Ok(()) };
    if source.element() != result.element() {
        return Err(format!(
            "expected elements of '{}', but the result is of type '{result}'",
            source.element_or_self()
        ));
    }
    let (high, low) = (from.len().max(to.len()), from.len().min(to.len()));
    let groups = body.attr(op, "reassociation").and_then(Attr::as_array).unwrap_or(&[]);
    let dims: Vec<i64> = groups
        .iter()
        .flat_map(|group| group.as_array().unwrap_or(&[]))
        .filter_map(|dim| dim.as_int())
        .collect();
    if groups.len() != low || dims.iter().copied().ne(0..high as i64) {
        return Err("expected reassociation groups to cover all dimensions in order".to_owned());
    }
    let (wide, narrow) = if from.len() > to.len() { (from, to) } else { (to, from) };
    let mut rest = wide;
    for (dim, (group, &size)) in groups.iter().zip(narrow).enumerate() {
        let (part, behind) = rest.split_at(group.as_array().map_or(0, <[Attr]>::len));
        rest = behind;
        if part.contains(&DYNAMIC) != (size == DYNAMIC) {
            return Err(format!(
                "collapsed dim ({dim}) must be dynamic if and only if reassociation group is \
                 dynamic"
            ));
        }
        let product = part.iter().try_fold(1i64, |all, &one| all.checked_mul(one));
        if size != DYNAMIC && product.is_some_and(|product| product != size) {
            return Err(format!(
                "collapsed dim size ({size}) must equal reassociation group size ({})",
                product.unwrap_or(DYNAMIC)
            ));
        }
    }
    Ok(())
}
