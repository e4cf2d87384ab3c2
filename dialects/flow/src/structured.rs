//! Structured ops (`linalg.*`) as this dialect's passes see them: operands, maps, loops.

use tegula_dialect_iree_encoding::contraction::ContractionDims;
use tegula_dialect_linalg::{Structure, structure};
use tegula_ir::{AffineExprData, AffineMap, Attr, Body, DYNAMIC, OpId, ValueId};

/// A structured op with the maps of its operands.
#[derive(Clone, Debug)]
pub struct Structured {
    /// The inputs.
    pub inputs: Vec<ValueId>,
    /// The destinations, one for each result.
    pub inits: Vec<ValueId>,
    /// One map for each operand.
    pub maps: Vec<AffineMap>,
    /// Whether each loop is parallel; the others sum.
    pub parallel: Vec<bool>,
}

/// Ops that change the type of an element and nothing else.
pub const CASTS: &[&str] = &[
    "arith.extf",
    "arith.extsi",
    "arith.extui",
    "arith.truncf",
    "arith.trunci",
    "arith.sitofp",
    "arith.uitofp",
    "arith.fptosi",
    "arith.fptoui",
];

/// Whether the op is one of `linalg` that computes tensors (and not `linalg.yield` or such).
pub fn is_structured(body: &Body, op: OpId) -> bool {
    body.name(op).dialect() == "linalg"
        && body.num_results(op) > 0
        && body.results(op).all(|r| body.ty(r).shape().is_some())
}

impl Structured {
    /// Reads a structured op; none for others.
    pub fn read(body: &Body, op: OpId) -> Option<Structured> {
        if body.name(op).dialect() != "linalg" {
            return None;
        }
        let Structure { maps, parallel } = structure(body, op)?;
        let operands: Vec<ValueId> = body.operands(op).collect();
        let inputs = match body.attr(op, "operandSegmentSizes").and_then(Attr::as_dense_array) {
            Some(&[inputs, _]) => usize::try_from(inputs).ok()?,
            _ => operands.len().checked_sub(1)?,
        };
        if operands.len() != maps.len() || inputs > operands.len() {
            return None;
        }
        let (inputs, inits) = operands.split_at(inputs);
        Some(Structured { inputs: inputs.to_vec(), inits: inits.to_vec(), maps, parallel })
    }

    /// Whether no loop sums.
    pub fn is_parallel(&self) -> bool {
        self.parallel.iter().all(|&parallel| parallel)
    }

    /// The sizes of the loops, [`DYNAMIC`] where unknown; none when an operand's shape does not
    /// give them.
    pub fn loop_ranges(&self, body: &Body) -> Option<Vec<i64>> {
        let loops = self.maps.first()?.dims() as usize;
        let mut ranges = vec![None; loops];
        for (&value, map) in self.inputs.iter().chain(&self.inits).zip(&self.maps) {
            let shape = body.ty(value).shape().unwrap_or(&[]);
            for (&size, expr) in shape.iter().zip(map.results()) {
                if let AffineExprData::Dim(dim) = expr.data() {
                    let range = ranges.get_mut(*dim as usize)?;
                    if range.is_none_or(|r| r == DYNAMIC) {
                        *range = Some(size);
                    }
                }
            }
        }
        ranges.into_iter().collect()
    }

    /// The loops by kind, when the op has two inputs and a result and its body is that of a
    /// contraction: it adds to the result a product of the inputs.
    pub fn contraction(&self, body: &Body, op: OpId) -> Option<ContractionDims> {
        let dims = ContractionDims::infer(&self.maps)?;
        (!dims.k.is_empty() && has_matmul_body(body, op)).then_some(dims)
    }
}

/// Whether the op's body is `yield(add(out, mul(a, b)))` up to the order of operands, `a` and `b`
/// being inputs or casts of inputs.
fn has_matmul_body(body: &Body, op: OpId) -> bool {
    let check = || {
        let block = body.region_entry(op, 0)?;
        let &[_, _, out] = body.block_args(block) else { return None };
        let exit = body.last_op(block).filter(|&o| body.is(o, "linalg.yield"))?;
        let [sum] = body.operands(exit).collect::<Vec<_>>()[..] else { return None };
        let add = body.defining_op(sum)?;
        if !matches!(body.name(add).as_str(), "arith.addf" | "arith.addi") {
            return None;
        }
        let (a, b) = (body.operand(add, 0), body.operand(add, 1));
        let product = if a == out { b } else { Some(a).filter(|_| b == out)? };
        let mul = body.defining_op(product)?;
        if !matches!(body.name(mul).as_str(), "arith.mulf" | "arith.muli") {
            return None;
        }
        let from_input = |value: ValueId| match body.defining_op(value) {
            None => true,
            Some(cast) => {
                CASTS.contains(&body.name(cast).as_str())
                    && body.defining_op(body.operand(cast, 0)).is_none()
            }
        };
        body.operands(mul).all(from_input).then_some(())
    };
    check().is_some()
}
