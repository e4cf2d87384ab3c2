//! The border of the program at run time.

use std::any::Any;

use tegula_dialect_stream::{Interface, tensor_bytes, view};
use tegula_eval::{
    EvalError, Flow, Frame, Interp, OpaqueValue, ScalarType, Semantics, Tensor, Value,
};
use tegula_ir::{Attr, OpId, Type};

/// A buffer view: a tensor on the caller's side of the border.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferView(pub Tensor);

impl OpaqueValue for BufferView {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The meaning of the ops at the border: of buffer views, imported resources, and what a dispatch
/// is given. Work is not distributed: there is one workgroup.
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
        .op("hal.interface.binding.subspan", subspan)
        .op("hal.interface.constant.load", constant)
        .op("hal.interface.workgroup.id", |_, frame, op| workgroup(frame, op, 0))
        .op("hal.interface.workgroup.count", |_, frame, op| workgroup(frame, op, 1))
        .op("hal.interface.workgroup.size", |_, frame, op| workgroup(frame, op, 1))
        .op("stream.tensor.import", import_resource)
        .op("stream.tensor.export", export_resource)
}

fn import<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
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

fn export<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let tensor = frame.operand(op, 0)?.as_tensor()?.clone();
    frame.set_results(op, vec![Value::opaque(BufferView(tensor))])?;
    Ok(Flow::Next)
}

/// Codes of types are compared with each other only, and all views carry their types.
fn code<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    frame.set_results(op, vec![Value::int(0, 32)])?;
    Ok(Flow::Next)
}

/// The tensor type that an import or export names.
fn encoding(frame: &Frame<'_>, op: OpId, name: &str) -> Result<Type, EvalError> {
    frame.body.attr(op, name).and_then(Attr::as_type).ok_or_else(|| "names no tensor type".into())
}

fn import_resource<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let ty = encoding(frame, op, "result_encoding")?;
    let tensor = &frame.operand(op, 0)?.as_opaque::<BufferView>()?.0;
    if ty.shape() != Some(&tensor.shape[..]) || tensor_bytes(ty)? != tensor.data.len() {
        return Err(EvalError::new(format!(
            "is given a buffer view of shape {:?}, which does not fit the tensor's type",
            tensor.shape
        )));
    }
    let span = interp.memory.alloc_from(&tensor.data)?;
    frame.set_result(op, 0, Value::Span(span))?;
    Ok(Flow::Next)
}

fn export_resource<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let ty = encoding(frame, op, "source_encoding")?;
    let span = frame.operand(op, 0)?.as_span()?.slice(0, tensor_bytes(ty)?)?;
    let elem = ty.element().and_then(ScalarType::of).ok_or("exports an unsupported type")?;
    let bytes = interp.memory.bytes(span)?.to_vec();
    let tensor = Tensor::from_bytes(ty.shape().unwrap_or(&[]), elem, bytes)?;
    frame.set_result(op, 0, Value::opaque(BufferView(tensor)))?;
    Ok(Flow::Next)
}

/// The number in an index attribute.
fn number(frame: &Frame<'_>, op: OpId, name: &str) -> Result<usize, EvalError> {
    let number = frame.body.attr(op, name).and_then(Attr::as_int);
    number
        .and_then(|number| usize::try_from(number).ok())
        .ok_or_else(|| EvalError::new(format!("has no '{name}'")))
}

fn subspan<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let binding = number(frame, op, "binding")?;
    let span = interp.state::<Interface>().bindings.get(binding).copied();
    let span = span.ok_or("names a binding that the dispatch does not pass")?;
    let offset = match frame.segment(op, 0)?.first() {
        Some(&offset) => frame.get(offset)?.as_int()?,
        None => 0,
    };
    let ty = frame.body.ty(frame.body.result(op, 0));
    frame.set_result(op, 0, Value::MemRef(view(span, offset, ty)?))?;
    Ok(Flow::Next)
}

fn constant<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let ordinal = number(frame, op, "ordinal")?;
    let value = interp.state::<Interface>().constants.get(ordinal).cloned();
    let value = value.ok_or("names a constant that the dispatch does not pass")?;
    frame.set_result(op, 0, value)?;
    Ok(Flow::Next)
}

fn workgroup(frame: &mut Frame<'_>, op: OpId, value: i64) -> Result<Flow, EvalError> {
    frame.set_result(op, 0, Value::index(value))?;
    Ok(Flow::Next)
}
