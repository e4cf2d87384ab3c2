//! `tegula-codegen-unroll-contractions`: the innermost loop of a contraction, several steps at once.
//!
//! A loop that carries vectors and contains no other loop is repeated `unroll` times in its body,
//! which spreads the loop's own cost and lets loads of neighbouring steps pair up. Steps that are
//! left over follow the loop one by one, without a loop around them.

use tegula_ir::{Body, InsertPoint, NewOp, OpId, Type, TypeData, ValueId};
use tegula_rewrite::{IrMapping, Rewriter};

use crate::builder::{Builder, constant_int};
use crate::cleanup;
use crate::error::CpuResult;
use crate::target::CpuTarget;

/// Runs the pass on a function.
pub(crate) fn run(rw: &mut Rewriter<'_>, func: OpId, target: &CpuTarget) -> CpuResult {
    let loops: Vec<OpId> = rw.body.walk(func).filter(|&op| is_candidate(rw.body, op)).collect();
    if loops.is_empty() || target.unroll <= 1 {
        return Ok(false);
    }
    let mut b = Builder::new(rw, func)?;
    let mut changed = false;
    for op in loops {
        changed |= unroll(&mut b, op, target.unroll)?;
    }
    if changed {
        cleanup::share_equal(b.rw, func);
        cleanup::erase_dead(b.rw, func);
    }
    Ok(changed)
}

fn is_candidate(body: &Body, op: OpId) -> bool {
    let is_vector = |v: ValueId| matches!(body.ty(v).data(), TypeData::Vector { .. });
    body.is(op, "scf.for")
        && body.results(op).any(is_vector)
        && body.walk(op).skip(1).all(|inner| body.regions(inner).is_empty())
}

fn unroll(b: &mut Builder<'_, '_>, op: OpId, factor: i64) -> CpuResult<bool> {
    let bounds: Vec<Option<i64>> =
        b.body().operands(op).take(3).map(|v| constant_int(b.body(), v)).collect();
    let &[Some(first), Some(end), Some(step)] = bounds.as_slice() else { return Ok(false) };
    let Some(block) = b.body().region_entry(op, 0) else { return Ok(false) };
    if step <= 0 || end <= first {
        return Ok(false);
    }
    let trips = (end - first + step - 1) / step;
    if trips == 1 && factor > 1 {
        let start = b.index(first);
        let inits: Vec<ValueId> = b.body().operands(op).skip(3).collect();
        b.at(InsertPoint::Before(op));
        let values = steps(b, block, op, &[start], inits);
        b.rw.replace(op, &values);
        return Ok(true);
    }
    let rounds = trips / factor;
    let mut values: Vec<ValueId> = b.body().operands(op).skip(3).collect();
    b.at(InsertPoint::Before(op));
    if rounds > 1 {
        let bounds =
            [b.index(first), b.index(first + rounds * factor * step), b.index(factor * step)];
        let made = b.for_loop(bounds, &values, |b, iv, args| {
            let mut counters = vec![iv];
            for repeat in 1..factor {
                let offset = b.index(repeat * step);
                let new = NewOp::new("arith.addi").operands([iv, offset]).result(Type::index());
                counters.push(b.value(new));
            }
            Ok(steps(b, block, op, &counters, args.to_vec()))
        })?;
        values = b.body().results(made).collect();
    }
    let done = if rounds > 1 { rounds * factor } else { 0 };
    let rest: Vec<ValueId> = (done..trips).map(|trip| b.index(first + trip * step)).collect();
    b.at(InsertPoint::Before(op));
    values = steps(b, block, op, &rest, values);
    b.rw.replace(op, &values);
    Ok(true)
}

/// Copies of a loop's body for these values of its counter, one after another.
fn steps(
    b: &mut Builder<'_, '_>,
    block: tegula_ir::BlockId,
    op: OpId,
    counters: &[ValueId],
    mut values: Vec<ValueId>,
) -> Vec<ValueId> {
    for &counter in counters {
        let mut mapping = IrMapping::new();
        let args: Vec<ValueId> = b.body().block_args(block).to_vec();
        mapping.map(args[0], counter);
        mapping.map_all(args[1..].iter().copied(), values.iter().copied());
        let ops: Vec<OpId> = b.body().block_ops(block).collect();
        for inner in ops {
            if b.body().is(inner, "scf.yield") {
                values = b.body().operands(inner).map(|v| mapping.get_or_same(v)).collect();
                break;
            }
            let at = b.rw.insertion_point().unwrap_or(InsertPoint::Before(op));
            b.rw.clone_op(inner, at, &mut mapping);
        }
    }
    values
}
