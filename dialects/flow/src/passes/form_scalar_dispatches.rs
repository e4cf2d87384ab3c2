//! `iree-dispatch-creation-form-scalar-dispatches`: computations on single elements share regions
//! that run once.

use rustc_hash::FxHashSet;
use tegula_ir::{Attr, BlockId, Body, InsertPoint, NewOp, OpId, Type, TypeData};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use crate::kinds::is_cloned;
use crate::regions::{move_preceding, operands_below, sorted, wrap};

/// The largest tensor that counts as a single element.
const MOST_ELEMENTS: i64 = 1;

/// Runs the pass on one function.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let Some(region) = body.region(root, 0) else { return Ok(Changed::No) };
    let blocks = std::iter::successors(body.last_block(region), |&b| body.prev_block(b));
    let groups: Vec<Group> = blocks.flat_map(|block| groups(body, block)).collect();
    let mut rewriter = cx.rewriter(body);
    for group in &groups {
        form(&mut rewriter, group);
    }
    Ok(Changed::when(!groups.is_empty()))
}

/// What becomes one region in the place of its last op.
struct Group {
    last: OpId,
    others: Vec<OpId>,
}

/// The groups of a block, the last one first. A group ends before what something needs that stays
/// outside and comes before the group's last op.
fn groups(body: &Body, block: BlockId) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut open = false;
    let mut needed: FxHashSet<OpId> = FxHashSet::default();
    let ops: Vec<OpId> = body.block_ops(block).collect();
    for &op in ops.iter().rev() {
        if open && needed.contains(&op) {
            open = false;
        }
        let joined = groups.last_mut().filter(|_| open);
        match (is_scalar(body, op), joined) {
            (true, Some(group)) => group.others.push(op),
            (true, None) => {
                groups.push(Group { last: op, others: Vec::new() });
                needed.clear();
                open = true;
            }
            (false, Some(_)) => {
                let makers = operands_below(body, op).into_iter();
                needed.extend(makers.filter_map(|value| body.defining_op(value)));
            }
            (false, None) => {}
        }
    }
    groups
}

/// Whether the op computes tensors of single elements only, from nothing larger, and more than each
/// user could by itself.
fn is_scalar(body: &Body, op: OpId) -> bool {
    let name = body.name(op);
    let computes = match name.dialect() {
        "linalg" => true,
        "tensor" => !matches!(
            name.as_str(),
            "tensor.cast" | "tensor.collapse_shape" | "tensor.empty" | "tensor.expand_shape"
        ),
        _ => false,
    };
    let is_tensor = |ty: Type| matches!(ty.data(), TypeData::RankedTensor { .. });
    let mut values = body.operands(op).chain(body.results(op));
    computes
        && values.all(|value| is_single(body.ty(value)))
        && body.results(op).all(|value| is_tensor(body.ty(value)))
        && !is_cloned(body, op)
}

fn is_single(ty: Type) -> bool {
    match ty.data() {
        TypeData::Index | TypeData::Integer { .. } | TypeData::Float(_) => true,
        TypeData::RankedTensor { .. } => ty.num_elements().is_some_and(|all| all <= MOST_ELEMENTS),
        _ => false,
    }
}

fn form(rewriter: &mut Rewriter<'_>, group: &Group) {
    let loc = rewriter.body.loc(group.last);
    let mut region = wrap(rewriter, group.last);
    for &op in sorted(rewriter.body, group.others.clone()).iter().rev() {
        region = move_preceding(rewriter, op, region);
    }
    let Some(count) = rewriter.body.region(region, 1) else { return };
    let block = rewriter.append_block(count, &[]);
    let one = NewOp::new("arith.constant").attr("value", Attr::index(1)).result(Type::index());
    let one = rewriter.insert_value(InsertPoint::End(block), one.loc(loc));
    let counts = NewOp::new("flow.return").operands([one; 3]).loc(loc);
    rewriter.insert(InsertPoint::End(block), counts);
}
