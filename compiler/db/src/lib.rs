//! The incremental layer: salsa inputs and queries.
//!
//! Purpose: an edit of one top-level op reruns what can differ because of it and nothing else.
//! Inputs are facts: the text of each top-level op, the text around them, and the setup (definitions,
//! target, phase). A query is a thin wrapper over a function of tegula-ir, tegula-pass or
//! tegula-pipelines that knows nothing of salsa.
//! Non-goals: positions in files (a [`Session`] has them beside the database), protocols.

#![warn(missing_docs)]

mod crossing;
mod database;
mod decide;
#[expect(missing_docs, reason = "what the macro of inputs makes bears no documentation")]
mod inputs;
mod output;
mod parallel;
mod parse;
mod phase;
mod place;
mod road;
mod session;
mod whole;
mod written;

pub use database::{Cancelled, Database, cancellable};
pub use inputs::{Frame, Item, Program};
pub use output::{AsmPiece, Compiled};
pub use road::Touched;
pub use session::Session;
pub use written::{Located, NoSignature, Written, report_diagnostic};
