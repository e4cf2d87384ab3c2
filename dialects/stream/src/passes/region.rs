//! Moving a partition into a region op.

use std::collections::BTreeSet;

use tegula_ir::{BlockId, Body, InsertPoint, NewOp, OpId, ValueId};
use tegula_rewrite::{IrMapping, Rewriter};

use super::partition::Partition;
use super::support::{await_group, is_resource, size_at, timepoint_type};

/// The attributes that say where an op runs, and between which places.
const AFFINITIES: [&str; 4] =
    ["affinity", "execution_affinity", "source_affinity", "target_affinity"];

/// Which region op a partition becomes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RegionKind {
    /// `stream.async.execute`, once the timepoint is reached.
    Execute {
        /// What it waits for.
        timepoint: Option<ValueId>,
    },
    /// `stream.async.concurrent`
    Concurrent,
}

/// Makes the region op at a place with copies of the partition's ops. The originals stay and keep
/// their uses; the caller replaces and erases them.
pub(crate) fn outline(
    rw: &mut Rewriter<'_>,
    partition: &Partition,
    kind: RegionKind,
    at: InsertPoint,
) -> Option<OpId> {
    let registry = rw.registry;
    let ins: Vec<ValueId> =
        partition.ins.iter().copied().filter(|&v| is_resource(rw.body, v)).collect();
    // Sizes that are asked for stand before the region.
    let mark = rw.insert(at, NewOp::new("stream.async.concurrent"));
    let before = InsertPoint::Before(mark);
    let out_sizes: Vec<ValueId> =
        partition.outs.iter().map(|&value| size_at(rw, value, before)).collect();
    let in_sizes: Vec<ValueId> = ins.iter().map(|&value| size_at(rw, value, before)).collect();
    let out_types: Vec<_> = partition.outs.iter().map(|&v| rw.body.ty(v)).collect();

    let new = match kind {
        RegionKind::Execute { timepoint } => registry
            .new_op("stream.async.execute")
            .operands("await_timepoint", timepoint)
            .results("result_timepoint", [timepoint_type()])
            .attr_opt("affinity", partition.affinity),
        RegionKind::Concurrent => registry.new_op("stream.async.concurrent"),
    };
    let region_op = rw.insert(
        before,
        new.operands("resource_operands", ins.iter().copied())
            .operands("resource_operand_sizes", in_sizes)
            .operands("result_sizes", out_sizes)
            .results("results", out_types)
            .regions(1)
            .build(),
    );
    rw.erase(mark);
    let region = rw.body.region(region_op, 0)?;
    let types: Vec<_> = ins.iter().map(|&v| rw.body.ty(v)).collect();
    let block = rw.append_block(region, &types);
    let args: Vec<ValueId> = rw.body.block_args(block).to_vec();
    let mut mapping = IrMapping::new();
    mapping.map_all(ins, args);
    for &op in &partition.ops {
        let copy = rw.clone_op(op, InsertPoint::End(block), &mut mapping);
        if let RegionKind::Execute { .. } = kind {
            for name in AFFINITIES {
                if rw.body.attr(copy, name) == partition.affinity {
                    rw.remove_attr(copy, name);
                }
            }
            if let Some(group) = await_group(registry, rw.body, copy) {
                rw.modify(copy, |body| registry.set_operands_of(body, copy, group, &[]));
            }
        }
    }
    let yielded: Vec<ValueId> = partition.outs.iter().map(|&v| mapping.get_or_same(v)).collect();
    let end = InsertPoint::End(block);
    let sizes: Vec<ValueId> = yielded.iter().map(|&value| size_at(rw, value, end)).collect();
    rw.insert(
        end,
        registry
            .new_op("stream.yield")
            .operands("resource_operands", yielded)
            .operands("resource_operand_sizes", sizes)
            .build(),
    );
    Some(region_op)
}

/// Puts the ops of a block into an order in which values come before their uses. Ops that are in
/// order already keep it; where uses form a cycle the rest keeps its order, too.
pub(crate) fn sort_topologically(rw: &mut Rewriter<'_>, block: BlockId) {
    let mut rest: Vec<OpId> = rw.body.block_ops(block).collect();
    let terminator = rest.pop();
    let mut waiting: BTreeSet<OpId> = rest.iter().copied().collect();
    let mut order = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let before = rest.len();
        rest.retain(|&op| {
            let ready = sources_in(rw.body, block, op).iter().all(|s| !waiting.contains(s));
            if ready {
                waiting.remove(&op);
                order.push(op);
            }
            !ready
        });
        if rest.len() == before {
            order.append(&mut rest);
        }
    }
    let Some(terminator) = terminator else { return };
    let sorted = rw.body.block_ops(block).zip(&order).all(|(a, b)| a == *b);
    if !sorted {
        for op in order {
            rw.move_op(op, InsertPoint::Before(terminator));
        }
    }
}

/// The ops of the block whose results the op or an op in its regions uses.
fn sources_in(body: &Body, block: BlockId, op: OpId) -> Vec<OpId> {
    let operands = body.walk(op).flat_map(|inner| body.operands(inner));
    let sources = operands.filter_map(|v| body.ancestor_in_block(block, body.defining_op(v)?));
    sources.filter(|&source| source != op).collect()
}
