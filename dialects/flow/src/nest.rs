//! Loop nests of ops on tensors: what fusion asks of structured ops and of changes of encodings
//! alike.

use tegula_ir::{AffineExpr, AffineMap, Body, OpId, UseId, ValueId};

use crate::structured::Structured;

/// The loop nest of an op.
#[derive(Clone, Debug)]
pub struct Nest {
    /// Which loops are parallel.
    pub parallel: Vec<bool>,
    /// The sizes of the loops.
    pub ranges: Vec<i64>,
    operands: Vec<Option<AffineMap>>,
    results: Vec<AffineMap>,
}

impl Nest {
    /// The nest of an op; none of ops that are no nests.
    pub fn of(body: &Body, op: OpId) -> Option<Nest> {
        match body.name(op).as_str() {
            "iree_encoding.set_encoding" | "iree_encoding.unset_encoding" => {
                let shape = body.ty(body.results(op).next()?).shape()?;
                let identity = AffineMap::identity(shape.len() as u32);
                let mut operands = vec![None; body.num_operands(op)];
                *operands.first_mut()? = Some(identity);
                Some(Nest {
                    parallel: vec![true; shape.len()],
                    ranges: shape.to_vec(),
                    operands,
                    results: vec![identity],
                })
            }
            _ => {
                let structured = Structured::read(body, op)?;
                let ranges = structured.loop_ranges(body)?;
                let results = structured.maps[structured.inputs.len()..].to_vec();
                let operands = structured.maps.into_iter().map(Some).collect();
                Some(Nest { parallel: structured.parallel, ranges, operands, results })
            }
        }
    }

    /// How the op reads the operand of a use.
    pub fn operand_map(&self, body: &Body, slot: UseId) -> Option<AffineMap> {
        self.operands.get(body.use_index(slot)).copied().flatten()
    }

    /// How the op writes a result.
    pub fn result_map(&self, body: &Body, result: ValueId) -> Option<AffineMap> {
        let op = body.defining_op(result)?;
        let at = body.results(op).position(|other| other == result)?;
        self.results.get(at).copied()
    }

    /// Whether no loop sums.
    pub fn is_parallel(&self) -> bool {
        self.parallel.iter().all(|&parallel| parallel)
    }

    /// How many loops run more than once.
    pub fn long_loops(&self) -> usize {
        self.ranges.iter().filter(|&&size| size != 1).count()
    }
}

/// The loops of an op, up to the first that sums: those after it are not counted as parallel. Ops
/// without a nest that can be tiled have a loop for each dimension.
pub fn outer_parallel_loops(body: &Body, op: OpId) -> Vec<bool> {
    let rank =
        |value: Option<ValueId>| value.and_then(|v| body.ty(v).shape()).map_or(0, <[i64]>::len);
    match body.name(op).as_str() {
        "tensor.pad" | "linalg.unpack" => vec![true; rank(body.results(op).next())],
        "linalg.pack" => vec![true; rank(body.operands(op).next())],
        _ => {
            let mut parallel = Nest::of(body, op).map_or(Vec::new(), |nest| nest.parallel);
            let sums = parallel.iter().position(|&parallel| !parallel);
            if let Some(rest) = sums.and_then(|at| parallel.get_mut(at..)) {
                rest.fill(false);
            }
            parallel
        }
    }
}

/// From the loops that are marked to all loops: 0 where a loop is not marked.
pub fn from_marked(marked: &[bool]) -> AffineMap {
    let mut count = 0;
    let results: Vec<AffineExpr> = marked
        .iter()
        .map(|&is_marked| match is_marked {
            true => {
                count += 1;
                AffineExpr::dim(count - 1)
            }
            false => AffineExpr::constant(0),
        })
        .collect();
    AffineMap::get(count, 0, &results)
}

/// The inverse of a projected permutation: 0 for dimensions that it does not have.
pub fn inverse(map: AffineMap) -> AffineMap {
    let place = |dim: u32| map.results().iter().position(|e| e.as_dim() == Some(dim));
    let results: Vec<AffineExpr> = (0..map.dims())
        .map(|dim| match place(dim) {
            Some(at) => AffineExpr::dim(at as u32),
            None => AffineExpr::constant(0),
        })
        .collect();
    AffineMap::get(map.results().len() as u32, 0, &results)
}
