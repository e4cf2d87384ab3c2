//! The border of the program at run time.

use std::any::Any;

use tegula_eval::{EvalError, Flow, Frame, Interp, OpaqueValue, Semantics, Tensor, Value};
use tegula_ir::OpId;

/// A buffer view: a tensor on the caller's side of the border.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferView(pub Tensor);

impl OpaqueValue for BufferView {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The meaning of the ops at the border.
pub fn semantics() -> Semantics {
    Semantics::new()
        .op("hal.tensor.import", import)
        .op("hal.tensor.export", export)
        .op("hal.buffer_view.assert", |_, frame, op| {
            // Views carry their type; a wrong one is found where the tensor is used.
            frame.operand(op, 0)?.as_opaque::<BufferView>()?;
            Ok(Flow::Next)
        })
        .op("hal.element_type", code)
        .op("hal.encoding_type", code)
}

fn import<'m>(
    _: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let tensor = frame.operand(op, 0)?.as_opaque::<BufferView>()?.0.clone();
    let ty = frame.body.ty(frame.body.result(op, 0));
    let fits = ty.shape().is_some_and(|shape| {
        shape.len() == tensor.shape.len()
            && shape.iter().zip(&tensor.shape).all(|(s, t)| *s == tegula_ir::DYNAMIC || s == t)
    });
    if !fits {
        return Err(EvalError::new(format!(
            "is given a buffer view of shape {:?}, which does not fit the tensor's type",
            tensor.shape
        )));
    }
    frame.set_results(op, vec![Value::Tensor(tensor)])?;
    Ok(Flow::Next)
}

fn export<'m>(
    _: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let tensor = frame.operand(op, 0)?.as_tensor()?.clone();
    frame.set_results(op, vec![Value::opaque(BufferView(tensor))])?;
    Ok(Flow::Next)
}

/// Codes of types are compared with each other only, and all views carry their types.
fn code<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    frame.set_results(op, vec![Value::int(0, 32)])?;
    Ok(Flow::Next)
}
