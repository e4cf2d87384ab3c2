//! Resources at run time: ranges of bytes. Work runs where its op stands, so that every timepoint
//! has been reached once it exists.
//!
//! A resource holds tensors in row-major order whatever their encoding, until device code has been
//! given the layouts that encodings stand for: both sides of the border change at the same pass.
//! Bytes whose contents are not defined are all ones, which read as NaN.

use std::any::Any;

use tegula_eval::{
    EvalError, Flow, Frame, Interp, MemRef, OpaqueValue, ScalarType, Semantics, Span, Value,
    row_major_strides,
};
use tegula_ir::{Attr, Body, OpId, Type};

use crate::entries::function_behind;
use crate::run_dispatch::{async_dispatch, cmd_dispatch, tensor_dispatch};

/// The meaning of the dialect's ops. Importing and exporting is told by who knows what is imported.
pub fn semantics() -> Semantics {
    Semantics::new()
        .op("stream.tensor.sizeof", size_of)
        .op("stream.tensor.empty", |i, f, op| fresh(i, f, op, last(f, op)?, 1))
        .op("stream.tensor.splat", |i, f, op| splat(i, f, op, 0))
        .op("stream.tensor.constant", |i, f, op| {
            let value = f.body.attr(op, "value").ok_or("has no value")?;
            let Value::Tensor(tensor) = Value::from_attr(value)? else {
                return Err("is no constant of a tensor".into());
            };
            let span = i.memory.alloc_from(&tensor.data)?;
            f.set_result(op, 0, Value::Span(span))?;
            Ok(Flow::Next)
        })
        .op("stream.tensor.clone", recast)
        .op("stream.tensor.encode", recast)
        .op("stream.tensor.dispatch", tensor_dispatch)
        .op("stream.async.alloca", |i, f, op| fresh(i, f, op, 0, 1))
        .op("stream.async.splat", |i, f, op| {
            let value = f.body.num_operands(op).checked_sub(2).ok_or("has too few operands")?;
            splat(i, f, op, value)
        })
        .op("stream.async.clone", |i, f, op| copy_of(i, f, op, 0))
        .op("stream.async.slice", |i, f, op| {
            let at = f.int(op, 2)?;
            copy_of(i, f, op, at)
        })
        .op("stream.async.transfer", |i, f, op| copy_of(i, f, op, 0))
        .op("stream.async.cast", |_, f, op| {
            let value = f.operand(op, 0)?.clone();
            f.set_result(op, 0, value)?;
            Ok(Flow::Next)
        })
        .op("stream.async.dispatch", async_dispatch)
        .op("stream.async.execute", region)
        .op("stream.async.concurrent", region)
        .op("stream.cmd.fill", fill)
        .op("stream.cmd.copy", copy)
        .op("stream.cmd.dispatch", cmd_dispatch)
        .op("stream.cmd.execute", region)
        .op("stream.cmd.serial", group)
        .op("stream.cmd.concurrent", group)
        .op("stream.resource.alloc", |i, f, op| fresh(i, f, op, 0, 1))
        .op("stream.resource.alloca", |i, f, op| fresh(i, f, op, 0, 2))
        .op("stream.resource.dealloca", |i, f, op| {
            let span = f.operand(op, 0)?.as_span()?;
            i.memory.free(span.buffer)?;
            reached(f, op, 0)
        })
        .op("stream.resource.size", |_, f, op| {
            let size = f.operand(op, 0)?.as_span()?.length;
            f.set_result(op, 0, Value::index(size as i64))?;
            Ok(Flow::Next)
        })
        .op("stream.resource.pack", pack)
        .op("stream.resource.subview", |_, f, op| {
            let part = part(f, op, 0, f.int(op, 2)?, f.int(op, 3)?)?;
            f.set_result(op, 0, Value::Span(part))?;
            Ok(Flow::Next)
        })
        .op("stream.timepoint.immediate", |_, f, op| reached(f, op, 0))
        .op("stream.timepoint.join", |_, f, op| reached(f, op, 0))
        .op("stream.timepoint.barrier", |_, f, op| {
            let value = f.operand(op, 0)?.clone();
            f.set_result(op, 0, value)?;
            reached(f, op, 1)
        })
        .op("stream.timepoint.await", |_, f, op| {
            let values = f.values(f.segment(op, 0)?)?;
            f.set_results(op, values)?;
            Ok(Flow::Next)
        })
        .op("stream.binding.subspan", |_, f, op| {
            let span = f.operand(op, 0)?.as_span()?;
            let ty = f.body.ty(f.body.result(op, 0));
            let view = view(span, f.int(op, 1)?, ty)?;
            f.set_result(op, 0, Value::MemRef(view))?;
            Ok(Flow::Next)
        })
        .op("stream.yield", |_, f, op| {
            // The second half of the operands are sizes.
            let mut values = f.operands(op)?;
            values.truncate(values.len() / 2);
            Ok(Flow::Exit(values))
        })
}

/// A timepoint. All are reached when they are made.
#[derive(Debug)]
struct Reached;

impl OpaqueValue for Reached {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn reached(frame: &mut Frame<'_>, op: OpId, result: usize) -> Result<Flow, EvalError> {
    frame.set_result(op, result, Value::opaque(Reached))?;
    Ok(Flow::Next)
}

/// The bytes of a static tensor in row-major order, its encoding left out of account.
pub fn tensor_bytes(ty: Type) -> Result<usize, EvalError> {
    let elem = ty.element().and_then(ScalarType::of);
    let elem = elem.ok_or("has a tensor of elements that evaluation does not support")?;
    ty.num_elements()
        .and_then(|count| usize::try_from(count).ok()?.checked_mul(elem.bytes()))
        .ok_or_else(|| EvalError::new("has a tensor whose size is not known or too large"))
}

/// A tensor or memref that lies in a range of bytes from an offset on.
pub fn view(span: Span, byte_offset: i64, ty: Type) -> Result<MemRef, EvalError> {
    let bound = match ty.dialect_params("iree_tensor_ext.dispatch.tensor") {
        Some(params) => params.get(1).and_then(|bound| bound.as_type()),
        None => Some(ty),
    };
    let bound = bound.ok_or("is a view of something that is no tensor")?;
    let elem = bound.element().and_then(ScalarType::of);
    let elem = elem.ok_or("is a view of elements that evaluation does not support")?;
    let shape = bound.shape().filter(|_| bound.has_static_shape());
    let shape = shape.ok_or("is a view of a shape that is only known at run time")?;
    let offset = usize::try_from(byte_offset).map_err(|_| "begins before its binding")?;
    let rest = span.length.checked_sub(offset).ok_or("begins behind its binding")?;
    let strides = match bound.data() {
        tegula_ir::TypeData::MemRef { layout: Some(layout), .. } => match layout.data() {
            tegula_ir::AttrData::Strided { strides, .. } => strides.iter().copied().collect(),
            _ => return Err("is a view of an unsupported layout".into()),
        },
        _ => row_major_strides(shape),
    };
    let span = span.slice(offset, rest)?;
    Ok(MemRef { span, elem, offset: 0, sizes: shape.into(), strides })
}

/// A range of the resource in an operand.
pub(crate) fn part(
    frame: &Frame<'_>,
    op: OpId,
    operand: usize,
    offset: i64,
    length: i64,
) -> Result<Span, EvalError> {
    frame.operand(op, operand)?.as_span()?.range(offset, length)
}

fn last(frame: &Frame<'_>, op: OpId) -> Result<usize, EvalError> {
    frame.body.num_operands(op).checked_sub(1).ok_or_else(|| "has no operands".into())
}

/// Gives a new resource, and a timepoint when there are two results.
fn fresh(
    interp: &mut Interp<'_>,
    frame: &mut Frame<'_>,
    op: OpId,
    size: usize,
    results: usize,
) -> Result<Flow, EvalError> {
    let span = interp.memory.undefined(frame.int(op, size)?)?;
    frame.set_result(op, 0, Value::Span(span))?;
    if results > 1 { reached(frame, op, 1) } else { Ok(Flow::Next) }
}

fn size_of<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let ty = frame.body.attr(op, "encoding").and_then(Attr::as_type).ok_or("has no encoding")?;
    let size = tensor_bytes(ty)?;
    frame.set_result(op, 0, Value::index(size as i64))?;
    Ok(Flow::Next)
}

fn splat(
    interp: &mut Interp<'_>,
    frame: &mut Frame<'_>,
    op: OpId,
    value: usize,
) -> Result<Flow, EvalError> {
    let span = interp.memory.undefined(frame.int(op, last(frame, op)?)?)?;
    interp.memory.repeat(span, frame.scalar(op, value)?)?;
    frame.set_result(op, 0, Value::Span(span))?;
    Ok(Flow::Next)
}

/// A copy of a resource in another size: what both have is equal.
fn recast<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let from = frame.operand(op, 0)?.as_span()?;
    let to = interp.memory.undefined(frame.int(op, last(frame, op)?)?)?;
    let length = from.length.min(to.length);
    interp.memory.copy(from.slice(0, length)?, to.slice(0, length)?)?;
    frame.set_result(op, 0, Value::Span(to))?;
    Ok(Flow::Next)
}

/// A copy of the range of the first operand from `at` on that has the length of the result.
fn copy_of(
    interp: &mut Interp<'_>,
    frame: &mut Frame<'_>,
    op: OpId,
    at: i64,
) -> Result<Flow, EvalError> {
    let size = frame.int(op, last(frame, op)?)?;
    let from = part(frame, op, 0, at, size)?;
    let to = interp.memory.undefined(size)?;
    interp.memory.copy(from, to)?;
    frame.set_result(op, 0, Value::Span(to))?;
    Ok(Flow::Next)
}

fn fill<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let target = part(frame, op, 0, frame.int(op, 2)?, frame.int(op, 3)?)?;
    interp.memory.repeat(target, frame.scalar(op, 4)?)?;
    Ok(Flow::Next)
}

fn copy<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let length = frame.int(op, 6)?;
    let from = part(frame, op, 0, frame.int(op, 2)?, length)?;
    let to = part(frame, op, 3, frame.int(op, 5)?, length)?;
    interp.memory.copy(from, to)?;
    Ok(Flow::Next)
}

/// Runs a region that sees resources as its arguments.
fn region<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let args = frame.values(frame.segment(op, 0)?)?;
    let mut values = run(interp, frame, op, &args)?;
    if frame.body.num_results(op) > values.len() {
        values.push(Value::opaque(Reached));
    }
    frame.set_results(op, values)?;
    Ok(Flow::Next)
}

fn group<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    run(interp, frame, op, &[])?;
    Ok(Flow::Next)
}

fn run<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
    args: &[Value],
) -> Result<Vec<Value>, EvalError> {
    let body = frame.body.region(op, 0).ok_or("has no body")?;
    Ok(interp.run_region(frame, body, args)?.values)
}

/// Slices one behind the other: they may share bytes, but need not.
fn pack<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    const ALIGNMENT: i64 = 64;
    let mut end = match frame.segment(op, 0)?.first() {
        Some(&offset) => frame.get(offset)?.as_int()?,
        None => 0,
    };
    let mut offsets = Vec::new();
    for size in frame.ints(frame.segment(op, 1)?)? {
        offsets.push(Value::index(end));
        end = end
            .checked_add(size)
            .and_then(|end| end.checked_add(ALIGNMENT - 1))
            .ok_or("packs more than the address space")?
            / ALIGNMENT
            * ALIGNMENT;
    }
    offsets.insert(0, Value::index(end));
    frame.set_results(op, offsets)?;
    Ok(Flow::Next)
}

/// The device function behind an entry point, with the body that holds it.
pub(crate) fn device_function<'m>(
    interp: &Interp<'m>,
    frame: &Frame<'m>,
    op: OpId,
) -> Result<(&'m Body, OpId), EvalError> {
    let points = frame.body.attr(op, "entry_points").and_then(Attr::as_array);
    let &entry = points.and_then(|points| points.first()).ok_or("has no entry point")?;
    let (body, export) =
        interp.resolve(frame.body, op, entry).ok_or("dispatches something that is not defined")?;
    let found = function_behind(body, export);
    Ok((body, found.ok_or("dispatches a function that is not defined")?))
}
