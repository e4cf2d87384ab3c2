//! `iree-hal-conversion`: what is done on streams is done with devices of the runtime.
//!
//! The patterns see one symbol. What they need from others is brought to them: the module's default
//! affinity, and before each op that runs an entry point a copy of its declaration.

use tegula_ir::{Attr, Body, InsertPoint, Module, OpId, Type};
use tegula_pass::{Changed, Failed, PassCx, PassResult};
use tegula_rewrite::IrMapping;

use crate::executable::{Entry, children};
use crate::rewrites::DEFAULT_AFFINITY;

/// The attribute of a copied entry point that names it in full.
const ENTRY: &str = "hal.entry_point";

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let default = module.attrs.get(DEFAULT_AFFINITY);
    let mut changed = Changed::when(default.is_some());
    for at in 0..module.bodies.len() {
        let mut body = std::mem::take(&mut module.bodies[at]);
        let converted = convert(cx, module, &mut body, default);
        module.bodies[at] = body;
        changed |= converted?;
    }
    for body in &mut module.bodies {
        changed |= strip(cx, body);
    }
    module.set_attr(DEFAULT_AFFINITY, None);
    Ok(changed)
}

/// Converts one symbol.
fn convert(
    cx: &mut PassCx<'_>,
    module: &Module,
    body: &mut Body,
    default: Option<Attr>,
) -> PassResult {
    let Some(root) = body.root().filter(|&root| !body.is(root, "hal.executable")) else {
        return Ok(Changed::No);
    };
    bring_entries(cx, module, body)?;
    if let Some(default) = default {
        body.set_attr(root, DEFAULT_AFFINITY, default);
    }
    let converted = cx.patterns_of_pass(body, root);
    if let (Some(_), Some(root)) = (default, body.root()) {
        body.remove_attr(root, DEFAULT_AFFINITY);
    }
    converted
}

/// Puts a copy of each entry point before what runs it.
fn bring_entries(cx: &mut PassCx<'_>, module: &Module, body: &mut Body) -> Result<(), Failed> {
    let ops: Vec<OpId> = body.walk_all().collect();
    for op in ops {
        let reference = match body.name(op).as_str() {
            "stream.cmd.dispatch" => {
                match body.attr(op, "entry_points").and_then(Attr::as_array).unwrap_or(&[]) {
                    &[one] => Some(one),
                    several => {
                        let message = format!("the dispatch has {} entry points", several.len());
                        return Err(cx.error(body, op, "several-entries", message));
                    }
                }
            }
            "hal.executable.calculate_workgroups" => body.attr(op, "entry_point"),
            _ => None,
        };
        let Some(reference) = reference else { continue };
        let Some(entry) = Entry::find(module, reference) else {
            let message = format!("no executable has the entry point {reference}");
            return Err(cx.error(body, op, "no-entry", message));
        };
        bring(cx, &module.bodies[entry.executable], body, op, &entry)?;
    }
    Ok(())
}

/// Puts a copy of an entry point before what runs it, with a parameter for each value of the
/// workload.
fn bring(
    cx: &mut PassCx<'_>,
    executable: &Body,
    body: &mut Body,
    user: OpId,
    entry: &Entry,
) -> Result<(), Failed> {
    let mut rw = cx.rewriter(body);
    let at = InsertPoint::Before(user);
    let copy = rw.clone_from(executable, entry.export.op, at, &mut IrMapping::new());
    let copy = copy.map_err(|u| cx.error(executable, u.user, "not-isolated", u.to_string()))?;
    let mut rw = cx.rewriter(body);
    rw.set_attr(copy, ENTRY, Attr::symbol_path(&entry.path));
    let Some(count) = rw.body.region_entry(copy, 0) else {
        let message = "the entry point does not say how many workgroups it needs";
        return Err(cx.error(executable, entry.export.op, "no-count", message));
    };
    let workload = cx.registry.operands_of(rw.body, user, "workload").len();
    for _ in rw.body.block_args(count).len()..=workload {
        rw.add_block_arg(count, Type::index());
    }
    Ok(())
}

/// Takes from entry points what only conversion asks for.
fn strip(cx: &PassCx<'_>, body: &mut Body) -> Changed {
    let Some(root) = body.root().filter(|&root| body.is(root, "hal.executable")) else {
        return Changed::No;
    };
    let variants = children(body, root, "hal.executable.variant");
    let exports = variants.flat_map(|variant| children(body, variant, "hal.executable.export"));
    let exports: Vec<OpId> = exports.collect();
    let mut changed = Changed::No;
    let mut rw = cx.rewriter(body);
    for export in exports {
        let regions = rw.body.regions(export).to_vec();
        let blocks: Vec<_> = regions.iter().flat_map(|&region| rw.body.blocks(region)).collect();
        for block in blocks {
            rw.erase_block(block);
            changed = Changed::Yes;
        }
        changed |= Changed::when(rw.remove_attr(export, "condition_fallback").is_some());
    }
    changed
}
