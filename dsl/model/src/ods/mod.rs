//! Definitions that are written for MLIR's own tools, over MLIR's own classes.
//!
//! Their names mean what ours mean, but predicates, builders and default values are C++ text, and
//! so is whatever they leave to hooks. Text is told by what it says: `isa<T>`, and the methods that
//! MLIR's own constraints call. What cannot be told is listed, and does not restrict anything.

mod attrs;
mod cpp;
mod kinds;
mod pred;
mod show;
mod traits;

use tegula_diag::{Diagnostic, Span};
use tegula_record::{Record, Records};

pub(crate) use crate::constraint::{and, or};
use crate::cx::{Cx, Get};

/// Whether records are made of MLIR's own classes.
pub(crate) fn is_ods(records: &Records) -> bool {
    ["CPred", "PassBase"].iter().any(|class| records.classes.contains_key(*class))
}

/// Whether a definition belongs to the builtin dialect, whose kinds are part of the compiler.
pub(crate) fn is_builtin(cx: &Cx<'_>, record: &Record) -> bool {
    let owner = cx.field_def(record, "dialect").or_else(|| cx.field_def(record, "opDialect"));
    owner.and_then(|dialect| dialect.text("name")) == Some("builtin")
}

/// What definitions say in C++ and is not understood.
#[derive(Default)]
pub(crate) struct Untranslated {
    /// Each with the definitions that say so.
    found: Vec<(String, Vec<(String, Span)>)>,
    /// The definition that is being read.
    user: Option<(String, Span)>,
    /// Builders of types of its operands and results.
    builders: Vec<String>,
    /// Its attributes with a default that is not understood.
    pub(crate) defaulted: Vec<String>,
}

/// Users of one text that are named; the others are counted.
const MOST_NAMED: usize = 3;

impl<'a> Cx<'a> {
    /// From here on `record` is read.
    pub(crate) fn reads(&mut self, record: &Record) {
        self.untranslated.user = Some((record.name.to_string(), record.span));
        self.untranslated.builders.clear();
        self.untranslated.defaulted.clear();
    }

    /// Notes that the definition which is being read says something that is not understood.
    pub(crate) fn untranslated(&mut self, what: &str) {
        let Untranslated { found, user, .. } = &mut self.untranslated;
        let Some(user) = user else { return };
        let at = found.iter().position(|(known, _)| known == what).unwrap_or_else(|| {
            found.push((what.to_owned(), Vec::new()));
            found.len() - 1
        });
        if !found[at].1.contains(user) {
            found[at].1.push(user.clone());
        }
    }

    /// Whether a type of the op which is being read may follow from what is not understood.
    pub(crate) fn is_partly_read(&mut self) -> bool {
        for builder in std::mem::take(&mut self.untranslated.builders) {
            self.untranslated(&builder);
        }
        let Untranslated { found, user, .. } = &self.untranslated;
        user.as_ref().is_some_and(|user| found.iter().any(|(_, users)| users.contains(user)))
    }

    /// Notes a builder that is needed where a format does not write the type.
    pub(crate) fn ods_builder(&mut self, constraint: &Record) {
        let call = constraint.text("builderCall").filter(|call| !call.trim().is_empty());
        if let Some(call) = call.filter(|_| self.ods_buildable(constraint).is_none()) {
            self.untranslated.builders.push(format!("the builder `{call}`"));
        }
    }

    /// Lists what was not understood.
    pub(crate) fn list_untranslated(&mut self) {
        for (what, users) in std::mem::take(&mut self.untranslated.found) {
            let message = format!("{what} is C++ that is not translated: nothing follows from it");
            let mut diagnostic = Diagnostic::warning("ods-untranslated", message);
            diagnostic = diagnostic.at_opt(users.first().map(|(_, span)| *span));
            let named: Vec<String> =
                users.iter().take(MOST_NAMED).map(|(name, _)| format!("`{name}`")).collect();
            let more = match users.len() - named.len() {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            let verb = if users.len() == 1 { "says" } else { "say" };
            self.diagnostics.push(diagnostic.note(format!("{}{more} {verb} so", named.join(", "))));
        }
    }
}

/// `storageSize` and `StorageSize` as `storage_size`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
