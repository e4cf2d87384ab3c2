//! Source files, spans and diagnostics for every text that tegula reads.
//!
//! The same types serve `.td` and `.mlir`: a [`Sources`] holds the texts, a [`Span`] names a
//! range of bytes in one of them, and a [`Diagnostic`] is a plain value that stages return
//! together with their result. Rendering ([`Renderer`]) is apart from all of it, so that a
//! command line, a language server and a test can show the same diagnostic in their own way.
//!
//! Non-goals: reading files (callers do that and hand over text), and deciding which
//! diagnostics are errors for a given command.

mod decode;
mod diagnostic;
mod llvm;
mod nearest;
mod render;
mod source;

pub use decode::{NotText, decode};
pub use diagnostic::{Diagnostic, Fix, Severity, has_errors};
pub use nearest::{did_you_mean, nearest};
pub use render::{Renderer, Style};
pub use source::{LineCol, Source, SourceId, Sources, Span, Text};
