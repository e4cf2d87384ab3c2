//! `iree-util-apply-patterns`: canonicalization, the patterns of the group `apply-patterns`, and
//! what is passed to blocks is passed once and only where it differs.

use tegula_analysis::Dominance;
use tegula_ir::{BlockId, Body, OpId, RegionId, ValueId, successor_operands};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::{Rewriter, drop_block_arg};

/// Runs the pass on an op.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let mut changed = cx.greedy(body, root, &["canonicalize", "apply-patterns"])?;
    loop {
        let mut rw = cx.rewriter(body);
        let ops: Vec<OpId> = rw.body.walk(root).collect();
        let regions = ops.iter().flat_map(|&op| rw.body.regions(op).to_vec());
        let regions: Vec<RegionId> = regions.collect();
        let mut passed_less = false;
        for region in regions {
            passed_less |= simplify_block_arguments(&mut rw, region);
        }
        if !passed_less {
            return Ok(changed);
        }
        changed = Changed::Yes;
        cx.greedy(body, root, &["canonicalize", "apply-patterns"])?;
    }
}

/// Makes block arguments stand for less; says whether one is gone.
fn simplify_block_arguments(rw: &mut Rewriter<'_>, region: RegionId) -> bool {
    let blocks: Vec<BlockId> = rw.body.blocks(region).skip(1).collect();
    let mut changed = false;
    for block in blocks {
        for index in (0..rw.body.block_args(block).len()).rev() {
            let arg = rw.body.block_args(block)[index];
            let Some(sources) = passed(rw, block) else { break };
            let Some(value) = stands_for(rw.body, block, index, &sources) else { continue };
            rw.replace_all_uses(arg, value);
            changed |= drop_block_arg(rw, block, index);
        }
    }
    changed
}

/// What each branch to a block passes to it; none when that is not known of some branch, or when
/// nothing branches there.
fn passed(rw: &Rewriter<'_>, block: BlockId) -> Option<Vec<Vec<ValueId>>> {
    let body = &*rw.body;
    let mut sources = Vec::new();
    for pred in body.blocks(body.block_parent(block)?) {
        let Some(last) = body.last_op(pred).filter(|&op| body.successors(op).contains(&block))
        else {
            continue;
        };
        let ranges = successor_operands(rw.registry, body, last)?;
        for (range, &to) in ranges.into_iter().zip(body.successors(last)) {
            if to == block {
                sources.push(range.map(|at| body.operand(last, at)).collect());
            }
        }
    }
    Some(sources).filter(|sources| !sources.is_empty())
}

/// The value that an argument always is: an earlier argument that gets the same from everywhere, or
/// a value that everything passes and that is known in the block.
fn stands_for(
    body: &Body,
    block: BlockId,
    index: usize,
    sources: &[Vec<ValueId>],
) -> Option<ValueId> {
    let args = body.block_args(block);
    let same =
        |a: usize, b: usize| sources.iter().all(|s| s.get(a).is_some() && s.get(a) == s.get(b));
    if let Some(earlier) = (0..index).find(|&earlier| same(earlier, index)) {
        return args.get(earlier).copied();
    }
    let own = args.get(index).copied();
    // A loop that passes on the argument itself says nothing.
    let mut values = sources.iter().map(|s| s.get(index).copied()).filter(|&value| value != own);
    let value = values.next()??;
    if !values.all(|other| other == Some(value)) {
        return None;
    }
    let first = body.first_op(block)?;
    Dominance::new(body).value_dominates(body, value, first).then_some(value)
}
