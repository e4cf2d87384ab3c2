//! Ops that become blocks of their own.

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Registry, Type, ValueId};
use tegula_rewrite::{Bound, Rewriter};

/// How many numbers may lie between two that are nearly the same.
const NEAR: i128 = 100;

/// Whether a branch goes to the same block whatever it decides.
pub(crate) fn one_target(_: &Registry, body: &Body, branch: &[Bound]) -> bool {
    let Some(branch) = branch.first().and_then(Bound::op) else { return false };
    body.successors(branch).windows(2).all(|pair| pair[0] == pair[1])
}

/// A failure goes to a block that ends the program; the rest of the block comes otherwise.
pub(crate) fn fail_apart(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let place = rw.body.parent_block(op).zip(rw.body.next_op(op));
    let Some((block, next)) = place else { return rw.no_match(op, "nothing comes behind it") };
    let Some(region) = rw.body.block_parent(block) else { return false };
    let operands: Vec<ValueId> = rw.body.operands(op).collect();
    let &[condition, status] = operands.as_slice() else { return false };
    let (loc, message) = (rw.body.loc(op), rw.body.attr(op, "message"));
    let rest = rw.split_block(next);
    let failed = rw.append_block(region, &[Type::int(32)]);
    let told = rw.body.block_args(failed)[0];
    let end = NewOp::new("vm.fail").operand(told).attr_opt("message", message).loc(loc);
    rw.insert(InsertPoint::End(failed), end);
    let branch = NewOp::new("vm.cond_br")
        .operands([condition, status])
        .attr("operandSegmentSizes", Attr::i32_array(&[1, 1, 0]))
        .successor(failed)
        .successor(rest);
    rw.replace_with(op, branch.loc(loc));
    true
}

/// Whether two floats are nearly the same. Numbers of one sign are counted through as their bits
/// are; those of different signs are the same or not.
pub(crate) fn near(rw: &mut Rewriter<'_>, op: OpId) -> bool {
    let place = rw.body.parent_block(op).zip(rw.body.next_op(op));
    let Some((block, next)) = place else { return rw.no_match(op, "nothing comes behind it") };
    let operands: Vec<ValueId> = rw.body.operands(op).collect();
    let &[lhs, rhs] = operands.as_slice() else { return false };
    let Some(width) = rw.body.ty(lhs).bit_width() else { return false };
    let (loc, i32, integer) = (rw.body.loc(op), Type::int(32), Type::int(width));
    let float = rw.body.ty(lhs);
    let make = |rw: &mut Rewriter<'_>, name: &str, operands: &[ValueId], ty: Type| {
        let name = name.replace('#', &width.to_string());
        let new = NewOp::new(name.as_str()).operands(operands.iter().copied()).result(ty);
        rw.insert_value(InsertPoint::Before(op), new.loc(loc))
    };
    let constant = |rw: &mut Rewriter<'_>, value: Attr, ty: Type| {
        let name = format!("vm.const.{ty}");
        let new = NewOp::new(name.as_str()).attr("value", value).result(ty);
        rw.insert_value(InsertPoint::Before(op), new.loc(loc))
    };
    let zero = make(rw, "vm.const.f#.zero", &[], float);
    let one = constant(rw, Attr::i32(1), i32);
    let limit = constant(rw, Attr::int(NEAR, integer), integer);
    let positive = operands.iter().map(|&value| {
        let negative = make(rw, "vm.cmp.lt.f#.o", &[value, zero], i32);
        make(rw, "vm.xor.i32", &[negative, one], i32)
    });
    let positive: Vec<ValueId> = positive.collect();
    let apart = make(rw, "vm.cmp.ne.i32", &positive, i32);
    let same = make(rw, "vm.cmp.eq.f#.o", &[lhs, rhs], i32);
    let bits: Vec<ValueId> =
        operands.iter().map(|&value| make(rw, "vm.bitcast.f#.i#", &[value], integer)).collect();
    let between = make(rw, "vm.sub.i#", &bits, integer);
    let between = make(rw, "vm.abs.i#", &[between], integer);
    let few = make(rw, "vm.cmp.lt.i#.s", &[between, limit], i32);
    let first = |rw: &Rewriter<'_>, value: ValueId| rw.body.defining_op(value);
    let (Some(compares), Some(counts)) = (first(rw, same), first(rw, bits[0])) else {
        return false;
    };
    let rest = rw.split_block(next);
    let counted = rw.split_block(counts);
    let compared = rw.split_block(compares);
    let answer = rw.add_block_arg(rest, i32);
    let go = |value: ValueId| NewOp::new("vm.br").operand(value).successor(rest).loc(loc);
    rw.insert(InsertPoint::End(counted), go(few));
    rw.insert(InsertPoint::End(compared), go(same));
    let branch = NewOp::new("vm.cond_br")
        .operand(apart)
        .attr("operandSegmentSizes", Attr::i32_array(&[1, 0, 0]))
        .successor(compared)
        .successor(counted);
    rw.insert(InsertPoint::End(block), branch.loc(loc));
    rw.replace(op, &[answer]);
    true
}
