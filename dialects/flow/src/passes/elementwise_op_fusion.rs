//! `iree-dispatch-creation-elementwise-op-fusion`: parallel nests are computed where their results
//! are used.

use rustc_hash::FxHashSet;
use tegula_dialect_linalg::{can_fuse, fuse};
use tegula_ir::{Body, OpId, Type, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use crate::computations::is_convolution;
use crate::fusion::MOST_OPERANDS;
use crate::kinds::{broadcasts, narrows, widens};
use crate::regions::in_dispatch;
use crate::structured::Structured;

/// Runs the pass.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let options = Options {
        intra_dispatch: cx.options.bool("intra-dispatch"),
        multi_reduction: cx.options.bool("fuse-multi-reduction"),
        truncate_ops: cx.options.bool("fuse-truncate-ops"),
        broadcast_ops: cx.options.bool("fuse-broadcast-ops"),
    };
    let mut changed = cx.greedy(body, root, &["elementwise-op-fusion"])?;
    while fuse_all(&mut cx.rewriter(body), root, &options) {
        changed = Changed::Yes;
        cx.greedy(body, root, &["elementwise-op-fusion"])?;
    }
    Ok(changed)
}

/// The pass's options.
struct Options {
    intra_dispatch: bool,
    multi_reduction: bool,
    truncate_ops: bool,
    broadcast_ops: bool,
}

/// Fuses into each nest what its inputs are made by.
fn fuse_all(rewriter: &mut Rewriter<'_>, root: OpId, options: &Options) -> bool {
    let mut changed = false;
    let nests: Vec<OpId> = rewriter.body.walk(root).collect();
    for mut op in
        nests.into_iter().filter(|&op| rewriter.body.is(op, "linalg.generic")).collect::<Vec<_>>()
    {
        while let Some(at) = fusable_input(rewriter.body, op, options)
            && let Some(fused) = fuse(rewriter, op, at)
        {
            changed = true;
            op = fused;
        }
    }
    changed
}

fn fusable_input(body: &Body, consumer: OpId, options: &Options) -> Option<usize> {
    let used = Structured::read(body, consumer)?;
    (0..used.inputs.len()).find(|&at| {
        can_fuse(body, consumer, at) && is_worthwhile(body, consumer, &used, at, options)
    })
}

/// Whether fusion repeats no work that counts.
fn is_worthwhile(
    body: &Body,
    consumer: OpId,
    used: &Structured,
    at: usize,
    options: &Options,
) -> bool {
    let Some(producer) = body.defining_op(used.inputs[at]) else { return false };
    let outside = !in_dispatch(body, producer) && !in_dispatch(body, consumer);
    if !options.intra_dispatch && !outside || has_too_many_operands(body, producer, consumer, at) {
        return false;
    }
    let is_flag = |ty: Type| ty.element_or_self() == Type::int(1);
    let block = body.region_entry(producer, 0);
    let copies = block.is_some_and(|block| body.first_op(block) == body.last_op(block));
    let reads_nothing = block.is_some_and(|block| {
        body.block_args(block).iter().all(|&arg| body.users(arg).next().is_none())
    });
    if body.results(producer).all(|result| is_flag(body.ty(result)))
        || copies
        || (used.is_parallel() && reads_nothing)
    {
        return true;
    }
    let has_one_use = |op: OpId| body.results(op).map(|r| body.uses(r).count()).sum::<usize>() == 1;
    if !has_one_use(producer)
        || (!options.broadcast_ops && broadcasts(body, consumer))
        || (widens(body, consumer) && !has_one_use(consumer))
        || (!options.truncate_ops
            && narrows(body, producer)
            && !takes_narrowed(body, consumer, used))
    {
        return false;
    }
    let sums = used.parallel.iter().filter(|&&parallel| !parallel).count();
    sums == 0
        || (used.maps[at].is_permutation()
            && (options.multi_reduction || sums == 1)
            && used.contraction(body, consumer).is_none()
            && !is_convolution(body, consumer))
}

/// Whether an op may take what narrows elements into itself.
fn takes_narrowed(body: &Body, consumer: OpId, used: &Structured) -> bool {
    let is_unary = used.is_parallel() && used.inputs.len() == 1;
    !widens(body, consumer) && (narrows(body, consumer) || is_unary)
}

fn has_too_many_operands(body: &Body, producer: OpId, consumer: OpId, at: usize) -> bool {
    let others = body.operands(consumer).enumerate().filter(|&(other, _)| other != at);
    let all: FxHashSet<ValueId> =
        body.operands(producer).chain(others.map(|(_, value)| value)).collect();
    all.len() >= MOST_OPERANDS
}
