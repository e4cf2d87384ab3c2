//! Module passes on nested modules: the ops of the nested module become bodies of a module of
//! their own for as long as the pass runs.

use tegula_ir::{Attr, Body, InsertPoint, Module, OpId};
use tegula_rewrite::{IrMapping, clone_into};

use crate::{Changed, PassCx, PassResult};

/// Runs a module pass on a nested `builtin.module`.
pub(crate) fn run(
    cx: &mut PassCx<'_>,
    body: &mut Body,
    op: OpId,
    pass: fn(&mut PassCx<'_>, &mut Module) -> PassResult,
) -> PassResult {
    let Some(block) = body.region_entry(op, 0) else { return Ok(Changed::No) };
    let name = body.symbol_name(op);
    let entries = body.attr_entries(op).iter().copied().filter(|(n, _)| n.as_str() != "sym_name");
    let mut module = Module {
        name: name.map(tegula_ir::Ident::of),
        attrs: Attr::dict(entries),
        loc: Some(body.loc(op)),
        ..Module::default()
    };
    let ops: Vec<OpId> = body.block_ops(block).collect();
    for &inner in &ops {
        let mut single = Body::new();
        let at = InsertPoint::End(single.top_block());
        if let Err(unmapped) = clone_into(body, inner, &mut single, at, &mut IrMapping::new()) {
            return Err(cx.error(body, unmapped.user, "not-isolated", unmapped.to_string()));
        }
        module.bodies.push(single);
    }
    let changed = pass(cx, &mut module)?;
    if !changed.is_yes() {
        return Ok(changed);
    }
    for &inner in ops.iter().rev() {
        body.erase(inner);
    }
    for single in &module.bodies {
        for root in single.block_ops(single.top_block()) {
            let at = InsertPoint::End(block);
            if let Err(unmapped) = clone_into(single, root, body, at, &mut IrMapping::new()) {
                return Err(cx.error(single, unmapped.user, "not-isolated", unmapped.to_string()));
            }
        }
    }
    let name =
        module.name.map(|name| (tegula_ir::Ident::of("sym_name"), Attr::string(name.as_str())));
    let attrs = Attr::dict(module.attrs.as_dict().unwrap_or(&[]).iter().copied().chain(name));
    body.set_attrs(op, attrs);
    Ok(changed)
}
