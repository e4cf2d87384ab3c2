//! `iree-vm-global-initialization`: what runs when the module is loaded is one function, and so is
//! what runs when it is given up. Numbers that globals begin with come before all else.

use tegula_ir::{Attr, AttrData, BlockId, Body, InsertPoint, NewOp, OpId, RegionId, Type};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use super::{members, members_named, named, symbols};

/// The functions that the runtime calls.
pub(super) const FUNCTIONS: [&str; 2] = ["__init", "__deinit"];

pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, module: OpId) -> PassResult {
    let Some(end) = body.region_entry(module, 0).and_then(|block| body.last_op(block)) else {
        return Ok(Changed::No);
    };
    let mut rw = cx.rewriter(body);
    let made = FUNCTIONS.map(|name| {
        let existing = symbols(rw.body, module).get(name).copied();
        match existing.filter(|&func| rw.body.is(func, "vm.func")) {
            Some(func) => extended(&mut rw, func),
            None => new_function(&mut rw, name, end),
        }
    });
    let [Some(mut init), Some(deinit)] = made else { return Ok(Changed::No) };
    for global in members(rw.body, module) {
        store_first(&mut rw, global, init.end);
    }
    for initializer in members_named(rw.body, module, "vm.initializer") {
        init.append(&mut rw, initializer);
    }
    for function in [&init, &deinit] {
        rw.insert(InsertPoint::End(function.end), NewOp::new("vm.return"));
    }
    settle_mutability(&mut rw, module);
    for function in [init, deinit] {
        export(&mut rw, module, function.op);
    }
    Ok(Changed::Yes)
}

/// A function that grows.
struct Function {
    op: OpId,
    region: RegionId,
    /// The block that goes on after what there is; it has no end yet.
    end: BlockId,
}

fn new_function(rw: &mut Rewriter<'_>, name: &str, before: OpId) -> Option<Function> {
    let new = NewOp::new("vm.func")
        .attr("sym_name", Attr::string(name))
        .attr("function_type", Attr::ty(Type::function(&[], &[])))
        .regions(1);
    let op = rw.insert(InsertPoint::Before(before), new);
    let region = rw.body.region(op, 0)?;
    let end = rw.append_block(region, &[]);
    Some(Function { op, region, end })
}

/// A function that is there: where it returned it goes on.
fn extended(rw: &mut Rewriter<'_>, op: OpId) -> Option<Function> {
    let region = rw.body.region(op, 0)?;
    let returns = rw.body.blocks(region).filter_map(|block| rw.body.last_op(block));
    let returns: Vec<OpId> = returns.filter(|&end| rw.body.is(end, "vm.return")).collect();
    let end = rw.append_block(region, &[]);
    for old in returns {
        let loc = rw.body.loc(old);
        rw.replace_with(old, NewOp::new("vm.br").successor(end).loc(loc));
    }
    Some(Function { op, region, end })
}

impl Function {
    /// Does what an initializer did, and goes on in a block of its own when that had several.
    fn append(&mut self, rw: &mut Rewriter<'_>, initializer: OpId) {
        let Some(from) = rw.body.region(initializer, 0) else { return };
        let blocks: Vec<BlockId> = rw.body.blocks(from).collect();
        let Some(&first) = blocks.first() else { return };
        let alone = blocks.len() == 1;
        let returns = blocks.iter().filter_map(|&block| rw.body.last_op(block));
        let returns: Vec<OpId> = returns.filter(|&end| rw.body.is(end, "vm.return")).collect();
        rw.take_region(from, self.region);
        let end = if alone { self.end } else { rw.append_block(self.region, &[]) };
        for old in returns {
            let loc = rw.body.loc(old);
            if alone {
                rw.erase(old);
            } else {
                rw.replace_with(old, NewOp::new("vm.br").successor(end).loc(loc));
            }
        }
        rw.inline_block(first, InsertPoint::End(self.end), &[]);
        self.end = end;
        rw.erase(initializer);
    }
}

/// Stores what a global begins with, which is zero from then on.
fn store_first(rw: &mut Rewriter<'_>, global: OpId, end: BlockId) {
    let what = rw.body.name(global).as_str().strip_prefix("vm.global.");
    let parts = what.zip(rw.body.attr(global, "initial_value")).zip(rw.body.symbol_name(global));
    let Some(((what, value), name)) = parts else { return };
    let ty = rw.body.attr(global, "type").and_then(Attr::as_type);
    let Some(ty) = ty else { return };
    let loc = rw.body.loc(global);
    if !is_zero(value) {
        let made = NewOp::new(format!("vm.const.{what}").as_str()).attr("value", value).result(ty);
        let made = rw.insert_value(InsertPoint::End(end), made.loc(loc));
        let store = NewOp::new(format!("vm.global.store.{what}").as_str()).operand(made);
        let store = store.attr("global", Attr::symbol(name)).loc(loc);
        rw.insert(InsertPoint::End(end), store);
    }
    rw.remove_attr(global, "initial_value");
}

fn is_zero(value: Attr) -> bool {
    match value.data() {
        AttrData::Integer { value, .. } => *value == 0,
        AttrData::Float { bits, .. } => *bits == 0,
        _ => false,
    }
}

/// A global that is stored into has memory of its own; what reads it knows.
fn settle_mutability(rw: &mut Rewriter<'_>, module: OpId) {
    let accesses: Vec<(&'static str, OpId)> =
        (rw.body.walk(module)).filter_map(|op| Some((named(rw.body, op, "global")?, op))).collect();
    for (name, global) in symbols(rw.body, module) {
        let of = accesses.iter().filter(|(accessed, _)| *accessed == name).map(|(_, op)| *op);
        let of: Vec<OpId> = of.collect();
        if of.is_empty() || !rw.body.name(global).as_str().starts_with("vm.global.") {
            continue;
        }
        let is = |rw: &Rewriter<'_>, op: OpId, what: &str| {
            let direct = rw.body.name(op).as_str().strip_prefix(what);
            direct.is_some_and(|kind| !kind.starts_with("indirect."))
        };
        let stored = of.iter().any(|&op| is(rw, op, "vm.global.store."));
        if stored == rw.body.attr(global, "is_mutable").is_some() {
            continue;
        }
        set_unit(rw, global, "is_mutable", stored);
        for load in of.into_iter().filter(|&op| is(rw, op, "vm.global.load.")).collect::<Vec<_>>() {
            set_unit(rw, load, "is_immutable", !stored);
        }
    }
}

fn set_unit(rw: &mut Rewriter<'_>, op: OpId, name: &str, holds: bool) {
    if holds {
        rw.set_attr(op, name, Attr::unit());
    } else {
        rw.remove_attr(op, name);
    }
}

/// Lets the runtime call a function, if it cannot yet.
fn export(rw: &mut Rewriter<'_>, module: OpId, func: OpId) {
    let Some(name) = rw.body.symbol_name(func) else { return };
    let exports = members_named(rw.body, module, "vm.export");
    let known = |&op: &OpId| rw.body.attr(op, "export_name").and_then(Attr::as_str) == Some(name);
    if exports.iter().any(known) {
        return;
    }
    rw.set_attr(func, "sym_visibility", Attr::string("private"));
    let new = NewOp::new("vm.export")
        .attr("function_ref", Attr::symbol(name))
        .attr("export_name", Attr::string(name));
    rw.insert(InsertPoint::Before(func), new.loc(rw.body.loc(func)));
}
