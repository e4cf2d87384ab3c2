//! The border of a program without devices at run time: a buffer is its storage, a view is a tensor.

use tegula_dialect_hal::BufferView;
use tegula_eval::{EvalError, Flow, Frame, Interp, ScalarType, Semantics, Span, Tensor, Value};
use tegula_ir::{Attr, FloatKind, OpId};

/// The meaning of the dialect's ops.
pub fn semantics() -> Semantics {
    Semantics::new()
        .op("hal_inline.buffer.allocate", |interp, frame, op| {
            let span = interp.memory.undefined(frame.int(op, 1)?)?;
            frame.set_results(op, vec![Value::Span(span); 2])?;
            Ok(Flow::Next)
        })
        .op("hal_inline.buffer.allocate.initialized", |interp, frame, op| {
            let bytes = interp.memory.bytes(range(frame, op, 1)?)?.to_vec();
            let span = interp.memory.alloc_from(&bytes)?;
            frame.set_results(op, vec![Value::Span(span); 2])?;
            Ok(Flow::Next)
        })
        .op("hal_inline.buffer.wrap", |_, frame, op| {
            let part = range(frame, op, 0)?;
            frame.set_result(op, 0, Value::Span(part))?;
            Ok(Flow::Next)
        })
        .op("hal_inline.buffer.subspan", |_, frame, op| {
            let part = range(frame, op, 0)?;
            frame.set_result(op, 0, Value::Span(part))?;
            Ok(Flow::Next)
        })
        .op("hal_inline.buffer.length", |_, frame, op| {
            let length = frame.operand(op, 0)?.as_span()?.length;
            frame.set_result(op, 0, Value::index(length as i64))?;
            Ok(Flow::Next)
        })
        .op("hal_inline.buffer.storage", |_, frame, op| {
            let span = frame.operand(op, 0)?.as_span()?;
            frame.set_result(op, 0, Value::Span(span))?;
            Ok(Flow::Next)
        })
        .op("hal_inline.buffer_view.create", create)
        .op("hal_inline.buffer_view.assert", assert)
        .op("hal_inline.buffer_view.buffer", buffer)
        .op("hal_inline.buffer_view.element_type", |_, frame, op| {
            let number = number_of(view(frame, op)?.elem);
            frame.set_result(op, 0, Value::int(number, 32))?;
            Ok(Flow::Next)
        })
        .op("hal_inline.buffer_view.encoding_type", |_, frame, op| {
            frame.set_result(op, 0, Value::int(ROW_MAJOR, 32))?;
            Ok(Flow::Next)
        })
        .op("hal_inline.buffer_view.rank", |_, frame, op| {
            let rank = view(frame, op)?.shape.len();
            frame.set_result(op, 0, Value::index(rank as i64))?;
            Ok(Flow::Next)
        })
        .op("hal_inline.buffer_view.dim", |_, frame, op| {
            let index = frame.body.attr(op, "index").and_then(Attr::as_int);
            let index = index.and_then(|index| usize::try_from(index).ok());
            let size = index.and_then(|index| view(frame, op).ok()?.shape.get(index).copied());
            let size = size.ok_or("asks for a dimension that the view does not have")?;
            frame.set_result(op, 0, Value::index(size))?;
            Ok(Flow::Next)
        })
        // Nobody watches.
        .op("hal_inline.buffer_view.trace", |_, _, _| Ok(Flow::Next))
}

/// The numbers by which the runtime knows encodings and kinds of elements.
const ROW_MAJOR: i64 = 1;
const SIGNLESS: i64 = 0x10;
const SIGNED: i64 = 0x11;
const UNSIGNED: i64 = 0x12;
const BOOLEAN: i64 = 0x13;
const IEEE: i64 = 0x21;
const BRAIN: i64 = 0x22;

/// The number of an element type: its kind in the first byte, its bits in the others.
fn number_of(elem: ScalarType) -> i64 {
    let (kind, bits) = match elem {
        ScalarType::Int(1) => (BOOLEAN, 8),
        ScalarType::Float(FloatKind::BF16) => (BRAIN, 16),
        ScalarType::Float(kind) => (IEEE, kind.width()),
        other => (SIGNLESS, other.width()),
    };
    kind << 24 | i64::from(bits)
}

fn element_of(number: i64) -> Option<ScalarType> {
    let bits = u32::try_from(number & 0xff_ffff).ok()?;
    let elem = match number >> 24 {
        BOOLEAN => ScalarType::Int(1),
        SIGNLESS | SIGNED | UNSIGNED if (1..=64).contains(&bits) => ScalarType::Int(bits),
        BRAIN => ScalarType::Float(FloatKind::BF16),
        IEEE => ScalarType::Float(match bits {
            16 => FloatKind::F16,
            32 => FloatKind::F32,
            64 => FloatKind::F64,
            _ => return None,
        }),
        _ => return None,
    };
    Some(elem)
}

fn view<'f>(frame: &'f Frame<'_>, op: OpId) -> Result<&'f Tensor, EvalError> {
    Ok(&frame.operand(op, 0)?.as_opaque::<BufferView>()?.0)
}

/// The range that a buffer, an offset and a length say, from an operand on.
fn range(frame: &Frame<'_>, op: OpId, first: usize) -> Result<Span, EvalError> {
    let span = frame.operand(op, first)?.as_span()?;
    span.range(frame.int(op, first + 1)?, frame.int(op, first + 2)?)
}

/// The shape, from an operand on.
fn shape(frame: &Frame<'_>, op: OpId, first: usize) -> Result<Vec<i64>, EvalError> {
    Ok(frame.ints(frame.body.operands(op).skip(first))?.to_vec())
}

/// What is in the buffer now: who makes a view has done everything on it.
fn create<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let elem = element_of(frame.int(op, 3)?).ok_or("makes a view of unsupported elements")?;
    let bytes = interp.memory.bytes(range(frame, op, 0)?)?.to_vec();
    let tensor = Tensor::from_bytes(&shape(frame, op, 5)?, elem, bytes)?;
    frame.set_result(op, 0, Value::opaque(BufferView(tensor)))?;
    Ok(Flow::Next)
}

fn assert<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let (found, wanted) = (view(frame, op)?, shape(frame, op, 3)?);
    let kind = element_of(frame.int(op, 1)?).ok_or("expects unsupported elements")?;
    if found.shape[..] == wanted[..] && found.elem == kind && frame.int(op, 2)? == ROW_MAJOR {
        return Ok(Flow::Next);
    }
    let what = frame.body.attr(op, "message").and_then(Attr::as_str).unwrap_or("view");
    Err(EvalError::new(format!(
        "is given as {what} a view of {:?} elements of {:?}, and expects {wanted:?} of {:?}",
        found.shape,
        found.elem.ty(),
        kind.ty()
    )))
}

/// The memory of views that came from outside, made when it is first asked for.
#[derive(Default)]
struct Views(Vec<(Value, Span)>);

/// The same memory however often it is asked for.
fn buffer<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let value = frame.operand(op, 0)?.clone();
    let known = interp.state::<Views>().0.iter().find(|(view, _)| *view == value);
    let span = match known.map(|(_, span)| *span) {
        Some(span) => span,
        None => {
            let span = interp.memory.alloc_from(&view(frame, op)?.data)?;
            interp.state::<Views>().0.push((value, span));
            span
        }
    };
    frame.set_result(op, 0, Value::Span(span))?;
    Ok(Flow::Next)
}
