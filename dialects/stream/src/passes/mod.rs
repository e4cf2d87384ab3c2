//! The passes of the `stream` dialect that schedule work and lay out memory, in the order in which
//! the road takes them.

mod access;
mod aliases;
mod annotate_dispatch_arguments;
mod annotate_dispatch_assumptions;
mod await_moves;
mod commands;
mod coverage;
mod elide_async_copies;
mod elide_timepoints;
mod facts;
mod fold_uniform_operands;
mod functions;
mod fuse_dispatch_bindings;
mod immediate;
mod layout_slices;
mod materialize_copy_on_write;
mod moves;
mod pack_dispatch_operands;
mod partition;
mod partition_execution;
mod propagate_timepoints;
mod refine_usage;
mod region;
mod schedule_allocation;
mod schedule_concurrency;
mod schedule_execution;
mod support;
mod topology;
mod usage;

use tegula_pass::{PassImpl, PassRun, Sharing};

pub(crate) use support::{is_resource, resource_type, tied_operands, timepoint_type};

/// The implementations of the passes, by name.
pub(crate) fn scheduling() -> Vec<PassImpl> {
    let pass = |name, run| PassImpl { name, run };
    vec![
        pass(
            "iree-stream-materialize-copy-on-write",
            PassRun::Local(materialize_copy_on_write::run),
        ),
        pass(
            "iree-stream-elide-async-copies",
            PassRun::BySubject(&Sharing(elide_async_copies::ElideAsyncCopies)),
        ),
        pass("iree-stream-refine-usage", PassRun::BySubject(&Sharing(refine_usage::RefineUsage))),
        pass("iree-stream-schedule-execution", PassRun::Local(schedule_execution::run)),
        pass("iree-stream-schedule-concurrency", PassRun::Local(schedule_concurrency::run)),
        pass(
            "iree-stream-propagate-timepoints",
            PassRun::BySubject(&Sharing(propagate_timepoints::PropagateTimepoints)),
        ),
        pass("iree-stream-schedule-allocation", PassRun::Local(schedule_allocation::run)),
        pass("iree-stream-layout-slices", PassRun::Local(layout_slices::run)),
        pass("iree-stream-elide-timepoints", PassRun::Local(elide_timepoints::run)),
        pass(
            "iree-stream-fuse-dispatch-bindings",
            PassRun::BySubject(&fuse_dispatch_bindings::FuseDispatchBindings),
        ),
        pass(
            "iree-stream-annotate-dispatch-arguments",
            PassRun::BySubject(&annotate_dispatch_arguments::AnnotateDispatchArguments),
        ),
        pass(
            "iree-stream-annotate-dispatch-assumptions",
            PassRun::BySubject(&annotate_dispatch_assumptions::AnnotateDispatchAssumptions),
        ),
        pass(
            "iree-stream-pack-dispatch-operands",
            PassRun::BySubject(&pack_dispatch_operands::PackDispatchOperands),
        ),
        pass(
            "iree-stream-fold-uniform-operands",
            PassRun::BySubject(&fold_uniform_operands::FoldUniformOperands),
        ),
    ]
}
