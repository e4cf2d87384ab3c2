//! What can go wrong below selection.

use std::fmt;

use tegula_ir::OpId;

/// An error at an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineError {
    /// The op.
    pub op: OpId,
    /// A stable kebab-case code.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
}

impl MachineError {
    pub(crate) fn new(op: OpId, code: &'static str, message: impl Into<String>) -> MachineError {
        MachineError { op, code, message: message.into() }
    }
}

impl fmt::Display for MachineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for MachineError {}
