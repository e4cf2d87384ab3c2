//! `iree-vm-convert-to-yieldable-calls`: after calls in which others may run the program goes on in
//! a block of its own.

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use super::{named, symbols};

pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, module: OpId) -> PassResult {
    let symbols = symbols(body, module);
    let yields = |op: OpId| {
        let callee = named(body, op, "callee").and_then(|callee| symbols.get(callee));
        callee.is_some_and(|&callee| body.attr(callee, "vm.yield").is_some())
    };
    let calls: Vec<OpId> = body
        .walk(module)
        .filter(|&op| body.is(op, "vm.call") || body.is(op, "vm.call.variadic"))
        .filter(|&op| yields(op))
        .collect();
    let mut rw = cx.rewriter(body);
    for &call in &calls {
        convert(&mut rw, call);
    }
    Ok(Changed::when(!calls.is_empty()))
}

fn convert(rw: &mut Rewriter<'_>, call: OpId) {
    let place = rw.body.parent_block(call).zip(rw.body.next_op(call));
    let Some((block, next)) = place else { return };
    let resume = rw.split_block(next);
    let types: Vec<Type> = rw.body.results(call).map(|value| rw.body.ty(value)).collect();
    let given: Vec<ValueId> = types.iter().map(|&ty| rw.add_block_arg(resume, ty)).collect();
    let name = format!("{}.yieldable", rw.body.name(call));
    let operands: Vec<ValueId> = rw.body.operands(call).collect();
    let result_types: Vec<Attr> = types.into_iter().map(Attr::ty).collect();
    let mut new = NewOp::new(name.as_str())
        .operands(operands)
        .attr("result_types", Attr::array(&result_types))
        .successor(resume)
        .loc(rw.body.loc(call));
    for what in ["callee", "segment_sizes", "segment_types"] {
        new = new.attr_opt(what, rw.body.attr(call, what));
    }
    rw.replace(call, &given);
    rw.insert(InsertPoint::End(block), new);
}
