//! Branches at run time.

use tegula_eval::{EvalError, Flow, Frame, Interp, Semantics};
use tegula_ir::{AttrData, DenseData, OpId, ValueId};

/// The meaning of the dialect's ops.
pub fn semantics() -> Semantics {
    Semantics::new()
        .op("cf.assert", assert_holds)
        .op("cf.br", |_, frame, op| {
            let values = frame.body.operands(op).collect::<Vec<_>>();
            branch(frame, op, 0, values)
        })
        .op("cf.cond_br", |_, frame, op| {
            let taken = if frame.operand(op, 0)?.as_bool()? { 0 } else { 1 };
            let values = frame.segment(op, taken + 1)?;
            branch(frame, op, taken, values)
        })
        .op("cf.switch", switch)
}

fn branch(
    frame: &Frame<'_>,
    op: OpId,
    successor: usize,
    values: impl IntoIterator<Item = ValueId>,
) -> Result<Flow, EvalError> {
    let block = *frame.body.successors(op).get(successor).ok_or("has too few successors")?;
    Ok(Flow::Branch(block, frame.values(values)?))
}

fn assert_holds<'m>(
    _: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    if frame.operand(op, 0)?.as_bool()? {
        return Ok(Flow::Next);
    }
    let message = frame.body.attr(op, "msg").and_then(|m| m.as_str()).unwrap_or_default();
    Err(EvalError::new(format!("assertion failed: {message}")))
}

fn switch<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let flag = frame.scalar(op, 0)?;
    let cases = frame.body.attr(op, "case_values").map(|cases| cases.data());
    let case = match cases {
        Some(AttrData::Dense { data: DenseData::Bytes(bytes), .. }) => {
            bytes.chunks_exact(flag.ty.bytes()).position(|chunk| flag.ty.load(chunk) == flag.bits)
        }
        Some(AttrData::Dense { data: DenseData::Splat(one), .. }) => {
            one.get(..flag.ty.bytes()).filter(|one| flag.ty.load(one) == flag.bits).map(|_| 0)
        }
        _ => None,
    };
    let Some(case) = case else {
        let values = frame.segment(op, 1)?;
        return branch(frame, op, 0, values);
    };
    let all = frame.segment(op, 2)?;
    let segments = frame
        .body
        .attr(op, "case_operand_segments")
        .and_then(|attr| attr.as_dense_array())
        .ok_or("has no case segments")?;
    let skip: i64 = segments.iter().take(case).sum();
    let count = *segments.get(case).ok_or("has too few case segments")?;
    branch(frame, op, case + 1, all.into_iter().skip(skip as usize).take(count as usize))
}
