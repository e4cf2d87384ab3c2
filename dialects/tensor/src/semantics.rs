//! Tensors at run time.

use tegula_eval::{
    EvalError, Flow, Frame, Interp, Scalar, ScalarType, Semantics, Strided, Tensor, Value,
    copy_box, for_each_index, kept_dims, row_major_strides,
};
use tegula_ir::{DYNAMIC, OpId, ValueId};

/// The meaning of the dialect's ops. The elements of `tensor.empty` are zero.
pub fn semantics() -> Semantics {
    Semantics::new()
        .op("tensor.empty", |_, frame, op| {
            let (shape, elem) = result_shape(frame, op, frame.body.operands(op).collect())?;
            frame.set_result(op, 0, Value::Tensor(Tensor::zeroed(&shape, elem)?))?;
            Ok(Flow::Next)
        })
        .op("tensor.dim", dim)
        .op("tensor.rank", |_, frame, op| {
            let rank = frame.tensor(op, 0)?.shape.len() as i64;
            frame.set_result(op, 0, Value::index(rank))?;
            Ok(Flow::Next)
        })
        .op("tensor.cast", cast)
        .op("tensor.bitcast", bitcast)
        .op("tensor.extract", extract)
        .op("tensor.insert", insert)
        .op("tensor.from_elements", from_elements)
        .op("tensor.splat", splat)
        .op("tensor.generate", generate)
        .op("tensor.yield", |_, frame, op| Ok(Flow::Exit(frame.operands(op)?)))
        .op("tensor.extract_slice", extract_slice)
        .op("tensor.insert_slice", |_, frame, op| {
            let value = insert_slice(frame, op)?;
            frame.set_result(op, 0, value)?;
            Ok(Flow::Next)
        })
        .op("tensor.parallel_insert_slice", |_, frame, op| {
            // The destination is the block argument that the iterations share; it gets the new value.
            let value = insert_slice(frame, op)?;
            let shared = frame.operand_id(op, 1)?;
            frame.set(shared, value);
            Ok(Flow::Next)
        })
        .op("tensor.collapse_shape", |_, frame, op| reshape(frame, op, &[]))
        .op("tensor.expand_shape", |_, frame, op| {
            let sizes = frame.mixed(op, "static_output_shape", frame.body.operands(op).skip(1))?;
            reshape(frame, op, &sizes)
        })
        .op("tensor.pad", pad)
        .op("tensor.concat", concat)
}

/// The shape of the result, its dynamic sizes taken in order from `dynamic`.
fn result_shape(
    frame: &Frame<'_>,
    op: OpId,
    dynamic: Vec<ValueId>,
) -> Result<(Vec<i64>, ScalarType), EvalError> {
    let ty = frame.body.ty(frame.body.result(op, 0));
    let elem = ty.element().and_then(ScalarType::of).ok_or("has an unsupported element type")?;
    let mut dynamic = dynamic.into_iter();
    let mut shape = Vec::new();
    for &size in ty.shape().ok_or("has no ranked type")? {
        shape.push(match size {
            DYNAMIC => frame.get(dynamic.next().ok_or("has too few sizes")?)?.as_int()?,
            size => size,
        });
    }
    Ok((shape, elem))
}

fn dim<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let index = frame.int(op, 1)?;
    let tensor = frame.tensor(op, 0)?;
    let size = usize::try_from(index)
        .ok()
        .and_then(|index| tensor.shape.get(index))
        .copied()
        .ok_or("asks for a dimension that the tensor does not have")?;
    frame.set_result(op, 0, Value::index(size))?;
    Ok(Flow::Next)
}

fn cast<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let tensor = frame.tensor(op, 0)?.clone();
    let ty = frame.body.ty(frame.body.result(op, 0));
    let fits = ty.shape().is_none_or(|shape| {
        shape.len() == tensor.shape.len()
            && shape.iter().zip(&tensor.shape).all(|(&s, &size)| s == DYNAMIC || s == size)
    });
    if !fits {
        return Err("casts to a shape that the tensor does not have".into());
    }
    frame.set_result(op, 0, Value::Tensor(tensor))?;
    Ok(Flow::Next)
}

fn bitcast<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let mut tensor = frame.tensor(op, 0)?.clone();
    let ty = frame.body.ty(frame.body.result(op, 0));
    let elem = ty.element().and_then(ScalarType::of).ok_or("has an unsupported element type")?;
    if elem.width() != tensor.elem.width() {
        return Err("casts between elements of different width".into());
    }
    tensor.elem = elem;
    frame.set_result(op, 0, Value::Tensor(tensor))?;
    Ok(Flow::Next)
}

fn extract<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let indices = frame.ints(frame.body.operands(op).skip(1))?;
    let tensor = frame.tensor(op, 0)?;
    let bits = tensor.get(tensor.position(&indices)?).ok_or("reads beyond the end")?;
    let scalar = Scalar { ty: tensor.elem, bits };
    frame.set_result(op, 0, Value::Scalar(scalar))?;
    Ok(Flow::Next)
}

fn owned_tensor(frame: &mut Frame<'_>, op: OpId, index: usize) -> Result<Tensor, EvalError> {
    match frame.operand_owned(op, index)? {
        Value::Tensor(tensor) => Ok(tensor),
        other => other.as_tensor().cloned(),
    }
}

fn insert<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let indices = frame.ints(frame.body.operands(op).skip(2))?;
    let bits = frame.scalar(op, 0)?.bits;
    let mut tensor = owned_tensor(frame, op, 1)?;
    let at = tensor.position(&indices)?;
    tensor.set(at, bits)?;
    frame.set_result(op, 0, Value::Tensor(tensor))?;
    Ok(Flow::Next)
}

fn from_elements<'m>(
    _: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let (shape, elem) = result_shape(frame, op, Vec::new())?;
    let mut data = vec![0; frame.body.num_operands(op) * elem.bytes()];
    for (index, chunk) in data.chunks_exact_mut(elem.bytes()).enumerate() {
        elem.store(frame.scalar(op, index)?.bits, chunk);
    }
    frame.set_result(op, 0, Value::Tensor(Tensor::from_bytes(&shape, elem, data)?))?;
    Ok(Flow::Next)
}

fn splat<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let (shape, elem) = result_shape(frame, op, frame.body.operands(op).skip(1).collect())?;
    let bits = frame.scalar(op, 0)?.bits;
    let mut data = std::sync::Arc::unwrap_or_clone(Tensor::zeroed(&shape, elem)?.data);
    for chunk in data.chunks_exact_mut(elem.bytes()) {
        elem.store(bits, chunk);
    }
    frame.set_result(op, 0, Value::Tensor(Tensor::from_bytes(&shape, elem, data)?))?;
    Ok(Flow::Next)
}

/// Evaluates the region for an index; it yields one scalar.
fn element<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
    index: &[i64],
) -> Result<u64, EvalError> {
    let region = frame.body.region(op, 0).ok_or("has no region")?;
    let args: Vec<Value> = index.iter().map(|&i| Value::index(i)).collect();
    let exit = interp.run_region(frame, region, &args)?;
    Ok(exit.values.first().ok_or("has a region that yields nothing")?.as_scalar()?.bits)
}

fn generate<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let (shape, elem) = result_shape(frame, op, frame.body.operands(op).collect())?;
    let mut tensor = Tensor::zeroed(&shape, elem)?;
    for_each_index::<EvalError>(&shape, |index| {
        let bits = element(interp, frame, op, index)?;
        let at = tensor.position(index)?;
        tensor.set(at, bits)
    })?;
    frame.set_result(op, 0, Value::Tensor(tensor))?;
    Ok(Flow::Next)
}

/// Offsets, sizes and strides of a slice, checked against the sliced shape.
struct Slice {
    offset: i64,
    sizes: Vec<i64>,
    strides: Vec<i64>,
}

fn slice(
    frame: &Frame<'_>,
    op: OpId,
    first_group: usize,
    shape: &[i64],
) -> Result<Slice, EvalError> {
    let offsets = frame.mixed_segment(op, "static_offsets", first_group)?;
    let sizes = frame.mixed_segment(op, "static_sizes", first_group + 1)?;
    let steps = frame.mixed_segment(op, "static_strides", first_group + 2)?;
    let rank = shape.len();
    if offsets.len() != rank || sizes.len() != rank || steps.len() != rank {
        return Err("has lists of the wrong length".into());
    }
    let whole = row_major_strides(shape);
    let mut slice = Slice { offset: 0, sizes: sizes.to_vec(), strides: Vec::new() };
    for dim in 0..rank {
        let last = offsets[dim] + (sizes[dim] - 1).max(0) * steps[dim];
        let inside = offsets[dim] >= 0
            && sizes[dim] >= 0
            && (sizes[dim] == 0 || (0..shape[dim]).contains(&last) && offsets[dim] < shape[dim]);
        if !inside {
            return Err(EvalError::new(format!(
                "takes {} elements from {} on of dimension {dim}, which has size {}",
                sizes[dim], offsets[dim], shape[dim]
            )));
        }
        slice.offset += offsets[dim] * whole[dim];
        slice.strides.push(steps[dim] * whole[dim]);
    }
    Ok(slice)
}

fn extract_slice<'m>(
    _: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let source = frame.tensor(op, 0)?;
    let slice = slice(frame, op, 1, &source.shape)?;
    let size = source.elem.bytes();
    let count = slice.sizes.iter().product::<i64>() as usize;
    let mut data = vec![0; count * size];
    let from = Strided { offset: slice.offset, strides: &slice.strides };
    let dense = row_major_strides(&slice.sizes);
    let to = Strided { offset: 0, strides: &dense };
    copy_box(&slice.sizes, size, (&source.data, from), (&mut data, to))?;
    let ty = frame.body.ty(frame.body.result(op, 0));
    let kept = kept_dims(&slice.sizes, ty.shape().ok_or("has no ranked type")?)
        .ok_or("has a result type that its sizes do not fit")?;
    let shape: Vec<i64> = kept.iter().map(|&dim| slice.sizes[dim]).collect();
    let result = Tensor::from_bytes(&shape, source.elem, data)?;
    frame.set_result(op, 0, Value::Tensor(result))?;
    Ok(Flow::Next)
}

fn insert_slice(frame: &mut Frame<'_>, op: OpId) -> Result<Value, EvalError> {
    let source = frame.tensor(op, 0)?.clone();
    let shape = frame.tensor(op, 1)?.shape.clone();
    let slice = slice(frame, op, 2, &shape)?;
    if slice.sizes.iter().product::<i64>() != source.len() as i64 {
        return Err("inserts a tensor whose size differs from that of the slice".into());
    }
    let mut target = owned_tensor(frame, op, 1)?;
    let dense = row_major_strides(&slice.sizes);
    let from = Strided { offset: 0, strides: &dense };
    let to = Strided { offset: slice.offset, strides: &slice.strides };
    let data = std::sync::Arc::make_mut(&mut target.data);
    copy_box(&slice.sizes, source.elem.bytes(), (&source.data, from), (data, to))?;
    Ok(Value::Tensor(target))
}

/// Gives the same elements another shape. Dynamic sizes of a collapsed shape follow from the groups.
fn reshape(frame: &mut Frame<'_>, op: OpId, sizes: &[i64]) -> Result<Flow, EvalError> {
    let source = frame.tensor(op, 0)?.clone();
    let ty = frame.body.ty(frame.body.result(op, 0));
    let mut shape = ty.shape().ok_or("has no ranked type")?.to_vec();
    let groups = frame.body.attr(op, "reassociation").and_then(|attr| attr.as_array());
    for (dim, size) in shape.iter_mut().enumerate().filter(|(_, size)| **size == DYNAMIC) {
        *size = match sizes.get(dim) {
            Some(&size) => size,
            None => {
                let group = groups.and_then(|g| g.get(dim)?.as_array()).unwrap_or(&[]);
                let dims = group.iter().filter_map(|d| usize::try_from(d.as_int()?).ok());
                dims.filter_map(|d| source.shape.get(d)).product()
            }
        };
    }
    let data = std::sync::Arc::unwrap_or_clone(source.data);
    let result = Tensor::from_bytes(&shape, source.elem, data)?;
    frame.set_result(op, 0, Value::Tensor(result))?;
    Ok(Flow::Next)
}

fn pad<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let low = frame.mixed_segment(op, "static_low", 1)?;
    let high = frame.mixed_segment(op, "static_high", 2)?;
    let source = frame.tensor(op, 0)?.clone();
    if low.len() != source.shape.len() || high.len() != source.shape.len() {
        return Err("has lists of the wrong length".into());
    }
    if low.iter().chain(&high).any(|&border| border < 0) {
        return Err("has a negative border".into());
    }
    let shape: Vec<i64> =
        source.shape.iter().zip(&low).zip(&high).map(|((s, l), h)| s + l + h).collect();
    let mut result = Tensor::zeroed(&shape, source.elem)?;
    let inside = |index: &[i64]| {
        index.iter().zip(&low).zip(&source.shape).all(|((&i, &l), &s)| i >= l && i < l + s)
    };
    for_each_index::<EvalError>(&shape, |index| {
        if inside(index) {
            return Ok(());
        }
        let bits = element(interp, frame, op, index)?;
        let at = result.position(index)?;
        result.set(at, bits)
    })?;
    let (dense, wide) = (row_major_strides(&source.shape), row_major_strides(&shape));
    let offset = low.iter().zip(&wide).map(|(l, s)| l * s).sum();
    let data = std::sync::Arc::make_mut(&mut result.data);
    copy_box(
        &source.shape,
        source.elem.bytes(),
        (&source.data, Strided { offset: 0, strides: &dense }),
        (data, Strided { offset, strides: &wide }),
    )?;
    frame.set_result(op, 0, Value::Tensor(result))?;
    Ok(Flow::Next)
}

fn concat<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let dim = frame.body.attr(op, "dim").and_then(|dim| dim.as_int());
    let dim = dim.and_then(|dim| usize::try_from(dim).ok()).ok_or("has no dimension")?;
    let inputs: Vec<Tensor> = (0..frame.body.num_operands(op))
        .map(|index| frame.tensor(op, index).cloned())
        .collect::<Result<_, _>>()?;
    let first = inputs.first().ok_or("has no inputs")?;
    let mut shape = first.shape.clone();
    let size = inputs.iter().map(|t| t.shape.get(dim).copied().unwrap_or(0)).sum();
    *shape.get_mut(dim).ok_or("names a missing dimension")? = size;
    let mut result = Tensor::zeroed(&shape, first.elem)?;
    let wide = row_major_strides(&shape);
    let data = std::sync::Arc::make_mut(&mut result.data);
    let mut offset = 0;
    for input in &inputs {
        let dense = row_major_strides(&input.shape);
        copy_box(
            &input.shape,
            input.elem.bytes(),
            (&input.data, Strided { offset: 0, strides: &dense }),
            (data, Strided { offset: offset * wide[dim], strides: &wide }),
        )?;
        offset += input.shape[dim];
    }
    frame.set_result(op, 0, Value::Tensor(result))?;
    Ok(Flow::Next)
}
