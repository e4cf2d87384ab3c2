//! The diagnostic value and its builder.

use std::borrow::Cow;

use crate::{Span, did_you_mean};

/// How grave a diagnostic is; ordered, the gravest last.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Advice on what could be done.
    Help,
    /// Information that belongs to no mistake.
    Note,
    /// Something suspicious; the result is usable.
    Warning,
    /// Something wrong; the result must not be used to make output.
    Error,
}

impl Severity {
    /// The word that renderings use.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Help => "help",
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A change of the text that would remove the cause of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The text to replace; an empty span inserts.
    pub span: Span,
    /// What stands there afterwards.
    pub replacement: String,
    /// What the change does, in the imperative ("write `x`").
    pub description: String,
}

/// One finding about a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// A stable name of the kind of finding, in kebab case; tests and documentation refer to it.
    pub code: Cow<'static, str>,
    /// How grave it is.
    pub severity: Severity,
    /// One sentence without a final stop.
    pub message: String,
    /// The place of the finding, unless it concerns no text.
    pub primary: Option<Span>,
    /// Further places with what they have to do with it; a label at the primary span explains it.
    pub labels: Vec<(Span, String)>,
    /// Sentences that belong to no place.
    pub notes: Vec<String>,
    /// A change that is known to help.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// A diagnostic without a place.
    pub fn new(
        severity: Severity,
        code: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code: code.into(),
            severity,
            message: message.into(),
            primary: None,
            labels: Vec::new(),
            notes: Vec::new(),
            fix: None,
        }
    }

    /// An error.
    pub fn error(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning.
    pub fn warning(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A note.
    pub fn info(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, message)
    }

    /// Sets the primary place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.primary = Some(span);
        self
    }

    /// Sets the primary place where one is known.
    #[must_use]
    pub fn at_opt(mut self, span: Option<Span>) -> Self {
        self.primary = span.or(self.primary);
        self
    }

    /// Adds a place with an explanation.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds a sentence.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Asks whether the name that is nearest to an unknown one was meant, if one is near enough.
    #[must_use]
    pub fn suggest<'a>(self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        match did_you_mean(name, candidates) {
            Some(question) => self.note(question),
            None => self,
        }
    }

    /// Sets the change that would help.
    #[must_use]
    pub fn fix(
        mut self,
        span: Span,
        replacement: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        self.fix =
            Some(Fix { span, replacement: replacement.into(), description: description.into() });
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Whether any of `diagnostics` is an error.
pub fn has_errors<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>) -> bool {
    diagnostics.into_iter().any(Diagnostic::is_error)
}
