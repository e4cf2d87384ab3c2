//! `iree-hal-elide-redundant-commands`: barriers that have nothing to wait for go.

use std::collections::HashSet;

use tegula_ir::{Attr, BlockId, Body, OpId, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};

/// The stages whose barriers order commands: dispatches, transfers, and the end of either.
const COMMANDS: i64 = 0x4 | 0x8 | 0x10;

/// What a command buffer records besides barriers.
const RECORDED: [&str; 7] = [
    "device",
    "begin_debug_group",
    "end_debug_group",
    "fill_buffer",
    "copy_buffer",
    "dispatch",
    "dispatch.indirect",
];

/// Runs the pass on an op.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let blocks: Vec<BlockId> =
        body.regions(root).iter().flat_map(|&region| body.blocks(region)).collect();
    let redundant: Vec<OpId> = blocks.into_iter().flat_map(|b| redundant(body, b)).collect();
    for &op in &redundant {
        cx.rewriter(body).erase(op);
    }
    Ok(Changed::when(!redundant.is_empty()))
}

/// Barriers of a block right behind another one of the same command buffer.
fn redundant(body: &Body, block: BlockId) -> Vec<OpId> {
    let mut out = Vec::new();
    // Command buffers in which nothing has been recorded since a barrier.
    let mut waiting: HashSet<ValueId> = HashSet::new();
    for op in body.block_ops(block) {
        let name = body.name(op).as_str();
        let Some(command) = name.strip_prefix("hal.command_buffer.") else {
            waiting.clear();
            continue;
        };
        let Some(buffer) = body.operands(op).next() else { continue };
        if command == "execution_barrier" {
            if waiting.contains(&buffer) {
                out.push(op);
            } else if orders_commands(body, op) {
                waiting.insert(buffer);
            }
        } else if command == "finalize" || RECORDED.contains(&command) {
            waiting.remove(&buffer);
        } else {
            waiting.clear();
        }
    }
    out
}

fn orders_commands(body: &Body, op: OpId) -> bool {
    let masks = ["source_stage_mask", "target_stage_mask"];
    let has = |mask: &str| body.attr(op, mask).and_then(Attr::as_int);
    masks.iter().all(|mask| has(mask).is_some_and(|stages| stages & COMMANDS != 0))
}
