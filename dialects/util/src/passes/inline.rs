//! `tegula-util-inline-calls`: calls are replaced by the bodies of their callees.

use tegula_ir::{Attr, Body, InsertPoint, OpId, ValueId};
use tegula_pass::{Callees, Changed, PassCx, PassResult};
use tegula_rewrite::{IrMapping, Rewriter};

/// Runs the pass on one top-level op.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId, callees: &Callees<'_>) -> PassResult {
    let mut changed = Changed::No;
    let mut rewriter = cx.rewriter(body);
    let calls: Vec<OpId> =
        rewriter.body.walk(root).filter(|&op| rewriter.body.is(op, "util.call")).collect();
    for call in calls {
        let callee = rewriter.body.attr(call, "callee").and_then(Attr::as_symbol_root);
        let Some(name) = callee else { continue };
        let Some(callee) = callees.get(name.as_str()) else { continue };
        if inline_call(&mut rewriter, call, callee) {
            changed = Changed::Yes;
        }
    }
    Ok(changed)
}

/// Replaces a call by the body of its callee; false when that can't be done.
fn inline_call(rewriter: &mut Rewriter<'_>, call: OpId, callee: &Body) -> bool {
    let Some(func) = callee.root().filter(|&f| callee.is(f, "util.func")) else { return false };
    if callee.attr(func, "inlining_policy").is_some() {
        return false;
    }
    let Some(region) = callee.region(func, 0) else { return false };
    let mut blocks = callee.blocks(region);
    let (Some(entry), None) = (blocks.next(), blocks.next()) else { return false };
    let Some(exit) = callee.last_op(entry).filter(|&op| callee.is(op, "util.return")) else {
        return false;
    };
    let caller = &*rewriter.body;
    let takes = callee.block_args(entry).iter().map(|&arg| callee.ty(arg));
    let gives = callee.operands(exit).map(|value| callee.ty(value));
    let fits = takes.eq(caller.operands(call).map(|value| caller.ty(value)))
        && gives.eq(caller.results(call).map(|value| caller.ty(value)));
    if !fits {
        return false;
    }
    let mut mapping = IrMapping::new();
    let operands: Vec<ValueId> = rewriter.body.operands(call).collect();
    mapping.map_all(callee.block_args(entry).iter().copied(), operands);
    let ops: Vec<OpId> = callee.block_ops(entry).filter(|&op| op != exit).collect();
    for op in ops {
        // Everything that the callee uses is an argument or was cloned before.
        if rewriter.clone_from(callee, op, InsertPoint::Before(call), &mut mapping).is_err() {
            return false;
        }
    }
    let results: Option<Vec<ValueId>> = callee.operands(exit).map(|v| mapping.get(v)).collect();
    let Some(results) = results else { return false };
    rewriter.replace(call, &results);
    true
}
