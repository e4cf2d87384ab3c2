//! Passes on the border of the program and on its devices.

mod assign_legacy_target_devices;
mod convert_to_hal;
mod devices;
mod elide_redundant_commands;
mod initialize_devices;
mod inline_memoize_regions;
mod link_executables;
mod linked;
mod materialize_interfaces;
mod materialize_resource_caches;
mod materialize_target_devices;
mod memoize_device_queries;
mod outline_memoize_regions;
mod prune_executables;
mod resolve_device_promises;
mod resolve_export_ordinals;
mod sources;
mod verify_devices;
mod wrap_entry_points;

pub use resolve_export_ordinals::resolve_export_ordinals;
use tegula_pass::{PassImpl, PassRun};

/// The implementations of the passes in `passes.td`.
pub fn passes() -> Vec<PassImpl> {
    vec![
        PassImpl {
            name: "iree-abi-wrap-entry-points",
            run: PassRun::BySubject(&wrap_entry_points::WrapEntryPoints),
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
            name: "iree-hal-resolve-export-ordinals",
            run: PassRun::Module(resolve_export_ordinals::run),
        },
        PassImpl {
            name: "iree-hal-resolve-device-promises",
            run: PassRun::Module(resolve_device_promises::run),
        },
        PassImpl { name: "iree-hal-verify-devices", run: PassRun::Local(verify_devices::run) },
        PassImpl {
            name: "iree-hal-prune-executables",
            run: PassRun::Module(prune_executables::run),
        },
        PassImpl {
            name: "iree-hal-inline-memoize-regions",
            run: PassRun::Local(inline_memoize_regions::run),
        },
        PassImpl {
            name: "iree-hal-elide-redundant-commands",
            run: PassRun::Local(elide_redundant_commands::run),
        },
        PassImpl {
            name: "iree-hal-initialize-devices",
            run: PassRun::Outline(initialize_devices::run),
        },
        PassImpl { name: "iree-hal-conversion", run: PassRun::Module(convert_to_hal::run) },
        PassImpl {
            name: "iree-llvmcpu-link-executables",
            run: PassRun::Module(link_executables::run),
        },
        PassImpl {
            name: "iree-hal-materialize-resource-caches",
            run: PassRun::Module(materialize_resource_caches::run),
        },
        PassImpl {
            name: "iree-hal-memoize-device-queries",
            run: PassRun::Module(memoize_device_queries::run),
        },
        PassImpl {
            name: "iree-hal-outline-memoize-regions",
            run: PassRun::Outline(outline_memoize_regions::run),
        },
        PassImpl {
            name: "iree-hal-materialize-interfaces",
            run: PassRun::BySubject(&materialize_interfaces::MaterializeInterfaces),
        },
    ]
}
