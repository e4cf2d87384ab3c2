//! The globals of a module: who reads, writes and names them, and whether only initializers write.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use tegula_ir::{
    Attr, AttrData, Body, LocData, Module, NewOp, OpId, OpName, Registry, Type, TypeData,
};
use tegula_pass::PassCx;
use tegula_rewrite::{Patterns, Rewriter, constant};

use crate::references::{each_in_attr, each_in_body, with_references};

/// An op in one of the module's bodies.
#[derive(Clone, Copy)]
pub(crate) struct Site {
    pub(crate) body: usize,
    pub(crate) op: OpId,
}

/// A `util.global`.
pub(crate) struct Global {
    /// The global itself.
    pub(crate) site: Site,
    /// Its address is taken, so that it may be read and written anywhere.
    pub(crate) is_indirect: bool,
    /// What is outside of the module sees it.
    pub(crate) is_public: bool,
    /// The module itself names it.
    pub(crate) is_kept: bool,
    /// Only initializers, and what no public function calls, write it.
    pub(crate) only_initialized: bool,
    pub(crate) loads: Vec<Site>,
    pub(crate) stores: Vec<Site>,
    /// Other ops that name it.
    pub(crate) references: Vec<Site>,
}

impl Global {
    /// Whether all of its uses are known.
    pub(crate) fn is_candidate(&self) -> bool {
        !self.is_indirect && !self.is_public
    }
}

/// The globals of a module in order. Edits go through it, so that it stays true.
pub(crate) struct Globals<'a> {
    registry: &'a Registry,
    pub(crate) module: &'a mut Module,
    pub(crate) all: IndexMap<&'static str, Global>,
}

impl<'a> Globals<'a> {
    /// Reads a module.
    pub(crate) fn of(cx: &PassCx<'a>, module: &'a mut Module) -> Globals<'a> {
        let registry = cx.registry;
        let mut all: IndexMap<&'static str, Global> = IndexMap::new();
        for (at, body) in module.bodies.iter().enumerate() {
            let Some(root) = body.root().filter(|&root| body.is(root, "util.global")) else {
                continue;
            };
            let visibility = body.attr(root, "sym_visibility").and_then(Attr::as_str);
            let global = Global {
                site: Site { body: at, op: root },
                is_indirect: false,
                is_public: visibility != Some("private"),
                is_kept: false,
                only_initialized: true,
                loads: Vec::new(),
                stores: Vec::new(),
                references: Vec::new(),
            };
            all.extend(body.symbol_name(root).map(|name| (name, global)));
        }
        each_in_attr(module.attrs, &mut |path| {
            if let Some(global) = all.get_mut(path.leaf()) {
                global.is_kept = true;
            }
        });
        let reachable = reachable_from_outside(registry, module);
        for (at, body) in module.bodies.iter().enumerate() {
            let Some(root) = body.root().filter(|&root| is_callable(registry, body, root)) else {
                continue;
            };
            each_in_body(body, root, &mut |op, path| {
                let Some(global) = all.get_mut(path.leaf()) else { return };
                let site = Site { body: at, op };
                match body.name(op).as_str() {
                    "util.global.address" => global.is_indirect = true,
                    "util.global.load" => global.loads.push(site),
                    "util.global.store" => {
                        global.stores.push(site);
                        global.only_initialized &= !reachable.contains(&at);
                    }
                    _ => global.references.push(site),
                }
            });
        }
        Globals { registry, module, all }
    }

    fn body(&self, site: Site) -> &Body {
        &self.module.bodies[site.body]
    }

    /// A rewriter over the body of a site.
    pub(crate) fn rewriter(&mut self, site: Site) -> Rewriter<'_> {
        Rewriter::new(&mut self.module.bodies[site.body], self.registry)
    }

    /// The attribute of a global.
    pub(crate) fn attr(&self, name: &str, attr: &str) -> Option<Attr> {
        let site = self.all.get(name)?.site;
        self.body(site).attr(site.op, attr)
    }

    /// The value that an op makes when it makes a constant.
    pub(crate) fn constant_value(&self, body: &Body, op: OpId) -> Option<Attr> {
        let info = self.registry.op(body.name(op))?;
        body.attr(op, "value").filter(|_| info.def().has_trait("ConstantLike"))
    }

    /// A constant of a global's value; none of what only a global can hold.
    pub(crate) fn constant(&self, patterns: &Patterns, value: Attr, ty: Type) -> Option<NewOp> {
        constant_of(self.registry, patterns, value, ty)
    }

    /// Whether a value of the type refers to something that lives on: it is not what its
    /// definition says.
    pub(crate) fn is_reference(&self, ty: Type) -> bool {
        let TypeData::Dialect { name, .. } = ty.data() else { return false };
        let def = self.registry.ty(name.as_str());
        def.is_some_and(|(_, def)| def.traits.iter().any(|name| name == "ReferenceType"))
    }

    /// The type of a global's value.
    pub(crate) fn ty(&self, name: &str) -> Option<Type> {
        self.attr(name, "type").and_then(Attr::as_type)
    }

    /// The attributes of a global that are not its definition's.
    pub(crate) fn dialect_attrs(&self, name: &str) -> Attr {
        let Some(global) = self.all.get(name) else { return Attr::empty_dict() };
        let entries = self.body(global.site).attr_entries(global.site.op).iter();
        Attr::dict(entries.copied().filter(|(name, _)| name.as_str().contains('.')))
    }

    /// Changes an attribute of a global.
    pub(crate) fn set_attr(&mut self, name: &str, attr: &str, value: Attr) {
        if let Some(site) = self.all.get(name).map(|global| global.site) {
            self.rewriter(site).set_attr(site.op, attr, value);
        }
    }

    /// Removes what writes a global.
    pub(crate) fn erase_stores(&mut self, name: &str) {
        let stores = self.all.get_mut(name).map(|global| std::mem::take(&mut global.stores));
        for site in stores.into_iter().flatten() {
            self.rewriter(site).erase(site.op);
        }
    }

    /// Lets what reads or names one global read or name another one, whose location becomes that of
    /// both.
    pub(crate) fn rename_uses(&mut self, from: &'static str, to: &'static str) {
        let Some(old) = self.all.get_mut(from) else { return };
        let site = old.site;
        let (loads, references) =
            (std::mem::take(&mut old.loads), std::mem::take(&mut old.references));
        let (old, new) = (Attr::symbol(from), Attr::symbol(to));
        for &site in loads.iter().chain(&references) {
            let attrs = self.body(site).attrs(site.op);
            let attrs = with_references(attrs, &|path| (path == old).then_some(new));
            self.rewriter(site).set_attrs(site.op, attrs);
        }
        let loc = self.body(site).loc(site.op);
        let Some(new) = self.all.get_mut(to) else { return };
        new.loads.extend(loads);
        new.references.extend(references);
        let site = new.site;
        let body = &mut self.module.bodies[site.body];
        let both = [body.loc(site.op), loc];
        body.set_loc(site.op, LocData::fused(None, both));
    }

    /// Removes a global that nothing reads or names any more, with what writes it.
    pub(crate) fn erase(&mut self, name: &str) {
        self.erase_stores(name);
        if let Some(global) = self.all.shift_remove(name) {
            self.rewriter(global.site).erase(global.site.op);
        }
    }
}

/// A constant of a global's value; none of what only a global can hold.
pub(crate) fn constant_of(
    registry: &Registry,
    patterns: &Patterns,
    value: Attr,
    ty: Type,
) -> Option<NewOp> {
    match value.data() {
        AttrData::Dialect { .. } => None,
        _ => constant(registry, patterns, OpName::of("arith.constant"), value, ty),
    }
}

/// Whether an op of the module holds code that runs.
pub(crate) fn is_callable(registry: &Registry, body: &Body, op: OpId) -> bool {
    registry.op(body.name(op)).is_some_and(|info| info.def().has_trait("FunctionOpInterface"))
}

/// The bodies of public functions and of what they call, directly or through others.
fn reachable_from_outside(registry: &Registry, module: &Module) -> BTreeSet<usize> {
    let mut functions: BTreeMap<&str, usize> = BTreeMap::new();
    let mut pending = Vec::new();
    for (at, body) in module.bodies.iter().enumerate() {
        let Some(root) = body.root().filter(|&root| is_callable(registry, body, root)) else {
            continue;
        };
        let Some(name) = body.symbol_name(root) else { continue };
        functions.insert(name, at);
        if body.attr(root, "sym_visibility").and_then(Attr::as_str) != Some("private") {
            pending.push(at);
        }
    }
    let mut reached = BTreeSet::new();
    while let Some(at) = pending.pop() {
        if !reached.insert(at) {
            continue;
        }
        let body = &module.bodies[at];
        let callees = body.walk_all().filter_map(|op| body.attr(op, "callee")?.as_symbol_root());
        pending.extend(callees.filter_map(|callee| functions.get(callee.as_str())));
    }
    reached
}
