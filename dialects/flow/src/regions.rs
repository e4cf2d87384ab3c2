//! Dispatch regions: ops enter them from before and after, and what they give changes with them.

use indexmap::IndexSet;
use tegula_ir::{BlockId, Body, InsertPoint, OpId, Registry, Type, ValueId};
use tegula_rewrite::{Rewriter, captures};

use crate::sizes::{Asked, dynamic_dims, dynamic_sizes, materialize};

/// The name of the ops.
pub const REGION: &str = "flow.dispatch.region";

/// One result of a region.
#[derive(Clone, Debug)]
pub struct Given {
    /// The value that stands for it outside; the one inside where nothing does yet.
    pub outer: ValueId,
    /// The value inside.
    pub inner: ValueId,
    /// The dynamic dimensions of its type.
    pub dims: Vec<ValueId>,
}

/// The block of a region, and the op that ends it.
pub fn block_of(body: &Body, region: OpId) -> Option<(BlockId, OpId)> {
    let block = body.region_entry(region, 0)?;
    Some((block, body.last_op(block)?))
}

/// The results of a region.
pub fn results_of(registry: &Registry, body: &Body, region: OpId) -> Vec<Given> {
    let Some((_, exit)) = block_of(body, region) else { return Vec::new() };
    let mut dims = registry.operands_of(body, region, "result_dims").into_iter();
    let given = body.results(region).zip(body.operands(exit)).map(|(outer, inner)| {
        let dims = dims.by_ref().take(dynamic_dims(body.ty(outer))).collect();
        Given { outer, inner, dims }
    });
    given.collect()
}

/// Whether an op is in a dispatch.
pub fn in_dispatch(body: &Body, op: OpId) -> bool {
    let mut around = std::iter::successors(body.parent_op(op), |&op| body.parent_op(op));
    around.any(|op| body.name(op).as_str().starts_with("flow.dispatch."))
}

/// The innermost dispatch region around an op.
pub fn region_around(body: &Body, op: OpId) -> Option<OpId> {
    let mut around = std::iter::successors(body.parent_op(op), |&op| body.parent_op(op));
    around.find(|&op| body.is(op, REGION))
}

/// Makes a region of these results out of another, which goes away.
pub fn rebuild(rewriter: &mut Rewriter<'_>, region: OpId, given: &[Given]) -> OpId {
    let registry = rewriter.registry;
    let workload = registry.operands_of(rewriter.body, region, "workload");
    let types: Vec<Type> = given.iter().map(|given| rewriter.body.ty(given.inner)).collect();
    let new = registry
        .new_op(REGION)
        .operands("result_dims", given.iter().flat_map(|given| given.dims.iter().copied()))
        .operands("workload", workload)
        .results("result", types)
        .regions(2)
        .loc(rewriter.body.loc(region));
    let new = rewriter.insert(InsertPoint::Before(region), new.build());
    let attrs = rewriter.body.attr_entries(region).to_vec();
    let attrs = attrs.into_iter().filter(|(name, _)| name.as_str() != "operandSegmentSizes");
    rewriter.add_attrs(new, attrs);
    for number in 0..2 {
        let regions = (rewriter.body.region(region, number), rewriter.body.region(new, number));
        if let (Some(from), Some(to)) = regions {
            rewriter.take_region(from, to);
        }
    }
    for (number, given) in given.iter().enumerate() {
        let to = rewriter.body.result(new, number);
        let is_outside = |body: &Body, slot| !body.is_ancestor(new, body.use_owner(slot));
        rewriter.replace_uses_if(given.outer, to, is_outside);
    }
    if let Some((_, exit)) = block_of(rewriter.body, new) {
        let inner: Vec<ValueId> = given.iter().map(|given| given.inner).collect();
        rewriter.set_operands(exit, &inner);
    }
    rewriter.erase(region);
    new
}

/// Makes a region that gives nothing.
fn empty(rewriter: &mut Rewriter<'_>, at: InsertPoint, like: OpId) -> OpId {
    let new = rewriter.registry.new_op(REGION).regions(2).loc(rewriter.body.loc(like)).build();
    let region = rewriter.insert(at, new);
    if let Some(inner) = rewriter.body.region(region, 0) {
        let block = rewriter.append_block(inner, &[]);
        rewriter.insert(InsertPoint::End(block), rewriter.registry.new_op("flow.return").build());
    }
    region
}

/// Puts an op into a region of its own in its place.
pub fn wrap(rewriter: &mut Rewriter<'_>, op: OpId) -> OpId {
    let region = empty(rewriter, InsertPoint::After(op), op);
    move_preceding(rewriter, op, region)
}

/// Moves an op before a region into it. What is used outside is given, and what uses it outside
/// goes behind the region.
pub fn move_preceding(rewriter: &mut Rewriter<'_>, op: OpId, region: OpId) -> OpId {
    let mut given = results_of(rewriter.registry, rewriter.body, region);
    let results: Vec<ValueId> = rewriter.body.results(op).collect();
    for result in results {
        let body = &*rewriter.body;
        if body.users(result).any(|user| !body.is_ancestor(region, user)) {
            let dims = dims_of(rewriter, InsertPoint::Before(op), result);
            given.push(Given { outer: result, inner: result, dims });
        }
    }
    let late = users_between(rewriter.body, op, region);
    if let Some((block, _)) = block_of(rewriter.body, region) {
        rewriter.move_op(op, InsertPoint::Start(block));
    }
    let new = rebuild(rewriter, region, &given);
    for user in late.into_iter().rev() {
        rewriter.move_op(user, InsertPoint::After(new));
    }
    new
}

/// The ops before a region that use what an op makes, or what such ops make, in order.
fn users_between(body: &Body, op: OpId, region: OpId) -> Vec<OpId> {
    let Some(block) = body.parent_block(region) else { return Vec::new() };
    let mut found: IndexSet<OpId> = IndexSet::new();
    let mut open = vec![op];
    while let Some(op) = open.pop() {
        for user in body.results(op).flat_map(|result| body.users(result)) {
            let Some(user) = body.ancestor_in_block(block, user) else { continue };
            if user != region && body.is_before_in_block(user, region) && found.insert(user) {
                open.push(user);
            }
        }
    }
    in_order(body, found)
}

/// Ops of one block in the order of the block.
pub fn in_order(body: &Body, ops: impl IntoIterator<Item = OpId>) -> Vec<OpId> {
    let mut ops: Vec<OpId> = ops.into_iter().collect();
    ops.sort_by(|&a, &b| body.is_before_in_block(b, a).cmp(&body.is_before_in_block(a, b)));
    ops
}

/// Ops so that each comes after those that it needs, otherwise in order.
pub fn sorted(body: &Body, mut ops: Vec<OpId>) -> Vec<OpId> {
    let mut done = 0;
    while done < ops.len() {
        let before = done;
        let mut at = done;
        while at < ops.len() {
            let waits = |value| body.defining_op(value).is_some_and(|op| ops[done..].contains(&op));
            if !operands_below(body, ops[at]).into_iter().any(waits) {
                ops.swap(at, done);
                done += 1;
            }
            at += 1;
        }
        // Ops of one block don't need each other in a circle.
        if done == before {
            break;
        }
    }
    ops
}

/// Moves an op behind a region into it; the region gives what it makes.
pub fn move_following(rewriter: &mut Rewriter<'_>, op: OpId, region: OpId) -> OpId {
    for needed in needed_before(rewriter.body, op, region) {
        rewriter.move_op(needed, InsertPoint::Before(region));
    }
    let mut given = results_of(rewriter.registry, rewriter.body, region);
    let results: Vec<ValueId> = rewriter.body.results(op).collect();
    for result in results {
        let dims = dims_of(rewriter, InsertPoint::Before(region), result);
        given.push(Given { outer: result, inner: result, dims });
    }
    for known in &given {
        let in_op = |body: &Body, slot| body.is_ancestor(op, body.use_owner(slot));
        rewriter.replace_uses_if(known.outer, known.inner, in_op);
    }
    if let Some((_, exit)) = block_of(rewriter.body, region) {
        rewriter.move_op(op, InsertPoint::Before(exit));
    }
    rebuild(rewriter, region, &given)
}

/// The ops behind a region that an op needs, each after what it needs itself; those that need the
/// region are not among them.
fn needed_before(body: &Body, op: OpId, region: OpId) -> Vec<OpId> {
    let Some(block) = body.parent_block(region) else { return Vec::new() };
    let needs = |op: OpId| {
        let maker =
            |value| body.defining_op(value).and_then(|op| body.ancestor_in_block(block, op));
        let used = operands_below(body, op).into_iter().filter_map(maker);
        let mut needed: Vec<OpId> =
            used.filter(|&m| m != region && body.is_before_in_block(region, m)).collect();
        needed.reverse();
        needed
    };
    let mut found: IndexSet<OpId> = IndexSet::new();
    let mut open: Vec<(OpId, Vec<OpId>)> = vec![(op, needs(op))];
    while let Some((current, waiting)) = open.last_mut() {
        match waiting.pop() {
            Some(next) if found.contains(&next) => {}
            Some(next) => open.push((next, needs(next))),
            None => {
                found.insert(*current);
                open.pop();
            }
        }
    }
    found.shift_remove(&op);
    found.into_iter().collect()
}

/// What an op uses, in its regions, too.
pub fn operands_below(body: &Body, op: OpId) -> Vec<ValueId> {
    let mut used: Vec<ValueId> = body.operands(op).collect();
    used.extend(captures(body, op));
    used
}

/// The values from outside that the body of a region op uses, in the order of their first use, inner
/// ops first.
pub fn captured(body: &Body, region: OpId) -> Vec<ValueId> {
    captured_by(body, region, 0)
}

/// The same of any of its regions.
pub fn captured_by(body: &Body, region: OpId, index: usize) -> Vec<ValueId> {
    let mut found = Vec::new();
    let Some(block) = body.region_entry(region, index) else { return found };
    for op in body.post_order_of(block) {
        for value in body.operands(op) {
            let owner = body.defining_block(value).and_then(|b| body.block_parent_op(b));
            let inside = owner.is_some_and(|owner| body.is_ancestor(region, owner));
            if !inside && !found.contains(&value) {
                found.push(value);
            }
        }
    }
    found
}

/// Values that are the dynamic dimensions of a tensor.
pub fn dims_of(rewriter: &mut Rewriter<'_>, at: InsertPoint, value: ValueId) -> Vec<ValueId> {
    let sizes = dynamic_sizes(rewriter.registry, rewriter.body, value, Asked::All);
    sizes.iter().map(|size| materialize(rewriter, at, size)).collect()
}

/// Takes from a region what nothing uses.
pub fn drop_unused_results(rewriter: &mut Rewriter<'_>, region: OpId) -> OpId {
    let mut given = results_of(rewriter.registry, rewriter.body, region);
    let all = given.len();
    given.retain(|given| !rewriter.body.is_unused(given.outer));
    if given.len() == all { region } else { rebuild(rewriter, region, &given) }
}
