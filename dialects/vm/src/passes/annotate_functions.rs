//! `iree-vm-annotate-functions`: functions say whether others may run in between (`vm.yield`), and
//! whether references have to be given back when they fail (`vm.unwind`).

use std::collections::BTreeMap;

use tegula_ir::{Attr, Body, OpId, Registry};
use tegula_pass::{Changed, PassCx, PassResult};

use super::{function_type, members_named, named};
use crate::is_ref;

const YIELD: &str = "vm.yield";
const UNWIND: &str = "vm.unwind";

/// What is known of a function.
struct Known {
    op: OpId,
    yields: bool,
    unwinds: bool,
    callees: Vec<&'static str>,
}

pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, module: OpId) -> PassResult {
    let functions = members_named(body, module, "vm.func");
    let imports = members_named(body, module, "vm.import");
    let all = functions.iter().map(|&op| look_at(cx.registry, body, op));
    let all = all.chain(imports.into_iter().map(|op| Known::said(body, op)));
    let mut known: BTreeMap<&'static str, Known> =
        all.filter_map(|known| Some((body.symbol_name(known.op)?, known))).collect();
    // What a callee does its callers do, too.
    let mut settled = false;
    while !settled {
        settled = true;
        for name in known.keys().copied().collect::<Vec<_>>() {
            let of = |known: &Known| (known.yields, known.unwinds);
            let before = of(&known[name]);
            let after = known[name].callees.iter().filter_map(|callee| known.get(callee)).map(of);
            let after = after.fold(before, |(y, u), (yields, unwinds)| (y | yields, u | unwinds));
            if let Some(known) = known.get_mut(name).filter(|_| before != after) {
                (known.yields, known.unwinds) = after;
                settled = false;
            }
        }
    }
    let mut changed = Changed::No;
    for op in functions {
        let Some(known) = body.symbol_name(op).and_then(|name| known.get(name)) else { continue };
        for (what, holds) in [(YIELD, known.yields), (UNWIND, known.unwinds)] {
            if holds && body.attr(op, what).is_none() {
                cx.rewriter(body).set_attr(op, what, Attr::unit());
                changed = Changed::Yes;
            }
        }
    }
    Ok(changed)
}

impl Known {
    /// What an op says of itself.
    fn said(body: &Body, op: OpId) -> Known {
        let has = |name| body.attr(op, name).is_some();
        Known { op, yields: has(YIELD), unwinds: has(UNWIND), callees: Vec::new() }
    }
}

fn look_at(registry: &Registry, body: &Body, func: OpId) -> Known {
    let mut known = Known::said(body, func);
    let ty = function_type(body, func);
    let (inputs, results) = ty.and_then(|ty| ty.as_function()).unwrap_or_default();
    let mut refs = inputs.iter().chain(results).any(|&ty| is_ref(ty));
    let mut fails = false;
    for op in body.walk(func).filter(|&op| op != func) {
        let name = body.name(op);
        if ["vm.call", "vm.call.variadic"].contains(&name.as_str()) {
            known.callees.extend(named(body, op, "callee"));
        }
        known.yields |= name.as_str() == "vm.yield";
        fails |= registry.op(name).is_some_and(|info| info.def().has_trait("MayFail"));
        refs |= body.results(op).any(|value| is_ref(body.ty(value)));
    }
    known.unwinds |= refs && fails;
    known
}
