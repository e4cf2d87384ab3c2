//! `iree-stream-conversion`: tensors become resources.

use tegula_ir::{Body, OpId};
use tegula_pass::{Changed, PassCx, PassResult};

use super::{executables, host};

/// Runs the pass on one top-level op.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    match body.name(root).as_str() {
        "flow.executable" => {
            executables::convert(cx, body, root);
            Ok(Changed::Yes)
        }
        "util.func" | "util.initializer" => host::convert(cx, body, root),
        _ => Ok(Changed::No),
    }
}
