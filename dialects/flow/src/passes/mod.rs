//! Passes that form dispatches, choose encodings, and outline executables.

mod annotate_data_tiling_hints;
mod annotate_dispatches;
mod clone_producers;
mod collapse_dimensions;
mod convert_encoding_to_flow;
mod convert_regions_to_workgroups;
mod convert_tensor_to_flow;
mod deduplicate_executables;
mod detach_elementwise;
mod elementwise_op_fusion;
mod form_dispatch_regions;
mod form_scalar_dispatches;
mod fuse_encoding_ops;
mod hoist_encoding_ops;
mod insert_tensor_barriers;
mod materialize_default_workgroup_count;
mod outline_dispatch_regions;
mod remove_tensor_barriers;
mod set_encoding;
mod summary;

use tegula_pass::{PassImpl, PassRun};

/// The implementations of the passes in `passes.td`.
pub fn passes() -> Vec<PassImpl> {
    let local = |name, run| PassImpl { name, run: PassRun::Local(run) };
    vec![
        local("iree-global-opt-detach-elementwise-from-named-ops", detach_elementwise::run),
        local("iree-dispatch-creation-insert-tensor-barriers", insert_tensor_barriers::run),
        local("iree-dispatch-creation-elementwise-op-fusion", elementwise_op_fusion::run),
        local("iree-dispatch-creation-form-scalar-dispatches", form_scalar_dispatches::run),
        local("iree-dispatch-creation-form-dispatch-regions", form_dispatch_regions::run),
        local("iree-dispatch-creation-clone-producers-into-dispatch-regions", clone_producers::run),
        local("iree-dispatch-creation-collapse-dimensions", collapse_dimensions::run),
        local("iree-dispatch-creation-annotate-data-tiling-hints", annotate_data_tiling_hints::run),
        local("iree-dispatch-creation-set-encoding", set_encoding::run),
        local("iree-dispatch-creation-hoist-encoding-ops", hoist_encoding_ops::run),
        local(
            "iree-dispatch-creation-fuse-encoding-ops-into-dispatch-regions-pass",
            fuse_encoding_ops::run,
        ),
        local("iree-dispatch-creation-convert-encoding-to-flow", convert_encoding_to_flow::run),
        local("iree-dispatch-creation-remove-tensor-barriers", remove_tensor_barriers::run),
        local(
            "iree-dispatch-creation-convert-dispatch-regions-to-workgroups",
            convert_regions_to_workgroups::run,
        ),
        local("iree-dispatch-creation-convert-tensor-to-flow", convert_tensor_to_flow::run),
        local(
            "iree-dispatch-creation-materialize-default-workgroup-count-region",
            materialize_default_workgroup_count::run,
        ),
        PassImpl {
            name: "iree-flow-outline-dispatch-regions",
            run: PassRun::Outline(outline_dispatch_regions::run),
        },
        PassImpl {
            name: "iree-flow-annotate-dispatches",
            run: PassRun::BySubject(&annotate_dispatches::AnnotateDispatches),
        },
        PassImpl {
            name: "iree-flow-deduplicate-executables",
            run: PassRun::Solved(&deduplicate_executables::DeduplicateExecutables),
        },
    ]
}
