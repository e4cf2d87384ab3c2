//! Which bytes of which resources an op reads and writes, as its definition says.

use tegula_ir::{Body, OpId, Registry, ValueId};
use tegula_rewrite::tied_operand;

use super::support::is_resource;

/// What an op does to a resource that it uses or makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) resource: ValueId,
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// The first byte; the first of all where there is none.
    pub(super) start: Option<ValueId>,
    /// Behind the last byte; that of all where there is none.
    pub(super) end: Option<ValueId>,
}

impl Access {
    /// Whether two accesses may be to the same bytes of one resource.
    pub(super) fn may_overlap(&self, other: &Access) -> bool {
        let meet = |a: Option<ValueId>, b: Option<ValueId>| a.is_some() && a == b;
        self.resource == other.resource
            && !meet(self.end, other.start)
            && !meet(self.start, other.end)
    }
}

/// All accesses of an op; none where it does not say.
pub(super) fn accesses(registry: &Registry, body: &Body, op: OpId) -> Option<Vec<Access>> {
    let def = registry.op(body.name(op))?.def();
    let args = |name: &'static str| {
        def.traits.iter().filter(move |t| t.name == name).map(|t| t.args.as_ref())
    };
    let groups = |group: &str| {
        let operands = registry.operands_of(body, op, group);
        let results = registry.results_of(body, op, group);
        operands.into_iter().chain(results).filter(|&v| is_resource(body, v)).collect::<Vec<_>>()
    };
    let span = |group: &str, at: usize| {
        let declared = args("ResourceSpan").find(|args| args[0] == group);
        let bound = |which: usize| {
            let values = registry.operands_of(body, op, &declared?[which]);
            values.get(at).copied()
        };
        (bound(1), bound(2))
    };
    let ties: Vec<(ValueId, ValueId)> = (body.results(op))
        .filter_map(|result| {
            let (_, operand) = tied_operand(registry, body, result)?;
            Some((result, body.operand(op, operand)))
        })
        .collect();
    let writes_ties = args("TiedUsage").next().is_some();
    let mut all: Vec<Access> = Vec::new();
    for usage in args("ResourceUsage") {
        let [group, how @ ..] = usage else { continue };
        if how.iter().any(|how| how.starts_with("staging")) {
            return None;
        }
        for (at, resource) in groups(group).into_iter().enumerate() {
            let (start, end) = span(group, at);
            let tied = writes_ties && ties.iter().any(|(_, operand)| *operand == resource);
            if writes_ties && ties.iter().any(|(result, _)| *result == resource) {
                continue;
            }
            let access = Access {
                resource,
                reads: how.iter().any(|how| how.ends_with("_read")),
                writes: tied || how.iter().any(|how| how.ends_with("_write")),
                start,
                end,
            };
            all.push(access);
            if tied {
                let results = ties.iter().filter(|(_, operand)| *operand == resource);
                all.extend(results.map(|(result, _)| Access { resource: *result, ..access }));
            }
        }
    }
    (!all.is_empty()).then_some(all)
}
