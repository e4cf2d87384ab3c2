//! `iree-dispatch-creation-collapse-dimensions`: what reshapes at the border of a region leaves it.

use tegula_ir::{Body, InsertPoint, OpId, Type, TypeData, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

const REGION: &str = "flow.dispatch.region";
const EXPAND: &str = "tensor.expand_shape";
const COLLAPSE: &str = "tensor.collapse_shape";

/// Runs the pass on one top-level op.
pub fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let regions: Vec<OpId> = body.walk(root).filter(|&op| body.is(op, REGION)).collect();
    for &region in &regions {
        let mut rw = cx.rewriter(body);
        hoist_leaves(&mut rw, region);
        if hoist_results(&mut rw, region).is_none() {
            let message = "the region does not end in a return";
            return Err(cx.error(body, region, "dispatch-region", message));
        }
    }
    Ok(Changed::when(!regions.is_empty()))
}

/// Reshapes of what comes from outside of a region go before it.
fn hoist_leaves(rw: &mut Rewriter<'_>, region: OpId) {
    let is_inside = |body: &Body, value: ValueId| {
        body.defining_op(value).is_some_and(|op| body.walk(region).any(|inner| inner == op))
    };
    let body = &*rw.body;
    let leaves = body.walk(region).filter(|&op| {
        (body.is(op, EXPAND) || body.is(op, COLLAPSE))
            && body.operands(op).all(|value| !is_inside(body, value))
    });
    for leaf in leaves.collect::<Vec<_>>() {
        rw.move_op(leaf, InsertPoint::Before(region));
    }
}

/// Expansions of what a region gives go behind it. The region is made anew, as its results have other
/// types then.
fn hoist_results(rw: &mut Rewriter<'_>, region: OpId) -> Option<()> {
    let body = &*rw.body;
    let end = body.region_entry(region, 0).and_then(|block| body.last_op(block))?;
    let end = Some(end).filter(|&op| body.is(op, "flow.return"))?;
    let given: Vec<ValueId> = body.operands(end).collect();
    let expansions: Vec<Option<OpId>> = given
        .iter()
        .map(|&value| body.defining_op(value).filter(|&op| is_static_expansion(body, op)))
        .collect();
    let values: Vec<ValueId> = (given.iter().zip(&expansions))
        .map(|(&value, expansion)| expansion.map_or(value, |op| body.operand(op, 0)))
        .collect();
    let types: Vec<Type> = values.iter().map(|&value| body.ty(value)).collect();
    let group = |name: &str| rw.registry.operands_of(body, region, name);
    let new = (rw.registry.new_op(REGION))
        .operands("result_dims", group("result_dims"))
        .operands("workload", group("workload"))
        .results("result", types)
        .regions(2)
        .loc(body.loc(region))
        .build();
    let new = rw.insert(InsertPoint::Before(region), new);
    rw.set_operands(end, &values);
    for index in 0..2 {
        let (from, to) = (rw.body.region(region, index)?, rw.body.region(new, index)?);
        rw.take_region(from, to);
    }
    let results: Vec<ValueId> = rw.body.results(region).collect();
    for (index, (old, expansion)) in results.into_iter().zip(expansions).enumerate() {
        let mut value = rw.body.result(new, index);
        if let Some(expansion) = expansion {
            let made = rw.clone_op(expansion, InsertPoint::Before(region), &mut Default::default());
            rw.set_operand(made, 0, value);
            value = rw.body.result(made, 0);
        }
        rw.replace_all_uses(old, value);
    }
    rw.erase(region);
    Some(())
}

/// Whether an op splits dimensions into static ones: then so are those that it splits.
fn is_static_expansion(body: &Body, op: OpId) -> bool {
    let is_static = |value: ValueId| match body.ty(value).data() {
        TypeData::RankedTensor { shape, .. } => shape.iter().all(|&size| size >= 0),
        _ => false,
    };
    body.is(op, EXPAND) && is_static(body.result(op, 0)) && is_static(body.operand(op, 0))
}
