//! Encodings at run time: they say how a tensor lies in memory, never what its elements are.

use tegula_eval::{EvalError, Flow, Frame, Interp, Semantics};
use tegula_ir::OpId;

/// The meaning of the dialect's ops.
pub fn semantics() -> Semantics {
    Semantics::new().op("iree_encoding.set_encoding", same).op("iree_encoding.unset_encoding", same)
}

fn same<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let value = frame.operand(op, 0)?.clone();
    frame.set_result(op, 0, value)?;
    Ok(Flow::Next)
}
