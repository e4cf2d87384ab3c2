//! References to symbols, wherever they stand in attributes and types.

use tegula_ir::{Attr, AttrData, Body, Ident, OpId, Type, TypeData};
use tegula_pass::Changed;
use tegula_rewrite::Rewriter;

/// A reference: the symbol of the module, and those in it that lead on.
#[derive(Clone, Copy)]
pub struct Path {
    root: Ident,
    nested: &'static [Ident],
}

impl Path {
    /// The symbol of the module.
    pub fn root(self) -> &'static str {
        self.root.as_str()
    }

    /// The names from the symbol of the module to the one that is meant.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let nested = self.nested.iter().map(|name| name.as_str());
        std::iter::once(self.root.as_str()).chain(nested)
    }

    /// The symbol that is meant in the end.
    pub(crate) fn leaf(self) -> &'static str {
        self.nested.last().unwrap_or(&self.root).as_str()
    }
}

/// Calls `found` for each reference in the attributes and result types of an op and of all that is
/// in it.
pub fn each_in_body(body: &Body, op: OpId, found: &mut impl FnMut(OpId, Path)) {
    for op in body.walk(op) {
        each_in_attr(body.attrs(op), &mut |path| found(op, path));
        for value in body.results(op) {
            let mut attrs = Vec::new();
            in_type(body.ty(value), &mut attrs);
            for attr in attrs {
                each_in_attr(attr, &mut |path| found(op, path));
            }
        }
    }
}

/// Calls `found` for each reference in an attribute.
pub(crate) fn each_in_attr(attr: Attr, found: &mut impl FnMut(Path)) {
    let mut stack = vec![attr];
    while let Some(attr) = stack.pop() {
        match attr.data() {
            AttrData::SymbolRef { root, nested } => found(Path { root: *root, nested }),
            AttrData::Array(items) => stack.extend(items.iter()),
            AttrData::Dict(entries) => stack.extend(entries.iter().map(|(_, a)| *a)),
            AttrData::Dialect { params, .. } => stack.extend(params.iter()),
            AttrData::Type(ty) => in_type(*ty, &mut stack),
            _ => {}
        }
    }
}

/// The attributes that stand in a type.
fn in_type(ty: Type, out: &mut Vec<Attr>) {
    match ty.data() {
        TypeData::Dialect { params, .. } => out.extend(params.iter()),
        TypeData::RankedTensor { encoding: Some(encoding), .. } => out.push(*encoding),
        TypeData::MemRef { space: Some(space), .. } => out.push(*space),
        _ => {}
    }
}

/// The attribute with each reference as `to` gives it; those in types stay, as do those for which
/// it gives none.
pub fn with_references(attr: Attr, to: &dyn Fn(Attr) -> Option<Attr>) -> Attr {
    let all = |items: &[Attr]| -> Vec<Attr> {
        items.iter().map(|&item| with_references(item, to)).collect()
    };
    match attr.data() {
        AttrData::SymbolRef { .. } => to(attr).unwrap_or(attr),
        AttrData::Array(items) => Attr::array(&all(items)),
        AttrData::Dict(entries) => {
            Attr::dict(entries.iter().map(|&(name, value)| (name, with_references(value, to))))
        }
        AttrData::Dialect { name, params } => Attr::dialect(name.as_str(), &all(params)),
        _ => attr,
    }
}

/// Gives all references in a body as `to` gives them; see [`with_references`].
pub fn redirect(rewriter: &mut Rewriter<'_>, to: &dyn Fn(Attr) -> Option<Attr>) -> Changed {
    let mut changed = Changed::No;
    let ops: Vec<OpId> = rewriter.body.walk_all().collect();
    for op in ops {
        let old = rewriter.body.attrs(op);
        let new = with_references(old, to);
        if new != old {
            rewriter.set_attrs(op, new);
            changed = Changed::Yes;
        }
    }
    changed
}

/// A reference with other names where `to` gives some; none when it is not a reference.
pub fn renamed(path: Attr, to: &dyn Fn(Ident) -> Option<Ident>) -> Option<Attr> {
    let AttrData::SymbolRef { root, nested } = path.data() else { return None };
    let name = |name: Ident| to(name).unwrap_or(name);
    let nested = nested.iter().map(|&part| name(part)).collect();
    Some(Attr::new(AttrData::SymbolRef { root: name(*root), nested }))
}
