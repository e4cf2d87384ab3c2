//! `iree-dispatch-creation-insert-tensor-barriers`: marks where the computation begins and ends.

use std::collections::BTreeSet;

use tegula_ir::{Body, InsertPoint, OpId, TypeData, ValueId, ValueKind};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

const START: &str = "iree_tensor_ext.compute_barrier.start";
const END: &str = "iree_tensor_ext.compute_barrier.end";

/// Runs the pass on one function.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    if !body.is(root, "util.func") {
        return Ok(Changed::No);
    }
    let Some(entry) = body.region_entry(root, 0) else { return Ok(Changed::No) };
    let mut rewriter = cx.rewriter(body);
    let entering = entering_values(rewriter.body, rewriter.body.block_args(entry));
    for &value in &entering {
        let at = match rewriter.body.definition(value) {
            ValueKind::Result(op, _) => InsertPoint::After(op),
            ValueKind::Arg(block, _) => InsertPoint::Start(block),
        };
        let barrier = insert(&mut rewriter, START, value, at);
        let result = rewriter.body.result(barrier, 0);
        rewriter.replace_uses_if(value, result, |body, slot| {
            let user = body.use_owner(slot);
            user != barrier && is_compute(body, user) && !body.is(user, "tensor.dim")
        });
    }
    let leaving: Vec<ValueId> = rewriter
        .body
        .walk(root)
        .filter(|&op| is_compute(rewriter.body, op))
        .flat_map(|op| rewriter.body.results(op))
        .filter(|&v| is_tensor(rewriter.body, v))
        .filter(|&v| !rewriter.body.users(v).any(|user| is_compute(rewriter.body, user)))
        .collect();
    for &value in &leaving {
        let Some(op) = rewriter.body.defining_op(value) else { continue };
        let barrier = insert(&mut rewriter, END, value, InsertPoint::After(op));
        let result = rewriter.body.result(barrier, 0);
        rewriter.replace_uses_if(value, result, |body, slot| body.use_owner(slot) != barrier);
    }
    Ok(Changed::when(!entering.is_empty() || !leaving.is_empty()))
}

fn insert(rewriter: &mut Rewriter<'_>, name: &str, value: ValueId, at: InsertPoint) -> OpId {
    let ty = rewriter.body.ty(value);
    let new = rewriter.registry.new_op(name).operands("value", [value]).results("result", [ty]);
    rewriter.insert(at, new.build())
}

fn is_compute(body: &Body, op: OpId) -> bool {
    matches!(body.name(op).dialect(), "linalg" | "tensor" | "iree_tensor_ext")
}

fn is_tensor(body: &Body, value: ValueId) -> bool {
    matches!(body.ty(value).data(), TypeData::RankedTensor { .. })
}

/// The tensors that come from the arguments, through any ops, and are computed on.
fn entering_values(body: &Body, args: &[ValueId]) -> Vec<ValueId> {
    let mut found = Vec::new();
    let mut seen: BTreeSet<ValueId> = BTreeSet::new();
    let mut stack: Vec<ValueId> = args.iter().rev().copied().collect();
    while let Some(value) = stack.pop() {
        if !seen.insert(value) {
            continue;
        }
        let mut computed_on = false;
        let mut next = Vec::new();
        for user in body.users(value) {
            if is_compute(body, user) {
                computed_on = true;
            } else {
                next.extend(body.results(user));
            }
        }
        if computed_on && is_tensor(body, value) {
            found.push(value);
        }
        stack.extend(next.into_iter().rev());
    }
    found
}
