//! Passes on the border of the program and on its devices.

mod assign_legacy_target_devices;
mod link_executables;
mod linked;
mod materialize_interfaces;
mod materialize_target_devices;
mod wrap_entry_points;

use tegula_pass::{PassImpl, PassRun};

/// The implementations of the passes in `passes.td`.
pub fn passes() -> Vec<PassImpl> {
    vec![
        PassImpl {
            name: "iree-abi-wrap-entry-points",
            run: PassRun::Outline(wrap_entry_points::run),
        },
        PassImpl {
            name: "iree-hal-assign-legacy-target-devices",
            run: PassRun::Header(assign_legacy_target_devices::run),
        },
        PassImpl {
            name: "iree-hal-materialize-target-devices",
            run: PassRun::Header(materialize_target_devices::run),
        },
        PassImpl {
            name: "iree-hal-link-all-executables",
            run: PassRun::Module(link_executables::run),
        },
        PassImpl {
            name: "iree-hal-materialize-interfaces",
            run: PassRun::BySubject(&materialize_interfaces::MaterializeInterfaces),
        },
    ]
}
