//! Access to records, and the diagnostics that accumulate on the way.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tegula_diag::{Diagnostic, Sources, Span};
use tegula_record::{Dag, Record, Records, Value};
use tegula_schema::{Source, Str};

use crate::format::FormatText;
use crate::ods::{self, Untranslated};

/// What every step of the lowering sees.
pub(crate) struct Cx<'a> {
    pub(crate) records: &'a Records,
    pub(crate) sources: &'a Sources,
    /// Folders that file names are given relative to, longest first.
    roots: Vec<PathBuf>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Ops with faulty arguments or results, by the names of their definitions. What uses them is
    /// not looked at: it would be reported for mistakes that it does not make.
    pub(crate) faulty: BTreeSet<String>,
    /// The records are made of MLIR's own classes.
    pub(crate) ods: bool,
    /// What these say in C++ and is not understood.
    pub(crate) untranslated: Untranslated,
}

impl<'a> Cx<'a> {
    pub(crate) fn new(records: &'a Records, sources: &'a Sources, roots: &[PathBuf]) -> Cx<'a> {
        let mut roots = roots.to_vec();
        roots.sort_by_key(|root| std::cmp::Reverse(root.as_os_str().len()));
        Cx {
            records,
            sources,
            roots,
            diagnostics: Vec::new(),
            faulty: BTreeSet::new(),
            ods: ods::is_ods(records),
            untranslated: Untranslated::default(),
        }
    }

    pub(crate) fn error(&mut self, code: &'static str, message: impl Into<String>, span: Span) {
        self.diagnostics.push(Diagnostic::error(code, message).at(span));
    }

    /// The record that a value names.
    pub(crate) fn def(&self, value: &Value) -> Option<&'a Record> {
        match value {
            Value::Def(name) => self.records.defs.get(name.as_ref()).map(|r| &**r),
            _ => None,
        }
    }

    /// The record that a field names; none when the field is unset or absent.
    pub(crate) fn field_def(&self, record: &Record, field: &str) -> Option<&'a Record> {
        self.def(record.get(field)?)
    }

    /// The records in a list field; what is no record is left out.
    pub(crate) fn field_defs(&self, record: &Record, field: &str) -> Vec<&'a Record> {
        record.items(field).iter().filter_map(|value| self.def(value)).collect()
    }

    /// Whether a pattern names an op that is faulty.
    pub(crate) fn uses_faulty(&self, record: &Record) -> bool {
        fn names(dag: &Dag, faulty: &BTreeSet<String>) -> bool {
            dag.op.as_def().is_some_and(|op| faulty.contains(&**op))
                || dag
                    .args
                    .iter()
                    .any(|arg| arg.value.as_dag().is_some_and(|inner| names(inner, faulty)))
        }
        if self.faulty.is_empty() {
            return false;
        }
        let actions = record.items("actions").iter().filter_map(Value::as_dag);
        let mut dags = record.graph("match").into_iter().chain(actions);
        dags.any(|dag| names(dag, &self.faulty))
    }

    /// Where a definition stands, relative to the folder that it was found in.
    pub(crate) fn source(&self, span: Span) -> Source {
        let line = self.sources.line_col(span).line;
        Source { file: Cow::Owned(self.file(span)), line }
    }

    /// The file's name relative to the first root that holds it.
    pub(crate) fn file(&self, span: Span) -> String {
        let name = self.sources.name(span.source);
        let path = Path::new(name);
        for root in &self.roots {
            if let Ok(rest) = path.strip_prefix(root) {
                return rest.to_string_lossy().replace('\\', "/");
            }
        }
        name.to_owned()
    }

    /// The folder of the file that a span lies in.
    pub(crate) fn folder(&self, span: Span) -> PathBuf {
        Path::new(self.sources.name(span.source)).parent().map(PathBuf::from).unwrap_or_default()
    }

    /// Where a field of a definition was given: the place of its value when that stands in the
    /// definition's own file, the definition's name when the value is a class's.
    pub(crate) fn field_span(&self, record: &Record, field: &str) -> Span {
        let span = record.fields.get(field).map_or(record.span, |field| field.span);
        if span.source == record.span.source { span } else { record.span }
    }

    /// Where a record that a definition uses was made, when it is an anonymous one of the same
    /// file; the definition's field otherwise.
    pub(crate) fn part_span(&self, part: &Record, owner: &Record, field: &str) -> Span {
        if part.anonymous && part.span.source == owner.span.source {
            return part.span;
        }
        self.field_span(owner, field)
    }

    /// The text of a string field with the place of each byte.
    pub(crate) fn format_text<'t>(
        &self,
        record: &'t Record,
        field: &str,
    ) -> Option<FormatText<'t>> {
        let text = record.text(field)?;
        let span = record.fields.get(field)?.span;
        Some(FormatText::new(text, span, self.sources))
    }
}

/// Lenient access to fields: the prelude's classes type them, so that a value is either of that
/// type or unset.
pub(crate) trait Get {
    /// A string; none when unset.
    fn text(&self, field: &str) -> Option<&str>;
    /// An integer; none when unset.
    fn number(&self, field: &str) -> Option<i64>;
    /// A bit; false when unset.
    fn flag(&self, field: &str) -> bool;
    /// The elements of a list.
    fn items(&self, field: &str) -> &[Value];
    /// A dag; none when unset.
    fn graph(&self, field: &str) -> Option<&Arc<Dag>>;
    /// The name; empty when the record is anonymous.
    fn def_name(&self) -> &str;
    /// A string as a table holds it; empty when unset.
    fn str(&self, field: &str) -> Str {
        Cow::Owned(self.text(field).unwrap_or_default().to_owned())
    }
    /// A string as a table holds it, unless it is unset or empty.
    fn some_str(&self, field: &str) -> Option<Str> {
        let text = self.text(field).filter(|text| !text.is_empty())?;
        Some(Cow::Owned(text.to_owned()))
    }
    /// The strings of a list.
    fn strs(&self, field: &str) -> Vec<Str> {
        let strings = self.items(field).iter().filter_map(Value::as_str);
        strings.map(|text| Cow::Owned(text.to_string())).collect()
    }
    /// Prose without the indentation that its lines share.
    fn prose(&self, field: &str) -> Str {
        let text = self.text(field).unwrap_or_default();
        let filled = text.lines().filter(|line| !line.trim().is_empty());
        let indent = filled.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
        let lines: Vec<&str> =
            text.lines().map(|line| line.get(indent..).unwrap_or("").trim_end()).collect();
        Cow::Owned(lines.join("\n").trim().to_owned())
    }
}

impl Get for Record {
    fn text(&self, field: &str) -> Option<&str> {
        self.get(field)?.as_str().map(|text| &**text)
    }

    fn number(&self, field: &str) -> Option<i64> {
        self.get(field)?.as_int()
    }

    fn flag(&self, field: &str) -> bool {
        self.get(field).and_then(Value::as_bit).unwrap_or(false)
    }

    fn items(&self, field: &str) -> &[Value] {
        self.get(field).and_then(Value::as_list).map_or(&[], |list| list)
    }

    fn graph(&self, field: &str) -> Option<&Arc<Dag>> {
        self.get(field)?.as_dag()
    }

    fn def_name(&self) -> &str {
        if self.anonymous { "" } else { &self.name }
    }
}

/// Whether MLIR's text can have this as the name of a dialect, or behind it and a dot as that of an
/// op, type or attribute.
pub(crate) fn is_name(name: &str) -> bool {
    let part = |part: &str| {
        let mut all = part.chars();
        !part.is_empty() && all.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))
    };
    !name.starts_with(|c: char| c.is_ascii_digit()) && name.split('.').all(part)
}
