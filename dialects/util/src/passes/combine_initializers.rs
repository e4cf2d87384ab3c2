//! `iree-util-combine-initializers`: what runs when the module is loaded runs in one initializer.

use std::collections::{BTreeMap, BTreeSet};

use tegula_ir::{Attr, BlockId, Body, InsertPoint, LocData, Module, NewOp, OpId, Type};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::{IrMapping, Rewriter};

use crate::globals::constant_of;

const INITIALIZER: &str = "util.initializer";
const GLOBAL: &str = "util.global";

/// Runs the pass.
pub fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let bodies = &module.bodies;
    let initializers = bodies.iter().filter(|body| root_is(body, INITIALIZER)).count();
    let points = bodies.iter().filter(|body| root_is(body, INITIALIZER) || sets_value(body));
    if initializers == 0 || points.count() < 2 {
        return Ok(Changed::No);
    }
    let used = globals_used(module);
    let is_meant = |body: &Body| {
        let name = body.root().and_then(|root| body.symbol_name(root));
        root_is(body, INITIALIZER)
            || sets_value(body)
            || root_is(body, GLOBAL) && name.is_some_and(|name| used.contains(name))
    };
    let Some(first) = bodies.iter().position(is_meant) else { return Ok(Changed::No) };
    let (mut meant, mut others): (Vec<Body>, Vec<Body>) =
        std::mem::take(&mut module.bodies).into_iter().partition(is_meant);
    let combined = Combined::of(cx, &mut meant)?;
    meant.retain(|body| !root_is(body, INITIALIZER));
    meant.push(combined);
    others.splice(first..first, meant);
    module.bodies = others;
    Ok(Changed::Yes)
}

fn root_is(body: &Body, name: &str) -> bool {
    body.root().is_some_and(|root| body.is(root, name))
}

/// The value that a global has before initializers run.
fn initial_value(body: &Body) -> Option<Attr> {
    let root = body.root().filter(|&root| body.is(root, GLOBAL))?;
    let value = body.attr(root, "initial_value")?;
    value.dialect_params("util.uninitialized").is_none().then_some(value)
}

fn sets_value(body: &Body) -> bool {
    initial_value(body).is_some()
}

/// The globals that initializers use, also through what they call.
fn globals_used(module: &Module) -> BTreeSet<&'static str> {
    let functions: BTreeMap<&str, &Body> = (module.bodies.iter())
        .filter_map(|body| Some((body.symbol_name(body.root()?)?, body)))
        .collect();
    let mut pending: Vec<&Body> =
        module.bodies.iter().filter(|body| root_is(body, INITIALIZER)).collect();
    let mut called = BTreeSet::new();
    let mut used = BTreeSet::new();
    while let Some(body) = pending.pop() {
        for op in body.walk_all() {
            let symbol = |name| Some(body.attr(op, name).and_then(Attr::as_symbol_root)?.as_str());
            if body.name(op).as_str().starts_with("util.global.") {
                used.extend(symbol("global"));
            }
            if let Some(callee) = symbol("callee")
                && called.insert(callee)
            {
                pending.extend(functions.get(callee));
            }
        }
    }
    used
}

/// The initializer that does what the others did.
struct Combined<'a> {
    rw: Rewriter<'a>,
    region: tegula_ir::RegionId,
    /// The block that control comes to after what there is.
    end: BlockId,
}

impl Combined<'_> {
    /// Made of what is to run, in order; globals whose value is stored have none any more.
    fn of(cx: &mut PassCx<'_>, points: &mut [Body]) -> Result<Body, tegula_pass::Failed> {
        let locs: Vec<Attr> = (points.iter())
            .filter(|body| root_is(body, INITIALIZER) || sets_value(body))
            .filter_map(|body| Some(body.loc(body.root()?)))
            .collect();
        let loc = LocData::fused(None, locs);
        let mut made = Body::new();
        let mut rw = Rewriter::new(&mut made, cx.registry);
        let top = InsertPoint::End(rw.body.top_block());
        let ty = Attr::ty(Type::function(&[], &[]));
        let new = NewOp::new(INITIALIZER).attr("function_type", ty).regions(1).loc(loc);
        let op = rw.insert(top, new);
        let region = rw.body.regions(op)[0];
        let end = rw.append_block(region, &[]);
        let mut combined = Combined { rw, region, end };
        for point in points {
            let Some(root) = point.root() else { continue };
            if point.is(root, INITIALIZER) {
                if combined.inline(point, root).is_none() {
                    let message = "a value is used in a block before the one that defines it";
                    return Err(cx.error(point, root, "initializer-order", message));
                }
            } else if let Some(value) = initial_value(point) {
                combined.store(cx, point, root, value);
            }
        }
        let at = InsertPoint::End(combined.end);
        combined.rw.insert(at, NewOp::new("util.return").loc(loc));
        Ok(made)
    }

    /// Does what an initializer does.
    fn inline(&mut self, from: &Body, root: OpId) -> Option<()> {
        let rw = &mut self.rw;
        let blocks: Vec<BlockId> = from.blocks(from.region(root, 0)?).collect();
        let mut mapping = IrMapping::new();
        let mut to = vec![self.end];
        for &block in blocks.get(1..)? {
            let args = from.block_args(block);
            let types: Vec<Type> = args.iter().map(|&arg| from.ty(arg)).collect();
            let made = rw.append_block(self.region, &types);
            mapping.map_block(block, made);
            mapping.map_all(args.iter().copied(), rw.body.block_args(made).to_vec());
            to.push(made);
        }
        if blocks.len() > 1 {
            self.end = rw.append_block(self.region, &[]);
        }
        for (block, to) in blocks.into_iter().zip(to) {
            for op in from.block_ops(block) {
                let at = InsertPoint::End(to);
                if !from.is(op, "util.return") {
                    rw.clone_from(from, op, at, &mut mapping).ok()?;
                } else if to != self.end {
                    rw.insert(at, NewOp::new("cf.br").successor(self.end).loc(from.loc(op)));
                }
            }
        }
        Some(())
    }

    /// Stores the value of a global, where a constant can hold it.
    fn store(&mut self, cx: &PassCx<'_>, global: &mut Body, root: OpId, value: Attr) {
        let ty = global.attr(root, "type").and_then(Attr::as_type);
        let made = ty.and_then(|ty| constant_of(cx.registry, cx.patterns, value, ty));
        let (Some(made), Some(name)) = (made, global.symbol_name(root)) else { return };
        let loc = global.loc(root);
        let at = InsertPoint::End(self.end);
        let value = self.rw.insert_value(at, made.loc(loc));
        let store = NewOp::new("util.global.store").operand(value);
        self.rw.insert(at, store.attr("global", Attr::symbol(name)).loc(loc));
        cx.rewriter(global).remove_attr(root, "initial_value");
    }
}
