//! What the stream passes share: resources, their sizes and lifetimes.

use tegula_dialect_util::constants::constant_index;
use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Registry, Type, ValueId, ValueKind};
use tegula_rewrite::{Rewriter, tied_operand};

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

/// The size in bytes of a resource, as the value that its definition gives for it.
pub(crate) fn size_of(registry: &Registry, body: &Body, resource: ValueId) -> Option<ValueId> {
    match body.definition(resource) {
        ValueKind::Result(op, _) => {
            for (results, sizes) in [
                ("results", "result_sizes"),
                ("result", "result_size"),
                ("result", "storage_size"),
                ("results", "resource_operand_sizes"),
                ("result", "resource_size"),
            ] {
                let results = registry.results_of(body, op, results);
                let Some(at) = results.iter().position(|&r| r == resource) else { continue };
                if let Some(&size) = registry.operands_of(body, op, sizes).get(at) {
                    return Some(size);
                }
            }
            None
        }
        ValueKind::Arg(block, index) => {
            let op = body.block_parent_op(block)?;
            registry.operands_of(body, op, "resource_operand_sizes").get(index as usize).copied()
        }
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

/// For each result the index of the operand, among all of the op's operands, whose storage it
/// shares: the op's attribute says so, which counts within the group of operands that can be tied,
/// or its definition.
pub(crate) fn tied_operands(registry: &Registry, body: &Body, op: OpId) -> Vec<Option<usize>> {
    let ties = body.attr(op, "tied_operands").and_then(Attr::as_array).unwrap_or(&[]);
    let group = ["resource_operands", "mixed_operands"]
        .iter()
        .find_map(|group| registry.operand_range(body, op, group))
        .unwrap_or(0..body.num_operands(op));
    (0..body.num_results(op))
        .map(|result| match ties.get(result) {
            Some(tie) => group.clone().nth(usize::try_from(tie.as_int()?).ok()?),
            None => Some(tied_operand(registry, body, body.result(op, result))?.1),
        })
        .collect()
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
