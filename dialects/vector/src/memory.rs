//! Traffic between vectors and memory or tensors at run time.

use tegula_eval::{
    EvalError, Flow, Frame, Interp, Memory, Semantics, Tensor, Value, Vector, for_each_index,
};
use tegula_ir::{AffineMap, OpId, ValueId};

use crate::semantics::{elements, make, mask_around, result_type};

pub(crate) fn semantics() -> Semantics {
    Semantics::new()
        .op("vector.load", load)
        .op("vector.store", store)
        .op("vector.maskedload", masked_load)
        .op("vector.maskedstore", masked_store)
        .op("vector.transfer_read", transfer_read)
        .op("vector.transfer_write", transfer_write)
}

/// The indices of an n-dimensional box at `base` over the trailing dimensions.
fn shifted(base: &[i64], lane: &[i64]) -> Vec<i64> {
    let skip = base.len().saturating_sub(lane.len());
    let mut index = base.to_vec();
    for (slot, &i) in index.iter_mut().skip(skip).zip(lane) {
        *slot += i;
    }
    index
}

fn load<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let indices = frame.ints(frame.body.operands(op).skip(1))?;
    let view = frame.memref(op, 0)?;
    let ty = result_type(frame, op);
    let shape = ty.shape().ok_or("has no vector type")?;
    // A row that is contiguous and inside of the view is read at once.
    if let ([count], Some(1)) = (shape, view.strides.last()) {
        let mut last = indices.clone();
        if let Some(slot) = last.last_mut() {
            *slot += count - 1;
        }
        view.position(&last)?;
        let span = view.bytes_at(view.position(&indices)?, *count as usize)?;
        let data = interp.memory.bytes(span)?.into();
        frame.set_result(op, 0, Value::Vector(Vector { ty, data }))?;
        return Ok(Flow::Next);
    }
    let mut bits = Vec::new();
    for_each_index::<EvalError>(shape, |lane| {
        let at = view.position(&shifted(&indices, lane))?;
        bits.push(interp.memory.element(view, at)?);
        Ok(())
    })?;
    frame.set_result(op, 0, make(ty, &bits)?)?;
    Ok(Flow::Next)
}

fn store<'m>(interp: &mut Interp<'m>, frame: &mut Frame<'m>, op: OpId) -> Result<Flow, EvalError> {
    let indices = frame.ints(frame.body.operands(op).skip(2))?;
    let vector = frame.vector(op, 0)?;
    let view = frame.memref(op, 1)?;
    let shape = vector.shape();
    if let ([count], Some(1)) = (shape, view.strides.last()) {
        let mut last = indices.clone();
        if let Some(slot) = last.last_mut() {
            *slot += count - 1;
        }
        view.position(&last)?;
        let span = view.bytes_at(view.position(&indices)?, *count as usize)?;
        interp.memory.bytes_mut(span)?.copy_from_slice(&vector.data);
        return Ok(Flow::Next);
    }
    let mut bits = vector.bits()?.into_iter();
    for_each_index::<EvalError>(shape, |lane| {
        let at = view.position(&shifted(&indices, lane))?;
        interp.memory.set_element(view, at, bits.next().ok_or("has too few elements")?)
    })?;
    Ok(Flow::Next)
}

fn masked_load<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let operands = frame.body.num_operands(op);
    let count = operands.checked_sub(3).ok_or("has too few operands")?;
    let indices = frame.ints(frame.body.operands(op).skip(1).take(count))?;
    let (mask, _) = elements(frame.operand(op, operands - 2)?)?;
    let (mut bits, shape) = elements(frame.operand(op, operands - 1)?)?;
    let view = frame.memref(op, 0)?;
    let mut at = 0;
    for_each_index::<EvalError>(shape, |lane| {
        if mask.get(at).is_some_and(|on| on & 1 != 0) {
            let position = view.position(&shifted(&indices, lane))?;
            bits[at] = interp.memory.element(view, position)?;
        }
        at += 1;
        Ok(())
    })?;
    frame.set_result(op, 0, make(result_type(frame, op), &bits)?)?;
    Ok(Flow::Next)
}

fn masked_store<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let operands = frame.body.num_operands(op);
    let count = operands.checked_sub(3).ok_or("has too few operands")?;
    let indices = frame.ints(frame.body.operands(op).skip(1).take(count))?;
    let (mask, _) = elements(frame.operand(op, operands - 2)?)?;
    let (bits, shape) = elements(frame.operand(op, operands - 1)?)?;
    let view = frame.memref(op, 0)?;
    let mut at = 0;
    for_each_index::<EvalError>(shape, |lane| {
        if mask.get(at).is_some_and(|on| on & 1 != 0) {
            let position = view.position(&shifted(&indices, lane))?;
            interp.memory.set_element(view, position, bits[at])?;
        }
        at += 1;
        Ok(())
    })
    .map(|()| Flow::Next)
}

/// One side of a transfer: a tensor or a view of memory.
enum Base {
    Tensor(Tensor),
    View(tegula_eval::MemRef),
}

impl Base {
    fn sizes(&self) -> &[i64] {
        match self {
            Base::Tensor(tensor) => &tensor.shape,
            Base::View(view) => &view.sizes,
        }
    }

    fn read(&self, memory: &Memory, index: &[i64]) -> Result<u64, EvalError> {
        match self {
            Base::Tensor(tensor) => {
                let at = tensor.position(index)?;
                tensor.get(at).ok_or_else(|| EvalError::new("reads beyond the end"))
            }
            Base::View(view) => memory.element(view, view.position(index)?),
        }
    }

    fn write(&mut self, memory: &mut Memory, index: &[i64], bits: u64) -> Result<(), EvalError> {
        match self {
            Base::Tensor(tensor) => {
                let at = tensor.position(index)?;
                tensor.set(at, bits)
            }
            Base::View(view) => memory.set_element(view, view.position(index)?, bits),
        }
    }
}

/// How the lanes of a transfer map to the indices of its base.
struct Transfer {
    base_indices: Vec<i64>,
    map: AffineMap,
    mask: Option<Vec<u64>>,
    in_bounds: Vec<bool>,
}

impl Transfer {
    fn new(
        frame: &Frame<'_>,
        op: OpId,
        indices: impl IntoIterator<Item = ValueId>,
        mask: Option<ValueId>,
    ) -> Result<Transfer, EvalError> {
        let map = frame.body.attr(op, "permutation_map").and_then(|map| map.as_map());
        let mask = match mask {
            Some(mask) => Some(elements(frame.get(mask)?)?.0),
            None => mask_around(frame, op)?,
        };
        let in_bounds = frame.body.attr(op, "in_bounds").and_then(|attr| attr.as_array());
        Ok(Transfer {
            base_indices: frame.ints(indices)?.to_vec(),
            map: map.ok_or("has no permutation map")?,
            mask,
            in_bounds: in_bounds
                .unwrap_or(&[])
                .iter()
                .map(|bound| bound.as_bool().unwrap_or(false))
                .collect(),
        })
    }

    /// Calls `f` for each lane with its number and, unless it is masked off or out of bounds, the
    /// index in the base.
    fn each(
        &self,
        shape: &[i64],
        sizes: &[i64],
        mut f: impl FnMut(usize, Option<&[i64]>) -> Result<(), EvalError>,
    ) -> Result<(), EvalError> {
        let results = self.map.results();
        let mut lane_number = 0;
        // The mask has the shape of the vector without its broadcast dimensions, in base order; for
        // the projected permutations without broadcast that is a permutation of the lanes.
        let mask_dims = self.mask_dims(shape);
        for_each_index(shape, |lane| {
            let number = lane_number;
            lane_number += 1;
            if let Some(mask) = &self.mask {
                let at = mask_dims.iter().fold(0, |at, &dim| at * shape[dim] + lane[dim]);
                if mask.get(at as usize).is_none_or(|on| on & 1 == 0) {
                    return f(number, None);
                }
            }
            let mut index = self.base_indices.clone();
            for (dim, expr) in results.iter().enumerate() {
                if let Some(slot) = expr.as_dim().and_then(|d| index.get_mut(d as usize)) {
                    *slot += lane[dim];
                }
            }
            let outside = index.iter().zip(sizes).position(|(&i, &size)| i < 0 || i >= size);
            match outside {
                None => f(number, Some(&index)),
                Some(base_dim) => {
                    let dim = results.iter().position(|e| e.as_dim() == Some(base_dim as u32));
                    if dim.is_none_or(|dim| self.in_bounds.get(dim) == Some(&true)) {
                        return Err("leaves the bounds that it promises to keep".into());
                    }
                    f(number, None)
                }
            }
        })
    }

    /// The vector dimensions of the mask, in the order of the mask's dimensions.
    fn mask_dims(&self, shape: &[i64]) -> Vec<usize> {
        let mut dims: Vec<(u32, usize)> = self
            .map
            .results()
            .iter()
            .enumerate()
            .take(shape.len())
            .filter_map(|(dim, expr)| Some((expr.as_dim()?, dim)))
            .collect();
        dims.sort_unstable();
        dims.into_iter().map(|(_, dim)| dim).collect()
    }
}

fn base(value: &Value) -> Result<Base, EvalError> {
    match value {
        Value::Tensor(tensor) => Ok(Base::Tensor(tensor.clone())),
        other => Ok(Base::View(other.as_memref()?.clone())),
    }
}

fn transfer_read<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let indices = frame.segment(op, 1)?;
    let padding = *frame.segment(op, 2)?.first().ok_or("has no padding")?;
    let padding = frame.get(padding)?.as_scalar()?.bits;
    let mask = frame.segment(op, 3)?.first().copied();
    let transfer = Transfer::new(frame, op, indices, mask)?;
    let base = base(frame.operand(op, 0)?)?;
    let ty = result_type(frame, op);
    let shape = ty.shape().ok_or("has no vector type")?;
    let mut bits = Vec::new();
    transfer.each(shape, base.sizes(), |_, index| {
        bits.push(match index {
            Some(index) => base.read(&interp.memory, index)?,
            None => padding,
        });
        Ok(())
    })?;
    frame.set_result(op, 0, make(ty, &bits)?)?;
    Ok(Flow::Next)
}

fn transfer_write<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let (bits, shape) = elements(frame.operand(op, 0)?)?;
    let indices = frame.segment(op, 2)?;
    let mask = frame.segment(op, 3)?.first().copied();
    let transfer = Transfer::new(frame, op, indices, mask)?;
    let mut base = match frame.operand_owned(op, 1)? {
        Value::Tensor(tensor) => Base::Tensor(tensor),
        other => Base::View(other.as_memref()?.clone()),
    };
    let sizes = base.sizes().to_vec();
    transfer.each(shape, &sizes, |lane, index| match index {
        Some(index) => base.write(&mut interp.memory, index, bits[lane]),
        None => Ok(()),
    })?;
    if let Base::Tensor(tensor) = base {
        frame.set_result(op, 0, Value::Tensor(tensor))?;
    }
    Ok(Flow::Next)
}
