//! `iree-hal-inline-memoize-regions`: what could be kept is made each time that it is needed.

use tegula_ir::{Attr, BlockId, Body, InsertPoint, NewOp, OpId, Type};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

/// The mode of a command buffer that is submitted once.
const ONE_SHOT: i64 = 1;

/// Runs the pass on an op.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let regions: Vec<OpId> =
        body.walk(root).filter(|&op| body.is(op, "hal.device.memoize")).collect();
    for &region in &regions {
        use_once(&mut cx.rewriter(body), region);
        if inline(&mut cx.rewriter(body), region).is_none() {
            let message = "a region without blocks gives nothing";
            return Err(cx.error(body, region, "memoized-region", message));
        }
    }
    Ok(Changed::when(!regions.is_empty()))
}

fn use_once(rw: &mut Rewriter<'_>, region: OpId) {
    let body = &*rw.body;
    let made = body.walk(region).filter(|&op| body.is(op, "hal.command_buffer.create"));
    for op in made.collect::<Vec<_>>() {
        if let Some(modes) = rw.body.attr(op, "modes").and_then(Attr::as_int) {
            rw.set_attr(op, "modes", Attr::int((modes | ONE_SHOT).into(), Type::int(32)));
        }
    }
}

/// The blocks of a region come between what stands before its op and what stands behind it.
fn inline(rw: &mut Rewriter<'_>, op: OpId) -> Option<()> {
    let (region, block, loc) = (rw.body.region(op, 0)?, rw.body.parent_block(op)?, rw.body.loc(op));
    let types: Vec<Type> = rw.body.results(op).map(|value| rw.body.ty(value)).collect();
    let rest = rw.split_block(op);
    for ty in types {
        rw.add_block_arg(rest, ty);
    }
    let inner: Vec<BlockId> = rw.body.blocks(region).collect();
    let to = rw.body.block_parent(rest)?;
    for &moved in &inner {
        rw.body.detach_block(moved);
        rw.body.attach_block(moved, to, Some(rest));
        let last = rw.body.last_op(moved).filter(|&last| rw.body.is(last, "hal.return"));
        if let Some(last) = last {
            let values: Vec<_> = rw.body.operands(last).collect();
            let go = NewOp::new("cf.br").operands(values).successor(rest).loc(rw.body.loc(last));
            rw.insert(InsertPoint::Before(last), go);
            rw.erase(last);
        }
    }
    let go = NewOp::new("cf.br").successor(*inner.first()?).loc(loc);
    rw.insert(InsertPoint::End(block), go);
    let values = rw.body.block_args(rest).to_vec();
    rw.replace(op, &values);
    Some(())
}
