//! Views of memory at run time.

use std::collections::BTreeMap;

use tegula_eval::{
    EvalError, Flow, Frame, Interp, MemRef, ScalarType, Semantics, Span, Strided, Value, copy_box,
    kept_dims, row_major_strides,
};
use tegula_ir::{AttrData, DYNAMIC, OpId, Type, TypeData};

/// The meaning of the dialect's ops.
pub fn semantics() -> Semantics {
    Semantics::new()
        .op("memref.alloc", |interp, frame, op| alloc(interp, frame, op, false))
        .op("memref.alloca", |interp, frame, op| alloc(interp, frame, op, true))
        .op("memref.dealloc", |interp, frame, op| {
            let buffer = frame.memref(op, 0)?.span.buffer;
            interp.memory.free(buffer)?;
            Ok(Flow::Next)
        })
        .op("memref.get_global", get_global)
        .op("memref.load", load)
        .op("memref.store", store)
        .op("memref.copy", copy)
        .op("memref.assume_alignment", same)
        .op("memref.memory_space_cast", same)
        .op("memref.cast", same)
        .op("memref.dim", dim)
        .op("memref.rank", |_, frame, op| {
            let rank = frame.memref(op, 0)?.sizes.len() as i64;
            frame.set_result(op, 0, Value::index(rank))?;
            Ok(Flow::Next)
        })
        .op("memref.subview", subview)
        .op("memref.reinterpret_cast", reinterpret_cast)
        .op("memref.collapse_shape", collapse_shape)
        .op("memref.expand_shape", expand_shape)
        .op("memref.extract_strided_metadata", metadata)
}

/// The strides that a memref type states, [`DYNAMIC`] where it does not.
pub fn type_strides(ty: Type) -> Option<(Vec<i64>, i64)> {
    let TypeData::MemRef { shape, layout, .. } = ty.data() else { return None };
    match layout.map(|layout| layout.data()) {
        None => {
            let mut strides = vec![1; shape.len()];
            for dim in (1..shape.len()).rev() {
                strides[dim - 1] = match (strides[dim], shape[dim]) {
                    (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
                    (stride, size) => stride.checked_mul(size)?,
                };
            }
            Some((strides, 0))
        }
        Some(AttrData::Strided { strides, offset }) => Some((strides.to_vec(), *offset)),
        Some(AttrData::AffineMap(map)) if map.is_identity() => {
            type_strides(Type::memref(shape, ty.element()?, None, None))
        }
        Some(_) => None,
    }
}

fn alloc<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
    scratch: bool,
) -> Result<Flow, EvalError> {
    let ty = frame.body.ty(frame.body.result(op, 0));
    let shape = ty.shape().ok_or("allocates no memref")?;
    let elem = ty.element().and_then(ScalarType::of).ok_or("has an unsupported element type")?;
    let mut dynamic = frame.segment(op, 0)?.into_iter();
    let mut sizes = Vec::new();
    for &size in shape {
        sizes.push(match size {
            DYNAMIC => frame.get(dynamic.next().ok_or("has too few sizes")?)?.as_int()?,
            size => size,
        });
    }
    if sizes.iter().any(|&size| size < 0) {
        return Err("allocates a negative size".into());
    }
    let (mut strides, mut offset) = type_strides(ty).ok_or("has an unsupported layout")?;
    if strides.contains(&DYNAMIC) || offset == DYNAMIC {
        if matches!(ty.data(), TypeData::MemRef { layout: Some(_), .. }) {
            return Err("has a layout that is not known".into());
        }
        (strides, offset) = (row_major_strides(&sizes).to_vec(), 0);
    }
    let elements = if sizes.contains(&0) {
        0
    } else {
        let last = sizes.iter().zip(&strides).try_fold(offset, |at, (&size, &stride)| {
            at.checked_add((size - 1).checked_mul(stride)?)
        });
        let last = last.and_then(|last| usize::try_from(last).ok());
        last.ok_or("allocates more than the address space")? + 1
    };
    let size = elements.checked_mul(elem.bytes()).ok_or("allocates more than the address space")?;
    let span =
        if scratch { interp.scratch(frame, op, size)? } else { interp.memory.alloc(size)? };
    let view = MemRef { span, elem, offset, sizes: sizes.into(), strides: strides.into() };
    frame.set_result(op, 0, Value::MemRef(view))?;
    Ok(Flow::Next)
}

/// The memory of the module's globals, made on first use.
#[derive(Default)]
struct Globals(BTreeMap<String, Span>);

fn get_global<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let name = frame.body.attr(op, "name").ok_or("has no name")?;
    let (body, global) =
        interp.resolve(frame.body, op, name).ok_or("refers to a global that is not defined")?;
    let ty = frame.body.ty(frame.body.result(op, 0));
    let elem = ty.element().and_then(ScalarType::of).ok_or("has an unsupported element type")?;
    let sizes = ty.shape().ok_or("is no memref")?;
    let key = body.symbol_name(global).unwrap_or_default().to_owned();
    let span = match interp.state::<Globals>().0.get(&key) {
        Some(span) => *span,
        None => {
            let count = ty.num_elements().ok_or("has a dynamic shape")? as usize;
            let initial = body.attr(global, "initial_value");
            let span = match initial.filter(|value| value.value_type().is_some()) {
                Some(value) => {
                    let value = Value::from_attr(value)?;
                    interp.memory.alloc_from(&value.as_tensor()?.data)?
                }
                None => interp.memory.alloc(count * elem.bytes())?,
            };
            interp.state::<Globals>().0.insert(key, span);
            span
        }
    };
    frame.set_result(op, 0, Value::MemRef(MemRef::contiguous(span, elem, sizes)))?;
    Ok(Flow::Next)
}

fn load<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let indices = frame.ints(frame.body.operands(op).skip(1))?;
    let view = frame.memref(op, 0)?;
    let bits = interp.memory.element(view, view.position(&indices)?)?;
    let scalar = tegula_eval::Scalar { ty: view.elem, bits };
    frame.set_result(op, 0, Value::Scalar(scalar))?;
    Ok(Flow::Next)
}

fn store<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let indices = frame.ints(frame.body.operands(op).skip(2))?;
    let bits = frame.scalar(op, 0)?.bits;
    let view = frame.memref(op, 1)?;
    interp.memory.set_element(view, view.position(&indices)?, bits)?;
    Ok(Flow::Next)
}

fn copy<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let (from, to) = (frame.memref(op, 0)?, frame.memref(op, 1)?);
    if from.sizes != to.sizes || from.elem != to.elem {
        return Err("copies between views of different shape".into());
    }
    // A copy of the source first: the two may overlap.
    let bytes = interp.memory.bytes(from.span)?.to_vec();
    let source = Strided { offset: from.offset, strides: &from.strides };
    let target = Strided { offset: to.offset, strides: &to.strides };
    let out = interp.memory.bytes_mut(to.span)?;
    copy_box(&from.sizes, from.elem.bytes(), (&bytes, source), (out, target))?;
    Ok(Flow::Next)
}

fn same<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let view = frame.memref(op, 0)?.clone();
    let ty = frame.body.ty(frame.body.result(op, 0));
    let fits = ty.shape().is_none_or(|shape| {
        shape.len() == view.sizes.len()
            && shape.iter().zip(&view.sizes).all(|(&s, &size)| s == DYNAMIC || s == size)
    });
    if !fits {
        return Err("casts to a shape that the view does not have".into());
    }
    frame.set_result(op, 0, Value::MemRef(view))?;
    Ok(Flow::Next)
}

fn dim<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let index = frame.int(op, 1)?;
    let view = frame.memref(op, 0)?;
    let size = usize::try_from(index)
        .ok()
        .and_then(|index| view.sizes.get(index))
        .copied()
        .ok_or("asks for a dimension that the view does not have")?;
    frame.set_result(op, 0, Value::index(size))?;
    Ok(Flow::Next)
}

fn subview<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let offsets = frame.mixed_segment(op, "static_offsets", 1)?;
    let sizes = frame.mixed_segment(op, "static_sizes", 2)?;
    let steps = frame.mixed_segment(op, "static_strides", 3)?;
    let view = frame.memref(op, 0)?;
    let rank = view.sizes.len();
    if offsets.len() != rank || sizes.len() != rank || steps.len() != rank {
        return Err("has lists of the wrong length".into());
    }
    let mut offset = view.offset;
    let mut strides = Vec::with_capacity(rank);
    for dim in 0..rank {
        let last = offsets[dim] + (sizes[dim] - 1).max(0) * steps[dim];
        let end = view.sizes[dim];
        let inside = offsets[dim] >= 0
            && sizes[dim] >= 0
            && (sizes[dim] == 0 || (0..end).contains(&last) && offsets[dim] < end);
        if !inside {
            return Err(EvalError::new(format!(
                "takes {} elements from {} on of dimension {dim}, which has size {end}",
                sizes[dim], offsets[dim]
            )));
        }
        offset += offsets[dim] * view.strides[dim];
        strides.push(steps[dim] * view.strides[dim]);
    }
    let ty = frame.body.ty(frame.body.result(op, 0));
    let kept = kept_dims(&sizes, ty.shape().ok_or("is no memref")?)
        .ok_or("has a result type that its sizes do not fit")?;
    let part = MemRef {
        span: view.span,
        elem: view.elem,
        offset,
        sizes: kept.iter().map(|&dim| sizes[dim]).collect(),
        strides: kept.iter().map(|&dim| strides[dim]).collect(),
    };
    frame.set_result(op, 0, Value::MemRef(part))?;
    Ok(Flow::Next)
}

fn reinterpret_cast<'m>(
    _: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let offsets = frame.mixed_segment(op, "static_offsets", 1)?;
    let sizes = frame.mixed_segment(op, "static_sizes", 2)?;
    let strides = frame.mixed_segment(op, "static_strides", 3)?;
    let view = frame.memref(op, 0)?;
    let part = MemRef {
        span: view.span,
        elem: view.elem,
        offset: offsets.first().copied().unwrap_or(0),
        sizes: sizes.into_iter().collect(),
        strides: strides.into_iter().collect(),
    };
    frame.set_result(op, 0, Value::MemRef(part))?;
    Ok(Flow::Next)
}

fn groups(frame: &Frame<'_>, op: OpId) -> Result<Vec<Vec<usize>>, EvalError> {
    let groups = frame.body.attr(op, "reassociation").and_then(|attr| attr.as_array());
    groups
        .ok_or("has no reassociation")?
        .iter()
        .map(|group| {
            let dims = group.as_array().unwrap_or(&[]).iter();
            dims.map(|dim| dim.as_int().and_then(|dim| usize::try_from(dim).ok()))
                .collect::<Option<_>>()
                .ok_or_else(|| EvalError::new("has a malformed reassociation"))
        })
        .collect()
}

fn collapse_shape<'m>(
    _: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let view = frame.memref(op, 0)?;
    let mut part = MemRef { sizes: [].into_iter().collect(), ..view.clone() };
    part.strides.clear();
    for group in groups(frame, op)? {
        let (mut size, mut stride) = (1, None);
        for &dim in group.iter().rev() {
            let (&s, &step) = view
                .sizes
                .get(dim)
                .zip(view.strides.get(dim))
                .ok_or("names a missing dimension")?;
            if s != 1 {
                match stride {
                    None => stride = Some(step),
                    Some(inner) if step == inner * size => {}
                    Some(_) => return Err("merges dimensions that are not contiguous".into()),
                }
            }
            size *= s;
        }
        part.sizes.push(size);
        part.strides.push(stride.unwrap_or(1));
    }
    frame.set_result(op, 0, Value::MemRef(part))?;
    Ok(Flow::Next)
}

fn expand_shape<'m>(
    _: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let sizes = frame.mixed(op, "static_output_shape", frame.body.operands(op).skip(1))?;
    let view = frame.memref(op, 0)?;
    let mut strides = vec![0; sizes.len()];
    for (group, (&size, &stride)) in
        groups(frame, op)?.iter().zip(view.sizes.iter().zip(&view.strides))
    {
        let mut step = stride;
        let mut total = 1;
        for &dim in group.iter().rev() {
            let slot = strides.get_mut(dim).ok_or("names a missing dimension")?;
            *slot = step;
            step *= sizes[dim];
            total *= sizes[dim];
        }
        if total != size {
            return Err("splits a dimension into sizes whose product differs".into());
        }
    }
    let part =
        MemRef { sizes: sizes.into_iter().collect(), strides: strides.into(), ..view.clone() };
    frame.set_result(op, 0, Value::MemRef(part))?;
    Ok(Flow::Next)
}

fn metadata<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let view = frame.memref(op, 0)?.clone();
    let base = MemRef {
        offset: 0,
        sizes: [].into_iter().collect(),
        strides: [].into_iter().collect(),
        ..view
    };
    let mut values = vec![Value::MemRef(base), Value::index(view.offset)];
    values.extend(view.sizes.iter().map(|&size| Value::index(size)));
    values.extend(view.strides.iter().map(|&stride| Value::index(stride)));
    frame.set_results(op, values)?;
    Ok(Flow::Next)
}
