//! `iree-dispatch-creation-convert-encoding-to-flow`: encodings change on the host's side.

use tegula_ir::{Body, OpId};
use tegula_pass::{Changed, PassCx, PassResult};

use crate::regions::in_dispatch;

/// Runs the pass on one top-level op.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let mut rewriter = cx.rewriter(body);
    let outside: Vec<OpId> = rewriter
        .body
        .walk(root)
        .filter(|&op| {
            matches!(
                rewriter.body.name(op).as_str(),
                "iree_encoding.set_encoding" | "iree_encoding.unset_encoding"
            )
        })
        .filter(|&op| !in_dispatch(rewriter.body, op))
        .collect();
    for &op in &outside {
        let source = rewriter.body.operand(op, 0);
        let ty = rewriter.body.ty(rewriter.body.result(op, 0));
        let encode = rewriter
            .registry
            .new_op("flow.tensor.encode")
            .operands("operand", [source])
            .results("result", [ty]);
        rewriter.replace_with(op, encode.build());
    }
    Ok(Changed::when(!outside.is_empty()))
}
