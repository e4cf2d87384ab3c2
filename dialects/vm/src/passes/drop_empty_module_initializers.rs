//! `iree-vm-drop-empty-module-initializers`: what nothing is done in when the module is loaded or
//! given up goes.

use tegula_ir::{Attr, Body, OpId};
use tegula_pass::{Changed, PassCx, PassResult};

use super::{members_named, symbols};

pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, module: OpId) -> PassResult {
    let mut changed = Changed::No;
    for name in super::global_initialization::FUNCTIONS {
        let func = symbols(body, module).get(name).copied();
        let Some(func) = func.filter(|&func| body.is(func, "vm.func") && is_empty(body, func))
        else {
            continue;
        };
        let exported =
            |&op: &OpId| body.attr(op, "export_name").and_then(Attr::as_str) == Some(name);
        let export = members_named(body, module, "vm.export").into_iter().rev().find(exported);
        let mut rw = cx.rewriter(body);
        export.into_iter().for_each(|export| rw.erase(export));
        rw.erase(func);
        changed = Changed::Yes;
    }
    Ok(changed)
}

/// Whether a function only returns.
fn is_empty(body: &Body, func: OpId) -> bool {
    let Some(region) = body.region(func, 0) else { return true };
    let Some(first) = body.first_block(region) else { return true };
    body.last_block(region) == Some(first) && body.first_op(first) == body.last_op(first)
}
