//! Passes, textual pipelines, the planner, instrumentation and IR dumps.
//!
//! Purpose: what a pass is and what it may see ([`PassImpl`], [`PassCx`]); which passes run, in
//! which order and over which ops; how the order is checked and cut into phases.
//! Non-goals: incrementality (tegula-db calls the phase functions here), the list of passes
//! (tegula-pipelines), rewriting (tegula-rewrite).

#![warn(missing_docs)]

mod builtin;
mod by_subject;
mod cx;
mod dump;
mod exec;
mod instrument;
mod options;
mod outline;
mod plan;
mod profile;
mod report;
mod run;
mod solved;
mod submodule;
mod table;
pub mod text;

pub use builtin::cse;
pub use by_subject::{
    Kept, ShareFacts, Sharing, SolveBySubject, Statement, Subject, SubjectPass, Verdicts,
};
pub use cx::{Header, PassCx, PassInputs, Settings};
pub use dump::{DumpTree, Moment, Moments, header_line};
pub use exec::{
    Env, Run, VerifyBody, apply, apply_verdicts, callees, common, decide, run_bottom_up,
    run_header, run_local, run_pipeline, solve, state, summarize,
};
pub use instrument::{Instrument, NoInstrument, PassInfo, Target};
pub use options::{OptionError, OptionValue, Options};
pub use outline::Outline;
pub use plan::{Anchor, Node, PassStep, Phase, Plan};
pub use profile::{Display, Profile};
pub use report::{Report, Severity};
pub use run::{Callees, Changed, Failed, IdleBody, PassImpl, PassResult, PassRun};
pub use solved::{Fact, Solve, SolvedPass};
pub use table::{PassTable, PassTableError, RegisteredPass};
