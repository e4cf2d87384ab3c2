//! What the stream passes share: resources, their sizes and lifetimes.

use tegula_dialect_util::constants::constant_index;
use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Registry, Type, ValueId, ValueKind};
use tegula_rewrite::{Rewriter, result_size, tied_operand};
use tegula_schema::Arity;

/// The type of a resource of that lifetime (`*`, `external`, `transient`, …).
pub(crate) fn resource_type(lifetime: &str) -> Type {
    Type::dialect("stream.resource", &[Attr::string(lifetime)])
}

/// The lifetime of a resource type; none for other types.
pub(crate) fn lifetime(ty: Type) -> Option<&'static str> {
    ty.dialect_params("stream.resource")?.first()?.as_str()
}

/// Whether the value is a resource.
pub(crate) fn is_resource(body: &Body, value: ValueId) -> bool {
    lifetime(body.ty(value)).is_some()
}

/// `!stream.timepoint`
pub(crate) fn timepoint_type() -> Type {
    Type::dialect("stream.timepoint", &[])
}

/// The size in bytes of a resource, as the op says that makes it or brings it into a region.
pub(crate) fn size_of(registry: &Registry, body: &Body, resource: ValueId) -> Option<ValueId> {
    match body.definition(resource) {
        ValueKind::Result(..) => result_size(registry, body, resource),
        ValueKind::Arg(block, index) => {
            let op = body.block_parent_op(block)?;
            registry.operands_of(body, op, "resource_operand_sizes").get(index as usize).copied()
        }
    }
}

/// The size in bytes of a resource at a place, which is asked there where nothing stands for it.
pub(crate) fn size_at(rw: &mut Rewriter<'_>, resource: ValueId, at: InsertPoint) -> ValueId {
    let next = op_at(rw.body, at);
    let known = next.and_then(|op| tegula_rewrite::size_of(rw.registry, rw.body, resource, op));
    known.unwrap_or_else(|| {
        let query = NewOp::new("stream.resource.size").operand(resource);
        rw.insert_value(at, query.result(Type::index()))
    })
}

/// The op behind a place.
fn op_at(body: &Body, at: InsertPoint) -> Option<OpId> {
    match at {
        InsertPoint::Before(op) => Some(op),
        InsertPoint::After(op) => body.next_op(op),
        InsertPoint::Start(block) => body.first_op(block),
        InsertPoint::End(block) => body.last_op(block),
    }
}

/// The sizes of resources; none when one of them is not known.
pub(crate) fn sizes_of(
    registry: &Registry,
    body: &Body,
    resources: &[ValueId],
) -> Option<Vec<ValueId>> {
    resources.iter().map(|&r| size_of(registry, body, r)).collect()
}

/// The operand group of the timepoints that an op waits for.
pub(crate) fn await_group<'a>(registry: &'a Registry, body: &Body, op: OpId) -> Option<&'a str> {
    let def = registry.op(body.name(op))?.def();
    let declared = def.traits.iter().find(|t| t.name == "TimelineOpInterface")?;
    let group = declared.args.first()?;
    def.operand_index(group).map(|_| group.as_ref())
}

/// Lets an op wait for timepoints: for each, where it takes several, or else for all at once.
pub(crate) fn set_awaits(rw: &mut Rewriter<'_>, op: OpId, group: &str, timepoints: &[ValueId]) {
    let registry = rw.registry;
    let limit = rw.body.attr(op, "await_limit").and_then(Attr::as_int);
    let takes_several = registry.op(rw.body.name(op)).is_some_and(|info| {
        let def = info.def().operands.iter().find(|operand| operand.name == group);
        def.is_some_and(|def| def.arity == Arity::Variadic)
    });
    let fits = limit.is_none_or(|limit| limit < 0 || timepoints.len() as i64 <= limit);
    let new = match takes_several && fits {
        true => timepoints.to_vec(),
        false => join_timepoints(rw, InsertPoint::Before(op), timepoints).into_iter().collect(),
    };
    rw.modify(op, |body| registry.set_operands_of(body, op, group, &new));
}

/// For each result the index of the operand, among all of the op's operands, whose storage it
/// shares.
pub(crate) fn tied_operands(registry: &Registry, body: &Body, op: OpId) -> Vec<Option<usize>> {
    let tied = |result| Some(tied_operand(registry, body, result)?.1);
    body.results(op).map(tied).collect()
}

/// Ops of the anchor's own regions with that name, nested ones included, in layout order.
pub(crate) fn ops_named(body: &Body, root: OpId, name: &str) -> Vec<OpId> {
    body.walk(root).filter(|&op| body.is(op, name)).collect()
}

/// Makes an index constant.
pub(crate) fn index_constant(rw: &mut Rewriter<'_>, at: InsertPoint, value: i64) -> ValueId {
    rw.insert_value(
        at,
        NewOp::new("arith.constant").attr("value", Attr::index(value)).result(Type::index()),
    )
}

/// `a + b`, folded in the order of the op's own folds: nothing added is `a` itself, two constants are
/// a new one.
pub(crate) fn add_index(rw: &mut Rewriter<'_>, at: InsertPoint, a: ValueId, b: ValueId) -> ValueId {
    match (constant_index(rw.body, a), constant_index(rw.body, b)) {
        (_, Some(0)) => a,
        (Some(x), Some(y)) if x.checked_add(y).is_some() => index_constant(rw, at, x + y),
        (Some(0), _) => b,
        _ => rw
            .insert_value(at, NewOp::new("arith.addi").operand(a).operand(b).result(Type::index())),
    }
}

/// `stream.timepoint.join` of several timepoints; one needs no join, none gives nothing.
pub(crate) fn join_timepoints(
    rw: &mut Rewriter<'_>,
    at: InsertPoint,
    timepoints: &[ValueId],
) -> Option<ValueId> {
    match timepoints {
        [] => None,
        [one] => Some(*one),
        many => Some(
            rw.insert_value(
                at,
                NewOp::new("stream.timepoint.join")
                    .operands(many.iter().copied())
                    .result(timepoint_type()),
            ),
        ),
    }
}
