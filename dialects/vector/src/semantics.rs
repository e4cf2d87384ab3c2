//! Vectors at run time: parts, shapes, masks. Traffic with memory and combining ops have files of
//! their own.

use tegula_eval::{
    EvalError, Flow, Frame, Interp, Kernel, Scalar, ScalarType, Semantics, Value, Vector,
    for_each_index, row_major_strides,
};
use tegula_ir::{OpId, Type};

/// The meaning of the dialect's ops.
pub fn semantics() -> Semantics {
    let mut table = Semantics::new()
        .kernel("vector.fma", |cx| Some(Kernel::fma(cx.result(0)?)?.into()))
        .op("vector.broadcast", broadcast)
        .op("vector.extract", extract)
        .op("vector.insert", insert)
        .op("vector.shuffle", shuffle)
        .op("vector.interleave", interleave)
        .op("vector.extract_strided_slice", extract_strided_slice)
        .op("vector.insert_strided_slice", insert_strided_slice)
        .op("vector.shape_cast", reinterpret)
        .op("vector.bitcast", reinterpret)
        .op("vector.transpose", transpose)
        .op("vector.to_elements", to_elements)
        .op("vector.from_elements", from_elements)
        .op("vector.create_mask", |_, frame, op| {
            let bounds = frame.ints(frame.body.operands(op))?;
            mask_below(frame, op, &bounds)
        })
        .op("vector.constant_mask", |_, frame, op| {
            let bounds = int_list(frame, op, "mask_dim_sizes")?;
            mask_below(frame, op, &bounds)
        })
        .op("vector.mask", mask)
        .op("vector.yield", |_, frame, op| Ok(Flow::Exit(frame.operands(op)?)))
        .op("vector.step", |_, frame, op| {
            let ty = result_type(frame, op);
            let count = ty.num_elements().ok_or("has no static size")?;
            let bits: Vec<u64> = (0..count as u64).collect();
            frame.set_result(op, 0, Value::Vector(Vector::from_bits(ty, &bits)?))?;
            Ok(Flow::Next)
        });
    table.extend(crate::memory::semantics());
    table.extend(crate::reduce::semantics());
    table
}

pub(crate) fn result_type(frame: &Frame<'_>, op: OpId) -> Type {
    frame.body.ty(frame.body.result(op, 0))
}

/// A dense array or an array of integers.
pub(crate) fn int_list(frame: &Frame<'_>, op: OpId, name: &str) -> Result<Vec<i64>, EvalError> {
    let attr = frame.body.attr(op, name);
    let list = attr.and_then(|attr| match attr.as_dense_array() {
        Some(values) => Some(values.to_vec()),
        None => attr.as_array()?.iter().map(|item| item.as_int()).collect(),
    });
    list.ok_or_else(|| EvalError::new(format!("has no list '{name}'")))
}

/// The elements of a vector or the one of a scalar, with the shape.
pub(crate) fn elements(value: &Value) -> Result<(Vec<u64>, &'static [i64]), EvalError> {
    match value {
        Value::Scalar(scalar) => Ok((vec![scalar.bits], &[])),
        other => {
            let vector = other.as_vector()?;
            Ok((vector.bits()?, vector.shape()))
        }
    }
}

/// A value of that type, scalar or vector.
pub(crate) fn make(ty: Type, bits: &[u64]) -> Result<Value, EvalError> {
    match ScalarType::of(ty) {
        Some(scalar) => {
            let bits = *bits.first().ok_or("has no element")?;
            Ok(Value::Scalar(Scalar::new(scalar, bits)))
        }
        None => Ok(Value::Vector(Vector::from_bits(ty, bits)?)),
    }
}

pub(crate) fn linear(index: &[i64], strides: &[i64]) -> i64 {
    index.iter().zip(strides).map(|(i, s)| i * s).sum()
}

fn get(bits: &[u64], at: i64) -> Result<u64, EvalError> {
    usize::try_from(at)
        .ok()
        .and_then(|at| bits.get(at))
        .copied()
        .ok_or_else(|| EvalError::new("names an element out of bounds"))
}

fn broadcast<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let (bits, from) = elements(frame.operand(op, 0)?)?;
    let ty = result_type(frame, op);
    let shape = ty.shape().ok_or("has no vector type")?;
    let skip = shape.len().checked_sub(from.len()).ok_or("lowers the rank")?;
    let mut strides = row_major_strides(from);
    for (stride, &size) in strides.iter_mut().zip(from) {
        if size == 1 {
            *stride = 0;
        }
    }
    let mut out = Vec::new();
    for_each_index::<EvalError>(shape, |index| {
        out.push(get(&bits, linear(&index[skip..], &strides))?);
        Ok(())
    })?;
    frame.set_result(op, 0, make(ty, &out)?)?;
    Ok(Flow::Next)
}

/// Where a position that leaves out trailing dimensions begins, and how many elements it covers.
fn covered(shape: &[i64], position: &[i64]) -> Result<(usize, usize), EvalError> {
    if position.len() > shape.len() {
        return Err("has a position of higher rank than the vector".into());
    }
    if position.iter().zip(shape).any(|(&p, &size)| p < 0 || p >= size) {
        return Err("has a position out of bounds".into());
    }
    let count: i64 = shape[position.len()..].iter().product();
    let start = linear(position, &row_major_strides(shape));
    Ok((start as usize, count as usize))
}

fn extract<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let position = frame.mixed(op, "static_position", frame.body.operands(op).skip(1))?;
    // A poison position gives poison, for which zero stands.
    if position.contains(&-1) {
        frame.set_result(op, 0, Value::zero(result_type(frame, op))?)?;
        return Ok(Flow::Next);
    }
    let vector = frame.vector(op, 0)?;
    let (start, count) = covered(vector.shape(), &position)?;
    let size = vector.elem()?.bytes();
    let bytes =
        vector.data.get(start * size..(start + count) * size).ok_or("reads out of bounds")?;
    let ty = result_type(frame, op);
    let value = match ScalarType::of(ty) {
        Some(scalar) => Value::Scalar(Scalar { ty: scalar, bits: scalar.load(bytes) }),
        None => Value::Vector(Vector { ty, data: bytes.into() }),
    };
    frame.set_result(op, 0, value)?;
    Ok(Flow::Next)
}

fn insert<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let position = frame.mixed(op, "static_position", frame.body.operands(op).skip(2))?;
    let (bits, _) = elements(frame.operand(op, 0)?)?;
    let Value::Vector(mut vector) = frame.operand_owned(op, 1)? else {
        return Err("inserts into a value that is no vector".into());
    };
    if !position.contains(&-1) {
        let (start, count) = covered(vector.shape(), &position)?;
        let elem = vector.elem()?;
        let size = elem.bytes();
        if bits.len() != count {
            return Err("inserts a value of the wrong size".into());
        }
        let target = vector.data.get_mut(start * size..(start + count) * size);
        let target = target.ok_or("writes out of bounds")?;
        for (chunk, bits) in target.chunks_exact_mut(size).zip(bits) {
            elem.store(bits, chunk);
        }
    }
    frame.set_result(op, 0, Value::Vector(vector))?;
    Ok(Flow::Next)
}

fn shuffle<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let mask = int_list(frame, op, "mask")?;
    let (first, shape) = elements(frame.operand(op, 0)?)?;
    let (second, _) = elements(frame.operand(op, 1)?)?;
    let row = shape.iter().skip(1).product::<i64>() as usize;
    let all: Vec<u64> = first.into_iter().chain(second).collect();
    let mut out = Vec::with_capacity(mask.len() * row);
    for &choice in &mask {
        match usize::try_from(choice) {
            Ok(choice) => {
                let chosen = all.get(choice * row..(choice + 1) * row);
                out.extend_from_slice(chosen.ok_or("has a mask out of bounds")?);
            }
            // -1 is poison.
            Err(_) => out.extend(std::iter::repeat_n(0, row)),
        }
    }
    frame.set_result(op, 0, make(result_type(frame, op), &out)?)?;
    Ok(Flow::Next)
}

fn interleave<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let (first, _) = elements(frame.operand(op, 0)?)?;
    let (second, _) = elements(frame.operand(op, 1)?)?;
    let out: Vec<u64> = first.into_iter().zip(second).flat_map(|(a, b)| [a, b]).collect();
    frame.set_result(op, 0, make(result_type(frame, op), &out)?)?;
    Ok(Flow::Next)
}

/// Pads a list that may leave out trailing dimensions.
fn padded(mut list: Vec<i64>, with: &[i64]) -> Vec<i64> {
    let rest = with.iter().skip(list.len()).copied().collect::<Vec<_>>();
    list.extend(rest);
    list
}

fn extract_strided_slice<'m>(
    _: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let (bits, shape) = elements(frame.operand(op, 0)?)?;
    let offsets = padded(int_list(frame, op, "offsets")?, &vec![0; shape.len()]);
    let steps = padded(int_list(frame, op, "strides")?, &vec![1; shape.len()]);
    let sizes = padded(int_list(frame, op, "sizes")?, shape);
    let strides = row_major_strides(shape);
    let mut out = Vec::new();
    for_each_index::<EvalError>(&sizes, |index| {
        let at: i64 =
            (0..shape.len()).map(|d| (offsets[d] + index[d] * steps[d]) * strides[d]).sum();
        out.push(get(&bits, at)?);
        Ok(())
    })?;
    frame.set_result(op, 0, make(result_type(frame, op), &out)?)?;
    Ok(Flow::Next)
}

fn insert_strided_slice<'m>(
    _: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let (part, sizes) = elements(frame.operand(op, 0)?)?;
    let (mut bits, shape) = elements(frame.operand(op, 1)?)?;
    let offsets = int_list(frame, op, "offsets")?;
    let steps = int_list(frame, op, "strides")?;
    let skip = shape.len().checked_sub(sizes.len()).ok_or("inserts a part of higher rank")?;
    if offsets.len() != shape.len() || steps.len() != sizes.len() {
        return Err("has lists of the wrong length".into());
    }
    let strides = row_major_strides(shape);
    let mut next = part.into_iter();
    for_each_index::<EvalError>(sizes, |index| {
        let mut at = linear(&offsets, &strides);
        for (dim, (&i, &step)) in index.iter().zip(&steps).enumerate() {
            at += i * step * strides[dim + skip];
        }
        let slot = usize::try_from(at).ok().and_then(|at| bits.get_mut(at));
        *slot.ok_or("writes out of bounds")? = next.next().ok_or("has too few elements")?;
        Ok(())
    })?;
    frame.set_result(op, 0, make(result_type(frame, op), &bits)?)?;
    Ok(Flow::Next)
}

/// The same bytes as another vector type.
fn reinterpret<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let vector = frame.vector(op, 0)?;
    let ty = result_type(frame, op);
    let result = Vector { ty, data: vector.data.clone() };
    let count = ty.num_elements().ok_or("has no static size")? as usize;
    if result.data.len() != count * result.elem()?.bytes() {
        return Err("casts to a type of another size".into());
    }
    frame.set_result(op, 0, Value::Vector(result))?;
    Ok(Flow::Next)
}

fn transpose<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let permutation = int_list(frame, op, "permutation")?;
    let (bits, shape) = elements(frame.operand(op, 0)?)?;
    let from = row_major_strides(shape);
    let strides: Vec<i64> = permutation
        .iter()
        .map(|&p| usize::try_from(p).ok().and_then(|p| from.get(p)).copied())
        .collect::<Option<_>>()
        .ok_or("has a malformed permutation")?;
    let ty = result_type(frame, op);
    let mut out = Vec::with_capacity(bits.len());
    for_each_index::<EvalError>(ty.shape().ok_or("has no vector type")?, |index| {
        out.push(get(&bits, linear(index, &strides))?);
        Ok(())
    })?;
    frame.set_result(op, 0, make(ty, &out)?)?;
    Ok(Flow::Next)
}

fn to_elements<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let vector = frame.vector(op, 0)?;
    let ty = vector.elem()?;
    let values: Vec<Value> =
        vector.bits()?.into_iter().map(|bits| Value::Scalar(Scalar { ty, bits })).collect();
    frame.set_results(op, values)?;
    Ok(Flow::Next)
}

fn from_elements<'m>(
    _: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let bits: Vec<u64> = (0..frame.body.num_operands(op))
        .map(|index| frame.scalar(op, index).map(|s| s.bits))
        .collect::<Result<_, _>>()?;
    frame.set_result(op, 0, make(result_type(frame, op), &bits)?)?;
    Ok(Flow::Next)
}

fn mask_below(frame: &mut Frame<'_>, op: OpId, bounds: &[i64]) -> Result<Flow, EvalError> {
    let ty = result_type(frame, op);
    let mut bits = Vec::new();
    for_each_index::<EvalError>(ty.shape().ok_or("has no vector type")?, |index| {
        bits.push(index.iter().zip(bounds).all(|(&i, &bound)| i < bound).into());
        Ok(())
    })?;
    frame.set_result(op, 0, make(ty, &bits)?)?;
    Ok(Flow::Next)
}

/// Runs the masked op, which looks at the mask of the op around it; lanes that are masked off take
/// the value that passes through.
fn mask<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let region = frame.body.region(op, 0).ok_or("has no region")?;
    let mut values = interp.run_region(frame, region, &[])?.values;
    if frame.body.num_operands(op) > 1 {
        let (mask, _) = elements(frame.operand(op, 0)?)?;
        let (through, _) = elements(frame.operand(op, 1)?)?;
        if let Some(first) = values.first_mut() {
            let (mut bits, _) = elements(first)?;
            if bits.len() == mask.len() && bits.len() == through.len() {
                for ((slot, &on), &other) in bits.iter_mut().zip(&mask).zip(&through) {
                    if on & 1 == 0 {
                        *slot = other;
                    }
                }
                *first = make(result_type(frame, op), &bits)?;
            }
        }
    }
    frame.set_results(op, values)?;
    Ok(Flow::Next)
}

/// The mask of the `vector.mask` around an op, as bits in row-major order.
pub(crate) fn mask_around(frame: &Frame<'_>, op: OpId) -> Result<Option<Vec<u64>>, EvalError> {
    match frame.body.parent_op(op) {
        Some(parent) if frame.body.is(parent, "vector.mask") => {
            Ok(Some(elements(frame.operand(parent, 0)?)?.0))
        }
        _ => Ok(None),
    }
}
