//! `iree-dispatch-creation-annotate-data-tiling-hints`: marks what may be laid out in tiles.

use tegula_ir::{Attr, Body, OpId};
use tegula_pass::{Changed, PassCx, PassResult};

use crate::structured::Structured;

/// The mark: a unit attribute of the op.
pub const HINT: &str = "iree.opt.data_tiling";

/// Runs the pass on one function.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    if body.walk(root).any(|op| body.attr(op, HINT).is_some()) {
        return Ok(Changed::No);
    }
    let marked: Vec<OpId> = body.walk(root).filter(|&op| may_be_tiled(body, op)).collect();
    let mut rewriter = cx.rewriter(body);
    for &op in &marked {
        rewriter.set_attr(op, HINT, Attr::unit());
    }
    Ok(Changed::when(!marked.is_empty()))
}

/// Whether the op is a contraction with at most one loop of each kind on tensors without
/// encodings, and nothing has decided its lowering yet.
fn may_be_tiled(body: &Body, op: OpId) -> bool {
    let Some(structured) = Structured::read(body, op) else { return false };
    let plain = body.operands(op).all(|v| {
        let ty = body.ty(v);
        ty.shape().is_some() && ty.encoding().is_none()
    });
    let configured = ["compilation_info", "lowering_config"];
    plain
        && body.num_results(op) == 1
        && configured.iter().all(|name| body.attr(op, name).is_none())
        && structured.contraction(body, op).is_some_and(|dims| dims.is_simple())
}
