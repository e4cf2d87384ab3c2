//! Which devices a value may be: globals that it may have been read from.

use rustc_hash::{FxHashMap, FxHashSet};
use tegula_ir::{Attr, BlockId, Body, Module, OpId, ValueId, ValueKind};

/// Adds the globals that an argument of a block, by number, may have been read from.
type Argument<'a> = dyn FnMut(BlockId, usize, &mut Vec<&'static str>) -> Option<()> + 'a;

/// Adds the globals that a value may have been read from, in order; none when it may come from
/// elsewhere. `argument` says it of arguments of blocks.
pub(super) fn globals_of(
    body: &Body,
    device: ValueId,
    found: &mut Vec<&'static str>,
    argument: &mut Argument<'_>,
) -> Option<()> {
    let op = match body.definition(device) {
        ValueKind::Arg(block, index) => return argument(block, index as usize, found),
        ValueKind::Result(op, _) => op,
    };
    match body.name(op).as_str() {
        "util.global.load" => {
            let name = body.attr(op, "global")?.as_symbol_root()?.as_str();
            if !found.contains(&name) {
                found.push(name);
            }
            Some(())
        }
        "arith.select" => {
            (1..3).try_for_each(|index| globals_of(body, body.operand(op, index), found, argument))
        }
        _ => None,
    }
}

/// The devices of a module and where they go.
pub(super) struct Devices<'m> {
    module: &'m Module,
    /// The calls of each function, in order: who calls, and the op.
    calls: FxHashMap<&'static str, Vec<(usize, OpId)>>,
}

impl<'m> Devices<'m> {
    /// The devices of a module.
    pub(super) fn of(module: &'m Module) -> Devices<'m> {
        let mut calls: FxHashMap<&'static str, Vec<(usize, OpId)>> = FxHashMap::default();
        for (at, body) in module.bodies.iter().enumerate() {
            for call in body.walk_all().filter(|&op| body.is(op, "util.call")) {
                if let Some(callee) = body.attr(call, "callee").and_then(Attr::as_symbol_root) {
                    calls.entry(callee.as_str()).or_default().push((at, call));
                }
            }
        }
        Devices { module, calls }
    }

    /// The only device that a value of a body can be.
    pub(super) fn only(&self, at: usize, device: ValueId) -> Option<&'static str> {
        let mut found = Vec::new();
        self.gather(at, device, &mut found, &mut FxHashSet::default())?;
        match found[..] {
            [one] => Some(one),
            _ => None,
        }
    }

    /// The same as [`globals_of`], in callers too.
    fn gather(
        &self,
        at: usize,
        device: ValueId,
        found: &mut Vec<&'static str>,
        seen: &mut FxHashSet<(usize, ValueId)>,
    ) -> Option<()> {
        if !seen.insert((at, device)) {
            return Some(());
        }
        let body = self.module.bodies.get(at)?;
        globals_of(body, device, found, &mut |block, index, found| {
            let function = self.private_function(body, block)?;
            for &(caller, call) in self.calls.get(function).into_iter().flatten() {
                let operand = self.module.bodies[caller].operands(call).nth(index)?;
                self.gather(caller, operand, found, seen)?;
            }
            Some(())
        })
    }

    /// The name of the function whose entry a block is, when only the module can call it.
    fn private_function(&self, body: &Body, block: BlockId) -> Option<&'static str> {
        let root = body.root()?;
        let private = body.attr(root, "sym_visibility").and_then(Attr::as_str) == Some("private");
        let entry = body.region_entry(root, 0) == Some(block);
        body.symbol_name(root).filter(|_| private && entry)
    }
}

/// The module's device globals in order: their positions and names.
pub(super) fn device_globals(module: &Module) -> Vec<(usize, &'static str)> {
    let globals = module.bodies.iter().enumerate().filter_map(|(at, body)| {
        let root = body.root().filter(|&root| body.is(root, "util.global"))?;
        let ty = body.attr(root, "type")?.as_type()?;
        ty.dialect_params("hal.device")?;
        Some((at, body.symbol_name(root)?))
    });
    globals.collect()
}

/// What the names of globals that belong to a device begin with.
pub(super) fn prefix(device: &str) -> String {
    if device.starts_with("__") { device.to_owned() } else { format!("__{device}") }
}

/// Puts symbols right behind others, whose positions are given in order.
pub(super) fn insert_behind(module: &mut Module, added: Vec<(usize, Vec<Body>)>) {
    for (at, symbols) in added.into_iter().rev() {
        module.bodies.splice(at + 1..at + 1, symbols);
    }
}
