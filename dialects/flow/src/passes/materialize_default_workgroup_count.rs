//! `iree-dispatch-creation-materialize-default-workgroup-count-region`: dispatches get a workgroup
//! count that code generation decides.

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Type, UseId, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

/// Runs the pass on one top-level op.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let bare: Vec<OpId> = body
        .walk(root)
        .filter(|&op| body.is(op, "flow.dispatch.workgroups"))
        .filter(|&op| body.region_entry(op, 1).is_none())
        .collect();
    let mut rewriter = cx.rewriter(body);
    for &op in &bare {
        materialize(&mut rewriter, op);
    }
    Ok(Changed::when(!bare.is_empty()))
}

fn materialize(rewriter: &mut Rewriter<'_>, op: OpId) {
    let registry = rewriter.registry;
    let loc = rewriter.body.loc(op);
    // All numbers that the dispatch takes are its workload.
    let arguments = registry.operands_of(rewriter.body, op, "arguments");
    let workload: Vec<(usize, ValueId)> = arguments
        .iter()
        .copied()
        .enumerate()
        .filter(|&(_, v)| rewriter.body.ty(v).is_index())
        .collect();
    let Some(region) = rewriter.body.region(op, 1) else { return };
    let block = rewriter.append_block(region, &vec![Type::index(); workload.len()]);
    let args: Vec<ValueId> = rewriter.body.block_args(block).to_vec();
    let count = registry
        .new_op("iree_tensor_ext.dispatch.workgroup_count_from_slice")
        .operands("operands", args)
        .results("x", [Type::index()])
        .results("y", [Type::index()])
        .results("z", [Type::index()])
        .loc(loc)
        .build();
    let count = rewriter.insert(InsertPoint::End(block), count);
    let counts: Vec<ValueId> = rewriter.body.results(count).collect();
    rewriter.insert(InsertPoint::End(block), NewOp::new("flow.return").operands(counts).loc(loc));

    let values: Vec<ValueId> = workload.iter().map(|&(_, v)| v).collect();
    rewriter.modify(op, |body| registry.set_operands_of(body, op, "workload", &values));
    let Some(entry) = rewriter.body.region_entry(op, 0) else { return };
    let inner: Vec<ValueId> = rewriter.body.block_args(entry).to_vec();
    let mut at = InsertPoint::Start(entry);
    for (ordinal, &(index, _)) in workload.iter().enumerate() {
        let Some(&arg) = inner.get(index) else { continue };
        let mark = registry
            .new_op("iree_tensor_ext.dispatch.workload.ordinal")
            .operands("operand", [arg])
            .results("result", [Type::index()])
            .attr("ordinal", Attr::index(i64::try_from(ordinal).unwrap_or(i64::MAX)))
            .loc(loc)
            .build();
        let mark = rewriter.insert(at, mark);
        at = InsertPoint::After(mark);
        let marked = rewriter.body.result(mark, 0);
        rewriter
            .replace_uses_if(arg, marked, |body: &Body, slot: UseId| body.use_owner(slot) != mark);
    }
}
