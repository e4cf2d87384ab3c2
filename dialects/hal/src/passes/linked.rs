//! The executable that others are linked into.

use indexmap::IndexMap;
use tegula_dialect_util::references::with_references;
use tegula_ir::{Attr, AttrData, Body, FrozenBody, Ident, InsertPoint, NewOp, OpId, Registry};
use tegula_pass::{Failed, PassCx};
use tegula_rewrite::{IrMapping, Rewriter, clone_into};

use crate::executable::children;

/// Where references lead after linking, by what they were.
pub(super) type Moved = IndexMap<Attr, Attr>;

/// An executable that grows.
pub(super) struct Linked {
    body: Body,
    root: OpId,
    name: String,
    moved: Moved,
}

/// A variant of it.
struct Variant {
    name: String,
    /// The module of its code.
    code: OpId,
    /// The next entry point's number.
    ordinal: i64,
}

impl Linked {
    /// An executable without variants, as visible as another one, in whose place it stands.
    pub(super) fn new(registry: &Registry, like: &Body, name: &str) -> Linked {
        let attr = |name| like.root().and_then(|root| like.attr(root, name));
        let new = NewOp::new("hal.executable")
            .attr_opt("sym_visibility", attr("sym_visibility"))
            .attr("sym_name", Attr::string(name))
            .attr_opt("lazy", attr("lazy"))
            .regions(1);
        let loc = like.root().map(|root| like.loc(root));
        let new = loc.into_iter().fold(new, NewOp::loc);
        let mut body = Body::new();
        let mut rw = Rewriter::new(&mut body, registry);
        let root = rw.insert(InsertPoint::End(rw.body.top_block()), new);
        if let Some(region) = rw.body.region(root, 0) {
            let block = rw.append_block(region, &[]);
            rw.insert(InsertPoint::End(block), NewOp::new("hal.executable_end"));
        }
        Linked { body, root, name: name.to_owned(), moved: Moved::new() }
    }

    /// The executable, and where everything is now.
    pub(super) fn finish(self) -> (Body, Moved) {
        (self.body, self.moved)
    }

    /// Takes over the code that executables have for a target. An executable that has no variant
    /// left goes.
    pub(super) fn add_variant(
        &mut self,
        cx: &mut PassCx<'_>,
        bodies: &mut [Body],
        sources: impl Iterator<Item = usize>,
        target: Attr,
        name: &str,
    ) -> Result<(), Failed> {
        let Some(mut variant) = self.new_variant(cx.registry, target, name) else { return Ok(()) };
        for at in sources {
            let source = &mut bodies[at];
            let Some(root) = source.root() else { continue };
            let variants: Vec<OpId> = children(source, root, "hal.executable.variant").collect();
            let code = |&variant: &OpId| children(source, variant, "builtin.module").next();
            // What is binary already cannot be linked, nor can what else is in that executable.
            let Some(codes) = variants.iter().map(code).collect::<Option<Vec<OpId>>>() else {
                continue;
            };
            let executable = source.symbol_name(root).unwrap_or_default();
            self.moved.insert(Attr::symbol(executable), Attr::symbol(&self.name));
            let mut left = variants.len();
            for (&from, code) in variants.iter().zip(codes) {
                if source.attr(from, "target") == Some(target) {
                    self.take_exports(cx, source, from, executable, &mut variant)?;
                    self.take_code(cx, source, code, &variant)?;
                    cx.rewriter(source).erase(from);
                    left -= 1;
                }
            }
            if left == 0 {
                cx.rewriter(source).erase(root);
            }
        }
        Ok(())
    }

    fn new_variant(&mut self, registry: &Registry, target: Attr, name: &str) -> Option<Variant> {
        let mut rw = Rewriter::new(&mut self.body, registry);
        let end = rw.body.last_op(rw.body.region_entry(self.root, 0)?)?;
        let new = NewOp::new("hal.executable.variant")
            .attr("sym_visibility", Attr::string("public"))
            .attr("sym_name", Attr::string(name))
            .attr("target", target)
            .regions(1)
            .loc(rw.body.loc(self.root));
        let variant = rw.insert(InsertPoint::Before(end), new);
        let block = rw.append_block(rw.body.region(variant, 0)?, &[]);
        let code = rw.insert(InsertPoint::End(block), NewOp::new("builtin.module").regions(1));
        rw.insert(InsertPoint::End(block), NewOp::new("hal.executable.variant_end"));
        rw.append_block(rw.body.region(code, 0)?, &[]);
        Some(Variant { name: name.to_owned(), code, ordinal: 0 })
    }

    /// Copies what stands beside the code of a variant: its entry points get numbers of their own.
    fn take_exports(
        &mut self,
        cx: &mut PassCx<'_>,
        source: &Body,
        from: OpId,
        executable: &str,
        to: &mut Variant,
    ) -> Result<(), Failed> {
        let old = source.symbol_name(from).unwrap_or_default();
        let (old_path, new_path) = ([executable, old], [self.name.as_str(), &to.name]);
        self.moved.insert(Attr::symbol_path(&old_path), Attr::symbol_path(&new_path));
        let mut rw = Rewriter::new(&mut self.body, cx.registry);
        for op in children(source, from, "hal.executable.export") {
            let at = InsertPoint::Before(to.code);
            let copy = rw.clone_from(source, op, at, &mut IrMapping::new());
            let copy = copy.map_err(|u| cx.error(source, u.user, "not-isolated", u.to_string()))?;
            rw.set_attr(copy, "ordinal", Attr::index(to.ordinal));
            to.ordinal += 1;
            let name = source.symbol_name(op).unwrap_or_default();
            let (old, new) = ([executable, old, name], [self.name.as_str(), &to.name, name]);
            self.moved.insert(Attr::symbol_path(&old), Attr::symbol_path(&new));
        }
        Ok(())
    }

    /// Copies the code of a variant. What is there already is shared; of private symbols of the
    /// same name one gets another.
    fn take_code(
        &mut self,
        cx: &mut PassCx<'_>,
        source: &mut Body,
        code: OpId,
        to: &Variant,
    ) -> Result<(), Failed> {
        let Some(block) = self.body.region_entry(to.code, 0) else { return Ok(()) };
        let ops: Vec<OpId> =
            source.region_entry(code, 0).map(|b| source.block_ops(b).collect()).unwrap_or_default();
        for op in ops {
            if let Some(name) = source.symbol_name(op)
                && let Some(known) = symbol(&self.body, to.code, name)
            {
                if alone(&self.body, known) == alone(source, op) {
                    continue;
                }
                let other = unique(name, [(&self.body, to.code), (&*source, code)]);
                if is_private(source, op) {
                    rename(&mut cx.rewriter(source), code, op, name, &other);
                } else if is_private(&self.body, known) {
                    rename(&mut cx.rewriter(&mut self.body), to.code, known, name, &other);
                } else {
                    let message = format!("several public symbols have the name @{name}");
                    return Err(cx.error(source, op, "duplicate-symbol", message));
                }
            }
            let mut rw = Rewriter::new(&mut self.body, cx.registry);
            let copy = rw.clone_from(source, op, InsertPoint::End(block), &mut IrMapping::new());
            copy.map_err(|u| cx.error(source, u.user, "not-isolated", u.to_string()))?;
        }
        Ok(())
    }
}

/// The op of a module that defines a symbol.
fn symbol(body: &Body, module: OpId, name: &str) -> Option<OpId> {
    let block = body.region_entry(module, 0)?;
    body.block_ops(block).find(|&op| body.symbol_name(op) == Some(name))
}

fn is_private(body: &Body, op: OpId) -> bool {
    body.attr(op, "sym_visibility").and_then(Attr::as_str) == Some("private")
}

/// An op by itself, to be compared; none when it uses values from outside.
fn alone(body: &Body, op: OpId) -> Option<FrozenBody> {
    let mut single = Body::new();
    let at = InsertPoint::End(single.top_block());
    clone_into(body, op, &mut single, at, &mut IrMapping::new()).ok()?;
    Some(single.freeze())
}

/// A name like this one that no symbol of the modules has.
fn unique(name: &str, modules: [(&Body, OpId); 2]) -> String {
    let mut number = 0;
    loop {
        let tried = format!("{name}_{number}");
        if modules.iter().all(|(body, module)| symbol(body, *module, &tried).is_none()) {
            return tried;
        }
        number += 1;
    }
}

/// Gives a symbol of a module another name.
fn rename(rw: &mut Rewriter<'_>, module: OpId, op: OpId, from: &str, to: &str) {
    let ops: Vec<OpId> = rw.body.walk(module).collect();
    let (old, to) = (Ident::of(from), Ident::of(to));
    for user in ops {
        let attrs = rw.body.attrs(user);
        let renamed = with_references(attrs, &|path| match path.data() {
            AttrData::SymbolRef { root, nested } if *root == old => {
                let root = Attr::new(AttrData::SymbolRef { root: to, nested: nested.clone() });
                Some(root)
            }
            _ => None,
        });
        if renamed != attrs {
            rw.set_attrs(user, renamed);
        }
    }
    rw.set_attr(op, "sym_name", Attr::string(to.as_str()));
}
