//! `iree-hal-verify-devices`: devices and backends are known to the compiler.

use tegula_ir::{Attr, Body, OpId};
use tegula_pass::{Changed, PassCx, PassResult};

/// The devices that programs may be compiled for.
const DEVICES: &[&str] = &["local"];
/// The backends that compile for them.
const BACKENDS: &[&str] = &["llvm-cpu", "vmvx", "vmvx-inline"];

/// Runs the pass on one symbol of the module.
pub(crate) fn run(cx: &mut PassCx<'_>, body: &mut Body, root: OpId) -> PassResult {
    let value = body.attr(root, "initial_value").filter(|_| body.is(root, "util.global"));
    let ty = body.attr(root, "type").and_then(Attr::as_type);
    let is_device = ty.is_some_and(|ty| ty.dialect_params("hal.device").is_some());
    let Some(wrong) = value.filter(|_| is_device).and_then(what_is_wrong) else {
        return Ok(Changed::No);
    };
    Err(cx.error(body, root, "unknown-device", wrong))
}

/// What the compiler does not know of a device; of those that do not name a target nothing is said.
fn what_is_wrong(device: Attr) -> Option<String> {
    if let Some([devices]) = device.dialect_params("hal.device.select") {
        return devices.as_array()?.iter().find_map(|&device| what_is_wrong(device));
    }
    let [id, _, executables] = device.dialect_params("hal.device.target")? else { return None };
    let unknown = |what: &str, name: &str, known: &[&str]| {
        let known = known.iter().map(|name| format!("'{name}' ")).collect::<String>();
        let known = format!("ensure it is linked into the compiler (available = [ {known}])");
        Some(format!("unregistered target {what} \"{name}\"; {known}"))
    };
    let id = id.as_str()?;
    if !DEVICES.contains(&id) {
        return unknown("device", id, DEVICES);
    }
    executables.as_array()?.iter().find_map(|executable| {
        let backend = executable.dialect_params("hal.executable.target")?.first()?.as_str()?;
        if BACKENDS.contains(&backend) { None } else { unknown("backend", backend, BACKENDS) }
    })
}
