//! The meaning of ops at the border of a dispatch, for one function on given bindings.

use tegula_eval::{
    EvalError, Flow, Frame, Interp, MemRef, ScalarType, Semantics, Span, Tensor, Value,
};
use tegula_ir::{AttrData, FloatKind, OpId, Type, TypeData};

/// The contents of the bindings by number.
#[derive(Default)]
pub struct Bindings(pub Vec<Span>);

const F32: ScalarType = ScalarType::Float(FloatKind::F32);

pub fn semantics() -> Semantics {
    Semantics::new()
        .op("hal.interface.binding.subspan", subspan)
        .op("iree_tensor_ext.dispatch.tensor.load", |interp, frame, op| {
            let span = frame.operand(op, 0)?.as_span()?;
            let shape = shape_of(frame.body.ty(frame.body.result(op, 0)))?;
            let bytes = interp.memory.bytes(span)?;
            let size = shape.iter().product::<i64>() as usize * 4;
            let bytes = bytes.get(..size).ok_or("reads beyond its binding")?.to_vec();
            frame.set_result(op, 0, Value::Tensor(Tensor::from_bytes(shape, F32, bytes)?))?;
            Ok(Flow::Next)
        })
        .op("iree_tensor_ext.dispatch.tensor.store", |interp, frame, op| {
            let data = frame.tensor(op, 0)?.data.clone();
            let span = frame.operand(op, 1)?.as_span()?.slice(0, data.len())?;
            interp.memory.bytes_mut(span)?.copy_from_slice(&data);
            Ok(Flow::Next)
        })
        .op("iree_codegen.load_from_buffer", |interp, frame, op| {
            let view = frame.memref(op, 0)?.clone();
            let shape = view.sizes.to_vec();
            let mut tensor = Tensor::zeroed(&shape, F32)?;
            tegula_eval::for_each_index(&shape, |at| -> Result<(), EvalError> {
                let bits = interp.memory.element(&view, view.position(at)?)?;
                let place = tensor.position(at)?;
                tensor.set(place, bits)
            })?;
            frame.set_result(op, 0, Value::Tensor(tensor))?;
            Ok(Flow::Next)
        })
        .op("iree_codegen.store_to_buffer", |interp, frame, op| {
            let tensor = frame.tensor(op, 0)?.clone();
            let view = frame.memref(op, 1)?.clone();
            tegula_eval::for_each_index(&view.sizes, |at| -> Result<(), EvalError> {
                let bits = tensor.get(tensor.position(at)?).ok_or("reads beyond a tensor")?;
                let place = view.position(at)?;
                interp.memory.set_element(&view, place, bits)
            })?;
            Ok(Flow::Next)
        })
}

fn shape_of(ty: Type) -> Result<&'static [i64], EvalError> {
    ty.shape().ok_or_else(|| EvalError::new("a tensor has no shape"))
}

fn subspan<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let offset =
        usize::try_from(frame.int(op, 0)?).map_err(|_| EvalError::new("a negative offset"))?;
    let number = frame.body.attr(op, "binding").and_then(|a| a.as_int()).unwrap_or(-1);
    let span = interp.state::<Bindings>().0.get(number as usize).copied();
    let span = span.ok_or("names a binding that does not exist")?;
    let rest = span.slice(offset, span.length.saturating_sub(offset))?;
    let ty = frame.body.ty(frame.body.result(op, 0));
    let value = match ty.data() {
        TypeData::MemRef { shape, layout, .. } => {
            let mut view = MemRef::contiguous(rest, F32, shape);
            if let Some(AttrData::Strided { strides, .. }) = layout.map(|l| l.data()) {
                view.strides = strides.iter().copied().collect();
            }
            Value::MemRef(view)
        }
        _ => Value::Span(rest),
    };
    frame.set_result(op, 0, value)?;
    Ok(Flow::Next)
}
