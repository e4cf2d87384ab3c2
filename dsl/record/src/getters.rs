//! Typed access to fields, with located errors.

use std::sync::Arc;

use tegula_diag::Diagnostic;

use crate::{Dag, Field, Record, Records, Value};

impl Record {
    /// A field, or an error at the record that names the field.
    pub fn field(&self, name: &str) -> Result<&Field, Diagnostic> {
        self.fields.get(name).ok_or_else(|| {
            let message = format!("`{}` has no field `{name}`", self.name);
            let diagnostic = Diagnostic::error("missing-field", message).at(self.span);
            diagnostic.suggest(name, self.fields.keys().map(|key| &**key))
        })
    }

    fn typed<'a, T>(
        &'a self,
        name: &str,
        what: &str,
        get: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<T, Diagnostic> {
        let field = self.field(name)?;
        get(&field.value).ok_or_else(|| {
            let found = field.value.kind();
            let message = format!("field `{name}` of `{}` must be {what}, not {found}", self.name);
            let diagnostic = Diagnostic::error("field-type", message).at(field.span);
            if field.span == self.span {
                diagnostic
            } else {
                diagnostic.label(self.span, "in this definition")
            }
        })
    }

    /// A field that is a string or code.
    pub fn string(&self, name: &str) -> Result<&Arc<str>, Diagnostic> {
        self.typed(name, "a string", Value::as_str)
    }

    /// A field that is a string or code, if it is set.
    pub fn string_opt(&self, name: &str) -> Result<Option<&Arc<str>>, Diagnostic> {
        self.typed(name, "a string or `?`", |value| match value {
            Value::Unset => Some(None),
            value => value.as_str().map(Some),
        })
    }

    /// A field that is an integer.
    pub fn int(&self, name: &str) -> Result<i64, Diagnostic> {
        self.typed(name, "an integer", Value::as_int)
    }

    /// A field that is a bit.
    pub fn bit(&self, name: &str) -> Result<bool, Diagnostic> {
        self.typed(name, "a bit", Value::as_bit)
    }

    /// A field that is a bit; nothing when it is `?`.
    pub fn bit_opt(&self, name: &str) -> Result<Option<bool>, Diagnostic> {
        self.typed(name, "a bit or `?`", |value| match value {
            Value::Unset => Some(None),
            value => value.as_bit().map(Some),
        })
    }

    /// A field that is a list.
    pub fn list(&self, name: &str) -> Result<&[Value], Diagnostic> {
        self.typed(name, "a list", |value| value.as_list().map(|list| &**list))
    }

    /// A field that is a list of strings.
    pub fn string_list(&self, name: &str) -> Result<Vec<Arc<str>>, Diagnostic> {
        self.typed(name, "a list of strings", |value| {
            value.as_list()?.iter().map(|value| value.as_str().cloned()).collect()
        })
    }

    /// A field that is a dag.
    pub fn dag(&self, name: &str) -> Result<&Arc<Dag>, Diagnostic> {
        self.typed(name, "a dag", Value::as_dag)
    }

    /// A field that is a definition.
    pub fn def<'r>(&self, name: &str, records: &'r Records) -> Result<&'r Arc<Record>, Diagnostic> {
        self.typed(name, "a definition", |value| records.def(value.as_def()?))
    }

    /// A field that is a definition, if it is set.
    pub fn def_opt<'r>(
        &self,
        name: &str,
        records: &'r Records,
    ) -> Result<Option<&'r Arc<Record>>, Diagnostic> {
        self.typed(name, "a definition or `?`", |value| match value {
            Value::Unset => Some(None),
            value => records.def(value.as_def()?).map(Some),
        })
    }

    /// A field that is a list of definitions.
    pub fn def_list<'r>(
        &self,
        name: &str,
        records: &'r Records,
    ) -> Result<Vec<&'r Arc<Record>>, Diagnostic> {
        self.typed(name, "a list of definitions", |value| {
            value.as_list()?.iter().map(|value| records.def(value.as_def()?)).collect()
        })
    }
}
