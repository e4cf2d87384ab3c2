//! `iree-convert-accgemm-to-gemm`: contractions that accumulate into a read-only tensor.
//!
//! Such a tensor cannot be updated in place, so the contraction starts from zeros in a tensor of
//! its own, and the old contents are added afterwards.

use tegula_ir::{Attr, InsertPoint, NewOp, OpId, ValueId};
use tegula_rewrite::{IrMapping, Rewriter};

use crate::attrs;
use crate::builder::Builder;
use crate::dispatch_tensor as dt;
use crate::error::CpuResult;
use crate::structured::{self, Kind};

/// Runs the pass on a function.
pub(crate) fn run(rw: &mut Rewriter<'_>, func: OpId) -> CpuResult {
    let mut b = Builder::new(rw, func)?;
    let ops: Vec<OpId> = b.body().walk(func).collect();
    let mut changed = false;
    for op in ops {
        if accumulates_into_readonly(&b, op) {
            convert(&mut b, op);
            changed = true;
        }
    }
    Ok(changed)
}

fn accumulates_into_readonly(b: &Builder<'_, '_>, op: OpId) -> bool {
    let body = b.body();
    let contraction = match structured::kind(body, op) {
        Some(Kind::Mmt4d) => true,
        Some(Kind::Generic) => {
            structured::Loops::of(body, op).is_ok_and(|l| !l.is_parallel())
                && structured::is_multiply_add(body, op)
        }
        _ => false,
    };
    if !contraction || body.num_operands(op) != 3 {
        return false;
    }
    let acc = body.operand(op, 2);
    let float = body.ty(acc).element().is_some_and(|e| e.is_float());
    let load = body.defining_op(acc).filter(|&load| body.is(load, dt::LOAD));
    float && load.is_some_and(|load| dt::is_readonly(body.ty(body.operand(load, 0))))
}

fn convert(b: &mut Builder<'_, '_>, op: OpId) {
    let acc = b.body().operand(op, 2);
    let ty = b.body().ty(acc);
    let element = ty.element_or_self();
    b.at(InsertPoint::Before(op));
    let empty = b.value(NewOp::new("tensor.empty").result(ty));
    let zero = tegula_ir::AttrData::Float { bits: 0, ty: element };
    let zero = b.constant(Attr::new(zero), element);
    let fill = structured::named(b, "linalg.fill", &[zero], &[empty], Attr::empty_dict());
    let zeros = b.body().result(fill, 0);
    let copy = b.rw.clone_op(op, InsertPoint::Before(op), &mut IrMapping::new());
    b.rw.set_operand(copy, 2, zeros);
    let product = b.body().result(copy, 0);
    let sum = add(b, product, acc, empty);
    b.rw.replace(op, &[sum]);
}

/// The elementwise sum of two tensors of one type, into `out`.
fn add(b: &mut Builder<'_, '_>, lhs: ValueId, rhs: ValueId, out: ValueId) -> ValueId {
    let ty = b.body().ty(out);
    let rank = ty.shape().map_or(0, <[i64]>::len);
    let identity = Attr::map(tegula_ir::AffineMap::identity(rank as u32));
    let generic = NewOp::new("linalg.generic")
        .operands([lhs, rhs, out])
        .attr("indexing_maps", Attr::array(&[identity; 3]))
        .attr("iterator_types", Attr::array(&vec![attrs::iterator("linalg", false); rank]))
        .attr("operandSegmentSizes", attrs::segments(&[2, 1]))
        .result(ty);
    let op = b.op(generic);
    let resume = b.rw.insertion_point();
    let region = b.rw.add_region(op);
    let element = ty.element_or_self();
    let block = b.rw.append_block(region, &[element; 3]);
    let args = b.body().block_args(block).to_vec();
    b.at(InsertPoint::End(block));
    let sum = b.value(NewOp::new("arith.addf").operands(args[..2].iter().copied()).result(element));
    b.op(NewOp::new("linalg.yield").operand(sum));
    if let Some(resume) = resume {
        b.at(resume);
    }
    b.body().result(op, 0)
}
