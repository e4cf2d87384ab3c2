//! What structured ops compute, where layouts depend on it.

use std::collections::BTreeSet;

use tegula_dialect_iree_encoding::contraction::ContractionDims;
use tegula_ir::{
    AffineExpr, AffineExprData, AffineMap, AffineOp, Body, OpId, Type, TypeData, ValueId,
};

use tegula_schema::Signedness;

use crate::structured::Structured;

/// A computation that encodings are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Computation {
    /// Products of two tensors, summed over the loops that the result does not have.
    Contraction,
    /// The same of tensors whose elements share scales, which are two more tensors.
    ScaledContraction,
    /// Products with a filter that slides over a tensor.
    Convolution,
}

impl Computation {
    /// What a structured op computes; none when no encoding is for it.
    pub fn of(body: &Body, op: OpId, structured: &Structured) -> Option<Computation> {
        if structured.inits.len() != 1 || structured.is_parallel() {
            return None;
        }
        let projected = structured.maps.iter().all(|map| map.is_projected_permutation());
        match structured.inputs.len() {
            2 if projected => {
                sums_products(body, op, structured, 0, 1).then_some(Computation::Contraction)
            }
            4 if projected => {
                sums_products(body, op, structured, 0, 1).then_some(Computation::ScaledContraction)
            }
            2 => slides(structured).then_some(Computation::Convolution),
            _ => None,
        }
    }

    /// The kind in an encoding, by its name in text.
    pub fn op_type(self) -> &'static str {
        match self {
            Computation::Contraction => "matmul",
            Computation::ScaledContraction => "scaled_matmul",
            Computation::Convolution => "conv",
        }
    }
}

/// Whether a filter slides over a tensor in the op.
pub fn is_convolution(body: &Body, op: OpId) -> bool {
    let structured = Structured::read(body, op);
    structured.is_some_and(|s| Computation::of(body, op, &s) == Some(Computation::Convolution))
}

/// The element types of the operands as encodings name them: of contractions those are unsigned
/// that are widened with zeros.
pub fn element_types(
    body: &Body,
    op: OpId,
    structured: &Structured,
    computation: Computation,
) -> Vec<Type> {
    let args = body.region_entry(op, 0).map_or(&[][..], |block| body.block_args(block));
    let operands = structured.inputs.iter().chain(&structured.inits);
    let types = operands.zip(args).map(|(&operand, &arg)| {
        let ty = body.ty(operand).element_or_self();
        let unsigned = computation == Computation::Contraction
            && body.users(arg).any(|user| body.is(user, "arith.extui"));
        match ty.bit_width().filter(|_| unsigned) {
            Some(width) => Type::new(TypeData::Integer { width, sign: Signedness::Unsigned }),
            None => ty,
        }
    });
    types.collect()
}

/// The element behind ops of one operand.
fn behind_casts(body: &Body, mut value: ValueId) -> ValueId {
    while let Some(op) = body.defining_op(value).filter(|&op| body.num_operands(op) == 1) {
        value = body.operand(op, 0);
    }
    value
}

/// The element behind ops that widen it, by a scale or as such.
fn behind_scales(body: &Body, mut value: ValueId) -> ValueId {
    const SCALES: &[&str] = &["arith.scaling_extf", "arith.scaling_truncf"];
    while let Some(op) = body.defining_op(value)
        && (body.num_operands(op) == 1 || SCALES.contains(&body.name(op).as_str()))
    {
        value = body.operand(op, 0);
    }
    value
}

/// The sums that go with products.
const SUMS: &[(&str, &str)] =
    &[("arith.addf", "arith.mulf"), ("arith.addi", "arith.muli"), ("arith.ori", "arith.andi")];

/// Whether an op contracts its first input with each of the others, which have their columns in the
/// same loops.
pub fn contracts_several(body: &Body, op: OpId, structured: &Structured) -> bool {
    let (inputs, outs) = (structured.inputs.len(), structured.inits.len());
    let partial = |map: &AffineMap| map.is_projected_permutation() && !map.is_permutation();
    if outs < 2 || inputs != outs + 1 || !structured.maps.iter().all(partial) {
        return false;
    }
    let loops = |map: AffineMap| -> BTreeSet<u32> {
        map.results().iter().filter_map(|index| index.as_dim()).collect()
    };
    let lhs = loops(structured.maps[0]);
    let mut columns = None;
    (0..outs).all(|index| {
        let (rhs, out) = (structured.maps[index + 1], structured.maps[inputs + index]);
        let (rhs, out) = (loops(rhs), loops(out));
        let own: BTreeSet<u32> = rhs.intersection(&out).copied().collect();
        let first = columns.get_or_insert_with(|| own.clone());
        !lhs.is_disjoint(&out)
            && !own.is_empty()
            && !lhs.is_disjoint(&rhs)
            && own.is_subset(first)
            && sums_products(body, op, structured, index, index + 1)
    })
}

/// Whether the op's body adds to a result a product of the first input and another, up to casts and
/// scales.
fn sums_products(
    body: &Body,
    op: OpId,
    structured: &Structured,
    result: usize,
    other: usize,
) -> bool {
    let check = || {
        let block = body.region_entry(op, 0)?;
        let args = body.block_args(block);
        let &out = args.get(structured.inputs.len() + result)?;
        let (&a, &b) = (args.first()?, args.get(other)?);
        let exit = body.last_op(block)?;
        let sum = body.defining_op(behind_casts(body, body.operands(exit).nth(result)?))?;
        let binary = |op: OpId| {
            let [a, b] = body.operands(op).collect::<Vec<_>>()[..] else { return None };
            Some((a, b))
        };
        let (x, y) = binary(sum)?;
        let (x, y) = (behind_casts(body, x), behind_casts(body, y));
        let product = if x == out { y } else { Some(x).filter(|_| y == out)? };
        let product = body.defining_op(product)?;
        let names = (body.name(sum).as_str(), body.name(product).as_str());
        let (x, y) = binary(product)?;
        let sides = [behind_scales(body, x), behind_scales(body, y)];
        (SUMS.contains(&names) && (sides == [a, b] || sides == [b, a])).then_some(())
    };
    check().is_some()
}

/// Whether the second input is a filter that slides over the first: some index of the first is a
/// place plus an offset, each perhaps times a step.
fn slides(structured: &Structured) -> bool {
    let &[input, filter, out] = &structured.maps[..] else { return false };
    let reaches = |map: AffineMap, dim: u32| map.results().iter().any(|e| e.as_dim() == Some(dim));
    let window = |&expr: &AffineExpr| match expr.data() {
        AffineExprData::Binary(AffineOp::Add, lhs, rhs) => {
            let (Some(a), Some(b)) = (step(*lhs), step(*rhs)) else { return false };
            let place = |dim| reaches(out, dim) && !reaches(filter, dim);
            let offset = |dim| reaches(filter, dim) && !reaches(out, dim);
            (place(a) && offset(b)) || (place(b) && offset(a))
        }
        _ => false,
    };
    let plain = |expr: &&AffineExpr| expr.as_dim().is_none();
    let mut windows = input.results().iter().filter(plain).peekable();
    windows.peek().is_some()
        && windows.all(window)
        && filter.is_projected_permutation()
        && out.is_projected_permutation()
}

/// The loop that an index counts, perhaps in steps.
fn step(expr: AffineExpr) -> Option<u32> {
    let factor = || {
        let (dim, step) = expr.as_binary(AffineOp::Mul)?;
        dim.as_dim().filter(|_| step.as_constant().is_some())
    };
    expr.as_dim().or_else(factor)
}

/// Whether tiles can be chosen for an op of that kind.
pub fn is_tileable(
    body: &Body,
    op: OpId,
    structured: &Structured,
    computation: Computation,
) -> bool {
    match computation {
        Computation::Contraction => {
            structured.contraction(body, op).is_some_and(|dims: ContractionDims| dims.is_simple())
        }
        Computation::ScaledContraction => has_one_scaled_block(structured),
        Computation::Convolution => true,
    }
}

/// Whether of the loops that sum one counts the blocks that share a scale and one what is in them.
fn has_one_scaled_block(structured: &Structured) -> bool {
    let &[lhs, rhs, lhs_scales, rhs_scales, _] = &structured.maps[..] else { return false };
    let has = |map: AffineMap, dim: u32| map.results().iter().any(|e| e.as_dim() == Some(dim));
    let sums = (0u32..).zip(&structured.parallel).filter(|(_, parallel)| !**parallel);
    let both = |a: AffineMap, b: AffineMap| {
        sums.clone().filter(|&(dim, _)| has(a, dim) && has(b, dim)).count()
    };
    let scaled = both(lhs_scales, rhs_scales);
    let inner = sums
        .clone()
        .filter(|&(dim, _)| has(lhs, dim) && has(rhs, dim) && !has(lhs_scales, dim))
        .count();
    scaled == 1 && inner == 1
}
