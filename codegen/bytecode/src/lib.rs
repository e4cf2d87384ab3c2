//! Modules of the runtime's virtual machine as files.
//!
//! Purpose: the bytes that IREE's runtime loads of a `vm.module` whose members are numbered. How
//! an op stands in them is declared with the op (`VM_Code` in `dialects/vm`); registers are chosen
//! here.
//! Non-goals: rewriting a module into one that has a file (the passes of the dialect `vm`), where
//! the file goes (tegula-cli).

#![warn(missing_docs)]

mod code;
mod convention;
mod data;
mod file;
mod layout;
mod moves;
mod registers;
mod tables;
#[cfg(test)]
mod tests;

pub use tables::module_file;

use tegula_ir::OpId;

/// Why a module has no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoFile {
    /// The op that stands in the way.
    pub op: OpId,
    /// A stable name of the kind of error.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
}

/// What is refused, at an op.
fn refuse<T>(op: OpId, code: &'static str, message: impl Into<String>) -> Result<T, NoFile> {
    Err(NoFile { op, code, message: message.into() })
}
