//! Which passes run for which phase, over which dialects.
//!
//! Purpose: the one explicit list of what is built in, the phases of the road with their pipelines
//! (`road.td`), and the steps from phases to assembly text and module files. Non-goals: running passes
//! (tegula-pass), incrementality (tegula-db), the command line.

#![warn(missing_docs)]

pub mod dialects;
mod emit;
mod evaluate;
mod lives;
mod machine;
mod module_file;
mod phase;
mod setup;
mod unwritten;

pub use emit::{EmitError, Emitter, is_public_function, source_signature};
pub use evaluate::{evaluate, evaluate_with, is_machine_code};
pub use lives::{OutOfPhase, out_of_phase};
pub use machine::run_machine_ops;
pub use module_file::module_file;
pub use phase::Phase;
pub use setup::{Problem, Setup};
pub use unwritten::{UnwrittenRead, unwritten_reads};

mod generated {
    include!(concat!(env!("OUT_DIR"), "/road.rs"));
}

pub(crate) mod road {
    //! The dialect that holds the pipelines.

    struct RoadHooks;

    impl super::generated::Hooks for RoadHooks {}

    /// The pipelines, as those of a dialect without ops.
    pub(crate) fn entry() -> tegula_ir::DialectEntry {
        super::generated::entry::<RoadHooks>()
    }
}
