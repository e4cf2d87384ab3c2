//! Byte buffers at run time: ranges of bytes.

use tegula_eval::{EvalError, Flow, Frame, Interp, Scalar, ScalarType, Semantics, Span, Value};
use tegula_ir::OpId;

/// The meaning of ops on buffers.
pub(crate) fn semantics() -> Semantics {
    Semantics::new()
        .op("util.null", |interp, frame, op| {
            // Nothing can be done with it, but it can be passed on.
            let null = interp.memory.alloc(0)?;
            frame.set_result(op, 0, Value::Span(null))?;
            Ok(Flow::Next)
        })
        .op("util.sizeof", |_, frame, op| {
            let ty = frame.body.attr(op, "sizedType").and_then(tegula_ir::Attr::as_type);
            let size = ty.and_then(ScalarType::of).ok_or("asks for the size of no scalar")?.bytes();
            frame.set_result(op, 0, Value::index(size as i64))?;
            Ok(Flow::Next)
        })
        .op("util.buffer.alloc", |interp, frame, op| {
            let span = interp.memory.undefined(frame.int(op, 0)?)?;
            frame.set_result(op, 0, Value::Span(span))?;
            Ok(Flow::Next)
        })
        .op("util.buffer.dealloc", |interp, frame, op| {
            interp.memory.free(frame.operand(op, 0)?.as_span()?.buffer)?;
            Ok(Flow::Next)
        })
        .op("util.buffer.size", |_, frame, op| {
            let size = frame.operand(op, 0)?.as_span()?.length;
            frame.set_result(op, 0, Value::index(size as i64))?;
            Ok(Flow::Next)
        })
        .op("util.buffer.subspan", |_, frame, op| {
            let part = range(frame, op, 0, 2, 3)?;
            frame.set_result(op, 0, Value::Span(part))?;
            Ok(Flow::Next)
        })
        .op("util.buffer.slice", |interp, frame, op| {
            let bytes = interp.memory.bytes(range(frame, op, 0, 2, 3)?)?.to_vec();
            let copy = interp.memory.alloc_from(&bytes)?;
            frame.set_result(op, 0, Value::Span(copy))?;
            Ok(Flow::Next)
        })
        .op("util.buffer.load", load)
        .op("util.buffer.store", |interp, frame, op| {
            let value = frame.scalar(op, 0)?;
            let target = element(range(frame, op, 1, 3, 4)?, value.ty)?;
            value.ty.store(value.bits, interp.memory.bytes_mut(target)?);
            Ok(Flow::Next)
        })
        .op("util.buffer.fill", |interp, frame, op| {
            let value = frame.scalar(op, 0)?;
            interp.memory.repeat(range(frame, op, 1, 3, 4)?, value)?;
            Ok(Flow::Next)
        })
        .op("util.buffer.copy", |interp, frame, op| {
            let (from, to) = (range(frame, op, 0, 2, 6)?, range(frame, op, 3, 5, 6)?);
            interp.memory.copy(from, to)?;
            Ok(Flow::Next)
        })
        .op("util.buffer.compare", |interp, frame, op| {
            let (lhs, rhs) = (range(frame, op, 0, 2, 6)?, range(frame, op, 3, 5, 6)?);
            let equal = interp.memory.bytes(lhs)? == interp.memory.bytes(rhs)?;
            frame.set_result(op, 0, Value::bool(equal))?;
            Ok(Flow::Next)
        })
}

/// The range of a buffer that operands of an op say.
fn range(
    frame: &Frame<'_>,
    op: OpId,
    buffer: usize,
    offset: usize,
    length: usize,
) -> Result<Span, EvalError> {
    frame.operand(op, buffer)?.as_span()?.range(frame.int(op, offset)?, frame.int(op, length)?)
}

/// The range, which has to be that of a number.
fn element(span: Span, ty: ScalarType) -> Result<Span, EvalError> {
    match span.length == ty.bytes() {
        true => Ok(span),
        false => Err(EvalError::new(format!(
            "accesses {} bytes for a number of {}",
            span.length,
            ty.bytes()
        ))),
    }
}

fn load<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let ty = ScalarType::of(frame.body.ty(frame.body.result(op, 0)));
    let ty = ty.ok_or("reads a number of unsupported type")?;
    let source = element(range(frame, op, 0, 2, 3)?, ty)?;
    let bits = ty.load(interp.memory.bytes(source)?);
    frame.set_result(op, 0, Value::Scalar(Scalar::new(ty, bits)))?;
    Ok(Flow::Next)
}
