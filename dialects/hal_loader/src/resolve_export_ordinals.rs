//! `iree-hal-loader-resolve-export-ordinals`: the numbers of entry points become constants.

use tegula_dialect_hal::resolve_export_ordinals;
use tegula_ir::Module;
use tegula_pass::{PassCx, PassResult};

/// Runs the pass.
pub(crate) fn run(cx: &mut PassCx<'_>, module: &mut Module) -> PassResult {
    resolve_export_ordinals(cx, module, "hal_loader.executable.export.ordinal")
}
