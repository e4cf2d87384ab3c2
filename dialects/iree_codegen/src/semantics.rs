//! The border between buffers and tensors at run time.

use std::sync::Arc;

use tegula_eval::{
    EvalError, Flow, Frame, Interp, Semantics, Strided, Tensor, Value, copy_box, row_major_strides,
};
use tegula_ir::OpId;

/// The meaning of the ops at the border of a dispatch.
pub fn semantics() -> Semantics {
    Semantics::new()
        .op("iree_codegen.load_from_buffer", load)
        .op("iree_codegen.store_to_buffer", store)
}

fn load<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let buffer = frame.memref(op, 0)?;
    let mut tensor = Tensor::zeroed(&buffer.sizes, buffer.elem)?;
    let strides = row_major_strides(&buffer.sizes);
    copy_box(
        &buffer.sizes,
        buffer.elem.bytes(),
        (
            interp.memory.bytes(buffer.span)?,
            Strided { offset: buffer.offset, strides: &buffer.strides },
        ),
        (Arc::make_mut(&mut tensor.data).as_mut_slice(), Strided { offset: 0, strides: &strides }),
    )?;
    frame.set_result(op, 0, Value::Tensor(tensor))?;
    Ok(Flow::Next)
}

fn store<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let (tensor, buffer) = (frame.tensor(op, 0)?, frame.memref(op, 1)?);
    if tensor.shape != buffer.sizes || tensor.elem != buffer.elem {
        return Err(EvalError::new("stores a tensor of another type than the buffer"));
    }
    let strides = row_major_strides(&tensor.shape);
    copy_box(
        &tensor.shape,
        tensor.elem.bytes(),
        (tensor.data.as_slice(), Strided { offset: 0, strides: &strides }),
        (
            interp.memory.bytes_mut(buffer.span)?,
            Strided { offset: buffer.offset, strides: &buffer.strides },
        ),
    )?;
    Ok(Flow::Next)
}
