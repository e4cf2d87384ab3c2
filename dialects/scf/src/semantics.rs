//! Structured control flow at run time.

use tegula_eval::{EvalError, Flow, Frame, Interp, Scalar, Semantics, Value, for_each_index};
use tegula_ir::{OpId, RegionId, ValueId};

/// The meaning of the dialect's ops. The iterations of a `forall` run one after the other, in
/// row-major order.
pub fn semantics() -> Semantics {
    Semantics::new()
        .op("scf.for", run_for)
        .op("scf.forall", forall)
        .op("scf.forall.in_parallel", in_parallel)
        .op("scf.if", run_if)
        .op("scf.while", run_while)
        .op("scf.index_switch", index_switch)
        .op("scf.execute_region", |interp, frame, op| {
            let region = region(frame, op, 0)?;
            finish(interp, frame, op, region)
        })
        .op("scf.yield", |_, frame, op| Ok(Flow::Exit(frame.operands(op)?)))
        .op("scf.condition", |_, frame, op| Ok(Flow::Exit(frame.operands(op)?)))
}

fn region(frame: &Frame<'_>, op: OpId, index: usize) -> Result<RegionId, EvalError> {
    frame.body.region(op, index).ok_or_else(|| EvalError::new("has too few regions"))
}

/// Runs a region without arguments; what it yields are the op's results.
fn finish<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
    region: RegionId,
) -> Result<Flow, EvalError> {
    let exit = interp.run_region(frame, region, &[])?;
    frame.set_results(op, exit.values)?;
    Ok(Flow::Next)
}

fn run_for<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let (lower, upper, step) = (frame.scalar(op, 0)?, frame.scalar(op, 1)?, frame.scalar(op, 2)?);
    let unsigned = frame.body.attr(op, "unsignedCmp").is_some();
    let number = |s: Scalar| {
        if unsigned { i128::from(s.bits) } else { i128::from(s.signed()) }
    };
    let (mut at, upper, step) = (number(lower), number(upper), number(step));
    if step <= 0 {
        return Err("has a step that is not positive".into());
    }
    let body = region(frame, op, 0)?;
    let carried: Vec<ValueId> = frame.body.operands(op).skip(3).collect();
    let mut values = frame.values(carried)?;
    while at < upper {
        let mut args = vec![Value::Scalar(Scalar::new(lower.ty, at as u64))];
        args.append(&mut values);
        values = interp.run_region(frame, body, &args)?.values;
        at += step;
    }
    frame.set_results(op, values)?;
    Ok(Flow::Next)
}

fn run_if<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let taken = if frame.operand(op, 0)?.as_bool()? { 0 } else { 1 };
    let region = region(frame, op, taken)?;
    if frame.body.first_block(region).is_none() {
        // Only the else region may be absent, and only when there are no results.
        frame.set_results(op, [])?;
        return Ok(Flow::Next);
    }
    finish(interp, frame, op, region)
}

fn run_while<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let (before, after) = (region(frame, op, 0)?, region(frame, op, 1)?);
    let mut values = frame.operands(op)?;
    loop {
        let mut exit = interp.run_region(frame, before, &values)?.values;
        if exit.is_empty() {
            return Err("has a condition region that decides nothing".into());
        }
        let goes_on = exit.remove(0).as_bool()?;
        if !goes_on {
            frame.set_results(op, exit)?;
            return Ok(Flow::Next);
        }
        values = interp.run_region(frame, after, &exit)?.values;
    }
}

fn index_switch<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let value = frame.int(op, 0)?;
    let cases = frame.body.attr(op, "cases").and_then(|c| c.as_dense_array()).unwrap_or(&[]);
    let taken = cases.iter().position(|&case| case == value).map_or(0, |case| case + 1);
    let region = region(frame, op, taken)?;
    finish(interp, frame, op, region)
}

fn forall<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let lower = frame.mixed_segment(op, "staticLowerBound", 0)?;
    let upper = frame.mixed_segment(op, "staticUpperBound", 1)?;
    let step = frame.mixed_segment(op, "staticStep", 2)?;
    if step.iter().any(|&s| s <= 0) {
        return Err("has a step that is not positive".into());
    }
    let trips: Vec<i64> = lower
        .iter()
        .zip(&upper)
        .zip(&step)
        .map(|((&l, &u), &s)| if u > l { (u - l + s - 1) / s } else { 0 })
        .collect();
    let outputs = frame.segment(op, 3)?;
    let mut shared = frame.values(outputs)?;
    let body = region(frame, op, 0)?;
    let entry = frame.body.first_block(body).ok_or("has an empty region")?;
    let block_args = frame.body.block_args(entry).to_vec();
    if block_args.len() != trips.len() + shared.len() {
        return Err("has a body with the wrong number of arguments".into());
    }
    for_each_index::<EvalError>(&trips, |iteration| {
        let mut args: Vec<Value> = iteration
            .iter()
            .zip(&lower)
            .zip(&step)
            .map(|((&i, &l), &s)| Value::index(l + i * s))
            .collect();
        args.append(&mut shared);
        interp.run_region(frame, body, &args)?;
        // `in_parallel` has updated the block arguments in place.
        shared = block_args
            .iter()
            .skip(trips.len())
            .map(|&arg| frame.take(arg))
            .collect::<Result<_, _>>()?;
        Ok(())
    })?;
    frame.set_results(op, shared)?;
    Ok(Flow::Next)
}

/// Runs the writes, each of which gives its shared block argument a new value.
fn in_parallel<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let body = frame.body;
    let block = body.region_entry(op, 0).ok_or("has an empty region")?;
    for write in body.block_ops(block) {
        interp.run_op(frame, write).map_err(|e| e.at(body, write))?;
    }
    Ok(Flow::Exit(Vec::new()))
}
