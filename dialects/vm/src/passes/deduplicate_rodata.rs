//! `iree-vm-deduplicate-rodata`: the same data is in the module once.

use indexmap::IndexMap;
use tegula_ir::{Attr, Body, LocData, OpId};
use tegula_pass::{Changed, PassCx, PassResult};

use super::members_named;

/// The kind of data and its bytes.
type Key = (Option<Attr>, Option<Attr>);

pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, module: OpId) -> PassResult {
    let mut same: IndexMap<Key, Vec<OpId>> = IndexMap::new();
    for op in members_named(body, module, "vm.rodata") {
        if body.attr(op, "ordinal").is_some() {
            let message = "data has its number already, and its place with it";
            return Err(cx.error(body, op, "numbered-rodata", message));
        }
        same.entry((body.attr(op, "mime_type"), body.attr(op, "value"))).or_default().push(op);
    }
    let mut names = IndexMap::new();
    for ops in same.into_values().filter(|ops| ops.len() > 1) {
        let Some((&first, others)) = ops.split_first() else { continue };
        let Some(name) = body.symbol_name(first) else { continue };
        let alignments =
            ops.iter().filter_map(|&op| body.attr(op, "alignment").and_then(Attr::as_int));
        let alignment = alignments.max();
        let locs: Vec<Attr> = ops.iter().map(|&op| body.loc(op)).collect();
        let loc = LocData::fused(None, locs);
        let mut rw = cx.rewriter(body);
        rw.modify(first, |body| body.set_loc(first, loc));
        if let Some(alignment) = alignment {
            rw.set_attr(first, "alignment", Attr::i64(alignment));
        }
        for &other in others {
            names.extend(rw.body.symbol_name(other).map(|gone| (gone, Attr::symbol(name))));
            rw.erase(other);
        }
    }
    if names.is_empty() {
        return Ok(Changed::No);
    }
    let uses: Vec<OpId> =
        body.walk(module).filter(|&op| body.is(op, "vm.const.ref.rodata")).collect();
    for op in uses {
        let name = super::named(body, op, "rodata").and_then(|name| names.get(name));
        if let Some(&name) = name {
            cx.rewriter(body).set_attr(op, "rodata", name);
        }
    }
    Ok(Changed::Yes)
}
