//! `iree-hal-outline-memoize-regions`: what is made once for a device is made when the program
//! starts.
//!
//! A region becomes a function of the device, its queues and what else it needs. When all of that is
//! known when the program starts, and so are the devices, there is a global for each device and each
//! result, and a function that chooses among them. Otherwise the function is called in place.

use std::collections::BTreeSet;

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId, Type, ValueId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::{IrMapping, Rewriter, captures, constant_of};

use super::devices::globals_of;
use crate::host::{self, Symbol};
use crate::rewrites::is_known_early;

/// Runs the pass on one top-level op.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let function = body.is(root, "util.func");
    let regions: Vec<OpId> =
        body.walk(root).filter(|&op| function && body.is(op, "hal.device.memoize")).collect();
    let mut names = Names { taken: BTreeSet::new(), number: 0 };
    for &op in &regions {
        let region = Region::of(cx, body, root, op);
        if outline(cx, body, &region, &mut names).is_none() {
            return Err(cx.error(body, op, "no-single-block", "the region has to be one block"));
        }
    }
    Ok(Changed::when(!regions.is_empty()))
}

/// Names of the symbols that come out of one function.
struct Names {
    taken: BTreeSet<String>,
    number: usize,
}

impl Names {
    fn unique(&mut self, name: String) -> String {
        let mut tried = name.clone();
        while !self.taken.insert(tried.clone()) {
            tried = format!("{name}_{}", self.number);
            self.number += 1;
        }
        tried
    }
}

/// A region and what it needs.
struct Region {
    op: OpId,
    /// What names begin with.
    prefix: String,
    device: ValueId,
    queues: ValueId,
    /// The queues, when they are known.
    known_queues: Option<i64>,
    results: Vec<Type>,
    constants: Vec<ValueId>,
    /// Reads of globals that never change.
    globals: Vec<ValueId>,
    /// What is only known where the region stands.
    others: Vec<ValueId>,
}

impl Region {
    fn of(cx: &PassCx<'_>, body: &Body, root: OpId, op: OpId) -> Region {
        let (device, queues) = (body.operand(op, 0), body.operand(op, 1));
        let mut region = Region {
            op,
            prefix: format!("__{}_memoize", body.symbol_name(root).unwrap_or_default()),
            device,
            queues,
            known_queues: constant_of(cx.registry, body, queues).and_then(Attr::as_int),
            results: body.results(op).map(|value| body.ty(value)).collect(),
            constants: Vec::new(),
            globals: Vec::new(),
            others: Vec::new(),
        };
        for value in captures(body, op) {
            let read = body.defining_op(value).is_some_and(|op| body.is(op, "util.global.load"));
            if value == device || value == queues {
                continue;
            } else if !is_known_early(cx.registry, body, value) {
                region.others.push(value);
            } else if read {
                region.globals.push(value);
            } else {
                region.constants.push(value);
            }
        }
        region
    }

    /// What the function that makes the results takes beside the device and its queues.
    fn needed(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.globals.iter().chain(&self.others).copied()
    }
}

/// Takes a region out of its function; none when it is not a single block.
fn outline(cx: &mut PassCx<'_>, body: &mut Body, region: &Region, names: &mut Names) -> Option<()> {
    let apply = names.unique(format!("{}_apply", region.prefix));
    cx.emit(apply_function(cx, body, region, &apply)?);
    let devices = devices(body, region.device).filter(|_| region.others.is_empty());
    let mut operands = vec![region.device, region.queues];
    let callee = match devices {
        Some(devices) => memoize(cx, body, region, &devices, &apply, names)?,
        None => {
            operands.extend(region.needed());
            apply
        }
    };
    let mut rw = cx.rewriter(body);
    let at = InsertPoint::Before(region.op);
    let call = host::call(&mut rw, at, &callee, &operands, &region.results);
    let made: Vec<ValueId> = rw.body.results(call).collect();
    rw.replace(region.op, &made);
    Some(())
}

/// The device globals that a value may have been read from, in order; none when it may come from
/// elsewhere.
fn devices(body: &Body, device: ValueId) -> Option<Vec<&'static str>> {
    let mut found = Vec::new();
    globals_of(body, device, &mut found, &mut |_, _, _| None)?;
    Some(found)
}

/// The function that makes the results.
fn apply_function(cx: &PassCx<'_>, body: &Body, region: &Region, name: &str) -> Option<Body> {
    let inputs = [region.device, region.queues].into_iter().chain(region.needed());
    let inputs: Vec<ValueId> = inputs.collect();
    let types: Vec<Type> = inputs.iter().map(|&value| body.ty(value)).collect();
    let never = Attr::dialect("util.inline.never", &[]);
    let loc = body.loc(region.op);
    let Symbol { body: mut made, block: entry } =
        host::function(cx.registry, name, &types, &region.results, Some(never), loc)?;
    let mut rw = cx.rewriter(&mut made);
    let mut mapping = IrMapping::new();
    mapping.map_all(inputs, rw.body.block_args(entry).to_vec());
    for &constant in &region.constants {
        let op = body.defining_op(constant)?;
        rw.clone_from(body, op, InsertPoint::End(entry), &mut mapping).ok()?;
    }
    let function = rw.body.region(rw.body.root()?, 0)?;
    let inner = rw.append_block(function, &[]);
    rw.insert(InsertPoint::End(entry), NewOp::new("cf.br").successor(inner).loc(loc));
    for op in body.block_ops(body.region_entry(region.op, 0)?) {
        if body.is(op, "hal.return") {
            let values: Option<Vec<ValueId>> =
                body.operands(op).map(|value| mapping.get(value)).collect();
            host::give(&mut rw, InsertPoint::End(inner), &values?);
        } else {
            rw.clone_from(body, op, InsertPoint::End(inner), &mut mapping).ok()?;
        }
    }
    Some(made)
}

/// Makes the results for each device when the program starts; gives the name of the function that
/// looks them up.
fn memoize(
    cx: &mut PassCx<'_>,
    body: &Body,
    region: &Region,
    devices: &[&str],
    apply: &str,
    names: &mut Names,
) -> Option<String> {
    let loc = body.loc(region.op);
    let mut made = Vec::new();
    for &device in devices {
        let plain = device.strip_prefix("__").unwrap_or(device);
        let mut globals = Vec::new();
        for (number, &ty) in region.results.iter().enumerate() {
            let name = names.unique(format!("{}_result_{number}_{plain}", region.prefix));
            cx.emit(host::global(cx.registry, &name, ty, loc));
            globals.push(name);
        }
        cx.emit(initializer(cx, body, region, device, apply, &globals)?);
        made.push((device, globals));
    }
    let lookup = names.unique(format!("{}_lookup", region.prefix));
    let types = [region.device, region.queues].map(|value| body.ty(value));
    let mut function = host::function(cx.registry, &lookup, &types, &region.results, None, loc)?;
    let at = function.end();
    let mut rw = cx.rewriter(&mut function.body);
    let &[device, ..] = rw.body.block_args(function.block) else { return None };
    let found = choose(&mut rw, at, device, &region.results, &made)?;
    host::give(&mut rw, at, &found);
    cx.emit(function.body);
    Some(lookup)
}

/// Makes the results for one device and keeps them.
fn initializer(
    cx: &PassCx<'_>,
    body: &Body,
    region: &Region,
    device: &str,
    apply: &str,
    globals: &[String],
) -> Option<Body> {
    let mut made = host::initializer(cx.registry, body.loc(region.op))?;
    let at = made.end();
    let mut rw = cx.rewriter(&mut made.body);
    let mut operands = vec![
        host::load(&mut rw, at, device, body.ty(region.device), true),
        host::number(&mut rw, at, region.known_queues.unwrap_or(-1).into(), Type::int(64)),
    ];
    for &read in &region.globals {
        let copy = rw.clone_from(body, body.defining_op(read)?, at, &mut IrMapping::new()).ok()?;
        operands.push(rw.body.result(copy, 0));
    }
    let call = host::call(&mut rw, at, apply, &operands, &region.results);
    let results: Vec<ValueId> = rw.body.results(call).collect();
    for (result, global) in results.into_iter().zip(globals) {
        host::store(&mut rw, at, result, global);
    }
    host::give(&mut rw, at, &[]);
    Some(made.body)
}

/// The results for the device that a value is, looked for among these; nothings when it is none.
fn choose(
    rw: &mut Rewriter<'_>,
    at: InsertPoint,
    device: ValueId,
    types: &[Type],
    known: &[(&str, Vec<String>)],
) -> Option<Vec<ValueId>> {
    let Some(((name, globals), rest)) = known.split_first() else {
        return Some(types.iter().map(|&ty| host::nothing(rw, at, ty)).collect());
    };
    let this = host::load(rw, at, name, rw.body.ty(device), false);
    let same = NewOp::new("util.cmp.eq").operand(device).operand(this).result(Type::int(1));
    let same = rw.insert_value(at, same);
    let new = NewOp::new("scf.if").operand(same).results(types.iter().copied()).regions(2);
    let choice = rw.insert(at, new);
    let &[then, other] = rw.body.regions(choice) else { return None };
    let then = InsertPoint::End(rw.append_block(then, &[]));
    let found: Vec<ValueId> = globals
        .iter()
        .zip(types)
        .map(|(global, &ty)| host::load(rw, then, global, ty, false))
        .collect();
    rw.insert(then, NewOp::new("scf.yield").operands(found));
    let other = InsertPoint::End(rw.append_block(other, &[]));
    let found = choose(rw, other, device, types, rest)?;
    rw.insert(other, NewOp::new("scf.yield").operands(found));
    Some(rw.body.results(choice).collect())
}
