//! `iree-llvmcpu-link-executables`: executables for the same targets become one.

use indexmap::IndexSet;
use tegula_dialect_util::references::{redirect, renamed};
use tegula_ir::{Attr, AttrData, Body, Ident, LocData, Module, Names, OpId};
use tegula_pass::{Changed, PassCx, PassResult};

use super::linked::Linked;
use super::materialize_interfaces::variant_name;
use crate::executable::children;

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let mut changed = settle_names(cx, module);
    let all: Vec<usize> = executables(module, |_, _| true);
    for backend in targets(module, &all).into_iter().filter_map(backend_of).collect::<IndexSet<_>>()
    {
        for lazy in [false, true] {
            changed |= link(cx, module, backend, lazy)?;
        }
    }
    Ok(changed)
}

/// Gives symbols that are named by an identity the names that text has for them. Numbers follow
/// from the order of the executables, which is lost when they become one, and what is loaded is
/// asked for names.
fn settle_names(cx: &PassCx<'_>, module: &mut Module) -> Changed {
    let symbols = module.bodies.iter().filter_map(|body| body.symbol_name(body.root()?));
    let names = Names::assign(symbols.collect::<Vec<_>>());
    let settled = |name: Ident| Ident::of(&names.resolve(name.as_str()));
    let mut changed = Changed::No;
    for body in &mut module.bodies {
        let mut rw = cx.rewriter(body);
        changed |= redirect(&mut rw, &|path| renamed(path, &|name| Some(settled(name))));
        let ops: Vec<OpId> = rw.body.walk_all().collect();
        for op in ops {
            let name = rw.body.symbol_name(op).unwrap_or_default();
            let new = settled(Ident::of(name)).as_str();
            if new != name {
                rw.set_attr(op, "sym_name", Attr::string(new));
                changed = Changed::Yes;
            }
        }
    }
    changed
}

fn backend_of(target: Attr) -> Option<&'static str> {
    target.dialect_params("hal.executable.target")?.first()?.as_str()
}

fn executables(module: &Module, is_meant: impl Fn(&Body, OpId) -> bool) -> Vec<usize> {
    let all = module.bodies.iter().enumerate();
    let meant = all.filter(|(_, body)| {
        body.root().is_some_and(|root| body.is(root, "hal.executable") && is_meant(body, root))
    });
    meant.map(|(at, _)| at).collect()
}

/// What executables have code for, each once.
fn targets(module: &Module, executables: &[usize]) -> IndexSet<Attr> {
    let mut targets = IndexSet::new();
    for &at in executables {
        let body = &module.bodies[at];
        let variants = body.root().into_iter().flat_map(|root| {
            children(body, root, "hal.executable.variant").filter_map(|v| body.attr(v, "target"))
        });
        targets.extend(variants);
    }
    targets
}

/// Links what is there for a backend; a single executable stays as it is.
fn link(cx: &mut PassCx<'_>, module: &mut Module, backend: &str, lazy: bool) -> PassResult {
    let sources = executables(module, |body, root| {
        let mut variants = children(body, root, "hal.executable.variant");
        body.attr(root, "lazy").is_some() == lazy
            && variants.any(|v| body.attr(v, "target").and_then(backend_of) == Some(backend))
    });
    let [first, _, ..] = sources[..] else { return Ok(Changed::No) };
    let name = unique(module, &format!("{}_linked", module_name(cx, module)));
    let mut linked = Linked::new(cx.registry, &module.bodies[first], &name);
    let targets = targets(module, &sources);
    for (index, &target) in targets.iter().enumerate() {
        let variant = variant_name(target).filter(|_| backend_of(target) == Some(backend));
        let Some(variant) = variant else { continue };
        let variant = match targets.len() {
            1 => variant,
            _ => format!("{variant}_{index}"),
        };
        let sources = sources.iter().copied();
        linked.add_variant(cx, &mut module.bodies, sources, target, &variant)?;
    }
    let (body, moved) = linked.finish();
    if moved.is_empty() {
        return Ok(Changed::No);
    }
    module.bodies.retain(|body| body.root().is_some());
    module.bodies.insert(0, body);
    for body in &mut module.bodies {
        redirect(&mut cx.rewriter(body), &|path| moved.get(&path).copied());
    }
    Ok(Changed::Yes)
}

/// The setting that holds the path of the program's file.
const INPUT: &str = "input-file";

/// What the program is called: the module's name, or that of the file that it comes from.
fn module_name(cx: &PassCx<'_>, module: &Module) -> String {
    let named = module.name.map(|name| name.as_str().to_owned());
    let named = named.or_else(|| module.loc.and_then(file_of));
    named.or_else(|| plain_stem(cx.setting(INPUT)?)).unwrap_or_else(|| "module".to_owned())
}

/// The name of a file as a symbol; none when it has no name.
fn plain_stem(path: &str) -> Option<String> {
    let stem = std::path::Path::new(path).file_stem()?.to_string_lossy();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    Some(stem.chars().map(plain).collect())
}

/// The name of the first file in a location, as a symbol.
fn file_of(loc: Attr) -> Option<String> {
    let AttrData::Loc(loc) = loc.data() else { return None };
    match loc {
        LocData::File { file, .. } => plain_stem(file.as_str()),
        LocData::Name(_, child) => file_of(*child),
        LocData::CallSite(callee, caller) => file_of(*callee).or_else(|| file_of(*caller)),
        LocData::Fused(_, all) => all.iter().find_map(|&loc| file_of(loc)),
        LocData::Unknown | LocData::Item { .. } => None,
    }
}

/// A name like this one that no symbol of the module has.
fn unique(module: &Module, name: &str) -> String {
    let mut tried = name.to_owned();
    let mut number = 0;
    while module.symbol(&tried).is_some() {
        tried = format!("{name}_{number}");
        number += 1;
    }
    tried
}
