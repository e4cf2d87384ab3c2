//! Combining ops at run time: contractions, outer products, reductions. Elements are combined in
//! ascending order, products are not fused with sums.

use tegula_eval::{
    EvalError, Flow, Frame, Interp, Kernel, ScalarType, Semantics, eval_map, for_each_index,
    row_major_strides,
};
use tegula_ir::{AffineMap, OpId};

use crate::combine::{combine, kind_of};
use crate::semantics::{elements, int_list, linear, make, mask_around, result_type};

pub(crate) fn semantics() -> Semantics {
    Semantics::new()
        .op("vector.contract", contract)
        .op("vector.outerproduct", outer_product)
        .op("vector.reduction", reduction)
        .op("vector.multi_reduction", multi_reduction)
}

/// Widens an element to the accumulator's format.
fn widen(from: ScalarType, to: ScalarType) -> Result<Kernel, EvalError> {
    if from == to {
        return Ok(Kernel::unary(|bits| bits));
    }
    match (from, to) {
        (ScalarType::Float(_), ScalarType::Float(_)) if from.to_f64(0).is_some() => {
            Ok(Kernel::unary(move |bits| {
                from.to_f64(bits).and_then(|value| to.from_f64(value)).unwrap_or(0)
            }))
        }
        (ScalarType::Float(_), _) | (_, ScalarType::Float(_)) => {
            Err("mixes integers and floats".into())
        }
        _ => Ok(Kernel::unary(move |bits| from.signed(bits) as u64)),
    }
}

fn element_type(frame: &Frame<'_>, op: OpId, operand: usize) -> Result<ScalarType, EvalError> {
    let value = frame.operand_id(op, operand)?;
    ScalarType::of(frame.body.ty(value).element_or_self())
        .ok_or_else(|| EvalError::new("has an unsupported element type"))
}

fn kernels(frame: &Frame<'_>, op: OpId, ty: ScalarType) -> Result<(Kernel, Kernel), EvalError> {
    let kind = kind_of(frame.body, op);
    let join = combine(kind, ty).ok_or("has a kind that its elements do not support")?;
    let multiply = combine("mul", ty).ok_or("has elements that cannot be multiplied")?;
    Ok((multiply, join))
}

fn contract<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let maps: Vec<AffineMap> = frame
        .body
        .attr(op, "indexing_maps")
        .and_then(|maps| maps.as_array()?.iter().map(|map| map.as_map()).collect())
        .ok_or("has no indexing maps")?;
    let [lhs_map, rhs_map, acc_map] = maps[..] else {
        return Err("does not have three indexing maps".into());
    };
    let (lhs, lhs_shape) = elements(frame.operand(op, 0)?)?;
    let (rhs, rhs_shape) = elements(frame.operand(op, 1)?)?;
    let (mut acc, acc_shape) = elements(frame.operand(op, 2)?)?;
    let ty = element_type(frame, op, 2)?;
    let (multiply, join) = kernels(frame, op, ty)?;
    let widen_lhs = widen(element_type(frame, op, 0)?, ty)?;
    let widen_rhs = widen(element_type(frame, op, 1)?, ty)?;
    let mut extents = vec![None; lhs_map.dims() as usize];
    for (map, shape) in [(lhs_map, lhs_shape), (rhs_map, rhs_shape), (acc_map, acc_shape)] {
        for (expr, &size) in map.results().iter().zip(shape) {
            if let Some(slot) = expr.as_dim().and_then(|d| extents.get_mut(d as usize)) {
                *slot = Some(size);
            }
        }
    }
    let extents: Vec<i64> =
        extents.into_iter().collect::<Option<_>>().ok_or("has a dimension without a size")?;
    let mask = mask_around(frame, op)?;
    let place = |map: AffineMap, shape: &[i64], index: &[i64]| {
        let at = eval_map(map, index, &[])?;
        Ok::<usize, EvalError>(linear(&at, &row_major_strides(shape)) as usize)
    };
    let outside = "has maps that leave its operands";
    let mut iteration = 0;
    for_each_index::<EvalError>(&extents, |index| {
        iteration += 1;
        if mask.as_ref().is_some_and(|m| m.get(iteration - 1).is_none_or(|on| on & 1 == 0)) {
            return Ok(());
        }
        let a = *lhs.get(place(lhs_map, lhs_shape, index)?).ok_or(outside)?;
        let b = *rhs.get(place(rhs_map, rhs_shape, index)?).ok_or(outside)?;
        let slot = acc.get_mut(place(acc_map, acc_shape, index)?).ok_or(outside)?;
        let product = multiply.scalar(&[widen_lhs.scalar(&[a])?, widen_rhs.scalar(&[b])?])?;
        *slot = join.scalar(&[*slot, product & ty.mask()])? & ty.mask();
        Ok(())
    })?;
    frame.set_result(op, 0, make(result_type(frame, op), &acc)?)?;
    Ok(Flow::Next)
}

fn outer_product<'m>(
    _: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let (lhs, _) = elements(frame.operand(op, 0)?)?;
    let (rhs, _) = elements(frame.operand(op, 1)?)?;
    let ty = element_type(frame, op, 0)?;
    let (multiply, join) = kernels(frame, op, ty)?;
    let acc = match frame.body.num_operands(op) {
        3 => Some(elements(frame.operand(op, 2)?)?.0),
        _ => None,
    };
    let mask = mask_around(frame, op)?;
    let mut out = Vec::with_capacity(lhs.len() * rhs.len());
    for &a in &lhs {
        for &b in &rhs {
            let at = out.len();
            let old = acc.as_ref().and_then(|acc| acc.get(at)).copied();
            let on = mask.as_ref().is_none_or(|m| m.get(at).is_some_and(|on| on & 1 != 0));
            let value = if on {
                let product = multiply.scalar(&[a, b])? & ty.mask();
                match old {
                    Some(old) => join.scalar(&[old, product])? & ty.mask(),
                    None => product,
                }
            } else {
                old.unwrap_or(0)
            };
            out.push(value);
        }
    }
    frame.set_result(op, 0, make(result_type(frame, op), &out)?)?;
    Ok(Flow::Next)
}

fn reduction<'m>(_: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let (bits, _) = elements(frame.operand(op, 0)?)?;
    let ty = element_type(frame, op, 0)?;
    let (_, join) = kernels(frame, op, ty)?;
    let mask = mask_around(frame, op)?;
    let mut total = match frame.body.num_operands(op) {
        2 => Some(frame.scalar(op, 1)?.bits),
        _ => None,
    };
    for (at, &bits) in bits.iter().enumerate() {
        if mask.as_ref().is_some_and(|m| m.get(at).is_none_or(|on| on & 1 == 0)) {
            continue;
        }
        total = Some(match total {
            Some(total) => join.scalar(&[total, bits])? & ty.mask(),
            None => bits,
        });
    }
    let total = total.ok_or("reduces no element")?;
    frame.set_result(op, 0, make(result_type(frame, op), &[total])?)?;
    Ok(Flow::Next)
}

fn multi_reduction<'m>(
    _: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let dims = int_list(frame, op, "reduction_dims")?;
    let (bits, shape) = elements(frame.operand(op, 0)?)?;
    let (mut acc, _) = elements(frame.operand(op, 1)?)?;
    let ty = element_type(frame, op, 0)?;
    let (_, join) = kernels(frame, op, ty)?;
    let mask = mask_around(frame, op)?;
    let kept: Vec<usize> = (0..shape.len()).filter(|&d| !dims.contains(&(d as i64))).collect();
    let sizes: Vec<i64> = kept.iter().map(|&d| shape[d]).collect();
    let strides = row_major_strides(&sizes);
    let mut at = 0;
    for_each_index::<EvalError>(shape, |index| {
        at += 1;
        if mask.as_ref().is_some_and(|m| m.get(at - 1).is_none_or(|on| on & 1 == 0)) {
            return Ok(());
        }
        let place: i64 = kept.iter().zip(&strides).map(|(&d, s)| index[d] * s).sum();
        let slot = acc.get_mut(place as usize).ok_or("has an accumulator of the wrong shape")?;
        *slot = join.scalar(&[*slot, bits[at - 1]])? & ty.mask();
        Ok(())
    })?;
    frame.set_result(op, 0, make(result_type(frame, op), &acc)?)?;
    Ok(Flow::Next)
}
