//! Device code that no target was chosen for: it gets a variant for each that may run it.

use std::collections::BTreeMap;

use tegula_dialect_stream::dispatch::Entry;
use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::IrMapping;

use super::materialize_interfaces::{add_executable, add_variant, variant_name};

/// The op that holds such code.
pub(super) const SOURCE: &str = "hal.executable.source";

/// The entry points of device code that no target was chosen for.
pub(super) fn source_entries(body: &Body, root: OpId) -> Vec<Entry> {
    let Some(executable) = body.symbol_name(root).filter(|_| body.is(root, SOURCE)) else {
        return Vec::new();
    };
    let exports = body.walk(root).filter(|&op| body.is(op, "hal.executable.export"));
    let named = exports.filter_map(|op| body.symbol_name(op));
    let entry =
        |export: &str| Entry { executable: executable.to_owned(), export: export.to_owned() };
    named.map(entry).collect()
}

/// Gives device code that no target was chosen for a variant for each target that its dispatches may
/// run on, or for all where others may dispatch it.
pub(super) fn assign_targets(
    cx: &mut PassCx<'_>,
    body: &mut Body,
    root: OpId,
    all: &[Attr],
    dispatched: Vec<Attr>,
) -> PassResult {
    if body.attr(root, "objects").is_some() {
        return Err(cx.error(body, root, "unsupported-objects", "has objects beside its code"));
    }
    let visibility = body.attr(root, "sym_visibility");
    let targets = match visibility.and_then(Attr::as_str) {
        Some("private") => dispatched,
        _ => all.to_vec(),
    };
    let targets: BTreeMap<String, Attr> =
        targets.into_iter().filter_map(|target| Some((variant_name(target)?, target))).collect();
    if targets.is_empty() {
        return Err(cx.error(
            body,
            root,
            "no-device",
            "is dispatched by nothing that has a device",
        ));
    }
    let Some(code) = body.region_entry(root, 0) else { return Ok(Changed::No) };
    let code = body.block_ops(code).filter(|&op| !body.is(op, "hal.executable.source_end"));
    let code: Vec<OpId> = code.collect();
    let rw = &mut cx.rewriter(body);
    let block = add_executable(rw, root, visibility);
    for (name, target) in targets {
        let inside = add_variant(rw, block, &name, target);
        for &op in &code {
            rw.clone_op(op, InsertPoint::End(inside), &mut IrMapping::new());
        }
        rw.insert(InsertPoint::End(inside), NewOp::new("hal.executable.variant_end"));
    }
    rw.insert(InsertPoint::End(block), NewOp::new("hal.executable_end"));
    rw.erase(root);
    Ok(Changed::Yes)
}
