//! Dispatches at run time: one after the other, each as a call with one workgroup.

use smallvec::SmallVec;
use tegula_eval::{
    EvalError, Flow, Frame, Interp, MemRef, ScalarType, Semantics, Tensor, Value, row_major_strides,
};
use tegula_ir::{AttrData, OpId, Type};

/// The meaning of dispatches and of ops on tensors between them.
pub fn semantics() -> Semantics {
    Semantics::new()
        .op("flow.return", |_, frame, op| Ok(Flow::Exit(frame.operands(op)?)))
        .op("flow.dispatch.region", region)
        .op("flow.dispatch.workgroups", workgroups)
        .op("flow.dispatch", dispatch)
        .op("flow.tensor.encode", |_, frame, op| {
            let value = frame.operand(op, 0)?.clone();
            frame.set_result(op, 0, value)?;
            Ok(Flow::Next)
        })
        .op("flow.tensor.reshape", reshape)
        .op("flow.tensor.splat", splat)
        .op("flow.tensor.empty", empty)
}

fn region<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let body = frame.body.region(op, 0).ok_or("has no body")?;
    let exit = interp.run_region(frame, body, &[])?;
    frame.set_results(op, exit.values)?;
    Ok(Flow::Next)
}

/// Memory for each result of a dispatch.
fn outputs<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Vec<MemRef>, EvalError> {
    let tied = frame.body.attr(op, "tied_operands").and_then(|attr| attr.as_array());
    if tied.is_some_and(|tied| tied.iter().any(|t| t.as_int().is_some_and(|index| index >= 0))) {
        return Err(EvalError::new("ties results to operands, which evaluation does not support"));
    }
    let mut views = Vec::new();
    for result in frame.body.results(op) {
        let (shape, elem) = layout(frame.body.ty(result))?;
        let bytes = Tensor::zeroed(shape, elem)?.data;
        views.push(MemRef {
            span: interp.memory.alloc_from(&bytes)?,
            elem,
            offset: 0,
            sizes: shape.into(),
            strides: row_major_strides(shape),
        });
    }
    Ok(views)
}

/// Gives what a dispatch wrote, and the memory back.
fn finish<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
    views: Vec<MemRef>,
) -> Result<Flow, EvalError> {
    let mut results = Vec::with_capacity(views.len());
    for view in views {
        let bytes = interp.memory.bytes(view.span)?.to_vec();
        results.push(Value::Tensor(Tensor::from_bytes(&view.sizes, view.elem, bytes)?));
        interp.memory.free(view.span.buffer)?;
    }
    frame.set_results(op, results)?;
    Ok(Flow::Next)
}

fn arguments(frame: &Frame<'_>, op: OpId, views: &[MemRef]) -> Result<Vec<Value>, EvalError> {
    let mut args = frame
        .segment(op, 1)?
        .into_iter()
        .map(|value| frame.get(value).cloned())
        .collect::<Result<Vec<_>, _>>()?;
    args.extend(views.iter().cloned().map(Value::MemRef));
    Ok(args)
}

fn workgroups<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let views = outputs(interp, frame, op)?;
    let args = arguments(frame, op, &views)?;
    interp.call(frame.body, op, &args)?;
    finish(interp, frame, op, views)
}

fn dispatch<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let entry = frame
        .body
        .attr(op, "entry_points")
        .and_then(|points| points.as_array().and_then(|points| points.first().copied()))
        .ok_or("has no entry point")?;
    let (body, export) =
        interp.resolve(frame.body, op, entry).ok_or("dispatches something that is not defined")?;
    let function =
        body.attr(export, "function_ref").ok_or("dispatches something else than an export")?;
    let AttrData::SymbolRef { root, .. } = function.data() else {
        return Err(EvalError::new("dispatches an export without a function"));
    };
    let views = outputs(interp, frame, op)?;
    let args = arguments(frame, op, &views)?;
    // An export and its function may share a name; the function is in the module inside.
    let executable =
        body.parent_op(export).ok_or("dispatches an export outside of an executable")?;
    let callee = function_in(body, executable, root.as_str())
        .ok_or("dispatches a function that is not defined")?;
    interp.call(body, callee, &args)?;
    finish(interp, frame, op, views)
}

/// The function of that name in the module inside of an executable.
fn function_in(body: &tegula_ir::Body, executable: OpId, name: &str) -> Option<OpId> {
    let children = |op: OpId| -> Vec<OpId> {
        body.regions(op)
            .iter()
            .flat_map(|&region| body.blocks(region))
            .flat_map(|block| body.block_ops(block))
            .collect()
    };
    children(executable)
        .into_iter()
        .filter(|&op| body.is(op, "builtin.module"))
        .flat_map(children)
        .find(|&op| body.symbol_name(op) == Some(name))
}

fn layout(ty: Type) -> Result<(&'static [i64], ScalarType), EvalError> {
    let shape = ty.shape().ok_or("does not give a ranked tensor")?;
    let elem = ty
        .element()
        .and_then(ScalarType::of)
        .ok_or("gives a tensor of elements that evaluation does not support")?;
    Ok((shape, elem))
}

fn result_layout(frame: &Frame<'_>, op: OpId) -> Result<(&'static [i64], ScalarType), EvalError> {
    layout(frame.body.ty(frame.body.result(op, 0)))
}

fn reshape<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let (shape, elem) = result_layout(frame, op)?;
    let bytes = frame.tensor(op, 0)?.data.to_vec();
    let value = Tensor::from_bytes(shape, elem, bytes)?;
    frame.set_result(op, 0, Value::Tensor(value))?;
    Ok(Flow::Next)
}

fn splat<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let (shape, elem) = result_layout(frame, op)?;
    let value = frame.scalar(op, 0)?;
    let mut one: SmallVec<[u8; 8]> = SmallVec::from_elem(0, elem.bytes());
    elem.store(value.bits, &mut one);
    let count = Tensor::zeroed(shape, elem)?.len();
    let tensor = Tensor::from_bytes(shape, elem, one.repeat(count))?;
    frame.set_result(op, 0, Value::Tensor(tensor))?;
    Ok(Flow::Next)
}

fn empty<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let (shape, elem) = result_layout(frame, op)?;
    frame.set_result(op, 0, Value::Tensor(Tensor::zeroed(shape, elem)?))?;
    Ok(Flow::Next)
}
