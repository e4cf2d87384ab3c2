//! `iree-stream-propagate-timepoints`: makes execution regions wait for the timepoints of the
//! resources that they use.
//!
//! A resource that was awaited on the host is used as it was before the await, and its timepoint
//! becomes something the region waits for; any other resource is ready at once. Resources don't
//! cross function boundaries without an await, so that the pass sees one body.

use indexmap::{IndexMap, IndexSet};
use tegula_ir::{Body, InsertPoint, NewOp, OpId, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use super::support::{join_timepoints, timepoint_type};

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let registry = cx.registry;
    let ops: Vec<OpId> = body.walk(root).collect();
    let mut awaited: IndexMap<ValueId, (ValueId, ValueId)> = IndexMap::new();
    let mut changed = Changed::No;
    for op in ops {
        if body.is(op, "stream.timepoint.await") && body.attr(op, "sync").is_none() {
            let Some(timepoint) = registry.operand_of(body, op, "await_timepoint") else {
                continue;
            };
            let sources = registry.operands_of(body, op, "resource_operands");
            for (source, result) in sources.into_iter().zip(body.results(op)) {
                awaited.insert(result, (source, timepoint));
            }
        } else if body.is(op, "stream.async.execute") {
            wait(&mut cx.rewriter(body), op, &awaited);
            changed = Changed::Yes;
        }
    }
    Ok(changed)
}

fn wait(rw: &mut Rewriter<'_>, execute: OpId, awaited: &IndexMap<ValueId, (ValueId, ValueId)>) {
    let registry = rw.registry;
    let mut timepoints: IndexSet<ValueId> = IndexSet::new();
    timepoints.extend(registry.operand_of(rw.body, execute, "await_timepoint"));
    let mut resources = registry.operands_of(rw.body, execute, "resource_operands");
    for resource in &mut resources {
        match awaited.get(resource) {
            Some(&(source, timepoint)) => {
                *resource = source;
                timepoints.insert(timepoint);
            }
            None => {
                let ready = rw.insert_value(
                    InsertPoint::Before(execute),
                    NewOp::new("stream.timepoint.immediate").result(timepoint_type()),
                );
                timepoints.insert(ready);
            }
        }
    }
    let timepoints: Vec<ValueId> = timepoints.into_iter().collect();
    let joined = join_timepoints(rw, InsertPoint::Before(execute), &timepoints);
    rw.modify(execute, |body| {
        registry.set_operands_of(body, execute, "resource_operands", &resources);
        registry.set_operands_of(body, execute, "await_timepoint", joined.as_slice());
    });
}
