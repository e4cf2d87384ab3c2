//! Which devices a value may be: globals that it may have been read from.

use std::collections::HashSet;

use tegula_ir::{Attr, BlockId, Body, Module, OpId, ValueId, ValueKind};

/// The devices of a module and where they go.
pub(super) struct Devices<'m> {
    module: &'m Module,
}

impl<'m> Devices<'m> {
    /// The devices of a module.
    pub(super) fn of(module: &'m Module) -> Devices<'m> {
        Devices { module }
    }

    /// The only device that a value of a body can be.
    pub(super) fn only(&self, at: usize, device: ValueId) -> Option<&'static str> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        self.gather(at, device, &mut found, &mut seen)?;
        match found[..] {
            [one] => Some(one),
            _ => None,
        }
    }

    /// Adds the globals that a value may have been read from; none when it may come from elsewhere.
    fn gather(
        &self,
        at: usize,
        device: ValueId,
        found: &mut Vec<&'static str>,
        seen: &mut HashSet<(usize, ValueId)>,
    ) -> Option<()> {
        if !seen.insert((at, device)) {
            return Some(());
        }
        let body = self.module.bodies.get(at)?;
        match body.definition(device) {
            ValueKind::Result(op, _) => match body.name(op).as_str() {
                "util.global.load" => {
                    let name = body.attr(op, "global")?.as_symbol_root()?.as_str();
                    if !found.contains(&name) {
                        found.push(name);
                    }
                    Some(())
                }
                "arith.select" => (1..3)
                    .try_for_each(|index| self.gather(at, body.operand(op, index), found, seen)),
                _ => None,
            },
            ValueKind::Arg(block, index) => {
                let function = self.private_function(body, block)?;
                for (caller, call) in self.calls(function) {
                    let operands = &self.module.bodies[caller];
                    let operand = operands.operands(call).nth(index as usize)?;
                    self.gather(caller, operand, found, seen)?;
                }
                Some(())
            }
        }
    }

    /// The name of the function whose entry a block is, when only the module can call it.
    fn private_function(&self, body: &Body, block: BlockId) -> Option<&'static str> {
        let root = body.root()?;
        let private = body.attr(root, "sym_visibility").and_then(Attr::as_str) == Some("private");
        let entry = body.region_entry(root, 0) == Some(block);
        body.symbol_name(root).filter(|_| private && entry)
    }

    fn calls<'a>(&'a self, function: &'a str) -> impl Iterator<Item = (usize, OpId)> + 'a {
        let bodies = self.module.bodies.iter().enumerate();
        bodies.flat_map(move |(at, body)| {
            let calls = body.walk_all().filter(|&op| body.is(op, "util.call"));
            let own = calls.filter(move |&call| {
                let callee = body.attr(call, "callee").and_then(Attr::as_symbol_root);
                callee.is_some_and(|callee| callee.as_str() == function)
            });
            own.map(move |call| (at, call))
        })
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
