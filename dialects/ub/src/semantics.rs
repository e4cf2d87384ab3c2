//! Poison at run time: the zero of its type.

use tegula_eval::{Flow, LaneOp, Semantics, Value};

/// The meaning of the dialect's ops.
pub fn semantics() -> Semantics {
    Semantics::new()
        .op("ub.poison", |_, frame, op| {
            let ty = frame.body.ty(frame.body.result(op, 0));
            frame.set_result(op, 0, Value::zero(ty)?)?;
            Ok(Flow::Next)
        })
        .kernel("ub.poison", |_| Some(LaneOp::Constant(0)))
        .op("ub.unreachable", |_, _, _| Err("is reached".into()))
}
