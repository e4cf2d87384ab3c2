//! `tegula-codegen-fold-accumulator`: contractions start from what they are added to.
//!
//! After `iree-convert-accgemm-to-gemm` a contraction starts from zeros and an elementwise op adds
//! the old contents. When the contraction is tiled, its accumulator lives in registers, so that
//! starting from the old contents costs nothing and saves the fill and the sum. This also restores
//! the order of additions that the source program states.

use tegula_ir::{Attr, AttrData, InsertPoint, OpId, ValueId};
use tegula_rewrite::{IrMapping, Rewriter};

use crate::builder::Builder;
use crate::cleanup;
use crate::error::CpuResult;
use crate::structured::{self, Kind, Loops};

/// Runs the pass on a function.
pub(crate) fn run(rw: &mut Rewriter<'_>, func: OpId) -> CpuResult {
    let b = Builder::new(rw, func)?;
    let ops: Vec<OpId> = b.body().walk(func).collect();
    let mut changed = false;
    for op in ops {
        if b.body().is_erased(op) {
            continue;
        }
        if let Some((contraction, old)) = sum_of_contraction(&b, op) {
            let copy = b.rw.clone_op(contraction, InsertPoint::Before(op), &mut IrMapping::new());
            b.rw.set_operand(copy, 2, old);
            let value = b.body().result(copy, 0);
            b.rw.replace(op, &[value]);
            cleanup::erase_unused(b.rw, contraction);
            changed = true;
        }
    }
    Ok(changed)
}

/// Matches `contraction(zeros) + old` where nothing else uses the contraction.
fn sum_of_contraction(b: &Builder<'_, '_>, op: OpId) -> Option<(OpId, ValueId)> {
    let body = b.body();
    if structured::kind(body, op) != Some(Kind::Generic) || !is_sum(body, op) {
        return None;
    }
    let loops = Loops::of(body, op).ok()?;
    if !loops.is_parallel() || loops.ins.len() != 2 || !loops.maps.iter().all(|m| m.is_identity()) {
        return None;
    }
    [(0, 1), (1, 0)].into_iter().find_map(|(at, other)| {
        let product = loops.ins[at];
        let contraction = body.defining_op(product).filter(|_| body.has_one_use(product))?;
        let accumulates = match structured::kind(body, contraction)? {
            Kind::Mmt4d => true,
            Kind::Generic => structured::is_multiply_add(body, contraction),
            _ => false,
        };
        let starts_at_zero =
            body.num_operands(contraction) == 3 && is_zero_fill(body, body.operand(contraction, 2));
        let old = loops.ins[other];
        // An op that the old contents come from must not come after the new place.
        (accumulates && starts_at_zero && old != product).then_some((contraction, old))
    })
}

/// Whether a generic's region adds its two inputs.
fn is_sum(body: &tegula_ir::Body, op: OpId) -> bool {
    let Some(block) = body.region_entry(op, 0) else { return false };
    let ops: Vec<OpId> = body.block_ops(block).collect();
    let (&[x, y, _], &[add, end]) = (body.block_args(block), ops.as_slice()) else { return false };
    let operands: Vec<ValueId> = body.operands(add).collect();
    body.is(add, "arith.addf")
        && (operands == [x, y] || operands == [y, x])
        && body.operands(end).eq([body.result(add, 0)])
}

fn is_zero_fill(body: &tegula_ir::Body, value: ValueId) -> bool {
    let Some(fill) = body.defining_op(value).filter(|&op| body.is(op, "linalg.fill")) else {
        return false;
    };
    let constant = body.operands(fill).next().and_then(|v| body.defining_op(v));
    let value = constant.and_then(|op| body.attr(op, "value")).map(Attr::data);
    // Minus zero is no neutral start either: -0 + x keeps the sign of a zero sum.
    matches!(value, Some(AttrData::Float { bits: 0, .. }))
}
