//! `lower-affine`: affine expressions become arithmetic on indices.

use tegula_ir::{
    AffineExpr, AffineExprData, AffineOp, Attr, Body, InsertPoint, NewOp, OpId, Type, ValueId,
    ValueKind,
};
use tegula_rewrite::Rewriter;

use crate::builder::{Builder, Idx};
use crate::error::{CpuResult, fail};
use crate::loops;

/// Runs the pass on a function.
pub(crate) fn run(rw: &mut Rewriter<'_>, func: OpId) -> CpuResult {
    let mut b = Builder::new(rw, func)?;
    let ops: Vec<OpId> = b
        .body()
        .walk(func)
        .filter(|&op| {
            matches!(b.body().name(op).as_str(), "affine.apply" | "affine.min" | "affine.max")
        })
        .collect();
    let changed = !ops.is_empty();
    for op in ops {
        b.at(InsertPoint::Before(op));
        let value = lowered(&mut b, op)?;
        b.rw.replace(op, &[value]);
    }
    Ok(changed)
}

fn lowered(b: &mut Builder<'_, '_>, op: OpId) -> CpuResult<ValueId> {
    let Some(map) = b.body().attr(op, "map").and_then(Attr::as_map) else {
        return fail(op, "malformed-op", "the op has no map");
    };
    let operands: Vec<Idx> = b.body().operands(op).map(|v| b.fold(v)).collect();
    let join = match b.body().name(op).as_str() {
        "affine.min" => "arith.minsi",
        "affine.max" => "arith.maxsi",
        _ => "",
    };
    let mut value: Option<ValueId> = None;
    for &expr in map.results() {
        let next = expand(b, op, expr, map.dims(), &operands)?;
        let next = b.materialize(next);
        value = Some(match value {
            None => next,
            Some(before) => {
                b.value(NewOp::new(join).operands([before, next]).result(Type::index()))
            }
        });
    }
    match value {
        Some(value) if !join.is_empty() || map.results().len() == 1 => Ok(value),
        _ => fail(op, "malformed-op", "the map has the wrong number of results"),
    }
}

fn expand(
    b: &mut Builder<'_, '_>,
    op: OpId,
    expr: AffineExpr,
    dims: u32,
    operands: &[Idx],
) -> CpuResult<Idx> {
    let operand = |at: u32| match operands.get(at as usize) {
        Some(&index) => Ok(index),
        None => fail(op, "malformed-op", "the map has more inputs than the op has operands"),
    };
    match expr.data() {
        AffineExprData::Dim(d) => operand(*d),
        AffineExprData::Symbol(s) => operand(dims + *s),
        AffineExprData::Constant(c) => Ok(Idx::Const(*c)),
        AffineExprData::Binary(kind, x, y) => {
            let x = expand(b, op, *x, dims, operands)?;
            let y = expand(b, op, *y, dims, operands)?;
            binary(b, op, *kind, x, y)
        }
    }
}

fn binary(b: &mut Builder<'_, '_>, op: OpId, kind: AffineOp, x: Idx, y: Idx) -> CpuResult<Idx> {
    if let (Idx::Const(x), Idx::Const(y)) = (x, y) {
        let value = match kind {
            AffineOp::Add => x.checked_add(y),
            AffineOp::Mul => x.checked_mul(y),
            AffineOp::Mod if y > 0 => Some(x.rem_euclid(y)),
            AffineOp::FloorDiv if y > 0 => Some(x.div_euclid(y)),
            AffineOp::CeilDiv if y > 0 => Some(x.div_euclid(y) + i64::from(x.rem_euclid(y) != 0)),
            _ => None,
        };
        return match value {
            Some(value) => Ok(Idx::Const(value)),
            None => fail(op, "index-overflow", "an index expression has no value of 64 bits"),
        };
    }
    match (kind, x, y) {
        (AffineOp::Add, Idx::Const(0), other) | (AffineOp::Add, other, Idx::Const(0)) => Ok(other),
        (AffineOp::Mul, Idx::Const(1), other) | (AffineOp::Mul, other, Idx::Const(1)) => Ok(other),
        (AffineOp::Add, x, y) => Ok(Idx::Value(index_op(b, "arith.addi", x, y))),
        (AffineOp::Mul, x, y) => Ok(Idx::Value(index_op(b, "arith.muli", x, y))),
        (_, Idx::Value(x), Idx::Const(c)) if c > 0 => Ok(Idx::Value(divided(b, kind, x, c))),
        _ => fail(op, "unsupported-op", "divisors must be positive constants"),
    }
}

fn index_op(b: &mut Builder<'_, '_>, name: &'static str, x: Idx, y: Idx) -> ValueId {
    let (x, y) = (b.materialize(x), b.materialize(y));
    b.value(NewOp::new(name).operands([x, y]).result(Type::index()))
}

/// Quotients round down and remainders are not negative, also where the dividend is.
fn divided(b: &mut Builder<'_, '_>, kind: AffineOp, x: ValueId, c: i64) -> ValueId {
    let divisor = Idx::Const(c);
    if kind == AffineOp::CeilDiv {
        let raised = index_op(b, "arith.addi", Idx::Value(x), Idx::Const(c - 1));
        return divided(b, AffineOp::FloorDiv, raised, c);
    }
    if is_not_negative(b.body(), x) {
        let name = if kind == AffineOp::Mod { "arith.remui" } else { "arith.divui" };
        return index_op(b, name, Idx::Value(x), divisor);
    }
    // For x < 0 the quotient of -1 - x, rounded down, is -1 - (x floordiv c).
    let zero = b.index(0);
    let negative = loops::compare(b, loops::SLT, x, zero);
    let flipped = index_op(b, "arith.subi", Idx::Const(-1), Idx::Value(x));
    let choose = |b: &mut Builder<'_, '_>, x: ValueId, y: ValueId| {
        let new = NewOp::new("arith.select").operands([negative, x, y]).result(Type::index());
        b.value(new)
    };
    let dividend = choose(b, flipped, x);
    let quotient = index_op(b, "arith.divui", Idx::Value(dividend), divisor);
    let back = index_op(b, "arith.subi", Idx::Const(-1), Idx::Value(quotient));
    let quotient = choose(b, back, quotient);
    if kind == AffineOp::FloorDiv {
        return quotient;
    }
    let whole = index_op(b, "arith.muli", Idx::Value(quotient), divisor);
    index_op(b, "arith.subi", Idx::Value(x), Idx::Value(whole))
}

/// Whether a value is the counter of a loop that begins at a constant that is not negative.
fn is_not_negative(body: &Body, value: ValueId) -> bool {
    let ValueKind::Arg(block, 0) = body.definition(value) else { return false };
    let Some(parent) = body.block_parent_op(block).filter(|&op| body.is(op, "scf.for")) else {
        return false;
    };
    let (first, step) = (body.operand(parent, 0), body.operand(parent, 2));
    let constant = |v| crate::builder::constant_int(body, v);
    constant(first).is_some_and(|c| c >= 0) && constant(step).is_some_and(|c| c > 0)
}
