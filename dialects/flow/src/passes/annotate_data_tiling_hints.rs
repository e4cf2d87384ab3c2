//! `iree-dispatch-creation-annotate-data-tiling-hints`: marks what may be laid out in tiles.

use tegula_ir::{Attr, Body, OpId, TypeData};
use tegula_pass::{Changed, OptionValue, PassCx, PassResult};

use crate::computations::{Computation, is_tileable};
use crate::regions::region_around;
use crate::structured::Structured;

/// The mark: a unit attribute of the op.
pub const HINT: &str = "iree.opt.data_tiling";

/// Runs the pass on one function.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    if body.walk(root).any(|op| body.attr(op, HINT).is_some()) {
        return Ok(Changed::No);
    }
    let wanted = cx.options.list("data-tiling-op-types").iter();
    let kinds: Vec<Computation> = wanted.filter_map(kind).collect();
    let marked: Vec<OpId> = body.walk(root).filter(|&op| may_be_tiled(body, op, &kinds)).collect();
    let mut rewriter = cx.rewriter(body);
    for &op in &marked {
        rewriter.set_attr(op, HINT, Attr::unit());
    }
    Ok(Changed::when(!marked.is_empty()))
}

/// The computation of that name.
fn kind(name: &OptionValue) -> Option<Computation> {
    match name {
        OptionValue::String(name) => match name.as_str() {
            "matmul" => Some(Computation::Contraction),
            "scaled_matmul" => Some(Computation::ScaledContraction),
            "convolution" => Some(Computation::Convolution),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the op is a computation of one of the kinds, on tensors without encodings, and nothing
/// has decided its lowering yet.
fn may_be_tiled(body: &Body, op: OpId, kinds: &[Computation]) -> bool {
    let Some(structured) = Structured::read(body, op) else { return false };
    let plain = body.operands(op).all(|v| {
        let ty = body.ty(v);
        matches!(ty.data(), TypeData::RankedTensor { .. }) && ty.encoding().is_none()
    });
    let free = body.attr(op, "compilation_info").is_none() && !has_workgroup_count(body, op);
    let computation = Computation::of(body, op, &structured);
    plain
        && free
        && body.num_results(op) == 1
        && computation.is_some_and(|c| kinds.contains(&c) && is_tileable(body, op, &structured, c))
}

/// Whether the dispatch around the op says how many workgroups it takes.
fn has_workgroup_count(body: &Body, op: OpId) -> bool {
    region_around(body, op)
        .and_then(|region| body.region(region, 1))
        .is_some_and(|count| body.first_block(count).is_some())
}
