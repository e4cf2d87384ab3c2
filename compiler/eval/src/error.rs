//! What can go wrong in a run.

use std::fmt;

use tegula_ir::{Attr, Body, OpId, OpName};

/// An error of a run. It names the op at which evaluation stopped and the calls that led there.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalError {
    /// What went wrong, in one sentence without the op's name.
    pub message: String,
    /// The op, once the engine has attached it.
    pub op: Option<OpName>,
    /// The op's id in the body of `symbol`.
    pub op_id: Option<OpId>,
    /// The op's location attribute.
    pub loc: Option<Attr>,
    /// The symbols of the functions on the call stack, innermost first.
    pub calls: Vec<String>,
}

impl EvalError {
    /// An error that does not know its op yet.
    pub fn new(message: impl Into<String>) -> EvalError {
        EvalError { message: message.into(), op: None, op_id: None, loc: None, calls: Vec::new() }
    }

    /// Attaches the op unless an inner one is attached already.
    pub fn at(mut self, body: &Body, op: OpId) -> EvalError {
        if self.op.is_none() {
            self.op = Some(body.name(op));
            self.op_id = Some(op);
            self.loc = Some(body.loc(op));
        }
        self
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(op) = self.op {
            write!(f, "'{op}' op ")?;
        }
        f.write_str(&self.message)?;
        for symbol in &self.calls {
            write!(f, "\n  in @{symbol}")?;
        }
        Ok(())
    }
}

impl std::error::Error for EvalError {}

impl From<String> for EvalError {
    fn from(message: String) -> EvalError {
        EvalError::new(message)
    }
}

impl From<&str> for EvalError {
    fn from(message: &str) -> EvalError {
        EvalError::new(message)
    }
}
