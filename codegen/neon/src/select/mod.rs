//! From loops over memrefs and native vectors to machine ops in blocks.
//!
//! The parts, in order: addresses are read as linear forms while loops still have their shape
//! ([`form`]); control becomes blocks and branches ([`control`]); accesses become machine loads and
//! stores over carried pointers ([`address`]); patterns of the dialect select the rest; then dead
//! values go, loops count down, and neighbouring accesses pair up ([`cleanup`], [`pair`]).

mod address;
mod build;
mod cleanup;
mod control;
mod form;
mod order;
mod pair;

pub(crate) use build::{cast, constant_ops};
pub(crate) use cleanup::branch_args;

use rustc_hash::FxHashMap;
use tegula_ir::{Attr, InsertPoint, NewOp, OpId, ValueId};
use tegula_rewrite::Rewriter;

use crate::{MachineError, types};

/// Control and addresses: what patterns cannot say. Afterwards the function is blocks, its
/// argument the address of the table of bindings and constants, and only values are left to select.
pub fn lower_structure(rw: &mut Rewriter<'_>, func: OpId) -> Result<(), MachineError> {
    single_workgroup(rw, func);
    let table = take_table(rw, func)?;
    load_constants(rw, func, table)?;
    let order = order::Order::new(rw.body, func);
    let mut accesses = Vec::new();
    for op in rw.body.walk(func) {
        accesses.extend(form::access(rw.body, &order, op)?);
    }
    let roots = make_roots(rw, func, table)?;
    let loops = control::lower(rw, func)?;
    address::lower(rw, func, &loops, &accesses, roots)?;
    lower_returns(rw, func)?;
    cleanup::erase_dead(rw, func);
    Ok(())
}

/// After the patterns: dead values, loop counters, pairs.
pub fn finish(rw: &mut Rewriter<'_>, func: OpId) -> Result<(), MachineError> {
    cleanup::reconcile_casts(rw, func);
    cleanup::erase_dead(rw, func);
    cleanup::count_down(rw, func);
    cleanup::erase_dead(rw, func);
    pair::pair_accesses(rw, func);
    Ok(())
}

/// A device function runs its dispatch as one workgroup: the first of one.
fn single_workgroup(rw: &mut Rewriter<'_>, func: OpId) {
    let ops: Vec<OpId> = rw.body.walk(func).collect();
    for op in ops {
        let value = match rw.body.name(op).as_str() {
            "hal.interface.workgroup.id" => 0,
            "hal.interface.workgroup.count" | "hal.interface.workgroup.size" => 1,
            _ => continue,
        };
        let constant = NewOp::new("arith.constant").attr("value", Attr::index(value));
        rw.replace_with(op, constant.result(tegula_ir::Type::index()));
    }
}

/// Gives the function its argument, the address of the table; none when it has no body.
fn take_table(rw: &mut Rewriter<'_>, func: OpId) -> Result<Option<ValueId>, MachineError> {
    let Some(entry) = rw.body.region_entry(func, 0) else { return Ok(None) };
    if !rw.body.block_args(entry).is_empty() {
        let message = "a dispatch with arguments of its own has no machine form";
        return Err(MachineError::new(func, "unsupported-arguments", message));
    }
    let table = rw.add_block_arg(entry, types::x());
    let signature = tegula_ir::Type::function(&[types::x()], &[]);
    rw.set_attr(func, "function_type", Attr::ty(signature));
    Ok(Some(table))
}

/// Constants that the dispatch passes stand behind the bindings, each without sign in a slot of its
/// own. They are offsets and sizes, which device code widens before it uses them.
fn load_constants(
    rw: &mut Rewriter<'_>,
    func: OpId,
    table: Option<ValueId>,
) -> Result<(), MachineError> {
    let Some(table) = table else { return Ok(()) };
    let ops = rw.body.walk(func).filter(|&op| rw.body.is(op, "hal.interface.constant.load"));
    for op in ops.collect::<Vec<OpId>>() {
        let layout = rw.body.attr(op, "layout");
        let layout = layout.and_then(|layout| layout.dialect_params("hal.pipeline.layout"));
        let bindings = layout.and_then(|params| params.first()?.as_array()).map(<[Attr]>::len);
        let ordinal = rw.body.attr(op, "ordinal").and_then(Attr::as_int);
        let slot = bindings.and_then(|count| ordinal?.checked_add(i64::try_from(count).ok()?));
        let Some(slot) = slot.filter(|slot| (0..=4095).contains(slot)) else {
            let message = "a constant without a place in the table";
            return Err(MachineError::new(op, "unsupported-constant", message));
        };
        let load = NewOp::new("neon.ldr_x").operand(table).attr("offset", Attr::i64(slot * 8));
        let load = load.result(types::x()).loc(rw.body.loc(op));
        let load = rw.insert(InsertPoint::Before(op), load);
        let value = rw.body.result(load, 0);
        let users: Vec<OpId> = rw.body.users(rw.body.result(op, 0)).collect();
        for user in users {
            let widens =
                ["arith.extui", "arith.index_castui"].contains(&rw.body.name(user).as_str());
            let wide = rw.body.results(user).map(|result| rw.body.ty(result)).next();
            let wide =
                wide.filter(|ty| widens && (ty.is_index() || *ty == tegula_ir::Type::int(64)));
            let Some(wide) = wide else {
                let message = "a constant that is used as a 32-bit number";
                return Err(MachineError::new(user, "unsupported-constant", message));
            };
            rw.replace_with(user, cast(value, wide));
        }
        rw.erase(op);
    }
    Ok(())
}

/// The registers of all memory roots: bindings are read from the table that the function is
/// given, allocations are memory of the frame.
fn make_roots(
    rw: &mut Rewriter<'_>,
    func: OpId,
    table: Option<ValueId>,
) -> Result<FxHashMap<OpId, ValueId>, MachineError> {
    let mut roots = FxHashMap::default();
    let (Some(entry), Some(table)) = (rw.body.region_entry(func, 0), table) else {
        return Ok(roots);
    };
    let mut bindings: Vec<(i64, ValueId)> = Vec::new();
    let mut last: Option<OpId> = None;
    let ops: Vec<OpId> = rw.body.walk(func).collect();
    for op in ops {
        let new = match rw.body.name(op).as_str() {
            "hal.interface.binding.subspan" => {
                let number = rw.body.attr(op, "binding").and_then(|a| a.as_int());
                let Some(number) = number.filter(|n| (0..=4095).contains(n)) else {
                    let message = "a binding without a number that fits the table";
                    return Err(MachineError::new(op, "unsupported-binding", message));
                };
                if let Some((_, value)) = bindings.iter().find(|(n, _)| *n == number) {
                    roots.insert(op, *value);
                    continue;
                }
                NewOp::new("neon.ldr_x").operand(table).attr("offset", Attr::i64(number * 8))
            }
            "memref.alloca" => {
                let ty = rw.body.ty(rw.body.result(op, 0));
                let bytes = ty.num_elements().and_then(|n| n.checked_mul(4));
                let Some(bytes) = bytes.filter(|b| (0..=1 << 20).contains(b)) else {
                    let message = "scratch of more than 1 MiB, or of unknown size";
                    return Err(MachineError::new(op, "unsupported-alloca", message));
                };
                NewOp::new("neon.frame_address").attr("size", Attr::i64(bytes))
            }
            _ => continue,
        };
        let place = last.map_or(InsertPoint::Start(entry), InsertPoint::After);
        let made = rw.insert(place, new.result(types::x()).loc(rw.body.loc(op)));
        last = Some(made);
        let value = rw.body.result(made, 0);
        if let Some(number) = rw.body.attr(op, "binding").and_then(|a| a.as_int()) {
            bindings.push((number, value));
        }
        roots.insert(op, value);
    }
    Ok(roots)
}

fn lower_returns(rw: &mut Rewriter<'_>, func: OpId) -> Result<(), MachineError> {
    let returns: Vec<OpId> =
        rw.body.walk(func).filter(|&op| rw.body.is(op, "func.return")).collect();
    for op in returns {
        if rw.body.num_operands(op) > 0 {
            let message = "a dispatch that returns values has no machine form";
            return Err(MachineError::new(op, "unsupported-return", message));
        }
        rw.replace_with(op, NewOp::new("neon.ret"));
    }
    Ok(())
}
