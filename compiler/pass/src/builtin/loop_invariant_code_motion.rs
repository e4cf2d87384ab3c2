//! `loop-invariant-code-motion`: what a loop computes anew in each round, though nothing that it
//! depends on changes, is computed before the loop.

use std::borrow::Cow;

use tegula_analysis::is_speculatable;
use tegula_ir::{BlockId, Body, InsertPoint, OpId, Registry};
use tegula_schema::{PassBody, PassDef, Scope};

use super::statistic;
use crate::{Changed, PassCx, PassResult, PassRun};

/// The pass.
pub(crate) fn pass() -> (PassDef, PassRun) {
    let def = PassDef {
        def_name: Cow::Borrowed("LoopInvariantCodeMotionPass"),
        name: Cow::Borrowed("loop-invariant-code-motion"),
        summary: Cow::Borrowed("Takes out of loops what is the same in each round"),
        scope: Scope::Local,
        statistics: Cow::Owned(vec![statistic("num-hoisted", "Ops that were taken out of loops")]),
        body: PassBody::Hook(Cow::Borrowed("loop-invariant-code-motion")),
        ..PassDef::default()
    };
    (def, PassRun::Local(run))
}

/// Inner loops come first, so that what leaves one may leave the next.
fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let is_loop = |op: &OpId| {
        let info = cx.registry.op(body.name(*op));
        info.is_some_and(|info| info.def().has_trait("LoopLikeOpInterface"))
    };
    let loops: Vec<OpId> = body.walk(root).filter(is_loop).collect();
    let mut hoisted = 0;
    for &outer in loops.iter().rev() {
        hoisted += hoist(cx.registry, body, outer);
    }
    cx.statistic("num-hoisted", hoisted);
    Ok(Changed::when(hoisted > 0))
}

/// Moves ops of a loop's regions before the loop, in order, so that those that only depend on moved
/// ones follow them. An op moves when it has no effect and may be computed though the loop may have
/// no round.
fn hoist(registry: &Registry, body: &mut Body, outer: OpId) -> u64 {
    let blocks: Vec<BlockId> =
        body.regions(outer).iter().flat_map(|&region| body.blocks(region)).collect();
    let ops: Vec<OpId> = blocks.into_iter().flat_map(|block| body.block_ops(block)).collect();
    let mut hoisted = 0;
    for op in ops {
        let terminator = registry.op(body.name(op)).is_none_or(|info| info.terminator);
        if !terminator && is_speculatable(registry, body, op) && !depends_on(body, op, outer) {
            body.move_op(op, InsertPoint::Before(outer));
            hoisted += 1;
        }
    }
    hoisted
}

/// Whether an op, or what it holds, uses a value that comes from a loop but not from the op.
fn depends_on(body: &Body, op: OpId, outer: OpId) -> bool {
    let within = |value, ancestor: OpId| {
        let mut at = body.defining_block(value).and_then(|block| body.block_parent_op(block));
        while let Some(around) = at {
            if around == ancestor {
                return true;
            }
            at = body.parent_op(around);
        }
        false
    };
    body.walk(op)
        .any(|inner| body.operands(inner).any(|value| within(value, outer) && !within(value, op)))
}
