//! `iree-dispatch-creation-fuse-encoding-ops-into-dispatch-regions-pass`: what a dispatch gives is
//! encoded where it is computed.

use tegula_ir::{Body, InsertPoint, OpId, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use crate::regions::{Given, block_of, in_dispatch, rebuild, results_of};

/// Runs the pass on one function.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let aggressive = cx.options.bool("enable-aggressive-fusion");
    let sets: Vec<OpId> = (body.walk(root))
        .filter(|&op| body.is(op, "iree_encoding.set_encoding") && !in_dispatch(body, op))
        .collect();
    let mut rewriter = cx.rewriter(body);
    let mut changed = false;
    for set in sets {
        for op in chain(rewriter.body, set, aggressive) {
            move_into_producer(&mut rewriter, op);
            changed = true;
        }
    }
    Ok(Changed::when(changed))
}

/// What has to move for an encoding to be set in the region whose result it encodes, in order:
/// reshapes and the encoding. Nothing when it cannot be.
fn chain(body: &Body, set: OpId, aggressive: bool) -> Vec<OpId> {
    let mut chain = vec![set];
    while let Some(value) = chain.last().and_then(|&op| body.operands(op).next()) {
        let scalar = body.ty(value).shape().is_none_or(<[i64]>::is_empty);
        let Some(op) = body.defining_op(value).filter(|_| !scalar) else { break };
        if body.is(op, "flow.dispatch.region") {
            chain.reverse();
            let is_only_use = aggressive || body.has_one_use(value);
            let is_fusable = is_only_use && takes_encodings(body, op) && is_ready(body, op, &chain);
            return if is_fusable { chain } else { Vec::new() };
        }
        let is_reshape =
            matches!(body.name(op).as_str(), "tensor.collapse_shape" | "tensor.expand_shape");
        // Of other reshapes the dynamic dimensions would have to be computed before the region.
        let is_static = body.results(op).all(|result| body.ty(result).has_static_shape());
        if !is_reshape || !is_static || !body.has_one_use(value) {
            break;
        }
        chain.push(op);
    }
    Vec::new()
}

/// Whether a region does nothing but what an encoding can follow.
fn takes_encodings(body: &Body, region: OpId) -> bool {
    let Some(block) = body.region_entry(region, 0) else { return false };
    let shaped = |&op: &OpId| body.results(op).any(|value| body.ty(value).shape().is_some());
    body.region(region, 0).is_some_and(|inner| body.blocks(inner).count() == 1)
        && body.block_ops(block).filter(shaped).all(|op| match body.name(op).as_str() {
            "tensor.collapse_shape"
            | "tensor.expand_shape"
            | "tensor.empty"
            | "tensor.extract_slice"
            | "iree_encoding.set_encoding"
            | "iree_encoding.unset_encoding" => true,
            "linalg.pack" | "linalg.unpack" => false,
            name => name.starts_with("linalg."),
        })
}

/// Whether ops that follow a region use nothing else that is not there before it.
fn is_ready(body: &Body, region: OpId, ops: &[OpId]) -> bool {
    let block = body.parent_block(region);
    let is_before = |value: ValueId| match body.defining_op(value) {
        Some(op) if body.parent_block(op) == block => body.is_before_in_block(op, region),
        _ => true,
    };
    ops.iter().all(|&op| body.parent_block(op) == block && body.operands(op).skip(1).all(is_before))
}

/// Moves an op into the region that gives its first operand. The region then gives what the op
/// does, and no longer what nothing else uses.
fn move_into_producer(rewriter: &mut Rewriter<'_>, op: OpId) {
    let (registry, body) = (rewriter.registry, &*rewriter.body);
    let Some(source) = body.operands(op).next() else { return };
    let Some(region) = body.defining_op(source) else { return };
    let Some((_, exit)) = block_of(body, region) else { return };
    let mut given = results_of(registry, body, region);
    let Some(index) = given.iter().position(|given| given.outer == source) else { return };
    let (inner, dims) = (given[index].inner, given[index].dims.clone());
    if body.has_one_use(source) {
        given.remove(index);
    }
    rewriter.move_op(op, InsertPoint::Before(exit));
    rewriter.set_operand(op, 0, inner);
    let result = rewriter.body.result(op, 0);
    given.push(Given { outer: result, inner: result, dims });
    rebuild(rewriter, region, &given);
}
