//! Names of results that several dialects give alike.

use tegula_ir::{Attr, Body, OpId, Registry, ValueId};

/// The name of what an op `dispatch.workgroup.id`, `.count` or `.size` asks for.
pub fn dispatch_workgroup(
    _: &Registry,
    body: &Body,
    op: OpId,
    name: &mut dyn FnMut(ValueId, &str),
) {
    let what = body.name(op).as_str().rsplit('.').next().unwrap_or_default();
    if let Some(dimension) = body.attr(op, "dimension").and_then(Attr::as_int) {
        name(body.result(op, 0), &format!("workgroup_{what}_{dimension}"));
    }
}
