//! One open file and its answers.

use std::ops::Range;
use std::path::Path;

use tegula_diag::{Diagnostic, Severity, SourceId, Span};

use crate::guard::{Interrupted, guarded};
use crate::mlir::MlirFile;
use crate::td::TdFile;
use crate::virtual_doc::{VirtualDoc, VirtualError};

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `.mlir`
    Mlir,
    /// `.td`
    Td,
}

impl Language {
    /// The language of a file by its ending.
    pub fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "mlir" => Some(Language::Mlir),
            "td" => Some(Language::Td),
            _ => None,
        }
    }
}

/// Something to say about a range of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where.
    pub range: Range<usize>,
    /// How grave.
    pub severity: Severity,
    /// A stable name of the kind of finding.
    pub code: String,
    /// The sentence, with notes on lines of their own.
    pub message: String,
    /// Other places that have to do with it.
    pub related: Vec<Related>,
    /// A replacement that mends it.
    pub fix: Option<Fix>,
}

/// A place in the same file that has to do with a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub range: Range<usize>,
    /// What it has to do with it.
    pub message: String,
}

/// A replacement of a range of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What is replaced.
    pub range: Range<usize>,
    /// By what.
    pub replacement: String,
    /// What that does.
    pub description: String,
}

/// One entry of a file's outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineItem {
    /// The name.
    pub name: String,
    /// What it is.
    pub detail: String,
    /// All of it.
    pub range: Range<usize>,
    /// Its name, or its start.
    pub selection: Range<usize>,
}

/// What is under the cursor, in Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// What it is about.
    pub range: Option<Range<usize>>,
    /// The text.
    pub markdown: String,
}

/// An open file. Clones share what was computed; those of earlier texts are
/// [`Interrupted::Cancelled`] once the workspace gives the file another text.
#[derive(Clone)]
pub struct File(pub(crate) Kind);

#[derive(Clone)]
pub(crate) enum Kind {
    Mlir(Box<MlirFile>),
    Td(TdFile),
}

impl File {
    /// The text.
    pub fn text(&self) -> &str {
        match &self.0 {
            Kind::Mlir(file) => file.text(),
            Kind::Td(file) => file.text(),
        }
    }

    /// What is wrong with the text itself; quick.
    pub fn text_findings(&self) -> Result<Vec<Finding>, Interrupted> {
        guarded(|| match &self.0 {
            Kind::Mlir(file) => file.text_findings(),
            Kind::Td(file) => file.findings(),
        })
    }

    /// What is wrong in the file, and what passes say of a program whose text is right.
    pub fn findings(&self) -> Result<Vec<Finding>, Interrupted> {
        guarded(|| match &self.0 {
            Kind::Mlir(file) => file.findings(),
            Kind::Td(file) => file.findings(),
        })
    }

    /// What is in the file, in order.
    pub fn outline(&self) -> Result<Vec<OutlineItem>, Interrupted> {
        guarded(|| match &self.0 {
            Kind::Mlir(file) => file.outline(),
            Kind::Td(file) => file.outline(),
        })
    }

    /// What is at an offset.
    pub fn hover(&self, offset: usize) -> Result<Option<Hover>, Interrupted> {
        guarded(|| match &self.0 {
            Kind::Mlir(file) => file.hover(offset),
            Kind::Td(file) => file.hover(offset),
        })
    }

    /// The text laid out as it is printed; none when it can't be read, or is no MLIR.
    pub fn formatted(&self) -> Result<Option<String>, Interrupted> {
        guarded(|| match &self.0 {
            Kind::Mlir(file) => file.formatted(),
            Kind::Td(_) => None,
        })
    }

    /// The documents that can be made from the file, in the order of the passes and functions.
    pub fn documents(&self) -> Result<Vec<VirtualDoc>, Interrupted> {
        guarded(|| match &self.0 {
            Kind::Mlir(file) => file.documents(),
            Kind::Td(_) => Vec::new(),
        })
    }

    /// A document that is made from the file.
    pub fn document(
        &self,
        document: &VirtualDoc,
    ) -> Result<Result<String, VirtualError>, Interrupted> {
        guarded(|| match &self.0 {
            Kind::Mlir(file) => file.document(document),
            Kind::Td(_) => {
                Err(VirtualError("only .mlir files have IR and assembly text".to_owned()))
            }
        })
    }

    /// Whether the findings of a file may change with the text of another one.
    pub(crate) fn reads(&self, other: &Path) -> bool {
        match &self.0 {
            Kind::Mlir(_) => false,
            Kind::Td(file) => file.reads(other),
        }
    }

    /// Tells a file the texts of the open `.td` files.
    pub(crate) fn set_open(&mut self, open: &crate::td::OpenTexts) {
        if let Kind::Td(file) = &mut self.0 {
            file.set_open(open);
        }
    }
}

/// A diagnostic as a finding in the text of one source.
pub(crate) fn finding(diagnostic: &Diagnostic, source: SourceId, text: &str) -> Finding {
    let range = |span: Span| {
        let end = text.floor_char_boundary(span.end as usize);
        text.floor_char_boundary(span.start as usize).min(end)..end
    };
    let mut message = diagnostic.message.clone();
    for note in &diagnostic.notes {
        message.push('\n');
        message.push_str(note);
    }
    let own = diagnostic.labels.iter().filter(|(span, _)| span.source == source);
    Finding {
        range: diagnostic.primary.map_or(0..0, range),
        severity: diagnostic.severity,
        code: diagnostic.code.to_string(),
        message,
        related: own
            .map(|(span, message)| Related { range: range(*span), message: message.clone() })
            .collect(),
        fix: (diagnostic.fix.as_ref()).filter(|fix| fix.span.source == source).map(|fix| Fix {
            range: range(fix.span),
            replacement: fix.replacement.clone(),
            description: fix.description.clone(),
        }),
    }
}
