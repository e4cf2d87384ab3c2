//! Passes on modules of the machine.

mod annotate_functions;
mod convert_to_yieldable_calls;
mod deduplicate_rodata;
mod drop_empty_module_initializers;
mod drop_optimization_barriers;
mod drop_unused_calls;
mod global_initialization;
mod hoist_inlined_rodata;
mod materialize_ref_discards;
mod nest;
mod ordinal_allocation;
mod reify_rodata_tables;
mod resolve_rodata_loads;
mod sink_defining_ops;

use std::collections::BTreeMap;

use tegula_ir::{Attr, Body, OpId};
use tegula_pass::{PassImpl, PassRun};

pub(crate) use nest::function_type;

/// The implementations of the passes in `passes.td`.
pub fn passes() -> Vec<PassImpl> {
    vec![
        PassImpl { name: "tegula-vm-nest", run: PassRun::Module(nest::run) },
        PassImpl {
            name: "iree-vm-reify-rodata-tables",
            run: PassRun::Local(reify_rodata_tables::run),
        },
        PassImpl {
            name: "iree-vm-hoist-inlined-rodata",
            run: PassRun::Local(hoist_inlined_rodata::run),
        },
        PassImpl {
            name: "iree-vm-deduplicate-rodata",
            run: PassRun::Local(deduplicate_rodata::run),
        },
        PassImpl {
            name: "iree-vm-resolve-rodata-loads",
            run: PassRun::Local(resolve_rodata_loads::run),
        },
        PassImpl {
            name: "iree-vm-global-initialization",
            run: PassRun::Local(global_initialization::run),
        },
        PassImpl {
            name: "iree-vm-ordinal-allocation",
            run: PassRun::Local(ordinal_allocation::run),
        },
        PassImpl {
            name: "iree-vm-annotate-functions",
            run: PassRun::Local(annotate_functions::run),
        },
        PassImpl {
            name: "iree-vm-convert-to-yieldable-calls",
            run: PassRun::Local(convert_to_yieldable_calls::run),
        },
        PassImpl {
            name: "iree-vm-drop-empty-module-initializers",
            run: PassRun::Local(drop_empty_module_initializers::run),
        },
        PassImpl { name: "iree-vm-drop-unused-calls", run: PassRun::Local(drop_unused_calls::run) },
        PassImpl {
            name: "iree-vm-drop-optimization-barriers",
            run: PassRun::Local(drop_optimization_barriers::run),
        },
        PassImpl { name: "iree-vm-sink-defining-ops", run: PassRun::Local(sink_defining_ops::run) },
        PassImpl {
            name: "iree-vm-materialize-ref-discards",
            run: PassRun::Local(materialize_ref_discards::run),
        },
    ]
}

/// The ops of a module.
fn members(body: &Body, module: OpId) -> Vec<OpId> {
    body.region_entry(module, 0).map_or(Vec::new(), |block| body.block_ops(block).collect())
}

/// Those of a name.
fn members_named(body: &Body, module: OpId, name: &str) -> Vec<OpId> {
    let mut members = members(body, module);
    members.retain(|&op| body.is(op, name));
    members
}

/// The symbols of a module.
fn symbols(body: &Body, module: OpId) -> BTreeMap<&'static str, OpId> {
    let members = members(body, module).into_iter();
    members.filter_map(|op| Some((body.symbol_name(op)?, op))).collect()
}

/// The symbol that an attribute of an op names.
fn named(body: &Body, op: OpId, attr: &str) -> Option<&'static str> {
    Some(body.attr(op, attr).and_then(Attr::as_symbol_root)?.as_str())
}
