//! `iree-stream-schedule-execution`: wraps work on resources in `stream.async.execute` regions.

use indexmap::IndexSet;
use tegula_ir::{BlockId, Body, InsertPoint, NewOp, OpId, RegionId, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::{IrMapping, Rewriter};

use super::partition::{Partition, is_streamable};
use super::partition_execution::{for_execution, prefers_clones};
use super::region::{RegionKind, outline, sort_topologically};
use super::support::{await_group, join_timepoints, timepoint_type};

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let mut changed = Changed::No;
    for region in body.regions(root).to_vec() {
        changed |= schedule(cx, body, region)?;
    }
    Ok(changed | cx.greedy(body, root, &["canonicalize", "stream-scheduled"])?)
}

/// Schedules the blocks of a region, those that dominate others before them, and then the regions in
/// it.
fn schedule(cx: &mut PassCx<'_>, body: &mut Body, region: RegionId) -> PassResult {
    let mut changed = Changed::No;
    let blocks: Vec<BlockId> = body.blocks(region).collect();
    for &block in &blocks {
        changed |= schedule_block(cx, body, block)?;
    }
    for block in blocks {
        let ops: Vec<OpId> = body.block_ops(block).collect();
        for op in ops {
            let def = cx.registry.op(body.name(op)).map(|info| info.def());
            if def.is_some_and(|def| def.has_trait("RegionBranchOpInterface")) {
                for region in body.regions(op).to_vec() {
                    changed |= schedule(cx, body, region)?;
                }
            }
        }
    }
    Ok(changed)
}

fn schedule_block(cx: &mut PassCx<'_>, body: &mut Body, block: BlockId) -> PassResult {
    let registry = cx.registry;
    let partitions = for_execution(registry, body, block);
    if partitions.is_empty() {
        return Ok(Changed::No);
    }
    for &op in partitions.iter().flat_map(|partition| &partition.ops) {
        if !registry.results_of(body, op, "result_timepoint").is_empty() {
            let why = "work that gives a timepoint can't be part of a region yet";
            return Err(cx.error(body, op, "timeline-op-in-region", why));
        }
    }
    let dead: Vec<OpId> =
        body.block_ops(block).filter(|&op| is_streamable(registry, body, op)).collect();
    let mut rw = cx.rewriter(body);
    let mut regions = Vec::new();
    for partition in &partitions {
        let Some(&last) = partition.ops.last() else { continue };
        let mut awaits: IndexSet<ValueId> = IndexSet::new();
        for &op in partition.ops.iter().rev() {
            let group = await_group(registry, rw.body, op);
            awaits.extend(group.into_iter().flat_map(|g| registry.operands_of(rw.body, op, g)));
        }
        let awaits: Vec<ValueId> = awaits.into_iter().collect();
        let at = InsertPoint::After(last);
        let timepoint = join_timepoints(&mut rw, at, &awaits);
        let joined = timepoint.filter(|_| awaits.len() > 1).and_then(|t| rw.body.defining_op(t));
        let at = joined.map_or(at, InsertPoint::After);
        regions.push(outline(&mut rw, partition, RegionKind::Execute { timepoint }, at));
    }
    for (partition, execute) in partitions.iter().zip(regions) {
        let Some(execute) = execute else { continue };
        await_results(&mut rw, partition, execute);
    }
    make_in_regions(&mut rw, &dead);
    for &op in dead.iter().rev() {
        if rw.body.results(op).all(|result| rw.body.is_unused(result)) {
            rw.erase(op);
        }
    }
    sort_topologically(&mut rw, block);
    Ok(Changed::Yes)
}

/// What comes out of a region may be used once it is done.
fn await_results(rw: &mut Rewriter<'_>, partition: &Partition, execute: OpId) {
    let registry = rw.registry;
    let sizes = registry.operands_of(rw.body, execute, "result_sizes");
    let reached = registry.results_of(rw.body, execute, "result_timepoint");
    let results = registry.results_of(rw.body, execute, "results");
    let Some(&reached) = reached.first() else { return };
    let mut last = execute;
    for ((&out, result), size) in partition.outs.iter().zip(results).zip(sizes) {
        let timepoint = signaled(rw, out).unwrap_or(reached);
        let at = match rw.body.defining_op(timepoint).filter(|_| timepoint != reached) {
            Some(op) => InsertPoint::After(op),
            None => InsertPoint::After(last),
        };
        let awaited = registry
            .new_op("stream.timepoint.await")
            .operands("resource_operands", [result])
            .operands("resource_operand_sizes", [size])
            .operands("await_timepoint", [timepoint])
            .results("results", [rw.body.ty(result)])
            .build();
        let awaited = rw.insert(at, awaited);
        last = if timepoint == reached { awaited } else { last };
        let ready = rw.body.result(awaited, 0);
        rw.replace_all_uses(out, ready);
    }
}

/// The timepoint that an op outside of the program gives that uses a value, itself or as what it is
/// given out as, and that says when it is done.
fn signaled(rw: &mut Rewriter<'_>, value: ValueId) -> Option<ValueId> {
    let body = &*rw.body;
    let mut users: Vec<OpId> = body.users(value).collect();
    for export in users.clone().into_iter().filter(|&op| body.is(op, "stream.tensor.export")) {
        users.extend(body.users(body.result(export, 0)));
    }
    let (user, fence) = users.into_iter().find_map(|user| {
        let def = rw.registry.op(body.name(user))?.def();
        let declared = def.traits.iter().find(|t| t.name == "TimelineAwareOpInterface")?;
        Some((user, rw.registry.operand_of(body, user, declared.args.get(1)?)?))
    })?;
    let import = NewOp::new("stream.timepoint.import").operand(fence).result(timepoint_type());
    Some(rw.insert_value(InsertPoint::After(user), import))
}

/// What is better done for each user is done where regions use it.
fn make_in_regions(rw: &mut Rewriter<'_>, ops: &[OpId]) {
    for &op in ops {
        if !prefers_clones(rw.registry, rw.body, op) {
            continue;
        }
        let own = rw.body.parent_block(op);
        let results: Vec<ValueId> = rw.body.results(op).collect();
        for (index, result) in results.into_iter().enumerate() {
            let users: Vec<OpId> = rw.body.users(result).collect();
            for user in users {
                let Some(block) = rw.body.parent_block(user).filter(|&b| Some(b) != own) else {
                    continue;
                };
                let at = InsertPoint::Start(block);
                let copy = rw.clone_op(op, at, &mut IrMapping::new());
                let copy = rw.body.result(copy, index);
                for slot in 0..rw.body.num_operands(user) {
                    if rw.body.operand(user, slot) == result {
                        rw.set_operand(user, slot, copy);
                    }
                }
            }
        }
    }
}
