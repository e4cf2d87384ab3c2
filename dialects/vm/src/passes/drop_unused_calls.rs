//! `iree-vm-drop-unused-calls`: calls that nobody needs go; what every branch to a block passes is
//! used there itself.

use tegula_ir::{BlockId, Body, OpId, ValueId, successor_operands};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::{Rewriter, drop_block_arg};

const GROUP: &str = "vm-drop-unused-calls";

pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, module: OpId) -> PassResult {
    let mut changed = cx.greedy(body, module, &[GROUP])?;
    while drop_arguments(&mut cx.rewriter(body), module) {
        changed = Changed::Yes;
        cx.greedy(body, module, &[GROUP])?;
    }
    Ok(changed)
}

/// Makes block arguments stand for what all branches pass; says whether one is gone.
fn drop_arguments(rw: &mut Rewriter<'_>, module: OpId) -> bool {
    let regions = rw.body.walk(module).flat_map(|op| rw.body.regions(op).to_vec());
    let blocks: Vec<BlockId> =
        regions.flat_map(|region| rw.body.blocks(region).skip(1).collect::<Vec<_>>()).collect();
    let mut changed = false;
    for block in blocks {
        for index in (0..rw.body.block_args(block).len()).rev() {
            let Some(value) = passed(rw, block, index) else { continue };
            let arg = rw.body.block_args(block)[index];
            rw.replace_all_uses(arg, value);
            changed |= drop_block_arg(rw, block, index);
        }
    }
    changed
}

/// The one value that all branches to a block pass for an argument.
fn passed(rw: &Rewriter<'_>, block: BlockId, index: usize) -> Option<ValueId> {
    let body = &*rw.body;
    let arg = *body.block_args(block).get(index)?;
    let mut common = None;
    for last in body.blocks(body.block_parent(block)?).filter_map(|pred| body.last_op(pred)) {
        if !body.successors(last).contains(&block) {
            continue;
        }
        let ranges = successor_operands(rw.registry, body, last)?;
        for (mut range, _) in
            ranges.into_iter().zip(body.successors(last)).filter(|(_, to)| **to == block)
        {
            let value = body.operand(last, range.nth(index)?);
            if value == arg || common.is_some_and(|common| common != value) {
                return None;
            }
            common = Some(value);
        }
    }
    common
}
