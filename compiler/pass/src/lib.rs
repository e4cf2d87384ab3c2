//! Passes, textual pipelines, the planner, instrumentation and IR dumps.
//!
//! Purpose: what a pass is and what it may see ([`PassImpl`], [`PassCx`]); which passes run, in
//! which order and over which ops; how the order is checked and cut into phases.
//! Non-goals: incrementality (tegula-db calls the phase functions here), the list of passes
//! (tegula-pipelines), rewriting (tegula-rewrite).

#![warn(missing_docs)]

mod cx;
mod options;
mod report;
mod run;
mod solved;

pub use cx::{Header, PassCx, PassInputs, Settings};
pub use options::{OptionError, OptionValue, Options};
pub use report::{Report, Severity};
pub use run::{Callees, Changed, Failed, PassImpl, PassResult, PassRun};
pub use solved::{Fact, Solve, SolvedPass};
