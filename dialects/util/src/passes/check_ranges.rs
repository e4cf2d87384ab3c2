//! `tegula-util-check-ranges`: constant ranges lie in what they are ranges of.

use tegula_ir::{Body, OpId, Registry};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Ranges;

/// Runs the pass. All that is wrong is said.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let Some(ranges) = Ranges::of(cx.registry, cx.patterns, body, root) else {
        return Ok(Changed::No);
    };
    let mut failed = None;
    for op in body.walk(root) {
        let Some(what) = ranges.wrong(op) else { continue };
        if always_runs(cx.registry, body, root, op) {
            failed = Some(cx.error(body, op, "out-of-range", what));
        }
    }
    failed.map_or(Ok(Changed::No), Err)
}

/// Whether an op runs whenever what is around it does: what a condition guards may be meant for
/// other sizes.
fn always_runs(registry: &Registry, body: &Body, root: OpId, op: OpId) -> bool {
    let mut at = op;
    while at != root {
        let Some(block) = body.parent_block(at) else { return true };
        let Some(parent) = body.block_parent_op(block) else { return true };
        let is_entry = body.region_entry(parent, 0) == Some(block);
        let info = registry.op(body.name(parent));
        let may_skip = info.is_some_and(|info| info.def().has_trait("LoopLikeOpInterface"));
        if !is_entry || may_skip || body.regions(parent).len() > 1 {
            return false;
        }
        at = parent;
    }
    true
}
