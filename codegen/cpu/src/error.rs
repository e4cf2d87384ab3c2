//! Why a pass cannot go on.

use tegula_ir::OpId;

/// A located failure of a pass: the op, a stable code and a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuError {
    /// The op at fault.
    pub op: OpId,
    /// A stable kebab-case code.
    pub code: &'static str,
    /// What is wrong and what would be accepted.
    pub message: String,
}

/// Whether a pass changed anything, or why it failed.
pub type CpuResult<T = bool> = Result<T, CpuError>;

/// Makes an error.
pub(crate) fn fail<T>(op: OpId, code: &'static str, message: impl Into<String>) -> CpuResult<T> {
    Err(CpuError { op, code, message: message.into() })
}
