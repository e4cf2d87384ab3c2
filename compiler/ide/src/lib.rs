//! Answers to an editor's questions, as plain data in byte offsets.
//!
//! Purpose: a [`Workspace`] holds the open files and answers: what is wrong, what is there, what is
//! under the cursor, what the IR is after a pass, what the assembly text of a function is.
//! Non-goals: the protocol and its positions (tegula-lsp), incrementality (tegula-db).

#![warn(missing_docs)]

mod hover;
mod mlir;
mod td;
mod virtual_doc;
mod workspace;

pub use virtual_doc::{VirtualDoc, VirtualError};
pub use workspace::{Finding, Hover, Language, OutlineItem, Workspace};
