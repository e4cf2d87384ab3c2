//! `symbol-dce`: private symbols that nothing refers to are removed.

use std::collections::{BTreeMap, BTreeSet};

use tegula_ir::{Attr, AttrData, Body, OpId, Type, TypeData};
use tegula_pass::{Changed, Failed, Header, PassCx, PassResult, Solve};

/// The pass.
pub struct SymbolDce;

/// What one body defines and refers to.
#[derive(Debug, PartialEq, Eq)]
pub struct Summary {
    /// The symbol, when the body may go once nothing refers to it.
    private: Option<&'static str>,
    name: Option<&'static str>,
    uses: BTreeSet<&'static str>,
}

impl Solve for SymbolDce {
    type Summary = Summary;
    /// Whether the body stays.
    type Projection = bool;

    fn summarize(&self, _: &Header, body: &Body, root: OpId) -> Summary {
        let name = body.symbol_name(root);
        let visibility = body.attr(root, "sym_visibility").and_then(Attr::as_str);
        let private = name.filter(|_| visibility == Some("private"));
        Summary { private, name, uses: references(body) }
    }

    fn solve(&self, cx: &mut PassCx<'_>, summaries: &[&Summary]) -> Result<Vec<bool>, Failed> {
        let by_name: BTreeMap<&str, usize> = (summaries.iter().enumerate())
            .filter_map(|(index, summary)| Some((summary.name?, index)))
            .collect();
        let mut pending: Vec<&'static str> = Vec::new();
        collect_attr(cx.header.attrs, &mut |name| pending.push(name));
        let mut live: Vec<bool> = summaries.iter().map(|s| s.private.is_none()).collect();
        for (summary, _) in summaries.iter().zip(&live).filter(|(_, live)| **live) {
            pending.extend(&summary.uses);
        }
        let mut seen: BTreeSet<&'static str> = BTreeSet::new();
        while let Some(name) = pending.pop() {
            if !seen.insert(name) {
                continue;
            }
            if let Some(&index) = by_name.get(name)
                && !std::mem::replace(&mut live[index], true)
            {
                pending.extend(&summaries[index].uses);
            }
        }
        Ok(live)
    }

    fn apply(&self, cx: &mut PassCx<'_>, body: &mut Body, root: OpId, live: &bool) -> PassResult {
        if !live {
            cx.rewriter(body).erase(root);
        }
        Ok(Changed::when(!live))
    }
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
