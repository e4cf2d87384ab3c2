//! `iree-vm-hoist-inlined-rodata`: data that stands where it is used becomes data of the module.

use std::collections::BTreeSet;

use tegula_ir::{Attr, Body, InsertPoint, NewOp, OpId};
use tegula_pass::{Changed, PassCx, PassResult};
use tegula_rewrite::Rewriter;

use super::symbols;

pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, module: OpId) -> PassResult {
    let is_inline = |&op: &OpId| body.is(op, "vm.rodata.inline");
    let inlined: Vec<OpId> = body.walk(module).filter(is_inline).collect();
    let taken = symbols(body, module).into_keys().map(str::to_owned).collect();
    let mut names = Names { taken, next: 0 };
    let mut rw = cx.rewriter(body);
    for &op in &inlined {
        hoist(&mut rw, module, op, &mut names);
    }
    Ok(Changed::when(!inlined.is_empty()))
}

/// Names that are taken, and the number that the next one to be taken twice gets.
struct Names {
    taken: BTreeSet<String>,
    next: usize,
}

impl Names {
    fn of(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted}_{}", self.next);
            self.next += 1;
        }
        name
    }
}

fn hoist(rw: &mut Rewriter<'_>, module: OpId, op: OpId, names: &mut Names) {
    let around = std::iter::successors(rw.body.parent_op(op), |&op| rw.body.parent_op(op));
    let user = around
        .take_while(|&op| op != module)
        .find(|&op| rw.body.is(op, "vm.initializer") || rw.body.is(op, "vm.func"));
    let at = match user {
        Some(user) => InsertPoint::Before(user),
        None => match rw.body.region_entry(module, 0) {
            Some(block) => InsertPoint::Start(block),
            None => return,
        },
    };
    let given = rw.body.attr(op, "name").and_then(Attr::as_str).map(str::to_owned);
    let of_user = user.and_then(|user| rw.body.symbol_name(user)).unwrap_or_default();
    let name = names.of(&given.unwrap_or_else(|| format!("{of_user}_const")));
    let loc = rw.body.loc(op);
    let mut new = NewOp::new("vm.rodata")
        .attr("sym_visibility", Attr::string("private"))
        .attr("sym_name", Attr::string(&name));
    for what in ["value", "alignment", "mime_type"] {
        new = new.attr_opt(what, rw.body.attr(op, what));
    }
    rw.insert(at, new.loc(loc));
    let ty = rw.body.ty(rw.body.result(op, 0));
    let reference = NewOp::new("vm.const.ref.rodata").attr("rodata", Attr::symbol(&name));
    rw.replace_with(op, reference.result(ty).loc(loc));
}
