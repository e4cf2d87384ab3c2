//! `iree-util-fold-globals`, in two parts: each body is cleaned; globals that never change become
//! constants, those that nothing reads go, and those that are the same become one.

use indexmap::IndexMap;
use tegula_ir::{Attr, Body, InsertPoint, Module, OpId, Registry, Type};
use tegula_pass::{Changed, Header, PassCx, PassResult};
use tegula_rewrite::Patterns;

use crate::globals::{Globals, Site, is_callable};
use crate::references::each_in_attr;

/// What one rewrite makes visible to another: so often, at most, all are tried.
const MAX_ROUNDS: usize = 10;

/// Whether a body has no globals to fold and makes none of the others foldable.
pub fn is_idle(registry: &Registry, header: &Header, body: &Body) -> bool {
    let Some(root) = body.root() else { return true };
    if body.is(root, "util.global") {
        let mut kept = false;
        each_in_attr(header.attrs, &mut |path| kept |= Some(path.leaf()) == body.symbol_name(root));
        return kept;
    }
    let accesses = |op| body.name(op).as_str().starts_with("util.global.");
    !is_callable(registry, body, root) || !body.walk(root).any(accesses)
}

/// Runs the pass on cleaned bodies.
pub fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let mut changed = Changed::No;
    for _ in 0..MAX_ROUNDS {
        let patterns = cx.patterns;
        let mut globals = Globals::of(cx, module);
        let round = inline_stores(&mut globals)
            | join_chains(&mut globals)
            | make_immutable(&mut globals)
            | inline_loads(patterns, &mut globals)
            | erase_unused(&mut globals)
            | join_equal(&mut globals);
        module.bodies.retain(|body| body.root().is_some());
        if !round.is_yes() {
            break;
        }
        changed = Changed::Yes;
        for body in &mut module.bodies {
            if let Some(root) = body.root() {
                clean(cx, body, root)?;
            }
        }
        module.bodies.retain(|body| body.root().is_some());
    }
    Ok(changed)
}

/// Canonicalizes a body, and removes an initializer that does nothing.
pub fn clean(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let changed = cx.greedy(body, root, &["canonicalize"])?;
    let first = body.region_entry(root, 0).and_then(|entry| body.first_op(entry));
    let is_empty = first.is_some_and(|first| body.is(first, "util.return"));
    if !body.is(root, "util.initializer") || !is_empty {
        return Ok(changed);
    }
    cx.rewriter(body).erase(root);
    Ok(Changed::Yes)
}

/// Does something with each global; names stay those of the beginning, whatever is removed.
fn each(
    globals: &mut Globals<'_>,
    mut edit: impl FnMut(&mut Globals<'_>, &'static str) -> Option<()>,
) -> Changed {
    let names: Vec<&'static str> = globals.all.keys().copied().collect();
    let mut changed = Changed::No;
    for name in names {
        if globals.all.contains_key(name) {
            changed |= Changed::when(edit(globals, name).is_some());
        }
    }
    changed
}

/// A global to which only one constant is ever stored starts with it. Nobody may rely on what is in
/// a global before it is stored to.
fn inline_stores(globals: &mut Globals<'_>) -> Changed {
    each(globals, |globals, name| {
        let global = globals.all.get(name).filter(|global| !global.is_indirect)?;
        let start = globals.attr(name, "initial_value");
        let mut value = start;
        for site in &global.stores {
            let stored = stored_constant(globals, *site)?;
            if *value.get_or_insert(stored) != stored {
                return None;
            }
        }
        let value = value.filter(|_| value != start)?;
        let ty = globals.ty(name);
        // What a buffer holds is no buffer.
        if value.as_str().is_some() || value.value_type().is_some_and(|own| Some(own) != ty) {
            return None;
        }
        globals.set_attr(name, "initial_value", value);
        globals.erase_stores(name);
        Some(())
    })
}

fn stored_constant(globals: &Globals<'_>, site: Site) -> Option<Attr> {
    let body = &globals.module.bodies[site.body];
    let made = body.defining_op(body.operand(site.op, 0))?;
    globals.constant_value(body, made)
}

/// A global that only ever gets the value of another one is that one.
fn join_chains(globals: &mut Globals<'_>) -> Changed {
    each(globals, |globals, name| {
        let global = globals.all.get(name).filter(|global| global.is_candidate())?;
        if global.is_kept {
            return None;
        }
        let mut source = None;
        for site in &global.stores {
            let loaded = loaded_global(&globals.module.bodies[site.body], site.op)?;
            if *source.get_or_insert(loaded) != loaded {
                return None;
            }
        }
        let (_, &source, _) = globals.all.get_full(source?).filter(|(_, s, _)| **s != name)?;
        globals.rename_uses(name, source);
        globals.erase(name);
        Some(())
    })
}

/// The global whose value a store stores.
fn loaded_global(body: &Body, store: OpId) -> Option<&'static str> {
    let load = body.defining_op(body.operand(store, 0))?;
    let global = body.attr(load, "global").filter(|_| body.is(load, "util.global.load"))?;
    Some(global.as_symbol_root()?.as_str())
}

/// A global that only initializers write does not change, once they have run.
fn make_immutable(globals: &mut Globals<'_>) -> Changed {
    each(globals, |globals, name| {
        let global = globals.all.get(name)?;
        if !global.is_candidate() || !global.only_initialized {
            return None;
        }
        let (site, loads) = (global.site, global.loads.clone());
        let was_mutable = globals.rewriter(site).remove_attr(site.op, "is_mutable").is_some();
        let mut changed = was_mutable;
        for site in loads {
            let body = &globals.module.bodies[site.body];
            let initializes = body.root().is_some_and(|root| body.is(root, "util.initializer"));
            if !initializes && body.attr(site.op, "is_immutable").is_none() {
                globals.rewriter(site).set_attr(site.op, "is_immutable", Attr::unit());
                changed = true;
            }
        }
        changed.then_some(())
    })
}

/// Where a global is read that never changes, its value takes the place.
fn inline_loads(patterns: &Patterns, globals: &mut Globals<'_>) -> Changed {
    each(globals, |globals, name| {
        let global = globals.all.get(name)?;
        let value = globals.attr(name, "initial_value")?;
        let changes = global.is_indirect
            || !global.stores.is_empty()
            || globals.attr(name, "is_mutable").is_some();
        let policy = globals.attr(name, "inlining_policy");
        let never = policy.is_some_and(|p| p.dialect_params("util.inline.never").is_some());
        // What other dialects say of the global could not be said of a constant.
        let attrs = globals.dialect_attrs(name);
        let mut foreign = attrs.as_dict().unwrap_or(&[]).iter();
        if changes || never || foreign.any(|(name, _)| !name.as_str().starts_with("util.")) {
            return None;
        }
        let ty = globals.ty(name).filter(|&ty| !globals.is_reference(ty))?;
        let made = globals.constant(patterns, value, ty)?;
        let loads = std::mem::take(&mut globals.all.get_mut(name)?.loads);
        for site in &loads {
            let mut rw = globals.rewriter(*site);
            let made = made.clone().loc(rw.body.loc(site.op));
            let made = rw.insert_value(InsertPoint::Before(site.op), made);
            rw.replace(site.op, &[made]);
        }
        let global = globals.all.get(name)?;
        if global.references.is_empty() && !global.is_public && !global.is_kept {
            globals.erase(name);
            return Some(());
        }
        (!loads.is_empty()).then_some(())
    })
}

/// What nobody reads or names goes.
fn erase_unused(globals: &mut Globals<'_>) -> Changed {
    each(globals, |globals, name| {
        let global = globals.all.get(name).filter(|global| global.is_candidate())?;
        if global.is_kept || !global.loads.is_empty() || !global.references.is_empty() {
            return None;
        }
        globals.erase(name);
        Some(())
    })
}

/// Globals of the same value that never change are one.
fn join_equal(globals: &mut Globals<'_>) -> Changed {
    let mut first: IndexMap<(Attr, Option<Type>, Attr), &'static str> = IndexMap::new();
    each(globals, |globals, name| {
        let global = globals.all.get(name).filter(|global| global.is_candidate())?;
        let value = globals.attr(name, "initial_value").filter(|_| global.stores.is_empty())?;
        let key = (value, globals.ty(name), globals.dialect_attrs(name));
        let base = *first.entry(key).or_insert(name);
        if base == name || global.is_kept {
            return None;
        }
        globals.rename_uses(name, base);
        globals.erase(name);
        Some(())
    })
}
