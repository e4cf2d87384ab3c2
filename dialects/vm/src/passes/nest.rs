//! `tegula-vm-nest`: the program becomes one `vm.module` that says what it takes from others and
//! what others may call.

use std::collections::{BTreeMap, BTreeSet};

use tegula_ir::{Attr, Body, Ident, InsertPoint, Module, NewOp, OpId, Type};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::{IrMapping, Rewriter};

use crate::external::{self, External};
use crate::library;

const MODULE: &str = "builtin.module";
const VM_MODULE: &str = "vm.module";
/// Marks modules that stay as they are.
const TOPLEVEL: &str = "vm.toplevel";
const REFLECTION: &str = "iree.reflection";
/// What a module is called that has no name.
const UNNAMED: &str = "module";

pub(crate) fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let Some(first) = module.bodies.first() else { return Ok(Changed::No) };
    let within = |body: &Body, name: &str| body.root().is_some_and(|root| body.is(root, name));
    if within(first, VM_MODULE) {
        return Ok(Changed::No);
    }
    if within(first, MODULE) {
        for body in &mut module.bodies {
            let mut rw = cx.rewriter(body);
            if let Some(root) = rw.body.root() {
                descend(&mut rw, root);
            }
        }
    } else {
        let nested = gather(cx, module)?;
        module.bodies = vec![nested];
    }
    let attrs = module.attrs.as_dict().unwrap_or(&[]).iter().copied();
    let kept = attrs.filter(|(name, _)| name.as_str() != REFLECTION);
    module.attrs = Attr::dict(kept.chain([(Ident::of(TOPLEVEL), Attr::unit())]));
    Ok(Changed::Yes)
}

/// All symbols of the module in one `vm.module`.
fn gather(cx: &mut PassCx<'_>, module: &Module) -> Result<Body, tegula_pass::Failed> {
    let mut body = Body::new();
    let mut rw = Rewriter::new(&mut body, cx.registry);
    let at = InsertPoint::End(rw.body.top_block());
    let name = module.name.map_or(UNNAMED, |name| name.as_str());
    let made = make_module(&mut rw, at, name, |name| module.attrs.get(name));
    if let Some(region) = rw.body.region(made, 0) {
        let block = rw.append_block(region, &[]);
        for single in &module.bodies {
            let Some(root) = single.root() else { continue };
            let copied =
                rw.clone_from(single, root, InsertPoint::End(block), &mut IrMapping::new());
            copied.map_err(|u| cx.error(single, u.user, "not-isolated", u.to_string()))?;
        }
    }
    settle(&mut rw, made);
    Ok(body)
}

/// An empty `vm.module` that takes over what a module says of itself.
fn make_module(
    rw: &mut Rewriter<'_>,
    at: InsertPoint,
    name: &str,
    attr: impl Fn(&str) -> Option<Attr>,
) -> OpId {
    let mut new = NewOp::new(VM_MODULE).attr("sym_name", Attr::string(name)).regions(1);
    if let Some(version) = attr("vm.version") {
        new = new.attr("version", version);
    }
    if let Some(reflection) = attr(REFLECTION) {
        new = new.attr(REFLECTION, reflection);
    }
    rw.insert(at, new)
}

/// Makes a module, or those within one that stays, a `vm.module`.
fn descend(rw: &mut Rewriter<'_>, module: OpId) {
    if rw.body.attr(module, TOPLEVEL).is_some() {
        for inner in children(rw.body, module) {
            if rw.body.is(inner, MODULE) {
                descend(rw, inner);
            }
        }
        return;
    }
    let name = rw.body.symbol_name(module).unwrap_or(UNNAMED).to_owned();
    let attrs: Vec<(Ident, Attr)> = rw.body.attr_entries(module).to_vec();
    let find = |name: &str| attrs.iter().find(|(n, _)| n.as_str() == name).map(|(_, a)| *a);
    let made = make_module(rw, InsertPoint::Before(module), &name, find);
    if let (Some(from), Some(to)) = (rw.body.region(module, 0), rw.body.region(made, 0)) {
        rw.take_region(from, to);
    }
    rw.erase(module);
    settle(rw, made);
}

fn children(body: &Body, op: OpId) -> Vec<OpId> {
    body.region_entry(op, 0).map_or(Vec::new(), |block| body.block_ops(block).collect())
}

/// Lets a new module say what it shares, and ends it.
fn settle(rw: &mut Rewriter<'_>, module: OpId) {
    let Some(region) = rw.body.region(module, 0) else { return };
    let block = match rw.body.first_block(region) {
        Some(block) => block,
        None => rw.append_block(region, &[]),
    };
    let inner = children(rw.body, module);
    let first = inner.first().map_or(InsertPoint::End(block), |&first| InsertPoint::Before(first));
    let last = inner.last().map_or(InsertPoint::End(block), |&last| InsertPoint::Before(last));
    library::supply(rw, module, first);
    for dialect in dialects(rw.body, module) {
        rw.insert(last, NewOp::new("vm.import.module").attr("dialect", Attr::string(dialect)));
    }
    let externals: BTreeMap<&'static str, External> = inner
        .iter()
        .filter(|&&op| is_function(rw.body, op))
        .filter_map(|&op| Some((rw.body.symbol_name(op)?, External::of(rw.body, op)?)))
        .collect();
    external::calls(rw, module, &externals);
    for op in inner {
        if rw.body.is(op, MODULE) {
            descend(rw, op);
        } else if is_function(rw.body, op) {
            match rw.body.symbol_name(op).and_then(|name| externals.get(name)) {
                Some(external) => external.declare(rw, op),
                None => export(rw, op),
            }
        }
    }
    rw.insert(InsertPoint::End(block), NewOp::new("vm.module_terminator"));
}

fn is_function(body: &Body, op: OpId) -> bool {
    body.is(op, "util.func") || body.is(op, "func.func")
}

/// The dialects of the ops in a module, and those that ops name in their stead.
fn dialects(body: &Body, module: OpId) -> BTreeSet<&'static str> {
    let inside = body.walk(module).filter(|&op| op != module);
    inside
        .map(|op| {
            let named = body.attr(op, "vm.import.module").and_then(Attr::as_str);
            named.unwrap_or_else(|| body.name(op).dialect())
        })
        .collect()
}

/// A public function is called from outside through an export only.
fn export(rw: &mut Rewriter<'_>, func: OpId) {
    if rw.body.attr(func, "no_inline").is_some() {
        rw.set_attr(func, "inlining_policy", Attr::dialect("util.inline.never", &[]));
    }
    let visibility = rw.body.attr(func, "sym_visibility").and_then(Attr::as_str);
    let public = matches!(visibility, None | Some("public"));
    rw.set_attr(func, "sym_visibility", Attr::string("private"));
    let Some(name) = rw.body.symbol_name(func).filter(|_| public) else { return };
    let about = rw.body.attr_entries(func).iter().copied();
    let about: Vec<(Ident, Attr)> = about.filter(|(name, _)| name.as_str().contains('.')).collect();
    let new = NewOp::new("vm.export")
        .attrs(Attr::dict(about))
        .attr("function_ref", Attr::symbol(name))
        .attr("export_name", Attr::string(name))
        .loc(rw.body.loc(func));
    rw.insert(InsertPoint::After(func), new);
}

/// The type of a function.
pub(crate) fn function_type(body: &Body, func: OpId) -> Option<Type> {
    body.attr(func, "function_type").and_then(Attr::as_type)
}
