//! What passes say about ops.

use tegula_ir::{Attr, Body, OpId};

pub use tegula_diag::Severity;

/// One finding of a pass or driver about an op.
///
/// It names a location term instead of a span: bodies hold no positions. Whoever has the source
/// map beside the module turns it into a [`tegula_diag::Diagnostic`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How grave it is.
    pub severity: Severity,
    /// A stable name of the kind of finding, in kebab case.
    pub code: String,
    /// One sentence without a final stop.
    pub message: String,
    /// The location of the op that it is about; none when it is about no op.
    pub loc: Option<Attr>,
    /// The name of that op, or empty.
    pub op: String,
    /// The pass that says it, or empty.
    pub pass: String,
    /// Further sentences, with a location where they have one.
    pub notes: Vec<(Option<Attr>, String)>,
}

impl Report {
    /// A finding about an op.
    pub fn at(
        severity: Severity,
        body: &Body,
        op: OpId,
        code: impl Into<String>,
        message: impl Into<String>,
    ) -> Report {
        Report {
            severity,
            code: code.into(),
            message: message.into(),
            loc: Some(body.loc(op)),
            op: body.name(op).as_str().to_owned(),
            pass: String::new(),
            notes: Vec::new(),
        }
    }

    /// An error about no op.
    pub fn error(code: impl Into<String>, message: impl Into<String>) -> Report {
        Report {
            severity: Severity::Error,
            code: code.into(),
            message: message.into(),
            loc: None,
            op: String::new(),
            pass: String::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a sentence.
    #[must_use]
    pub fn note(mut self, loc: Option<Attr>, text: impl Into<String>) -> Report {
        self.notes.push((loc, text.into()));
        self
    }
}
