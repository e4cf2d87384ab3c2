//! Structured ops at run time, and the two that change layouts.

use tegula_eval::{
    Access, EvalError, Flow, Frame, Interp, LaneOp, Nest, Semantics, Value, for_each_index,
    row_major_strides, run_nest,
};
use tegula_ir::{AffineMap, OpId};

use crate::convolution::CONVOLUTIONS;
use crate::structure::{num_inputs, structure};

/// The structured ops that [`structure`] knows.
const STRUCTURED: &[&str] = &[
    "linalg.generic",
    "linalg.matmul",
    "linalg.batch_matmul",
    "linalg.contract",
    "linalg.matvec",
    "linalg.vecmat",
    "linalg.dot",
    "linalg.batch_matvec",
    "linalg.batch_vecmat",
    "linalg.mmt4d",
    "linalg.batch_mmt4d",
    "linalg.fill",
    "linalg.copy",
    "linalg.elementwise",
    "linalg.transpose",
    "linalg.broadcast",
    "linalg.reduce",
    "linalg.map",
];

/// The meaning of the dialect's ops.
pub fn semantics() -> Semantics {
    let mut table = Semantics::new()
        .op("linalg.yield", |_, frame, op| Ok(Flow::Exit(frame.operands(op)?)))
        .op("linalg.index", |interp, frame, op| {
            let dim = dimension(frame, op).ok_or("has no dimension")?;
            frame.set_result(op, 0, Value::index(interp.iteration(dim)?))?;
            Ok(Flow::Next)
        })
        .kernel("linalg.index", |cx| {
            let dim = cx.attr("dim")?.as_int()?;
            Some(LaneOp::IterationIndex(usize::try_from(dim).ok()?))
        })
        .op("linalg.pack", |_, frame, op| pack(frame, op))
        .op("linalg.unpack", |_, frame, op| unpack(frame, op));
    for name in STRUCTURED.iter().chain(CONVOLUTIONS) {
        table = table.op(name, structured);
    }
    table
}

fn dimension(frame: &Frame<'_>, op: OpId) -> Option<usize> {
    usize::try_from(frame.body.attr(op, "dim")?.as_int()?).ok()
}

fn sizes(value: &Value) -> &[i64] {
    match value {
        Value::Tensor(tensor) => &tensor.shape,
        Value::MemRef(view) => &view.sizes,
        _ => &[],
    }
}

/// The trip count of each dimension, from the operand whose map names the dimension alone.
fn extents(maps: &[AffineMap], operands: &[&Value], dims: usize) -> Result<Vec<i64>, EvalError> {
    let mut extents = vec![None; dims];
    for (map, value) in maps.iter().zip(operands) {
        for (expr, &size) in map.results().iter().zip(sizes(value)) {
            let Some(slot) = expr.as_dim().and_then(|d| extents.get_mut(d as usize)) else {
                continue;
            };
            match slot {
                Some(known) if *known != size => {
                    return Err(EvalError::new(format!(
                        "has operands whose sizes disagree: {known} and {size}"
                    )));
                }
                _ => *slot = Some(size),
            }
        }
    }
    extents
        .into_iter()
        .collect::<Option<_>>()
        .ok_or_else(|| EvalError::new("has a dimension that no operand bounds"))
}

fn structured<'m>(
    interp: &mut Interp<'m>,
    frame: &mut Frame<'m>,
    op: OpId,
) -> Result<Flow, EvalError> {
    let body = frame.body;
    let space = structure(body, op).ok_or("has no iteration space")?;
    let count = body.num_operands(op);
    if space.maps.len() != count {
        return Err("has a number of indexing maps that differs from its operands'".into());
    }
    let extents = {
        let operands: Vec<&Value> =
            body.operands(op).map(|operand| frame.get(operand)).collect::<Result<_, _>>()?;
        extents(&space.maps, &operands, space.parallel.len())?
    };
    let block = body.region_entry(op, 0).ok_or("has no body")?;
    let inputs = num_inputs(frame.body, op);
    let mut accesses = Vec::with_capacity(count);
    for (index, &map) in space.maps.iter().enumerate() {
        let output = index >= inputs;
        let value = if output {
            frame.operand_owned(op, index)?
        } else {
            frame.operand(op, index)?.clone()
        };
        accesses.push(Access { value, map, output });
    }
    let nest = Nest { extents: &extents, parallel: &space.parallel, block };
    let outputs = run_nest(interp, frame, op, &nest, accesses)?;
    let tensors = outputs.into_iter().filter(|value| matches!(value, Value::Tensor(_)));
    frame.set_results(op, tensors)?;
    Ok(Flow::Next)
}

/// How a packed tensor's indices relate to the plain tensor's.
struct Layout {
    /// For each plain dimension the packed outer dimension and the packed inner one with its tile.
    dims: Vec<(usize, Option<(usize, i64)>)>,
}

impl Layout {
    fn of(frame: &Frame<'_>, op: OpId, rank: usize, tiles: &[i64]) -> Result<Layout, EvalError> {
        let list = |name| frame.body.attr(op, name).and_then(|attr| attr.as_dense_array());
        let inner = list("inner_dims_pos").ok_or("has no 'inner_dims_pos'")?;
        if inner.len() != tiles.len() || tiles.iter().any(|&tile| tile <= 0) {
            return Err("has malformed inner tiles".into());
        }
        let permutation = list("outer_dims_perm").unwrap_or(&[]);
        let mut dims = Vec::with_capacity(rank);
        for dim in 0..rank as i64 {
            let outer = match permutation {
                [] => Some(dim as usize),
                _ => permutation.iter().position(|&p| p == dim),
            };
            let tile = inner.iter().position(|&p| p == dim).map(|at| (rank + at, tiles[at]));
            dims.push((outer.ok_or("has a malformed permutation")?, tile));
        }
        Ok(Layout { dims })
    }

    /// The plain index of a packed one; parts that stick out exceed the plain sizes.
    fn plain(&self, packed: &[i64], plain: &mut [i64]) {
        for (slot, &(outer, tile)) in plain.iter_mut().zip(&self.dims) {
            *slot = match tile {
                Some((inner, size)) => packed[outer] * size + packed[inner],
                None => packed[outer],
            };
        }
    }
}

fn pack(frame: &mut Frame<'_>, op: OpId) -> Result<Flow, EvalError> {
    let source = frame.tensor(op, 0)?.clone();
    let padding = match frame.segment(op, 2)?.first() {
        Some(&value) => frame.get(value)?.as_scalar()?.bits,
        None => 0,
    };
    let padded = !frame.segment(op, 2)?.is_empty();
    let tiles = frame.mixed_segment(op, "static_inner_tiles", 3)?;
    let layout = Layout::of(frame, op, source.shape.len(), &tiles)?;
    let Value::Tensor(mut target) = frame.operand_owned(op, 1)? else {
        return Err("packs into a value that is no tensor".into());
    };
    if target.shape.len() != source.shape.len() + tiles.len() {
        return Err("has a destination of the wrong rank".into());
    }
    let size = source.elem.bytes();
    let strides = row_major_strides(&source.shape);
    let mut plain = vec![0; source.shape.len()];
    let shape = target.shape.clone();
    let data = std::sync::Arc::make_mut(&mut target.data);
    let mut chunks = data.chunks_exact_mut(size);
    for_each_index::<EvalError>(&shape, |packed| {
        let chunk = chunks.next().ok_or("has a destination of the wrong size")?;
        layout.plain(packed, &mut plain);
        if plain.iter().zip(&source.shape).all(|(i, s)| i < s) {
            let at = plain.iter().zip(&strides).map(|(i, s)| i * s).sum::<i64>() as usize * size;
            chunk.copy_from_slice(source.data.get(at..at + size).ok_or("reads out of bounds")?);
        } else if padded {
            source.elem.store(padding, chunk);
        } else {
            return Err("has partial tiles but no padding value".into());
        }
        Ok(())
    })?;
    frame.set_result(op, 0, Value::Tensor(target))?;
    Ok(Flow::Next)
}

fn unpack(frame: &mut Frame<'_>, op: OpId) -> Result<Flow, EvalError> {
    let source = frame.tensor(op, 0)?.clone();
    let tiles = frame.mixed(op, "static_inner_tiles", frame.body.operands(op).skip(2))?;
    let Value::Tensor(mut target) = frame.operand_owned(op, 1)? else {
        return Err("unpacks into a value that is no tensor".into());
    };
    let layout = Layout::of(frame, op, target.shape.len(), &tiles)?;
    if source.shape.len() != target.shape.len() + tiles.len() {
        return Err("has a destination of the wrong rank".into());
    }
    let size = source.elem.bytes();
    let strides = row_major_strides(&target.shape);
    let mut plain = vec![0; target.shape.len()];
    let shape = target.shape.clone();
    let data = std::sync::Arc::make_mut(&mut target.data);
    let mut chunks = source.data.chunks_exact(size);
    for_each_index::<EvalError>(&source.shape, |packed| {
        let chunk = chunks.next().ok_or("has a source of the wrong size")?;
        layout.plain(packed, &mut plain);
        if plain.iter().zip(&shape).all(|(i, s)| i < s) {
            let at = plain.iter().zip(&strides).map(|(i, s)| i * s).sum::<i64>() as usize * size;
            data.get_mut(at..at + size).ok_or("writes out of bounds")?.copy_from_slice(chunk);
        }
        Ok(())
    })?;
    frame.set_result(op, 0, Value::Tensor(target))?;
    Ok(Flow::Next)
}
