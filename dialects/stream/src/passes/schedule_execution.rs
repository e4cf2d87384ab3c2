//! `iree-stream-schedule-execution`: wraps work on resources in `stream.async.execute` regions.

use tegula_ir::{BlockId, Body, InsertPoint, OpId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use super::partition::{Partition, for_execution};
use super::region::{RegionKind, outline, sort_topologically};
use super::support::{join_timepoints, sizes_of};

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let mut changed = Changed::No;
    for block in scheduled_blocks(body, root) {
        let ops: Vec<OpId> = body.block_ops(block).collect();
        let partitions = for_execution(cx.registry, body, &ops);
        if partitions.is_empty() {
            continue;
        }
        changed = Changed::Yes;
        for partition in &partitions {
            let partition = partition.refreshed(body);
            let mut rw = cx.rewriter(body);
            if let Err(op) = execute(&mut rw, &partition) {
                return Err(cx.error(
                    body,
                    op,
                    "unknown-resource-size",
                    "the size of a resource that this op uses or gives is not known",
                ));
            }
        }
        sort_topologically(&mut cx.rewriter(body), block);
    }
    Ok(changed)
}

/// The blocks of the anchor whose ops are not in an execution region yet.
fn scheduled_blocks(body: &Body, root: OpId) -> Vec<BlockId> {
    let mut blocks = Vec::new();
    let mut stack = vec![root];
    while let Some(op) = stack.pop() {
        if matches!(body.name(op).as_str(), "stream.async.execute" | "stream.cmd.execute") {
            continue;
        }
        for &region in body.regions(op) {
            for block in body.blocks(region) {
                blocks.push(block);
                stack.extend(body.block_ops(block));
            }
        }
    }
    blocks
}

/// Moves a partition into a region of its own, at its last op, and awaits its results.
fn execute(rw: &mut Rewriter<'_>, partition: &Partition) -> Result<(), OpId> {
    let Some(&last) = partition.ops.last() else { return Ok(()) };
    let registry = rw.registry;
    let mut awaits = Vec::new();
    for &op in &partition.ops {
        awaits.extend(registry.operand_of(rw.body, op, "await_timepoint"));
    }
    awaits.dedup();
    let timepoint = join_timepoints(rw, InsertPoint::After(last), &awaits);
    let at = timepoint
        .and_then(|t| rw.body.defining_op(t))
        .filter(|_| awaits.len() > 1)
        .map_or(InsertPoint::After(last), InsertPoint::After);
    let execute = outline(rw, partition, RegionKind::Execute { timepoint }, at).ok_or(last)?;

    let reached = rw.body.result(execute, partition.outs.len());
    let mut at = InsertPoint::After(execute);
    for (index, &out) in partition.outs.iter().enumerate() {
        let result = rw.body.result(execute, index);
        let size = sizes_of(registry, rw.body, &[out]).ok_or(last)?;
        let awaited = rw.insert(
            at,
            registry
                .new_op("stream.timepoint.await")
                .operands("resource_operands", [result])
                .operands("resource_operand_sizes", size)
                .operands("await_timepoint", [reached])
                .results("results", [rw.body.ty(result)])
                .build(),
        );
        at = InsertPoint::After(awaited);
        let awaited = rw.body.result(awaited, 0);
        rw.replace_all_uses(out, awaited);
    }
    for &op in partition.ops.iter().rev() {
        rw.erase(op);
    }
    Ok(())
}
