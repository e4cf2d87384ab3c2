//! Constants as attributes.

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_rewrite::Rewriter;

/// The integer that a value is known to be: the value of the `arith.constant` that makes it.
pub fn constant_index(body: &Body, value: ValueId) -> Option<i64> {
    constant_value(body, value)?.as_int()
}

/// Makes an `arith.constant` of type `index`.
pub fn index_constant(
    rewriter: &mut Rewriter<'_>,
    at: InsertPoint,
    value: i64,
    loc: Attr,
) -> ValueId {
    let new = NewOp::new("arith.constant")
        .attr("value", Attr::index(value))
        .result(Type::index())
        .loc(loc);
    rewriter.insert_value(at, new)
}

/// The constant of that value at the head of the entry block, made there when there is none. This is
/// where the greedy driver puts constants that it makes: the newest first.
pub fn hoisted_index_constant(
    rewriter: &mut Rewriter<'_>,
    func: OpId,
    value: i64,
) -> Option<ValueId> {
    let block = rewriter.body.region_entry(func, 0)?;
    let found = rewriter.body.block_ops(block).find(|&op| {
        rewriter.body.is(op, "arith.constant")
            && rewriter.body.attr(op, "value") == Some(Attr::index(value))
    });
    if let Some(op) = found {
        return Some(rewriter.body.result(op, 0));
    }
    let loc = rewriter.body.loc(func);
    Some(index_constant(rewriter, InsertPoint::Start(block), value, loc))
}

/// The value of the `arith.constant` that makes a value.
pub fn constant_value(body: &Body, value: ValueId) -> Option<Attr> {
    let op = body.defining_op(value).filter(|&op| body.is(op, "arith.constant"))?;
    body.attr(op, "value")
}
