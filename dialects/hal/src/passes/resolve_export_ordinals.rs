//! `iree-hal-resolve-export-ordinals`: the numbers of entry points become constants.

use tegula_ir::{Attr, AttrData, Ident, Module, NewOp, OpId, Type};
use tegula_pass::{Changed, PassCx, PassResult};

use crate::executable::children;

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    resolve_export_ordinals(cx, module, "hal.executable.export.ordinal")
}

/// Puts the numbers of entry points in the place of ops of a name that ask for them.
pub fn resolve_export_ordinals(cx: &mut PassCx<'_>, module: &mut Module, asks: &str) -> PassResult {
    let mut found: Vec<(usize, OpId, Attr)> = Vec::new();
    for (at, body) in module.bodies.iter().enumerate() {
        for op in body.walk_all().filter(|&op| body.is(op, asks)) {
            let entry = body.attr(op, "entry_point").unwrap_or(Attr::absent());
            let Some(ordinal) = ordinal(module, entry) else {
                let message = format!("no executable has a numbered entry point {entry}");
                return Err(cx.error(body, op, "no-entry", message));
            };
            found.push((at, op, ordinal));
        }
    }
    for &(at, op, ordinal) in &found {
        let mut rw = cx.rewriter(&mut module.bodies[at]);
        let constant = NewOp::new("arith.constant").attr("value", ordinal).result(Type::index());
        rw.replace_with(op, constant);
    }
    Ok(Changed::when(!found.is_empty()))
}

/// The number of an entry point, given by the path to it.
fn ordinal(module: &Module, entry: Attr) -> Option<Attr> {
    let AttrData::SymbolRef { root, nested } = entry.data() else { return None };
    let [variant, export] = nested[..] else { return None };
    let body = module.symbol(root.as_str())?;
    let named = |parent: OpId, kind: &'static str, name: Ident| {
        children(body, parent, kind).find(|&op| body.symbol_name(op) == Some(name.as_str()))
    };
    let variant = named(body.root()?, "hal.executable.variant", variant)?;
    body.attr(named(variant, "hal.executable.export", export)?, "ordinal")
}
