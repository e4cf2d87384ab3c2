//! Functions of the host program at run time.

use tegula_eval::{EvalError, Flow, Frame, Interp, Semantics};
use tegula_ir::OpId;

use crate::buffers;

/// The meaning of calls and of ops that only tell the compiler something. Globals hold devices,
/// which have no meaning here.
pub fn semantics() -> Semantics {
    buffers::semantics()
        .op("util.call", call)
        .op("util.return", |_, frame, op| Ok(Flow::Exit(frame.operands(op)?)))
        .op("util.assume.int", same)
        .op("util.optimization_barrier", same)
        .op("util.align", align)
}

fn call<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let callee = frame.body.attr(op, "callee").ok_or("has no callee")?;
    let args = frame.operands(op)?;
    let results = interp.call_symbol(frame, op, callee, &args)?;
    frame.set_results(op, results)?;
    Ok(Flow::Next)
}

fn same<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let values = frame.operands(op)?;
    frame.set_results(op, values)?;
    Ok(Flow::Next)
}

fn align<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let (value, alignment) = (frame.int(op, 0)?, frame.int(op, 1)?);
    if alignment <= 0 {
        return Err(EvalError::new("aligns to something that is not positive"));
    }
    let aligned = value
        .checked_add(alignment - 1)
        .ok_or("aligns a value that is too large")?
        .div_euclid(alignment)
        * alignment;
    frame.set_result(op, 0, tegula_eval::Value::index(aligned))?;
    Ok(Flow::Next)
}
