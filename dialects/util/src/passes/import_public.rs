//! `iree-import-public`: the functions of the input become `util.func`.

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId};
use tegula_pass::{Changed, PassCx, PassResult};

/// `func` ops and what they become.
const RENAMED: &[(&str, &str)] = &[("func.call", "util.call"), ("func.return", "util.return")];

/// Runs the pass on one top-level op.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    if !body.is(root, "func.func") {
        return Ok(Changed::No);
    }
    if let Some(call) = body.walk(root).find(|&op| body.is(op, "func.call_indirect")) {
        let message = "calls of function values are not supported";
        return Err(cx.error(body, call, "indirect-call", message));
    }
    let mut rewriter = cx.rewriter(body);
    let inner: Vec<OpId> = rewriter.body.walk(root).skip(1).collect();
    for op in inner {
        let name = rewriter.body.name(op).as_str();
        let Some(&(_, to)) = RENAMED.iter().find(|(from, _)| *from == name) else { continue };
        let new = NewOp::new(to)
            .operands(rewriter.body.operands(op).collect::<Vec<_>>())
            .results(rewriter.body.results(op).map(|r| rewriter.body.ty(r)).collect::<Vec<_>>())
            .attrs(rewriter.attrs_without(op, &["no_inline"]));
        rewriter.replace_with(op, new);
    }
    let visibility = rewriter.body.attr(root, "sym_visibility").unwrap_or(Attr::string("public"));
    let new = NewOp::new("util.func")
        .attrs(rewriter.attrs_without(root, &["no_inline"]))
        .attr("sym_visibility", visibility)
        .regions(1)
        .loc(rewriter.body.loc(root));
    let func = rewriter.insert(InsertPoint::Before(root), new);
    if let (Some(from), Some(to)) = (rewriter.body.region(root, 0), rewriter.body.region(func, 0)) {
        rewriter.take_region(from, to);
    }
    rewriter.erase(root);
    Ok(Changed::Yes)
}
