//! `iree-stream-schedule-concurrency`: groups work of an execution region that does not depend on
//! each other in `stream.async.concurrent` regions.

use tegula_ir::{BlockId, Body, InsertPoint, OpId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use super::partition::{Favor, Partition, for_concurrency};
use super::region::{RegionKind, outline, sort_topologically};
use super::support::ops_named;

/// The attribute that says how work is divided.
const CONFIG: &str = "stream.partitioning";

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let mut changed = Changed::No;
    for execute in ops_named(body, root, "stream.async.execute") {
        let Some(favor) = favor(cx, body, execute) else { continue };
        let Some(block) = body.region_entry(execute, 0) else { continue };
        let ops: Vec<OpId> = body.block_ops(block).collect();
        let waves = for_concurrency(cx.registry, body, &ops, favor);
        for wave in waves.iter().filter(|w| w.ops.len() > 1) {
            let wave = wave.refreshed(body);
            let mut rw = cx.rewriter(body);
            if concurrent(&mut rw, &wave, block).is_none() {
                return Err(cx.error(
                    body,
                    execute,
                    "unknown-resource-size",
                    "the size of a resource in this region is not known",
                ));
            }
            changed = Changed::Yes;
        }
        sort_topologically(&mut cx.rewriter(body), block);
    }
    Ok(changed)
}

/// What the region or something around it asks for; none where nothing is to run at the same time.
fn favor(cx: &PassCx<'_>, body: &Body, execute: OpId) -> Option<Favor> {
    let mut around = std::iter::successors(Some(execute), |&op| body.parent_op(op));
    let config = around.find_map(|op| body.attr(op, CONFIG)).or_else(|| cx.header.attr(CONFIG));
    let favor = config.and_then(|config| config.dialect_params("stream.partitioning_config"));
    match favor.and_then(|params| params.first()?.as_str()) {
        Some("debug") => None,
        Some("max-concurrency") => Some(Favor::MaxConcurrency),
        _ => Some(Favor::MinPeakMemory),
    }
}

/// Moves a wave into a region of its own, right behind the last op that it depends on.
fn concurrent(rw: &mut Rewriter<'_>, wave: &Partition, block: BlockId) -> Option<()> {
    let sources = wave.ins.iter().filter_map(|&v| rw.body.defining_op(v));
    let sources: Vec<OpId> =
        sources.filter(|&op| rw.body.parent_block(op) == Some(block)).collect();
    let last_source = rw.body.block_ops(block).filter(|op| sources.contains(op)).last();
    let at = last_source.map_or(InsertPoint::Start(block), InsertPoint::After);
    let region_op = outline(rw, wave, RegionKind::Concurrent, at)?;
    for (index, &out) in wave.outs.iter().enumerate() {
        let result = rw.body.result(region_op, index);
        rw.replace_all_uses(out, result);
    }
    for &op in wave.ops.iter().rev() {
        rw.erase(op);
    }
    Some(())
}
