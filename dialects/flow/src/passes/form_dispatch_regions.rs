//! `iree-dispatch-creation-form-dispatch-regions`: computations go into dispatch regions.

use tegula_ir::{Body, InsertPoint, OpId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::{Rewriter, constant_of};

use crate::fusion::{FusionOptions, Group, decide};
use crate::regions::{REGION, drop_unused_results, move_following, move_preceding, sorted, wrap};
use crate::sizes::{Asked, Size, materialize, size_of};

/// Runs the pass on one function.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let options = FusionOptions {
        aggressive: cx.options.bool("aggressive-fusion"),
        multi_use_producers: cx.options.bool("fuse-multi-use-producers"),
        pad_with_consumers: cx.options.bool("fuse-pad-with-consumers"),
        pad_with_producers: cx.options.bool("fuse-pad-with-producers"),
    };
    let groups = decide(body, root, options);
    let mut rewriter = cx.rewriter(body);
    let mut changed = replace_dims(&mut rewriter, root);
    for group in groups.iter() {
        form(&mut rewriter, group);
        replace_dims(&mut rewriter, root);
        changed = true;
    }
    let regions: Vec<OpId> =
        (rewriter.body.walk(root)).filter(|&op| rewriter.body.is(op, REGION)).collect();
    for region in regions {
        changed |= drop_unused_results(&mut rewriter, region) != region;
    }
    Ok(Changed::when(changed) | cx.greedy(body, root, &[])?)
}

/// Puts a group into a region in the place of its root.
fn form(rewriter: &mut Rewriter<'_>, group: &Group) {
    let ops = sorted(rewriter.body, group.ops().collect());
    let at = ops.iter().position(|&op| op == group.root).unwrap_or(0);
    let mut region = wrap(rewriter, group.root);
    for &op in ops[..at].iter().rev() {
        region = move_preceding(rewriter, op, region);
    }
    for &op in ops.iter().skip(at + 1) {
        region = move_following(rewriter, op, region);
    }
}

/// Sizes of tensors become what is known of them.
fn replace_dims(rewriter: &mut Rewriter<'_>, root: OpId) -> bool {
    let dims: Vec<OpId> =
        (rewriter.body.walk(root)).filter(|&op| rewriter.body.is(op, "tensor.dim")).collect();
    let mut changed = false;
    for op in dims {
        let (registry, body) = (rewriter.registry, &*rewriter.body);
        let (tensor, index) = (body.operand(op, 0), body.operand(op, 1));
        let index = constant_of(registry, body, index).and_then(|index| index.as_int());
        let Some(index) = index.and_then(|index| usize::try_from(index).ok()) else { continue };
        let size = size_of(registry, body, tensor, index, Asked::All);
        if size != Size::Dim(tensor, index) {
            let value = materialize(rewriter, InsertPoint::Before(op), &size);
            rewriter.replace(op, &[value]);
            changed = true;
        }
    }
    changed
}
