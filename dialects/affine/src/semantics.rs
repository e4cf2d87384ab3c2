//! Affine index arithmetic at run time.

use tegula_eval::{EvalError, Flow, Frame, Interp, Kernel, KernelCx, LaneOp, Semantics, Value};
use tegula_eval::{eval_map, for_each_index};
use tegula_ir::{AffineMap, OpId};

/// The meaning of the dialect's ops.
pub fn semantics() -> Semantics {
    Semantics::new()
        .kernel("affine.apply", |cx| map_kernel(cx, |values| values.first().copied()))
        .kernel("affine.min", |cx| map_kernel(cx, |values| values.iter().min().copied()))
        .kernel("affine.max", |cx| map_kernel(cx, |values| values.iter().max().copied()))
        .op("affine.for", run_for)
        .op("affine.yield", |_, frame, op| Ok(Flow::Exit(frame.operands(op)?)))
        .op("affine.delinearize_index", delinearize)
        .op("affine.linearize_index", linearize)
}

fn map_kernel(cx: &KernelCx<'_>, pick: fn(&[i64]) -> Option<i64>) -> Option<LaneOp> {
    let map = cx.attr("map")?.as_map()?;
    let (dims, inputs) = (map.dims() as usize, cx.body.num_operands(cx.op));
    if inputs != dims + map.data().symbols as usize {
        return None;
    }
    let kernel = Kernel::over(inputs, move |out, ins| {
        let mut operands = vec![0; ins.len()];
        for (lane, slot) in out.iter_mut().enumerate() {
            for (operand, lanes) in operands.iter_mut().zip(ins) {
                *operand = lanes[lane] as i64;
            }
            let values =
                eval_map(map, &operands[..dims], &operands[dims..]).map_err(|e| e.message)?;
            *slot = pick(&values).ok_or("has a map without results")? as u64;
        }
        Ok(())
    });
    Some(kernel.into())
}

fn bounds(
    frame: &Frame<'_>,
    op: OpId,
    attribute: &str,
    group: usize,
) -> Result<Vec<i64>, EvalError> {
    let map: AffineMap = frame
        .body
        .attr(op, attribute)
        .and_then(|attr| attr.as_map())
        .ok_or_else(|| EvalError::new(format!("has no '{attribute}'")))?;
    let operands = frame.ints(frame.segment(op, group)?)?;
    let dims = (map.dims() as usize).min(operands.len());
    eval_map(map, &operands[..dims], &operands[dims..])
}

fn run_for<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let lower = bounds(frame, op, "lowerBoundMap", 0)?;
    let upper = bounds(frame, op, "upperBoundMap", 1)?;
    let (Some(&lower), Some(&upper)) = (lower.iter().max(), upper.iter().min()) else {
        return Err("has a bound without results".into());
    };
    let step = frame.body.attr(op, "step").and_then(|s| s.as_int()).unwrap_or(1);
    if step <= 0 {
        return Err("has a step that is not positive".into());
    }
    let region = frame.body.region(op, 0).ok_or("has no region")?;
    let inits = frame.segment(op, 2)?;
    let mut values = frame.values(inits)?;
    let trips = if upper > lower { (upper - lower + step - 1) / step } else { 0 };
    for_each_index::<EvalError>(&[trips], |trip| {
        let mut args = vec![Value::index(lower + trip[0] * step)];
        args.append(&mut values);
        values = interp.run_region(frame, region, &args)?.values;
        Ok(())
    })?;
    frame.set_results(op, values)?;
    Ok(Flow::Next)
}

/// The basis, constants and values mixed; operands of the basis start at `first`.
fn basis(frame: &Frame<'_>, op: OpId, first: usize) -> Result<Vec<i64>, EvalError> {
    let constants = frame
        .body
        .attr(op, "static_basis")
        .and_then(|attr| attr.as_dense_array())
        .ok_or("has no basis")?;
    let mut next = first;
    constants
        .iter()
        .map(|&c| match c {
            tegula_ir::DYNAMIC => {
                next += 1;
                frame.int(op, next - 1)
            }
            c => Ok(c),
        })
        .collect()
}

fn delinearize<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let mut rest = frame.int(op, 0)?;
    let mut basis = basis(frame, op, 1)?;
    let results = frame.body.num_results(op);
    // An outermost bound does not take part in the arithmetic.
    if basis.len() == results && results > 0 {
        basis.remove(0);
    }
    let mut values = Vec::with_capacity(results);
    for &size in basis.iter().rev() {
        if size <= 0 {
            return Err("has a basis that is not positive".into());
        }
        values.push(Value::index(rest.rem_euclid(size)));
        rest = rest.div_euclid(size);
    }
    values.push(Value::index(rest));
    values.reverse();
    frame.set_results(op, values)?;
    Ok(Flow::Next)
}

fn linearize<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let indices = frame.segment(op, 0)?;
    let values = frame.ints(indices)?;
    let mut basis = basis(frame, op, values.len())?;
    if basis.len() == values.len() && !basis.is_empty() {
        basis.remove(0);
    }
    let mut sum = values.first().copied().unwrap_or(0);
    for (&value, &size) in values.iter().skip(1).zip(&basis) {
        sum = sum.wrapping_mul(size).wrapping_add(value);
    }
    frame.set_result(op, 0, Value::index(sum))?;
    Ok(Flow::Next)
}
