//! `iree-hal-prune-executables`: what of private executables nothing refers to goes.

use std::collections::{BTreeMap, BTreeSet};

use tegula_dialect_util::references::each_in_body;
use tegula_ir::{Attr, Body, Module, OpId, Registry};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use crate::executable::children;

const EXECUTABLE: &str = "hal.executable";
const VARIANT: &str = "hal.executable.variant";
const EXPORT: &str = "hal.executable.export";

/// The names that lead to a symbol, outermost first.
type Names = Vec<&'static str>;

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let used = used(module);
    let mut changed = Changed::No;
    for body in &mut module.bodies {
        let Some(root) = body.root().filter(|&root| body.is(root, EXECUTABLE)) else { continue };
        let visibility = body.attr(root, "sym_visibility").and_then(Attr::as_str);
        if visibility == Some("private") {
            changed |= prune(cx.registry, body, root, &used);
        }
        if body.root().is_some() {
            changed |= number(cx.registry, body, root);
        }
    }
    module.bodies.retain(|body| body.root().is_some());
    Ok(changed)
}

/// What is referred to, and what is around it.
fn used(module: &Module) -> BTreeSet<Names> {
    let mut used = BTreeSet::new();
    for body in &module.bodies {
        let Some(root) = body.root() else { continue };
        each_in_body(body, root, &mut |op, path| {
            // What the parts of an executable say of each other does not keep them.
            if ![EXECUTABLE, VARIANT, EXPORT].contains(&body.name(op).as_str()) {
                let names: Names = path.names().collect();
                used.extend((1..=names.len()).map(|end| names[..end].to_vec()));
            }
        });
    }
    used
}

fn name(body: &Body, op: OpId) -> &'static str {
    body.symbol_name(op).unwrap_or_default()
}

/// Removes exports, then variants, then the executable.
fn prune(registry: &Registry, body: &mut Body, root: OpId, used: &BTreeSet<Names>) -> Changed {
    let executable = name(body, root);
    let variants: Vec<OpId> = children(body, root, VARIANT).collect();
    let mut gone = Vec::new();
    for &variant in &variants {
        let exports: Vec<OpId> = children(body, variant, EXPORT).collect();
        let path = |export: &'static str| vec![executable, name(body, variant), export];
        // What takes over where the condition of another one does not hold is used like it.
        let mut instead: BTreeMap<&str, Vec<&'static str>> = BTreeMap::new();
        for &export in &exports {
            let other = body.attr(export, "condition_fallback").and_then(Attr::as_symbol_root);
            if let Some(other) = other {
                instead.entry(other.as_str()).or_default().push(name(body, export));
            }
        }
        let is_kept = |export: &'static str| {
            let mut seen = BTreeSet::new();
            let mut pending = vec![export];
            while let Some(one) = pending.pop() {
                if used.contains(&path(one)) {
                    return true;
                }
                if seen.insert(one) {
                    pending.extend(instead.get(one).into_iter().flatten());
                }
            }
            false
        };
        gone.extend(exports.into_iter().filter(|&export| !is_kept(name(body, export))));
    }
    let unused = |&variant: &OpId| !used.contains(&vec![executable, name(body, variant)]);
    gone.extend(variants.into_iter().filter(unused));
    if !used.contains(&vec![executable]) {
        gone.push(root);
    }
    let mut rw = Rewriter::new(body, registry);
    for &op in &gone {
        rw.erase(op);
    }
    Changed::when(!gone.is_empty())
}

/// Numbers the exports of each variant in order.
fn number(registry: &Registry, body: &mut Body, root: OpId) -> Changed {
    let variants: Vec<OpId> = children(body, root, VARIANT).collect();
    let mut changed = Changed::No;
    for variant in variants {
        let exports: Vec<OpId> = children(body, variant, EXPORT).collect();
        for (ordinal, export) in (0..).zip(exports) {
            let ordinal = Attr::index(ordinal);
            if body.attr(export, "ordinal") != Some(ordinal) {
                Rewriter::new(body, registry).set_attr(export, "ordinal", ordinal);
                changed = Changed::Yes;
            }
        }
    }
    changed
}
