//! `symbol-dce`: private symbols that nothing refers to are removed.

use std::collections::BTreeSet;

use tegula_ir::{Attr, AttrData, Body, Module, Type, TypeData};
use tegula_pass::{Changed, PassCx, PassResult};

/// Runs the pass on a module.
pub fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let mut uses: Vec<BTreeSet<&'static str>> = Vec::with_capacity(module.bodies.len());
    for body in &module.bodies {
        uses.push(references(body));
        cx.poll();
    }
    let mut pending: Vec<&'static str> = Vec::new();
    collect_attr(module.attrs, &mut |name| pending.push(name));
    let mut live = vec![false; module.bodies.len()];
    for (index, body) in module.bodies.iter().enumerate() {
        let private = body.root().is_some_and(|root| {
            body.attr(root, "sym_visibility").and_then(Attr::as_str) == Some("private")
                && body.symbol_name(root).is_some()
        });
        if !private {
            live[index] = true;
            pending.extend(&uses[index]);
        }
    }
    let mut seen: BTreeSet<&'static str> = BTreeSet::new();
    while let Some(name) = pending.pop() {
        if !seen.insert(name) {
            continue;
        }
        if let Some(index) = module.symbol_index(name)
            && !std::mem::replace(&mut live[index], true)
        {
            pending.extend(&uses[index]);
        }
    }
    let before = module.bodies.len();
    let mut keep = live.into_iter();
    module.bodies.retain(|_| keep.next().unwrap_or(true));
    Ok(Changed::when(module.bodies.len() != before))
}

/// The roots of all symbol references in a body's attributes and types.
fn references(body: &Body) -> BTreeSet<&'static str> {
    let mut out = BTreeSet::new();
    for op in body.walk_all() {
        collect_attr(body.attrs(op), &mut |name| {
            out.insert(name);
        });
        for value in body.results(op) {
            collect_type(body.ty(value), &mut |name| {
                out.insert(name);
            });
        }
    }
    out
}

fn collect_attr(attr: Attr, found: &mut impl FnMut(&'static str)) {
    let mut stack = vec![attr];
    while let Some(attr) = stack.pop() {
        match attr.data() {
            AttrData::SymbolRef { root, .. } => found(root.as_str()),
            AttrData::Array(items) => stack.extend(items.iter()),
            AttrData::Dict(entries) => stack.extend(entries.iter().map(|(_, a)| *a)),
            AttrData::Dialect { params, .. } => stack.extend(params.iter()),
            AttrData::Type(ty) => collect_type_into(*ty, &mut stack),
            _ => {}
        }
    }
}

fn collect_type(ty: Type, found: &mut impl FnMut(&'static str)) {
    let mut attrs = Vec::new();
    collect_type_into(ty, &mut attrs);
    for attr in attrs {
        collect_attr(attr, found);
    }
}

/// The attributes that stand in a type.
fn collect_type_into(ty: Type, out: &mut Vec<Attr>) {
    match ty.data() {
        TypeData::Dialect { params, .. } => out.extend(params.iter()),
        TypeData::RankedTensor { encoding: Some(encoding), .. } => out.push(*encoding),
        TypeData::MemRef { space: Some(space), .. } => out.push(*space),
        _ => {}
    }
}
