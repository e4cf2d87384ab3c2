//! Answers to an editor's questions, as plain data in byte offsets.
//!
//! Purpose: a [`Workspace`] holds the open files; a [`File`] answers what is wrong, what is there,
//! what is under the cursor, what the IR is after a pass, what the assembly text of a function is.
//! A clone of a file answers on another thread, until the text changes. Every answer is guarded:
//! a question that was given up and one that hit a bug are both an [`Interrupted`], and the next
//! question is answered.
//! Why a program does not compile is told here ([`compile`]) for the commands, too, so that both say
//! the same.
//! Non-goals: the protocol and its positions (tegula-lsp), incrementality (tegula-db).

#![warn(missing_docs)]

mod file;
mod guard;
mod hover;
mod live;
mod mlir;
mod problem;
mod report;
mod td;
mod virtual_doc;
mod workspace;

pub use file::{File, Finding, Fix, Hover, Language, OutlineItem, Related};
pub use guard::{Interrupted, guarded};
pub use problem::problem_diagnostic;
pub use report::{compile, reached, reports};
pub use tegula_diag::Severity;
pub use virtual_doc::{UnknownPass, VirtualDoc, VirtualError, find_pass};
pub use workspace::{Options, Workspace};
