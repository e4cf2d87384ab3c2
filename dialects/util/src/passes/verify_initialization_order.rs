//! `iree-util-verify-initialization-order`: initializers use what stands before them, and what does
//! not change is set once.

use std::collections::{BTreeMap, BTreeSet};

use tegula_ir::{Attr, Body, Module, OpId};
use tegula_pass::{Changed, Failed, PassCx, PassResult};

/// Runs the pass.
pub fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    let order = Order::of(module);
    let mut set: BTreeSet<&str> = BTreeSet::new();
    set.extend(order.globals.iter().filter(|(_, g)| g.has_value && !g.is_mutable).map(|(n, _)| *n));
    for (position, body) in module.bodies.iter().enumerate() {
        let Some(root) = body.root().filter(|&root| body.is(root, "util.initializer")) else {
            continue;
        };
        order.follow(cx, body, root, position, &mut BTreeSet::new(), "")?;
        for store in body.walk(root).filter(|&op| body.is(op, "util.global.store")) {
            let known =
                symbol(body, store, "global").and_then(|name| order.globals.get_key_value(name));
            let Some((&name, _)) = known.filter(|(_, global)| !global.is_mutable) else { continue };
            if !set.insert(name) {
                let message = format!(
                    "immutable global '@{name}' is initialized both by initial value and by store \
                     in initializer"
                );
                return Err(cx.error(body, store, "initialization-order", message));
            }
        }
    }
    order.stores_outside(cx)?;
    Ok(Changed::No)
}

fn symbol(body: &Body, op: OpId, name: &str) -> Option<&'static str> {
    Some(body.attr(op, name).and_then(Attr::as_symbol_root)?.as_str())
}

struct Global {
    position: usize,
    has_value: bool,
    is_mutable: bool,
}

/// What stands where in a module.
struct Order<'m> {
    module: &'m Module,
    globals: BTreeMap<&'static str, Global>,
    functions: BTreeMap<&'static str, usize>,
}

impl<'m> Order<'m> {
    fn of(module: &'m Module) -> Order<'m> {
        let mut order = Order { module, globals: BTreeMap::new(), functions: BTreeMap::new() };
        for (position, body) in module.bodies.iter().enumerate() {
            let Some((root, name)) = body.root().and_then(|r| Some((r, body.symbol_name(r)?)))
            else {
                continue;
            };
            if body.is(root, "util.global") {
                let has_value = body.attr(root, "initial_value").is_some();
                let is_mutable = body.attr(root, "is_mutable").is_some();
                order.globals.insert(name, Global { position, has_value, is_mutable });
            } else if body.is(root, "util.func") {
                order.functions.insert(name, position);
            }
        }
        order
    }

    /// Everything that an initializer at a position comes to uses globals before it.
    fn follow(
        &self,
        cx: &mut PassCx<'_>,
        body: &Body,
        root: OpId,
        position: usize,
        seen: &mut BTreeSet<&'static str>,
        through: &str,
    ) -> Result<(), Failed> {
        for op in body.walk(root) {
            let (does, to) = match body.name(op).as_str() {
                "util.global.load" => ("accesses", "global"),
                "util.global.store" => ("stores to", "global"),
                "util.call" => ("", "callee"),
                _ => continue,
            };
            let Some(name) = symbol(body, op, to) else { continue };
            if to == "callee" {
                let Some(&at) = self.functions.get(name) else {
                    let message = format!("call to undefined function '@{name}'");
                    return Err(cx.error(body, op, "initialization-order", message));
                };
                let callee = &self.module.bodies[at];
                if let Some(func) = callee.root().filter(|_| seen.insert(name)) {
                    let through = " through function call";
                    self.follow(cx, callee, func, position, seen, through)?;
                }
            } else if let Some(global) = self.globals.get(name).filter(|g| g.position > position) {
                let how = if through.is_empty() { "" } else { "transitively " };
                let message = format!(
                    "initializer at position {position} {how}{does} global '@{name}' defined at \
                     position {}{through}",
                    global.position
                );
                return Err(cx.error(body, op, "initialization-order", message));
            }
        }
        Ok(())
    }

    /// What does not change is stored to only by what initializers alone come to.
    fn stores_outside(&self, cx: &mut PassCx<'_>) -> Result<(), Failed> {
        let outside = self.reached(|body, root| {
            let visibility = body.attr(root, "sym_visibility").and_then(Attr::as_str);
            body.is(root, "util.func") && visibility != Some("private")
        });
        let mut result = Ok(());
        for &at in &outside {
            let body = &self.module.bodies[at];
            for store in body.walk_all().filter(|&op| body.is(op, "util.global.store")) {
                let name = symbol(body, store, "global");
                let Some(name) =
                    name.filter(|name| self.globals.get(name).is_some_and(|g| !g.is_mutable))
                else {
                    continue;
                };
                let function = body.root().and_then(|root| body.symbol_name(root));
                let message = format!(
                    "store to immutable global '@{name}' in function '{}' which is reachable from \
                     non-initializer contexts",
                    function.unwrap_or_default()
                );
                result = Err(cx.error(body, store, "initialization-order", message));
            }
        }
        result
    }

    /// The bodies that meet a condition and what they call, directly or through others.
    fn reached(&self, is_meant: impl Fn(&Body, OpId) -> bool) -> BTreeSet<usize> {
        let bodies = self.module.bodies.iter().enumerate();
        let meant =
            |(_, body): &(usize, &Body)| body.root().is_some_and(|root| is_meant(body, root));
        let mut pending: Vec<usize> = bodies.filter(meant).map(|(at, _)| at).collect();
        let mut reached = BTreeSet::new();
        while let Some(at) = pending.pop() {
            if reached.insert(at) {
                let body = &self.module.bodies[at];
                let callees = body.walk_all().filter_map(|op| symbol(body, op, "callee"));
                pending.extend(callees.filter_map(|callee| self.functions.get(callee)));
            }
        }
        reached
    }
}
