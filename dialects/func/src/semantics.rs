//! Calls and returns at run time.

use tegula_eval::{EvalError, Flow, Frame, Interp, Semantics};
use tegula_ir::OpId;

/// The meaning of the dialect's ops. Function values have none.
pub fn semantics() -> Semantics {
    Semantics::new()
        .op("func.call", call)
        .op("func.return", |_, frame, op| Ok(Flow::Exit(frame.operands(op)?)))
}

fn call<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let callee = frame.body.attr(op, "callee").ok_or("has no callee")?;
    let args = frame.operands(op)?;
    let results = interp.call_symbol(frame, op, callee, &args)?;
    frame.set_results(op, results)?;
    Ok(Flow::Next)
}
