//! `tegula-codegen-describe-target`: a variant's entry points say that a workgroup is one invocation,
//! and its code what it is compiled for.

use tegula_dialect_hal::executable::children;
use tegula_ir::{Attr, Body, OpId};
use tegula_pass::{Changed, PassCx, PassResult};

/// Runs on a variant.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, variant: OpId) -> PassResult {
    let target = body.attr(variant, "target");
    let params = target.and_then(|target| target.dialect_params("hal.executable.target"));
    let setting = |name| params.and_then(|params| params.get(2)?.get(name));
    let (layout, triple) = (setting("data_layout"), setting("target_triple"));
    let one = Some(Attr::array(&[Attr::index(1); 3]));
    let exports = children(body, variant, "hal.executable.export");
    let sizes = exports.map(|op| (op, "workgroup_size", one));
    let modules = children(body, variant, "builtin.module");
    let settings = modules
        .flat_map(|op| [(op, "llvm.data_layout", layout), (op, "llvm.target_triple", triple)]);
    let said: Vec<(OpId, &str, Option<Attr>)> = sizes.chain(settings).collect();
    let mut rw = cx.rewriter(body);
    let mut changed = Changed::No;
    for (op, name, value) in said {
        if let (Some(value), None) = (value, rw.body.attr(op, name)) {
            rw.set_attr(op, name, value);
            changed = Changed::Yes;
        }
    }
    Ok(changed)
}
