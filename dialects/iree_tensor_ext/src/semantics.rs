//! Tensors of a dispatch at run time: what it reads is a tensor, what it writes a view of memory.

use smallvec::SmallVec;
use tegula_eval::{
    EvalError, Flow, Frame, Interp, MemRef, ScalarType, Semantics, Strided, Tensor, Value,
    copy_box, row_major_strides,
};
use tegula_ir::OpId;

/// The meaning of the dialect's ops. The number of workgroups has none: work is not distributed.
pub fn semantics() -> Semantics {
    Semantics::new()
        .op("iree_tensor_ext.compute_barrier.start", same)
        .op("iree_tensor_ext.compute_barrier.end", same)
        .op("iree_tensor_ext.dispatch.workload.ordinal", same)
        .op("iree_tensor_ext.dispatch.tensor.load", load)
        .op("iree_tensor_ext.dispatch.tensor.store", store)
}

fn same<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let value = frame.operand(op, 0)?.clone();
    frame.set_result(op, 0, value)?;
    Ok(Flow::Next)
}

/// A slice of an array: where its first element is, its sizes, and its strides, in elements.
struct Slice {
    offset: i64,
    sizes: SmallVec<[i64; 8]>,
    strides: SmallVec<[i64; 8]>,
}

/// The slice that an op's lists describe, the first of which is operand group `group`, of an array
/// with those strides and that first element.
fn slice(
    frame: &Frame<'_>,
    op: OpId,
    group: usize,
    first: i64,
    array: &[i64],
) -> Result<Slice, EvalError> {
    let offsets = frame.mixed_segment(op, "static_offsets", group)?;
    let sizes = frame.mixed_segment(op, "static_sizes", group + 1)?;
    let steps = frame.mixed_segment(op, "static_strides", group + 2)?;
    if offsets.len() != array.len() || sizes.len() != array.len() || steps.len() != array.len() {
        return Err(EvalError::new("slices a tensor of another rank"));
    }
    let far = || EvalError::new("slices beyond what can be addressed");
    let offset = offsets.iter().zip(array).try_fold(first, |sum, (at, stride)| {
        at.checked_mul(*stride).and_then(|step| step.checked_add(sum)).ok_or_else(far)
    })?;
    let strides = steps
        .iter()
        .zip(array)
        .map(|(step, stride)| step.checked_mul(*stride).ok_or_else(far))
        .collect::<Result<_, _>>()?;
    Ok(Slice { offset, sizes, strides })
}

fn load<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let (bytes, elem, slice): (&[u8], ScalarType, Slice) = match frame.operand(op, 0)? {
        Value::MemRef(MemRef { span, elem, offset, strides, .. }) => {
            (interp.memory.bytes(*span)?, *elem, slice(frame, op, 2, *offset, strides)?)
        }
        other => {
            let tensor = other.as_tensor()?;
            let strides = row_major_strides(&tensor.shape);
            (tensor.data.as_slice(), tensor.elem, slice(frame, op, 2, 0, &strides)?)
        }
    };
    let ty = frame.body.ty(frame.body.result(op, 0));
    let shape = ty.shape().ok_or("does not give a ranked tensor")?;
    if shape != slice.sizes.as_slice() {
        return Err(EvalError::new("gives a tensor of another shape than the slice"));
    }
    let mut out = Tensor::zeroed(shape, elem)?;
    let strides = row_major_strides(shape);
    copy_box(
        &slice.sizes,
        elem.bytes(),
        (bytes, Strided { offset: slice.offset, strides: &slice.strides }),
        (
            std::sync::Arc::make_mut(&mut out.data).as_mut_slice(),
            Strided { offset: 0, strides: &strides },
        ),
    )?;
    frame.set_result(op, 0, Value::Tensor(out))?;
    Ok(Flow::Next)
}

fn store<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let tensor = frame.tensor(op, 0)?;
    let view = frame.memref(op, 1)?;
    let slice = slice(frame, op, 3, view.offset, &view.strides)?;
    if tensor.elem != view.elem || tensor.shape.as_slice() != slice.sizes.as_slice() {
        return Err(EvalError::new("stores a tensor of another type than the slice"));
    }
    let strides = row_major_strides(&tensor.shape);
    copy_box(
        &slice.sizes,
        tensor.elem.bytes(),
        (tensor.data.as_slice(), Strided { offset: 0, strides: &strides }),
        (
            interp.memory.bytes_mut(view.span)?,
            Strided { offset: slice.offset, strides: &slice.strides },
        ),
    )?;
    Ok(Flow::Next)
}
